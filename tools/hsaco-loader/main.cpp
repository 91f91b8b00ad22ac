//===- main.cpp - hsaco-loader: assemble, inspect, run, verify, bench -----===//
#include "Bundles.h"
#include "Commands.h"
#include "Model.h"

using namespace rdna;
using namespace rdna::loader;

static llvm::Expected<int> dispatch(const tool::Tool &tool, const Options &options) {
  if (!options.calibrate.empty())
    return calibrateCommand(tool, options);
  if (options.command == Command::Unbundle)
    return unbundleCommand(options);
  if (options.command == Command::Bundle)
    return bundleCommand(tool, options);
  llvm::Expected<object::CodeObject> object = object::loadCodeObject(options.input);
  if (!object)
    return object.takeError();
  for (const Diagnostic &warning : object->warnings)
    tool.report(warning);
  if (options.command == Command::Assemble)
    return assembleCommand(tool, options, *object);
  if (options.command == Command::Inspect)
    return inspectCommand(tool, options, *object);
  llvm::Expected<LaunchPlan> plan = planLaunch(options, *object);
  if (!plan)
    return plan.takeError();
  if (options.backend == "model")
    return modelCommand(tool, options, *object, *plan);
  llvm::Expected<std::unique_ptr<run::Backend>> backend = run::createBackend(options.backend);
  if (!backend)
    return backend.takeError();
  tool::Progress progress(plan->kernel->name);
  const Job job{tool, options, *object, *plan, **backend, progress};
  switch (options.command) {
  case Command::Verify:
    return verifyCommand(job);
  case Command::Bench:
    return benchCommand(job);
  default:
    return runCommand(job);
  }
}

int main(int argc, char **argv) {
  tool::Tool tool("hsaco-loader", "Assembles, inspects, runs, verifies and measures RDNA3 kernels");
  Options options;
  declareOptions(tool, options);
  tool.addExample("hsaco-loader verify --against kernel.s faster.s --sgemm 256,1024",
                  "Whether two kernels give the same bits");
  tool.addExample("hsaco-loader run kernel.s --launch kernel.json --check=all",
                  "Run a kernel on the emulator and look for what works only by luck");
  tool.addExample("hsaco-loader assemble faster.s -o faster.hsaco",
                  "A code object that a HIP program can load");
  tool.addExample("hsaco-loader bench kernel.s --sgemm 4096 --backend model",
                  "The predicted time on a card");
  tool.addExample("hsaco-loader unbundle program -o code", "The code objects of a HIP program");
  return tool.run(argc, argv, [&] { return dispatch(tool, options); });
}
