#include "Pipeline/Tidy.h"

#include "Analysis/Lint.h"
#include "Code/Build.h"
#include "Code/Derive.h"
#include "Transform/Copies.h"
#include "Transform/DeadCode.h"

#include <set>

namespace rdna {

static llvm::Expected<std::unique_ptr<Module>> reread(const Module &module,
                                                      const std::vector<TextEdit> &edits) {
  return derive(module, edits);
}

llvm::Expected<Tidied> removeDeadCode(std::unique_ptr<Module> module, uint32_t function) {
  Tidied result;
  // Each round takes something away; the limit only guards against a mistake.
  for (unsigned most = 64; most > 0; --most) {
    const DeadCode dead = removeDeadCode(*module, buildCfg(*module, function));
    if (dead.edits.empty())
      break;
    result.removed += dead.instructions;
    auto next = reread(*module, dead.edits);
    if (!next)
      return next.takeError();
    module = std::move(*next);
  }
  result.module = std::move(module);
  return result;
}

llvm::Expected<Tidied> removeCopies(std::unique_ptr<Module> module, uint32_t function) {
  const std::vector<TextEdit> edits = forwardAddressCopies(*module, buildCfg(*module, function));
  if (edits.empty())
    return Tidied{std::move(module), 0};
  auto forwarded = reread(*module, edits);
  if (!forwarded)
    return forwarded.takeError();
  auto tidy = removeDeadCode(std::move(*forwarded), function);
  if (!tidy || tidy->removed)
    return tidy;
  return Tidied{std::move(module), 0};
}

/// The uses of a transcendental's result that come too early, the first of each block.
static std::vector<TextEdit> waitsForTranscendentals(const Module &module, const Cfg &cfg) {
  std::set<uint32_t> lines;
  for (const LintFinding &finding : lintFunction(module, cfg))
    if (std::string_view(finding.check) == "trans-use")
      lines.insert(finding.diagnostic.line);
  std::vector<TextEdit> edits;
  for (const Block &block : cfg.blocks)
    for (uint32_t i = block.first; i < block.last; ++i)
      if (const Instruction &inst = module.instructions()[i];
          lines.contains(inst.line) && takesLineBefore(module, inst)) {
        edits.push_back(lineBefore(module, inst, buildVaVdstWait()));
        break;
      }
  return edits;
}

/// Compilers put no wait between a transcendental and its use if there are instructions enough.
static llvm::Expected<std::unique_ptr<Module>>
keepTransGaps(const Module &before, std::unique_ptr<Module> after, uint32_t function) {
  if (!waitsForTranscendentals(before, buildCfg(before, function)).empty())
    return after;
  while (true) {
    const auto edits = waitsForTranscendentals(*after, buildCfg(*after, function));
    if (edits.empty())
      return after;
    auto next = reread(*after, edits);
    if (!next)
      return next.takeError();
    after = std::move(*next);
  }
}

static llvm::Expected<std::unique_ptr<Module>>
removeLeftovers(const Module &before, std::unique_ptr<Module> after, const Cfg &cfg) {
  if (removeDeadCode(before, cfg).instructions != 0)
    return after;
  auto copies = removeCopies(std::move(after), cfg.functionIndex);
  if (!copies)
    return copies.takeError();
  auto clean = removeDeadCode(std::move(copies->module), cfg.functionIndex);
  if (!clean)
    return clean.takeError();
  return std::move(clean->module);
}

llvm::Expected<std::unique_ptr<Module>> tidyCopies(const Module &before,
                                                   std::unique_ptr<Module> after, const Cfg &cfg) {
  auto clean = removeLeftovers(before, std::move(after), cfg);
  if (!clean)
    return clean.takeError();
  return keepTransGaps(before, std::move(*clean), cfg.functionIndex);
}

} // namespace rdna
