#include "Asm/CodeGaps.h"

#include "Asm/ParsedModule.h"

#include <algorithm>

namespace rdna {

/// Does execution never go on behind it?
static bool isLast(const Instruction &inst) {
  return inst.unit == Unit::End || inst.op == Op::s_branch || inst.op == Op::s_setpc_b64 ||
         inst.op == Op::s_rfe_b64 || inst.op == Op::s_code_end;
}

static uint32_t lineOf(const Module &module, uint32_t offset) {
  uint32_t low = 1, high = module.lineCount();
  while (low < high) { // The last line that begins at or before the byte.
    const uint32_t middle = high - (high - low) / 2;
    if (module.lineBegin(middle) <= offset)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

std::optional<Gap> findGap(const Module &module, const Function &function) {
  if (function.first == function.last)
    return std::nullopt;
  const auto &all = module.instructions();
  const uint32_t section = all[function.first].section;
  for (uint32_t i = function.first; i < function.last; ++i)
    if (all[i].section != section)
      return Gap{all[i].line, "is followed by code of another section"};
  const auto &gaps = module.parsed().gaps;
  // A subsection moves whatever is in its section.
  for (const CodeGap &g : gaps)
    if (g.kind == CodeGap::Kind::Subsection && g.section == section)
      return Gap{lineOf(module, g.begin), "is in a section with subsections, which begin"};
  const auto begin = module.lineBegin(function.line);
  auto gap = std::partition_point(gaps.begin(), gaps.end(),
                                  [&](const CodeGap &g) { return g.instruction < function.first; });
  for (; gap != gaps.end() && gap->instruction <= function.last; ++gap) {
    if (gap->section != section || gap->begin < begin)
      continue;
    // Behind the end nothing is executed, if that is one.
    const bool isBehindEnd = gap->instruction > function.first && isLast(all[gap->instruction - 1]);
    if (isBehindEnd &&
        (gap->instruction == function.last || gap->kind == CodeGap::Kind::EndPadding))
      continue;
    return Gap{lineOf(module, gap->begin), "is followed by bytes in the code"};
  }
  return std::nullopt;
}

} // namespace rdna
