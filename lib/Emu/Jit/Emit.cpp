#include "Emu/Jit/Emit.h"

#include "Emu/Jit/Runtime.h"
#include "Emu/Jit/Values.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace rdna::emu::jit {
namespace {

using llvm::Value;

/// A loop that is one block is compiled for several trips at once as well: enough that loading and
/// storing the accumulators counts less, few enough that what the trips load stays in the host's
/// first-level cache beside the accumulators (measured: 4 trips are faster than 8) and that the
/// compilation takes 0.1 s.
constexpr unsigned mergedOperations = 600, mostTrips = 4;
/// Below this there is nothing to gain from another order.
constexpr unsigned leastDeferred = 16;

class UnitEmitter {
public:
  UnitEmitter(const Plan &plan, Unit unit, Semantics &semantics, const Target &target,
              llvm::Module &module, const std::string &name)
      : plan_(plan), unit_(unit), semantics_(semantics), target_(target), module_(module),
        b_(module.getContext()) {
    auto *type = llvm::FunctionType::get(b_.getInt32Ty(), {b_.getPtrTy(), b_.getInt32Ty()}, false);
    function_ = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module);
    wave_ = function_->getArg(0);
    row_ = rowType(module.getContext());
  }

  EmittedUnit run() {
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

private:
  // Small pieces.
  llvm::BasicBlock *newBlock(const std::string &name) {
    return llvm::BasicBlock::Create(module_.getContext(), name, function_);
  }
  Value *at(size_t offset) { return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), wave_, offset); }
  Value *waveRow(unsigned vgpr) { return at(vgprRow(vgpr)); }
  Value *scalarAt(unsigned n) { return at(offsetof(Wave, s) + 4 * n); }
  Value *pointerTo(const void *p) {
    return b_.CreateIntToPtr(b_.getInt64(reinterpret_cast<uint64_t>(p)), b_.getPtrTy());
  }
  Value *loadRow(Value *address) { return b_.CreateAlignedLoad(row_, address, llvm::Align(128)); }
  void storeRow(Value *value, Value *address) {
    b_.CreateAlignedStore(value, address, llvm::Align(128));
  }
  // Where a row is: an address is computed anew where it is used, so that none lives in a register
  // from one end of a block to the other.
  struct Place {
    Value *base = nullptr;
    uint32_t offset = 0;
  };
  Value *addressOf(const Place &p) {
    return b_.CreateConstInBoundsGEP1_32(b_.getInt8Ty(), p.base, p.offset);
  }
  Place arena(unsigned rows) {
    Place p{arena_, arenaUsed_};
    arenaUsed_ += rows * uint32_t(sizeof(Lanes));
    arenaBytes_ = std::max(arenaBytes_, arenaUsed_);
    return p;
  }
  Place wavePlace(unsigned vgpr) { return {wave_, vgprRow(vgpr)}; }
  void leave(Exit exit) { b_.CreateRet(b_.getInt32(uint32_t(exit))); }
  void leaveAt(const Inst *next, Exit exit) {
    b_.CreateStore(pointerTo(next), at(offsetof(Wave, next)));
    leave(exit);
  }
  void addExecuted(uint64_t count) {
    Value *p = at(offsetof(Wave, executed));
    b_.CreateStore(b_.CreateAdd(b_.CreateLoad(b_.getInt64Ty(), p), b_.getInt64(count)), p);
  }

  // Scalar registers: written through to memory, so calls see them; read once.
  Value *readScalar(unsigned n) {
    Value *&v = scalars_[n];
    if (!v)
      v = b_.CreateLoad(b_.getInt32Ty(), scalarAt(n));
    return v;
  }
  void writeScalar(unsigned n, Value *v) {
    scalars_[n] = v;
    if (merging_)
      writtenScalars_.insert_or_assign(n, v);
    else
      b_.CreateStore(v, scalarAt(n));
  }
  Value *readScalar64(unsigned n) {
    Value *low = b_.CreateZExt(readScalar(n), b_.getInt64Ty());
    Value *high = b_.CreateZExt(readScalar(n + 1), b_.getInt64Ty());
    return b_.CreateOr(low, b_.CreateShl(high, 32));
  }

  void emitScalar(const Inst &i) {
    std::vector<Value *> arguments;
    for (unsigned k = 0; k < 3; ++k) {
      if (i.op->src[k] == LaneType::None)
        continue;
      const Source &s = i.src[k];
      bool wide = isWide(i.op->src[k]);
      if (s.kind != SourceKind::Scalar)
        arguments.push_back(b_.getInt64(wide ? s.constant : uint32_t(s.constant)));
      else
        arguments.push_back(wide ? readScalar64(s.index)
                                 : b_.CreateZExt(readScalar(s.index), b_.getInt64Ty()));
    }
    arguments.push_back(readScalar(regScc));
    Value *r = b_.CreateCall(semantics_.scalar(module_, *i.op), arguments);
    Value *value = b_.CreateExtractValue(r, 0);
    if (i.op->dst != LaneType::None)
      writeScalar(i.dst, b_.CreateTrunc(value, b_.getInt32Ty()));
    if (i.op->dst == LaneType::U64)
      writeScalar(i.dst + 1, b_.CreateTrunc(b_.CreateLShr(value, 32), b_.getInt32Ty()));
    writeScalar(regScc, b_.CreateExtractValue(r, 1));
  }

  Value *conditionValue(Condition c) {
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

  // Operands of a vector step that are no VGPRs, as they are when its turn comes in the program.
  struct ScalarOperands {
    Value *row[3][2] = {};
    Value *mask = nullptr;
  };
  ScalarOperands scalarOperands(const Inst &i) {
    ScalarOperands o;
    for (unsigned k = 0; k < 3; ++k) {
      const Source &s = i.src[k];
      if (i.op->src[k] == LaneType::None || s.kind == SourceKind::Vgpr)
        continue;
      for (unsigned r = 0; r < rowsOf(i.op->src[k]); ++r)
        o.row[k][r] = s.kind == SourceKind::Scalar ? readScalar(s.index + r)
                                                   : b_.getInt32(uint32_t(s.constant >> 32 * r));
    }
    o.mask = i.op->readsMask ? readScalar(i.maskSrc) : b_.getInt32(0);
    return o;
  }

  // The state of one block's emission.
  struct Emission {
    const DataFlow &flow;
    std::vector<Value *> value;    ///< By version: as a value.
    std::vector<Place> memory;     ///< By version: a row that holds it.
    std::vector<uint32_t> pending; ///< By version: uses that are not emitted yet.
    std::vector<int32_t> inWave;   ///< By VGPR: the version in the wave's memory, -1 unknown.
    std::vector<ScalarOperands> operands; ///< By item.
    std::map<int32_t, Value *> window;    ///< Versions read since the group began.
    bool windowed = false;

    explicit Emission(const DataFlow &f)
        : flow(f), value(f.versions.size()), memory(f.versions.size()), pending(f.versions.size()),
          inWave(vgprRows, -1), operands(f.items.size()) {
      for (size_t v = 0; v < f.versions.size(); ++v)
        pending[v] = f.versions[v].uses;
    }
  };

  Value *read(Emission &e, int32_t version) {
    auto v = size_t(version);
    if (e.value[v])
      return e.value[v];
    if (e.windowed)
      if (auto it = e.window.find(version); it != e.window.end())
        return it->second;
    const bool placed = e.memory[v].base;
    Value *row = loadRow(placed ? addressOf(e.memory[v]) : waveRow(e.flow.versions[v].vgpr));
    if (e.windowed)
      e.window[version] = row;
    else if (!placed)
      e.value[v] = row;
    return row;
  }

  /// Before the wave's row of a VGPR changes: a version that is only there and still needed must
  /// become a value.
  void rescue(Emission &e, unsigned vgpr) {
    int32_t v = e.inWave[vgpr];
    if (v >= 0 && e.pending[size_t(v)] && !e.value[size_t(v)] && !e.memory[size_t(v)].base)
      e.value[size_t(v)] = loadRow(waveRow(vgpr));
  }
  void flush(Emission &e, int32_t version) {
    unsigned vgpr = e.flow.versions[size_t(version)].vgpr;
    if (e.inWave[vgpr] == version)
      return;
    if (e.flow.versions[size_t(version)].producer < 0)
      return; // It has never left the wave's memory.
    rescue(e, vgpr);
    storeRow(read(e, version), waveRow(vgpr));
    e.inWave[vgpr] = version;
  }
  void finish(Emission &e, const Item &item) {
    for (int32_t v : item.sources)
      --e.pending[size_t(v)];
    if (item.operation->step == Step::Native)
      return;
    for (int32_t v : item.results)
      if (e.flow.last[e.flow.versions[size_t(v)].vgpr] == v)
        flush(e, v);
  }

  void emitVector(Emission &e, size_t number) {
    const Item &item = e.flow.items[number];
    const Inst &i = *item.operation->inst;
    const OpInfo &op = *i.op;
    const ScalarOperands &o = e.operands[number];
    std::vector<Value *> arguments;
    size_t next = 0;
    for (unsigned k = 0; k < 3; ++k)
      for (unsigned r = 0; r < rowsOf(op.src[k]); ++r)
        arguments.push_back(i.src[k].kind == SourceKind::Vgpr
                                ? read(e, item.sources[next++])
                                : b_.CreateVectorSplat(laneCount, o.row[k][r]));
    if (isHalf(op.dst))
      arguments.push_back(read(e, item.sources[next++]));
    arguments.push_back(o.mask);
    arguments.push_back(b_.CreateLoad(b_.getInt32Ty(), at(offsetof(Wave, mode))));
    Value *r = b_.CreateCall(semantics_.vector(module_, op), arguments);
    for (unsigned k = 0; k < item.results.size(); ++k)
      e.value[size_t(item.results[k])] = b_.CreateExtractValue(r, k);
    if (op.writesMask)
      writeScalar(i.maskDst, b_.CreateExtractValue(r, unsigned(item.results.size())));
    finish(e, item);
  }

  void emitLdsLoad(Emission &e, const Item &item) {
    const Inst &i = *item.operation->inst;
    auto address = size_t(item.sources[0]);
    if (!e.memory[address].base && e.value[address]) {
      e.memory[address] = arena(1);
      storeRow(e.value[address], addressOf(e.memory[address]));
    }
    const Place from = e.memory[address].base ? e.memory[address] : wavePlace(i.addr);
    // Into the wave's registers if the results are those of the block's end, and no lane's address
    // is read after its row has been written.
    bool direct = true;
    for (int32_t v : item.results) {
      unsigned vgpr = e.flow.versions[size_t(v)].vgpr;
      direct = direct && e.flow.last[vgpr] == v && vgpr != i.addr;
    }
    const Place to = direct ? wavePlace(i.dst) : arena(unsigned(item.results.size()));
    for (int32_t v : item.results)
      if (direct) {
        rescue(e, e.flow.versions[size_t(v)].vgpr);
        e.inWave[e.flow.versions[size_t(v)].vgpr] = v;
      }
    call(reinterpret_cast<const void *>(ldsLoadFunction(*ldsShape(i))),
         {wave_, pointerTo(&i), addressOf(from), addressOf(to)});
    for (unsigned k = 0; k < item.results.size(); ++k)
      e.memory[size_t(item.results[k])] = {to.base, to.offset + k * uint32_t(sizeof(Lanes))};
    finish(e, item);
  }

  void emitNative(Emission &e, const Item &item) {
    const Inst &i = *item.operation->inst;
    for (int32_t v : item.sources)
      flush(e, v);
    for (int32_t v : item.sources)
      --e.pending[size_t(v)];
    for (int32_t v : item.lost) {
      unsigned vgpr = e.flow.versions[size_t(v)].vgpr;
      e.inWave[vgpr] = v;
      rescue(e, vgpr);
      e.inWave[vgpr] = -1;
    }
    call(reinterpret_cast<const void *>(i.op->run), {wave_, pointerTo(&i)});
    placeInWave(e, int32_t(&item - e.flow.items.data()));
    auto access = nativeAccess(i);
    if (!access || access->scalars == NativeAccess::Scalars::Written)
      scalars_.clear();
    // A handler that stops the wave ends the run, so what is still deferred does not matter.
    Value *event = b_.CreateLoad(b_.getInt32Ty(), at(offsetof(Wave, event)));
    auto *stopped = newBlock("stopped"), *goesOn = newBlock("goesOn");
    b_.CreateCondBr(b_.CreateICmpEQ(event, b_.getInt32(0)), goesOn, stopped);
    b_.SetInsertPoint(stopped);
    leave(Exit::Dispatch);
    b_.SetInsertPoint(goesOn);
  }

  void call(const void *function, llvm::ArrayRef<Value *> arguments) {
    std::vector<llvm::Type *> types(arguments.size(), b_.getPtrTy());
    auto *type = llvm::FunctionType::get(b_.getVoidTy(), types, false);
    auto *c = b_.CreateCall(type, pointerTo(function), arguments);
    c->setDoesNotThrow();
  }

  /// All steps but the last Branch or Stop. With `recorded` operands the scalar steps are done.
  void emitBody(Emission &e) {
    const auto &items = e.flow.items;
    size_t deferred =
        size_t(std::count_if(items.begin(), items.end(), [](const Item &i) { return i.deferred; }));
    bool inOrder = deferred < leastDeferred;
    for (size_t n = 0; n < items.size(); ++n) {
      const Item &item = items[n];
      const Inst &i = *item.operation->inst;
      switch (item.operation->step) {
      case Step::Vector:
        if (!merging_)
          e.operands[n] = scalarOperands(i);
        if (inOrder || !item.deferred)
          emitVector(e, n);
        break;
      case Step::LdsLoad:
        emitLdsLoad(e, item);
        break;
      case Step::Native:
        emitNative(e, item);
        break;
      case Step::Scalar:
        if (!merging_)
          emitScalar(i);
        break;
      default:
        break;
      }
    }
    if (inOrder)
      return;
    e.windowed = true;
    for (Deferred d : orderDeferred(e.flow, target_.accumulators)) {
      if (d.begins) {
        // A block of its own: the time of LLVM's instruction selection grows with the square of a
        // block's size.
        e.window.clear();
        auto *group = newBlock("group");
        b_.CreateBr(group);
        b_.SetInsertPoint(group);
      }
      emitVector(e, d.item);
    }
  }

  void emitBlock(int32_t n) {
    const Block &block = plan_.blocks[size_t(n)];
    b_.SetInsertPoint(labels_[n]);
    arenaUsed_ = 0;
    scalars_.clear();
    if (unsigned trips = mergeableTrips(n)) {
      emitMerged(n, trips);
      ++loopsAtOnce_;
    }
    DataFlow flow = analyse(block, 1);
    Emission e(flow);
    placeInWave(e, -1);
    emitBody(e);
    emitEnd(n);
  }

  /// Versions that a Native item has left, or the block's inputs.
  static void placeInWave(Emission &e, int32_t born) {
    for (size_t v = 0; v < e.flow.versions.size(); ++v)
      if (e.flow.versions[v].producer < 0 && e.flow.versions[v].born == born)
        e.inWave[e.flow.versions[v].vgpr] = int32_t(v);
  }

  void emitEnd(int32_t n) {
    const Block &block = plan_.blocks[size_t(n)];
    const Operation &last = block.operations.back();
    addExecuted(block.instructions);
    if (last.step == Step::Stop)
      return leaveAt(last.inst, Exit::Interpret);
    if (last.step != Step::Branch)
      return goTo(block.next, block.follow, last.writesExec);
    if (last.condition == Condition::Always)
      return jump(block.taken, last.inst->target);
    auto *taken = newBlock("taken"), *not_ = newBlock("follow");
    b_.CreateCondBr(conditionValue(last.condition), taken, not_);
    b_.SetInsertPoint(taken);
    jump(block.taken, last.inst->target);
    b_.SetInsertPoint(not_);
    goTo(block.next, block.follow, false);
  }

  /// A taken branch ends the time slice, as jumpTo() does.
  void jump(int32_t block, const Inst *inst) {
    Value *executed = b_.CreateLoad(b_.getInt64Ty(), at(offsetof(Wave, executed)));
    Value *end = b_.CreateLoad(b_.getInt64Ty(), at(offsetof(Wave, sliceEnd)));
    auto *yield = newBlock("yield"), *goesOn = newBlock("goesOn");
    b_.CreateCondBr(b_.CreateICmpUGE(executed, end), yield, goesOn);
    b_.SetInsertPoint(yield);
    b_.CreateStore(b_.getInt32(uint32_t(Event::Yield)), at(offsetof(Wave, event)));
    leaveAt(inst, Exit::Dispatch);
    b_.SetInsertPoint(goesOn);
    goTo(block, inst, false);
  }

  void goTo(int32_t block, const Inst *inst, bool afterExec) {
    if (!inst)
      return leave(Exit::Interpret);
    if (block < 0)
      return leaveAt(inst, Exit::Interpret);
    if (afterExec) {
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

  /// How many trips of a loop that is one block can be compiled together; 0: none. Its scalars must
  /// not depend on its vectors, so that they can run ahead.
  unsigned mergeableTrips(int32_t n) {
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

  void emitMerged(int32_t n, unsigned trips) {
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

  const Plan &plan_;
  Unit unit_;
  Semantics &semantics_;
  const Target &target_;
  llvm::Module &module_;
  llvm::IRBuilder<> b_;
  llvm::Function *function_ = nullptr;
  Value *wave_ = nullptr;
  llvm::Type *row_ = nullptr;
  llvm::AllocaInst *arena_ = nullptr;
  uint32_t arenaUsed_ = 0, arenaBytes_ = 0;
  std::map<int32_t, llvm::BasicBlock *> labels_;
  std::map<unsigned, Value *> scalars_, writtenScalars_;
  bool merging_ = false;
  size_t loopsAtOnce_ = 0;
};

} // namespace

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
