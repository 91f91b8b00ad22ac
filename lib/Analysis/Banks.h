//===- Banks.h - the bank table of the by-hand analysis -------------------===//
//
// One row per instruction: which register-file bank each source slot reads, what the operand cache
// still holds, which banks the destinations read and write. Figures are those of Metrics.h.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Metrics.h"

#include <array>

namespace rdna {

/// What one source slot reads. From `Cache`: the same half of the previous VOPD read the same
/// register in this slot (a model of the operand cache, ISA guide 7.6; not measured).
struct SlotRead {
  enum class From : uint8_t { Nothing, File, Cache } from = From::Nothing;
  Vgpr reg; ///< The first one of a tuple.
  bool operator==(const SlotRead &) const = default;
};

/// What happens to one destination: written only, or read as accumulator as well.
struct DestinationUse {
  enum class Use : uint8_t { Nothing, Write, ReadWrite } use = Use::Nothing;
  Vgpr reg;
  bool operator==(const DestinationUse &) const = default;
};

/// The slot (0 or 1) and the registers that make hasParityHazard() true.
struct ParityClash {
  unsigned slot = 0;
  Vgpr x, y;
};
std::optional<ParityClash> parityClash(const VopdHalf &x, const VopdHalf &y);

struct BankRow {
  uint32_t instruction = 0;
  std::array<SlotRead, 4> sources;              ///< SRCX0, SRCX1, SRCY0, SRCY1.
  std::array<DestinationUse, 2> destinations;   ///< DSTX, DSTY.
  std::vector<std::pair<Vgpr, Vgpr>> conflicts; ///< Different source VGPRs of one bank.
  std::optional<ParityClash> hazard;
};

/// Rows of the instructions given, in text order. An instruction that is no VOPD fills the X
/// columns if it is a VALU instruction, else none.
std::vector<BankRow> bankTable(const Module &module, llvm::ArrayRef<uint32_t> instructions);

} // namespace rdna
