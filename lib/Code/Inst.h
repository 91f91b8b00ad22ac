//===- Inst.h - an instruction that is in no document yet ------------------===//
//
// What passes and generators make. Build.h makes new ones; Change.h makes them of instructions that
// are there. Their text comes from LLVM's printer, which is asked once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <memory>
#include <string>

namespace rdna {

struct MadeInst; // LLVM's view; only lib/Code sees it

/// A value: copies share what they are made of.
class Inst {
public:
  explicit Inst(std::shared_ptr<const MadeInst> made) : made_(std::move(made)) {}
  /// `mnemonic operands`.
  const std::string &text() const;
  const MadeInst &made() const { return *made_; }

private:
  std::shared_ptr<const MadeInst> made_;
};

} // namespace rdna
