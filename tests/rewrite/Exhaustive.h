//===- Exhaustive.h - the fewest issue slots of a small block, by search --===//
//
// A matching may pick pairs that exclude each other (a before b and d before c, paired as ac and
// bd). The search issues operations in every order that the dependences allow.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace rdna::rewrite {

struct SearchNode {
  uint64_t before = 0;       ///< Operations that must be issued earlier,
  uint64_t notAfter = 0;     ///< or at the latest with this one.
  uint64_t partners = 0;     ///< Operations that may share an instruction with this one.
  uint64_t fmacPartners = 0; ///< Those with which it makes a dual FMAC.
  unsigned costAlone = 0;    ///< FMAs left single if it is not half of a dual FMAC: 0 or 1.
};

struct IssueCounts {
  unsigned issues = 0, singles = 0;
};

/// Which count is made as small as possible first.
enum class Priority : uint8_t { Issues, Singles };

/// The best counts of at most 64 operations, starting from a lower bound; nothing if that takes
/// more than `steps` steps to settle.
std::optional<IssueCounts> fewestIssues(const std::vector<SearchNode> &nodes,
                                        IssueCounts lowerBound, Priority priority, uint64_t steps);

} // namespace rdna::rewrite
