//===- Machine.h - symbolic execution of instructions ---------------------===//
#pragma once

#include "Asm/Counters.h"
#include "Asm/Effects.h"
#include "Asm/GlobalAddress.h"
#include "Asm/Module.h"
#include "Symbolic/Expr.h"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace rdna::verify {

enum class Space : uint8_t {
  Lds,
  Global, ///< Also buffers, images and what scalar loads read.
  Scratch,
  System, ///< Hardware registers, messages and whatever else must keep its order.
};
inline constexpr unsigned kSpaces = 4;

struct State {
  std::array<Value, kRegUnits> reg{};
  std::array<Value, kSpaces> memory{};
  std::array<uint32_t, 256> writer{}; ///< 1 + instruction that wrote a VGPR last, for messages.
  Value &operator[](RegUnit unit) { return reg[unit.index]; }
  Value operator[](RegUnit unit) const { return reg[unit.index]; }
  Value &space(Space s) { return memory[static_cast<size_t>(s)]; }
  Value space(Space s) const { return memory[static_cast<size_t>(s)]; }
};

/// One operation that a wait counter counts.
struct Outstanding {
  /// A load's dwords, the states behind each store of an LDS store; one value for anything else.
  llvm::SmallVector<Value, 4> parts;
  uint8_t weight = 1;
  bool operator==(const Outstanding &other) const = default;
};

/// What may still be in flight of one class, at one point.
struct Pending {
  static constexpr uint32_t kAll = ~0u;
  uint32_t inherited = kAll; ///< At most that many of those issued before the segment.
  std::vector<Outstanding> issued;
};
using PendingSet = std::array<Pending, kWaitClasses>;

/// A point where order with other waves matters: a barrier, a cache invalidation, a message, ...
struct Fence {
  uint32_t instruction;
  PendingSet pending;
  size_t sums; ///< So many of Trace::sums stand before it.
};

/// How other waves may use an access (docs/design.md, "The memory model").
enum class Use : uint8_t {
  Exchange, ///< Between lanes, through the LDS hardware: no memory.
  Data,     ///< A load that tells this wave nothing about what others have done.
  Flag,     ///< A load that may: an acquire.
  Store,
  Sync, ///< An atomic, or an access with cache bits.
};

/// An access to memory that other waves see, and what had come back when it was issued.
struct AccessEvent {
  struct Progress {
    uint32_t done = 0;      ///< The first so many of the class's operations in this segment.
    uint32_t inherited = 0; ///< As in Pending.
  };
  llvm::SmallVector<Value, 4> parts;
  uint32_t instruction = 0;
  Use use = Use::Data;
  bool isLds = false; ///< LDS and vector memory are two queues, each in order.
  std::array<Progress, kWaitClasses> progress{};
};

/// An operation of a class, in the order of issue.
struct Issued {
  llvm::SmallVector<Value, 4> parts;
  Use use = Use::Data;
};

/// An instruction that breaks a rule, by what it computes.
struct FaultEvent {
  std::string_view rule;
  llvm::SmallVector<Value, 4> results; ///< Sorted.
  uint32_t instruction;
  bool operator==(const FaultEvent &other) const {
    return rule == other.rule && results == other.results;
  }
};

/// What a segment (the code between two points where both sides meet) did besides computing.
struct Trace {
  std::vector<std::pair<Value, uint32_t>> loads; ///< Each dword read, and its instruction.
  PendingSet pending;
  std::vector<Fence> fences;
  std::vector<AccessEvent> accesses;
  std::array<std::vector<Issued>, kWaitClasses> operations;
  /// Memory operations in order, for messages.
  std::vector<std::pair<Value, uint32_t>> sequence;
  std::vector<Value> sums; ///< Floating-point results, if the function reads exception flags.
  std::vector<FaultEvent> faults;
};

/// What the execution is told about the function besides its text.
struct Observed {
  /// flagLoads() of it; empty: every load is Use::Flag.
  std::vector<uint8_t> flags;
  /// execMayBeEmpty() of it; empty: it may be everywhere.
  std::vector<uint8_t> mayBeEmpty;
  uint32_t first = 0; ///< Instruction that both begin with.
  /// Whose text it is: addresses of code in one are no addresses of the other.
  std::string_view text = "this text";
  /// Does it read which floating-point exceptions there were?
  enum class Exceptions : uint8_t { Ignored, Read } exceptions = Exceptions::Ignored;
};

