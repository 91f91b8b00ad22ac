#include "Pipeline/LoopForms.h"

#include "Pipeline/Registry.h"
#include "Transform/LdsStages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace rdna {
namespace {

constexpr std::string_view kMark = "RDNA-PIPELINE";

const PassInfo &pipelinePass() { return *findPass("pipeline"); }

llvm::Error refuse(const Module &module, uint32_t line, const std::string &why) {
  return makeError(Failure::BadInput,
                   module.atLine(line, fmt::format("{}: {}", kMark, why), Severity::Error));
}

/// The words behind the mark; nothing in `values`: none.
llvm::Error readWords(const Module &module, uint32_t line, llvm::StringRef text, LoopForm &form) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(text, words);
  if (words.empty())
    return refuse(
        module, line,
        fmt::format("{} or 'none' has to follow, and order:... may", valueForm(pipelinePass())));
  if (words.size() == 1 && words.front() == "none")
    return llvm::Error::success();
  PassChoice choice;
  for (const llvm::StringRef word : words) {
    PassChoice said;
    const std::string wrong =
        word.starts_with("order:")
            ? readPassOption(pipelinePass(), "order", word.substr(6).str(), said)
            : readPassValue(pipelinePass(), word.str(), said);
    if (!wrong.empty())
      return refuse(module, line, wrong);
    for (const auto &[name, value] : said.values)
      if (!choice.values.emplace(name, value).second)
        return refuse(module, line, fmt::format("'{}' stands there twice", name));
  }
  form.values.emplace();
  for (const PassOption &option : pipelinePass().options)
    if (const auto given = choice.values.find(option.name); given != choice.values.end())
      form.values->set(option.name, given->second);
    else
      form.values->set(option.name, option.fallback);
  return llvm::Error::success();
}

/// The loop's label as the user knows it: those of steps and copies begin with it.
std::string_view userLabel(std::string_view label) {
  return label.substr(0, std::min(label.find(".ahead"), label.find(".buffer")));
}

class FormReader {
public:
  FormReader(const Module &module, std::string_view kernel, std::vector<Diagnostic> &remarks)
      : module_(module), kernel_(kernel), remarks_(remarks) {}

  llvm::Expected<LoopForms> run() {
    const auto first = firstLoopForm(module_);
    for (uint32_t line = first.value_or(module_.lineCount() + 1); line <= module_.lineCount();
         ++line)
      if (const auto words = commentMark(module_.lineText(line), kMark))
        if (llvm::Error error = read(line, *words))
          return error;
    return std::move(forms_);
  }

private:
  llvm::Error read(uint32_t line, const std::string &words) {
    LoopForm form;
    if (llvm::Error error = readWords(module_, line, words, form))
      return error;
    const auto &all = module_.instructions();
    const auto next = std::partition_point(
        all.begin(), all.end(), [&](const Instruction &inst) { return inst.line < line; });
    const auto function = llvm::find_if(module_.functions(), [&](const Function &f) {
      return next != all.end() && next->index >= f.first && next->index < f.last;
    });
    if (function == module_.functions().end() || function->line > line)
      return remark(line, "the comment stands in no function");
    if (!kernel_.empty() && function->name != kernel_)
      return llvm::Error::success();
    const Cfg &cfg = cfgOf(static_cast<uint32_t>(function - module_.functions().begin()));
    const auto loop = cfg.loopOf(cfg.blockOf(next->index));
    if (!loop)
      return remark(line, "the instruction behind the comment is in no loop");
    if (cfg.loops[*loop].label.empty())
      return remark(line, "the loop around the comment has no label");
    form.function = function->name;
    form.line = line;
    const auto [known, isNew] = forms_.try_emplace(cfg.loops[*loop].label, form);
    if (!isNew && !(known->second.values == form.values))
      return refuse(
          module_, line,
          fmt::format("line {} says something else of {}", known->second.line, known->first));
    return llvm::Error::success();
  }

  llvm::Error remark(uint32_t line, std::string_view why) {
    remarks_.push_back(
        module_.atLine(line, fmt::format("{} is not used: {}", kMark, why), Severity::Remark));
    return llvm::Error::success();
  }

  const Cfg &cfgOf(uint32_t function) {
    if (!cfg_ || cfg_->functionIndex != function)
      cfg_ = buildCfg(module_, function);
    return *cfg_;
  }

  const Module &module_;
  const std::string_view kernel_;
  std::vector<Diagnostic> &remarks_;
  LoopForms forms_;
  std::optional<Cfg> cfg_; ///< Of the last function that was asked about.
};

TileForm formIn(const PassValues &values) {
  return {static_cast<unsigned>(values.number("lds")), static_cast<unsigned>(values.number("vgpr")),
          static_cast<StepOrder>(values.number("order"))};
}

} // namespace

std::optional<uint32_t> firstLoopForm(const Module &module) {
  if (module.text().find(kMark) != std::string_view::npos)
    for (uint32_t line = 1; line <= module.lineCount(); ++line)
      if (commentMark(module.lineText(line), kMark))
        return line;
  return std::nullopt;
}

llvm::Expected<LoopForms> readLoopForms(const Module &module, std::string_view kernel,
                                        std::vector<Diagnostic> &remarks) {
  return FormReader(module, kernel, remarks).run();
}

bool staysAsItIs(const PassSite &site, const Loop &loop) {
  const auto said = site.request.loopForms.find(userLabel(loop.label));
  return said != site.request.loopForms.end() && !said->second.values;
}

std::optional<TileForm> tileFormOf(const PassSite &site, const Loop &loop) {
  const auto said = site.request.loopForms.find(userLabel(loop.label));
  if (said == site.request.loopForms.end())
    return formIn(site.values);
  if (!said->second.values)
    return std::nullopt;
  return formIn(*said->second.values);
}

void remarkUnusedForms(const PassSite &site, PassState &state) {
  const Function &function = site.function();
  for (const auto &[label, form] : site.request.loopForms) {
    if (form.function != function.name || !form.values)
      continue;
    const auto leave = [&](std::string_view why) {
      state.remarks.push_back(site.module.atLine(
          function.line, fmt::format("{} for {} is not used: {}", kMark, label, why),
          Severity::Remark));
    };
    bool isThere = false, hasTile = false;
    for (const Loop &loop : site.cfg.loops) {
      if (userLabel(loop.label) != label)
        continue;
      isThere = true;
      hasTile |= hasBarrier(site.module, site.cfg, loop);
    }
    if (!isThere)
      leave("other passes have left no such loop");
    else if (!hasTile)
      leave("the loop has no barrier, so it has no tile in LDS; the comment is for the innermost "
            "loop around it");
  }
}

} // namespace rdna
