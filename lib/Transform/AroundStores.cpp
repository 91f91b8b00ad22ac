#include "Transform/AroundStores.h"

#include "Asm/Lane.h"
#include "Isa/OpTraits.h"

namespace rdna {

bool AroundStores::addRead(size_t place, RegUnit unit) {
  std::vector<Needed> open;
  return need(place, unit, open) && add(std::move(open));
}

bool AroundStores::addGuards(size_t place) {
  std::vector<unsigned> guards; // The outermost first.
  for (unsigned guard = path_.guards[place]; guard != 0; guard = path_.outer[guard])
    guards.insert(guards.begin(), guard);
  for (const unsigned guard : guards)
    if (!addGuard(guard))
      return false;
  return true;
}

bool AroundStores::addGuard(unsigned guard) {
  const size_t opens = path_.opens[guard], closes = path_.closes[guard];
  if (kept_.contains(opens) || add({{opens}, {closes}}))
    return true;
  const Op op = at(opens).op;
  if (!isCompareToExec(op) && op != Op::s_and_saveexec_b32 && op != Op::s_and_b32)
    return false;
  kept_.insert(opens);
  return add({{closes}});
}

/// Adds these places, and what they read, if all of it is the same in every step.
bool AroundStores::add(std::vector<Needed> open) {
  std::map<size_t, uint8_t> found = made_;
  while (!open.empty()) {
    const Needed needed = open.back();
    open.pop_back();
    const Instruction &next = at(needed.place);
    if (kept_.contains(needed.place))
      continue;
    const auto lanes = laneOps(next);
    uint8_t halves = next.isVopd() ? 0 : 1;
    for (unsigned half = 0; next.isVopd() && half < lanes.size(); ++half)
      if (!needed.unit || RegUnit::vgpr(lanes[half].dst.number) == *needed.unit)
        halves |= static_cast<uint8_t>(1u << half);
    uint8_t &known = found[needed.place];
    if ((known | halves) == known)
      continue;
    known |= halves;
    const bool isMade = needed.what() == Needed::What::Place
                            ? next.isValu()
                            : next.unit == Unit::Salu || isVectorCompare(next.op);
    if (!isMade)
      return leave(needed.place, needed.what());
    Units reads;
    if (next.isVopd())
      addUnits(next, halves, &reads, nullptr);
    for (const RegAccess &access : next.accesses) // What it keeps the other half of is no source.
      for (unsigned d = 0; !next.isVopd() && access.reads() && d < access.reg.dwords; ++d)
        if (!access.writes() || access.reg.half == Half::Whole)
          reads.set(access.reg.first.index + d);
    for (unsigned u = 0; u < kRegUnits; ++u)
      if (reads.test(u) && !need(needed.place, RegUnit{static_cast<uint16_t>(u)}, open))
        return false;
  }
  made_ = std::move(found);
  return true;
}

bool AroundStores::need(size_t by, RegUnit unit, std::vector<Needed> &open) {
  if (unit == kExecLo || !changed_.test(unit.index))
    return true;
  const TileDefs defs = definitionsAt(module_, path_, by, unit);
  for (const size_t place : defs.places)
    open.push_back({place, unit});
  return defs.areAll || leave(by, unit.isVgpr() ? Needed::What::Place : Needed::What::Lanes);
}

bool AroundStores::leave(size_t place, Needed::What what) {
  left_ = {at(place).line, what == Needed::What::Lanes
                               ? "the lanes that store the tile may be others in each step"
                               : "where the tile is stored may differ from step to step"};
  return false;
}

} // namespace rdna
