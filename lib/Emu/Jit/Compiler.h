//===- Compiler.h - a kernel as native code -------------------------------===//
#pragma once

#include "Emu/Jit/Emit.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <span>

namespace rdna::emu::jit {

struct CompileReport {
  double seconds = 0;
  size_t blocks = 0, operations = 0;
  size_t loopsAtOnce = 0; ///< Loops compiled for several iterations at once.
};

/// Native code for all that the interpreter can reach from some instructions. Immutable, so waves
/// on any number of threads run it at the same time.
class CompiledKernel {
public:
  /// `code` must outlive the result. An error means that the host or LLVM cannot do it.
  static llvm::Expected<std::unique_ptr<CompiledKernel>>
  compile(std::span<const Inst> code, const std::vector<const Inst *> &roots);
  virtual ~CompiledKernel() = default;

  /// The block that starts at an instruction, or -1.
  int32_t blockAt(const Inst *i) const { return blockOf_[size_t(i - code_.data())]; }
  /// Runs from a block on. All lanes must be active, MODE must need no care, no event be set.
  Exit enter(Wave &w, int32_t block) const { return Exit(unitOf_[size_t(block)](&w, block)); }
  const CompileReport &report() const { return report_; }

protected:
  using Entry = uint32_t (*)(Wave *, int32_t);
  std::span<const Inst> code_;
  std::vector<int32_t> blockOf_;
  std::vector<Entry> unitOf_; ///< By block.
  CompileReport report_;
};

} // namespace rdna::emu::jit
