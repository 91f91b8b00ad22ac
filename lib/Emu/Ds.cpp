//===- Ds.cpp - LDS loads and stores, lane permutes over the LDS crossbar ---===//
#include "Emu/Access.h"
#include "Emu/LdsRows.h"

#include <bit>

namespace rdna::emu {
namespace {

uint32_t offset16(const Inst &i) { return uint32_t(i.imm) & 0xffff; }
uint32_t offset0(const Inst &i) { return uint32_t(i.imm) & 0xff; }
uint32_t offset1(const Inst &i) { return uint32_t(i.imm) >> 8 & 0xff; }

template <class E> void dsLoad(Wave &w, const Inst &i) {
  if constexpr (std::is_same_v<E, Dwords<E::dwords>>)
    if (w.exec() == fullExec &&
        ldsRows<E::dwords>(w, i, w.vgpr(i.addr).lane, offset16(i), w.vgpr(i.dst).lane)) [[likely]]
      return;
  Pointers p;
  resolveLds(w, i, offset16(i), E::bytes, AccessKind::Read, p);
  loadLanes<E>(w, i.dst, p);
}
/// The common store: whole dwords of all lanes, in range.
template <class E> bool storeAll(Wave &w, const Inst &i, uint32_t offset, unsigned reg) {
  if constexpr (std::is_same_v<E, Dwords<1>> || std::is_same_v<E, Dwords<2>>)
    return w.exec() == fullExec &&
           ldsStoreRows<E::dwords>(w, w.vgpr(i.addr).lane, offset, w.vgpr(reg).lane);
  else
    return false;
}
template <class E> void dsStore(Wave &w, const Inst &i) {
  if (storeAll<E>(w, i, offset16(i), i.data)) [[likely]]
    return;
  Pointers p;
  resolveLds(w, i, offset16(i), E::bytes, AccessKind::Write, p);
  storeLanes<E>(w, i.data, p);
}
template <class E, unsigned scale> void dsLoad2(Wave &w, const Inst &i) {
  constexpr unsigned n = E::dwords;
  bool overwritesAddress = i.addr >= i.dst && i.addr < i.dst + 2 * n;
  const uint32_t *address = w.vgpr(i.addr).lane;
  if (!overwritesAddress && w.exec() == fullExec &&
      ldsRows<n>(w, i, address, offset0(i) * scale, w.vgpr(i.dst).lane) &&
      ldsRows<n>(w, i, address, offset1(i) * scale, w.vgpr(i.dst + n).lane)) [[likely]]
    return;
  // Both addresses are taken before either result is written.
  Pointers p, q;
  resolveLds(w, i, offset0(i) * scale, E::bytes, AccessKind::Read, p);
  resolveLds(w, i, offset1(i) * scale, E::bytes, AccessKind::Read, q);
  loadLanes<E>(w, i.dst, p);
  loadLanes<E>(w, i.dst + E::dwords, q);
}
template <class E, unsigned scale> void dsStore2(Wave &w, const Inst &i) {
  Pointers p;
  if (!storeAll<E>(w, i, offset0(i) * scale, i.data)) {
    resolveLds(w, i, offset0(i) * scale, E::bytes, AccessKind::Write, p);
    storeLanes<E>(w, i.data, p);
  }
  if (!storeAll<E>(w, i, offset1(i) * scale, i.data2)) {
    resolveLds(w, i, offset1(i) * scale, E::bytes, AccessKind::Write, p);
    storeLanes<E>(w, i.data2, p);
  }
}

/// The address comes from M0 and the lane number.
void addTidAddress(Wave &w, const Inst &i, Inst &direct) {
  direct = i;
  for (unsigned l = 0; l < laneCount; ++l)
    w.prepared[0][0].lane[l] = (w.s[regM0] & 0xffff) + 4 * l;
  direct.addr = uint16_t(preparedRow(0) / sizeof(Lanes));
}
void ds_load_addtid_b32(Wave &w, const Inst &i) {
  Inst direct;
  addTidAddress(w, i, direct);
  dsLoad<Dwords<1>>(w, direct);
}
void ds_store_addtid_b32(Wave &w, const Inst &i) {
  Inst direct;
  addTidAddress(w, i, direct);
  dsStore<Dwords<1>>(w, direct);
}

/// APPEND and CONSUME: one counter at M0 + offset, changed once by the number of active lanes.
void countLanes(Wave &w, const Inst &i, int sign) {
  uint32_t exec = w.exec(), address = (w.s[regM0] & 0xffff) + offset16(i), old = 0;
  if (uint64_t(address) + 4 <= w.ldsBytes) {
    old = loadFrom<uint32_t>(w.lds + address);
    storeTo(w.lds + address, old + uint32_t(sign * std::popcount(exec)));
  } else if (exec) {
    w.memory->log().add(i.offset, AccessKind::Atomic, sharedAperture + address, w.number,
                        unsigned(std::countr_zero(exec)));
  }
  for (unsigned l = 0; l < laneCount; ++l)
    if (exec >> l & 1)
      w.vgpr(i.dst).lane[l] = old;
}
void ds_append(Wave &w, const Inst &i) { countLanes(w, i, 1); }
void ds_consume(Wave &w, const Inst &i) { countLanes(w, i, -1); }

void writeActive(Wave &w, unsigned reg, const Lanes &value) {
  uint32_t exec = w.exec();
  for (unsigned l = 0; l < laneCount; ++l)
    w.vgpr(reg).lane[l] = exec >> l & 1 ? value.lane[l] : w.vgpr(reg).lane[l];
}

void ds_permute_b32(Wave &w, const Inst &i) {
  Lanes r{};
  uint32_t exec = w.exec();
  for (unsigned l = 0; l < laneCount; ++l)
    if (exec >> l & 1)
      r.lane[(w.vgpr(i.addr).lane[l] + offset16(i)) / 4 % 32] = w.vgpr(i.data).lane[l];
  writeActive(w, i.dst, r);
}
void ds_bpermute_b32(Wave &w, const Inst &i) {
  Lanes r;
  uint32_t exec = w.exec();
  for (unsigned l = 0; l < laneCount; ++l) {
    unsigned from = (w.vgpr(i.addr).lane[l] + offset16(i)) / 4 % 32;
    r.lane[l] = exec >> from & 1 ? w.vgpr(i.data).lane[from] : 0;
  }
  writeActive(w, i.dst, r);
}

/// Source lane of DS_SWIZZLE_B32; FFT mode as in AMD's text, the others as in the ISA guide.
unsigned swizzleSource(uint32_t offset, unsigned lane) {
  if (offset >= 0xe000) {
    unsigned mask = offset & 0x1f, reversed = 0;
    for (unsigned k = 0; k < 5; ++k)
      reversed |= (lane >> k & 1) << (4 - k);
    return reversed >> std::popcount(mask) | (lane & mask);
  }
  if (offset >= 0xc000) {
    unsigned mask = offset & 0x1f, rotate = offset >> 5 & 0x1f;
    unsigned moved = offset >> 10 & 1 ? lane - rotate : lane + rotate;
    return (lane & mask) | (moved & ~mask & 31);
  }
  if (offset & 0x8000)
    return (lane & ~3u) | (offset >> 2 * (lane & 3) & 3);
  return ((lane & (offset & 31)) | (offset >> 5 & 31)) ^ (offset >> 10 & 31);
}
void ds_swizzle_b32(Wave &w, const Inst &i) {
  Lanes r;
  uint32_t exec = w.exec();
  for (unsigned l = 0; l < laneCount; ++l) {
    unsigned from = swizzleSource(offset16(i), l) & 31;
    r.lane[l] = exec >> from & 1 ? w.vgpr(i.addr).lane[from] : 0;
  }
  writeActive(w, i.dst, r);
}

void ds_nop(Wave &, const Inst &) {}

} // namespace

std::span<const OpInfo> dsTable() {
  static constexpr OpInfo rows[] = {
#define ROW(mnemonic, handler) OpInfo{.name = #mnemonic, .run = &handler, .shape = Shape::Ds},
#define LOAD(mnemonic, ...)                                                                        \
  OpInfo{.name = #mnemonic, .run = &dsLoad<__VA_ARGS__>, .shape = Shape::Ds},
#define STORE(mnemonic, ...)                                                                       \
  OpInfo{.name = #mnemonic, .run = &dsStore<__VA_ARGS__>, .shape = Shape::Ds},
#define LOAD2(mnemonic, ...)                                                                       \
  OpInfo{.name = #mnemonic, .run = &dsLoad2<__VA_ARGS__>, .shape = Shape::Ds},
#define STORE2(mnemonic, ...)                                                                      \
  OpInfo{.name = #mnemonic, .run = &dsStore2<__VA_ARGS__>, .shape = Shape::Ds},
#include "Emu/Ds.def"
#undef STORE2
#undef LOAD2
#undef STORE
#undef LOAD
#undef ROW
  };
  return rows;
}

} // namespace rdna::emu
