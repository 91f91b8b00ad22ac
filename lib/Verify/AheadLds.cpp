// The accesses to LDS of one text.

#include "Asm/Effects.h"
#include "Asm/LdsOffsets.h"
#include "Isa/OpTraits.h"
#include "Verify/AheadText.h"
#include "Verify/LdsPlaces.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace rdna::verify {

bool isPlainLds(const Instruction &inst) {
  const MemoryTraits &memory = opTraits(inst.op).memory;
  const unsigned bytes = memory.bytes;
  return inst.unit == Unit::Lds && ldsOffsets(inst).fields > 0 &&
         (bytes == 1 || bytes == 2 || (bytes > 0 && bytes % 4 == 0)) &&
         inst.value(OperandName::Gds) == 0 &&
         (inst.memory == MemoryEffect::Load || inst.memory == MemoryEffect::Store);
}

uint32_t ldsCellBytes(const Module &module, const Function &function) {
  uint32_t least = 4;
  for (uint32_t i = function.first; i < function.last; ++i)
    if (const Instruction &inst = module.instructions()[i]; isPlainLds(inst))
      least = std::min<uint32_t>(least, opTraits(inst.op).memory.bytes);
  return least;
}

TermId ldsAtLaunch(Terms &terms, uint32_t cell) {
  return terms.make({Term::Kind::Result, terms.operation({signature::kAtLaunch, cell}), {}});
}

LdsCell withTerm(Terms &terms, LdsCell cell, uint32_t index, uint32_t item) {
  if (cell.holds == LdsCell::Holds::Launch)
    return {ldsAtLaunch(terms, index), item, LdsCell::Holds::Term};
  return cell;
}

LdsCell withItsItem(Terms &terms, LdsCell cell) {
  if (cell.item == LdsCell::kNoItem)
    return cell;
  const uint32_t item = std::exchange(cell.item, LdsCell::kNoItem);
  cell.term =
      terms.make({Term::Kind::Result, terms.operation({signature::kOfItem, item}), {cell.term}});
  return cell;
}

/// By wave, or one mask for all; empty: any.
std::vector<uint32_t> AheadText::lanesThatMay(const AheadSide &side) const {
  const TermId exec = termOf(side, kExecLo);
  std::vector<uint32_t> lanes = terms_.mostLanes(exec);
  const auto without = side.without.find(exec);
  if (without == side.without.end())
    return lanes;
  if (lanes.size() < 2)
    lanes.resize(side.values.waves(), lanes.empty() ? ~0u : lanes.front());
  for (size_t w = 0; w < lanes.size(); ++w)
    lanes[w] &= ~without->second[w];
  return lanes;
}

/// Lanes with which an access would be outside of LDS are not on; if they are, nobody comes here.
/// That is no excuse for an access that was never inside, as to LDS that the launch adds: nothing
/// would be left to be proven.
TextFault AheadText::exclude(AheadSide &side, const Instruction &inst) {
  const TermId exec = termOf(side, kExecLo);
  bool isOutside = false;
  for (unsigned field = 0; field < ldsOffsets(inst).fields; ++field) {
    const auto footprint =
        ldsFootprint(side.values, inst, field, LanesOn::Possible, lanesThatMay(side));
    for (unsigned n = 0; footprint && n < footprint->starts.size(); ++n) {
      const auto [item, start] = footprint->starts[n];
      if (uint64_t(start) + footprint->bytes <= ldsBytes_) {
        inside_.insert(inst.index);
        continue;
      }
      isOutside = true;
      side.isImpossible |= side.values.knowsExec();
      std::vector<uint32_t> &without = side.without[exec];
      without.resize(side.values.waves());
      without[item / KnownValues::kLanes] |= 1u << (item % KnownValues::kLanes);
    }
  }
  if (isOutside && !inside_.contains(inst.index))
    return "all of this access to LDS is outside of what is declared";
  return std::nullopt;
}

