#include "Timing/TimedOp.h"

#include "Asm/Lane.h"
#include "Isa/OpTraits.h"
#include "Isa/Vopd.h"

#include <algorithm>
#include <array>

namespace rdna::timing {
namespace {

IssueClass classOf(const Instruction &inst) {
  switch (inst.unit) {
  case Unit::Valu:
  case Unit::Trans:
    return IssueClass::Vector;
  case Unit::Salu:
    return IssueClass::Scalar;
  case Unit::Smem:
    return IssueClass::ScalarMemory;
  case Unit::Lds:
    return IssueClass::Lds;
  case Unit::Global:
  case Unit::Flat:
  case Unit::Scratch:
  case Unit::Buffer:
  case Unit::Image:
    return IssueClass::VectorMemory;
  case Unit::Branch:
    return IssueClass::Branch;
  case Unit::Barrier:
    return IssueClass::Barrier;
  case Unit::Wait:
    return IssueClass::Wait;
  case Unit::End:
    return IssueClass::End;
  case Unit::Message:
  case Unit::Control:
  case Unit::Other:
    return inst.op == Op::s_delay_alu ? IssueClass::Hint : IssueClass::Internal;
  }
  return IssueClass::Internal;
}

/// How many of the different VGPRs that `sources` name are in the bank that has most of them.
unsigned inOneBank(llvm::ArrayRef<Vgpr> sources) {
  std::array<unsigned, 4> banks{};
  for (size_t n = 0; n < sources.size(); ++n)
    if (std::find(sources.begin(), sources.begin() + n, sources[n]) == sources.begin() + n)
      ++banks[static_cast<unsigned>(bankOf(sources[n]))];
  return *std::max_element(banks.begin(), banks.end());
}

void addOperandReads(TimedOp &op, const Instruction &inst) {
  llvm::SmallVector<Vgpr, 4> sources;
  size_t all = 0;
  if (const auto halves = inst.isVopd() ? vopdHalves(inst) : std::nullopt) {
    for (const VopdHalf &half : {halves->first, halves->second}) {
      for (const std::optional<Vgpr> &source : {source0Port(half), source1Port(half)})
        if (source)
          sources.push_back(*source);
    }
    op.sharedSources = static_cast<uint8_t>(inOneBank(sources));
  } else {
    for (const rdna::Operand &operand : inst.operands) {
      if (operand.cls != rdna::Operand::Class::Source || operand.tiedTo >= 0)
        continue;
      ++all;
      if (operand.isReg() && operand.reg.first.isVgpr())
        sources.push_back(operand.reg.first.asVgpr());
    }
    op.tripleBank = sources.size() == 3 && inOneBank(sources) == 3;
  }
  op.vectorSources =
      sources.empty() ? 0 : static_cast<uint8_t>(std::max<size_t>(all, sources.size()));
}

/// The address, and what is stored: a clock for each dword, and one for a plain address.
uint8_t operandClocks(const TimedOp &op, const Instruction &inst) {
  unsigned address = 0, data = 0;
  for (const rdna::Operand &operand : inst.operands)
    if (operand.cls == rdna::Operand::Class::Source && operand.isReg() &&
        operand.reg.first.isVgpr() && operand.tiedTo < 0)
      (address == 0 ? address : data) += operand.reg.dwords;
  const unsigned both = op.issue == IssueClass::Lds ? std::min(address, 1u) + data : address + data;
  return static_cast<uint8_t>(std::max(both, 1u));
}

uint16_t firstNumber(const Instruction &inst) {
  for (const rdna::Operand &operand : inst.operands)
    if (operand.kind == rdna::Operand::Kind::Immediate)
      return static_cast<uint16_t>(operand.imm);
  return 0;
}

/// Which of the instructions behind an S_DELAY_ALU wait at their issue: its two parts and how far
/// the second one is from the first (ISA, S_DELAY_ALU).
uint8_t delayedBy(unsigned immediate) {
  const unsigned first = immediate & 15, skip = immediate >> 4 & 7, second = immediate >> 7 & 15;
  return static_cast<uint8_t>((first != 0 ? 1 : 0) | (second != 0 ? 1 << skip : 0));
}

/// A result of 16 bits is merged into its register by the write: the issue does not wait for the
/// register's last writer. In the thread traces 34 of 280 VALU issues would be late otherwise.
bool onlyMerges(const Instruction &inst, const RegAccess &access) {
  const OpTraits &traits = opTraits(inst.op);
  return access.access == Access::Partial && traits.is(OpFlag::KeepsHalf) &&
         !traits.is(OpFlag::Accumulates);
}

} // namespace

TimedOp describe(const emu::InstPlan &plan) {
  const Instruction &inst = plan.facts();
  TimedOp op;
  op.issue = classOf(inst);
  op.offset = plan.offset;
  op.number = plan.number;
  op.bytes = static_cast<uint8_t>(inst.sizeBytes);
  op.wait = plan.wait;
  op.counters = plan.counters;
  for (const RegAccess &access : inst.accesses)
    for (unsigned n = 0; n < access.reg.dwords; ++n) {
      const auto unit = static_cast<uint16_t>(access.reg.first.index + n);
      if (access.reads() && !onlyMerges(inst, access))
        op.reads.push_back(unit);
      if (access.writes())
        op.writes.push_back(unit);
    }
  if (op.issue == IssueClass::Vector) {
    op.rate = vectorRate(inst.op);
    addOperandReads(op, inst);
  }
  if (op.isMemory()) {
    op.accessBytes = plan.bytes;
    op.operandClocks = operandClocks(op, inst);
    for (const RegAccess &access : inst.accesses)
      if (access.writes() && access.reg.first.isVgpr())
        op.resultDwords = static_cast<uint8_t>(op.resultDwords + access.reg.dwords);
  }
  op.scalar = scalarKind(inst.op);
  if (op.issue == IssueClass::Scalar)
    for (const rdna::Operand &operand : inst.operands)
      op.scalarSources += operand.cls == rdna::Operand::Class::Source && operand.isReg();
  if (inst.op == Op::s_setprio)
    op.priority = firstNumber(inst) & 3;
  if (inst.op == Op::s_delay_alu)
    op.delays = delayedBy(firstNumber(inst));
  if (inst.op == Op::s_nop)
    op.idle = firstNumber(inst) & 15;
  if (inst.op == Op::s_sleep)
    op.idle = static_cast<uint16_t>((firstNumber(inst) & 127) * 64);
  return op;
}

} // namespace rdna::timing
