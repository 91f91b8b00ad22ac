#include "DeviceCode.h"

#include "Support/Diagnostic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Regex.h"

namespace rdna::hipclang {

namespace {

std::vector<std::string> wantedKernels(const Module &module, const RewriteRequest &request) {
  std::vector<std::string> names;
  for (const Function &function : module.functions())
    if (function.isKernel() &&
        (!request.kernels || llvm::Regex(*request.kernels).match(function.name) ||
         llvm::Regex(*request.kernels).match(llvm::demangle(function.name))))
      names.push_back(function.name);
  return names;
}

/// Adds what `next` did behind `all`.
void append(PipelineResult &all, PipelineResult next) {
  all.text = std::move(next.text);
  all.module = std::move(next.module);
  llvm::append_range(all.steps, std::move(next.steps));
  llvm::append_range(all.remarks, std::move(next.remarks));
  llvm::append_range(all.kernels, std::move(next.kernels));
}

} // namespace

llvm::Expected<PipelineResult> rewriteDeviceCode(const std::string &text, const std::string &file,
                                                 const RewriteRequest &request) {
  auto module = Module::parse(text, file);
  if (!module)
    return module.takeError();
  const std::vector<std::string> names = wantedKernels(**module, request);
  PipelineResult all;
  all.text = text;
  if (names.empty())
    return all;
  Pipeline pipeline{.passes = choosePasses(request.choice), .request = request.request};
  if (!request.kernels)
    return runPipeline(std::move(*module), pipeline);
  // A request names one kernel or means all.
  for (const std::string &name : names) {
    auto before = Module::parse(all.text, file);
    if (!before)
      return before.takeError();
    pipeline.request.kernel = name;
    auto result = runPipeline(std::move(*before), pipeline);
    if (!result)
      return result.takeError();
    append(all, std::move(*result));
  }
  return all;
}

} // namespace rdna::hipclang
