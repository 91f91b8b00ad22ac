//===- Exact.h - operations whose undefined bits are followed one by one ---===//
#pragma once

#include "Emu/Check/Bits.h"
#include "Emu/Check/Shadow.h"

#include <optional>

namespace rdna::emu {

/// Undefined bytes as bits, and back: a byte is undefined if one of its bits is.
inline uint32_t spread(uint8_t bytes) {
  return (bytes & 1 ? 0xffu : 0) | (bytes & 2 ? 0xff00u : 0) | (bytes & 4 ? 0xff0000u : 0) |
         (bytes & 8 ? 0xff000000u : 0);
}
inline uint8_t gather(uint32_t bits) {
  return uint8_t((bits & 0xff ? 1 : 0) | (bits & 0xff00 ? 2 : 0) | (bits & 0xff0000 ? 4 : 0) |
                 (bits & 0xff000000u ? 8 : 0));
}

/// The value of a source that all lanes share and know.
std::optional<uint32_t> constantOf(const Wave &w, const WaveShadow &shadow, const Source &s);

/// The 32-bit sources of a lane.
struct LaneReader {
  Wave &w;
  const WaveShadow &shadow;
  const Inst &op;
  Bits operator()(unsigned k, unsigned lane) const {
    const Source &s = op.src[k];
    if (s.kind == SourceKind::Vgpr && s.index < 256) {
      const LaneShadow *dirty = shadow.vgprIfDirty(s.index);
      return {w.vgpr(s.index).lane[lane], dirty ? spread((*dirty)[lane]) : 0};
    }
    if (s.kind == SourceKind::Scalar && s.index < 128)
      return {w.s[s.index], shadow.scalar(256 + s.index)};
    return {uint32_t(s.constant), 0};
  }
};

/// Whether the undefined bits of a result follow one by one from those of the sources.
bool isExact(Op op);
/// Those bits for one lane; all of them for other operations.
uint32_t exactly(const LaneReader &read, Op op, unsigned lane);

} // namespace rdna::emu
