#include "Input.h"

#include "KernelManifest.h"
#include "Support/File.h"

#include <fmt/format.h>

#include <functional>
#include <stdexcept>

namespace rdna::fuzz {

static std::string contents(const std::string &path) {
  auto text = readInput(path);
  if (!text)
    throw std::runtime_error(llvm::toString(text.takeError()));
  return std::move(*text);
}

static std::string corpusName(const test::CompiledKernel &kernel) {
  return fmt::format("corpus:{}.{}.{}", kernel.name, kernel.compiler, kernel.optimization);
}

uint64_t Input::seed() const {
  const std::string number = name.substr(name.find(':') + 1);
  return name.starts_with("kernel:") || name.starts_with("device:") ? std::stoull(number)
                                                                    : name.size();
}

Generated Input::read() const {
  if (name.starts_with("kernel:"))
    return generate(seed(), Shape::Kernel);
  if (name.starts_with("device:"))
    return generate(seed(), Shape::DeviceFunctions);
  if (name.starts_with("file:")) {
    const size_t colon = name.find(':', 5);
    if (colon == std::string::npos)
      throw std::runtime_error("file:CODE.s:LAUNCH.json is expected, not " + name);
    return {contents(name.substr(5, colon - 5)), contents(name.substr(colon + 1))};
  }
  for (const test::CompiledKernel &kernel : test::compiledKernels())
    if (name == corpusName(kernel))
      return {contents(kernel.assembly), contents(kernel.launch)};
  throw std::runtime_error("no input " + name);
}

std::vector<Input> generatedInputs(uint64_t seed, unsigned kernels, unsigned deviceFiles) {
  std::vector<Input> inputs;
  for (unsigned n = 0; n < kernels || n < deviceFiles; ++n) {
    if (n < kernels)
      inputs.push_back({fmt::format("kernel:{}", seed + n)});
    if (n < deviceFiles)
      inputs.push_back({fmt::format("device:{}", seed + n)});
  }
  return inputs;
}

std::vector<Input> corpusInputs() {
  std::vector<Input> inputs;
  for (const test::CompiledKernel &kernel : test::compiledKernels())
    if (!kernel.set.empty() && kernel.optimization == "O3") // The templates take long.
      inputs.push_back({corpusName(kernel)});
  return inputs;
}

} // namespace rdna::fuzz
