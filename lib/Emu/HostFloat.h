//===- HostFloat.h - the caller's floating-point environment, and ours ----===//
#pragma once

#include <cfenv>

namespace rdna::emu {

/// Round to nearest, denormals kept, no traps while it lives; then the caller's environment again,
/// sticky flags included. A host that flushes denormals (many set FTZ and DAZ in every thread) must
/// neither change a result nor find its own settings changed. Threads started meanwhile inherit it.
class HostFloat {
public:
  HostFloat() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~HostFloat() { std::fesetenv(&saved_); }
  HostFloat(const HostFloat &) = delete;
  HostFloat &operator=(const HostFloat &) = delete;

private:
  std::fenv_t saved_;
};

} // namespace rdna::emu
