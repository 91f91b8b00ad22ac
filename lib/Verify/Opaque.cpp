#include "Verify/Opaque.h"

#include "Asm/CodeGaps.h"
#include "Asm/Effects.h"
#include "Verify/SymbolAddress.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

namespace rdna::verify {

static bool isOpaqueOp(Op op) {
  switch (op) {
  case Op::unknown:
  case Op::s_subvector_loop_begin:
  case Op::s_subvector_loop_end:
  case Op::s_rfe_b64:
  case Op::s_cbranch_cdbgsys:
  case Op::s_cbranch_cdbguser:
  case Op::s_cbranch_cdbgsys_or_user:
  case Op::s_cbranch_cdbgsys_and_user:
  case Op::exp: // overwriting what an export still reads is guarded by expcnt, which is not
                // followed
  case Op::lds_direct_load:
  case Op::lds_param_load:
    return true;
  default:
    return false;
  }
}

/// `a - b` of two labels changes when code between them does; `sym+4` and `sym@rel32@lo-4` do not.
static bool isDistance(std::string_view text) {
  for (size_t at = text.find('-'); at != std::string_view::npos; at = text.find('-', at + 1)) {
    size_t next = at + 1;
    while (next < text.size() && (text[next] == ' ' || text[next] == '('))
      ++next;
    if (next < text.size() && !std::isdigit(static_cast<unsigned char>(text[next])))
      return true;
  }
  return false;
}

static const Operand *expressionOf(const Instruction &inst) {
  const auto it = llvm::find_if(inst.operands, [](const Operand &operand) {
    return operand.kind == Operand::Kind::Expression;
  });
  return it == inst.operands.end() ? nullptr : it;
}

/// A source whose value is in no register that is followed.
static bool isUnknownSource(const Operand &operand) {
  // LLVM takes src_scc as a destination, too; what that writes is not documented.
  if (operand.cls == Operand::Class::Def)
    return operand.special == SpecialSource::Scc;
  switch (operand.special) {
  case SpecialSource::Vccz:
  case SpecialSource::Execz:
  case SpecialSource::PopsExitingWaveId:
  case SpecialSource::LdsDirect:
  case SpecialSource::Other:
    return true;
  default:
    return false;
  }
}

bool isInLongBranch(const Module &module, const Instruction &inst) {
  const auto &all = module.instructions();
  for (uint32_t i = inst.index + 1; i < all.size() && i <= inst.index + 6; ++i)
    if (all[i].longBranch != 0)
      return i - all[i].longBranch <= inst.index;
  return false;
}

bool entersLongBranch(const Module &module, const Instruction &branch) {
  const auto &all = module.instructions();
  const auto target = module.labelTarget(module.branchTarget(branch));
  return target && *target < all.size() &&
         (all[*target].longBranch != 0 ||
          (isInLongBranch(module, all[*target]) && all[*target].op != Op::s_getpc_b64));
}

/// The jump or entry that leaves a hole in the graph.
static void addUnknownPaths(const Module &module, const Cfg &cfg, std::vector<OpaqueSpot> &spots) {
  if (cfg.indirectJump) {
    // To an address in a register: who makes one of a distance is found where that is read.
    const bool isAddress = module.instructions()[*cfg.indirectJump].op == Op::s_setpc_b64;
    spots.push_back({*cfg.indirectJump, "jumps to an address that is not known here",
                     isAddress ? OpaqueSpot::Why::Unknown : OpaqueSpot::Why::Distance});
  }
  if (cfg.enteredAt)
    spots.push_back({*cfg.enteredAt, howEntered(module, *cfg.enteredAt)});
}

/// What of one instruction is not understood; an empty reason if nothing is.
static OpaqueSpot lookAt(const Module &module, const Cfg &cfg, const Instruction &inst) {
  const auto because = [&](std::string reason, OpaqueSpot::Why why = OpaqueSpot::Why::Unknown) {
    return OpaqueSpot{inst.index, std::move(reason), why};
  };
  if (isRelative(inst))
    return because("is an instruction whose registers M0 chooses", OpaqueSpot::Why::Registers);
  if (isOpaqueOp(inst.op))
    return because("is an instruction whose registers are not known here");
  if (inst.op == Op::s_getpc_b64 && !isInLongBranch(module, inst) &&
      (!symbolAddressAt(module, inst) || inst.index + 2 >= cfg.blocks.back().last))
    return because("reads the program counter", OpaqueSpot::Why::Distance);
  if (inst.op == Op::s_call_b64)
    return because("calls a place by its distance", module.branchTarget(inst).empty()
                                                        ? OpaqueSpot::Why::Distance
                                                        : OpaqueSpot::Why::Unknown);
  if (inst.unit == Unit::Branch)
    return because(entersLongBranch(module, inst) ? "goes on in the middle of a long branch" : "");
  const Operand *symbol = expressionOf(inst);
  if (symbol && isDistance(symbol->symbol) && !isInLongBranch(module, inst))
    return because("uses the distance of two labels", OpaqueSpot::Why::Distance);
  if (inst.unit == Unit::Lds && inst.memory != MemoryEffect::None &&
      inst.value(OperandName::Gds) != 0)
    return because("accesses the global data share");
  if (llvm::any_of(inst.operands, isUnknownSource))
    return because("reads a special register");
  return because({});
}

std::vector<OpaqueSpot> opaqueSpots(const Module &module, const Cfg &cfg) {
  std::vector<OpaqueSpot> spots;
  addUnknownPaths(module, cfg, spots);
  if (cfg.blocks.empty())
    return spots;
  if (const auto gap = findGap(module, module.functions()[cfg.functionIndex]))
    spots.push_back({cfg.blocks.front().first, fmt::format("{} at line {}", gap->reason, gap->line),
                     OpaqueSpot::Why::Distance});
  for (uint32_t i = cfg.blocks.front().first; i < cfg.blocks.back().last; ++i)
    if (OpaqueSpot spot = lookAt(module, cfg, module.instructions()[i]); !spot.reason.empty())
      spots.push_back(std::move(spot));
  return spots;
}

std::optional<OpaqueSpot> findOpaque(const Module &module, const Cfg &cfg) {
  std::vector<OpaqueSpot> spots = opaqueSpots(module, cfg);
  return spots.empty() ? std::nullopt : std::optional(std::move(spots.front()));
}

bool isHint(const Instruction &inst) {
  return inst.op == Op::s_clause || inst.op == Op::s_delay_alu || inst.op == Op::s_setprio;
}

bool isUnchanged(const Module &before, const Function &oldFunction, const Module &after,
                 const Function &newFunction, Hints hints) {
  /// A function's instructions and the labels in front of them.
  struct Text {
    std::vector<std::string_view> code;
    std::vector<int64_t> immediates;
    std::set<std::pair<size_t, std::string_view>> labels;
  };
  const auto textOf = [&](const Module &module, const Function &function) {
    Text text;
    std::vector<size_t> place; // of each instruction, and of the end
    for (uint32_t i = function.first; i < function.last; ++i) {
      const Instruction &inst = module.instructions()[i];
      place.push_back(text.code.size());
      if (hints == Hints::Compare || !isHint(inst))
        text.code.push_back(module.instructionText(inst));
      // What a symbol stands for may have changed.
      for (const Operand &operand : inst.operands)
        if (operand.kind == Operand::Kind::Immediate && !isHint(inst))
          text.immediates.push_back(operand.imm);
    }
    place.push_back(text.code.size());
    // Labels are in text order.
    auto label =
        std::partition_point(module.labels().begin(), module.labels().end(),
                             [&](const Label &l) { return l.instruction < function.first; });
    for (; label != module.labels().end() && label->instruction <= function.last; ++label)
      text.labels.emplace(place[label->instruction - function.first], label->name);
    return text;
  };
  const Text was = textOf(before, oldFunction), now = textOf(after, newFunction);
  return was.code == now.code && was.labels == now.labels && was.immediates == now.immediates;
}

std::optional<uint32_t> changedUnreachable(const Module &before, const Cfg &oldCfg,
                                           const Module &after, const Cfg &newCfg) {
  const auto unreachable = [](const Module &module, const Cfg &cfg) {
    std::vector<const Instruction *> code;
    for (const Block &block : cfg.blocks)
      for (uint32_t i = block.first; !block.reachable && i < block.last; ++i)
        if (!isHint(module.instructions()[i]))
          code.push_back(&module.instructions()[i]);
    return code;
  };
  const auto was = unreachable(before, oldCfg), now = unreachable(after, newCfg);
  // Code that has become unreachable may stand in between.
  size_t next = 0;
  for (const Instruction *inst : now)
    if (next < was.size() && before.instructionText(*was[next]) == after.instructionText(*inst))
      ++next;
  if (next == was.size())
    return std::nullopt;
  return now.empty() ? after.functions()[newCfg.functionIndex].line : now.front()->line;
}

bool isLeftByKnownWays(const Module &module, const Function &function) {
  if (function.first == function.last)
    return true;
  const Instruction &last = module.instructions()[function.last - 1];
  if (last.unit == Unit::End || last.op == Op::s_branch || last.op == Op::s_setpc_b64)
    return true;
  return llvm::none_of(module.functions(), [&](const Function &next) {
    return next.first == function.last && next.entry == Function::Entry::Launch;
  });
}

} // namespace rdna::verify
