// Loop after loop: one that loads, stores and uses a tile in one step does the first two steps
// ahead.

#include "Pipeline/LdsRoom.h"
#include "Pipeline/Passes.h"
#include "Transform/TileStages.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace rdna {
namespace {

class StagePass {
public:
  StagePass(const PassSite &site, PassState &state)
      : site_(site), state_(state), buffers_(static_cast<unsigned>(site.values.number("stages"))) {}

  PassResult run() {
    for (uint32_t l = 0; l < site_.cfg.loops.size(); ++l) {
      const Loop &loop = site_.cfg.loops[l];
      if (!site_.wants(l) || loop.label.empty() || isBufferLabel(loop.label) ||
          !state_.seen.insert(loop.label).second)
        continue;
      const StageOutcome found = findStages(site_.module, site_.cfg, l);
      if (found.left)
        leave(found.left->line, loop, found.left->reason);
      if (!found.staged)
        continue;
      const TileLoopOutcome tile = findTileLoop(site_.module, site_.cfg, *found.staged);
      if (tile.left)
        leave(tile.left->line, loop, tile.left->reason);
      if (!tile.tile)
        continue;
      if (auto proposal = propose(loop, *tile.tile))
        return PassResult{std::move(*proposal)};
    }
    return {};
  }

private:
  void leave(uint32_t line, const Loop &loop, const std::string &reason) {
    state_.remarks.push_back(site_.module.atLine(
        line, fmt::format("{} is not made in {} stages: {}", loop.label, buffers_, reason),
        Severity::Remark));
  }

  /// Behind all that the kernel names.
  unsigned firstFreeVgpr() const {
    const Function &function = site_.function();
    unsigned free = 0;
    for (uint32_t i = function.first; i < function.last; ++i)
      for (const RegAccess &access : site_.module.instructions()[i].accesses)
        if (access.reg.first.isVgpr())
          free = std::max<unsigned>(free, access.reg.first.number() + access.reg.dwords);
    return free;
  }

  std::optional<Proposal> propose(const Loop &loop, const TileLoop &tile) {
    const Function &function = site_.function();
    const uint32_t line = site_.module.instructions()[tile.filled].line;
    const auto refuse = [&](uint32_t at, const std::string &reason) {
      leave(at, loop, reason);
      return std::optional<Proposal>();
    };
    const auto shape = shapeOf(site_);
    if (!shape)
      return refuse(line, "the workgroup's shape is not known, from which the addresses in LDS "
                          "follow (.reqd_workgroup_size, or --block, and with several dimensions "
                          "--given 'workitem_id_x<32' for each)");
    const uint32_t lds = ldsBytesOf(function);
    TileStagesOutcome outcome =
        stageTiles(site_.module, site_.cfg, tile, buffers_, lds, firstFreeVgpr());
    if (outcome.left)
      return refuse(outcome.left->line, outcome.left->reason);
    TileStages &rewrite = *outcome.rewrite;
    const uint32_t needed = rewrite.distance * (buffers_ - 1) + lds;
    if (needed > kMostLds)
      return refuse(line, fmt::format("{} buffers are {} bytes of LDS, a workgroup can have {}",
                                      buffers_, needed, kMostLds));
    const unsigned items = (*shape)[0] * (*shape)[1] * (*shape)[2];
    const Room room = roomWith(function, items, needed, rewrite.vgprs);
    if (room.after < room.before && site_.request.occupancy == OccupancyLoss::Refuse)
      return refuse(line, fmt::format("with {} instead of {} bytes of LDS and {} VGPRs there would "
                                      "be {} instead of {} waves per SIMD "
                                      "(--allow-occupancy-loss)",
                                      needed, lds, rewrite.vgprs, room.after, room.before));
    const auto mostBytes = site_.values.number("max-code-bytes");
    if (rewrite.bytes > mostBytes)
      return refuse(line, fmt::format("the copies would be {} bytes of code, more than {} "
                                      "(--max-code-bytes)",
                                      rewrite.bytes, mostBytes));
    if (!resizeLds(function, needed, rewrite.edits))
      return refuse(line, "the size of LDS is no number in the descriptor");
    if (!requireShape(site_.module, function, *shape, rewrite.edits))
      return refuse(line, "the kernel's metadata has no line '.group_segment_fixed_size', behind "
                          "which it could say which workgroups are required");
    return proposalOf(loop, tile, rewrite, *shape, room);
  }

  Proposal proposalOf(const Loop &loop, const TileLoop &tile, TileStages &rewrite,
                      const WorkgroupShape &shape, const Room &room) {
    const uint32_t lds = ldsBytesOf(site_.function()),
                   needed = rewrite.distance * (buffers_ - 1) + lds;
    Proposal proposal;
    proposal.edits = std::move(rewrite.edits);
    proposal.claim.rebuffered = shape;
    proposal.claim.loads = Correspondence::Loads::Ahead;
    proposal.vgprs = rewrite.vgprs;
    if (!site_.function().requiredWorkgroupSize)
      proposal.claim.given.said.push_back(
          fmt::format("workgroup = {}x{}x{}", shape[0], shape[1], shape[2]));
    proposal.what = fmt::format("making {} in {} stages", loop.label, buffers_);
    proposal.line = site_.module.instructions()[tile.filled].line;
    StepReport &report = *proposal.report;
    report.name = loop.label;
    report.add("buffers", uint64_t(buffers_));
    report.add("lds_bytes_before", lds);
    report.add("lds_bytes_after", needed);
    report.add("waves_per_simd_before", room.before);
    report.add("waves_per_simd_after", room.after);
    report.add("vgprs_of_tiles", uint64_t(tile.carried.size()));
    report.add("instructions_copied", rewrite.instructions);
    report.add("offsets_changed", rewrite.offsets);
    report.add("address_additions", rewrite.additions);
    report.add("barriers_before", 2u);
    report.add("barriers_after", 1u);
    report.summary = fmt::format(
        "{} LDS buffers, tiles loaded and stored {} ahead, barriers a step 2 -> 1, LDS {} -> {} "
        "bytes, waves per SIMD {} -> {}, {} more VGPRs, {} instructions copied, {} address "
        "additions",
        buffers_, buffers_ - 1 == 1 ? "a step" : fmt::format("{} steps", buffers_ - 1), lds, needed,
        room.before, room.after, tile.carried.size(), rewrite.instructions, rewrite.additions);
    return proposal;
  }

  const PassSite &site_;
  PassState &state_;
  const unsigned buffers_;
};

} // namespace

llvm::Expected<PassResult> stageLoops(const PassSite &site, PassState &state) {
  if (state.last == PassState::Last::Kept) // Steps are other loops now.
    return PassResult{};
  return StagePass(site, state).run();
}

} // namespace rdna
