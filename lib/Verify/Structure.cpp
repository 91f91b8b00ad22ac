// Rules that one text must keep by itself. The hazards are those of Analysis/Lint.h, which reports
// them to a user as warnings. Errors here: waits, trans-use, v_cmpx before v_permlane, overlap of a
// 64-bit multiply-add, matrix operands, buffer offsets, clauses, register counts. Warnings, because
// compilers' own output has them and runs: VOPD parity, s_setprio's range, dealloc_vgprs.

#include "Analysis/Lint.h"
#include "Isa/OpTraits.h"
#include "Verify/Demand.h"
#include "Verify/Document.h"
#include "Verify/Rules.h"
#include "Verify/Verify.h"
#include "Verify/Waits.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {

using verify::RuleFault;

static Severity severityOf(std::string_view check) {
  // clang 16 writes no s_nop before it gives the VGPRs back.
  const bool isUsual =
      check == "vopd-parity" || check == "setprio-range" || check == "dealloc-vgprs";
  return isUsual ? Severity::Warning : Severity::Error;
}

static bool isWmma(const Instruction &inst) { return opTraits(inst.op).is(OpFlag::Matrix); }

/// A matrix instruction whose A or B (or whose C, if the operation is another one) is the result of
/// the matrix instruction right before it (LLVM GCNHazardRecognizer::fixWMMAHazards).
static void checkWmma(const Module &module, const Cfg &cfg, std::vector<RuleFault> &findings) {
  for (const Block &block : cfg.blocks) {
    const Instruction *previous = nullptr;
    for (uint32_t i = block.first; i < block.last; ++i) {
      const Instruction &inst = module.instructions()[i];
      if (!inst.isValu())
        continue;
      unsigned source = 0;
      for (const Operand &operand : inst.operands) {
        if (!previous || !isWmma(inst) || operand.cls != Operand::Class::Source)
          continue;
        const bool isAddend = source++ == 2;
        if (operand.isReg() && operand.reg.overlaps(previous->operands[0].reg) &&
            (!isAddend || inst.op != previous->op)) {
          findings.push_back(
              {module.at(inst,
                         fmt::format("reads {}, which the matrix instruction of line {} writes, "
                                     "without a vector instruction in between",
                                     toString(operand.reg), previous->line)),
               "wmma", i, cfg.functionIndex});
          break;
        }
      }
      previous = isWmma(inst) ? &inst : nullptr;
    }
  }
}

/// A clause that a branch can enter in its middle.
static void checkClauses(const Module &module, const Cfg &cfg, std::vector<RuleFault> &findings) {
  for (const Block &block : cfg.blocks)
    for (uint32_t i = block.first; i < block.last; ++i) {
      const Instruction &inst = module.instructions()[i];
      if (inst.op != Op::s_clause || inst.operands.empty())
        continue;
      const auto length = static_cast<uint32_t>(inst.operands[0].imm & 63) + 1;
      if (i + length >= block.last)
        findings.push_back(
            {module.at(inst,
                       fmt::format("the clause of {} instructions reaches past the end of its "
                                   "block",
                                   length)),
             "clause-end", i, cfg.functionIndex});
    }
}

static void checkMetadata(const Module &module, uint32_t index, std::vector<RuleFault> &findings) {
  const Function &function = module.functions()[index];
  const auto count = function.metadata.find(".vgpr_count");
  if (count == function.metadata.end())
    return;
  const unsigned named = verify::vgprsNamed(module, function);
  if (count->second.value >= named)
    return;
  uint32_t line = 1;
  while (line < module.lineCount() && module.lineBegin(line + 1) <= count->second.begin)
    ++line;
  findings.push_back(
      {module.atLine(line,
                     fmt::format("the metadata of '{}' declares {} VGPRs, but its code uses {}",
                                 function.name, count->second.value, named),
                     Severity::Error),
       "metadata", std::nullopt, index});
}

/// Is the only overlap the upper half of the addend with the lower half of a result whose upper
/// half nobody needs? Then what the multiplier forwards wrongly goes nowhere. Compilers write this
/// a lot: they extend a 32-bit addend by whatever register comes next.
static bool isHarmlessOverlap(const Module &module, const Cfg &cfg, const Instruction &mad,
                              std::vector<verify::Needs> &needs) {
  const RegRange dst = mad.operands[0].reg;
  for (const Operand &operand : mad.operands) {
    if (operand.cls != Operand::Class::Source || !operand.isReg() || !operand.reg.overlaps(dst))
      continue;
    if (operand.reg.dwords != 2 || operand.reg.first.index + 1 != dst.first.index)
      return false;
  }
  if (needs.empty())
    needs = verify::computeNeeds(module, cfg);
  const unsigned upper = dst.first.index + 1;
  return !verify::needsAfter(module, cfg, needs, mad.index).maybeActive().test(upper);
}

static void sortByLine(std::vector<RuleFault> &findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const RuleFault &a, const RuleFault &b) {
    return a.diagnostic.line < b.diagnostic.line;
  });
}

std::vector<RuleFault> verify::findRuleFaults(const Module &module, uint32_t function) {
  std::vector<RuleFault> findings;
  const Cfg cfg = buildCfg(module, function);
  if (cfg.blocks.empty())
    return findings;
  std::vector<verify::Needs> needs;
  for (LintFinding &finding : lintFunction(module, cfg)) {
    const std::string_view check = finding.check;
    if (check == "mad64-overlap" && finding.instruction &&
        isHarmlessOverlap(module, cfg, module.instructions()[*finding.instruction], needs))
      continue;
    finding.diagnostic.severity = severityOf(check);
    findings.push_back({std::move(finding.diagnostic), check, finding.instruction, function});
  }
  verify::checkWaits(module, cfg, findings);
  checkWmma(module, cfg, findings);
  checkClauses(module, cfg, findings);
  if (module.functions()[function].isKernel())
    checkMetadata(module, function, findings);
  sortByLine(findings);
  return findings;
}

std::vector<Diagnostic> checkStructure(const Module &module) {
  std::vector<RuleFault> faults;
  for (uint32_t f = 0; f < module.functions().size(); ++f)
    llvm::append_range(faults, verify::findRuleFaults(module, f));
  sortByLine(faults);
  std::vector<Diagnostic> diagnostics;
  for (RuleFault &fault : faults)
    diagnostics.push_back(std::move(fault.diagnostic));
  return diagnostics;
}

} // namespace rdna
