//===- Compiler.h - which clang, and what it has to be told ---------------===//
#pragma once

#include "Options.h"

namespace rdna::hipclang {

struct Compiler {
  std::string program;
  unsigned version = 0;
};

/// `wanted` is a version ("19") or a program.
llvm::Expected<Compiler> findCompiler(const std::string &wanted);

/// What comes in front of the user's words, so that HIP programs compile without a ROCm: platform,
/// width of a wave, device library, headers. Nothing of what the user says already.
llvm::Expected<Words> defaultWords(const Compiler &compiler, const Words &words);

/// An error if the words ask for what cannot be done with a rewriter in the middle.
llvm::Error refuse(const Words &words);

} // namespace rdna::hipclang
