//===- Debug.h - the debugging options of `run` ---------------------------===//
#pragma once

#include "Commands.h"
#include "Emu/Trace.h"

namespace rdna::loader {

/// What --trace, --break, --watch and their like ask for, while a kernel runs.
class Debugger {
public:
  virtual ~Debugger() = default;
  virtual emu::Observer &observer() = 0;
  /// Whether the run was to be stopped somewhere.
  virtual bool expectsStop() const = 0;
  /// Writes what is left; the error of any earlier write.
  virtual llvm::Error finish() = 0;
};

/// Null if no option asks for anything.
llvm::Expected<std::unique_ptr<Debugger>>
createDebugger(const Job &job, const run::ResolvedLaunch &launch, const run::BufferSet &buffers);

} // namespace rdna::loader
