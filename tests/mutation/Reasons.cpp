// Arguments that an accepted mutant is the same program. They rest on Analysis (and on a walk of
// their own for waits), not on lib/Verify, whose acceptance is what they judge.

#include "mutation/Dataflow.h"
#include "mutation/GuardReasons.h"
#include "mutation/InstructionText.h"
#include "mutation/Judge.h"
#include "mutation/Values.h"
#include "mutation/WaitWalk.h"

#include "Analysis/Cfg.h"
#include "Asm/Lane.h"

#include <algorithm>

namespace rdna::mutation {

namespace {

/// The touched instructions of both texts, edit by edit.
struct Change {
  std::vector<const Instruction *> before, after;
};

std::vector<const Instruction *> within(const Module &module, size_t begin, size_t end) {
  std::vector<const Instruction *> found;
  for (const Instruction &inst : module.instructions())
    if (inst.begin >= begin && inst.begin < end)
      found.push_back(&inst);
  return found;
}

std::vector<Change> changesOf(const Module &original, const Module &mutated, const Mutant &mutant) {
  std::vector<TextEdit> edits = mutant.edits;
  std::stable_sort(edits.begin(), edits.end(),
                   [](const TextEdit &a, const TextEdit &b) { return a.begin < b.begin; });
  std::vector<Change> changes;
  size_t shift = 0; // wraps around, which is as good
  for (const TextEdit &edit : edits) {
    const size_t begin = edit.begin + shift, size = edit.replacement.print(original).size();
    changes.push_back(
        {within(original, edit.begin, edit.end), within(mutated, begin, begin + size)});
    shift += size - (edit.end - edit.begin);
  }
  return changes;
}

/// Lane operations with commutative sources in a fixed order.
LaneOp normal(LaneOp lane) {
  const auto key = [](const VopdSource &s) { return std::tuple(s.kind, s.value); };
  if (isCommutative(opName(lane.op)) && key(lane.src1) < key(lane.src0))
    std::swap(lane.src0, lane.src1);
  return lane;
}

bool touchesMoreThanRegisters(const Instruction &inst) {
  return inst.memory != MemoryEffect::None || (!inst.isValu() && inst.unit != Unit::Salu);
}

std::vector<RegUnit> writtenBy(const Instruction &inst) {
  std::vector<RegUnit> units;
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
      units.push_back({static_cast<uint16_t>(access.reg.first.index + d)});
  return units;
}

/// What the two versions of a site do not have in common.
struct Difference {
  std::vector<LaneOp> lost, gained;
  std::vector<RegUnit> written; ///< By either, and not by both alike.
  bool registersOnly = true;
};

Difference differenceOf(const Change &change) {
  Difference difference;
  std::vector<const Instruction *> opaque;
  const auto collect = [&](const std::vector<const Instruction *> &insts,
                           std::vector<LaneOp> &lanes) {
    for (const Instruction *inst : insts) {
      const auto found = laneOps(*inst);
      for (const LaneOp &lane : found)
        lanes.push_back(normal(lane));
      if (!found.empty())
        continue;
      difference.registersOnly &= !touchesMoreThanRegisters(*inst);
      for (const RegUnit unit : writtenBy(*inst))
        difference.written.push_back(unit);
    }
  };
  collect(change.before, difference.lost);
  collect(change.after, difference.gained);
  for (size_t i = 0; i < difference.lost.size();) {
    const auto same =
        std::find(difference.gained.begin(), difference.gained.end(), difference.lost[i]);
    if (same == difference.gained.end()) {
      ++i;
      continue;
    }
    difference.gained.erase(same);
    difference.lost.erase(difference.lost.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (const auto *lanes : {&difference.lost, &difference.gained})
    for (const LaneOp &lane : *lanes)
      difference.written.push_back(RegUnit::vgpr(lane.dst.number));
  return difference;
}

/// Without the assumption of the rewrite first.
std::optional<std::string> sameValuesReason(const Step &step,
                                            const std::vector<const Instruction *> &before,
                                            const std::vector<const Instruction *> &after) {
  if (sameValues(*step.after, step.function, before, after, HighHalves::Any))
    return "same values";
  if (step.claim.assumptions.contains(Assumption::NoIndexWrap) &&
      sameValues(*step.after, step.function, before, after, HighHalves::Zero))
    return "equal while no index wraps";
  return std::nullopt;
}

std::optional<std::string> valueReason(const Step &step, const Mutant &mutant,
                                       const Module &mutated) {
  const auto changes = changesOf(*step.after, mutated, mutant);
  if (changes.size() != 1 || changes[0].before.empty())
    return std::nullopt;
  const Difference difference = differenceOf(changes[0]);
  if (!difference.registersOnly)
    return std::nullopt;
  if (difference.written.empty())
    return "same operations";
  // A dropped instruction is dead if it is so in the text that has it.
  const Dataflow was(*step.after, step.function), now(mutated, step.function);
  const bool deadBefore = was.allDeadBehind(changes[0].before.back()->index, difference.written);
  const bool deadAfter =
      changes[0].after.empty()
          ? deadBefore
          : now.allDeadBehind(changes[0].after.back()->index, difference.written);
  if (deadBefore && deadAfter)
    return "result never read";
  return sameValuesReason(step, changes[0].before, changes[0].after);
}

/// A constant moved into or out of a path: does the register hold it anyhow, before the same
/// instruction of both texts?
bool isConstantAnyhow(const Dataflow &was, const Dataflow &now, const Instruction &moved,
                      uint32_t behind) {
  const Constants before = was.constantsBefore(behind), after = now.constantsBefore(behind);
  for (const RegUnit unit : writtenBy(moved))
    if (!before[unit.index] || before[unit.index] != after[unit.index])
      return false;
  return !touchesMoreThanRegisters(moved);
}

bool touchesResultsOf(const Instruction &other, const Instruction &inst) {
  const std::vector<RegUnit> results = writtenBy(inst);
  return std::any_of(results.begin(), results.end(),
                     [&](RegUnit unit) { return other.readsUnit(unit) || other.writesUnit(unit); });
}

/// Is it the first of a loop that changes neither what it reads nor its results? Then it computes
/// in every iteration what it would compute in front of the loop.
bool isInvariantHere(const Module &module, uint32_t function, uint32_t index) {
  const Instruction &moved = module.instructions()[index];
  const std::vector<RegUnit> results = writtenBy(moved);
  const auto changes = [&](RegUnit unit) {
    return moved.readsUnit(unit) ||
           std::find(results.begin(), results.end(), unit) != results.end();
  };
  // What VALU instructions compute depends on EXEC as well.
  if (moved.isValu() || touchesMoreThanRegisters(moved) ||
      std::any_of(results.begin(), results.end(),
                  [&](RegUnit unit) { return moved.readsUnit(unit); }))
    return false;
  const Cfg cfg = buildCfg(module, function);
  const auto l = cfg.loopOf(cfg.blockOf(index));
  if (!l || cfg.blocks[cfg.loops[*l].header].first != index)
    return false;
  const Loop &loop = cfg.loops[*l];
  const auto &arriving = cfg.blocks[loop.header].predecessors;
  if (std::count_if(arriving.begin(), arriving.end(),
                    [&](uint32_t from) { return !loop.contains(from); }) != 1)
    return false;
  for (const uint32_t i : loopInstructions(cfg, loop)) {
    const std::vector<RegUnit> written = writtenBy(module.instructions()[i]);
    if (i != index && std::any_of(written.begin(), written.end(), changes))
      return false;
  }
  return true;
}

std::optional<std::string> orderReason(const Step &step, const Mutant &mutant,
                                       const Module &mutated, uint64_t seed) {
  const Dataflow was(*step.after, step.function), now(mutated, step.function);
  const auto &insts = step.after->instructions();
  if (mutant.instructions.size() == 2) {
    const Instruction &a = insts[mutant.instructions[0]], &b = insts[mutant.instructions[1]];
    if (was.canExchange(a, b))
      return "independent but for dead results";
    const auto &changed = mutated.instructions();
    if (!touchesMoreThanRegisters(a) && !touchesMoreThanRegisters(b))
      return sameValuesReason(step, {&a, &b}, {&changed[a.index], &changed[b.index]});
    return std::nullopt;
  }
  const Instruction &moved = insts[mutant.instructions[0]];
  if (moved.unit == Unit::Control)
    return "no result";
  if (moved.unit == Unit::Wait && walkWaits(*step.after, mutated, step.function, seed))
    return "waits for nothing";
  const bool up = mutant.edits[1].begin < moved.begin;
  const Instruction &other = insts[up ? moved.index - 1 : moved.index + 1];
  const bool isNeighbour = mutant.edits[1].begin == (up ? other.begin : other.end);
  const std::vector<RegUnit> written = writtenBy(moved);
  if (isNeighbour && !touchesMoreThanRegisters(moved) && was.allDeadBehind(moved.index, written) &&
      now.allDeadBehind(other.index, written))
    return "result never read";
  // The two stand next to each other, whichever comes first.
  if (isNeighbour && !touchesResultsOf(other, moved) &&
      isConstantAnyhow(was, now, moved, std::max(moved.index, other.index) + 1))
    return "same values";
  const bool crossesLabelOnly = mutant.edits[1].begin == (up ? other.end : other.begin);
  if (crossesLabelOnly && isConstantAnyhow(was, now, moved, moved.index + 1))
    return "same values";
  if (crossesLabelOnly && !up && isInvariantHere(mutated, step.function, moved.index))
    return "computed anew in every iteration";
  const auto gate = std::find_if(insts.begin(), insts.end(), [&](const Instruction &inst) {
    return inst.end == mutant.edits[1].begin;
  });
  if (!up && gate != insts.end() && was.canWaitFor(*gate, moved))
    return "read in fewer lanes only";
  return std::nullopt;
}

std::optional<std::string> countReason(const Step &step, const Module &mutated) {
  const Function &was = step.after->functions()[step.function],
                 &now = mutated.functions()[step.function];
  const auto same = [&](const char *field) {
    return was.descriptorValue(field, -1) == now.descriptorValue(field, -1);
  };
  const auto count = [](const Function &function) {
    const auto it = function.metadata.find(".vgpr_count");
    return it == function.metadata.end() ? -1 : it->second.value;
  };
  if (same(".amdhsa_next_free_vgpr") && count(was) == count(now))
    return "no count comes from this symbol";
  return std::nullopt;
}

} // namespace

std::optional<std::string> reasonOf(const Operator &op, const Step &step, const Mutant &mutant,
                                    const Module &mutated, uint64_t seed) {
  switch (op.cls) {
  case Operator::Class::Commute:
    return "commutative";
  case Operator::Class::Value:
    if (auto reason = guardReason(step, mutant, mutated))
      return reason;
    if (auto reason = decidedReason(step, mutant, mutated))
      return reason;
    return valueReason(step, mutant, mutated);
  case Operator::Class::Order:
    return orderReason(step, mutant, mutated, seed);
  case Operator::Class::Wait:
    if (walkWaits(*step.after, mutated, step.function, seed))
      return "waits for nothing";
    return std::nullopt;
  case Operator::Class::Count:
    return countReason(step, mutated);
  case Operator::Class::Branch:
    if (auto reason = decidedReason(step, mutant, mutated))
      return reason;
    return branchReason(step, mutant, mutated);
  }
  return std::nullopt;
}

} // namespace rdna::mutation
