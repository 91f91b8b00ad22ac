// Loop after loop: one that loads, stores and uses a tile in one step does the first two steps
// ahead.

#include "Pipeline/LdsRoom.h"
#include "Pipeline/LoopForms.h"
#include "Pipeline/Passes.h"
#include "Transform/PrefetchLoop.h"
#include "Transform/TileStages.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace rdna {
namespace {

/// What is made of a loop.
struct WantedStages {
  TileRings rings;
  std::string words;
  /// Who says why a loop that is a step ahead already stays as it is?
  enum class Ahead : uint8_t { We, Others } ahead;
};

class StagePass {
public:
  /// `wantedOf`: nothing where a loop is not to be made in stages.
  StagePass(const PassSite &site, PassState &state,
            llvm::function_ref<std::optional<WantedStages>(const Loop &)> wantedOf)
      : site_(site), state_(state), wantedOf_(wantedOf) {}

  PassResult run() {
    for (uint32_t l = 0; l < site_.cfg.loops.size(); ++l) {
      const Loop &loop = site_.cfg.loops[l];
      if (!site_.wants(l) || loop.label.empty() || isBufferLabel(loop.label) ||
          isAheadLabel(loop.label) || isBehindAhead(site_.module, loop) ||
          !state_.seen.insert("stages " + loop.label).second)
        continue;
      std::optional<WantedStages> wanted = wantedOf_(loop);
      if (!wanted)
        continue;
      wanted_ = std::move(*wanted);
      const StageOutcome found = findStages(site_.module, site_.cfg, l);
      if (found.left && wanted_.ahead == WantedStages::Ahead::We)
        leave(found.left->line, loop, found.left->reason);
      if (!found.staged)
        continue;
      const TileLoopOutcome tile = findTileLoop(site_.module, site_.cfg, *found.staged);
      if (tile.left && !(wanted_.ahead == WantedStages::Ahead::Others &&
                         tile.shape == TileLoopOutcome::Shape::Ahead))
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
        line, fmt::format("{} is not made in {}: {}", loop.label, wanted_.words, reason),
        Severity::Remark));
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
      return refuse(line, std::string(kNoShape));
    const uint32_t lds = ldsBytesOf(function);
    TileStagesOutcome outcome =
        stageTiles(site_.module, site_.cfg, tile, wanted_.rings, lds, firstFreeVgpr(site_));
    if (outcome.left)
      return refuse(outcome.left->line, outcome.left->reason);
    TileStages &rewrite = *outcome.rewrite;
    const uint32_t needed = neededLds(rewrite);
    if (needed > kMostLds)
      return refuse(line, fmt::format("{} buffers are {} bytes of LDS, a workgroup can have {}",
                                      wanted_.rings.buffers, needed, kMostLds));
    const unsigned items = (*shape)[0] * (*shape)[1] * (*shape)[2];
    const Room room = roomWith(function, items, needed, rewrite.vgprs);
    if (const auto why = whyTooFewWaves(
            site_, room,
            fmt::format("{} instead of {} bytes of LDS and {} VGPRs", needed, lds, rewrite.vgprs)))
      return refuse(line, *why);
    if (const auto why = whyTooLong(site_, rewrite.bytes))
      return refuse(line, *why);
    if (needed != lds && !resizeLds(function, needed, rewrite.edits))
      return refuse(line, "the size of LDS is no number in the descriptor");
    if (!requireShape(site_.module, function, *shape, rewrite.edits))
      return refuse(line, std::string(kNoMetadata));
    return proposalOf(loop, tile, rewrite, *shape, room);
  }

