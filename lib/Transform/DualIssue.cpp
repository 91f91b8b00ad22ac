#include "Transform/DualIssue.h"

#include "Code/Compose.h"
#include "Transform/DualIssueEdits.h"
#include "Transform/FactorCopies.h"
#include "Transform/PairedFunction.h"
#include "Transform/Recolour.h"
#include "Transform/SumParities.h"
#include "Transform/TupleBanks.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace rdna {

namespace {

using Recolouring = DualIssueOptions::Recolouring;

class DualIssue {
public:
  DualIssue(const PassSite &site, SplitLoads split)
      : site_(site), split_(split), module_(site.module), cfg_(site.cfg),
        liveness_(computeLiveness(site.module, site.cfg)),
        webs_(findWebs(site.module, site.cfg, liveness_)), invocations_(site.module),
        function_(module_, cfg_, webs_, findFixed()) {}

  /// Where values may go: everywhere, or nowhere if that could not be proven.
  enum class Moves : uint8_t { Allowed, Refused };

  Candidate asItIs() const { return function_.asItIs(); }

  /// The best way that is in nothing worse than `old`; without registers if there is none.
  Candidate best(Moves moves, const Candidate &old) const {
    Candidate best = *function_.pairAll(registersAtHome(webs_));
    if (isWorse(best, old))
      best = {};
    std::vector<std::vector<Vgpr>> seen{webs_.home};
    for (size_t way = 0; moves == Moves::Allowed && mayMove() && way < 2 * kWays; ++way) {
      const Pairing &left = best.registers.of.empty() ? old.pairing : best.pairing;
      if (left.singleFmas <= 1 && left.conflicts == 0 && !best.registers.of.empty())
        break;
      if (way >= kTuplesWay && !isMuchLeft(left))
        break;
      if (way == kWays && !hasProducts())
        break;
      Registers chosen = chosenRegisters(way);
      if (llvm::is_contained(seen, chosen.of))
        continue;
      seen.push_back(chosen.of);
      std::optional<Candidate> moved =
          function_.pairAll(std::move(chosen), best.registers.of.empty() ? old.cost : best.cost);
      if (!moved || (split_ == SplitLoads::Never && moved->extraLoads != 0))
        continue;
      if (!isWorse(*moved, old))
        best = *std::move(moved);
    }
    return best;
  }

  /// That with other registers for what is left.
  Candidate recoloured(Candidate best, Moves moves, const Candidate &old) const {
    if (moves == Moves::Refused || !mayMove())
      return best;
    return recolour({module_, cfg_, liveness_, webs_, budget()}, function_,
                    best.registers.of.empty() ? asItIs() : std::move(best), old);
  }

  /// What writes it so, if it costs less than `old`.
  struct Found {
    Proposal proposal;
    uint64_t cost;
    Pairing left;
  };
  std::optional<Found> written(const Candidate &best, const Candidate &old) const {
    if (best.registers.of.empty() || best.cost >= old.cost)
      return std::nullopt;
    auto edits = editsOf(module_, cfg_, webs_, invocations_, best);
    if (!edits || edits->empty())
      return std::nullopt;
    return Found{propose(best, old.pairing, std::move(*edits)), best.cost, best.pairing};
  }

  /// The function with as many sums in even registers as in odd ones, whatever that costs now.
  std::optional<Proposal> balanced(const Candidate &old) const {
    std::vector<uint64_t> weights;
    for (uint32_t b = 0; b < cfg_.blocks.size(); ++b)
      weights.push_back(weightOf(cfg_, b));
    const Candidate moved = *function_.pairAll(
        balanceSums({module_, cfg_, liveness_, webs_, budget(), Products::OfFmacs}, weights));
    if (moved.registers.of == webs_.home || moved.pairing.illegal != 0)
      return std::nullopt;
    auto edits = editsOf(module_, cfg_, webs_, invocations_, moved);
    if (!edits || edits->empty())
      return std::nullopt;
    Proposal proposal = propose(moved, old.pairing, std::move(*edits));
    proposal.price = Price::Anything;
    return proposal;
  }

