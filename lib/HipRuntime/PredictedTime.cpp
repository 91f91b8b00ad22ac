#include "HipRuntime/PredictedTime.h"

#include "HipRuntime/Compare.h"
#include "Timing/Predict.h"

#include <cstring>
#include <set>

namespace rdna::hip {

namespace {

/// The allocations that the kernel is told of: what it may go through.
std::vector<run::ResolvedBuffer> buffersOf(DeviceMemory &memory,
                                           std::span<const std::byte> kernarg) {
  std::set<const Allocation *> seen;
  std::vector<run::ResolvedBuffer> buffers;
  for (size_t at = 0; at + 8 <= kernarg.size(); at += 8) {
    uint64_t address = 0;
    std::memcpy(&address, kernarg.data() + at, sizeof address);
    const Allocation *found = memory.find(address);
    if (!found || !seen.insert(found).second)
      continue;
    buffers.emplace_back();
    buffers.back().bytes = found->bytes;
  }
  return buffers;
}

} // namespace

llvm::Expected<std::chrono::nanoseconds> predictTime(Runtime &runtime, ModuleKernel &kernel,
                                                     const emu::Program &program,
                                                     const emu::Launch &launch) {
  auto machine = timing::machineByName(modelledCard);
  if (!machine)
    return machine.takeError();
  run::ResolvedLaunch shape;
  shape.kernel = kernel.kernel().name;
  shape.grid = launch.grid;
  shape.block = launch.block;
  shape.dynamicLdsBytes = launch.dynamicLdsBytes;
  shape.buffers = buffersOf(runtime.memory, launch.kernarg);
  const MemoryCopy before(runtime.memory);
  const VariablesCopy variables(kernel.module());
  timing::PredictOptions options;
  options.interval = timing::PredictOptions::Interval::No;
  auto observed = timing::observe(
      kernel.kernel(), shape, *machine,
      [&](const std::vector<std::array<uint32_t, 3>> &groups, emu::Observer &observer) {
        emu::Launch sample = launch;
        sample.onlyWorkgroups = groups;
        sample.observers = {&observer};
        if (sample.instructionBudget == 0)
          sample.instructionBudget = options.budget;
        auto result = program.run(sample);
        before.restore();
        variables.copyTo(kernel.module());
        return result.takeError();
      });
  if (!observed)
    return observed.takeError();
  const timing::Prediction prediction = timing::predict(*observed, *machine, options);
  return std::chrono::nanoseconds(int64_t(prediction.milliseconds * 1e6));
}

} // namespace rdna::hip