  Proposal proposalOf(const Loop &loop, const TileLoop &tile, TileStages &rewrite,
                      const WorkgroupShape &shape, const Room &room) {
    const uint32_t lds = ldsBytesOf(site_.function()), needed = neededLds(rewrite);
    const unsigned stored = wanted_.rings.storedAhead(), loaded = wanted_.rings.loadedAhead();
    const unsigned barriers = wanted_.rings.buffers > 1 ? 1 : 2;
    Proposal proposal;
    proposal.edits = std::move(rewrite.edits);
    claimRebuffered(site_, shape, proposal);
    proposal.claim.loads = Correspondence::Loads::Ahead;
    proposal.vgprs = rewrite.vgprs;
    proposal.sgprs = rewrite.sgprs;
    proposal.what = fmt::format("making {} in {}", loop.label, wanted_.words);
    proposal.line = site_.module.instructions()[tile.filled].line;
    StepReport &report = *proposal.report;
    report.name = loop.label;
    report.add("buffers", uint64_t(wanted_.rings.buffers));
    report.add("tiles_in_registers", uint64_t(wanted_.rings.sets));
    report.add("lds_bytes_before", lds);
    report.add("lds_bytes_after", needed);
    report.add("waves_per_simd_before", room.before);
    report.add("waves_per_simd_after", room.after);
    report.add("vgprs_of_tiles", uint64_t(rewrite.registers));
    report.add("instructions_copied", rewrite.instructions);
    report.add("offsets_changed", rewrite.offsets);
    report.add("address_additions", rewrite.additions);
    report.add("barriers_before", 2u);
    report.add("barriers_after", barriers);
    report.summary = fmt::format(
        "{} LDS buffer{}, tiles loaded {} {} ahead, barriers a step 2 -> {}, LDS {} -> {} bytes, "
        "waves per SIMD {} -> {}, {} more VGPRs, {} instructions copied, {} address additions",
        wanted_.rings.buffers, wanted_.rings.buffers == 1 ? "" : "s",
        stored == loaded ? "and stored" : fmt::format("{} steps ahead, stored", loaded),
        stepWords(stored), barriers, lds, needed, room.before, room.after, rewrite.registers,
        rewrite.instructions, rewrite.additions);
    return proposal;
  }
  static std::string stepWords(unsigned steps) {
    return steps == 1 ? "a step" : fmt::format("{} steps", steps);
  }
  uint32_t neededLds(const TileStages &rewrite) const {
    return rewrite.distance * (wanted_.rings.buffers - 1) + ldsBytesOf(site_.function());
  }

  const PassSite &site_;
  PassState &state_;
  const llvm::function_ref<std::optional<WantedStages>(const Loop &)> wantedOf_;
  WantedStages wanted_ = {}; ///< Of the loop that is looked at.
};

} // namespace

/// Of what has been looked at: no fill is left to write out.
static const std::string kFilled = "fills";

llvm::Expected<PassResult> stageLoops(const PassSite &site, PassState &state) {
  if (state.last == PassState::Last::Kept && state.seen.contains(kFilled)) // Steps are other loops.
    return PassResult{};
  const auto buffers = static_cast<unsigned>(site.values.number("stages"));
  const WantedStages wanted{{buffers, 1, static_cast<StepOrder>(site.values.number("order"))},
                            fmt::format("{} stages", buffers),
                            WantedStages::Ahead::We};
  const auto next = [&](const PassSite &at, PassState &of) {
    return StagePass(at, of, [&](const Loop &) { return std::optional(wanted); }).run();
  };
  if (PassResult result = writeOutFills(site, state); result.proposal)
    return result;
  state.seen.insert(kFilled);
  if (PassResult result = mergeFills(site, state, next); result.proposal)
    return result;
  return next(site, state);
}

PassResult stageTileLoops(const PassSite &site, PassState &state) {
  const auto wantedOf = [&](const Loop &loop) -> std::optional<WantedStages> {
    const auto form = tileFormOf(site, loop);
    if (!form || form->saysNothing())
      return std::nullopt;
    const unsigned buffers = std::max(form->lds, 1u), sets = std::max(form->vgpr, 1u);
    const bool isLast = buffers == 1 && sets == 1; // Other parts have nothing to do.
    return WantedStages{{buffers, sets, form->order},
                        fmt::format("lds:{},vgpr:{}", buffers, sets),
                        isLast ? WantedStages::Ahead::We : WantedStages::Ahead::Others};
  };
  return StagePass(site, state, wantedOf).run();
}

} // namespace rdna
