//===- Buffer.h - buffer resources: addresses and bounds ------------------===//
#pragma once

#include "Emu/Access.h"

namespace rdna::emu {

/// The resource descriptor of MUBUF and MTBUF (ISA table "Buffer Resource Descriptor"; field
/// positions as LLVM and Mesa fill them for GFX11).
struct BufferResource {
  std::array<uint32_t, 4> word;

  static BufferResource of(const Wave &w, const Inst &i);
  uint64_t base() const { return word[0] | uint64_t(word[1] & 0xffff) << 32; }
  uint32_t stride() const { return word[1] >> 16 & 0x3fff; }
  /// Bytes of an element that swizzling keeps together; 0: the buffer is linear.
  uint32_t elementBytes() const { return (word[1] >> 30) ? 2u << (word[1] >> 30) : 0; }
  uint32_t records() const { return word[2]; }
  /// 0 nothing, 1 one, 4..7 the component X..W of the format, for result `k`.
  unsigned select(unsigned k) const { return word[3] >> 3 * k & 7; }
  unsigned format() const { return word[3] >> 12 & 0x3f; }
  /// Swizzling interleaves so many consecutive indices.
  uint32_t indexStride() const { return 8u << (word[3] >> 21 & 3); }
  bool addsLane() const { return word[3] >> 23 & 1; }

  enum class Bounds { IndexAndOffset, Index, NoRecords, Raw };
  Bounds bounds() const { return Bounds(word[3] >> 28 & 3); }
};

/// One piece of what a lane accesses: `bytes` at `part` bytes behind the lane's offset.
struct BufferPiece {
  unsigned bytes;
  AccessKind kind;
  unsigned part = 0;
};

/// Addresses of the lanes of a buffer instruction. A lane outside the resource's own bounds is
/// defined (reads give 0, writes are dropped) and not reported; `valid` lacks it.
void resolveBuffer(Wave &w, const Inst &i, const BufferPiece &piece, Pointers &out);

/// Whether [offset, offset + bytes) of every active lane lies inside a linear resource, so that one
/// piece will do for several dwords.
bool coversAllLanes(const Wave &w, const Inst &i, unsigned bytes);

} // namespace rdna::emu
