#include "Emu/Jit/UnitEmitter.h"

namespace rdna::emu::jit {
namespace {

/// A loop that is one block is compiled for several iterations at once as well: enough that loading
/// and storing the accumulators counts less, few enough that the compilation takes 0.2 s (of FMAs;
/// of f16 up to 1 s) and that what a slice loads stays in the host's first-level cache beside the
/// accumulators.
constexpr size_t mergedOperations = 1200, mostIterations = 8, mergedBytes = 14 * 1024;

} // namespace

bool UnitEmitter::loadsCanWait(const DataFlow &flow) {
  for (const Item &i : flow.items)
    if (!i.deferred)
      for (int32_t v : i.sources)
        if (int32_t p = flow.versions[size_t(v)].producer;
            p >= 0 && flow.items[size_t(p)].operation->step == Step::LdsLoad)
          return false;
  return true;
}

unsigned UnitEmitter::mergeableIterations(int32_t n) {
  const Block &block = plan_.blocks[size_t(n)];
  const Operation &last = block.operations.back();
  const bool loops = block.taken == n && last.condition != Condition::Always;
  size_t vectors = 0, loads = 0, rows = 0;
  for (const Operation &o : block.operations) {
    bool vector = o.step == Step::Vector;
    if (o.step == Step::Native || o.writesExec || (vector && o.inst->op->writesMask))
      return 0;
    vectors += vector;
    loads += o.step == Step::LdsLoad;
    if (o.step == Step::LdsLoad)
      rows += ldsShape(*o.inst)->dwords * ldsShape(*o.inst)->addresses;
  }
  DataFlow flow = analyse(block, 1);
  size_t deferred = size_t(std::count_if(flow.items.begin(), flow.items.end(),
                                         [](const Item &i) { return i.deferred; }));
  if (deferred < leastDeferred || loads > vectors) // Loads alone gain nothing, and take room.
    return 0;
  const size_t sliceBytes = 4 * sliceLanes(flow);
  size_t iterations = loops ? std::min<size_t>(mostIterations, mergedOperations / vectors) : 1;
  if (rows)
    iterations = std::min(iterations, mergedBytes / (rows * sliceBytes));
  // Once is worth it for the loads alone: they are read slice by slice then.
  if (iterations == 0 || (iterations == 1 && (loads == 0 || vectors > mergedOperations)))
    return 0;
  return loadsCanWait(analyse(block, unsigned(iterations))) ? unsigned(iterations) : 0;
}

void UnitEmitter::emitMerged(int32_t n, unsigned iterations) {
  const Block &block = plan_.blocks[size_t(n)];
  DataFlow flow = analyse(block, iterations);
  Emission e(flow);
  placeInWave(e, -1);
  merging_ = true;
  writtenScalars_.clear();
  auto *merged = newBlock("merged"), *single = newBlock("single");
  // No time slice may end inside.
  Value *executed = b_.CreateLoad(b_.getInt64Ty(), at(offsetof(Wave, executed)));
  Value *end = b_.CreateLoad(b_.getInt64Ty(), at(offsetof(Wave, sliceEnd)));
  Value *all = b_.CreateICmpULT(
      b_.CreateAdd(executed, b_.getInt64(uint64_t(block.instructions) * iterations)), end);
  size_t item = 0;
  for (unsigned iteration = 0; iteration < iterations; ++iteration)
    for (const Operation &o : block.operations) {
      if (o.step == Step::Scalar)
        emitScalar(*o.inst);
      if (o.step == Step::Vector)
        e.operands[item] = scalarOperands(*o.inst);
      if (o.step == Step::Branch && iteration + 1 < iterations)
        all = b_.CreateAnd(all, conditionValue(o.condition));
      item += o.step == Step::Vector || o.step == Step::Scalar || o.step == Step::LdsLoad;
    }
  // Nothing is written to the wave before it is known that all loads of all iterations are in
  // range: the reports of those that are not come iteration by iteration.
  auto isAhead = [](const Item &i) { return !i.deferred && i.operation->step == Step::Vector; };
  for (size_t k = 0; k < flow.items.size(); ++k)
    if (isAhead(flow.items[k]))
      emitVector(e, k);
  const PutOff putOff = putOffLoads(e);
  all = b_.CreateAnd(all, putOff.inRange);
  b_.CreateCondBr(all, merged, single);
  b_.SetInsertPoint(merged);
  for (const Item &i : flow.items)
    if (isAhead(i))
      finish(e, i);
  emitDeferred(e, putOff);
  for (auto [number, value] : writtenScalars_)
    b_.CreateStore(value, scalarAt(number));
  merging_ = false;
  addExecuted(uint64_t(block.instructions) * (iterations - 1));
  emitEnd(n);
  b_.SetInsertPoint(single);
  arenaUsed_ = 0;
  scalars_.clear();
}

} // namespace rdna::emu::jit
