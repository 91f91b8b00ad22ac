#include "Transform/FillNames.h"

#include "Asm/Effects.h"
#include "Asm/LdsOffsets.h"
#include "Isa/OpTraits.h"
#include "Transform/CodeLines.h"
#include "Transform/CopyCode.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {

/// Does it bring a register, or make one of what was brought, that may have another name?
bool FillNames::isDefinition(uint32_t i) const {
  const Instruction &next = inst(i);
  if (next.operands.empty() || !next.operands[0].isReg() || keepsDestination(next.op))
    return false;
  const RegRange &to = next.operands[0].reg;
  const bool isLoad = isVmem(next.unit) && next.memory == MemoryEffect::Load;
  return isLoad ||
         (next.isValu() && !next.isVopd() && !next.isDpp() && to.first.isVgpr() && to.dwords == 1 &&
          to.half == Half::Whole && next.operands[0].cls == Operand::Class::Def);
}

/// The load that a store of the second way has its register from, or what converts it, if nothing
/// else reads that and both are of the same lanes.
std::optional<uint32_t> FillNames::loadOf(const FillCell &cell) const {
  std::optional<uint32_t> load;
  bool isStored = false;
  for (const uint32_t i : ways_.second) {
    if (i == cell.store) {
      if (!load)
        return std::nullopt;
      isStored = true;
      continue;
    }
    if (inst(i).writesUnit(kExecLo) && !isStored)
      load.reset();
    if (load && inst(i).readsUnit(cell.data) && !storesToLds(inst(i))) {
      if (isStored)
        return std::nullopt;
      load.reset(); // Another one may follow, as of what was loaded to the address's register.
    }
    if (!inst(i).writesUnit(cell.data))
      continue;
    if (isStored)
      return load;
    load = isDefinition(i) ? std::optional(i) : std::nullopt;
  }
  return load && !isLiveBehind_(cell.data) ? load : std::nullopt;
}

/// All of what a load brings gets new registers, or none.
std::optional<StagesLeft> FillNames::name(FillCells &cells) {
  for (auto &[place, cell] : cells) {
    const auto load = loadOf(cell);
    if (!load) {
      nameWrites(cell);
      continue;
    }
    const RegRange to = inst(*load).operands[0].reg;
    const auto [base, isNew] = newBases_.emplace(*load, nextFree_);
    if (isNew)
      nextFree_ += to.dwords;
    if (nextFree_ > 256)
      return StagesLeft{inst(*load).line, "there are no VGPRs left"};
    const RegUnit named = RegUnit::vgpr(base->second + cell.data.index - to.first.index);
    storeNames_[{cell.store, cell.data.index}] = named;
    cell.data = named;
  }
  for (const auto &[load, base] : newBases_)
    for (unsigned d = 0; d < inst(load).operands[0].reg.dwords; ++d)
      if (const RegUnit old{static_cast<uint16_t>(inst(load).operands[0].reg.first.index + d)};
          isReadByOthers(load, old))
        return StagesLeft{inst(load).line, fmt::format("{} is read elsewhere", toString(old))};
  return std::nullopt;
}

/// Where a register is for a while something else than what is stored: begun for all lanes of the
/// way, an address in a guard of it, loaded to. Those writes take a new name that the store
/// reads.
bool FillNames::nameWrites(FillCell &cell) {
  const RegUnit old = cell.data;
  const auto at = static_cast<size_t>(llvm::find(ways_.second, cell.store) - ways_.second.begin());
  const auto [writes, isBegun] = reaching(at, old);
  if (ways_.depth[at] != 0 || !isBegun || nextFree_ >= 256)
    return false;
  const auto readsThem = [&](size_t n) {
    const auto others = reaching(n, old).first;
    return llvm::any_of(writes, [&](size_t write) { return others.contains(write); });
  };
  for (size_t n = 0; n < ways_.second.size(); ++n)
    if (n != at && inst(ways_.second[n]).readsUnit(old) && readsThem(n))
      return false;
  if (isLiveBehind_(old) && readsThem(ways_.second.size()))
    return false;
  const RegUnit named = RegUnit::vgpr(nextFree_++);
  for (const size_t write : writes)
    writeNames_[{ways_.second[write], old.index}] = named;
  storeNames_[{cell.store, old.index}] = named;
  cell.data = named;
  return true;
}

/// Places of the second way whose writes of a register are read at one, and is it written for all
/// lanes there?
std::pair<std::set<size_t>, bool> FillNames::reaching(size_t place, RegUnit unit) const {
  constexpr unsigned none = ~0u;
  std::set<size_t> writes;
  unsigned around = place < ways_.depth.size() ? ways_.depth[place] : 0; // The guard that it is in.
  unsigned written = none; // In a guard that is not around it: lanes of which depth.
  for (size_t n = place; n-- > 0;) {
    const unsigned depth = ways_.depth[n];
    if (written != none && depth < written)
      written = none;
    around = std::min(around, depth);
    const Instruction &next = inst(ways_.second[n]);
    if (!next.writesUnit(unit) || depth >= written)
      continue;
    writes.insert(n);
    if (!isDefinition(ways_.second[n]) && !next.isVopd())
      return {writes, false};
    if (depth == around)
      return {writes, true};
    written = depth;
  }
  return {writes, false};
}

/// By any but the stores that take the load's new name.
bool FillNames::isReadByOthers(uint32_t load, RegUnit old) const {
  const auto start = llvm::find(ways_.second, load);
  for (auto it = std::next(start); it != ways_.second.end(); ++it) {
    if (inst(*it).readsUnit(old) && !storeNames_.contains({*it, old.index}))
      return true;
    if (inst(*it).writesUnit(old))
      return false;
  }
  return isLiveBehind_(old);
}

/// Besides stores.
std::set<uint32_t> FillNames::renamed() const {
  std::set<uint32_t> result;
  for (const auto &[load, base] : newBases_)
    result.insert(load);
  for (const auto &[key, name] : writeNames_)
    result.insert(key.first);
  return result;
}

std::optional<Code> FillNames::codeOf(uint32_t i) const {
  const auto base = newBases_.find(i);
  const auto name = [&](const Operand &operand, RegUnit old) {
    if (base != newBases_.end() && operand.cls == Operand::Class::Def)
      return RegUnit::vgpr(base->second + old.index - inst(i).operands[0].reg.first.index);
    const auto written = writeNames_.find({i, old.index});
    if (written != writeNames_.end() && operand.cls == Operand::Class::Def)
      return written->second;
    if (!storesToLds(inst(i)))
      return old;
    const Operand &address = inst(i).operands[static_cast<size_t>(ldsAddressOperand(inst(i)))];
    const auto known = storeNames_.find({i, old.index});
    return known == storeNames_.end() || operand.reg == address.reg ? old : known->second;
  };
  const auto code = renamedUnits(module_, inst(i), name);
  return code ? std::optional<Code>(*code) : std::nullopt;
}

} // namespace rdna
