//===- Flat.cpp - loads and stores of FLAT, GLOBAL and SCRATCH ------------===//
#include "Emu/Access.h"

namespace rdna::emu {
namespace {

template <class E> void flatLoad(Wave &w, const Inst &i) {
  Pointers p;
  resolveFlat(w, i, E::bytes, AccessKind::Read, p);
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
