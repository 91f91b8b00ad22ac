//===- Prove.h - what a rewrite says of its proof --------------------------===//
#pragma once

#include "Code/Edit.h"
#include "Verify/Verify.h"

#include <string_view>

namespace rdna {

/// The edit that says below a function's label what its rewrite assumes; nothing if it says so
/// already. The assembler carries it into the code object, and a second run finds it there.
void declareAssumption(const Module &module, const Function &function, Assumption assumption,
                       std::vector<TextEdit> &edits);

/// The same of the launches that it was proven for: a line for each range, by offset or id.
void declareGiven(const Module &module, const Function &function, const verify::Given &given,
                  std::vector<TextEdit> &edits);

/// A step whose proof is refused is taken back by itself: the remark that says so, at a line of the
/// text that stays.
Diagnostic takenBack(const Module &before, uint32_t line, std::string_view step,
                     std::string_view reason);
/// The same of one that makes something worse.
Diagnostic notKept(const Module &before, uint32_t line, std::string_view step,
                   std::string_view worse);

} // namespace rdna
