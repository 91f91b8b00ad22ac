//===- DsAtomic.cpp - read-modify-write on LDS ----------------------------===//
//
// The waves of a workgroup run one after the other on one host thread, so plain memory operations
// in lane order are atomic.
//
//===----------------------------------------------------------------------===//
#include "Emu/Access.h"
#include "Emu/Atomic.h"

namespace rdna::emu {
namespace {

enum class Result { Dropped, Returned };

template <class T> T laneData(Wave &w, unsigned reg, unsigned lane) {
  return loadLane<T>(w.vgpr(reg).lane, lane);
}

template <auto fn, class T, Result result> void dsAtomic(Wave &w, const Inst &i) {
  Pointers p;
  resolveLds(w, i, uint32_t(i.imm) & 0xffff, sizeof(T), AccessKind::Atomic, p);
  for (unsigned l = 0; l < laneCount; ++l) {
    if (!(p.active >> l & 1))
      continue;
    T old{};
    if (p.valid >> l & 1) {
      old = loadFrom<T>(p[l]);
      T next = fn(old, laneData<T>(w, i.data, l), laneData<T>(w, i.data2, l));
      storeTo(p[l], next);
    }
    if constexpr (result == Result::Returned)
      storeLane<StoreTo::Register>(w.vgpr(i.dst).lane, l, old);
  }
}

/// Two exchanges; the second address is the same register with the other offset.
template <class T, unsigned scale> void exchange2(Wave &w, const Inst &i) {
  Pointers p, q;
  resolveLds(w, i, (uint32_t(i.imm) & 0xff) * scale, sizeof(T), AccessKind::Atomic, p);
  resolveLds(w, i, (uint32_t(i.imm) >> 8 & 0xff) * scale, sizeof(T), AccessKind::Atomic, q);
  for (unsigned l = 0; l < laneCount; ++l) {
    if (!(p.active >> l & 1))
      continue;
    bool first = p.valid >> l & 1, second = q.valid >> l & 1;
    T a = laneData<T>(w, i.data, l), b = laneData<T>(w, i.data2, l);
    T oldA = first ? loadFrom<T>(p[l]) : T{}, oldB = second ? loadFrom<T>(q[l]) : T{};
    if (first)
      storeTo(p[l], a);
    if (second)
      storeTo(q[l], b);
    storeLane<StoreTo::Register>(w.vgpr(i.dst).lane, l, oldA);
    storeLane<StoreTo::Register>(w.vgpr(i.dst + sizeof(T) / 4).lane, l, oldB);
  }
}

/// Each dword with its top bit set is stored without that bit; always returns both old dwords.
void conditionalExchange(Wave &w, const Inst &i) {
  Pointers p;
  resolveLds(w, i, uint32_t(i.imm) & 0xffff, 8, AccessKind::Atomic, p);
  for (unsigned l = 0; l < laneCount; ++l) {
    if (!(p.active >> l & 1))
      continue;
    for (unsigned k = 0; k < 2; ++k) {
      uint32_t data = w.vgpr(i.data + k).lane[l], old = 0;
      if (p.valid >> l & 1) {
        auto *at = reinterpret_cast<std::byte *>((p.at[l] & ~uint64_t(7)) + 4 * k);
        old = loadFrom<uint32_t>(at);
        if (data >> 31)
          storeTo(at, data & 0x7fffffffu);
      }
      w.vgpr(i.dst + k).lane[l] = old;
    }
  }
}

} // namespace

std::span<const OpInfo> dsAtomicTable() {
  using namespace atomic;
  static constexpr OpInfo rows[] = {
#define DS_ROW(mnemonic, handler) OpInfo{.name = mnemonic, .run = handler, .shape = Shape::Ds},
#define DS_ATOMIC(op, suffix, fn, type)                                                            \
  DS_ROW("ds_" #op "_" #suffix, (&dsAtomic<&fn, type, Result::Dropped>))                           \
  DS_ROW("ds_" #op "_rtn_" #suffix, (&dsAtomic<&fn, type, Result::Returned>))
#define DS_RETURNING(mnemonic, ...) DS_ROW(#mnemonic, (&__VA_ARGS__))
#include "Emu/DsAtomic.def"
#undef DS_RETURNING
#undef DS_ATOMIC
#undef DS_ROW
  };
  return rows;
}

} // namespace rdna::emu
