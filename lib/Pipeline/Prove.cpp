#include "Pipeline/Prove.h"
#include "Code/Derive.h"

#include <fmt/format.h>

namespace rdna {

void declareAssumption(const Module &module, const Function &function, Assumption assumption,
                       std::vector<TextEdit> &edits) {
  constexpr std::string_view comment = "; rdna-assume: ";
  const std::string declaration = fmt::format("{}{}", comment, toString(assumption));
  uint32_t line = function.line + 1;
  for (; line <= module.lineCount() && module.lineText(line).starts_with(comment); ++line)
    if (module.lineText(line) == declaration)
      return;
  const uint32_t place = module.lineBegin(function.line + 1);
  edits.push_back(
      {place, place, Code::layout(fmt::format("{}{}", declaration, lineEnding(module)))});
}

Diagnostic takenBack(const Module &before, uint32_t line, std::string_view step,
                     std::string_view reason) {
  return before.atLine(line,
                       fmt::format("{} was taken back, it could not be proven: {}", step, reason),
                       Severity::Remark);
}

} // namespace rdna
