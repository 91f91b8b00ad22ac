#include "Emu/Jit/UnitEmitter.h"

namespace rdna::emu::jit {

EmittedUnit UnitEmitter::run() {
  auto *entry = newBlock("entry");
  b_.SetInsertPoint(entry);
  // One arena for all blocks: what a block keeps there is dead when it is left.
  arena_ = b_.CreateAlloca(b_.getInt8Ty(), b_.getInt32(1), "arena");
  arena_->setAlignment(llvm::Align(128));
  auto *lost = newBlock("lost");
  auto *choose = b_.CreateSwitch(function_->getArg(1), lost);
  for (int32_t n = unit_.first; n < unit_.end; ++n) {
    labels_[n] = newBlock("block" + std::to_string(n));
    choose->addCase(b_.getInt32(uint32_t(n)), labels_[n]);
  }
  b_.SetInsertPoint(lost);
  leave(Exit::Interpret);
  for (int32_t n = unit_.first; n < unit_.end; ++n)
    emitBlock(n);
  arena_->setOperand(0, b_.getInt32(std::max(arenaBytes_, 128u)));
  return {function_, loopsAtOnce_};
}

Value *UnitEmitter::conditionValue(Condition c) {
  Value *zero = b_.getInt32(0);
  switch (c) {
  case Condition::Always:
    return b_.getTrue();
  case Condition::Scc0:
    return b_.CreateICmpEQ(readScalar(regScc), zero);
  case Condition::Scc1:
    return b_.CreateICmpNE(readScalar(regScc), zero);
  case Condition::VccZero:
    return b_.CreateICmpEQ(readScalar(regVcc), zero);
  case Condition::VccNonzero:
    return b_.CreateICmpNE(readScalar(regVcc), zero);
  case Condition::ExecZero:
    return b_.CreateICmpEQ(readScalar(regExec), zero);
  case Condition::ExecNonzero:
    return b_.CreateICmpNE(readScalar(regExec), zero);
  }
  return b_.getFalse();
}

void UnitEmitter::emitBlock(int32_t n) {
  const Block &block = plan_.blocks[size_t(n)];
  b_.SetInsertPoint(labels_[n]);
  arenaUsed_ = 0;
  scalars_.clear();
  if (unsigned iterations = mergeableIterations(n)) {
    emitMerged(n, iterations);
    loopsAtOnce_ += iterations > 1;
  }
  DataFlow flow = analyse(block, 1);
  Emission e(flow);
  placeInWave(e, -1);
  emitBody(e);
  emitEnd(n);
}

void UnitEmitter::emitEnd(int32_t n) {
  const Block &block = plan_.blocks[size_t(n)];
  const Operation &last = block.operations.back();
  addExecuted(block.instructions);
  if (last.step == Step::Stop)
    return leaveAt(last.inst, Exit::Interpret);
  if (last.step != Step::Branch)
    return goTo(block.next, block.follow,
                last.writesExec ? ActiveLanes::Unknown : ActiveLanes::All);
  if (last.condition == Condition::Always)
    return jump(block.taken, last.inst->target);
  auto *taken = newBlock("taken"), *not_ = newBlock("follow");
  b_.CreateCondBr(conditionValue(last.condition), taken, not_);
  b_.SetInsertPoint(taken);
  jump(block.taken, last.inst->target);
  b_.SetInsertPoint(not_);
  goTo(block.next, block.follow, ActiveLanes::All);
}

void UnitEmitter::jump(int32_t block, const Inst *inst) {
  Value *executed = b_.CreateLoad(b_.getInt64Ty(), at(offsetof(Wave, executed)));
  Value *end = b_.CreateLoad(b_.getInt64Ty(), at(offsetof(Wave, sliceEnd)));
  auto *yield = newBlock("yield"), *goesOn = newBlock("goesOn");
  b_.CreateCondBr(b_.CreateICmpUGE(executed, end), yield, goesOn);
  b_.SetInsertPoint(yield);
  b_.CreateStore(b_.getInt32(uint32_t(Event::Yield)), at(offsetof(Wave, event)));
  leaveAt(inst, Exit::Dispatch);
  b_.SetInsertPoint(goesOn);
  goTo(block, inst, ActiveLanes::All);
}

void UnitEmitter::goTo(int32_t block, const Inst *inst, ActiveLanes lanes) {
  if (!inst)
    return leave(Exit::Interpret);
  if (block < 0)
    return leaveAt(inst, Exit::Interpret);
  if (lanes == ActiveLanes::Unknown) {
    auto *partial = newBlock("partial"), *full = newBlock("full");
    b_.CreateCondBr(
        b_.CreateICmpEQ(b_.CreateLoad(b_.getInt32Ty(), scalarAt(regExec)), b_.getInt32(fullExec)),
        full, partial);
    b_.SetInsertPoint(partial);
    leaveAt(inst, Exit::Interpret);
    b_.SetInsertPoint(full);
  }
  if (block >= unit_.first && block < unit_.end)
    b_.CreateBr(labels_[block]);
  else
    leaveAt(inst, Exit::Dispatch);
}

void declareRows(const Plan &plan, Semantics &semantics, llvm::Module &module) {
  for (const Block &block : plan.blocks)
    for (const Operation &o : block.operations) {
      if (o.step == Step::Vector)
        semantics.vector(module, *o.inst->op);
      else if (o.step == Step::Scalar)
        semantics.scalar(module, *o.inst->op);
    }
}

EmittedUnit emitUnit(const Plan &plan, Unit unit, Semantics &semantics, const Target &target,
                     llvm::Module &module, const std::string &name) {
  return UnitEmitter(plan, unit, semantics, target, module, name).run();
}

} // namespace rdna::emu::jit
