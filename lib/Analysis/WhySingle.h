//===- WhySingle.h - why an FMA is not dual-issued with another one -------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Isa/Vopd.h"

#include <string>
#include <vector>

namespace rdna {

/// What keeps an FMA single, in the order in which it is asked. The rules from Opcode on are about
/// the partner that comes closest to a legal pair.
enum class SingleRule : uint8_t {
  Modifiers,   ///< neg, abs, clamp, omod, DPP or 16-bit selects: VOPD has no bits for them.
  OtherAddend, ///< v_fma_f32 that adds another register than it writes.
  MixedPair,   ///< Half of a VOPD whose other half is no FMA.
  NoPartner,   ///< No other single FMA between the same EXEC writes of the block.
  Dependence,  ///< Every other one needs its result, or the reverse.
  Source1,     ///< src1 is not a VGPR and cannot be swapped.
  Destination, ///< Both destinations even or both odd.
  Source0Bank,
  Source1Bank,
  Source2Parity,
  ScalarLimit,
  LiteralLimit,
  ParityHazard, ///< Legal for the assembler, unsafe on the hardware (Isa/Vopd.h).
  Nothing,      ///< A legal, safe partner exists: the compiler did not take it.
};

/// A stable short name: "modifiers", "src0-bank", ...
const char *toString(SingleRule rule);

struct SingleFma {
  uint32_t instruction = 0;
  SingleRule rule = SingleRule::Nothing;
  std::string reason;              ///< With the registers and lines that it is about.
  std::string remedy;              ///< What would free it.
  std::optional<uint32_t> partner; ///< The instruction that comes closest, if any.
};

/// Every F32 FMA of one function (or of the instructions given, in text order) that is not half of
/// a dual-issued pair of two FMAs.
std::vector<SingleFma> whySingle(const Module &module, const Cfg &cfg,
                                 llvm::ArrayRef<uint32_t> instructions);

/// How an instruction is found in the file: "12" by its line, "12#3" if it is the third of those
/// that the macro or .rept block of line 12 makes.
std::string placeOf(const Module &module, const Instruction &inst);

} // namespace rdna
