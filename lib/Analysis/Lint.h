//===- Lint.h - what the assembler accepts although it is wrong -----------===//
//
// Checks, by the name that stands in brackets behind each message:
//   vopd-parity      sources of one VOPD slot are different VGPRs of one parity (Isa/Vopd.h)
//   buffer-offset    a buffer offset above 4095; llvm-mc truncates it silently
//   clause-length    s_clause of 1, or of 64 (legal are 2 to 63)
//   clause-members   members of different kinds, or a member that no clause may hold
//   setprio-range    s_setprio above 3
//   trans-use        a VALU reads a transcendental's result too early
//   mad64-overlap    v_mad_u64_u32 / v_mad_i64_i32 whose destination overlaps a source
//   cmpx-permlane    v_permlane16/x16 directly behind the v_cmpx that it depends on
//   dealloc-vgprs    s_sendmsg MSG_DEALLOC_VGPRS without s_nop before or s_endpgm behind it
//   vgpr-count       the descriptor declares more than 256 VGPRs, or fewer than the code names
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"

#include <array>
#include <bitset>
#include <optional>
#include <vector>

namespace rdna {

struct LintFinding {
  const char *check = "";              ///< One of the names above.
  Diagnostic diagnostic;               ///< A warning at the instruction or the directive.
  std::optional<uint32_t> instruction; ///< Nothing for a directive's.
};

/// VGPRs that a transcendental may have written so shortly before an instruction that reading them
/// there is too early ("trans-use").
class EarlyTransResults {
public:
  EarlyTransResults(const Module &module, const Cfg &cfg);
  std::bitset<256> at(uint32_t instruction) const;

  /// For each VGPR the distances at which a transcendental may have written it: bit 2 * v + t for v
  /// VALU (0..5) and t transcendental (0..1) instructions since. Six or two of them clear it.
  using Distances = std::array<uint16_t, 256>;
  const Distances &atStart(uint32_t block) const { return in_[block]; }
  static void step(const Instruction &inst, Distances &distances);

private:
  const Module &module_;
  const Cfg &cfg_;
  std::vector<Distances> in_; ///< By block.
};

/// All findings of one function, in text order.
std::vector<LintFinding> lintFunction(const Module &module, const Cfg &cfg);

} // namespace rdna