TextFault AheadText::placesOf(AheadSide &side, const Instruction &inst,
                              std::vector<uint32_t> &places) {
  if (!isPlainLds(inst))
    return "this LDS operation is not followed";
  if (side.parting)
    return fmt::format("LDS is accessed although waves may have gone different ways since line {} "
                       "of the text",
                       instruction(*side.parting).line);
  if (outside_ == OutsideLds::Excluded)
    if (auto fault = exclude(side, inst))
      return fault;
  for (unsigned field = 0; field < ldsOffsets(inst).fields && !side.isImpossible; ++field) {
    auto footprint = ldsFootprint(side.values, inst, field, LanesOn::Possible, lanesThatMay(side));
    if (!footprint)
      return "the LDS address does not follow from the launch alone";
    if (auto fault = ldsRangeFault(*footprint, inst, ldsBytes_, "text"))
      return fault;
    places.push_back(places_.intern(std::move(*footprint)));
  }
  constexpr size_t mostOpen = 1024; // Each is compared with each.
  if (side.log.entries().size() > mostOpen)
    return "more accesses than are followed have no barrier behind them";
  return checkRaces(side, inst, places);
}

TextFault AheadText::checkRaces(const AheadSide &side, const Instruction &inst,
                                llvm::ArrayRef<uint32_t> places) const {
  const bool isWrite = inst.memory != MemoryEffect::Load;
  for (const uint32_t place : places) {
    if (const auto byte = places_.sharedByte(place); isWrite && byte)
      return fmt::format("it stores to byte {} of LDS from several work-items at once", *byte);
    for (const auto &[key, entry] : side.log.entries()) {
      if (!entry.isLds || (!isWrite && !entry.isWrite))
        continue;
      if (const auto byte = places_.contestedByte(place, key.oldPlace))
        return fmt::format("two waves access byte {} of LDS with no barrier in between: this one "
                           "and that of line {}{}",
                           *byte, module_.instructions()[key.instruction].line,
                           entry.isOutstanding ? ", which is not waited for" : "");
    }
  }
  if (places.size() < 2 || !isWrite)
    return std::nullopt;
  // Which of two places of one work-item comes first is not said.
  Footprint both = places_[places[0]];
  for (const auto &[item, start] : places_[places[1]].starts)
    both.starts.emplace_back(item + side.values.items(), start);
  if (const auto byte = places_.sharedByte(places_.intern(std::move(both))))
    return fmt::format("it stores to byte {} of LDS twice", *byte);
  return std::nullopt;
}

void AheadText::issueLds(AheadSide &side, const Instruction &inst,
                         llvm::ArrayRef<uint32_t> places) const {
  auto counts = AccessLog::Counts::Yes;
  for (const uint32_t place : places) {
    side.log.issue({inst.index, place, 0}, inst, counts);
    counts = AccessLog::Counts::Already; // It counts once, and all of its places are in flight.
  }
}

std::vector<TermId> AheadText::storedPieces(const AheadSide &side, const Instruction &inst,
                                            const Operand &data, uint32_t bytes) {
  const bool isHigh = opTraits(inst.op).memory.d16 == D16::High || data.reg.half == Half::High;
  std::vector<TermId> pieces;
  for (uint32_t b = 0; b < bytes; b += cellBytes_) {
    const RegUnit unit{static_cast<uint16_t>(data.reg.first.index + b / 4)};
    const TermId seen = seenTerm(side, unit);
    pieces.push_back(cellBytes_ == 4 ? seen
                                     : terms_.piece(seen, b % 4 + (isHigh ? 2 : 0), cellBytes_));
  }
  return pieces;
}

TextFault AheadText::storeLds(AheadSide &side, const Instruction &inst) {
  std::vector<uint32_t> places;
  if (auto fault = placesOf(side, inst, places); fault || side.isImpossible)
    return fault;
  const Operand *data = &ldsAddress(inst);
  const TermId exec = termOf(side, kExecLo);
  for (const uint32_t place : places) {
    const Footprint &footprint = places_[place];
    do
      ++data;
    while (data != inst.operands.end() && data->cls != Operand::Class::Source);
    const bool isPart = footprint.bytes < 4;
    if (data == inst.operands.end() || !data->isReg() ||
        data->reg.dwords != (footprint.bytes + 3) / 4 || (!isPart && data->reg.half != Half::Whole))
      return "this LDS operation is not followed";
    const std::vector<TermId> pieces = storedPieces(side, inst, *data, footprint.bytes);
    for (const auto &[item, start] : footprint.starts)
      for (size_t n = 0; n < pieces.size(); ++n) {
        const auto index = static_cast<uint32_t>(start / cellBytes_ + n);
        LdsCell &cell = side.lds[index];
        const LdsCell stored{pieces[n], item, LdsCell::Holds::Term};
        if (side.values.knowsExec()) {
          cell = stored;
          continue;
        }
        // Where it is not known which lanes store, what was there before may stay. If no store of
        // this work-item's is known, it is anything; both ways of an `if` leave nothing of it.
        cell = withTerm(terms_, cell, index, item);
        if (!cell.isCertain() || cell.item != item)
          cell = {*uncertain_.insert(terms_.unknown()).first, item, LdsCell::Holds::Term};
        cell.term = ofItem(terms_.lanes(exec, stored.term, cell.term), item);
      }
  }
  issueLds(side, inst, places);
  return std::nullopt;
}

