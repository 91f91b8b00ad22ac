#include "Transform/DualIssue.h"

#include "Code/Compose.h"
#include "Transform/DualIssueEdits.h"
#include "Transform/FactorCopies.h"
#include "Transform/SumParities.h"
#include "Transform/TupleBanks.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace rdna {

namespace {

/// Executions of a block for one of the function, as far as that is guessed.
uint64_t weightOf(const Cfg &cfg, uint32_t block) {
  constexpr unsigned kDeepest = 4, kIterations = 8;
  const auto loop = cfg.loopOf(block);
  uint64_t weight = 1;
  for (unsigned depth = loop ? std::min(cfg.loops[*loop].depth, kDeepest) : 0; depth > 0; --depth)
    weight *= kIterations;
  return weight;
}

void addTo(Pairing &sum, const Pairing &more) {
  sum.issues += more.issues;
  sum.singleFmas += more.singleFmas;
  sum.conflicts += more.conflicts;
  sum.hazards += more.hazards;
  sum.illegal += more.illegal;
}

bool isWorse(const Pairing &now, const Pairing &was) {
  return now.issues > was.issues || now.singleFmas > was.singleFmas ||
         now.conflicts > was.conflicts || now.hazards > was.hazards || now.illegal != 0;
}

/// Loads in more parts than what they gain in slots and conflicts.
bool areTooMany(unsigned loads, const Pairing &now, const Pairing &was) {
  return loads != 0 && loads + now.issues + now.conflicts > was.issues + was.conflicts;
}

/// What one iteration of a loop may not cost more of, the function may not either.
bool isWorse(const Candidate &now, const Candidate &was) {
  for (size_t l = 0; l < was.loops.size(); ++l)
    if (isWorse(now.loops[l], was.loops[l]) || areTooMany(now.loads[l], now.loops[l], was.loops[l]))
      return true;
  return isWorse(now.pairing, was.pairing) || areTooMany(now.extraLoads, now.pairing, was.pairing);
}

class DualIssue {
public:
  DualIssue(const PassSite &site, SplitLoads split)
      : site_(site), split_(split), module_(site.module), cfg_(site.cfg),
        liveness_(computeLiveness(site.module, site.cfg)),
        webs_(findWebs(site.module, site.cfg, liveness_)), invocations_(site.module) {
    findFixed();
  }

  /// Where values may go: everywhere, or nowhere if that could not be proven.
  enum class Moves : uint8_t { Allowed, Refused };

  /// What the text costs as it is.
  Candidate asItIs() const {
    Candidate old;
    old.loops.resize(cfg_.loops.size());
    for (uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
      Pairing counts;
      countBlock(module_, cfg_.blocks[b], counts);
      count(b, counts, old);
    }
    return old;
  }

