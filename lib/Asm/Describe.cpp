// One instruction in our terms: operands, registers read and written, effect on memory.

#include "Asm/Builder.h"

#include "Isa/OpTraits.h"

#include <algorithm>

namespace rdna {

const Operand *Instruction::named(OperandName name) const {
  const auto it = std::find_if(operands.begin(), operands.end(),
                               [&](const Operand &operand) { return operand.name == name; });
  return it == operands.end() ? nullptr : &*it;
}

int64_t Instruction::value(OperandName name, int64_t fallback) const {
  const Operand *operand = named(name);
  return operand ? operand->imm : fallback;
}

bool Instruction::readsInactiveLanes() const {
  if (op == Op::v_permlane16_b32 || op == Op::v_permlanex16_b32) {
    // op_sel[0] is fetch-inactive (ISA guide, V_PERMLANE16_B32); it lies in the first source's
    // modifier. op_sel[1] is bound-ctrl.
    const auto first = std::find_if(operands.begin(), operands.end(), [](const Operand &operand) {
      return operand.cls == Operand::Class::Modifier;
    });
    return first != operands.end() && first->imm != 0;
  }
  return isDpp() && value(OperandName::FetchInactive) != 0;
}

bool Instruction::writesUnit(RegUnit unit) const {
  return std::any_of(accesses.begin(), accesses.end(),
                     [&](const RegAccess &a) { return a.writes() && a.reg.contains(unit); });
}

bool Instruction::readsUnit(RegUnit unit) const {
  return std::any_of(accesses.begin(), accesses.end(),
                     [&](const RegAccess &a) { return a.reads() && a.reg.contains(unit); });
}

static MemoryEffect memoryEffect(Op op, const llvm::MCInstrDesc &desc) {
  // Lane exchanges go through the LDS hardware and lgkmcnt, but touch no memory.
  if (opTraits(op).is(OpFlag::NoMemory))
    return MemoryEffect::None;
  switch (opUnit(op)) {
  case Unit::Lds:
  case Unit::Smem:
  case Unit::Global:
  case Unit::Flat:
  case Unit::Scratch:
  case Unit::Buffer:
  case Unit::Image:
    break;
  default:
    return MemoryEffect::None;
  }
  const bool load = desc.mayLoad(), store = desc.mayStore();
  if (load && store)
    return desc.getNumDefs() > 0 ? MemoryEffect::AtomicReturn : MemoryEffect::Atomic;
  return load ? MemoryEffect::Load : store ? MemoryEffect::Store : MemoryEffect::None;
}

static constexpr int64_t kDpp8FetchInactive = 0xea; // operand encoding of SRC0 (ISA guide, DPP8)

static void addImplicit(const McTarget &target, unsigned reg, Access access, Instruction &inst) {
  std::optional<RegRange> range = target.range(reg);
  if (!range)
    return;
  const bool scalar = inst.unit == Unit::Salu || inst.unit == Unit::Branch;
  // EXEC gates every vector instruction; passes never move anything across an EXEC write, so the
  // gate is not listed.
  if (access == Access::Read && range->first == kExecLo && !scalar)
    return;
  if (access == Access::Read && range->first == kMode)
    return;
  // LLVM names the 64-bit mask even in wave32, where only instructions on 64 bits use the high
  // half.
  const bool wide = inst.unit == Unit::Salu && opTraits(inst.op).source.bits == 64;
  if ((range->first == kVccLo || range->first == kExecLo) && range->dwords == 2 && !wide)
    range->dwords = 1;
  inst.accesses.push_back({*range, access, -1});
}

void describeInstruction(const llvm::MCInst &mc, ParseState &state, Instruction &inst) {
  const McTarget &target = McTarget::get();
  const OpcodeFacts &facts = target.facts(mc);
  const llvm::MCInstrDesc &desc = target.instructions().get(mc.getOpcode());
  inst.op = facts.op;
  inst.opY = facts.opY;
  inst.unit = opUnit(facts.op);
  inst.bufferAddress = facts.bufferAddress;
  inst.memory = memoryEffect(inst.op, desc);
  // LLVM's table does not say so.
  const bool partial = keepsDestination(inst.op);
  const unsigned defs = desc.getNumDefs();
  for (unsigned i = 0; i < mc.getNumOperands(); ++i) {
    const llvm::MCOperand &from = mc.getOperand(i);
    Operand to;
    const bool described = i < desc.getNumOperands();
    const unsigned type = described ? desc.operands()[i].OperandType : 0u;
    if (from.isReg()) {
      to.kind = Operand::Kind::Register;
      to.cls = i < defs ? Operand::Class::Def : Operand::Class::Source;
      to.special = target.special(from.getReg());
      if (const auto range = target.range(from.getReg()))
        to.reg = *range;
      else
        to.reg = {RegUnit::scalar(124), 1, Half::Whole}; // `off` and the like: the null register
      if (described && i >= defs)
        to.tiedTo = static_cast<int8_t>(desc.getOperandConstraint(i, llvm::MCOI::TIED_TO));
    } else if (from.isImm()) {
      to.imm = from.getImm();
      to.cls = type == kOperandInputMods                  ? Operand::Class::Modifier
               : type >= llvm::MCOI::OPERAND_FIRST_TARGET ? Operand::Class::Source
                                                          : Operand::Class::Control;
      if (to.cls == Operand::Class::Control && i < facts.names.size())
        to.name = facts.names[i];
      if (to.name == OperandName::FetchInactive) // of DPP8 it is the number that encodes it
        to.imm = to.imm == 1 || to.imm == kDpp8FetchInactive;
    } else if (from.isExpr()) {
      to.kind = Operand::Kind::Expression;
      to.cls = Operand::Class::Source;
      llvm::raw_string_ostream os(state.symbolTexts.emplace_back());
      target.asmInfo().printExpr(os, *from.getExpr());
      to.symbol = state.symbolTexts.back();
    }
    if (to.isReg() && !to.reg.first.isNull()) {
      const bool isDef = to.cls == Operand::Class::Def;
      const Access access = !isDef                                  ? Access::Read
                            : partial || to.reg.half != Half::Whole ? Access::Partial
                                                                    : Access::Write;
      inst.accesses.push_back({to.reg, access, static_cast<int8_t>(i)});
    }
    inst.operands.push_back(to);
  }
  for (const llvm::MCPhysReg reg : desc.implicit_uses())
    addImplicit(target, reg, Access::Read, inst);
  for (const llvm::MCPhysReg reg : desc.implicit_defs())
    addImplicit(target, reg, Access::Write, inst);
}

} // namespace rdna
