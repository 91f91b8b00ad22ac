//===- Commands.h - the subcommands of hsaco-loader -----------------------===//
//
// Each returns the exit code, or the error that keeps it from doing its work.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Launch.h"
#include "Options.h"
#include "Run/Backend.h"

namespace rdna::loader {

llvm::Expected<int> assembleCommand(const tool::Tool &tool, const Options &options,
                                    const object::CodeObject &object);
llvm::Expected<int> inspectCommand(const tool::Tool &tool, const Options &options,
                                   const object::CodeObject &object);
/// inspect --launch-template: what the metadata know of a launch.
llvm::Expected<int> templateCommand(const tool::Tool &tool, const Options &options,
                                    const object::CodeObject &object);

/// What the subcommands that launch something work on.
struct Job {
  const tool::Tool &tool;
  const Options &options;
  const object::CodeObject &object;
  const LaunchPlan &plan;
  run::Backend &backend;
  tool::Progress &progress;
};

llvm::Expected<int> runCommand(const Job &job);
llvm::Expected<int> verifyCommand(const Job &job);
llvm::Expected<int> benchCommand(const Job &job);

} // namespace rdna::loader
