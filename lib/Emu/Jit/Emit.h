//===- Emit.h - a plan's blocks as one LLVM function ----------------------===//
#pragma once

#include "Emu/Jit/Plan.h"
#include "Emu/Jit/Semantics.h"

#include "llvm/IR/Module.h"

#include <span>

namespace rdna::emu::jit {

/// Why compiled code returned. The wave's `next` says where to go on, unless it has an event.
enum class Exit : uint32_t {
  Dispatch,  ///< At a block of another unit, or with an event.
  Interpret, ///< The next instruction is the interpreter's.
};

/// A unit: some blocks of a plan, compiled to `Exit unit(Wave *, int32_t block)`.
struct Unit {
  int32_t first = 0, end = 0; ///< Blocks.
};

/// The host's vector registers.
struct Target {
  unsigned lanes = 16;        ///< Dwords of one.
  unsigned accumulators = 16; ///< How many can hold accumulators beside their operands.
};

/// Names the rows of all blocks, so that their functions can be linked before emission.
void declareRows(const Plan &plan, Semantics &semantics, llvm::Module &module);

struct EmittedUnit {
  llvm::Function *function = nullptr;
  size_t loopsAtOnce = 0; ///< Loops compiled for several iterations at once.
};

EmittedUnit emitUnit(const Plan &plan, Unit unit, Semantics &semantics, const Target &target,
                     llvm::Module &module, const std::string &name);

} // namespace rdna::emu::jit
