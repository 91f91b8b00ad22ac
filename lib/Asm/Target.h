//===- Target.h - LLVM's RDNA3 tables, built once (private to Asm, Code) ----===//
#pragma once

#include "Asm/OperandName.h"
#include "Isa/Op.h"
#include "Isa/Processor.h"
#include "Isa/Register.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

#include "llvm/ADT/SmallVector.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rdna {

/// What one LLVM opcode is, in our terms.
struct OpcodeFacts {
  Op op = Op::unknown;
  Op opY = Op::unknown;
  BufferAddress bufferAddress = BufferAddress::None;
  llvm::SmallVector<OperandName, 8> names; ///< By operand; may be shorter than an instruction's.
};

class McTarget;
/// LLVM's operand type of neg, abs and the like (AMDGPU::OPERAND_INPUT_MODS, pinned by a test).
inline constexpr unsigned kOperandInputMods = 45;
/// OperandName.cpp: of each operand of an instruction of that opcode.
llvm::SmallVector<OperandName, 8> operandNames(const McTarget &target, const llvm::MCInst &inst,
                                               Op op);
BufferAddress bufferAddress(llvm::StringRef opcode);
SpecialSource specialSource(llvm::StringRef registerName);

class McTarget {
public:
  static const McTarget &get(); ///< Thread-safe; built on first use (about 5 ms).

  const llvm::Target &target() const { return *target_; }
  const llvm::Triple &triple() const { return triple_; }
  const llvm::MCRegisterInfo &registers() const { return *registers_; }
  const llvm::MCInstrInfo &instructions() const { return *instructions_; }
  const llvm::MCSubtargetInfo &subtarget() const { return subtarget(Processor::Gfx1100); }
  /// For a text's own chip, which its parser compares with `.amdgcn_target`.
  const llvm::MCSubtargetInfo &subtarget(Processor processor) const {
    return *subtargets_[static_cast<size_t>(processor)];
  }
  const llvm::MCAsmInfo &asmInfo() const { return *asmInfo_; }
  const llvm::MCTargetOptions &options() const { return options_; }

  /// Op of an LLVM opcode; computed once per opcode.
  const OpcodeFacts &facts(const llvm::MCInst &inst) const;
  /// The LLVM opcode called `name`, or nothing.
  std::optional<unsigned> opcodeByName(std::string_view name) const;
  /// Our name for an LLVM register; a register outside the machine's files gives nothing.
  std::optional<RegRange> range(unsigned llvmRegister) const;
  SpecialSource special(unsigned llvmRegister) const;
  /// LLVM's register for a range, 0 if there is none. Of twins the one that gfx1100 has.
  unsigned registerOf(RegRange range) const;
  /// LLVM's text for an instruction without symbols, as `mnemonic operands`.
  std::string print(const llvm::MCInst &inst) const;

private:
  McTarget();
  llvm::Triple triple_;
  const llvm::Target *target_ = nullptr;
  llvm::MCTargetOptions options_;
  std::unique_ptr<llvm::MCRegisterInfo> registers_;
  std::unique_ptr<llvm::MCAsmInfo> asmInfo_;
  std::unique_ptr<llvm::MCInstrInfo> instructions_;
  std::array<std::unique_ptr<llvm::MCSubtargetInfo>, allProcessors.size()> subtargets_;
  std::unique_ptr<llvm::MCInstPrinter> printer_;
  std::vector<std::optional<RegRange>> ranges_;
  std::unordered_map<uint32_t, unsigned> byRange_; // key: first, dwords, half
  std::unordered_map<std::string_view, unsigned> opcodes_;
  mutable std::vector<std::unique_ptr<const OpcodeFacts>> facts_; ///< By opcode.
};

} // namespace rdna
