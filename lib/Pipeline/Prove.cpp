#include "Pipeline/Prove.h"
#include "Code/Derive.h"

#include <fmt/format.h>

namespace rdna {

static constexpr std::string_view assumes = "; rdna-assume: ", isGiven = "; rdna-given: ";

/// A comment below the function's label, once.
static void declare(const Module &module, const Function &function, const std::string &declaration,
                    std::vector<TextEdit> &edits) {
  for (uint32_t line = function.line + 1; line <= module.lineCount(); ++line) {
    const std::string_view text = module.lineText(line);
    if (text == declaration)
      return;
    if (!text.starts_with(assumes) && !text.starts_with(isGiven))
      break;
  }
  const uint32_t place = module.lineBegin(function.line + 1);
  edits.push_back(
      {place, place, Code::layout(fmt::format("{}{}", declaration, lineEnding(module)))});
}

void declareAssumption(const Module &module, const Function &function, Assumption assumption,
                       std::vector<TextEdit> &edits) {
  declare(module, function, fmt::format("{}{}", assumes, toString(assumption)), edits);
}

void declareGiven(const Module &module, const Function &function, const verify::Given &given,
                  std::vector<TextEdit> &edits) {
  for (const std::string &range : verify::canonicalText(given.ranges))
    declare(module, function, fmt::format("{}{}", isGiven, range), edits);
}

Diagnostic takenBack(const Module &before, uint32_t line, std::string_view step,
                     std::string_view reason) {
  return before.atLine(line,
                       fmt::format("{} was taken back, it could not be proven: {}", step, reason),
                       Severity::Remark);
}

Diagnostic notKept(const Module &before, uint32_t line, std::string_view step,
                   std::string_view worse) {
  return before.atLine(line, fmt::format("{} is not made: {}", step, worse), Severity::Remark);
}

} // namespace rdna
