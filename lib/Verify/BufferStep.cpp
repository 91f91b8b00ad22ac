// An instruction that two texts have in common, for texts that arrange LDS differently.

#include "Verify/BufferProof.h"

#include "Asm/Effects.h"
#include "Asm/GlobalAddress.h"
#include "Isa/OpTraits.h"
#include "Verify/Opaque.h"
#include "Verify/SymbolAddress.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::verify {

bool BufferProof::isSame(const State &state, RegUnit unit) const {
  if (state.same.test(unit.index) || unit.isNull())
    return true;
  const KnownValue &was = state.was[unit], &now = state.now[unit];
  return isKnown(was) && isKnown(now) && was.bits == now.bits;
}

/// The first register that it reads and that does not hold the same; `address` is an operand that
/// does not matter.
BufferProof::Fault BufferProof::differing(const State &state, const Instruction &was,
                                          const Instruction &now,
                                          std::optional<int> address) const {
  const auto fault = [&](RegUnit unit) {
    return faultAt(now, was,
                   fmt::format("{} does not hold what it holds in the original", toString(unit)));
  };
  for (const RegAccess &access : was.accesses) {
    if (!access.reads() || (address && access.operand == *address))
      continue;
    for (unsigned d = 0; d < access.reg.dwords; ++d)
      if (const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
          !isSame(state, unit))
        return fault(unit);
  }
  // Exchanges among lanes go through LDS's unit, but are no accesses.
  const bool usesLanes = was.isValu() || was.memory != MemoryEffect::None || was.unit == Unit::Lds;
  if (usesLanes && !isSame(state, kExecLo))
    return fault(kExecLo);
  return std::nullopt;
}

/// What comes from elsewhere, and is the same in both.
void BufferProof::takeResults(State &state, const Instruction &inst) {
  const bool isWhole = state.was.knowsExec() && state.was.allActive();
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      const bool staysSame = !unit.isVgpr() || isWhole || isSame(state, unit);
      for (KnownValues *values : {&state.was, &state.now})
        values->forget(unit);
      state.same[unit.index] = staysSame;
    }
}

/// An operation on registers. Where its sources differ, so may its results.
void BufferProof::compute(State &state, const Instruction &was, const Instruction &now) {
  const bool hasSameSources = !differing(state, was, now, std::nullopt);
  const bool isWhole = state.was.knowsExec() && state.was.allActive() && !ignoresExec(was.op) &&
                       was.op != Op::v_writelane_b32;
  llvm::SmallVector<std::pair<RegUnit, bool>, 4> results;
  for (const RegAccess &access : was.accesses)
    for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      results.emplace_back(unit,
                           hasSameSources && (!unit.isVgpr() || isWhole || isSame(state, unit)));
    }
  const bool areAllSame = llvm::all_of(results, [](const auto &result) { return result.second; });
  state.was.execute(was);
  if (!areAllSame)
    state.now.execute(now);
  for (const auto &[unit, isSameResult] : results) {
    if (areAllSame)
      state.now.set(unit, state.was.ref(unit));
    state.same.reset(unit.index);
    state.same[unit.index] = isSameResult || isSame(state, unit);
  }
}

/// What of a text depends on how many bytes lie between two of its places.
void BufferProof::forgetResults(State &state, const Instruction &inst) {
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      state.was.forget(unit);
      state.now.forget(unit);
      state.same.reset(unit.index);
    }
}

/// Where in the launch's arguments it loads from; they are the same for all waves, as long as
/// nobody has stored over them.
std::optional<int64_t> BufferProof::argumentOffset(const State &state,
                                                   const Instruction &inst) const {
  const auto address = scalarAddress(inst);
  if (!address || inst.memory != MemoryEffect::Load || state.hasStored)
    return std::nullopt;
  const uint16_t low = inst.operands[address->base].reg.first.index;
  const int64_t offset = inst.operands[address->offset].imm;
  if (state.was[RegUnit{low}].kernarg != KnownValue::Kernarg::Low ||
      state.was[{static_cast<uint16_t>(low + 1)}].kernarg != KnownValue::Kernarg::High ||
      offset < 0)
    return std::nullopt;
  return offset;
}

