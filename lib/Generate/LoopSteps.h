//===- LoopSteps.h - the steps of an outer product, written out -----------===//
#pragma once

#include "Generate/Listing.h"
#include "Generate/TilePlan.h"

#include <functional>

namespace rdna::generate {

/// Where one side's elements are in LDS.
struct LdsSide {
  Interleave interleave;
  unsigned stride = 0; ///< Bytes from step to step.
  Vgpr address;        ///< Of the lane's first element.
  Vgpr lastAddress;    ///< Of its last one, if the number is odd.
  unsigned widest = 2; ///< Dwords of a load: 4 where groups of four are in neighbouring registers.
};
/// Where they are in memory, for scalar loads.
struct ScalarSide {
  unsigned stride = 0;
  unsigned base = 0; ///< An SGPR pair, or the first of a buffer's four.
  /// An SGPR pair's address and a constant stride; or a buffer whose base advances by an SGPR's
  /// number of bytes with every step, because the stride is known at run time only.
  enum class Kind { Address, Buffer } kind = Kind::Address;
  unsigned advance = 0; ///< That SGPR.
};

struct LoopSides {
  LdsSide a, b;
  ScalarSide scalarA;
};

/// What the kernel does beside the FMACs of a step; behind the loads of its elements.
using BesideStep = std::function<void(Listing &out, unsigned step)>;

/// The elements of one step, from the place that they have in step `at` (another one in a loop).
void loadStep(Listing &out, const TilePlan &plan, const LoopSides &sides, unsigned step,
              unsigned at);

/// A's elements of a step into SGPRs; the buffer's base goes on to the next step.
void loadScalars(Listing &out, const TilePlan &plan, const ScalarSide &side, unsigned step,
                 unsigned at);

/// All steps. What is in flight of lgkmcnt when it begins is waited for. It ends with nothing under
/// way, and with the corner where it was at the start if `corner` says so.
enum class CornerAtEnd { Stays, Home };
void writeSteps(Listing &out, const TilePlan &plan, const LoopSides &sides, unsigned steps,
                CornerAtEnd corner, const BesideStep &beside);

} // namespace rdna::generate
