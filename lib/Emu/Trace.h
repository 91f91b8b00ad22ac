//===- Trace.h - what a debugger shows of a launch ------------------------===//
//
// A Tracer prints what chosen waves execute, stops them, dumps their state and reports accesses to
// watched places. Workgroups run in order on one host thread, so its text is always the same. Only
// the chosen waves are interpreted, unless a place is watched: then all are.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Observe/Observer.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rdna::emu {

/// Four bytes whose accesses are reported, by whichever workgroup.
struct WatchPoint {
  enum class Space { Global, Lds } space = Space::Global;
  std::string name;     ///< As the user calls it: "arg2+0x10".
  uint64_t address = 0; ///< Host address, or offset in LDS.
};
inline constexpr unsigned watchBytes = 4;

enum class Show { No, Yes };
enum class Verdict { Continue, Stop };

struct TraceOptions {
  std::array<uint32_t, 3> workgroup{};
  std::optional<unsigned> wave; ///< Empty: all waves of the workgroup.
  Show instructions = Show::No;
  /// Where the chosen waves stop: image offsets of instructions, or a number of instructions.
  std::vector<uint64_t> breakpoints;
  std::optional<uint64_t> stopAfter;
  /// At the stop; without one, where each chosen wave ends.
  Show registers = Show::No;
  Show lds = Show::No;
  std::vector<WatchPoint> watches;
  std::function<std::string(uint64_t imageOffset)> place; ///< "k5.s:34"; may be empty.
  /// Called with whole lines. Stop (nobody reads any more) ends the launch.
  std::function<Verdict(std::string_view)> print;
};

/// To be put into Launch::observers.
std::unique_ptr<Observer> createTracer(TraceOptions options);

} // namespace rdna::emu
