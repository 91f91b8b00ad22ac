#include "Emu/Jit/UnitEmitter.h"

namespace rdna::emu::jit {
namespace {

/// A loop that is one block is compiled for several trips at once as well: enough that loading and
/// storing the accumulators counts less, few enough that what the trips load stays in the host's
/// first-level cache beside the accumulators (measured: 4 trips are faster than 8) and that the
/// compilation takes 0.1 s.
constexpr unsigned mergedOperations = 600, mostTrips = 4;

} // namespace

unsigned UnitEmitter::mergeableTrips(int32_t n) {
  const Block &block = plan_.blocks[size_t(n)];
  const Operation &last = block.operations.back();
  if (block.taken != n || last.condition == Condition::Always)
    return 0;
  size_t vectors = 0, loads = 0;
  for (const Operation &o : block.operations) {
    bool vector = o.step == Step::Vector;
    loads += o.step == Step::LdsLoad;
    if (o.step == Step::Native || o.writesExec || (vector && o.inst->op->writesMask))
      return 0;
    vectors += vector;
  }
  DataFlow flow = analyse(block, 1);
  size_t deferred = size_t(std::count_if(flow.items.begin(), flow.items.end(),
                                         [](const Item &i) { return i.deferred; }));
  if (deferred < leastDeferred || loads > vectors) // Loads alone gain nothing, and take room.
    return 0;
  unsigned trips = std::min(mostTrips, unsigned(mergedOperations / vectors));
  return trips > 1 ? trips : 0;
}

void UnitEmitter::emitMerged(int32_t n, unsigned trips) {
  const Block &block = plan_.blocks[size_t(n)];
  DataFlow flow = analyse(block, trips);
  Emission e(flow);
  placeInWave(e, -1);
  merging_ = true;
  writtenScalars_.clear();
  auto *merged = newBlock("merged"), *single = newBlock("single");
  // No time slice may end inside.
  Value *executed = b_.CreateLoad(b_.getInt64Ty(), at(offsetof(Wave, executed)));
  Value *end = b_.CreateLoad(b_.getInt64Ty(), at(offsetof(Wave, sliceEnd)));
  Value *all = b_.CreateICmpULT(
      b_.CreateAdd(executed, b_.getInt64(uint64_t(block.instructions) * trips)), end);
  size_t item = 0;
  for (unsigned trip = 0; trip < trips; ++trip)
    for (const Operation &o : block.operations) {
      if (o.step == Step::Scalar)
        emitScalar(*o.inst);
      if (o.step == Step::Vector)
        e.operands[item] = scalarOperands(*o.inst);
      if (o.step == Step::Branch && trip + 1 < trips)
        all = b_.CreateAnd(all, conditionValue(o.condition));
      item += o.step == Step::Vector || o.step == Step::Scalar || o.step == Step::LdsLoad;
    }
  b_.CreateCondBr(all, merged, single);
  b_.SetInsertPoint(merged);
  emitBody(e);
  for (auto [number, value] : writtenScalars_)
    b_.CreateStore(value, scalarAt(number));
  merging_ = false;
  addExecuted(uint64_t(block.instructions) * (trips - 1));
  emitEnd(n);
  b_.SetInsertPoint(single);
  arenaUsed_ = 0;
  scalars_.clear();
}

} // namespace rdna::emu::jit
