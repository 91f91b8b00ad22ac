#include "Transform/DualIssue.h"

#include "Analysis/Waits.h"
#include "Asm/Counters.h"
#include "Code/Build.h"
#include "Code/Change.h"
#include "Code/Compose.h"
#include "Code/Expand.h"
#include "Transform/NegatedFactors.h"
#include "Transform/Pairing.h"
#include "Transform/SplitLoads.h"
#include "Transform/TupleBanks.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace rdna {

namespace {

/// One way to write the function.
struct Candidate {
  Registers registers;
  Pairing pairing;
  std::map<uint32_t, std::vector<LoadPart>> split;
  uint64_t cost = 0; ///< By weight of the loops.
  unsigned extraLoads = 0;
};

/// Executions of a block for one of the function, as far as that is guessed.
uint64_t weightOf(const Cfg &cfg, uint32_t block) {
  constexpr unsigned kDeepest = 4, kTrips = 8;
  const auto loop = cfg.loopOf(block);
  uint64_t weight = 1;
  for (unsigned depth = loop ? std::min(cfg.loops[*loop].depth, kDeepest) : 0; depth > 0; --depth)
    weight *= kTrips;
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

//===----------------------------------------------------------------------===//
// Edits
//===----------------------------------------------------------------------===//

class FunctionEditor {
public:
  FunctionEditor(const Module &module, const Cfg &cfg, const FunctionWebs &webs,
                 const Invocations &invocations, const Candidate &candidate)
      : module_(module), cfg_(cfg), webs_(webs), invocations_(invocations), candidate_(candidate),
        waits_(countParts(module, cfg, candidate.split)) {}

  /// Nothing if something cannot be written so.
  std::optional<std::vector<TextEdit>> run() {
    for (const uint32_t drained : waits_.drains)
      if (!drain(cfg_.blocks[drained]))
        return std::nullopt;
    for (const Block &block : cfg_.blocks) {
      if (!block.reachable)
        continue;
      const bool changes = isChanged(block);
      for (uint32_t i = block.first; i < block.last; ++i)
        if (!rewrite(module_.instructions()[i], changes))
          return std::nullopt;
    }
    if (!writeInvocations())
      return std::nullopt;
    return std::move(edits_);
  }

private:
  Vgpr newOf(const Instruction &inst, size_t operand, unsigned dword, Vgpr old) const {
    const WebId web = webs_.webAt(inst.index, static_cast<unsigned>(operand), dword);
    return web == kNoWeb ? old : candidate_.registers.of[web];
  }

  bool isRenamed(const Instruction &inst) const {
    for (size_t o = 0; o < inst.operands.size(); ++o) {
      const Operand &operand = inst.operands[o];
      for (unsigned d = 0; operand.isReg() && operand.reg.first.isVgpr() && d < operand.reg.dwords;
           ++d) {
        const Vgpr old{static_cast<uint8_t>(operand.reg.first.index + d)};
        if (newOf(inst, o, d, old) != old)
          return true;
      }
    }
    return false;
  }

  bool isChanged(const Block &block) const {
    for (uint32_t i = block.first; i < block.last; ++i)
      if (candidate_.pairing.changed.contains(i))
        return true;
    return false;
  }

  bool rewrite(const Instruction &inst, bool blockChanges) {
    std::vector<Code> codes;
    if (const auto changed = candidate_.pairing.changed.find(inst.index);
        changed != candidate_.pairing.changed.end()) {
      for (const PlacedOps::Slot &slot : changed->second.slots) {
        if (slot.wait.any())
          codes.emplace_back(buildWait(slot.wait));
        codes.push_back(slot.y ? buildVopd(*asVopdHalf(slot.x.lane), *asVopdHalf(slot.y->lane))
                               : buildLane(slot.x.lane));
      }
    } else if (const auto split = candidate_.split.find(inst.index);
               split != candidate_.split.end()) {
      codes = partsOfLoad(inst, split->second);
    } else if (const auto count = waits_.counts.find(inst.index); count != waits_.counts.end()) {
      WaitCounts counts = waitCounts(inst).value_or(WaitCounts());
      counts.lgkm = count->second;
      codes.push_back(buildWait(counts));
    } else if (inst.op == Op::s_delay_alu && blockChanges) {
      // It counts instructions that are others now; --delay-alu sets them anew.
    } else if (inst.op == Op::s_clause && clauseLength(inst) != lengthOf(inst)) {
      constexpr unsigned kLongest = 63; // ISA guide: s_clause covers 2 to 63 instructions
      if (clauseLength(inst) <= kLongest)
        codes.push_back(buildClause(clauseLength(inst)));
    } else if (isRenamed(inst)) {
      const auto code = renamed(module_, inst, [&](const Operand &operand, int index, Vgpr old) {
        return newOf(inst, static_cast<size_t>(index), old.number - operand.reg.first.index, old);
      });
      if (!code)
        return false;
      codes.push_back(*code);
    } else {
      return true;
    }
    return put(inst, std::move(codes));
  }

  std::vector<Code> partsOfLoad(const Instruction &inst, llvm::ArrayRef<LoadPart> parts) const {
    const size_t address = llvm::find_if(inst.operands,
                                         [](const Operand &operand) {
                                           return operand.cls == Operand::Class::Source &&
                                                  operand.isReg() && operand.reg.first.isVgpr();
                                         }) -
                           inst.operands.begin();
    const Vgpr from = newOf(inst, address, 0, inst.operands[address].reg.first.asVgpr());
    std::vector<Code> codes;
    for (const LoadPart &part : parts)
      codes.push_back(
          buildDsLoad(newOf(inst, 0, part.dword, Vgpr{}), part.dwords, from, part.offset));
    return codes;
  }

  static unsigned lengthOf(const Instruction &clause) {
    return static_cast<unsigned>(clause.operands[0].imm & 0x3f) + 1;
  }
  unsigned clauseLength(const Instruction &clause) const {
    unsigned length = 0;
    for (uint32_t i = clause.index + 1; i <= clause.index + lengthOf(clause); ++i) {
      const auto split = candidate_.split.find(i);
      length += split == candidate_.split.end() ? 1U : static_cast<unsigned>(split->second.size());
    }
    return length;
  }

  bool put(const Instruction &inst, std::vector<Code> codes) {
    if (inst.origin == Instruction::Origin::Macro) {
      fromMacros_[inst.index] = std::move(codes);
      return true;
    }
    if (codes.empty()) {
      edits_.push_back(removal(module_, inst));
      return true;
    }
    edits_.push_back(replacement(inst, inLines(codes)));
    return true;
  }

  Code inLines(const std::vector<Code> &codes) const {
    Code all;
    for (size_t n = 0; n < codes.size(); ++n) {
      if (n != 0)
        (all += lineEnding(module_)) += "\t";
      all += codes[n];
    }
    return all;
  }

  /// An invocation one of whose instructions changes is written out.
  bool writeInvocations() {
    const auto &insts = module_.instructions();
    for (auto it = fromMacros_.begin(); it != fromMacros_.end();) {
      const uint32_t line = insts[it->first].line;
      const auto range = invocations_.range(line);
      if (!range)
        return false;
      uint32_t first = it->first;
      const auto isHere = [&](uint32_t i) {
        return insts[i].origin == Instruction::Origin::Macro && insts[i].line == line;
      };
      while (first > 0 && isHere(first - 1))
        --first;
      std::vector<Code> codes;
      for (uint32_t i = first; i < insts.size() && isHere(i); ++i) {
        const auto changed = fromMacros_.find(i);
        if (changed == fromMacros_.end())
          codes.emplace_back(written(module_, insts[i]));
        else
          codes.insert(codes.end(), changed->second.begin(), changed->second.end());
      }
      while (it != fromMacros_.end() && insts[it->first].line == line)
        ++it;
      edits_.push_back({range->first, range->second, Code::layout("\t") + inLines(codes)});
    }
    return true;
  }

  bool drain(const Block &block) {
    const Instruction &last = module_.instructions()[block.last - 1];
    WaitCounts all;
    all.lgkm = 0;
    if (last.isTerminator()) {
      if (!takesLineBefore(module_, last))
        return false;
      edits_.push_back(lineBefore(module_, last, buildWait(all)));
      return true;
    }
    if (!takesLineBehind(module_, last))
      return false;
    edits_.push_back(lineBehind(module_, last, buildWait(all)));
    return true;
  }

  const Module &module_;
  const Cfg &cfg_;
  const FunctionWebs &webs_;
  const Invocations &invocations_;
  const Candidate &candidate_;
  const SplitWaits waits_;
  std::vector<TextEdit> edits_;
  std::map<uint32_t, std::vector<Code>> fromMacros_;
};

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

class DualIssue {
public:
  DualIssue(const PassSite &site)
      : site_(site), module_(site.module), cfg_(site.cfg),
        liveness_(computeLiveness(site.module, site.cfg)),
        webs_(findWebs(site.module, site.cfg, liveness_)), invocations_(site.module) {
    findFixed();
  }

  /// Where values may go: everywhere, or nowhere if that could not be proven.
  enum class Moves : uint8_t { Allowed, Refused };

  /// What the text costs as it is.
  Candidate asItIs() const {
    Candidate old;
    for (uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
      Pairing counts;
      countBlock(module_, cfg_.blocks[b], counts);
      old.cost += weightOf(cfg_, b) * counts.cost();
      addTo(old.pairing, counts);
    }
    return old;
  }

  /// The best that costs less than `old` and is in nothing worse.
  struct Found {
    Proposal proposal;
    uint64_t cost;
  };
  std::optional<Found> run(Moves moves, const Candidate &old) {
    Candidate best = pairAll(registersAtHome(webs_));
    if (isWorse(best.pairing, old.pairing))
      best = {};
    std::vector<std::vector<Vgpr>> seen{webs_.home};
    for (size_t way = 0; moves == Moves::Allowed && mayMove() && way < kWays; ++way) {
      if (best.pairing.singleFmas <= 1 && best.pairing.conflicts == 0 && !best.registers.of.empty())
        break;
      Registers chosen = chosenRegisters(way);
      if (llvm::is_contained(seen, chosen.of))
        continue;
      seen.push_back(chosen.of);
      Candidate moved = pairAll(std::move(chosen));
      if (!isWorse(moved.pairing, old.pairing) &&
          (best.registers.of.empty() || moved.cost < best.cost))
        best = std::move(moved);
    }
    if (best.registers.of.empty() || best.cost >= old.cost)
      return std::nullopt;
    auto edits = FunctionEditor(module_, cfg_, webs_, invocations_, best).run();
    if (!edits || edits->empty())
      return std::nullopt;
    return Found{propose(best, old.pairing, std::move(*edits)), best.cost};
  }

  /// Values change their registers everywhere or nowhere.
  bool mayMove() const { return site_.request.region.empty() && cfg_.calls.empty(); }

  std::optional<NegatedFactors> withoutNegations(unsigned uses, unsigned parity) const {
    return separateNegations(module_, cfg_, liveness_,
                             {site_.wantedBlocks(), budget(), uses, parity});
  }

private:
  /// Ways to choose registers, those that most kernels need first: factors by sides, as tiles want
  /// them, then tuples as wholes.
  static constexpr std::pair<MovedValues, Neighbours> kSides[] = {
      {MovedValues::Factors, Neighbours::Aligned},
      {MovedValues::FactorsAndRows, Neighbours::Aligned},
      {MovedValues::FactorsAndCouples, Neighbours::Aligned},
      {MovedValues::FactorsAndCouples, Neighbours::Alternating},
      {MovedValues::Couples, Neighbours::Aligned}};
  static constexpr size_t kWays = std::size(kSides) + 1;

  Registers chosenRegisters(size_t way) const {
    if (way == std::size(kSides))
      return moveTuples(module_, cfg_, liveness_, webs_, budget());
    const auto &[which, neighbours] = kSides[way];
    return chooseBanks(module_, cfg_, liveness_, webs_, budget(), which, neighbours);
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
        it->second = !invocations_.range(inst.line);
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

  Candidate pairAll(Registers registers) const {
    Candidate candidate;
    const bool moves = registers.of != webs_.home;
    candidate.registers = std::move(registers);
    for (uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
      Pairing here;
      if (cfg_.blocks[b].reachable)
        here = moves ? pairMoved(b, candidate.registers)
                     : pairBlock(module_, cfg_, b, webs_, candidate.registers, fixed_);
      else
        countBlock(module_, cfg_.blocks[b], here);
      candidate.cost += weightOf(cfg_, b) * here.cost();
      addTo(candidate.pairing, here);
      candidate.pairing.changed.merge(here.changed);
      for (uint32_t i = cfg_.blocks[b].first; i < cfg_.blocks[b].last; ++i) {
        auto parts = cfg_.blocks[b].reachable
                         ? partsOf(module_.instructions()[i], webs_, candidate.registers)
                         : std::vector<LoadPart>();
        if (parts.size() < 2)
          continue;
        candidate.extraLoads += unsigned(parts.size()) - 1;
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
  const Module &module_;
  const Cfg &cfg_;
  const Liveness liveness_;
  const FunctionWebs webs_;
  const Invocations invocations_;
  std::vector<uint8_t> fixed_, fixedMoving_; ///< By instruction; if values move.
};

/// The claim of a rewrite of a text that has the same blocks in other places.
void moveClaim(const Cfg &from, const Cfg &to, Correspondence &claim) {
  std::map<uint32_t, VgprMap> moved;
  for (size_t b = 0; b < from.blocks.size(); ++b)
    if (const auto at = claim.atBlock.find(from.blocks[b].first); at != claim.atBlock.end())
      moved.emplace(to.blocks[b].first, std::move(at->second));
  claim.atBlock = std::move(moved);
}

/// What the pass finds where factors that FMAs negate have registers of their own. A value that has
/// few such FMAs may cost more than their partners are worth, and which registers give partners
/// depends on all others, so several ways are tried.
void findWithoutNegations(const PassSite &site, const DualIssue &plain, const Candidate &old,
                          DualIssue::Moves moves, std::optional<DualIssue::Found> &best) {
  for (const auto &[uses, parity] :
       {std::pair(3U, 0U), std::pair(3U, 1U), std::pair(2U, 0U), std::pair(2U, 1U)}) {
    auto apart = plain.withoutNegations(uses, parity);
    if (!apart)
      continue;
    const PassSite there{*apart->module, apart->cfg, site.request, site.values, {}, site.pipeline};
    auto found = DualIssue(there).run(moves, old);
    if (!found || (best && found->cost >= best->cost))
      continue;
    Proposal &proposal = found->proposal;
    proposal.edits = composeEdits(site.module, std::move(apart->edits), std::move(proposal.edits));
    moveClaim(apart->cfg, site.cfg, proposal.claim);
    proposal.vgprs = std::max(proposal.vgprs, apart->vgprs);
    proposal.report->summary +=
        fmt::format(", {} negated factors in registers of their own", apart->values);
    proposal.report->add("negated_factors", apart->values);
    best = std::move(found);
  }
}

} // namespace

llvm::Expected<PassResult> issueDual(const PassSite &site, PassState &state) {
  if (site.cfg.blocks.empty())
    return PassResult{};
  if (whereUnnamedRegisters(site.module, site.function()))
    return PassResult{};
  auto &moves = state.memory<DualIssue::Moves>();
  if (state.last == PassState::Last::TakenBack)
    moves = DualIssue::Moves::Refused;
  DualIssue plain(site);
  const Candidate old = plain.asItIs();
  std::optional<DualIssue::Found> best = plain.run(moves, old);
  if (plain.mayMove())
    findWithoutNegations(site, plain, old, moves, best);
  if (!best)
    return PassResult{};
  return PassResult{std::move(best->proposal), PassResult::Next::Again};
}

} // namespace rdna
