// What of a state of two texts can still matter: states that differ in nothing else are the same.

#include "Asm/Lane.h"
#include "Verify/AheadProof.h"

#include "llvm/ADT/STLExtras.h"

#include <unordered_map>

namespace rdna::verify {

AheadNeeds::AheadNeeds(const Module &module, uint32_t function)
    : module_(module), cfg_(buildCfg(module, function)), atStart_(computeNeeds(module, cfg_)),
      placesAtStart_(placesAtStart()) {}

const std::bitset<kRegUnits> &AheadNeeds::at(uint32_t instruction) {
  const auto [it, isNew] = known_.try_emplace(instruction);
  if (!isNew)
    return it->second;
  const uint32_t block = cfg_.blockOf(instruction);
  const Needs needs = instruction == cfg_.blocks[block].first
                          ? atStart_[block]
                          : needsAfter(module_, cfg_, atStart_, instruction - 1);
  it->second = needs.scalar;
  const LaneSets::Vgprs vgprs = needs.all();
  for (unsigned i = 0; i < vgprs.size(); ++i)
    it->second[RegUnit::vgpr(i).index] = vgprs.test(i);
  it->second.set(kExecLo.index);
  return it->second;
}

void AheadNeeds::placesBefore(const Instruction &inst, Units &units) const {
  const auto forAll = [&](const RegAccess &access, auto function) {
    for (unsigned d = 0; d < access.reg.dwords; ++d)
      function(access.reg.first.index + d);
  };
  if (inst.unit == Unit::Lds && inst.memory != MemoryEffect::None) {
    const auto address = llvm::find_if(inst.operands, [](const Operand &operand) {
      return operand.cls == Operand::Class::Source;
    });
    if (address != inst.operands.end() && address->isReg()) // ds_load_addtid_b32 has none.
      units.set(address->reg.first.index);
    return;
  }
  if (inst.isVopd()) { // Half by half.
    Units reads;
    for (const LaneOp &lane : laneOps(inst)) {
      if (!units.test(RegUnit::vgpr(lane.dst.number).index))
        continue;
      for (const VopdSource &source : {lane.src0, lane.src1})
        if (source.kind == VopdSource::Kind::Vgpr)
          reads.set(RegUnit::vgpr(source.value).index);
    }
    for (const LaneOp &lane : laneOps(inst))
      units.reset(RegUnit::vgpr(lane.dst.number).index);
    units |= reads;
    return;
  }
  bool isMade = false;
  for (const RegAccess &access : inst.accesses)
    forAll(access, [&](unsigned unit) { isMade |= access.writes() && units.test(unit); });
  if (!isMade || (!inst.isValu() && inst.unit != Unit::Salu))
    return;
  for (const RegAccess &access : inst.accesses)
    if (access.access == Access::Write)
      forAll(access, [&](unsigned unit) { units.reset(unit); });
  for (const RegAccess &access : inst.accesses)
    if (access.reads())
      forAll(access, [&](unsigned unit) { units.set(unit); });
}

std::vector<AheadNeeds::Units> AheadNeeds::placesAtStart() const {
  std::vector<Units> starts(cfg_.blocks.size());
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (size_t b = cfg_.blocks.size(); b-- > 0;) {
      const Block &block = cfg_.blocks[b];
      Units units;
      for (const uint32_t next : block.successors)
        units |= starts[next];
      for (uint32_t i = block.last; i-- > block.first;)
        placesBefore(module_.instructions()[i], units);
      hasChanged |= units != starts[b];
      starts[b] = units;
    }
  }
  return starts;
}

const std::bitset<kRegUnits> &AheadNeeds::ofPlaces(uint32_t instruction) {
  const auto [it, isNew] = places_.try_emplace(instruction);
  if (!isNew)
    return it->second;
  const Block &block = cfg_.blocks[cfg_.blockOf(instruction)];
  for (const uint32_t next : block.successors)
    it->second |= placesAtStart_[next];
  for (uint32_t i = block.last; i-- > instruction;)
    placesBefore(module_.instructions()[i], it->second);
  return it->second;
}

