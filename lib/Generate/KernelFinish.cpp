#include "Generate/KernelText.h"

#include "Pipeline/Registry.h"
#include "Verify/Verify.h"

namespace rdna::generate {

/// Everything that one text can show to be wrong.
static llvm::Error check(const Module &module) {
  std::vector<Diagnostic> faults = checkStructure(module);
  if (faults.empty())
    return llvm::Error::success();
  return llvm::make_error<InputError>(Failure::Refused, std::move(faults));
}

llvm::Expected<std::string> finishKernel(std::string text, const std::string &name) {
  auto module = Module::parse(std::move(text), name + ".s");
  if (!module)
    return module.takeError();
  if (llvm::Error error = check(**module))
    return error;
  auto result = runPipeline(
      std::move(*module),
      {.passes = choosePasses({.names = {"clause", "setprio", "delay-alu"}, .values = {}})});
  if (!result)
    return result.takeError();
  return std::move(result->text);
}

} // namespace rdna::generate