  /// Values change their registers everywhere or nowhere.
  bool mayMove() const {
    return site_.request.region.empty() && cfg_.calls.empty() &&
           !whereUnnamedRegisters(module_, site_.function());
  }

  std::optional<FactorCopies> withCopies(CopyOf which, unsigned uses, unsigned parity) const {
    return copyFactors(module_, cfg_, liveness_,
                       {site_.wantedBlocks(), which, budget(), uses, parity});
  }

  /// Where sides do for nearly all FMAs, dearer ways do not for the rest.
  bool isMuchLeft(const Pairing &left) const {
    constexpr size_t kFew = 8;
    size_t fmas = 0;
    for (const Block &block : cfg_.blocks)
      for (uint32_t i = block.first; i < block.last; ++i)
        fmas += static_cast<size_t>(llvm::count_if(
            laneOps(module_.instructions()[i]), [](const LaneOp &op) { return isVopdFma(op.op); }));
    return kFew * (size_t{left.singleFmas} + left.conflicts) >= fmas;
  }

private:
  /// Ways to choose registers, those that most kernels need first: factors by sides, as tiles want
  /// them, then tuples as wholes; all once more for plain products as well.
  static constexpr std::pair<MovedValues, Neighbours> kSides[] = {
      {MovedValues::Factors, Neighbours::Aligned},
      {MovedValues::FactorsAndRows, Neighbours::Aligned},
      {MovedValues::FactorsAndCouples, Neighbours::Aligned},
      {MovedValues::FactorsAndCouples, Neighbours::Alternating},
      {MovedValues::Couples, Neighbours::Aligned}};
  static constexpr size_t kTuplesWay = std::size(kSides), kWays = kTuplesWay + 1;

  /// Has the function products that no FMAC makes?
  bool hasProducts() const {
    const auto count = [&](Products products) {
      return findFmacs({module_, cfg_, liveness_, webs_, 0, products}).size();
    };
    return count(Products::All) != count(Products::OfFmacs);
  }

  Registers chosenRegisters(size_t way) const {
    const FactorSite site{module_, cfg_,     liveness_,
                          webs_,   budget(), way < kWays ? Products::OfFmacs : Products::All};
    if (way % kWays == kTuplesWay)
      return moveTuples(site);
    const auto &[which, neighbours] = kSides[way % kWays];
    return chooseBanks(site, which, neighbours);
  }

  /// Operations that cannot be written elsewhere, by instruction.
  FixedOps findFixed() const {
    const uint32_t first = cfg_.blocks.front().first, last = cfg_.blocks.back().last;
    FixedOps fixed{std::vector<uint8_t>(last - first, 0), {}};
    std::map<uint32_t, bool> stays;
    std::vector<uint8_t> wanted(cfg_.blocks.size(), 0);
    for (const uint32_t b : site_.wantedBlocks())
      wanted[b] = cfg_.loopOf(b) || hasFma(cfg_.blocks[b]);
    for (uint32_t i = first; i < last; ++i) {
      const Instruction &inst = module_.instructions()[i];
      if (!wanted[cfg_.blockOf(i)])
        fixed.atHome[i - first] = 1;
      if (inst.origin != Instruction::Origin::Macro)
        continue;
      const auto [it, isNew] = stays.try_emplace(inst.line);
      if (isNew)
        it->second = !invocations_.find(inst.line);
      for (const Operand &operand : inst.operands)
        it->second |= operand.kind == Operand::Kind::Expression;
    }
    // With other registers a pair may have to fall apart anywhere.
    fixed.moving = fixed.atHome;
    for (uint32_t i = first; i < last; ++i)
      if (module_.instructions()[i].isVopd())
        fixed.moving[i - first] = 0;
    for (uint32_t i = first; i < last; ++i) {
      const Instruction &inst = module_.instructions()[i];
      if (const auto it = stays.find(inst.line);
          inst.origin == Instruction::Origin::Macro && it != stays.end() && it->second)
        fixed.atHome[i - first] = fixed.moving[i - first] = 1;
    }
    return fixed;
  }

