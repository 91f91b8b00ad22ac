//===- Claim.h - what a pass claims of its rewrite --------------------------===//
//
// Said by a pass, shown by the proof (lib/Verify): both see these types and neither the other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Isa/Register.h"
#include "Symbolic/Given.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace rdna {

/// A sum of registers of the rewritten code, times constants: modulo 2^32 or, if the register that
/// it stands for is a pair, modulo 2^64. VGPRs count by lane.
struct Term {
  /// What of a register is added: sums of 64 bits are made of the others.
  enum class Read : uint8_t { Dword, Pair, ZeroExtended, SignExtended };
  struct Summand {
    Read read = Read::Dword;
    RegUnit reg; ///< Of a pair the lower one.
    uint64_t factor = 1;
    bool operator==(const Summand &) const = default;
  };
  std::vector<Summand> summands;
  uint64_t constant = 0;
  bool operator==(const Term &) const = default;
};

/// What a register holds where paths meet. An equation is directed: the proof puts the right side
/// in for the left one where a path starts, and compares the two where one arrives. So a register
/// stands on the left of one equation at most, hints apart.
struct Equation {
  /// Whose register the left one is. One of the rewritten code can only be a hint.
  enum class Text : uint8_t { Original, Rewritten } text = Text::Original;
  RegUnit left; ///< A VGPR or an SGPR; of a pair the lower one.
  uint8_t dwords = 1;
  Term right;
  /// In which lanes it holds, for VGPRs.
  enum class Lanes : uint8_t { Active, SwitchedOff, All } lanes = Lanes::Active;
  /// What becomes of one that a path does not show: the claim is refused (of a register that
  /// nobody needs any more nothing has to be shown if it says WhereNeeded), or the proof does
  /// without it. That is for constants, which passes believe and the proof only likes to know.
  enum class Asked : uint8_t { Always, WhereNeeded, Hint } asked = Asked::WhereNeeded;
  bool operator==(const Equation &) const = default;

  bool isHint() const { return asked == Asked::Hint; }
  /// The register of the rewritten code that holds the same, if that is all that is said.
  std::optional<Vgpr> copiedFrom() const;
};

/// "s[12:13] + zext(v5)".
std::string toString(const Term &term);

/// The value of an old VGPR is in another one.
Equation movedTo(Vgpr old, Vgpr fresh, Equation::Lanes lanes);
/// A VGPR of either text holds a constant in the active lanes.
Equation constantHint(Equation::Text text, Vgpr vgpr, uint32_t bits);
/// A 64-bit pointer in two VGPRs of the old text is a pair of SGPRs and a 32-bit offset in a VGPR.
/// All by the lower register.
Equation splitPointer(Vgpr pointer, RegUnit base, Vgpr offset);

/// A block of the old text where paths meet, and where the new text is then.
struct Point {
  /// The new text is met at one of up to so many arrivals of the old one, which follow on each
  /// other on a path all of whose branches are decided: behind a test of its own it may have that
  /// many iterations of a loop at once. Or at none: it may have code of its own for each path that
  /// comes here, and for each iteration of a loop that has this block only, whose number the proof
  /// counts.
  unsigned arrivals = 1;
  static constexpr unsigned kNone = 0;
  /// Branches that only the new text has, the first things that it does behind the synchronisation
  /// point. All of their ways are ways of the old text.
  unsigned ownBranches = 0;
  /// Of the new text; empty: the label that the old one has there.
  std::string label = {};
  /// What holds there. A register that no equation is about is in the register of its name.
  std::vector<Equation> equations = {};
  bool operator==(const Point &) const = default;
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
  /// The original accesses LDS only inside of what it declares: ways on which it would access more
  /// are not gone, and lanes that would are not on.
  LdsInBounds,
};
inline constexpr std::array kAssumptions{Assumption::NoIndexWrap, Assumption::NoSyncWithoutBarrier,
                                         Assumption::LdsInBounds};
const char *toString(Assumption assumption); ///< As `--assume` takes it.

/// The claim of a pass about one function.
struct Correspondence {
  std::string function;
  /// By index of the first instruction of a basic block of the old text (also blocks that are only
  /// reached by falling through). What is not listed is a point without equations.
  std::map<uint32_t, Point> points;
  /// The new text is the old one with code copied, other places in LDS, another size of it, other
  /// barriers: nothing else of the claim counts then. Shown for launches of full workgroups of this
  /// shape, from which all addresses of LDS must follow.
  std::optional<WorkgroupShape> rebuffered;
  /// With `rebuffered`: is memory loaded and LDS stored to in the old text's order, or may the new
  /// one do both, and what it needs for it, earlier?
  enum class Loads : uint8_t { InOrder, Ahead } loads = Loads::InOrder;
  std::set<Assumption> assumptions;
  /// Ranges of the launch: where bounds show what Assumption::NoIndexWrap says of an access, it is
  /// known, not assumed. With the assumption they only say for which launches it provably holds.
  verify::Given given;

  /// Is something of it shown by following which registers instructions name?
  bool followsRegisters() const;
  /// May the new text have code of one place of the old one several times?
  bool copiesCode() const;
};

} // namespace rdna
