//===- Flat.cpp - loads and stores of FLAT, GLOBAL and SCRATCH ------------===//
#include "Emu/Access.h"
#include "Emu/LdsRows.h"

#include <algorithm>
#include <cstring>

namespace rdna::emu {
namespace {

/// A loop's loads advance by the same distance in every iteration, often into other pages, where
/// the host's own prefetcher does not follow: a quarter of the time of an SGEMM was waiting for
/// them. `at` holds the addresses of lanes 0, 8, 16 and 24.
void prefetchNext(Wave &w, const Inst &i, const uint64_t (&at)[4]) {
  uint64_t &last = w.lastLoad[hintSlot(i)];
  const uint64_t step = at[0] - last;
  last = at[0];
  constexpr uint64_t farthest = uint64_t(16) << 20;
  if (step + farthest < 2 * farthest)
    for (uint64_t a : at)
      __builtin_prefetch(reinterpret_cast<const void *>(a + step));
}

/// A dword of every lane, where eight lanes at a time lie side by side: the rows of a tile. False
/// if it is not that, and nothing done.
bool loadTile(Wave &w, const Inst &i) {
  if (w.exec() != fullExec || i.segment != 2)
    return false;
  if (i.hasBase && !i.hasAddr)
    return false;
  const uint32_t *lo = w.vgpr(i.addr).lane, *hi = i.hasBase ? nullptr : lo + laneCount;
  uint64_t base = uint64_t(int64_t(i.imm)), row[4];
  if (i.hasBase)
    base += w.s[i.base] | uint64_t(w.s[i.base + 1]) << 32;
  if (!tileRows(lo, hi, base, row))
    return false;
  const uint64_t lowest = std::min(std::min(row[0], row[1]), std::min(row[2], row[3]));
  const uint64_t highest = std::max(std::max(row[0], row[1]), std::max(row[2], row[3]));
  if (highest > ~uint64_t(0) - 32 || !w.memory->covers(lowest, highest - lowest + 32, false))
    return false;
  prefetchNext(w, i, row);
  std::byte *out = reinterpret_cast<std::byte *>(w.vgpr(i.dst).lane);
  for (unsigned n = 0; n < 4; ++n)
    std::memcpy(out + 32 * n, reinterpret_cast<const void *>(row[n]), 32);
  return true;
}

template <class E> void flatLoad(Wave &w, const Inst &i) {
  if constexpr (std::is_same_v<E, Dwords<1>>)
    if (loadTile(w, i)) [[likely]]
      return;
  Pointers p;
  resolveFlat(w, i, E::bytes, AccessKind::Read, p);
  if (p.valid == fullExec)
    prefetchNext(w, i, {p.at[0], p.at[8], p.at[16], p.at[24]});
  loadLanes<E>(w, i.dst, p);
}
template <class E> void flatStore(Wave &w, const Inst &i) {
  Pointers p;
  resolveFlat(w, i, E::bytes, AccessKind::Write, p);
  storeLanes<E>(w, i.data, p);
}

/// GLOBAL_*_ADDTID: base + offset + 4 * lane, no address register.
void addTidPointers(Wave &w, const Inst &i, AccessKind kind, Pointers &p) {
  p.active = w.exec();
  p.valid = 0;
  uint64_t base = i.hasBase ? w.s[i.base] | uint64_t(w.s[i.base + 1]) << 32 : 0;
  for (unsigned l = 0; l < laneCount; ++l)
    p.at[l] = base + int64_t(i.imm) + 4 * l;
  if (p.active)
    checkGlobal(w, i, 4, kind, p);
}
void addTidLoad(Wave &w, const Inst &i) {
  Pointers p;
  addTidPointers(w, i, AccessKind::Read, p);
  loadLanes<Dwords<1>>(w, i.dst, p);
}
void addTidStore(Wave &w, const Inst &i) {
  Pointers p;
  addTidPointers(w, i, AccessKind::Write, p);
  storeLanes<Dwords<1>>(w, i.data, p);
}

} // namespace

std::span<const OpInfo> flatTable() {
  static constexpr OpInfo rows[] = {
#define FLAT_ROW(mnemonic, handler) OpInfo{.name = mnemonic, .run = handler, .shape = Shape::Flat},
#define LOAD(suffix, ...)                                                                          \
  FLAT_ROW("flat_load_" #suffix, (&flatLoad<__VA_ARGS__>))                                         \
  FLAT_ROW("global_load_" #suffix, (&flatLoad<__VA_ARGS__>))                                       \
  FLAT_ROW("scratch_load_" #suffix, (&flatLoad<__VA_ARGS__>))
#define STORE(suffix, ...)                                                                         \
  FLAT_ROW("flat_store_" #suffix, (&flatStore<__VA_ARGS__>))                                       \
  FLAT_ROW("global_store_" #suffix, (&flatStore<__VA_ARGS__>))                                     \
  FLAT_ROW("scratch_store_" #suffix, (&flatStore<__VA_ARGS__>))
#define ROW(mnemonic, handler) FLAT_ROW(#mnemonic, &handler)
#include "Emu/Flat.def"
#undef ROW
#undef STORE
#undef LOAD
#undef FLAT_ROW
  };
  return rows;
}

} // namespace rdna::emu