/// Memory other than LDS, of which both texts make the same accesses in the same order.
BufferProof::Fault BufferProof::accessMemory(State &state, const Instruction &was,
                                             const Instruction &now) {
  if (auto fault = differing(state, was, now, std::nullopt))
    return fault;
  const bool isWrite = was.memory != MemoryEffect::Load;
  if (was.unit != Unit::Scratch)
    for (const auto &[key, entry] : state.log.entries())
      if (!entry.isLds && entry.lacksBarrier())
        return faultAt(now, was,
                       fmt::format("the original has a barrier between this access to memory and "
                                   "that of its line {}, the rewritten code has none",
                                   before_.instructions()[key.instruction].line));
  const auto passed = argumentOffset(state, was);
  takeResults(state, was);
  if (passed) {
    // Compilers load some more than there are.
    const RegRange to = was.operands[0].reg;
    const int64_t rest = kernargBytes(oldFunction_) - *passed;
    for (int64_t d = 0; d < std::clamp<int64_t>(rest / 4, 0, to.dwords); ++d)
      for (KnownValues *values : {&state.was, &state.now})
        values->setPassed({static_cast<uint16_t>(to.first.index + d)}, *passed + 4 * d);
  }
  if (was.unit == Unit::Scratch) // Nobody else's.
    state.log.count(was);
  else
    state.log.issue({was.index, 0, 0}, was);
  state.hasStored |= isWrite;
  ++proof_.loads;
  return std::nullopt;
}

/// Each text makes it from where it stands: what is in between is not the same, the address is.
BufferProof::Fault BufferProof::makeAddress(State &state, const Instruction &was,
                                            const Instruction &now) {
  const auto old = symbolAddressAt(before_, was), next = symbolAddressAt(after_, now);
  if (!old || !next || old->place != next->place || old->symbol != next->symbol)
    return faultAt(now, was, "the original makes another address here");
  forgetResults(state, was);
  if (old->place == 0)
    return std::nullopt;
  const RegUnit half{static_cast<uint16_t>(old->low.index + old->place - 1)};
  for (KnownValues *values : {&state.was, &state.now})
    values->setUniform(half);
  state.same.set(half.index);
  return std::nullopt;
}

BufferProof::Fault BufferProof::executeBoth(State &state, const Instruction &was,
                                            const Instruction &now) {
  ++proof_.values;
  if (symbolAddressAt(before_, was) || symbolAddressAt(after_, now))
    return makeAddress(state, was, now);
  if (isInLongBranch(before_, was) || isInLongBranch(after_, now)) {
    forgetResults(state, was);
    return std::nullopt;
  }
  switch (was.unit) {
  case Unit::Valu:
  case Unit::Trans:
  case Unit::Salu:
    compute(state, was, now);
    return std::nullopt;
  case Unit::Wait:
    if (const auto wait = waitOf(was))
      state.log.wait(*wait);
    return std::nullopt;
  case Unit::Lds:
    if (was.memory != MemoryEffect::None)
      return accessLds(state, was, now);
    // Lanes exchange values.
    if (opTraits(was.op).memory.kind != MemoryKind::None && !opTraits(was.op).is(OpFlag::NoMemory))
      return faultAt(now, was, "this LDS operation is not followed");
    if (auto fault = differing(state, was, now, std::nullopt))
      return fault;
    takeResults(state, was);
    state.log.count(was);
    return std::nullopt;
  case Unit::Smem:
  case Unit::Global:
  case Unit::Scratch:
  case Unit::Buffer:
  case Unit::Image:
    return accessMemory(state, was, now);
  case Unit::Message:
    return std::nullopt;
  default:
    return faultAt(now, was, "this instruction is not followed");
  }
}

} // namespace rdna::verify
