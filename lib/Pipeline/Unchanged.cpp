#include "Pipeline/Unchanged.h"

#include "Analysis/NestCounts.h"
#include "Asm/Lane.h"
#include "Verify/Opaque.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rdna {

std::optional<Obstacle> obstacleFor(PassNeeds needs, const Module &module, const Cfg &cfg) {
  const Function &function = module.functions()[cfg.functionIndex];
  if (needs == PassNeeds::Anything)
    return std::nullopt;
  for (const verify::OpaqueSpot &opaque : verify::opaqueSpots(module, cfg))
    if (needs != PassNeeds::NoOpaque || opaque.why != verify::OpaqueSpot::Why::Registers)
      return Obstacle{Obstacle::Kind::Code, module.instructions()[opaque.instruction].line,
                      fmt::format("this {}, and around it {}", opaque.reason,
                                  opaque.why == verify::OpaqueSpot::Why::Registers
                                      ? "only what stays in its register can be proven"
                                      : "nothing can be proven")};
  if (needs >= PassNeeds::NoCalls && cfg.indirectJump)
    return Obstacle{Obstacle::Kind::Code, module.instructions()[*cfg.indirectJump].line,
                    "this jumps to an address in a register, and around it nothing can be proven"};
  if (needs >= PassNeeds::NoCalls && cfg.enteredAt)
    return Obstacle{Obstacle::Kind::Code, module.instructions()[*cfg.enteredAt].line,
                    fmt::format("it {}, and around that nothing can be proven",
                                howEntered(module, *cfg.enteredAt))};
  if (needs >= PassNeeds::NoCalls && !cfg.calls.empty())
    return Obstacle{Obstacle::Kind::Role, module.instructions()[cfg.calls.front()].line,
                    "it calls functions"};
  if (needs >= PassNeeds::Kernel && !function.isKernel())
    return Obstacle{Obstacle::Kind::Role, function.line, "it is no kernel"};
  return std::nullopt;
}

void RoundWords::leave(uint32_t function, std::string_view pass, const Obstacle &obstacle) {
  const auto [it, isNew] = left.try_emplace(function, Left{obstacle, {}});
  // What is in the code counts for more passes.
  if (!isNew && obstacle.kind == Obstacle::Kind::Code && it->second.obstacle.kind != obstacle.kind)
    it->second = {obstacle, {}};
  if (it->second.obstacle.kind == obstacle.kind)
    it->second.passes.push_back(pass);
}

static Diagnostic notAsked(const Module &module, const Function &function,
                           const RoundWords::Left &left) {
  return module.atLine(
      left.obstacle.line,
      fmt::format("'{}' is left alone by --{}: {}; in a function of its own it would not be in the "
                  "way",
                  function.name, fmt::join(left.passes, ", --"), left.obstacle.reason),
      Severity::Remark);
}

static unsigned fmasOf(const Module &module, const Function &function) {
  unsigned count = 0;
  for (uint32_t i = function.first; i < function.last; ++i) {
    const Instruction &inst = module.instructions()[i];
    count += inst.isVopd() ? isVopdFma(inst.op) + isVopdFma(inst.opY) : isFmaFamily(inst);
  }
  return count;
}

/// Nobody had an objection: there was nothing to do, or nothing was found.
static std::string whyUnchanged(const Function &function, unsigned fmas, const CodeCounts &counts) {
  if (fmas == 0)
    return fmt::format("'{}' is as it was: nothing to improve, it has no F32 FMAs", function.name);
  if (fmas == 1)
    return fmt::format("'{}' is as it was: nothing to improve, it has one F32 FMA", function.name);
  if (counts.singleFmas <= 1 && counts.conflicts == 0)
    return fmt::format("'{}' is as it was: nothing to improve, its {} F32 FMAs are in pairs "
                       "without bank conflicts{}",
                       function.name, fmas, counts.singleFmas == 1 ? ", but for one" : "");
  return fmt::format("'{}' is as it was: {} of its {} F32 FMAs are single, there are {} bank "
                     "conflicts, and no better pairs and registers were found; isa-parse "
                     "--why-single names the rule for each FMA{}",
                     function.name, counts.singleFmas, fmas, counts.conflicts,
                     function.isKernel() ? ", --allow-occupancy-loss gives it more registers" : "");
}

std::vector<Diagnostic> wordsForUnchanged(const Module &module, const PassRequest &request,
                                          const RoundWords &words,
                                          llvm::ArrayRef<std::string_view> passes) {
  const bool pairs = llvm::any_of(
      passes, [](std::string_view pass) { return pass == "vgpr-remap" || pass == "dual-issue"; });
  std::vector<Diagnostic> remarks;
  for (uint32_t f = 0; f < module.functions().size(); ++f) {
    const Function &function = module.functions()[f];
    if (!request.kernel.empty() && function.name != request.kernel)
      continue;
    const auto left = words.left.find(f);
    if (left != words.left.end() && left->second.obstacle.kind == Obstacle::Kind::Code) {
      remarks.push_back(notAsked(module, function, left->second));
      continue;
    }
    if (words.changed.contains(function.name) || words.remarked.contains(f) ||
        function.first == function.last)
      continue;
    const unsigned fmas = fmasOf(module, function);
    if (!function.isKernel() && fmas == 0)
      continue;
    std::string why =
        pairs ? whyUnchanged(function, fmas, countRange(module, function.first, function.last))
              : fmt::format("'{}' is as it was: nothing to improve for --{}", function.name,
                            fmt::join(passes, ", --"));
    if (left != words.left.end())
      why += fmt::format(" (not asked, because {}: --{})", left->second.obstacle.reason,
                         fmt::join(left->second.passes, ", --"));
    remarks.push_back(module.atLine(function.line, std::move(why), Severity::Remark));
  }
  return remarks;
}

} // namespace rdna
