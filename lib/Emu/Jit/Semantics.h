//===- Semantics.h - the rows' functions as LLVM IR -----------------------===//
//
// The lane and scalar functions of the op table, compiled to bitcode by clang when the emulator is
// built (see Lane.h): the JIT inlines the very functions that the interpreter runs.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Inst.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace rdna::emu::jit {

/// <32 x i32>: one VGPR.
llvm::Type *rowType(llvm::LLVMContext &context);

/// Gives a module the functions of rows, as functions of values:
///   vector:  { <32 x i32> results..., i32 mask } (<32 x i32> sources..., i32 mask, i32 mode)
///            where a 16-bit result takes the destination's old row as its last source;
///   scalar:  { i64 result, i32 scc } (i64 sources..., i32 scc).
class Semantics {
public:
  static llvm::Expected<std::unique_ptr<Semantics>> load(llvm::LLVMContext &context);
  ~Semantics();

  bool has(std::string_view mnemonic) const;
  /// The function for an instruction's row in `module`, made at the first call.
  llvm::Function *vector(llvm::Module &module, const OpInfo &op);
  llvm::Function *scalar(llvm::Module &module, const OpInfo &op);
  /// The vector function for some of the lanes, on shorter vectors; null if it has none (Slice.h).
  /// After link() and simplification.
  llvm::Function *slice(llvm::Module &module, const OpInfo &op, unsigned lanes);
  /// Moves the rows' bodies into `module`. After the last call of vector() and scalar().
  llvm::Error link(llvm::Module &module);
  /// From now on the functions are inlined where they are called, and dropped. Before, they can be
  /// simplified, once for all their calls.
  void inlineEverywhere();

private:
  Semantics() = default;
  bool isMade(const llvm::Function &f) const;
  llvm::Function *declareRow(llvm::Module &module, std::string_view mnemonic);
  std::unique_ptr<llvm::Module> bitcode_;
  std::map<std::string, llvm::Function *, std::less<>> rows_;
  std::map<std::string, llvm::Function *, std::less<>> made_;
  std::map<std::pair<std::string, unsigned>, llvm::Function *> slices_;
};

} // namespace rdna::emu::jit
