//===- McTables.h - the MC objects of RDNA3 (private to lib/Object) -----===//
#pragma once

#include "Isa/Processor.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>

namespace rdna::object {

/// Target tables of a chip of RDNA3, wave32, with LLVM's default features. Real-true16 among them,
/// because only that accepts the 16-bit register spelling of both old and new compilers.
struct McTables {
  llvm::Triple triple;
  llvm::MCTargetOptions options;
  const llvm::Target *target = nullptr;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> asmInfo;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
};

/// An error only when LLVM was built without the AMDGPU target.
llvm::Expected<McTables> createMcTables(Processor processor = Processor::Gfx1100);

} // namespace rdna::object
