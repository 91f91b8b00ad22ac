//===- Isolate.h - work in a process of its own -----------------------------===//
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace rdna::fuzz {

/// What a child process has written before it ended, and how it did.
struct Isolated {
  std::string output;
  std::string failure; ///< "signal 11", "no end"; empty: it came to its end.
};

using Sink = std::function<void(const std::string &line)>;

/// Runs `work` for 0, 1, ... in processes of their own, so many at a time, and hands over what
/// each has written, in order of the numbers. Stops before the next one if `goesOn` says no.
void isolateAll(size_t count, unsigned jobs, const std::function<bool()> &goesOn,
                const std::function<void(size_t, const Sink &)> &work,
                const std::function<void(size_t, Isolated)> &done);

/// One piece of work.
Isolated isolate(const std::function<void(const Sink &)> &work);

} // namespace rdna::fuzz
