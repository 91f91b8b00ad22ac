#include "Analysis/Mix.h"

#include "Asm/Lane.h"
#include "Isa/OpTraits.h"

namespace rdna {

std::string_view toString(InstructionKind kind) {
  constexpr std::array<std::string_view, instructionKinds> names = {
      "dual FMAC",  "other dual", "single FMAC",   "matrix", "transcendental",
      "other VALU", "SALU",       "scalar memory", "LDS",    "vector memory",
      "wait",       "barrier",    "branch",        "hint",   "other"};
  return names[static_cast<size_t>(kind)];
}

static InstructionKind vectorKind(const Instruction &inst) {
  if (inst.isVopd())
    return isVopdFma(inst.op) && isVopdFma(inst.opY) ? InstructionKind::DualFmac
                                                     : InstructionKind::DualOther;
  if (isFmaFamily(inst))
    return InstructionKind::SingleFmac;
  if (opTraits(inst.op).is(OpFlag::Matrix))
    return InstructionKind::Matrix;
  return inst.unit == Unit::Trans ? InstructionKind::Transcendental : InstructionKind::OtherValu;
}

InstructionKind kindOf(const Instruction &inst) {
  if (inst.isValu())
    return vectorKind(inst);
  if (isVmem(inst.unit))
    return InstructionKind::VectorMemory;
  switch (inst.unit) {
  case Unit::Salu:
    return InstructionKind::Salu;
  case Unit::Smem:
    return InstructionKind::ScalarMemory;
  case Unit::Lds:
    return InstructionKind::Lds;
  case Unit::Wait:
    return InstructionKind::Wait;
  case Unit::Barrier:
    return InstructionKind::Barrier;
  case Unit::Branch:
  case Unit::End:
    return InstructionKind::Branch;
  case Unit::Control:
    return InstructionKind::Hint;
  default:
    return InstructionKind::Other;
  }
}

InstructionMix instructionMix(const Module &module, llvm::ArrayRef<uint32_t> instructions) {
  InstructionMix mix{};
  for (const uint32_t index : instructions)
    ++mix[static_cast<size_t>(kindOf(module.instructions()[index]))];
  return mix;
}

} // namespace rdna