  bool hasFma(const Block &block) const {
    for (uint32_t i = block.first; i < block.last; ++i)
      for (const LaneOp &lane : laneOps(module_.instructions()[i]))
        if (isVopdFma(lane.op))
          return true;
    return false;
  }

  unsigned budget() const {
    constexpr unsigned kAll = 256;
    const Function &function = site_.function();
    if (!function.isKernel() || site_.request.occupancy == OccupancyLoss::Allow)
      return kAll;
    const unsigned size = site_.request.workgroupSize;
    return vgprBudget(occupancyQuery(function, size == 0 ? std::nullopt : std::optional(size)));
  }

  Proposal propose(const Candidate &best, const Pairing &old, std::vector<TextEdit> edits) const {
    Proposal proposal;
    proposal.edits = std::move(edits);
    unsigned moved = 0, highest = 0;
    for (WebId w = 0; w < webs_.home.size(); ++w) {
      moved += !best.registers.isHome(webs_, w);
      highest = std::max(highest, best.registers.of[w].number + 1u);
    }
    proposal.vgprs = moved == 0 ? 0 : highest;
    if (moved != 0)
      claimRegisters(cfg_, webs_, best.registers, proposal.claim);
    proposal.cleanup = Cleanup::TransGaps;
    StepReport &report = *proposal.report;
    report.summary = fmt::format(
        "VALU {} -> {}, single FMACs {} -> {}, conflicts {} -> {}, hazards {} -> {}, {} values in "
        "other registers, {} more LDS loads",
        old.issues, best.pairing.issues, old.singleFmas, best.pairing.singleFmas, old.conflicts,
        best.pairing.conflicts, old.hazards, best.pairing.hazards, moved, best.extraLoads);
    report.add("valu_before", old.issues);
    report.add("valu_after", best.pairing.issues);
    report.add("single_fmac_before", old.singleFmas);
    report.add("single_fmac_after", best.pairing.singleFmas);
    report.add("conflicts_before", old.conflicts);
    report.add("conflicts_after", best.pairing.conflicts);
    report.add("values_moved", moved);
    report.add("lds_loads_added", best.extraLoads);
    return proposal;
  }

  const PassSite &site_;
  const SplitLoads split_;
  const Module &module_;
  const Cfg &cfg_;
  const Liveness liveness_;
  const FunctionWebs webs_;
  const Invocations invocations_;
  const PairedFunction function_;
};

/// The claim of a rewrite of a text that has the same blocks in other places.
void moveClaim(const Cfg &from, const Cfg &to, Correspondence &claim) {
  std::map<uint32_t, Point> moved;
  for (size_t b = 0; b < from.blocks.size(); ++b)
    if (const auto at = claim.points.find(from.blocks[b].first); at != claim.points.end())
      moved.emplace(to.blocks[b].first, std::move(at->second));
  claim.points = std::move(moved);
}

/// A text in which factors have copies.
struct Copying {
  CopyOf which;
  unsigned uses, parity; ///< So many uses make a copy worth it; the parity of the first.
  std::string_view what;
};

/// The pass on the text as it is, and on texts in which factors have copies.
class CopyChoice {
public:
  CopyChoice(const PassSite &site, SplitLoads split, DualIssue::Moves moves)
      : site_(site), split_(split), moves_(moves), plain_(site, split), old_(plain_.asItIs()) {}

