//===- BlockValues.h - what one text has in its registers, block by block --===//
//
// The proof's own view of values, for passes: symbolic execution down the dominator tree. At a
// block where paths meet a register keeps its value if none of them writes it, else it is unknown.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Symbolic/Machine.h"

#include "Analysis/Cfg.h"

#include <map>

namespace rdna::verify {

class BlockValues {
public:
  /// The function must have no calls and nothing opaque.
  BlockValues(const Module &module, const Cfg &cfg, ExprPool &pool)
      : module_(module), cfg_(cfg), pool_(pool) {}
  /// Of a reachable block; stays where it is.
  const State &atStart(uint32_t block);
  const State &atEnd(uint32_t block);
  /// One instruction further.
  void execute(State &state, const Instruction &inst);

private:
  State fresh(uint32_t block);
  const Module &module_;
  const Cfg &cfg_;
  ExprPool &pool_;
  std::map<uint32_t, State> starts_, ends_;
};

} // namespace rdna::verify