  /// The best that costs less than `old` and is in nothing worse.
  struct Found {
    Proposal proposal;
    uint64_t cost;
    Pairing left;
  };
  std::optional<Found> run(Moves moves, const Candidate &old) {
    Candidate best = pairAll(registersAtHome(webs_));
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
      Candidate moved = pairAll(std::move(chosen));
      if (split_ == SplitLoads::Never && moved.extraLoads != 0)
        continue;
      if (!isWorse(moved, old) && (best.registers.of.empty() || moved.cost < best.cost))
        best = std::move(moved);
    }
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
    const Candidate moved = pairAll(
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

  SplitLoads split() const { return split_; }

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
  void findFixed() {
    const uint32_t first = cfg_.blocks.front().first, last = cfg_.blocks.back().last;
    fixed_.resize(last - first);
    std::map<uint32_t, bool> stays;
    std::vector<uint8_t> wanted(cfg_.blocks.size(), 0);
    for (const uint32_t b : site_.wantedBlocks())
      wanted[b] = cfg_.loopOf(b) || hasFma(cfg_.blocks[b]);
    for (uint32_t i = first; i < last; ++i) {
      const Instruction &inst = module_.instructions()[i];
      if (!wanted[cfg_.blockOf(i)])
        fixed_[i - first] = 1;
      if (inst.origin != Instruction::Origin::Macro)
        continue;
      const auto [it, isNew] = stays.try_emplace(inst.line);
      if (isNew)
        it->second = !invocations_.find(inst.line);
      for (const Operand &operand : inst.operands)
        it->second |= operand.kind == Operand::Kind::Expression;
    }
    // With other registers a pair may have to fall apart anywhere.
    fixedMoving_ = fixed_;
    for (uint32_t i = first; i < last; ++i)
      if (module_.instructions()[i].isVopd())
        fixedMoving_[i - first] = 0;
    for (uint32_t i = first; i < last; ++i) {
      const Instruction &inst = module_.instructions()[i];
      if (const auto it = stays.find(inst.line);
          inst.origin == Instruction::Origin::Macro && it != stays.end() && it->second)
        fixed_[i - first] = fixedMoving_[i - first] = 1;
    }
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

  /// Adds what a block costs.
  void count(uint32_t block, const Pairing &here, Candidate &candidate) const {
    candidate.cost += weightOf(cfg_, block) * here.cost();
    addTo(candidate.pairing, here);
    for (auto loop = cfg_.loopOf(block); loop; loop = cfg_.loops[*loop].parent)
      addTo(candidate.loops[*loop], here);
  }

  Candidate pairAll(Registers registers) const {
    Candidate candidate;
    candidate.loops.resize(cfg_.loops.size());
    candidate.loads.resize(cfg_.loops.size(), 0);
    const bool moves = registers.of != webs_.home;
    candidate.registers = std::move(registers);
    for (uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
      Pairing here;
      if (cfg_.blocks[b].reachable)
        here = moves ? pairMoved(b, candidate.registers)
                     : pairBlock(module_, cfg_, b, webs_, candidate.registers, fixed_);
      else
        countBlock(module_, cfg_.blocks[b], here);
      count(b, here, candidate);
      candidate.pairing.changed.merge(here.changed);
      for (uint32_t i = cfg_.blocks[b].first; i < cfg_.blocks[b].last; ++i) {
        auto parts = cfg_.blocks[b].reachable
                         ? partsOf(module_.instructions()[i], webs_, candidate.registers)
                         : std::vector<LoadPart>();
        if (parts.size() < 2)
          continue;
        candidate.extraLoads += unsigned(parts.size()) - 1;
        for (auto loop = cfg_.loopOf(b); loop; loop = cfg_.loops[*loop].parent)
          candidate.loads[*loop] += unsigned(parts.size()) - 1;
        candidate.cost += weightOf(cfg_, b) * (parts.size() - 1);
        candidate.split.emplace(i, std::move(parts));
      }
    }
    return candidate;
  }

  /// A block that other registers reach. Where its VOPDs go on as they are, hazards that they had
  /// may cost less than the pairs without.
  Pairing pairMoved(uint32_t block, const Registers &registers) const {
    Pairing paired = pairBlock(module_, cfg_, block, webs_, registers, fixedMoving_);
    Pairing text;
    countBlock(module_, cfg_.blocks[block], text);
    if (paired.cost() <= text.cost())
      return paired;
    const std::vector<uint8_t> all(fixed_.size(), 1);
    Pairing asItIs = pairBlock(module_, cfg_, block, webs_, registers, all);
    return asItIs.illegal == 0 && asItIs.cost() < paired.cost() ? asItIs : paired;
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
  std::vector<uint8_t> fixed_, fixedMoving_; ///< By instruction; if values move.
};

/// The claim of a rewrite of a text that has the same blocks in other places.
void moveClaim(const Cfg &from, const Cfg &to, Correspondence &claim) {
  std::map<uint32_t, Point> moved;
  for (size_t b = 0; b < from.blocks.size(); ++b)
    if (const auto at = claim.points.find(from.blocks[b].first); at != claim.points.end())
      moved.emplace(to.blocks[b].first, std::move(at->second));
  claim.points = std::move(moved);
}

/// What the pass finds where factors have copies, if that is better than what it has.
void findWithCopies(const PassSite &site, std::optional<FactorCopies> copies, SplitLoads split,
                    const Candidate &old, DualIssue::Moves moves, std::string_view what,
                    std::optional<DualIssue::Found> &best) {
  if (!copies)
    return;
  const PassSite there{*copies->module, copies->cfg, site.request, site.values, {}, site.pipeline};
  auto found = DualIssue(there, split).run(moves, old);
  if (!found || (best && found->cost >= best->cost))
    return;
  Proposal &proposal = found->proposal;
  proposal.edits = composeEdits(site.module, std::move(copies->edits), std::move(proposal.edits));
  moveClaim(copies->cfg, site.cfg, proposal.claim);
  proposal.vgprs = std::max(proposal.vgprs, copies->vgprs);
  proposal.report->summary += fmt::format(", {} {}", copies->values, what);
  proposal.report->add("factor_copies", copies->values);
  best = std::move(found);
}

/// A value that has few uses may cost more than their partners are worth, and which registers give
/// partners depends on all others, so several ways are tried.
void findWithoutNegations(const PassSite &site, const DualIssue &plain, const Candidate &old,
                          DualIssue::Moves moves, std::optional<DualIssue::Found> &best) {
  for (const auto &[uses, parity] :
       {std::pair(3U, 0U), std::pair(3U, 1U), std::pair(2U, 0U), std::pair(2U, 1U)})
    findWithCopies(site, plain.withCopies(CopyOf::Negated, uses, parity), plain.split(), old, moves,
                   "negated factors in registers of their own", best);
}

/// A copy costs as much as two pairs save at most, so fewer uses would not pay.
void findWithScaledTwice(const PassSite &site, const DualIssue &plain, const Candidate &old,
                         DualIssue::Moves moves, std::optional<DualIssue::Found> &best) {
  constexpr unsigned kLeastUses = 4;
  if (plain.isMuchLeft(best ? best->left : old.pairing))
    findWithCopies(site, plain.withCopies(CopyOf::Scaled, kLeastUses, 0), plain.split(), old, moves,
                   "factors of scalars in a second register", best);
}

} // namespace

llvm::Expected<PassResult> balanceParities(const PassSite &site, PassState &) {
  if (site.cfg.blocks.empty())
    return PassResult{};
  const DualIssue pass(site, SplitLoads::Auto);
  if (!pass.mayMove())
    return PassResult{};
  return PassResult{pass.balanced(pass.asItIs()), PassResult::Next::Done};
}

static llvm::Expected<PassResult> issueNext(const PassSite &site, PassState &state,
                                            SplitLoads split) {
  if (site.cfg.blocks.empty())
    return PassResult{};
  auto &moves = state.memory<DualIssue::Moves>();
  if (state.last == PassState::Last::TakenBack)
    moves = DualIssue::Moves::Refused;
  DualIssue plain(site, split);
  const Candidate old = plain.asItIs();
  std::optional<DualIssue::Found> best = plain.run(moves, old);
  if (plain.mayMove()) {
    findWithoutNegations(site, plain, old, moves, best);
    findWithScaledTwice(site, plain, old, moves, best);
  }
  if (!best)
    return PassResult{};
  return PassResult{std::move(best->proposal), PassResult::Next::Again};
}

PassFunction issueDualWith(SplitLoads split) {
  return [split](const PassSite &site, PassState &state) { return issueNext(site, state, split); };
}

llvm::Expected<PassResult> issueDual(const PassSite &site, PassState &state) {
  return issueNext(site, state, SplitLoads::Auto);
}

} // namespace rdna
