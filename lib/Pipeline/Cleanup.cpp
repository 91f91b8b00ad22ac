#include "Pipeline/Cleanup.h"

#include "Analysis/Lint.h"
#include "Code/Build.h"
#include "Code/Derive.h"
#include "Transform/Copies.h"
#include "Transform/DeadCode.h"
#include "Transform/DelayAlu.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace rdna {

using Functions = std::vector<uint32_t>;
using EditsOf = llvm::function_ref<std::vector<TextEdit>(uint32_t function)>;

/// The edits of all functions that have any, which are left in `functions`.
static std::vector<TextEdit> collect(Functions &functions, EditsOf editsOf) {
  std::vector<TextEdit> all;
  Functions changed;
  for (const uint32_t f : functions)
    if (std::vector<TextEdit> edits = editsOf(f); !edits.empty()) {
      llvm::append_range(all, edits);
      changed.push_back(f);
    }
  functions.swap(changed);
  return all;
}

llvm::Expected<std::map<uint32_t, unsigned>> removeDeadCode(Next &next,
                                                            llvm::ArrayRef<uint32_t> functions) {
  std::map<uint32_t, unsigned> removed;
  Functions left(functions.begin(), functions.end());
  // Each round takes something away; the limit only guards against a mistake.
  for (unsigned most = 64; most > 0; --most) {
    std::vector<TextEdit> edits = collect(left, [&](uint32_t f) {
      DeadCode dead = removeDeadCode(*next.module, buildCfg(*next.module, f));
      if (dead.instructions != 0)
        removed[f] += dead.instructions;
      return std::move(dead.edits);
    });
    if (edits.empty())
      break;
    if (llvm::Error error = advance(next, std::move(edits)))
      return error;
  }
  return removed;
}

static bool hasDeadCode(const Module &module, uint32_t function) {
  return removeDeadCode(module, buildCfg(module, function)).instructions != 0;
}

static std::vector<TextEdit> forwardedCopies(const Module &module,
                                             llvm::ArrayRef<uint32_t> functions) {
  std::vector<TextEdit> all;
  for (const uint32_t f : functions)
    llvm::append_range(all, forwardAddressCopies(module, buildCfg(module, f)));
  return all;
}

/// Addresses are read where they were copied from, in functions where the copy is dead then.
static llvm::Error removeCopies(Next &next, llvm::ArrayRef<uint32_t> functions) {
  std::vector<TextEdit> edits = forwardedCopies(*next.module, functions);
  if (edits.empty())
    return llvm::Error::success();
  auto tried = nextOf(*next.module, edits);
  if (!tried)
    return tried.takeError();
  Functions useful(functions.begin(), functions.end());
  std::erase_if(useful, [&](uint32_t f) { return !hasDeadCode(*tried->module, f); });
  edits = forwardedCopies(*next.module, useful);
  if (edits.empty())
    return llvm::Error::success();
  return advance(next, std::move(edits));
}

/// The uses of a transcendental's result that come too early, the first of each block.
static std::vector<TextEdit> waitsForTranscendentals(const Module &module, uint32_t function) {
  const Cfg cfg = buildCfg(module, function);
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
llvm::Error keepTransGaps(const Module &before, Next &next, std::vector<uint32_t> functions) {
  std::erase_if(functions, [&](uint32_t f) { return !waitsForTranscendentals(before, f).empty(); });
  while (true) {
    std::vector<TextEdit> edits =
        collect(functions, [&](uint32_t f) { return waitsForTranscendentals(*next.module, f); });
    if (edits.empty())
      return llvm::Error::success();
    if (llvm::Error error = advance(next, std::move(edits)))
      return error;
  }
}

static std::vector<TextEdit> delaysOf(const Module &module, uint32_t function) {
  const Cfg cfg = buildCfg(module, function);
  std::vector<uint32_t> blocks(cfg.blocks.size());
  std::iota(blocks.begin(), blocks.end(), 0u);
  return setDelays(module, cfg, blocks).edits;
}

llvm::Error setDelaysAnew(const Module &before, Next &next, std::vector<uint32_t> functions) {
  std::erase_if(functions, [&](uint32_t f) {
    const Function &function = before.functions()[f];
    return std::none_of(before.instructions().begin() + function.first,
                        before.instructions().begin() + function.last,
                        [](const Instruction &inst) { return inst.op == Op::s_delay_alu; });
  });
  std::vector<TextEdit> edits =
      collect(functions, [&](uint32_t f) { return delaysOf(*next.module, f); });
  return edits.empty() ? llvm::Error::success() : advance(next, std::move(edits));
}

llvm::Expected<std::unique_ptr<Module>> withDelays(const Module &module,
                                                   std::string_view function) {
  const auto &functions = module.functions();
  const auto found =
      llvm::find_if(functions, [&](const Function &f) { return f.name == function; });
  if (found == functions.end())
    return nullptr;
  std::vector<TextEdit> edits = delaysOf(module, static_cast<uint32_t>(found - functions.begin()));
  if (edits.empty())
    return nullptr;
  auto next = nextOf(module, std::move(edits));
  if (!next)
    return next.takeError();
  return std::move(next->module);
}

llvm::Error cleanUpCopies(const Module &before, Next &next, llvm::ArrayRef<uint32_t> functions) {
  Functions clean(functions.begin(), functions.end());
  std::erase_if(clean, [&](uint32_t f) { return hasDeadCode(before, f); });
  if (llvm::Error error = removeCopies(next, clean))
    return error;
  if (auto removed = removeDeadCode(next, clean); !removed)
    return removed.takeError();
  return keepTransGaps(before, next, Functions(functions.begin(), functions.end()));
}

} // namespace rdna
