//===- Run.h - one kernel of one compiled file on the emulator -------------===//
#pragma once

#include "KernelRun.h"

#include "Run/Buffers.h"

#include <cstring>
#include <map>

namespace rdna::devicemath {

inline std::vector<test::CompiledKernel> compiledAs(const std::string &name) {
  std::vector<test::CompiledKernel> result = test::compiledKernels("device-math");
  std::erase_if(result, [&](const test::CompiledKernel &k) { return k.name != name; });
  if (result.size() < 3)
    throw std::runtime_error(name + " was not compiled by all three compilers");
  return result;
}

/// Runs `kernel` with the first buffers' contents and returns the last one's.
template <typename T>
std::vector<T> results(const test::CompiledKernel &file, const std::string &kernel,
                       const std::vector<std::vector<T>> &inputs) {
  run::ResolvedLaunch launch = test::launchOf(file);
  launch.kernel = kernel;
  const std::unique_ptr<run::BufferSet> set =
      test::unwrap(run::BufferSet::allocate(launch), kernel);
  std::vector<run::Buffer> &buffers = set->buffers();
  set->fill(0);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (buffers[i].bytes.size() != inputs[i].size() * sizeof(T))
      throw std::runtime_error(kernel + ": the launch description has another size");
    std::memcpy(buffers[i].bytes.data(), inputs[i].data(), buffers[i].bytes.size());
  }
  const test::EmulatedFile loaded(file.assembly, kernel);
  run::RunOptions options;
  options.instructionBudget = test::waveBudget;
  (void)test::unwrap(loaded.loaded->run(launch, *set, options), file.assembly + ", " + kernel);
  std::vector<T> result(buffers.back().bytes.size() / sizeof(T));
  std::memcpy(result.data(), buffers.back().bytes.data(), buffers.back().bytes.size());
  return result;
}

} // namespace rdna::devicemath
