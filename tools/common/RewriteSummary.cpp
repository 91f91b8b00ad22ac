// What ends a rewrite on the screen: one remark of each kind, and counts before and after.
#include "common/RewriteReport.h"

#include "Analysis/SourcePlaces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace rdna::tool {

namespace {

/// The words of a message without what has a digit (numbers, labels, registers), labels, quoted
/// names and the source line that ends it.
std::string kindOf(llvm::StringRef message) {
  if (message.ends_with("]"))
    message = message.take_front(message.rfind(" ["));
  std::string kind;
  bool quoted = false;
  while (!message.empty()) {
    llvm::StringRef word;
    std::tie(word, message) = message.split(' ');
    const bool opens = !quoted && word.ltrim('(').starts_with("'");
    const bool closes = word.rtrim(":;,.)").ends_with("'") && (quoted || word.size() > 1);
    const bool isName = word.starts_with(".") || llvm::any_of(word, llvm::isDigit);
    if (!quoted && !opens && !isName)
      kind += word.str() + ' ';
    quoted = (quoted || opens) && !closes;
  }
  return kind;
}

uint64_t fmacsOf(const LoopMetrics &loop) { return 2 * uint64_t{loop.dualFmac} + loop.singleFmac; }

/// The innermost loop with the most FMACs; null if no loop has any.
const LoopMetrics *hotLoop(const KernelMetrics &kernel) {
  const LoopMetrics *hot = nullptr;
  for (const LoopMetrics &loop : kernel.loops)
    if (fmacsOf(loop) != 0 && (hot == nullptr || loop.depth > hot->depth ||
                               (loop.depth == hot->depth && fmacsOf(loop) > fmacsOf(*hot))))
      hot = &loop;
  return hot;
}

/// " (kernel.hip:57)" of a loop, if the text has debug lines.
std::string inSource(const Module &module, const SourcePlaces &places, const std::string &kernel,
                     const LoopMetrics &loop) {
  if (places.files.empty())
    return {};
  for (uint32_t f = 0; f < module.functions().size(); ++f) {
    const Function &function = module.functions()[f];
    if (function.name != kernel)
      continue;
    const Cfg cfg = buildCfg(module, f);
    for (const Loop &of : cfg.loops)
      if (of.label == loop.header)
        if (const std::string name = shortName(places, placeOfLoop(places, cfg, of)); !name.empty())
          return fmt::format(" ({})", name);
  }
  return {};
}

std::string hotLoopText(const Module &module, const SourcePlaces &places,
                        const KernelChange &kernel) {
  const LoopMetrics *before = hotLoop(kernel.before), *after = hotLoop(kernel.after);
  if (before == nullptr || after == nullptr)
    return {};
  if (before->header != after->header)
    return "  (counted in the text, where a loop that is written out counts each iteration)\n";
  const auto slots = [](const LoopMetrics &loop) {
    return double(loop.valu) / static_cast<double>(fmacsOf(loop));
  };
  return fmt::format(
      "  issue slots of the VALU per FMAC in {}{}: {:.3f} -> {:.3f} (a bound, no time; "
      "0.5 is the least)\n",
      before->header, inSource(module, places, kernel.name, *after), slots(*before), slots(*after));
}

/// Issue slots of an iteration: a conflict is one that is lost.
unsigned slotsOf(const LoopMetrics &loop) { return loop.valu + loop.sourceBankConflicts; }

/// Pipeline/NeverWorse allows more of them where a loop's iterations pay.
std::string paidMovesText(const KernelChange &kernel) {
  const uint64_t was = kernel.allBefore.text.valu, now = kernel.allAfter.text.valu;
  const LoopMetrics *payer = nullptr; // The innermost one.
  unsigned from = 0;
  for (const LoopMetrics &after : kernel.after.loops)
    for (const LoopMetrics &before : kernel.before.loops)
      if (before.header == after.header && slotsOf(before) > slotsOf(after) &&
          (payer == nullptr || after.depth > payer->depth)) {
        payer = &after;
        from = slotsOf(before);
      }
  if (now <= was || payer == nullptr)
    return {};
  return fmt::format(
      "  {} more VALU instruction{} in the text: moves around loops whose iterations save "
      "more (VALU and conflicts in {}: {} -> {})\n",
      now - was, now - was == 1 ? "" : "s", payer->header, from, slotsOf(*payer));
}

std::string kernelText(const Module &module, const SourcePlaces &places, const KernelChange &kernel,
                       size_t steps) {
  struct Row {
    const char *what;
    uint64_t before, after;
  };
  const Row rows[] = {
      {"instructions", kernel.before.instructions, kernel.after.instructions},
      {"VALU instructions", kernel.allBefore.text.valu, kernel.allAfter.text.valu},
      {"dual FMACs", kernel.allBefore.text.dualFmac, kernel.allAfter.text.dualFmac},
      {"single FMACs", kernel.allBefore.text.singleFmac, kernel.allAfter.text.singleFmac},
      {"bank conflicts", kernel.allBefore.text.sourceBankConflicts,
       kernel.allAfter.text.sourceBankConflicts},
      {"parity hazards", kernel.allBefore.text.parityHazards, kernel.allAfter.text.parityHazards},
      {"VGPRs", kernel.before.vgprs, kernel.after.vgprs},
      {"waves per SIMD", kernel.before.occupancy.wavesPerSimd,
       kernel.after.occupancy.wavesPerSimd}};
  std::string text = fmt::format("{}: {} step{}, each proven\n  {:<20}{:>8}{:>8}\n", kernel.name,
                                 steps, steps == 1 ? "" : "s", "", "before", "after");
  for (const Row &row : rows)
    if (row.before != 0 || row.after != 0)
      text += fmt::format("  {:<20}{:>8}{:>8}\n", row.what, row.before, row.after);
  return text + hotLoopText(module, places, kernel) + paidMovesText(kernel);
}

} // namespace

std::string summaryText(const PipelineResult &result) {
  std::string text;
  const SourcePlaces places =
      sourcePlaces(*result.module, 0, static_cast<uint32_t>(result.module->instructions().size()));
  for (const KernelChange &kernel : result.kernels) {
    const auto steps = static_cast<size_t>(
        std::count_if(result.steps.begin(), result.steps.end(),
                      [&](const StepReport &step) { return step.function == kernel.name; }));
    if (steps != 0)
      text += kernelText(*result.module, places, kernel, steps);
  }
  return text;
}

std::vector<Diagnostic> folded(const std::vector<Diagnostic> &remarks) {
  std::vector<std::pair<const Diagnostic *, std::vector<unsigned>>> kinds;
  std::map<std::string, size_t> byKind;
  for (const Diagnostic &remark : remarks) {
    const auto [it, isNew] = byKind.try_emplace(kindOf(remark.message), kinds.size());
    if (isNew)
      kinds.push_back({&remark, {}});
    else
      kinds[it->second].second.push_back(remark.line);
  }
  std::vector<Diagnostic> out;
  for (auto &[first, lines] : kinds) {
    out.push_back(*first);
    if (lines.empty())
      continue;
    const size_t count = lines.size();
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    constexpr size_t shown = 8;
    const bool isCutpoint = lines.size() > shown;
    if (isCutpoint)
      lines.resize(shown);
    Diagnostic note;
    note.severity = Severity::Note;
    note.file = first->file;
    note.message = fmt::format("{} more like it, at line{} {}{} (--all-remarks prints them)", count,
                               lines.size() == 1 ? "" : "s", fmt::join(lines, ", "),
                               isCutpoint ? ", ..." : "");
    out.push_back(std::move(note));
  }
  return out;
}

} // namespace rdna::tool
