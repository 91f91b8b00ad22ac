// Loop after loop; a loop that has two buffers already is left alone.

#include "Code/Edit.h"
#include "Pipeline/LdsRoom.h"
#include "Pipeline/LoopForms.h"
#include "Pipeline/Passes.h"
#include "Transform/PrefetchLoop.h"
#include "Transform/SecondBuffer.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace rdna {
namespace {

class Pipeliner {
public:
  Pipeliner(const PassSite &site, PassState &state) : site_(site), state_(state) {}

  PassResult run() {
    if (isForBuffers(*tileFormOf(site_, {})))
      remarkBuffersOutside();
    for (uint32_t l = 0; l < site_.cfg.loops.size(); ++l) {
      const Loop &loop = site_.cfg.loops[l];
      if (!site_.wants(l) || loop.label.empty() || hasTwoBuffers(loop) ||
          isBehindAhead(site_.module, loop) || !state_.seen.insert(loop.label).second)
        continue;
      const auto form = tileFormOf(site_, loop);
      if (!form || !isForBuffers(*form))
        continue;
      form_ = *form;
      const StageOutcome found = findStages(site_.module, site_.cfg, l);
      if (found.left)
        leave(found.left->line, loop, found.left->reason);
      if (!found.staged || hasInner(l))
        continue;
      if (auto proposal = propose(loop, *found.staged))
        return PassResult{std::move(*proposal)};
    }
    return {};
  }

private:
  /// Where nothing is said, a second buffer is what pays.
  static bool isForBuffers(const TileForm &form) { return form.saysNothing() || form.lds > 1; }

  void leave(uint32_t line, const Loop &loop, const std::string &reason) {
    state_.remarks.push_back(site_.module.atLine(
        line, fmt::format("{} is not pipelined: {}", loop.label, reason), Severity::Remark));
  }

  /// Rule 2, for what is filled in no loop.
  void remarkBuffersOutside() {
    const Function &function = site_.function();
    const Instruction *barrier = nullptr;
    bool isInLoop = false, loads = false, stores = false;
    for (uint32_t i = function.first; i < function.last; ++i) {
      const Instruction &inst = site_.module.instructions()[i];
      if (inst.unit == Unit::Barrier) {
        isInLoop |= site_.cfg.loopOf(site_.cfg.blockOf(i)).has_value();
        barrier = barrier ? barrier : &inst;
      }
      loads |= accessesLds(inst) && inst.memory == MemoryEffect::Load;
      stores |= accessesLds(inst) && inst.memory == MemoryEffect::Store;
    }
    if (barrier && loads && stores && !isInLoop && state_.seen.insert("").second)
      state_.remarks.push_back(site_.module.at(
          *barrier,
          fmt::format("'{}' is not pipelined: rule 2: no loop has the barriers of its LDS buffer",
                      function.name),
          Severity::Remark));
  }

  /// A loop of an earlier round.
  bool hasTwoBuffers(const Loop &loop) const {
    const Function &function = site_.function();
    return llvm::any_of(site_.module.labels(), [&](const Label &label) {
      return label.instruction >= function.first && label.instruction < function.last &&
             isBufferLabel(label.name) && loop.contains(site_.cfg.blockOf(label.instruction));
    });
  }

  /// Of nested loops the inner one that has the barriers is the one.
  bool hasInner(uint32_t l) const {
    for (const uint32_t child : site_.cfg.loops[l].children)
      if (findStages(site_.module, site_.cfg, child).staged)
        return true;
    return false;
  }

  std::optional<Proposal> propose(const Loop &loop, const StagedLoop &staged) {
    const Function &function = site_.function();
    const uint32_t line = site_.module.instructions()[staged.barriers.front()].line;
    if (staged.noTurn) {
      leave(staged.noTurn->line, loop, staged.noTurn->reason);
      return std::nullopt;
    }
    const auto shape = shapeOf(site_);
    if (!shape) {
      leave(line, loop, std::string(kNoShape));
      return std::nullopt;
    }
    if (form_.lds > 2) {
      leave(line, loop,
            "a loop that loads its tiles a step ahead gets a second buffer, not more: "
            "--pipeline=lds:2");
      return std::nullopt;
    }
    if (form_.order != StepOrder::LoadUseStore) {
      leave(line, loop, std::string(kOrderStays));
      return std::nullopt;
    }
    const uint32_t lds = ldsBytesOf(function);
    SecondBufferOutcome outcome = addBuffer(site_.module, site_.cfg, staged, lds);
    // Turns cost instructions in every step, so they are for where there is no copy, or too long a
    // one.
    const auto mostBytes = site_.values.number("max-code-bytes");
    std::string notTurned;
    if (outcome.left || outcome.rewrite->bytes * 2 > mostBytes) {
      SecondBufferOutcome turned = turnBuffers(site_.module, site_.cfg, staged, lds);
      if (turned.rewrite)
        outcome = std::move(turned);
      else
        notTurned = fmt::format("; addresses are not turned instead: {}", turned.left->reason);
    }
    if (outcome.left) {
      leave(outcome.left->line, loop, outcome.left->reason + notTurned);
      return std::nullopt;
    }
    SecondBuffer &rewrite = *outcome.rewrite;
    const uint32_t needed = rewrite.distance + lds;
    const unsigned items = (*shape)[0] * (*shape)[1] * (*shape)[2];
    const Room room = roomWith(function, items, needed, 0);
    if (needed > kMostLds) {
      leave(line, loop,
            fmt::format("two buffers are {} bytes of LDS, a workgroup can have {}", needed,
                        kMostLds));
      return std::nullopt;
    }
    if (const auto why = whyTooFewWaves(
            site_, room, fmt::format("{} instead of {} bytes of LDS", needed, lds))) {
      leave(line, loop, *why);
      return std::nullopt;
    }
    if (rewrite.bytes * 2 > mostBytes) {
      leave(line, loop,
            fmt::format("with a copy it would be {} bytes of code, more than {} "
                        "(--max-code-bytes){}",
                        rewrite.bytes * 2, mostBytes, notTurned));
      return std::nullopt;
    }
    if (!resizeLds(function, needed, rewrite.edits)) {
      leave(line, loop, "the size of LDS is no number in the descriptor");
      return std::nullopt;
    }
    if (!requireShape(site_.module, function, *shape, rewrite.edits)) {
      leave(line, loop, std::string(kNoMetadata));
      return std::nullopt;
    }
    return proposalOf(loop, staged, rewrite, *shape, room);
  }

