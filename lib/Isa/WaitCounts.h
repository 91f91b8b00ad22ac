//===- WaitCounts.h - what an s_waitcnt waits for --------------------------===//
#pragma once

#include <cstdint>
#include <optional>

namespace rdna {

/// The counters that an s_waitcnt looks at, with the numbers of operations that may be left.
struct WaitCounts {
  std::optional<unsigned> vm, lgkm, exp;
  bool operator==(const WaitCounts &) const = default;
  bool any() const { return vm || lgkm || exp; }
};

/// Fields of the immediate that do not wait for anything (ISA guide 4, S_WAITCNT).
inline constexpr unsigned kNoVmWait = 63, kNoLgkmWait = 63, kNoExpWait = 7;

inline uint16_t encodeWait(const WaitCounts &counts) {
  return static_cast<uint16_t>(counts.vm.value_or(kNoVmWait) << 10 |
                               counts.lgkm.value_or(kNoLgkmWait) << 4 |
                               counts.exp.value_or(kNoExpWait));
}

inline WaitCounts decodeWait(uint16_t immediate) {
  const auto field = [](unsigned count, unsigned none) {
    return count == none ? std::nullopt : std::optional(count);
  };
  return {field(immediate >> 10, kNoVmWait), field(immediate >> 4 & 63, kNoLgkmWait),
          field(immediate & 7, kNoExpWait)};
}

} // namespace rdna
