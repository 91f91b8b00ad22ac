//===- Options.h - the command line of rdna-clang++ -----------------------===//
//
// Words that begin with --rdna- are for us, all others are clang's.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "DeviceCode.h"
#include "common/Tool.h"

#include <string>
#include <vector>

namespace rdna::hipclang {

using Words = std::vector<std::string>;

struct CommandLine {
  Words ours, clangs;
};

/// Takes our words out of the command line, also out of @response files.
llvm::Expected<CommandLine> splitCommandLine(int argc, char **argv);

struct Options {
  std::string clang = "22";
  std::vector<std::string> passes, without, assumptions;
  std::string kernels;
  enum class Rewrite : uint8_t { Yes, No } rewrite = Rewrite::Yes;
  RewriteRequest request; ///< After `finishOptions`.
};

void declareOptions(tool::Tool &tool, Options &options);

/// What the words stand for; the error says which of them stands for nothing.
llvm::Error finishOptions(Options &options);

} // namespace rdna::hipclang
