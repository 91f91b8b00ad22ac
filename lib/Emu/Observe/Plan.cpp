//===- Plan.cpp - reads, writes, counters and memory of instructions ---===//
#include "Emu/Observe/Plan.h"

#include "Asm/Decode.h"
#include "Asm/Effects.h"
#include "Asm/Lane.h"
#include "Isa/OpTraits.h"
#include "Isa/Vopd.h"
#include "Isa/WaitCounts.h"

#include <algorithm>

namespace rdna::emu {
namespace {

int64_t firstImmediate(const Instruction &inst) {
  for (const rdna::Operand &operand : inst.operands)
    if (operand.kind == rdna::Operand::Kind::Immediate)
      return operand.imm;
  return 0;
}

WaitLimit waitLimit(const Instruction &inst) {
  WaitLimit limit;
  const auto count = [](std::optional<unsigned> n) { return n ? uint8_t(*n) : WaitLimit::none; };
  const auto imm = uint64_t(firstImmediate(inst));
  switch (inst.op) {
  case Op::s_waitcnt: {
    const WaitCounts counts = decodeWait(uint16_t(imm));
    limit.vm = count(counts.vm);
    limit.lgkm = count(counts.lgkm);
    break;
  }
  // The register of these is NULL in all code that assemblers print for gfx11; the immediate alone
  // is the count then.
  case Op::s_waitcnt_vscnt:
    limit.vs = uint8_t(std::min<uint64_t>(imm & 0xffff, 63));
    break;
  case Op::s_waitcnt_vmcnt:
    limit.vm = uint8_t(std::min<uint64_t>(imm & 0xffff, 63));
    break;
  case Op::s_waitcnt_lgkmcnt:
    limit.lgkm = uint8_t(std::min<uint64_t>(imm & 0xffff, 63));
    break;
  case Op::s_wait_idle: // Waits for everything (ISA, SOPP).
    limit.vm = limit.vs = limit.lgkm = 0;
    break;
  default:
    break;
  }
  return limit;
}

uint8_t countersOf(const Instruction &inst) {
  const bool returns =
      inst.memory == MemoryEffect::Load || inst.memory == MemoryEffect::AtomicReturn;
  switch (inst.unit) {
  case Unit::Lds:
    return inst.op == Op::ds_nop ? 0 : counterLds;
  case Unit::Smem:
    return counterSmem;
  case Unit::Message:
    return inst.op == Op::s_sendmsg_rtn_b32 || inst.op == Op::s_sendmsg_rtn_b64 ? counterSmem : 0;
  case Unit::Flat:
    return counterLds | (returns ? counterVm : counterVs);
  case Unit::Global:
  case Unit::Scratch:
  case Unit::Buffer:
  case Unit::Image:
    // Cache invalidations carry no address and are not counted by vmcnt (LLVM SIInsertWaitcnts).
    if (opTraits(inst.op).is(OpFlag::Invalidates))
      return 0;
    return returns ? counterVm : counterVs;
  default:
    return 0;
  }
}

void planMemory(InstPlan &plan) {
  const Op op = plan.facts().op;
  const MemoryTraits &traits = opTraits(op).memory;
  switch (plan.facts().memory) {
  case MemoryEffect::None:
    return;
  case MemoryEffect::Load:
    plan.kind = AccessKind::Read;
    break;
  case MemoryEffect::Store:
    plan.kind = AccessKind::Write;
    break;
  case MemoryEffect::Atomic:
  case MemoryEffect::AtomicReturn:
    plan.kind = AccessKind::Atomic;
    break;
  }
  plan.bytes = traits.bytes;
  switch (plan.facts().unit) {
  case Unit::Lds:
    plan.memory = MemoryClass::Lds;
    if (traits.address == AddressForm::Pair || traits.address == AddressForm::PairStride64)
      plan.memory = MemoryClass::LdsPair,
      plan.scale = plan.bytes * (traits.address == AddressForm::PairStride64 ? 64u : 1u);
    else if (op == Op::ds_append || op == Op::ds_consume)
      plan.memory = MemoryClass::LdsCounter, plan.bytes = 4, plan.kind = AccessKind::Atomic;
    else if (traits.address == AddressForm::AddThreadId)
      plan.memory = MemoryClass::LdsAddTid;
    break;
  case Unit::Flat:
  case Unit::Global:
  case Unit::Scratch:
    plan.memory =
        traits.address == AddressForm::AddThreadId ? MemoryClass::FlatAddTid : MemoryClass::Flat;
    break;
  case Unit::Buffer:
    plan.memory = MemoryClass::Buffer;
    break;
  case Unit::Smem:
    plan.memory = MemoryClass::Scalar;
    break;
  default:
    break;
  }
  // Formatted buffer accesses say in their resource or format field how wide they are; a checker
  // that guessed would be wrong both ways.
  if (plan.bytes == 0 || traits.isFormatted)
    plan.memory = MemoryClass::None;
}

uint16_t traitsOf(const Instruction &inst) {
  const OpTraits &op = opTraits(inst.op);
  unsigned traits = inst.isValu() ? traitValu : 0;
  if (inst.unit == Unit::Trans)
    traits |= traitTrans;
  if (const auto halves = inst.isVopd() ? vopdHalves(inst) : std::nullopt)
    traits |= hasParityHazard(halves->first, halves->second) ? traitVopdParity : 0;
  if (inst.op == Op::v_mad_u64_u32 || inst.op == Op::v_mad_i64_i32)
    for (const rdna::Operand &source : inst.operands)
      if (source.cls == rdna::Operand::Class::Source && source.isReg() &&
          source.reg.overlaps(inst.operands.front().reg))
        traits |= traitMad64;
  traits |= op.is(OpFlag::Permlane) ? traitPermlane : 0;
  traits |= isCompareToExec(inst.op) ? traitCmpx : 0;
  traits |= op.is(OpFlag::Matrix) ? traitWmma : 0;
  if (isVmem(inst.unit) || inst.unit == Unit::Lds)
    traits |= traitDrains | traitVectorMemory;
  if (inst.op == Op::s_waitcnt_depctr && (firstImmediate(inst) >> 12 & 15) == 0)
    traits |= traitDrains;
  traits |= inst.op == Op::s_clause ? traitClause : 0;
  constexpr int64_t messageDeallocVgprs = 3;
  if (inst.op == Op::s_sendmsg && firstImmediate(inst) == messageDeallocVgprs)
    traits |= traitDealloc;
  traits |= inst.op == Op::s_nop || inst.op == Op::s_sleep ? traitIdle : 0;
  traits |= inst.unit == Unit::End ? traitEnd : 0;
  return uint16_t(traits);
}

InstPlan planOf(const Inst &inst, const Instruction &facts) {
  InstPlan plan;
  plan.first = &inst;
  plan.offset = inst.offset;
  plan.details = &facts;
  plan.traits = traitsOf(facts);
  RegSet sources;
  for (const RegAccess &access : plan.facts().accesses) {
    if (access.reads())
      plan.reads.add(access.reg);
    if (access.writes())
      plan.writes.add(access.reg);
    plan.partial |= access.access == Access::Partial;
    if (access.reads())
      (isKept(facts, access) ? plan.kept : sources).add(access.reg);
  }
  plan.kept -= sources;
  plan.wait = waitLimit(plan.facts());
  plan.counters = countersOf(plan.facts());
  planMemory(plan);
  return plan;
}

} // namespace

RegSet ProgramPlans::beyond(unsigned vgprs) {
  RegSet set;
  for (unsigned v = vgprs; v < 256; ++v)
    set.add({RegUnit::vgpr(v), 1});
  for (unsigned trap = 108; trap < 124; ++trap)
    set.add({RegUnit::scalar(trap), 1});
  return set;
}

ProgramPlans::ProgramPlans(const DecodedProgram &program) : program_(program) {
  const KernelImage &image = program.image();
  begin_ = image.codeBegin;
  index_.assign((image.codeEnd - image.codeBegin) / 4, -1);
  vgprs_ = ((image.rsrc1 & 63) + 1) * 8;
  const RegSet absent = beyond(vgprs_);
  InstructionDecoder decoder;
  const std::span<const std::byte> bytes(image.image);
  for (uint64_t offset = image.codeBegin; offset + 4 <= image.codeEnd; offset += 4) {
    const Inst *inst = program.at(offset);
    if (!inst)
      continue;
    auto facts = decoder.decode(bytes.subspan(offset, image.codeEnd - offset));
    if (!facts)
      continue;
    index_[(offset - begin_) / 4] = int32_t(plans_.size());
    plans_.push_back(planOf(*inst, facts_.emplace_back(std::move(*facts))));
    InstPlan &plan = plans_.back();
    plan.number = uint32_t(plans_.size() - 1);
    if (plan.reads.intersects(absent) || plan.writes.intersects(absent))
      plan.traits |= traitBeyond;
  }
}

} // namespace rdna::emu