  Proposal proposalOf(const Loop &loop, const StagedLoop &staged, SecondBuffer &rewrite,
                      const WorkgroupShape &shape, const Room &room) {
    const uint32_t lds = ldsBytesOf(site_.function());
    Proposal proposal;
    proposal.edits = std::move(rewrite.edits);
    claimRebuffered(site_, shape, proposal);
    // Loads of further tiles are in flight at the barrier that goes; pairs are halves in the copy.
    if (isAheadLabel(loop.label) || rewrite.takenApart > 0)
      proposal.claim.loads = Correspondence::Loads::Ahead;
    proposal.what = fmt::format("pipelining {}", loop.label);
    proposal.line = site_.module.instructions()[staged.barriers.front()].line;
    StepReport &report = *proposal.report;
    report.name = loop.label;
    report.add("buffers", uint64_t(2));
    report.add("lds_bytes_before", lds);
    report.add("lds_bytes_after", rewrite.distance + lds);
    report.add("waves_per_simd_before", room.before);
    report.add("waves_per_simd_after", room.after);
    report.add("instructions_copied", rewrite.instructions);
    report.add("offsets_changed", rewrite.offsets);
    report.add("address_additions", rewrite.additions);
    report.add("addresses_turned", rewrite.turns);
    report.add("pairs_taken_apart", rewrite.takenApart);
    const auto fewer = static_cast<unsigned>(staged.allBarriers - staged.barriers.size());
    report.add("barriers_before", staged.allBarriers);
    report.add("barriers_after", fewer);
    report.summary = fmt::format(
        "two LDS buffers, barriers in the loop {} -> {}, LDS {} -> {} bytes, waves per SIMD {} -> "
        "{}, {}",
        staged.allBarriers, fewer, lds, rewrite.distance + lds, room.before, room.after,
        rewrite.turns > 0 ? fmt::format("which take turns by {} v_xor_b32 in a step", rewrite.turns)
                          : fmt::format("{} instructions copied, {} address additions in two steps",
                                        rewrite.instructions, rewrite.additions));
    if (rewrite.takenApart > 0)
      report.summary +=
          fmt::format(", {} of them halves of pairs with a parity hazard", 2 * rewrite.takenApart);
    return proposal;
  }

  const PassSite &site_;
  PassState &state_;
  TileForm form_ = {}; ///< Of the loop that is looked at.
};

} // namespace

/// All that comes behind fills.
static PassResult pipelineFilled(const PassSite &site, PassState &state) {
  if (PassResult result = stageTileLoops(site, state); result.proposal)
    return result;
  if (PassResult result = prefetchTiles(site, state); result.proposal)
    return result;
  return Pipeliner(site, state).run();
}

llvm::Expected<PassResult> pipelineLoops(const PassSite &site, PassState &state) {
  enum class Level : uint8_t { Fills, Stages, Registers, Buffer, Done };
  struct Levels {
    Level at = Level::Fills;
  };
  Level &level = state.memory<Levels>().at;
  if (level == Level::Fills) {
    if (state.last == PassState::Last::None)
      remarkUnusedForms(site, state);
    if (PassResult result = writeOutFills(site, state); result.proposal)
      return result;
    if (PassResult result = mergeFills(site, state, pipelineFilled); result.proposal)
      return result;
    level = Level::Stages;
  }
  if (level == Level::Stages) {
    if (PassResult result = stageTileLoops(site, state); result.proposal)
      return result;
    level = Level::Registers;
  }
  if (level == Level::Registers) {
    if (PassResult result = prefetchTiles(site, state); result.proposal)
      return result;
    level = Level::Buffer;
  }
  if (level == Level::Buffer)
    if (PassResult result = Pipeliner(site, state).run(); result.proposal)
      return result;
  level = Level::Done;
  return PassResult{};
}

} // namespace rdna
