//===- UninitScalar.cpp - definedness of scalar registers ------------===//
#include "Emu/Check/Bits.h"
#include "Emu/Check/Uninit.h"

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

/// "s_and_not1_saveexec_b32" is AndNot1.
Logic logicOf(std::string_view name) {
  const auto is = [&](std::string_view what) {
    return name.starts_with(what) &&
           (name.substr(what.size()) == "_b32" || name.substr(what.size()) == "_b64" ||
            name.substr(what.size()).starts_with("_saveexec") ||
            name.substr(what.size()).starts_with("_wrexec"));
  };
  static constexpr std::pair<std::string_view, Logic> table[] = {
      {"s_mov", Logic::Move},       {"s_not", Logic::Not},          {"s_and", Logic::And},
      {"s_or", Logic::Or},          {"s_xor", Logic::Xor},          {"s_and_not1", Logic::AndNot1},
      {"s_or_not1", Logic::OrNot1}, {"s_nand", Logic::Nand},        {"s_nor", Logic::Nor},
      {"s_xnor", Logic::Xnor},      {"s_and_not0", Logic::AndNot0}, {"s_or_not0", Logic::OrNot0}};
  for (const auto &[prefix, logic] : table)
    if (is(prefix))
      return logic;
  return Logic::None;
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
  const std::string_view name = plan.name();
  const bool wide = name.ends_with("64");
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
  const Logic logic = logicOf(name);
  const bool saves = name.find("_saveexec") != std::string_view::npos;
  const bool writesExec = plan.writes.has(kExecLo.index);
  Bits result{0, ~uint64_t(0)};
  if (logic != Logic::None) {
    Bits b{w.exec(), 0};
    if (!saves && name.find("_wrexec") == std::string_view::npos)
      b = source(1);
    result = apply(logic, source(0), b);
  } else if (name.starts_with("s_cselect")) {
    if (shadow.clean(kScc.index))
      result = source(w.s[regScc] ? 0 : 1);
  } else if (name.starts_with("s_bitcmp")) {
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
  if (name == "s_setpc_b64" || name == "s_swappc_b64")
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
