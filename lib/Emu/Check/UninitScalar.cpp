//===- UninitScalar.cpp - definedness of scalar registers ------------===//
#include "Emu/Check/Bits.h"
#include "Emu/Check/Uninit.h"
#include "Isa/OpTraits.h"

#include <fmt/format.h>

namespace rdna::emu {
namespace {

enum class Logic {
  None,
  Move,
  Not,
  And,
  Or,
  Xor,
  AndNot1,
  OrNot1,
  Nand,
  Nor,
  Xnor,
  AndNot0,
  OrNot0
};

Logic logicOf(Op op) {
  switch (op) {
  case Op::s_mov_b32:
  case Op::s_mov_b64:
    return Logic::Move;
  case Op::s_not_b32:
  case Op::s_not_b64:
    return Logic::Not;
  case Op::s_and_b32:
  case Op::s_and_b64:
  case Op::s_and_saveexec_b32:
  case Op::s_and_saveexec_b64:
    return Logic::And;
  case Op::s_or_b32:
  case Op::s_or_b64:
  case Op::s_or_saveexec_b32:
  case Op::s_or_saveexec_b64:
    return Logic::Or;
  case Op::s_xor_b32:
  case Op::s_xor_b64:
  case Op::s_xor_saveexec_b32:
  case Op::s_xor_saveexec_b64:
    return Logic::Xor;
  case Op::s_and_not1_b32:
  case Op::s_and_not1_b64:
  case Op::s_and_not1_saveexec_b32:
  case Op::s_and_not1_saveexec_b64:
  case Op::s_and_not1_wrexec_b32:
  case Op::s_and_not1_wrexec_b64:
    return Logic::AndNot1;
  case Op::s_or_not1_b32:
  case Op::s_or_not1_b64:
  case Op::s_or_not1_saveexec_b32:
  case Op::s_or_not1_saveexec_b64:
    return Logic::OrNot1;
  case Op::s_nand_b32:
  case Op::s_nand_b64:
  case Op::s_nand_saveexec_b32:
  case Op::s_nand_saveexec_b64:
    return Logic::Nand;
  case Op::s_nor_b32:
  case Op::s_nor_b64:
  case Op::s_nor_saveexec_b32:
  case Op::s_nor_saveexec_b64:
    return Logic::Nor;
  case Op::s_xnor_b32:
  case Op::s_xnor_b64:
  case Op::s_xnor_saveexec_b32:
  case Op::s_xnor_saveexec_b64:
    return Logic::Xnor;
  case Op::s_and_not0_saveexec_b32:
  case Op::s_and_not0_saveexec_b64:
  case Op::s_and_not0_wrexec_b32:
  case Op::s_and_not0_wrexec_b64:
    return Logic::AndNot0;
  case Op::s_or_not0_saveexec_b32:
  case Op::s_or_not0_saveexec_b64:
    return Logic::OrNot0;
  default:
    return Logic::None;
  }
}

bool isBitTest(Op op) {
  return op == Op::s_bitcmp0_b32 || op == Op::s_bitcmp1_b32 || op == Op::s_bitcmp0_b64 ||
         op == Op::s_bitcmp1_b64;
}

Bits apply(Logic logic, Bits a, Bits b) {
  switch (logic) {
  case Logic::Not:
    return ~a;
  case Logic::And:
    return a & b;
  case Logic::Or:
    return a | b;
  case Logic::AndNot1:
    return a & ~b;
  case Logic::OrNot1:
    return a | ~b;
  case Logic::AndNot0:
    return ~a & b;
  case Logic::OrNot0:
    return ~a | b;
  case Logic::Nand:
    return ~(a & b);
  case Logic::Nor:
    return ~(a | b);
  case Logic::Xor:
    return a ^ b;
  case Logic::Xnor:
    return ~(a ^ b);
  default:
    return a;
  }
}

} // namespace

void UninitCheck::setExec(Wave &w, const Inst &op, uint32_t undefined, unsigned culprit) {
  if (undefined) // EXEC itself counts as defined from here on.
    report(w, op.offset, "undefined-exec", culprit, unsigned(__builtin_ctz(undefined)),
           "decides which lanes are active");
}

void UninitCheck::stepScalar(Wave &w, const InstPlan &plan) {
  WaveShadow &shadow = waves_[w.number];
  const Inst &op = *plan.first;
  const Op kind = plan.facts().op;
  const OpTraits &traits = opTraits(kind);
  const bool wide = traits.source.bits == 64;
  const auto source = [&](unsigned k) -> Bits {
    const Source &s = op.src[k];
    if (s.kind != SourceKind::Scalar)
      return {s.constant, 0};
    const unsigned unit = s.index == regScc ? kScc.index : 256 + s.index;
    Bits bits{w.s[s.index], shadow.scalar(unit)};
    if (wide && s.index < 127) {
      bits.value |= uint64_t(w.s[s.index + 1]) << 32;
      bits.undefined |= uint64_t(shadow.scalar(unit + 1)) << 32;
    }
    return bits;
  };
  int first = -1; // The register to name.
  uint32_t origin = WaveShadow::neverWritten;
  for (unsigned unit = 256; unit < kRegUnits && first < 0; ++unit)
    if (plan.reads.has(unit) && !shadow.clean(unit)) {
      first = int(unit);
      origin = shadow.origin(unit);
    }
  const Logic logic = logicOf(kind);
  const bool saves = traits.is(OpFlag::SavesExec);
  const bool writesExec = plan.writes.has(kExecLo.index);
  Bits result{0, ~uint64_t(0)};
  if (logic != Logic::None) {
    Bits b{w.exec(), 0};
    if (!saves && !traits.is(OpFlag::WritesExec))
      b = source(1);
    result = apply(logic, source(0), b);
  } else if (kind == Op::s_cselect_b32 || kind == Op::s_cselect_b64) {
    if (shadow.clean(kScc.index))
      result = source(w.s[regScc] ? 0 : 1);
  } else if (isBitTest(kind)) {
    result.undefined = source(1).undefined || source(0).undefined >> (source(1).value & 63) & 1;
  }
  if (!wide) {
    result.value &= 0xffffffffu;
    result.undefined &= 0xffffffffu;
  }
  // SCC says whether the result is not 0: a defined 1 decides.
  const bool sccDecided = logic != Logic::None && (result.value & ~result.undefined) != 0;
  for (unsigned unit = 256; unit < kRegUnits; ++unit) {
    if (!plan.writes.has(unit))
      continue;
    if (unit == kScc.index) {
      shadow.setScalar(unit, result.undefined && !sccDecided ? ~0u : 0, origin);
    } else if (unit == kExecLo.index) {
      if (uint32_t(result.undefined) && first >= 0)
        report(w, plan.offset, "undefined-exec", unsigned(first),
               unsigned(__builtin_ctz(uint32_t(result.undefined))),
               "decides which lanes are active");
    } else if (unit == kExecHi.index) {
      continue;
    } else if (saves && writesExec) {
      shadow.setScalar(unit, 0, origin); // The old EXEC.
    } else {
      const bool high = wide && logic != Logic::None && unit != 256u + op.dst;
      shadow.setScalar(unit, uint32_t(high ? result.undefined >> 32 : result.undefined), origin);
    }
  }
  if (kind == Op::s_setpc_b64 || kind == Op::s_swappc_b64)
    report(w, plan.offset, "undefined-jump", unsigned(std::max(first, 256)), std::nullopt,
           "jumps to an address");
}

void UninitCheck::stepBranch(Wave &w, const InstPlan &plan) {
  WaveShadow &shadow = waves_[w.number];
  for (const RegUnit unit : {kScc, kVccLo}) {
    if (!plan.reads.has(unit.index) || shadow.clean(unit.index))
      continue;
    // A defined 1 decides that VCC is not 0.
    if (unit == kVccLo && (w.s[regVcc] & ~shadow.scalar(unit.index)) != 0)
      continue;
    report(w, plan.offset, "undefined-branch", unit.index, std::nullopt, "branches");
    shadow.setScalar(unit.index, 0, 0);
  }
  shadow.define(plan.writes, w.exec());
}

} // namespace rdna::emu
