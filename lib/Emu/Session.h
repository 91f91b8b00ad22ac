//===- Session.h - one workgroup, step by step ----------------------------===//
#pragma once

#include "Emu/GroupRunner.h"

#include <optional>
#include <set>

namespace rdna::emu {

/// For whoever drives waves himself. Interpreted, without listeners; one thread at a time.
class Session {
public:
  enum class WaveState { Ready, AtBarrier, Ended, Failed };

  Session(const DecodedProgram &program, const Launch &launch,
          const std::array<uint32_t, 3> &workgroup);

  unsigned waves() const { return unsigned(runner_.waves().size()); }
  Wave &wave(unsigned number) const { return *runner_.waves()[number]; }
  WaveState state(unsigned number) const;

  /// Executes up to `count` instructions of a wave; returns how many. Fewer if it ends, waits at a
  /// barrier or, after its first instruction, comes to a breakpoint.
  llvm::Expected<uint64_t> step(unsigned number, uint64_t count);
  /// Executes all waves until one stands before a breakpoint; nothing if all have ended.
  llvm::Expected<std::optional<unsigned>> resume();

  std::set<uint64_t> breakpoints; ///< Image offsets.

  uint64_t programCounter(unsigned number) const { return wave(number).next->offset; }
  /// False if no instruction begins there.
  bool jump(unsigned number, uint64_t offset);

private:
  void executeOne(Wave &w);
  void releaseBarrier();

  const DecodedProgram &program_;
  const Launch launch_;
  const std::array<uint32_t, 3> workgroup_;
  const LaunchState state_;
  GroupRunner runner_;
};

} // namespace rdna::emu
