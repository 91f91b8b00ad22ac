#include "Transform/FragmentModel.h"

#include "Analysis/Dependence.h"
#include "Analysis/Waits.h"
#include "Asm/LdsOffsets.h"
#include "Transform/Hints.h"

#include <algorithm>

namespace rdna {
namespace {

VgprSet pendingBy(const WaitState &state) {
  VgprSet result;
  for (unsigned v = 0; v < 256; ++v)
    result.set(v, state.isPending(v));
  return result;
}

/// Does it look at what other lanes hold? Those that EXEC switches off were never loaded.
bool readsOtherLanes(const Instruction &inst) {
  switch (inst.op) {
  case Op::v_readlane_b32:
  case Op::v_readfirstlane_b32:
  case Op::v_permlane16_b32:
  case Op::v_permlanex16_b32:
  case Op::v_permlane64_b32:
    return true;
  default:
    return inst.isDpp() || inst.readsInactiveLanes() ||
           (inst.unit == Unit::Lds && inst.memory == MemoryEffect::None);
  }
}

} // namespace

bool isFragmentLoad(const Instruction &inst) {
  if (inst.unit != Unit::Lds || inst.memory != MemoryEffect::Load || ldsOffsets(inst).fields == 0 ||
      inst.operands.empty())
    return false;
  const Operand &result = inst.operands[0];
  const bool isWhole = result.cls == Operand::Class::Def && result.isReg() &&
                       result.reg.first.isVgpr() && result.reg.half == Half::Whole;
  return isWhole && std::none_of(inst.accesses.begin(), inst.accesses.end(),
                                 [](const auto &it) { return it.access == Access::Partial; });
}

FragmentModel::FragmentModel(const FragmentContext &context, uint32_t block)
    : context_(context), block_(context.cfg.blocks[block]) {
  const size_t length = block_.last - block_.first;
  unsigned fmacs = 0;
  for (uint32_t i = block_.first; i < block_.last; ++i) {
    fmacs_.push_back(fmacs);
    fmacs += isFmac(inst(i));
    if (isFragmentLoad(inst(i))) {
      Fragment &fragment = fragments_.emplace_back();
      fragment.load = fragment.place = i;
      fragment.home = fragment.reg = inst(i).operands[0].reg.first.asVgpr();
      fragment.dwords = inst(i).operands[0].reg.dwords;
    }
  }
  fmacs_.push_back(fmacs);
  if (fragments_.empty() || fmacsBefore(fragments_.back().load) == 0)
    return; // There is nothing to issue them among.
  findObstacles();
  if (leftAlone_)
    return;
  orderWaits_ =
      rdna::orderWaits(context_.module, context_.cfg, block, context_.memory, context_.plain);
  live_.resize(length + 1);
  live_[length] = context_.liveness.liveOut[block];
  LiveWalk walk(context_.liveness, block);
  for (uint32_t i = block_.last; i-- > block_.first;) {
    walk.stepOver(inst(i));
    live_[i - block_.first] = walk.live();
  }
  walkForwards();
  for (Fragment &fragment : fragments_)
    trace(fragment);
  findTouched();
  for (Fragment &fragment : fragments_)
    findLimit(fragment);
}

/// What no line can be put in front of, and what shares the queue of LDS in an order of its own.
void FragmentModel::findObstacles() {
  for (uint32_t i = block_.first; i < block_.last; ++i) {
    if (inst(i).origin == Instruction::Origin::Macro)
      leftAlone_ = {i, "an instruction of the block comes from a macro"};
    else if (i > block_.first && !takesLineBefore(context_.module, inst(i)))
      leftAlone_ = {i, "text stands before an instruction on its line"};
    else if (inst(i).unit == Unit::Flat)
      leftAlone_ = {i, "a FLAT access may come by way of LDS"};
    else if (inst(i).op == Op::s_swappc_b64 || inst(i).op == Op::s_call_b64)
      leftAlone_ = {i, "the block calls a function"};
    if (leftAlone_)
      return;
  }
}

/// Which registers are waited for at every place.
void FragmentModel::walkForwards() {
  WaitState all = computeWaits(context_.module, context_.cfg)[context_.cfg.blockOf(block_.first)];
  WaitState others = all;
  for (uint32_t i = block_.first; i < block_.last; ++i) {
    scalars_.push_back(all.hasScalarLoads());
    pendingByAll_.push_back(pendingBy(all));
    pending_.push_back(pendingBy(others));
    all.step(inst(i));
    if (!isFragmentLoad(inst(i)))
      others.step(inst(i));
  }
}

/// May the register be another one here?
bool FragmentModel::isPlainRead(const Instruction &reader, const RegAccess &access,
                                const Fragment &by) const {
  if (access.access != Access::Read || access.operand < 0 || access.reg.half != Half::Whole ||
      readsOtherLanes(reader))
    return false;
  const Operand &operand = reader.operands[static_cast<size_t>(access.operand)];
  const unsigned first = access.reg.first.index;
  return operand.tiedTo < 0 && operand.cls == Operand::Class::Source && first >= by.home.number &&
         first + access.reg.dwords <= by.home.number + by.dwords;
}

/// Finds the readers, dword by dword.
void FragmentModel::trace(Fragment &fragment) {
  const auto index = static_cast<size_t>(&fragment - fragments_.data());
  fragment.firstUse = block_.last;
  uint32_t firstRead = block_.last;
  for (unsigned d = 0; d < fragment.dwords; ++d) {
    const unsigned vgpr = fragment.home.number + d;
    fragment.ends.push_back(fragment.load);
    bool ended = false;
    for (uint32_t i = fragment.load + 1; i < block_.last && !ended; ++i) {
      for (const RegAccess &access : inst(i).accesses) {
        if (!access.reg.contains(RegUnit::vgpr(vgpr)))
          continue;
        fragment.firstUse = std::min(fragment.firstUse, i);
        ended |= access.writes();
        if (!access.reads())
          continue;
        firstRead = std::min(firstRead, i);
        fragment.ends[d] = i;
        reads_[{i, vgpr}] = index;
        if (!isPlainRead(inst(i), access, fragment))
          fragment.scope = Fragment::Scope::AtHome;
      }
      if (inst(i).writesUnit(kExecLo) && !ended && live_[i + 1 - block_.first].test(vgpr))
        fragment.scope = Fragment::Scope::AtHome; // Other lanes may hold something else there.
    }
    if (!ended && live_.back().test(vgpr))
      fragment.scope = Fragment::Scope::AtHome;
  }
  // The register of a dword that nobody reads may be somebody else's before the others are read.
  if (fragment.firstUse != firstRead)
    fragment.scope = Fragment::Scope::AtHome;
  for (uint32_t &end : fragment.ends)
    end = std::max(end, std::min(firstRead, block_.last - 1));
  if (fragment.scope == Fragment::Scope::Internal)
    occupy(fragment);
}

/// Nothing in front of these may be loaded behind them, whatever its registers are.
bool FragmentModel::stops(uint32_t i) const {
  const Instruction &it = inst(i);
  if (const auto order = orderWaits_.find(i); order != orderWaits_.end())
    return order->second.orders == OrderWait::Orders::Accesses;
  if (isSchedulingBarrier(it) || isMemoryFence(it))
    return true;
  switch (it.unit) {
  case Unit::Valu:
  case Unit::Trans:
  case Unit::Salu:
    return it.writesUnit(kM0);
  case Unit::Control:
    return false;
  case Unit::Wait: {
    const auto counts = waitCounts(it);
    return !counts || counts->exp || (counts->lgkm && scalars_[i - block_.first]);
  }
  case Unit::Lds:
    return !isFragmentLoad(it);
  case Unit::Global:
  case Unit::Buffer:
  case Unit::Scratch:
    return it.memory != MemoryEffect::Load || it.value(OperandName::CachePolicy) != 0;
  default:
    return true;
  }
}

void FragmentModel::findLimit(Fragment &fragment) const {
  const Instruction &load = inst(fragment.load);
  fragment.limit = fragment.obstacle = fragment.load;
  if (fragment.firstUse == block_.last)
    return; // Whoever reads it comes behind the block.
  VgprSet address;
  for (const RegAccess &access : load.accesses)
    for (unsigned d = 0; !access.writes() && access.reg.first.isVgpr() && d < access.reg.dwords;
         ++d)
      address.set(access.reg.first.index + d);
  const auto changesSource = [&](const Instruction &other) {
    return std::any_of(load.accesses.begin(), load.accesses.end(), [&](const RegAccess &mine) {
      return !mine.writes() &&
             std::any_of(other.accesses.begin(), other.accesses.end(), [&](const auto &theirs) {
               return theirs.writes() && theirs.reg.overlaps(mine.reg);
             });
    });
  };
  for (uint32_t i = fragment.load; i-- > block_.first;) {
    fragment.obstacle = i;
    if (stops(i) || changesSource(inst(i)) || (pendingByAll_[i - block_.first] & address).any())
      return;
    fragment.limit = i;
  }
}

const Fragment *FragmentModel::loadAt(uint32_t instruction) const {
  const auto it =
      std::lower_bound(fragments_.begin(), fragments_.end(), instruction,
                       [](const Fragment &fragment, uint32_t at) { return fragment.load < at; });
  return it != fragments_.end() && it->load == instruction ? &*it : nullptr;
}

const Fragment *FragmentModel::readAt(uint32_t instruction, unsigned vgpr) const {
  const auto it = reads_.find({instruction, vgpr});
  return it == reads_.end() ? nullptr : &fragments_[it->second];
}

VgprSet FragmentModel::busy(uint32_t from, uint32_t to) const {
  VgprSet result;
  for (uint32_t i = from; i <= to; ++i)
    result |= live_[i - block_.first] | touched_[i - block_.first];
  return result;
}

void FragmentModel::setLive(const Fragment &fragment, Taken taken) {
  // One that stays at home lives on by itself behind its old place.
  const bool isInternal = fragment.scope == Fragment::Scope::Internal;
  for (unsigned d = 0; d < fragment.dwords; ++d)
    for (uint32_t i = fragment.place; i < (isInternal ? fragment.ends[d] + 1 : fragment.load); ++i)
      live_[i - block_.first].set(fragment.reg.number + d, taken == Taken::Yes);
}

/// What the fragments themselves touch is told by where they are live.
void FragmentModel::findTouched() {
  for (uint32_t i = block_.first; i < block_.last; ++i) {
    VgprSet &touched = touched_.emplace_back();
    const Fragment *load = loadAt(i);
    for (const RegAccess &access : inst(i).accesses)
      for (unsigned d = 0; access.reg.first.isVgpr() && d < access.reg.dwords; ++d) {
        const unsigned vgpr = access.reg.first.index + d;
        const Fragment *read = readAt(i, vgpr);
        const bool isFragments = access.writes() ? load && load->scope == Fragment::Scope::Internal
                                                 : read && read->scope == Fragment::Scope::Internal;
        if (!isFragments)
          touched.set(vgpr);
      }
  }
}

} // namespace rdna
