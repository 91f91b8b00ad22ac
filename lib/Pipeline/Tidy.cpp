#include "Pipeline/Tidy.h"

#include "Transform/Copies.h"
#include "Transform/DeadCode.h"

namespace rdna {

static llvm::Expected<std::unique_ptr<Module>> reread(const Module &module,
                                                      const std::vector<TextEdit> &edits) {
  return Module::parse(applyEdits(module, edits), module.file());
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

llvm::Expected<std::unique_ptr<Module>> tidyCopies(const Module &before,
                                                   std::unique_ptr<Module> after, const Cfg &cfg) {
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

} // namespace rdna
