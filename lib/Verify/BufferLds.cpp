// The accesses to LDS of two texts that arrange it differently.

#include "Verify/BufferProof.h"
#include "Verify/LdsPlaces.h"

#include "Asm/LdsOffsets.h"
#include "Isa/OpTraits.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace rdna::verify {

BufferProof::Fault BufferProof::checkRange(const Footprint &footprint, const Instruction &inst,
                                           TextSide side) const {
  const bool isOld = side == TextSide::Old;
  if (auto message = ldsRangeFault(footprint, inst, isOld ? oldLds_ : newLds_,
                                   isOld ? "original" : "rewritten code"))
    return BufferFault{isOld ? std::nullopt : std::optional(inst.index), std::move(*message)};
  return std::nullopt;
}

BufferProof::Fault BufferProof::checkRaces(const State &state, const Instruction &was,
                                           const Instruction &now,
                                           llvm::ArrayRef<Access> accesses) {
  const bool isWrite = was.memory != MemoryEffect::Load;
  for (const TextSide side : {TextSide::Old, TextSide::New}) {
    const bool isOld = side == TextSide::Old;
    const char *text = isOld ? "the original" : "the rewritten code";
    const auto placeIn = [&](uint32_t old, uint32_t now) { return isOld ? old : now; };
    for (const Access &access : accesses) {
      const uint32_t place = placeIn(access.oldPlace, access.newPlace);
      if (const auto byte = places_.sharedByte(place); isWrite && byte)
        return faultAt(now, was,
                       fmt::format("{} stores to byte {} of LDS from several work-items at once",
                                   text, *byte));
      for (const auto &[key, entry] : state.log.entries()) {
        if (!entry.isLds || !entry.mayBeOpen(side) || (!isWrite && !entry.isWrite))
          continue;
        const auto byte = places_.contestedByte(place, placeIn(key.oldPlace, key.newPlace));
        if (byte)
          return faultAt(now, was,
                         fmt::format("in {} two waves access byte {} of LDS with no barrier in "
                                     "between: this one and that of the original's line {}{}",
                                     text, *byte, before_.instructions()[key.instruction].line,
                                     entry.isOutstanding ? ", which is not waited for" : ""));
      }
    }
  }
  return std::nullopt;
}

/// What a store brings there, or whether a load finds the same.
BufferProof::Fault BufferProof::moveLds(State &state, const Instruction &was,
                                        const Instruction &now, const Access &access) {
  const Footprint &old = places_[access.oldPlace], &next = places_[access.newPlace];
  constexpr uint32_t largestAlignment = 16;
  for (size_t i = 0; i < old.starts.size(); ++i) {
    const uint32_t from = old.starts[i].second, to = next.starts[i].second;
    if ((to - from) % largestAlignment != 0)
      return faultAt(now, was,
                     fmt::format("LDS is accessed at byte {} instead of {}, which is aligned "
                                 "differently",
                                 to, from));
    for (uint32_t b = 0; b < old.bytes; ++b) {
      if (was.memory == MemoryEffect::Store) {
        state.lds.store(from + b, to + b);
      } else if (!state.lds.holds(from + b, to + b)) {
        const auto home = state.lds.homeOf(from + b);
        return faultAt(now, was,
                       fmt::format("byte {} of LDS is read where the original reads byte {}; {}",
                                   to + b, from + b,
                                   home ? fmt::format("what that holds is in byte {}", *home)
                                        : "it is not certain that they hold the same"));
      }
    }
  }
  return std::nullopt;
}

BufferProof::Fault BufferProof::accessLds(State &state, const Instruction &was,
                                          const Instruction &now) {
  const LdsOffsets offsets = ldsOffsets(was);
  const bool isPlain =
      offsets.fields > 0 &&
      !(opTraits(was.op).memory.d16 != D16::None && was.memory == MemoryEffect::Load) &&
      was.value(OperandName::Gds) == 0 &&
      (was.memory == MemoryEffect::Load || was.memory == MemoryEffect::Store);
  if (!isPlain)
    return faultAt(now, was, "this LDS operation is not followed");
  if (state.parting && !state.skipped)
    return faultAt(now, was,
                   fmt::format("LDS is accessed although waves may have gone different ways since "
                               "line {}",
                               before_.instructions()[state.parting->oldBranch].line));
  const int address = static_cast<int>(&ldsAddress(was) - was.operands.begin());
  if (auto fault = differing(state, was, now, address))
    return fault;
  llvm::SmallVector<Access, 2> accesses;
  for (unsigned field = 0; field < offsets.fields; ++field) {
    auto old = ldsFootprint(state.was, was, field), next = ldsFootprint(state.now, now, field);
    if (!old || !next)
      return faultAt(now, was,
                     fmt::format("the {} LDS address does not follow from the launch alone",
                                 old ? "rewritten code's" : "original's"));
    if (auto fault = checkRange(*old, was, TextSide::Old))
      return fault;
    if (auto fault = checkRange(*next, now, TextSide::New))
      return fault;
    accesses.push_back({places_.intern(std::move(*old)), places_.intern(std::move(*next))});
  }
  constexpr size_t mostOpen = 1024; // Each is compared with each.
  if (state.log.entries().size() > mostOpen)
    return faultAt(now, was, "more accesses than are followed have no barrier behind them");
  if (auto fault = checkRaces(state, was, now, accesses))
    return fault;
  if (accesses.size() > 1 && was.memory == MemoryEffect::Store)
    for (const TextSide side : {TextSide::Old, TextSide::New}) {
      // Which of two places of one work-item comes first is not said.
      const bool isOld = side == TextSide::Old;
      Footprint both = places_[isOld ? accesses[0].oldPlace : accesses[0].newPlace];
      for (auto [item, start] : places_[isOld ? accesses[1].oldPlace : accesses[1].newPlace].starts)
        both.starts.emplace_back(item + state.was.items(), start);
      if (const auto byte = places_.sharedByte(places_.intern(std::move(both))))
        return faultAt(now, was, fmt::format("it stores to byte {} of LDS twice", *byte));
    }
  for (const Access &access : accesses)
    if (auto fault = moveLds(state, was, now, access))
      return fault;
  bool isFirst = true;
  for (const Access &access : accesses) {
    // It counts once, and both of its places are in flight.
    state.log.issue({was.index, access.oldPlace, access.newPlace}, was,
                    isFirst ? AccessLog::Counts::Yes : AccessLog::Counts::Already);
    isFirst = false;
  }
  ++proof_.loads;
  takeResults(state, was);
  return std::nullopt;
}

} // namespace rdna::verify
