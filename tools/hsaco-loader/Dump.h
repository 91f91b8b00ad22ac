//===- Dump.h - outputs of a run as files -------------------------------------===//
#pragma once

#include "Options.h"
#include "Run/Buffers.h"

#include "llvm/Support/Error.h"

namespace rdna::loader {

/// What --dump-outputs and --dump ask for; `number` of the case, if there are several.
llvm::Error dumpOutputs(const Options &options, const run::BufferSet &buffers,
                        const std::string &number);

} // namespace rdna::loader
