#include "Analysis/Banks.h"

#include <algorithm>

namespace rdna {

static SlotRead slotRead(std::optional<Vgpr> now, std::optional<Vgpr> before) {
  if (!now)
    return {};
  return {now == before ? SlotRead::From::Cache : SlotRead::From::File, *now};
}

static DestinationUse destinationOf(const VopdHalf &half) {
  return {readsDestination(half.op) ? DestinationUse::Use::ReadWrite : DestinationUse::Use::Write,
          half.dst};
}

static std::vector<std::pair<Vgpr, Vgpr>> conflictsOf(const VopdReads &reads) {
  std::vector<Vgpr> regs;
  for (const auto reg : {reads.x0, reads.x1, reads.y0, reads.y1})
    if (reg && std::find(regs.begin(), regs.end(), *reg) == regs.end())
      regs.push_back(*reg);
  std::vector<std::pair<Vgpr, Vgpr>> conflicts;
  for (size_t i = 0; i < regs.size(); ++i)
    for (size_t j = i + 1; j < regs.size(); ++j)
      if (bankOf(regs[i]) == bankOf(regs[j]))
        conflicts.emplace_back(regs[i], regs[j]);
  return conflicts;
}

std::optional<ParityClash> parityClash(const VopdHalf &x, const VopdHalf &y) {
  if (!hasParityHazard(x, y))
    return std::nullopt;
  const auto clash = [](std::optional<Vgpr> a, std::optional<Vgpr> b) {
    return a && b && *a != *b && ((a->number ^ b->number) & 1) == 0;
  };
  const VopdReads reads = vopdReads(x, y);
  if (clash(reads.x0, reads.y0))
    return ParityClash{0, *reads.x0, *reads.y0};
  return ParityClash{1, *reads.x1, *reads.y1};
}

static BankRow vopdRow(const Instruction &inst, VopdReads &previous) {
  BankRow row;
  const auto halves = vopdHalves(inst);
  if (!halves) {
    previous = {};
    return row;
  }
  const auto &[x, y] = *halves;
  const VopdReads reads = vopdReads(x, y);
  row.sources = {slotRead(reads.x0, previous.x0), slotRead(reads.x1, previous.x1),
                 slotRead(reads.y0, previous.y0), slotRead(reads.y1, previous.y1)};
  row.destinations = {destinationOf(x), destinationOf(y)};
  row.conflicts = conflictsOf(reads);
  row.hazard = parityClash(x, y);
  previous = reads;
  return row;
}

static BankRow singleRow(const Instruction &inst) {
  BankRow row;
  size_t slot = 0;
  for (const Operand &operand : inst.operands) {
    const bool isVgpr = operand.isReg() && operand.reg.first.isVgpr();
    if (operand.cls == Operand::Class::Def && isVgpr)
      row.destinations[0] = {DestinationUse::Use::Write, operand.reg.first.asVgpr()};
    if (operand.cls != Operand::Class::Source)
      continue;
    if (operand.tiedTo >= 0)
      row.destinations[0].use = DestinationUse::Use::ReadWrite;
    else if (isVgpr && slot < 2)
      row.sources[slot] = {SlotRead::From::File, operand.reg.first.asVgpr()};
    ++slot;
  }
  return row;
}

std::vector<BankRow> bankTable(const Module &module, llvm::ArrayRef<uint32_t> instructions) {
  std::vector<BankRow> rows;
  VopdReads previous;
  for (const uint32_t index : instructions) {
    const Instruction &inst = module.instructions()[index];
    BankRow row;
    if (inst.isVopd())
      row = vopdRow(inst, previous);
    else if (inst.isValu())
      row = singleRow(inst);
    row.instruction = index;
    rows.push_back(std::move(row));
  }
  return rows;
}

} // namespace rdna
