//===- FunctionWebs.h - values of a whole function and where they may live -===//
//
// A web is a value with everything that must share its register: chains of updates, and what other
// paths bring to the same place. Giving a web another register everywhere needs no moves.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Liveness.h"
#include "Symbolic/Claim.h"
#include "Transform/RegionModel.h"

#include <array>
#include <vector>

namespace rdna {

struct FunctionWebs {
  std::vector<Vgpr> home;           ///< By web: its register in the old text.
  std::vector<uint8_t> pinned;      ///< By web: it has to stay there.
  std::vector<OperandWeb> operands; ///< Sorted by (inst, operand, dword).
  /// By instruction from `firstInst` on, one more at the end: its first entry in `operands`.
  std::vector<uint32_t> operandsOf;
  uint32_t firstInst = 0;
  /// By block: the web of every register that is live where it starts, or that a load may still
  /// write; kNoWeb for others.
  std::vector<std::array<WebId, 256>> atStart;

  WebId webAt(uint32_t inst, unsigned operand, unsigned dword) const;
};

/// The webs of a function whose graph is complete. Instructions with registers that they do not
/// name pin what they touch; what is live where the function is entered or left is pinned, too.
FunctionWebs findWebs(const Module &module, const Cfg &cfg, const Liveness &liveness);

/// The new register of every web.
struct Registers {
  std::vector<Vgpr> of;
  bool isHome(const FunctionWebs &webs, WebId w) const { return of[w] == webs.home[w]; }
};

/// Every web where it is.
Registers registersAtHome(const FunctionWebs &webs);

/// Says so at the start of each block where one moves, in all lanes: there are no moves that would
/// leave the switched-off ones behind.
void claimRegisters(const Cfg &cfg, const FunctionWebs &webs, const Registers &registers,
                    Correspondence &claim);

/// Whom the webs in question may not share a register with.
struct Interference {
  std::vector<VgprSet> homes;             ///< By web: homes of webs that are not in question.
  std::vector<std::vector<WebId>> others; ///< By web: webs that are, sorted.
};
/// For the webs that `asked` marks. `splits` says of an instruction that it may become several
/// ones: the results of the first must leave the sources of the last alone.
Interference findInterference(const Module &module, const Cfg &cfg, const Liveness &liveness,
                              const FunctionWebs &webs, const std::vector<uint8_t> &asked,
                              const std::function<bool(const Instruction &)> &splits);

} // namespace rdna
