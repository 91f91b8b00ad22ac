//===- main.cpp - hsaco-loader: assemble, inspect, run, verify, bench -----===//
#include "Commands.h"

using namespace rdna;
using namespace rdna::loader;

static llvm::Expected<int> dispatch(const tool::Tool &tool, const Options &options) {
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
  return tool.run(argc, argv, [&] { return dispatch(tool, options); });
}
