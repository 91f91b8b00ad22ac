//===- UnitEmitter.h - the emission of one unit, in parts -----------------===//
//
// Emit.cpp has the control flow of a unit, EmitSteps.cpp the steps of a block, EmitLoops.cpp loops
// of which several iterations are compiled at once, EmitLdsLoads.cpp what those load.
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
  }

  EmittedUnit run();

private:
  // Small pieces.
  llvm::BasicBlock *newBlock(const std::string &name) {
    return llvm::BasicBlock::Create(module_.getContext(), name, function_);
  }
  Value *at(size_t offset) { return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), wave_, offset); }
  Value *scalarAt(unsigned n) { return at(offsetof(Wave, s) + 4 * n); }
  Value *pointerTo(const void *p) {
    return b_.CreateIntToPtr(b_.getInt64(reinterpret_cast<uint64_t>(p)), b_.getPtrTy());
  }
  // Where a row is: an address is computed anew where it is used, so that none lives in a register
  // from one end of a block to the other.
  struct Place {
    Value *base = nullptr;
    uint32_t offset = 0;
    /// Whether it holds all lanes or only those that are emitted at a time.
    enum class Extent : uint8_t { Row, Slice } extent = Extent::Row;
  };
  Value *addressOf(const Place &p, Value *slice = nullptr) {
    Value *address = b_.CreateConstInBoundsGEP1_32(b_.getInt8Ty(), p.base, p.offset);
    if (slice && p.extent == Place::Extent::Row)
      address = b_.CreateInBoundsGEP(b_.getInt8Ty(), address, slice);
    return address;
  }
  Place arena(uint32_t bytes, Place::Extent extent = Place::Extent::Row) {
    Place p{arena_, arenaUsed_, extent};
    arenaUsed_ += bytes;
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
    unsigned lanes = laneCount; ///< Emitted at a time.
    Value *slice = nullptr;     ///< Byte offset of the first of them in a row; null: 0.

    explicit Emission(const DataFlow &f)
        : flow(f), value(f.versions.size()), memory(f.versions.size()), pending(f.versions.size()),
          inWave(vgprRows, -1), operands(f.items.size()) {
      for (size_t v = 0; v < f.versions.size(); ++v)
        pending[v] = f.versions[v].uses;
    }
  };

  // LDS loads of a merged loop whose addresses are those of one row, each plus something that is
  // the same for all lanes.
  /// What is added to each address of a row.
  struct Offset {
    Value *scalar = nullptr; ///< Null: nothing.
    uint32_t constant = 0;
  };
  struct PutOffLoad {
    size_t item = 0;
    Offset offset; ///< Beside the instruction's own.
  };
  struct LoadsAtAddress {
    Place address;
    Place span; ///< LdsSpan.
    std::vector<PutOffLoad> loads;
  };
  struct PutOff {
    std::vector<LoadsAtAddress> groups;
    Value *inRange = nullptr;  ///< An i1: whether all that they read is.
    Value *windowed = nullptr; ///< An i1: whether each sixteen lanes of them read 128 bytes.
  };
  /// One address of a load.
  struct LdsPiece {
    Offset offset;
    unsigned dwords = 0;
    Place to;
    uint32_t rowBytes = 0; ///< From one result's row to the next.
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
  // Rows in memory, of the lanes that are emitted.
  Value *loadRow(const Emission &e, const Place &place);
  void storeRow(const Emission &e, Value *value, const Place &place);
  Value *read(Emission &e, int32_t version);
  /// Before the wave's row of a VGPR changes: a version that is only there and still needed must
  /// become a value.
  void rescue(Emission &e, unsigned vgpr);
  void flush(Emission &e, int32_t version);
  void finish(Emission &e, const Item &item);
  void emitVector(Emission &e, size_t number);
  void emitLdsLoad(Emission &e, const Item &item);
  void emitNative(Emission &e, const Item &item);
  Value *call(const void *function, llvm::Type *result, llvm::ArrayRef<Value *> arguments);
  /// The lanes that deferred items are emitted for at a time.
  unsigned sliceLanes(const DataFlow &flow);
  /// The deferred items, in the order that suits the host's registers; before them the LDS loads
  /// that were put off.
  void emitDeferred(const Emission &all, const PutOff &putOff);
  /// All steps but the last Branch or Stop.
  void emitBody(Emission &e);

  // Loops at once: scalars run ahead, then slices of the lanes load what all iterations need and
  // compute.
  bool loadsCanWait(const DataFlow &flow);
  PutOff putOffLoads(Emission &e);
  /// The version that a row of addresses is made of by adding what all lanes have in common.
  std::pair<int32_t, Offset> baseOf(const Emission &e, int32_t version);
  Value *plus(Value *address, const Offset &offset);
  void findSpan(const Emission &e, const LoadsAtAddress &group, PutOff &putOff);
  /// Gives the results their places.
  std::vector<LdsPiece> piecesOf(const PutOffLoad &load, Emission &e);
  void emitWindowed(const LoadsAtAddress &group, const std::vector<LdsPiece> &pieces,
                    const Emission &e);
  void emitPutOff(const PutOff &putOff, Emission &e);
  /// How many iterations of a loop that is one block can be compiled together; 1: any block whose
  /// loads can be put off; 0: none. Its scalars must not depend on its vectors, so that they can
  /// run ahead.
  unsigned mergeableIterations(int32_t n);
  void emitMerged(int32_t n, unsigned iterations);

  const Plan &plan_;
  Unit unit_;
  Semantics &semantics_;
  const Target &target_;
  llvm::Module &module_;
  llvm::IRBuilder<> b_;
  llvm::Function *function_ = nullptr;
  Value *wave_ = nullptr;
  llvm::AllocaInst *arena_ = nullptr;
  uint32_t arenaUsed_ = 0, arenaBytes_ = 0;
  std::map<int32_t, llvm::BasicBlock *> labels_;
  std::map<unsigned, Value *> scalars_, writtenScalars_;
  bool merging_ = false;
  size_t loopsAtOnce_ = 0;
};

} // namespace rdna::emu::jit
