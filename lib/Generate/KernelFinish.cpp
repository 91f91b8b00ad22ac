#include "Generate/KernelText.h"

#include "Pipeline/Registry.h"
#include "Verify/Verify.h"

#include <fmt/format.h>

#include <set>

namespace rdna::generate {

/// Everything that one text can show to be wrong.
static llvm::Error check(const Module &module) {
  std::vector<Diagnostic> faults = checkStructure(module);
  if (faults.empty())
    return llvm::Error::success();
  return llvm::make_error<InputError>(Failure::Refused, std::move(faults));
}

/// What these passes make of a text in which nothing is wrong.
static llvm::Expected<std::string> finish(std::string text, const std::string &name,
                                          const std::set<std::string> &passes) {
  auto module = Module::parse(std::move(text), name + ".s");
  if (!module)
    return module.takeError();
  if (llvm::Error error = check(**module))
    return error;
  if (passes.empty())
    return std::string((*module)->text());
  auto result = runPipeline(
      std::move(*module),
      {.passes = choosePasses({.names = {passes.begin(), passes.end()}, .values = {}})});
  if (!result)
    return result.takeError();
  return std::move(result->text);
}

llvm::Expected<std::string> finishKernel(std::string text, const std::string &name, Hints hints) {
  if (hints == Hints::None)
    return finish(std::move(text), name, {});
  return finish(std::move(text), name, {"reschedule", "clause", "setprio", "delay-alu"});
}

llvm::Expected<std::string> finishSteps(const std::string &steps, const std::string &name) {
  // As a kernel that has nothing else: hints depend on what a function does, not on who launches
  // it.
  const std::string head = fmt::format("\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n\t.text\n"
                                       "\t.globl {0}\n\t.type {0},@function\n{0}:\n",
                                       name);
  const std::string end = "\ts_endpgm\n";
  // Whoever puts them into a loop finds the steps as they are documented.
  auto whole =
      finish(fmt::format("{0}{1}{2}.L{3}_end:\n\t.size {3}, .L{3}_end-{3}\n\t.section .rodata\n"
                         "\t.amdhsa_kernel {3}\n\t\t.amdhsa_next_free_vgpr 256\n"
                         "\t\t.amdhsa_next_free_sgpr 104\n\t\t.amdhsa_wavefront_size32 1\n"
                         "\t.end_amdhsa_kernel\n",
                         head, steps, end, name),
             name, {"clause", "setprio", "delay-alu"});
  if (!whole)
    return whole.takeError();
  return whole->substr(head.size(), whole->rfind(end) - head.size());
}

} // namespace rdna::generate
