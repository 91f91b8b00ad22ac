//===- GlobalAtomic.cpp - read-modify-write on memory ---------------------===//
//
// Workgroups run on several host threads, so these are host atomics. What a group sees of the
// others would then depend on timing: a row says whether the final memory is the same in any order
// (integer sums, minima, bit operations), and Run.cpp executes the groups of a kernel that has any
// other atomic, or uses a returned value, in order on one thread.
//
//===----------------------------------------------------------------------===//
#include "Emu/Access.h"
#include "Emu/Atomic.h"
#include "Emu/Buffer.h"

#include <atomic>
#include <bit>

namespace rdna::emu {
namespace {

template <auto fn, class T> T modify(std::byte *p, T data, T data2) {
  using Word = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  if (reinterpret_cast<uint64_t>(p) % sizeof(T) != 0) {
    // Unaligned atomics fault or tear on hardware; here they are a plain access.
    T old = loadFrom<T>(p);
    storeTo(p, fn(old, data, data2));
    return old;
  }
  std::atomic_ref<Word> word(*reinterpret_cast<Word *>(p));
  Word seen = word.load(std::memory_order_relaxed);
  while (!word.compare_exchange_weak(
      seen, std::bit_cast<Word>(T(fn(std::bit_cast<T>(seen), data, data2))))) {
  }
  return std::bit_cast<T>(seen);
}

template <auto fn, class T>
void atomicLanes(Wave &w, const Inst &i, unsigned dst, const Pointers &p) {
  for (unsigned l = 0; l < laneCount; ++l) {
    if (!(p.active >> l & 1))
      continue;
    T old{};
    if (p.valid >> l & 1) {
      const Lanes *data = &w.vgpr(i.data);
      T value = loadLane<T>(data->lane, l);
      T compare = loadLane<T>((data + sizeof(T) / 4)->lane, l);
      old = modify<fn, T>(p[l], value, compare);
    }
    if (i.returns)
      storeLane<StoreTo::Register>(w.vgpr(dst).lane, l, old);
  }
}

template <auto fn, class T> void flatAtomic(Wave &w, const Inst &i) {
  Pointers p;
  resolveFlat(w, i, sizeof(T), AccessKind::Atomic, p);
  atomicLanes<fn, T>(w, i, i.dst, p);
}
template <auto fn, class T> void bufferAtomic(Wave &w, const Inst &i) {
  Pointers p;
  resolveBuffer(w, i, {sizeof(T), AccessKind::Atomic}, p);
  atomicLanes<fn, T>(w, i, i.data, p);
}

} // namespace

std::span<const OpInfo> globalAtomicTable() {
  using namespace atomic;
  static constexpr OpInfo rows[] = {
#define ATOMIC_ROW(mnemonic, handler, rowShape, rowOrder)                                          \
  OpInfo{.name = mnemonic,                                                                         \
         .run = handler,                                                                           \
         .shape = Shape::rowShape,                                                                 \
         .order = OpInfo::rowOrder,                                                                \
         .isAtomic = true},
#define ATOMIC(suffix, fn, type, order)                                                            \
  ATOMIC_ROW("flat_atomic_" #suffix, (&flatAtomic<&fn, type>), Flat, order)                        \
  ATOMIC_ROW("global_atomic_" #suffix, (&flatAtomic<&fn, type>), Flat, order)                      \
  ATOMIC_ROW("buffer_atomic_" #suffix, (&bufferAtomic<&fn, type>), Buffer, order)
#include "Emu/GlobalAtomic.def"
#undef ATOMIC
#undef ATOMIC_ROW
  };
  return rows;
}

} // namespace rdna::emu