/// What a term is in a work-item's lane.
TermId AheadText::ofItem(TermId term, uint32_t item) const {
  const Term &whole = terms_[term];
  if (whole.kind != Term::Kind::Lanes)
    return term;
  const std::vector<uint32_t> lanes = terms_.asLanes(whole.args[0]);
  const unsigned wave = item / KnownValues::kLanes, lane = item % KnownValues::kLanes;
  const bool isIn = !lanes.empty() && ((lanes[lanes.size() == 1 ? 0 : wave] >> lane) & 1) != 0;
  return isIn ? whole.args[1] : term;
}

/// May lanes have what was there before the first store that is known? The texts would not agree on
/// it either: this says why.
bool AheadText::isUncertain(TermId term) const {
  while (terms_[term].kind == Term::Kind::Lanes)
    term = terms_[term].args[2];
  return uncertain_.contains(term);
}

/// Which work-item gets which piece of which work-item's: by position among the arguments.
std::variant<TermId, std::string> AheadText::gathered(const AheadSide &side,
                                                      const Footprint &footprint, unsigned d) {
  std::vector<int64_t> signature{signature::kGather};
  std::vector<TermId> args;
  for (const auto &[item, start] : footprint.starts)
    for (uint32_t b = 0; b < std::min(4u, footprint.bytes); b += cellBytes_) {
      const uint32_t index = (start + 4 * d + b) / cellBytes_;
      const LdsCell cell = withTerm(terms_, side.lds[index], index, item);
      if (!cell.isCertain() || isUncertain(cell.term))
        return fmt::format("byte {} of LDS is read, and it is not certain what was stored there",
                           start + 4 * d + b);
      const auto known = llvm::find(args, cell.term);
      signature.insert(signature.end(), {item, known - args.begin(), cell.item});
      if (known == args.end())
        args.push_back(cell.term);
    }
  if (!side.values.knowsExec()) // All that may be on: more than is asked for.
    args.push_back(termOf(side, kExecLo));
  return terms_.make({Term::Kind::Result, terms_.operation(std::move(signature)), std::move(args)});
}

TextFault AheadText::loadLds(AheadSide &side, const Instruction &inst,
                             std::vector<TermId> &results) {
  std::vector<uint32_t> places;
  if (auto fault = placesOf(side, inst, places); fault || side.isImpossible)
    return fault;
  const RegRange &to = inst.operands[0].reg;
  unsigned dwords = 0;
  for (const uint32_t place : places)
    dwords += (places_[place].bytes + 3) / 4;
  if (inst.operands[0].cls != Operand::Class::Def || to.dwords != dwords)
    return "this LDS operation is not followed";
  for (const uint32_t place : places) {
    const Footprint &footprint = places_[place];
    for (unsigned d = 0; 4 * d < footprint.bytes; ++d) {
      const auto found = gathered(side, footprint, d);
      if (const auto *fault = std::get_if<std::string>(&found))
        return *fault;
      TermId result = std::get<TermId>(found);
      if (footprint.bytes < 4)
        result = terms_.make({Term::Kind::Result,
                              terms_.operation({signature::kSmall, static_cast<int64_t>(inst.op)}),
                              {result}});
      results.push_back(result);
    }
  }
  issueLds(side, inst, places);
  return std::nullopt;
}

void AheadText::takeLds(AheadSide &side, const Instruction &inst, std::vector<TermId> results) {
  const RegRange &to = inst.operands[0].reg;
  const Half half = writtenHalf(inst, to);
  for (unsigned d = 0; d < to.dwords; ++d) {
    const RegUnit unit{static_cast<uint16_t>(to.first.index + d)};
    if (half != Half::Whole)
      results[d] = withHalf(seenTerm(side, unit), half, results[d]);
    if (!side.isWhole()) // Other lanes keep what they have.
      results[d] = terms_.lanes(termOf(side, kExecLo), results[d], termOf(side, unit));
  }
  take(side, inst, results);
}

} // namespace rdna::verify