/// Executes instructions that are no branches. What it does not understand was sorted out before
/// (Opaque.h).
class Machine {
public:
  Machine(const Module &module, ExprPool &pool, State &state, Trace &trace, Indices indices,
          const Observed *observed = nullptr, ExprPool::IndexFacts *facts = nullptr)
      : module_(module), pool_(pool), state_(state), trace_(trace), indices_(indices),
        observed_(observed), facts_(facts ? *facts : ownFacts_) {}
  void execute(const Instruction &inst);

private:
  // Registers.
  Value exec() const { return state_[kExecLo]; }
  Value read(RegUnit unit) const;     ///< The lanes that are active now.
  Value readFull(RegUnit unit) const; ///< All lanes.
  void write(RegUnit unit, Value value, const Instruction &inst);
  /// Both halves of a 64-bit result; nothing of one that goes to NULL.
  void writePair(RegUnit first, Value low, Value high, const Instruction &inst);
  void writeAllLanes(RegUnit unit, Value value, const Instruction &inst);
  /// Values of a Source operand's dwords; nothing for an immediate (it is in the signature).
  void readOperand(const Operand &operand, llvm::SmallVectorImpl<Value> &into) const;
  Value readScalarOperand(const Operand &operand) const; ///< One dword, immediates as constants.

  // Signatures: name and everything that is no register.
  /// Operation, modifiers and shapes. Of the Control operands all but those of the names `without`.
  std::string describe(const Instruction &inst, llvm::ArrayRef<OperandName> without = {}) const;
  Value part(std::string_view text, unsigned dword, llvm::ArrayRef<Value> args);

  // Integer arithmetic (Arithmetic.cpp).
  bool executeArithmetic(const Instruction &inst);
  bool executeLaneArithmetic(const Instruction &inst, llvm::ArrayRef<const Operand *> sources);
  bool executeLaneCarries(const Instruction &inst, llvm::ArrayRef<const Operand *> sources);
  bool executeScalarArithmetic(const Instruction &inst, llvm::ArrayRef<const Operand *> sources);
  bool executeScalarShifts(const Instruction &inst, llvm::ArrayRef<const Operand *> sources);
  std::optional<Value> readWide(const Operand &operand);
  void writeWide(const Instruction &inst, Value value);
  void writeCarry(const Instruction &inst, Value value);
  /// Base, divergent offset and offset of a global access as one 64-bit value.
  Value globalAddressOf(const Instruction &inst, const GlobalAddress &address);

  // VALU and SALU.
  bool executeLanes(const Instruction &inst);
  bool executeFma(const Instruction &inst);
  Value modified(Value value, int64_t modifier);
  bool executeSpecial(const Instruction &inst);
  bool executeConstants(const Instruction &inst);
  bool executeCondition(const Instruction &inst);
  bool executeMask(const Instruction &inst);
  void executeWide(const Instruction &inst);
  void executeGeneric(const Instruction &inst);
  void executeGetPc(const Instruction &inst);
  bool executeLongBranch(const Instruction &inst);
  void recordSums(const Instruction &inst);

  // Memory (Memory.cpp).
  void executeMemory(const Instruction &inst);
  bool executePlainLoad(const Instruction &inst);
  bool executeScalarLoad(const Instruction &inst);
  bool executeLdsStore(const Instruction &inst);
  void executeOtherMemory(const Instruction &inst);
  void fence(const Instruction &inst, llvm::ArrayRef<Value> args);
  void letOthersWrite(llvm::ArrayRef<Space> spaces, Value seen);
  void recordLoad(const Instruction &inst, llvm::ArrayRef<Value> dwords);
  void issue(const Instruction &inst, llvm::ArrayRef<Value> parts);
  bool readsAll(const Instruction &inst) const;
  Use useOf(const Instruction &inst) const;
  void executeWait(const Instruction &inst, const Wait &wait);

  const Module &module_;
  ExprPool &pool_;
  State &state_;
  Trace &trace_;
  Indices indices_;
  const Observed *observed_;
  ExprPool::IndexFacts ownFacts_;
  ExprPool::IndexFacts &facts_; ///< Of the path.
};

/// Does it read which floating-point exceptions there were?
bool readsExceptions(const Instruction &inst);
/// 64-bit operations of which one half of the result needs only one half of the 64-bit source.
enum class WideSource : uint8_t { None, LowNeedsLow, HighNeedsHigh };
WideSource wideSource(const Instruction &inst);
/// Destination of the plain multi-dword loads whose dwords are at consecutive addresses: bytes
/// from the address of each dword; empty for anything else.
llvm::SmallVector<int64_t, 4> plainLoadOffsets(const Instruction &inst);

} // namespace rdna::verify
