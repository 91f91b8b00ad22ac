//===- Claim.h - what a pass claims of its rewrite --------------------------===//
//
// Said by a pass, shown by the proof (lib/Verify): both see these types and neither the other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Symbolic/Given.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace rdna {

/// Where the new code keeps each old VGPR: newOf[old]. Identity by default.
struct VgprMap {
  std::array<uint8_t, 256> newOf;
  /// Where values of lanes that are switched off are. Who moves values by instructions leaves them
  /// at home; who gives them other registers everywhere takes them along.
  enum class Inactive : uint8_t { AtHome, Along } inactive = Inactive::AtHome;
  uint8_t inactiveOf(unsigned vgpr) const {
    return inactive == Inactive::Along ? newOf[vgpr] : static_cast<uint8_t>(vgpr);
  }
  /// Old VGPRs that hold a known constant there in the active lanes, and so does the register that
  /// each is mapped to, needed or not. Hints: every path that arrives has to show it, and one that
  /// does not hold is dropped.
  std::map<uint8_t, uint32_t> constants;
  VgprMap();
};

/// A 64-bit pointer in two VGPRs of the old text that the new one has in an SGPR pair, to which a
/// 32-bit offset in a VGPR is added. All by number, of the lower register.
struct SplitPointer {
  uint8_t vgprs = 0, sgprs = 0, offset = 0;
};

/// Work-items of a workgroup by dimension.
using WorkgroupShape = std::array<uint32_t, 3>;

/// What a proof may take for granted because the user says so.
enum class Assumption : uint8_t {
  /// In every global access of the original, for the lanes that make it: each 32-bit value that is
  /// extended into the address is what its computation gives over the integers (leaves unsigned,
  /// factors and constants signed), and below 2^31 if it is sign-extended; and all of them
  /// together, times their factors, are the bytes of an offset below 4 GiB. A pointer that a loop
  /// carries counts as an access where the loop is entered. Of what a rewrite extends nothing is
  /// assumed: it has to be a multiple of such an index, or a part of such an offset.
  NoIndexWrap,
  /// Waves tell each other nothing by plain loads and stores and the waits between them: only by
  /// barriers, atomics and accesses with cache bits.
  NoSyncWithoutBarrier,
};
const char *toString(Assumption assumption); ///< As `--assume` takes it.

/// The claim of a pass about one function.
struct Correspondence {
  std::string function;
  /// By index of the first instruction of a basic block of the old text (also blocks that are only
  /// reached by falling through); a block that is not listed claims the identity.
  std::map<uint32_t, VgprMap> atBlock;
  /// Loops of one block, by its first instruction in the old text, of which the new text has all
  /// trips one behind the other. The proof counts the trips itself; a loop whose counter does not
  /// follow from constants is no such loop.
  std::set<uint32_t> unrolled;
  /// Loops of one block, by its first instruction in the old text, of which the new text has behind
  /// the block's label first a branch of its own, and then on one of its ways so many trips,
  /// without the tests that the branch decides.
  std::map<uint32_t, unsigned> guarded;
  /// Blocks where paths of the old text meet, by their first instructions, and where those of the
  /// new text need not: it may have a copy for each.
  std::set<uint32_t> split;
  /// By first instruction of a block of the old text: pointers that are split there. Every path
  /// that arrives has to show it.
  std::map<uint32_t, std::vector<SplitPointer>> pointers;
  /// The new text is the old one with code copied, other places in LDS, another size of it, other
  /// barriers: nothing else of the claim counts then. Shown for launches of full workgroups of this
  /// shape, from which all addresses of LDS must follow.
  std::optional<WorkgroupShape> rebuffered;
  std::set<Assumption> assumptions;
  /// Ranges of the launch: where bounds show what Assumption::NoIndexWrap says of an access, it is
  /// known, not assumed. With the assumption they only say for which launches it provably holds.
  verify::Given given;

  /// Is something of it shown by following which registers instructions name?
  bool followsRegisters() const {
    return !unrolled.empty() || !guarded.empty() || !split.empty() || !pointers.empty() ||
           assumptions.contains(Assumption::NoIndexWrap) || !given.said.empty();
  }
};

} // namespace rdna