  std::optional<Proposal> run(Recolouring recolouring) {
    Candidate plain = plain_.best(moves_, old_);
    best_ = plain_.written(plain, old_);
    std::optional<Copying> kept;
    if (plain_.mayMove())
      for (const Copying &copying : kCopyings)
        if (isWorthATry(copying) && tryCopies(copying, Recolouring::No))
          kept = copying;
    // May take as long as all the rest, so only the best text gets it.
    if (recolouring == Recolouring::Yes && kept)
      tryCopies(*kept, Recolouring::Yes);
    else if (recolouring == Recolouring::Yes)
      takeIfBetter(plain_.written(plain_.recoloured(std::move(plain), moves_, old_), old_));
    if (!best_)
      return std::nullopt;
    return std::move(best_->proposal);
  }

private:
  /// A value that has few uses may cost more than their partners are worth, and which registers
  /// give partners depends on all others, so several ways are tried. A second register for a factor
  /// of scalars costs as much as two pairs save at most, so fewer than four uses would not pay.
  static constexpr Copying kCopyings[] = {
      {CopyOf::Negated, 3, 0, "negated factors in registers of their own"},
      {CopyOf::Negated, 3, 1, "negated factors in registers of their own"},
      {CopyOf::Negated, 2, 0, "negated factors in registers of their own"},
      {CopyOf::Negated, 2, 1, "negated factors in registers of their own"},
      {CopyOf::Scaled, 4, 0, "factors of scalars in a second register"}};

  bool isWorthATry(const Copying &copying) const {
    return copying.which != CopyOf::Scaled || plain_.isMuchLeft(best_ ? best_->left : old_.pairing);
  }

  /// True if that is the best now.
  bool tryCopies(const Copying &copying, Recolouring recolouring) {
    auto copies = plain_.withCopies(copying.which, copying.uses, copying.parity);
    if (!copies)
      return false;
    const PassSite there{*copies->module, copies->cfg, site_.request,
                         site_.values,    {},          site_.pipeline};
    const DualIssue pass(there, split_);
    Candidate best = pass.best(moves_, old_);
    if (recolouring == Recolouring::Yes)
      best = pass.recoloured(std::move(best), moves_, old_);
    auto found = pass.written(best, old_);
    if (!found)
      return false;
    Proposal &proposal = found->proposal;
    proposal.edits =
        composeEdits(site_.module, std::move(copies->edits), std::move(proposal.edits));
    moveClaim(copies->cfg, site_.cfg, proposal.claim);
    proposal.vgprs = std::max(proposal.vgprs, copies->vgprs);
    proposal.report->summary += fmt::format(", {} {}", copies->values, copying.what);
    proposal.report->add("factor_copies", copies->values);
    return takeIfBetter(std::move(found));
  }

  bool takeIfBetter(std::optional<DualIssue::Found> found) {
    const bool isBetter = found && (!best_ || found->cost < best_->cost);
    if (isBetter)
      best_ = std::move(found);
    return isBetter;
  }

  const PassSite &site_;
  const SplitLoads split_;
  const DualIssue::Moves moves_;
  const DualIssue plain_;
  const Candidate old_;
  std::optional<DualIssue::Found> best_;
};

/// Which values the next proposal may move.
enum class Moved : uint8_t { OneByOne, Chosen, None };

} // namespace

llvm::Expected<PassResult> balanceParities(const PassSite &site, PassState &) {
  if (site.cfg.blocks.empty())
    return PassResult{};
  const DualIssue pass(site, SplitLoads::Auto);
  if (!pass.mayMove())
    return PassResult{};
  return PassResult{pass.balanced(pass.asItIs()), PassResult::Next::Done};
}

PassFunction issueDualWith(DualIssueOptions options) {
  return [options](const PassSite &site, PassState &state) -> llvm::Expected<PassResult> {
    if (site.cfg.blocks.empty())
      return PassResult{};
    // What cannot be proven of values that were moved one by one may be so of the others.
    auto &moved = state.memory<Moved>();
    if (state.last == PassState::Last::TakenBack)
      moved = moved == Moved::OneByOne && options.recolouring == Recolouring::Yes ? Moved::Chosen
                                                                                  : Moved::None;
    const auto moves = moved == Moved::None ? DualIssue::Moves::Refused : DualIssue::Moves::Allowed;
    auto proposal = CopyChoice(site, options.splitLoads, moves)
                        .run(moved == Moved::OneByOne ? options.recolouring : Recolouring::No);
    if (!proposal)
      return PassResult{};
    return PassResult{std::move(proposal), PassResult::Next::Again};
  };
}

llvm::Expected<PassResult> issueDual(const PassSite &site, PassState &state) {
  return issueDualWith({})(site, state);
}

} // namespace rdna
