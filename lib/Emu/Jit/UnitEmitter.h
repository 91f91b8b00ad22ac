//===- UnitEmitter.h - the emission of one unit, in parts -----------------===//
//
// Emit.cpp has the control flow of a unit, EmitSteps.cpp the steps of a block, EmitLoops.cpp loops
// of which several trips are compiled at once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Jit/Emit.h"
#include "Emu/Jit/Values.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace rdna::emu::jit {

using llvm::Value;

/// With fewer deferred items than this there is nothing to gain from another order.
inline constexpr unsigned leastDeferred = 16;

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

  EmittedUnit run();

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

  // Operands of a vector step that are no VGPRs, as they are when its turn comes in the program.
  struct ScalarOperands {
    Value *row[3][2] = {};
    Value *mask = nullptr;
  };
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

  // The control flow of a unit.
  Value *conditionValue(Condition c);
  void emitBlock(int32_t n);
  void emitEnd(int32_t n);
  /// A taken branch ends the time slice, as jumpTo() does.
  void jump(int32_t block, const Inst *inst);
  /// Whether all lanes are still active after what came before.
  enum class ActiveLanes : uint8_t { All, Unknown };
  void goTo(int32_t block, const Inst *inst, ActiveLanes lanes);

  // The steps of a block.
  void emitScalar(const Inst &i);
  ScalarOperands scalarOperands(const Inst &i);
  /// Versions that a Native item has left, or the block's inputs.
  static void placeInWave(Emission &e, int32_t born);
  Value *read(Emission &e, int32_t version);
  /// Before the wave's row of a VGPR changes: a version that is only there and still needed must
  /// become a value.
  void rescue(Emission &e, unsigned vgpr);
  void flush(Emission &e, int32_t version);
  void finish(Emission &e, const Item &item);
  void emitVector(Emission &e, size_t number);
  void emitLdsLoad(Emission &e, const Item &item);
  void emitNative(Emission &e, const Item &item);
  void call(const void *function, llvm::ArrayRef<Value *> arguments);
  /// All steps but the last Branch or Stop. In a merged loop the scalar steps are done already.
  void emitBody(Emission &e);

  // Loops at once.
  /// How many trips of a loop that is one block can be compiled together; 0: none. Its scalars must
  /// not depend on its vectors, so that they can run ahead.
  unsigned mergeableTrips(int32_t n);
  void emitMerged(int32_t n, unsigned trips);

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

} // namespace rdna::emu::jit
