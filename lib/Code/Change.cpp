#include "Code/Change.h"

#include "Asm/GlobalAddress.h"
#include "Asm/ParsedModule.h"
#include "Code/Build.h"
#include "Code/MadeInst.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {

static Inst finishChanged(llvm::MCInst mc) {
  auto made = std::make_shared<MadeInst>();
  made->text = McTarget::get().print(mc);
  made->mc = std::move(mc);
  return Inst(std::move(made));
}

namespace {
enum class Renaming : uint8_t { Nothing, Done, Impossible };
} // namespace

static Renaming renameUnits(const Instruction &inst, RenameUnitFn newName, llvm::MCInst &mc) {
  Renaming result = Renaming::Nothing;
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    const Operand &operand = inst.operands[i];
    if (!operand.isReg())
      continue;
    RegRange to = operand.reg;
    for (unsigned d = 0; d < operand.reg.dwords; ++d) {
      const RegUnit fresh =
          newName(operand, RegUnit{static_cast<uint16_t>(operand.reg.first.index + d)});
      if (d == 0)
        to.first = fresh;
      else if (fresh.index != to.first.index + d)
        return Renaming::Impossible;
    }
    if (to.first == operand.reg.first)
      continue;
    const unsigned reg = McTarget::get().registerOf(to);
    if (reg == 0)
      return Renaming::Impossible;
    mc.getOperand(static_cast<unsigned>(i)).setReg(reg);
    result = Renaming::Done;
  }
  return result;
}

static Renaming rename(const Instruction &inst, const RenameFn &newName, llvm::MCInst &mc) {
  const auto newUnit = [&](const Operand &operand, RegUnit old) {
    if (!old.isVgpr())
      return old;
    const auto index = static_cast<int>(&operand - inst.operands.begin());
    return RegUnit::vgpr(newName(operand, index, Vgpr{static_cast<uint8_t>(old.index)}).number);
  };
  return renameUnits(inst, newUnit, mc);
}

std::optional<Inst> renamedUnits(const Module &module, const Instruction &inst,
                                 RenameUnitFn newName) {
  llvm::MCInst mc = module.parsed().insts[inst.index];
  if (renameUnits(inst, newName, mc) == Renaming::Impossible)
    return std::nullopt;
  return finishChanged(std::move(mc));
}

std::optional<Code> renamed(const Module &module, const Instruction &inst,
                            const RenameFn &newName) {
  llvm::MCInst mc = module.parsed().insts[inst.index];
  switch (rename(inst, newName, mc)) {
  case Renaming::Impossible:
    return std::nullopt;
  case Renaming::Nothing:
    if (inst.origin == Instruction::Origin::Macro)
      return finishChanged(std::move(mc));
    return Code::copyOf(inst);
  case Renaming::Done:
    return finishChanged(std::move(mc));
  }
  return std::nullopt;
}

Inst written(const Module &module, const Instruction &inst) {
  return finishChanged(module.parsed().insts[inst.index]);
}

std::optional<Inst> withValues(const Module &module, const Instruction &inst,
                               llvm::ArrayRef<NewValue> values, const RenameFn &newName) {
  llvm::MCInst mc = module.parsed().insts[inst.index];
  if (rename(inst, newName, mc) == Renaming::Impossible)
    return std::nullopt;
  for (const NewValue &value : values)
    mc.getOperand(value.operand).setImm(value.value);
  return finishChanged(std::move(mc));
}

/// LLVM has an opcode of its own for accesses with a scalar base.
static std::optional<unsigned> withScalarBase(unsigned opcode) {
  const McTarget &target = McTarget::get();
  llvm::StringRef name = target.instructions().getName(opcode);
  if (!name.consume_back("_gfx11"))
    return std::nullopt;
  // Atomics that give back the old value have another suffix behind it.
  const bool returns = name.consume_back("_RTN");
  return target.opcodeByName(fmt::format("{}_SADDR{}_gfx11", name.str(), returns ? "_RTN" : ""));
}

std::optional<Inst> withGlobalAddress(const Module &module, const Instruction &inst, unsigned vgpr,
                                      unsigned pair, int64_t offset) {
  const auto address = globalAddress(inst);
  if (!address)
    return std::nullopt;
  const llvm::MCInst &old = module.parsed().insts[inst.index];
  const auto opcode = address->base ? old.getOpcode() : withScalarBase(old.getOpcode());
  if (!opcode)
    return std::nullopt;
  const McTarget &target = McTarget::get();
  const unsigned vector = target.registerOf({RegUnit::vgpr(vgpr), 1, Half::Whole});
  const unsigned base = target.registerOf({RegUnit::scalar(pair), 2, Half::Whole});
  // Sources that are no base in the order in which they are written, the address first. Loads have
  // the base in front of it and stores behind the data, so the register class says where it goes.
  llvm::SmallVector<llvm::MCOperand, 4> sources{llvm::MCOperand::createReg(vector)}, rest;
  for (unsigned i = old.getNumOperands(); i-- > 0;) {
    const Operand &operand = inst.operands[i];
    if (i == address->offset)
      rest.push_back(llvm::MCOperand::createImm(offset));
    else if (!operand.isReg())
      rest.push_back(old.getOperand(i));
  }
  for (unsigned i = 0; i < old.getNumOperands(); ++i)
    if (const Operand &operand = inst.operands[i];
        operand.isReg() && operand.cls == Operand::Class::Source && operand.tiedTo < 0 &&
        i != address->vector && i != address->base)
      sources.push_back(old.getOperand(i));
  std::reverse(sources.begin(), sources.end());
  const llvm::MCInstrDesc &desc = target.instructions().get(*opcode);
  llvm::MCInst mc;
  mc.setOpcode(*opcode);
  for (unsigned i = 0; i < desc.getNumOperands(); ++i) {
    const int regClass = desc.operands()[i].RegClass;
    const bool isBase =
        regClass >= 0 && target.registers().getRegClass(unsigned(regClass)).contains(base);
    // LLVM's parser writes a number in place of a destination that is kept.
    auto &from = regClass >= 0 && !sources.empty() ? sources : rest;
    if (i < desc.getNumDefs()) {
      mc.addOperand(old.getOperand(i));
    } else if (isBase) {
      mc.addOperand(llvm::MCOperand::createReg(base));
    } else {
      if (from.empty())
        return std::nullopt;
      mc.addOperand(from.pop_back_val());
    }
  }
  return sources.empty() && rest.empty() ? std::optional(finishChanged(std::move(mc)))
                                         : std::nullopt;
}

Inst redirected(const Instruction &branch, std::string_view label) {
  return buildBranch(branch.op, label);
}

} // namespace rdna
