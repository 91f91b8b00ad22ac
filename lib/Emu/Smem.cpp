//===- Smem.cpp - scalar loads --------------------------------------------===//
#include "Emu/Access.h"

namespace rdna::emu {
namespace {

/// Dwords outside every region read 0; each load is reported once, at its first such dword.
void loadScalars(Wave &w, const Inst &i, uint64_t address, unsigned count) {
  if (w.memory->covers(address, 4 * count, false)) {
    std::memcpy(&w.s[i.dst], reinterpret_cast<const void *>(address), 4 * count);
    return;
  }
  bool reported = false;
  for (unsigned k = 0; k < count; ++k) {
    uint64_t at = address + 4 * k;
    bool inside = w.memory->covers(at, 4, false);
    w.s[i.dst + k] = inside ? loadFrom<uint32_t>(reinterpret_cast<const std::byte *>(at)) : 0;
    if (!inside && !reported)
      w.memory->log().add(i.offset, AccessKind::Read, at, w.number, 0);
    reported |= !inside;
  }
}

uint64_t registerOffset(const Wave &w, const Inst &i) {
  return uint64_t(int64_t(i.imm)) + (i.hasBase ? w.s[i.base] : 0);
}

/// Address bits [1:0] are ignored (ISA, SMEM address calculation).
template <unsigned count> void scalarLoad(Wave &w, const Inst &i) {
  uint64_t base = w.s[i.resource] | uint64_t(w.s[i.resource + 1]) << 32;
  loadScalars(w, i, (base + registerOffset(w, i)) & ~uint64_t(3), count);
}

/// A buffer resource in SGPRs: offsets at or past num_records * max(stride, 1) read 0, unreported.
template <unsigned count> void scalarBufferLoad(Wave &w, const Inst &i) {
  const uint32_t *r = &w.s[i.resource];
  uint64_t base = r[0] | uint64_t(r[1] & 0xffff) << 32;
  uint32_t stride = r[1] >> 16 & 0x3fff;
  uint64_t size = uint64_t(r[2]) * (stride ? stride : 1), offset = registerOffset(w, i) & ~3ull;
  for (unsigned k = 0; k < count; ++k) {
    uint64_t at = offset + 4 * k, address = (base + at) & ~uint64_t(3);
    uint32_t value = 0;
    if (at + 4 <= size) {
      if (w.memory->covers(address, 4, false))
        value = loadFrom<uint32_t>(reinterpret_cast<const std::byte *>(address));
      else
        w.memory->log().add(i.offset, AccessKind::Read, address, w.number, 0);
    }
    w.s[i.dst + k] = value;
  }
}

} // namespace

std::span<const OpInfo> smemTable() {
  static constexpr OpInfo rows[] = {
#define ROW(mnemonic, ...) OpInfo{.name = #mnemonic, .run = &__VA_ARGS__, .shape = Shape::Smem},
#include "Emu/Smem.def"
#undef ROW
  };
  return rows;
}

} // namespace rdna::emu
