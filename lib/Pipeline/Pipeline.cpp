#include "Pipeline/Pipeline.h"

#include "Code/Derive.h"
#include "Pipeline/FilesFirst.h"
#include "Pipeline/LoopForms.h"
#include "Pipeline/Next.h"
#include "Pipeline/Turns.h"
#include "Pipeline/Ways.h"
#include "Support/FileKind.h"
#include "Support/Nearest.h"
#include "Transform/SearchMemory.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

namespace rdna {
namespace {

std::string noSuchKernel(const Module &module, const std::string &name) {
  std::vector<std::string> known;
  for (const Function &function : module.functions())
    if (function.isKernel())
      known.push_back(function.name);
  if (known.empty())
    return noKernelIn(module.text(), module.file());
  return fmt::format("no kernel '{}' in the input{}; there {}: {}", name, didYouMean(name, known),
                     known.size() == 1 ? "is" : "are", fmt::join(known, ", "));
}

/// Is there something to work on?
llvm::Error checkRequest(const Module &module, const PassRequest &request) {
  std::vector<uint32_t> functions;
  bool anyKernel = false;
  for (uint32_t f = 0; f < module.functions().size(); ++f) {
    if (!request.kernel.empty() && module.functions()[f].name != request.kernel)
      continue;
    functions.push_back(f);
    anyKernel |= module.functions()[f].isKernel();
  }
  if (!anyKernel)
    return makeError(Failure::BadInput, module.file(),
                     request.kernel.empty() ? noKernelIn(module.text(), module.file())
                                            : noSuchKernel(module, request.kernel));
  if (!request.region.empty())
    if (auto found = findRegions(module, functions, request.region); !found)
      return found.takeError();
  return llvm::Error::success();
}

std::vector<KernelMetrics> measureKernels(const Module &module, const PassRequest &request) {
  std::vector<KernelMetrics> kernels;
  for (uint32_t f = 0; f < module.functions().size(); ++f)
    if (const Function &function = module.functions()[f];
        function.isKernel() && (request.kernel.empty() || function.name == request.kernel))
      kernels.push_back(measureKernel(module, f));
  return kernels;
}

/// The same kernels as measureKernels, each as a whole.
std::vector<KernelCounts> measureWhole(const Module &module, const PassRequest &request) {
  std::vector<KernelCounts> kernels;
  for (uint32_t f = 0; f < module.functions().size(); ++f)
    if (const Function &function = module.functions()[f];
        function.isKernel() && (request.kernel.empty() || function.name == request.kernel)) {
      std::vector<uint32_t> all(function.last - function.first);
      std::iota(all.begin(), all.end(), function.first);
      const auto alone = llvm::count_if(
          all, [&](uint32_t index) { return isFmaFamily(module.instructions()[index]); });
      kernels.push_back({measure(module, all), countRange(module, function.first, function.last),
                         leastSingles(module, buildCfg(module, f), all),
                         static_cast<uint64_t>(alone)});
    }
  return kernels;
}

/// That a block has nothing left to improve is no news where it has been improved.
void dropMoot(const Module &module, const RoundWords &words, std::vector<Diagnostic> &remarks) {
  llvm::erase_if(remarks, [&](const Diagnostic &remark) {
    if (remark.message != "left as it is: nothing to improve" &&
        remark.message != "left as it is now: nothing to improve")
      return false;
    const Function *around = nullptr;
    for (const Function &function : module.functions())
      if (function.line <= remark.line && (around == nullptr || function.line > around->line))
        around = &function;
    return around != nullptr && words.changed.contains(around->name);
  });
}

} // namespace

/// The module that passes see; null if it is the user's own.
static std::unique_ptr<Module> prepared(const Module &module, UserLines &lines) {
  std::vector<TextEdit> edits = filesFirst(module);
  if (edits.empty())
    return nullptr;
  auto next = nextOf(module, std::move(edits));
  if (!next) { // It was worth a try.
    llvm::consumeError(next.takeError());
    return nullptr;
  }
  lines.move(next->places);
  return std::move(next->module);
}

llvm::Expected<PipelineResult> runPipeline(std::unique_ptr<Module> module,
                                           const Pipeline &pipeline) {
  if (llvm::Error error = checkRequest(*module, pipeline.request))
    return error;
  std::vector<Diagnostic> unused;
  LoopForms forms;
  if (llvm::is_contained(namesOf(pipeline.passes), "pipeline")) {
    auto read = readLoopForms(*module, pipeline.request.kernel, unused);
    if (!read)
      return read.takeError();
    forms = std::move(*read);
  } else if (const auto line = firstLoopForm(*module))
    unused.push_back(module->atLine(
        *line, "RDNA-PIPELINE is not used: --pipeline is not among the passes", Severity::Remark));
  std::vector<KernelMetrics> before = measureKernels(*module, pipeline.request);
  const std::vector<KernelCounts> allBefore = measureWhole(*module, pipeline.request);
  const Module *const asRead = module.get();
  std::unique_ptr<Module> original;
  UserLines asGiven(*module);
  if (std::unique_ptr<Module> ready = prepared(*module, asGiven)) {
    original = std::move(module);
    module = std::move(ready);
  }
  Passage passage{std::move(module), std::move(asGiven)};
  Pipeline remembering = pipeline;
  remembering.request.searches = std::make_shared<SearchMemory>();
  remembering.request.loopForms = std::move(forms);
  if (llvm::Error error = takeBestWay(remembering, passage))
    return error;
  auto &[now, lines, words, result] = passage;
  if (result.givenUp)
    return std::move(result);
  for (const StepReport &step : result.steps)
    words.changed.insert(step.function);
  llvm::append_range(result.remarks,
                     wordsForUnchanged(*now, pipeline.request, words, namesOf(pipeline.passes)));
  if (now.get() != asRead) // Else it is what was parsed.
    if (llvm::Error error = confirm(*now))
      return error;
  if (pipeline.rounds == Rounds::ToFixedPoint)
    dropMoot(*now, words, result.remarks);
  for (Diagnostic &remark : result.remarks)
    lines.place(remark, *now);
  llvm::append_range(result.remarks, unused);
  if (original && result.steps.empty())
    now = std::move(original);
  std::vector<KernelMetrics> after = measureKernels(*now, pipeline.request);
  std::vector<KernelCounts> allAfter = measureWhole(*now, pipeline.request);
  for (size_t k = 0; k < before.size(); ++k)
    result.kernels.push_back(
        {before[k].name, std::move(before[k]), std::move(after[k]), allBefore[k], allAfter[k]});
  result.text = std::string(now->text());
  result.module = std::move(now);
  return std::move(result);
}

} // namespace rdna