/// Each gets an unknown of its own, so nothing wrong is said of it whoever reads it after all.
void AheadProof::forgetUnneeded(AheadSide &side, AheadNeeds &needs) {
  const std::bitset<kRegUnits> &needed = needs.at(side.at);
  for (unsigned i = 0; i < kRegUnits; ++i) {
    const RegUnit unit{static_cast<uint16_t>(i)};
    if (needed.test(i) || unit.isNull())
      continue;
    side.values.forget(unit);
    AheadText::set(side, unit, terms_.unknown());
  }
}

namespace {
/// The unknowns that a state is made of.
class Unknowns {
public:
  explicit Unknowns(const Terms &terms) : terms_(terms), seen_(terms.size()) {}
  uint64_t visited() const { return visited_; }
  void add(TermId root) {
    std::vector<TermId> open{root};
    while (!open.empty()) {
      const TermId term = open.back();
      open.pop_back();
      if (seen_[term])
        continue;
      seen_[term] = true;
      ++visited_;
      const std::vector<TermId> &args = terms_[term].args;
      open.insert(open.end(), args.begin(), args.end());
    }
  }
  void add(const AheadSide &side) {
    for (const TermId term : side.terms)
      add(term);
    add(side.memory);
    for (const AheadSide::Skipped &skipped : side.skipped)
      add(skipped.lanes);
    for (const auto &[instruction, issued] : side.issued)
      if (issued.what != AheadSide::Issued::What::Several)
        add(issued.term);
    for (const LdsCell &cell : side.lds)
      if (cell.isCertain())
        add(cell.term);
  }
  /// Are all of this term's among them?
  bool cover(TermId term) {
    if (seen_[term])
      return true;
    if (const auto it = covered_.find(term); it != covered_.end())
      return it->second;
    const Term &whole = terms_[term];
    const bool covers = whole.kind != Term::Kind::Unknown &&
                        llvm::all_of(whole.args, [&](TermId arg) { return cover(arg); });
    covered_.emplace(term, covers);
    return covers;
  }

private:
  const Terms &terms_;
  std::vector<bool> seen_;
  uint64_t visited_ = 0;
  std::unordered_map<TermId, bool> covered_;
};
} // namespace

/// What is about unknowns that nothing holds any more is never asked for again, but no other state
/// would be an instance of one that says it.
void AheadProof::forgetThePast(State &state) {
  forgetUnneeded(state.was, oldNeeds_);
  forgetUnneeded(state.now, newNeeds_);
  Unknowns held(terms_);
  held.add(state.was);
  held.add(state.now);
  for (const std::vector<TermId> *ahead : {&state.oldAhead, &state.newAhead})
    for (const TermId load : *ahead)
      held.add(load);
  for (const Fact &fact : state.askedAhead)
    held.add(fact.condition);
  // States grow with what a loop has computed that is written out: looking at them is work, too.
  terms_.count(held.visited());
  llvm::erase_if(state.facts, [&](const Fact &fact) { return !held.cover(fact.condition); });
  std::erase_if(state.made, [&](TermId load) { return !held.cover(load); });
  llvm::erase_if(state.was.sinceBarrier, [&](TermId access) { return !held.cover(access); });
}

unsigned AheadNeeds::mostSelections() const {
  std::map<uint32_t, unsigned> byLoop;
  unsigned most = 0;
  for (uint32_t b = 0; b < cfg_.blocks.size(); ++b)
    if (const auto loop = cfg_.loopOf(b))
      for (uint32_t i = cfg_.blocks[b].first; i < cfg_.blocks[b].last; ++i) {
        const Instruction &inst = module_.instructions()[i];
        const bool isOfValues = llvm::any_of(inst.operands, [](const Operand &operand) {
          return operand.cls == Operand::Class::Source && operand.isReg();
        });
        if ((inst.op == Op::s_cselect_b32 || inst.op == Op::s_cselect_b64) && isOfValues)
          most = std::max(most, ++byLoop[*loop]);
      }
  return most;
}

} // namespace rdna::verify
