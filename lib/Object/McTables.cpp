#include "Object/McTables.h"

#include "Support/Diagnostic.h"

#include "llvm/Support/TargetSelect.h"

#include <mutex>

namespace rdna::object {

llvm::Expected<McTables> createMcTables(Processor processor) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmParser();
    LLVMInitializeAMDGPUDisassembler();
  });
  McTables mc;
  mc.triple = llvm::Triple("amdgcn-amd-amdhsa");
  std::string error;
  mc.target = llvm::TargetRegistry::lookupTarget(mc.triple, error);
  if (mc.target == nullptr)
    return makeError(Failure::NoBackend, "", error);
  mc.registers.reset(mc.target->createMCRegInfo(mc.triple));
  mc.asmInfo.reset(mc.target->createMCAsmInfo(*mc.registers, mc.triple, mc.options));
  mc.instructions.reset(mc.target->createMCInstrInfo());
  mc.subtarget.reset(mc.target->createMCSubtargetInfo(mc.triple, toString(processor), ""));
  if (!mc.registers || !mc.asmInfo || !mc.instructions || !mc.subtarget)
    return makeError(Failure::NoBackend, "", "this LLVM has no AMDGPU assembler");
  return mc;
}

} // namespace rdna::object
