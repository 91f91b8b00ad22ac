//===- Remap.h - conflict-free dual issue by new registers and a new order ===//
#pragma once

#include "Analysis/Regions.h"
#include "Code/Edit.h"
#include "Symbolic/Claim.h"
#include "Transform/Banks.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rdna {

enum class OccupancyLoss : uint8_t { Refuse, Allow };
/// What is done about parity hazards of blocks that nothing else improves.
enum class Hazards : uint8_t {
  Leave,           ///< Those of blocks that are looked at anyway go if no count gets worse.
  Repair,          ///< The same in every block.
  RepairAtAnyCost, ///< In every block, whatever it costs.
};

/// A fixed entry of the mapping: the value in `old` that a region touches first at `line`.
struct FixedMapping {
  uint32_t line = 0; ///< 0: every value of the region that lives in `old`.
  Vgpr old, fresh;
  std::string value; ///< What it is, as in MappingEntry; empty: whatever it is.
};

class SearchMemory;

struct RemapOptions {
  SplitLoads splitLoads = SplitLoads::Auto;
  OccupancyLoss occupancy = OccupancyLoss::Refuse;
  Hazards hazards = Hazards::Leave;
  unsigned workgroupSize = 0; ///< If the file does not say; 0 = unknown.
  std::vector<FixedMapping> fixedMappings;
  PlainSync plainSync = PlainSync::Possible;
  std::shared_ptr<SearchMemory> memory; ///< Of those who search more than once; may be null.
};

/// Where a value went; one entry per live range.
struct MappingEntry {
  uint32_t line = 0; ///< Where the block touches it first.
  std::string value; ///< "accumulator", "load", "input" (only read) or "temporary".
  Vgpr old, fresh;
};

/// One rewritten block.
struct RegionRewrite {
  std::vector<TextEdit> edits;
  uint32_t line = 0;
  unsigned entryMoves = 0, exitMoves = 0, entryValues = 0, exitValues = 0;
  unsigned extraLoads = 0; ///< LDS loads that tuples were split into.
  std::vector<MappingEntry> mapping;
  /// By first instruction of a block of the old text: VGPRs in other registers, and VGPRs with a
  /// known constant there.
  std::map<uint32_t, std::vector<Equation>> claims;
};

/// What happened to a block: rewritten, or left with a reason.
struct RemapOutcome {
  std::optional<RegionRewrite> rewrite;
  uint32_t line = 0;
  std::string reason; ///< Set if it was left alone.
  unsigned moves = 0; ///< Set if it was left for the moves that it would take.
  int64_t gain = 0;   ///< What ScheduleCost::primary falls by, moves paid; of a rewrite.
};

/// A block worth looking at.
struct RegionCandidate {
  uint32_t function = 0, block = 0;
  std::string name;
  uint32_t line = 0;   ///< Of the block's first instruction.
  uint32_t offset = 0; ///< Of the same, in bytes.
  unsigned fmas = 0;   ///< F32 fused multiply-adds in it.
  unsigned depth = 0;
};

/// Blocks of a function with F32 FMA work: those of innermost loops, deepest first; with a name,
/// the blocks of that loop (by header label) or between `; RDNA-BEGIN name` and `; RDNA-END name`,
/// which are among `marked`. Other code counts with two or more in a block. To repair hazards,
/// every block that has one counts.
std::vector<RegionCandidate> findCandidates(const Module &module, const Cfg &cfg,
                                            llvm::ArrayRef<Region> marked,
                                            const std::string &region, Hazards hazards);

/// Rewrites one block. `Failure::Refused` only for contradictions in the user's own constraints.
llvm::Expected<RemapOutcome> remapBlock(const Module &module, uint32_t function, uint32_t block,
                                        const RemapOptions &options);

} // namespace rdna
