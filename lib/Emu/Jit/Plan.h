//===- Plan.h - what the JIT makes of a kernel's instructions -------------===//
//
// Compiled code assumes that all lanes are active and that MODE asks for nothing unusual. Where
// that does not hold, and for everything that touches control flow in a way of its own, the
// interpreter takes over for a while; both work on the same Wave.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Lane.h"

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace rdna::emu::jit {

/// Registers that a wave has and the padding behind them, where the decoder puts spare results.
inline constexpr unsigned vgprRows = 256 + 16;

/// How one micro-operation is compiled.
enum class Step : uint8_t {
  Nothing, ///< Waits, hints: no functional effect.
  Vector,  ///< The row's lane function, inlined.
  Scalar,  ///< The row's scalar function, inlined.
  LdsLoad, ///< Whole dwords from LDS: a native function that takes and gives rows.
  Native,  ///< A call of the interpreter's handler on registers in memory.
  Branch,  ///< A direct branch.
  Stop,    ///< Left to the interpreter: barriers, calls, MODE, everything unusual.
};

enum class Condition : uint8_t { Always, Scc0, Scc1, VccZero, VccNonzero, ExecZero, ExecNonzero };

struct VgprRange {
  uint16_t first = 0, count = 0;
};

/// VGPRs that a Native step reads or writes, in memory when it runs.
struct NativeAccess {
  std::vector<VgprRange> reads, writes;
  enum class Scalars : uint8_t { Kept, Written } scalars = Scalars::Written;
};

struct Operation {
  const Inst *inst = nullptr;
  Step step = Step::Stop;
  bool writesExec = false;
  Condition condition = Condition::Always;
};

/// A straight piece of code that is entered only at its first instruction.
struct Block {
  std::vector<Operation> operations; ///< A Branch or Stop can only be the last.
  int32_t taken = -1;                ///< Block of a Branch's target, -1 outside the plan.
  int32_t next = -1;                 ///< Block that follows in the text.
  const Inst *follow = nullptr;      ///< The instruction that follows in the text.
  uint32_t instructions = 0;         ///< Counted as the interpreter counts them.
};

struct Plan {
  std::vector<Block> blocks;
  std::vector<int32_t> blockOf; ///< By index of the decoded code; -1: no block starts there.
};

/// `isInlined`: whether the semantics' bitcode has the row of a mnemonic.
Plan makePlan(std::span<const Inst> code, const std::vector<const Inst *> &roots,
              const std::function<bool(std::string_view)> &isInlined);

/// Empty: unknown, so all registers must be in memory.
std::optional<NativeAccess> nativeAccess(const Inst &inst);

/// Shape of an LDS load of whole dwords.
struct LdsShape {
  unsigned dwords = 0; ///< Of each address.
  unsigned addresses = 0;
  unsigned scale = 1; ///< Of the offsets, for two addresses.
};
std::optional<LdsShape> ldsShape(const Inst &inst);

} // namespace rdna::emu::jit
