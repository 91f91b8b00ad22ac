#include "Pipeline/PipelineForms.h"

#include "Pipeline/LdsRoom.h"
#include "Transform/LdsStages.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace rdna {
namespace {

struct Form {
  unsigned lds, vgpr; ///< 0: not asked for.
};
/// The simple ones first, because of equal ends the first is kept. Those that
/// docs/howto-pipeline.md compares: each is a rewrite, proven and predicted, that has to be paid
/// for.
constexpr Form kForms[] = {{0, 1}, {2, 0}, {0, 2}, {2, 2}, {3, 0}};

std::string nameOf(const Form &form) {
  std::string name = "--pipeline=";
  if (form.lds != 0)
    name += fmt::format("lds:{}", form.lds);
  if (form.vgpr != 0)
    name += fmt::format("{}vgpr:{}", form.lds == 0 ? "" : ",", form.vgpr);
  return name;
}

/// Is there a loop to pipeline, and is the workgroup's shape known, without which none is?
bool isPossible(const Module &module, const PassRequest &request, std::string_view kernel) {
  for (uint32_t f = 0; f < module.functions().size(); ++f) {
    if (module.functions()[f].name != kernel)
      continue;
    const Cfg cfg = buildCfg(module, f);
    const PassValues values;
    const PassSite site{module, cfg, request, values, {}};
    if (!shapeOf(site))
      return false;
    for (uint32_t l = 0; l < cfg.loops.size(); ++l) {
      const StageOutcome found = findStages(module, cfg, l);
      // Rule 3 may mean two buffers, whose tiles can still be loaded further ahead.
      if (site.wants(l) && (found.staged || (found.left && found.left->rule == 3)))
        return true;
    }
  }
  return false;
}

} // namespace

std::vector<Variant> pipelineForms(const PassChoice &choice, const Module &module,
                                   const PassRequest &request, std::string_view kernel) {
  const bool isNamed = choice.names.contains("pipeline");
  const bool isFree = choice.names.empty() && choice.values.empty();
  if (choice.without.contains("pipeline") || !(isNamed || isFree) ||
      llvm::any_of(std::initializer_list<std::string_view>{"lds", "vgpr", "order"},
                   [&](std::string_view value) { return choice.values.contains(value); }))
    return {};
  if (!isPossible(module, request, kernel))
    return {};
  std::vector<Variant> forms;
  for (const Form &form : kForms) {
    PassChoice with = withPass(choice, "pipeline");
    with.values["lds"] = form.lds;
    with.values["vgpr"] = form.vgpr;
    forms.push_back({nameOf(form), {}, choosePasses(with), Variant::Until::End});
  }
  return forms;
}

} // namespace rdna
