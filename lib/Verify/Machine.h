//===- Machine.h - symbolic execution of instructions ---------------------===//
#pragma once

#include "Asm/GlobalAddress.h"
#include "Asm/Module.h"
#include "Verify/Counters.h"
#include "Verify/Expr.h"

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

/// What may still be under way of one class, at one point.
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
};

/// What a segment (the code between two points where both sides meet) did besides computing.
struct Trace {
  std::vector<std::pair<Value, uint32_t>> loads; ///< Each dword read, and its instruction.
  PendingSet pending;
  std::vector<Fence> fences;
  /// Memory operations and waits in order; compared when `ordered`.
  std::vector<std::pair<Value, uint32_t>> sequence;
  /// Atomics and loads with cache bits synchronise waves by means of plain waits, so a segment that
  /// holds one must keep the exact order of its memory operations and waits.
  enum class Order : uint8_t { Free, Exact } order = Order::Free;
};

/// Executes instructions that are no branches. What it does not understand was sorted out before
/// (Opaque.h).
class Machine {
public:
  Machine(const Module &module, ExprPool &pool, State &state, Trace &trace, Indices indices)
      : module_(module), pool_(pool), state_(state), trace_(trace), indices_(indices) {}
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
  /// Name, modifiers and shapes. Of the Control operands all but the first `without`.
  std::string describe(const Instruction &inst, unsigned without = 0) const;
  Value part(std::string_view text, unsigned dword, llvm::ArrayRef<Value> args);

  // Integer arithmetic (Arithmetic.cpp).
  bool executeArithmetic(const Instruction &inst);
  bool executeLaneArithmetic(const Instruction &inst, llvm::ArrayRef<const Operand *> sources);
  bool executeScalarArithmetic(const Instruction &inst, llvm::ArrayRef<const Operand *> sources);
  std::optional<Value> readWide(const Operand &operand);
  void writeWide(const Instruction &inst, Value value);
  void writeCarry(const Instruction &inst, Value value);
  /// Base, lane part and offset of a global access as one 64-bit value.
  Value globalAddressOf(const Instruction &inst, const GlobalAddress &address);

  // VALU and SALU.
  bool executeLanes(const Instruction &inst);
  bool executeFma(const Instruction &inst);
  bool executeSpecial(const Instruction &inst);
  bool executeConstants(const Instruction &inst);
  bool executeCondition(const Instruction &inst);
  bool executeMask(const Instruction &inst);
  void executeWide(const Instruction &inst);
  void executeGeneric(const Instruction &inst);
  void executeGetPc(const Instruction &inst);

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
  void executeWait(const Instruction &inst, const Wait &wait);

  const Module &module_;
  ExprPool &pool_;
  State &state_;
  Trace &trace_;
  Indices indices_;
};

/// Does the instruction read lanes that EXEC switches off (lane permutations with fetch-inactive,
/// v_readlane, matrix instructions)?
bool readsAllLanes(const Module &module, const Instruction &inst);
/// A DPP form. Instruction does not say; its text does, and for a macro's a long form may be one.
bool isDpp(const Module &module, const Instruction &inst);
/// Does it ignore EXEC and write every lane?
bool ignoresExec(Op op);
/// 64-bit operations of which one half of the result needs only one half of the 64-bit source.
enum class WideSource : uint8_t { None, LowNeedsLow, HighNeedsHigh };
WideSource wideSource(Op op);
/// Destination of the plain multi-dword loads whose dwords are at consecutive addresses: bytes
/// from the address of each dword; empty for anything else.
llvm::SmallVector<int64_t, 4> plainLoadOffsets(const Instruction &inst);

} // namespace rdna::verify
