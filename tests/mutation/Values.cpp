#include "mutation/Values.h"

#include "mutation/Operators.h"

#include "Asm/Lane.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::mutation {

uint32_t Values::number(const std::string &expression) {
  const auto [it, isNew] = numbers_.try_emplace(expression, next_);
  next_ += isNew ? 1 : 0;
  return it->second;
}

uint32_t Values::constant(uint32_t bits) { return number(fmt::format("constant {:#x}", bits)); }

/// The low half of a 64-bit multiply-add: the same for either sign, made of low halves only.
std::optional<uint32_t> Values::lowOfMad(const Instruction &inst, const State &state) {
  if (inst.op != Op::v_mad_u64_u32 && inst.op != Op::v_mad_i64_i32)
    return std::nullopt;
  std::vector<uint32_t> sources;
  for (const Operand &operand : inst.operands) {
    if (operand.cls == Operand::Class::Source && operand.kind != Operand::Kind::Expression)
      sources.push_back(operand.isReg() ? state[operand.reg.first.index]
                                        : constant(static_cast<uint32_t>(operand.imm)));
    else if (operand.cls != Operand::Class::Def && operand.imm != 0) // clamp
      return std::nullopt;
  }
  if (sources.size() != 3)
    return std::nullopt;
  return number(fmt::format("low of {} * {} + {}", std::min(sources[0], sources[1]),
                            std::max(sources[0], sources[1]), sources[2]));
}

/// An index times a constant, or plus a product, that is assumed to fit in 32 bits.
bool Values::hasNoHighHalf(const Instruction &inst, const State &state) {
  if (highHalves_ == HighHalves::Any ||
      (inst.op != Op::v_lshlrev_b64 && inst.op != Op::v_mad_u64_u32))
    return false;
  const Operand *wide = nullptr;
  for (const Operand &operand : inst.operands)
    if (operand.cls == Operand::Class::Source)
      wide = &operand; // The last one.
  return wide && wide->isReg() && wide->reg.dwords == 2 &&
         state[wide->reg.first.index + 1u] == constant(0);
}

void Values::execute(const Instruction &inst, State &state) {
  std::vector<std::pair<unsigned, uint32_t>> results;
  const auto lanes = laneOps(inst);
  for (const LaneOp &lane : lanes) {
    const auto value = [&](const VopdSource &source) {
      switch (source.kind) {
      case VopdSource::Kind::Vgpr:
        return state[source.value];
      case VopdSource::Kind::Scalar:
        return source.value == 253 ? state[kScc.index] : state[RegUnit::scalar(source.value).index];
      default:
        return constant(source.value);
      }
    };
    if (lane.op == Op::v_mov_b32) {
      results.emplace_back(lane.dst.number, value(lane.src0));
      continue;
    }
    uint32_t a = value(lane.src0), b = value(lane.src1);
    if (isCommutative(opName(lane.op)) && b < a)
      std::swap(a, b);
    std::string text = fmt::format("{} {} {}", opName(lane.op), a, b);
    if (lane.addend)
      text += fmt::format(" + {}", state[lane.addend->number]);
    if (lane.constant)
      text += fmt::format(" k{}", *lane.constant);
    if (lane.op == Op::v_cndmask_b32)
      text += fmt::format(" by {}", state[kVccLo.index]);
    results.emplace_back(lane.dst.number, number(text));
  }
  if (inst.op == Op::s_mov_b32 && inst.operands[1].kind != Operand::Kind::Expression) {
    const Operand &source = inst.operands[1];
    results.emplace_back(inst.operands[0].reg.first.index,
                         source.isReg() ? state[source.reg.first.index]
                                        : constant(static_cast<uint32_t>(source.imm)));
  }
  if (results.empty()) {
    std::string text = fmt::format("{} exec {}", opName(inst.op), state[kExecLo.index]);
    for (const Operand &operand : inst.operands)
      text += operand.kind == Operand::Kind::Immediate    ? fmt::format(" i{}", operand.imm)
              : operand.kind == Operand::Kind::Expression ? fmt::format(" <{}>", operand.symbol)
                                                          : " r";
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.reads() && d < access.reg.dwords; ++d)
        text += fmt::format(" {}.{}", state[access.reg.first.index + d],
                            static_cast<int>(access.reg.half));
    if (!inst.isValu() && inst.unit != Unit::Salu) // memory changes between two executions
      text += fmt::format(" at {}", inst.index);
    unsigned index = 0;
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
        results.emplace_back(access.reg.first.index + d,
                             number(fmt::format("{} #{}", text, index++)));
    if (const auto low = lowOfMad(inst, state))
      for (auto &[unit, value] : results)
        if (unit == inst.operands[0].reg.first.index)
          value = *low;
    if (hasNoHighHalf(inst, state))
      for (auto &[unit, value] : results)
        if (unit == inst.operands[0].reg.first.index + 1u)
          value = constant(0);
  }
  // What is equal in the lanes that were active need not be so in others; only the same register of
  // two states that agree still does.
  if ((inst.writesUnit(kExecLo) && !narrowsExec(inst)) || inst.op == Op::s_swappc_b64)
    for (unsigned v = 0; v < 256; ++v)
      state[v] = number(fmt::format("v{} of {} behind {}", v, state[v], inst.index));
  for (const auto &[unit, value] : results)
    state[unit] = value;
}

Values::State Values::before(const Module &module, uint32_t function, uint32_t instruction) {
  const Cfg cfg = buildCfg(module, function);
  std::vector<uint32_t> chain{cfg.blockOf(instruction)};
  while (cfg.blocks[chain.back()].predecessors.size() == 1 &&
         std::find(chain.begin(), chain.end(), cfg.blocks[chain.back()].predecessors[0]) ==
             chain.end())
    chain.push_back(cfg.blocks[chain.back()].predecessors[0]);
  State state;
  for (uint32_t &value : state)
    value = fresh();
  const Dataflow dataflow(module, function);
  const auto setConstants = [&](uint32_t at) {
    const Constants known = dataflow.constantsBefore(at);
    for (unsigned i = 0; i < kRegUnits; ++i)
      if (known[i])
        state[i] = constant(*known[i]);
  };
  setConstants(cfg.blocks[chain.back()].first);
  for (size_t i = chain.size(); i-- > 0;) {
    const Block &block = cfg.blocks[chain[i]];
    for (uint32_t at = block.first; at < block.last && at != instruction; ++at)
      execute(module.instructions()[at], state);
  }
  setConstants(instruction);
  return state;
}

bool sameValues(const Module &original, uint32_t function,
                const std::vector<const Instruction *> &before,
                const std::vector<const Instruction *> &after, HighHalves highHalves) {
  Values values(highHalves);
  const uint32_t site = before.front()->index;
  Values::State was = values.before(original, function, site), now = was;
  for (const Instruction *inst : before)
    values.execute(*inst, was);
  for (const Instruction *inst : after)
    values.execute(*inst, now);
  const Dataflow dataflow(original, function);
  const Cfg cfg = buildCfg(original, function);
  const uint32_t end = cfg.blocks[cfg.blockOf(site)].last;
  for (uint32_t at = before.back()->index;; ++at) {
    std::vector<RegUnit> different;
    for (unsigned i = 0; i < kRegUnits; ++i)
      if (was[i] != now[i])
        different.push_back({static_cast<uint16_t>(i)});
    if (dataflow.allDeadBehind(at, different))
      return true;
    if (at + 1 >= end)
      return false;
    const Instruction &next = original.instructions()[at + 1];
    const bool visible = (!next.isValu() && next.unit != Unit::Salu) || next.writesUnit(kExecLo);
    const bool reads = std::any_of(different.begin(), different.end(), [&](RegUnit unit) {
      return next.readsUnit(unit) || unit == kExecLo;
    });
    if (visible && reads)
      return false;
    // A switched-off lane must not be forgotten, so a difference ends where EXEC changes.
    if (next.writesUnit(kExecLo))
      return false;
    values.execute(next, was);
    values.execute(next, now);
  }
}

} // namespace rdna::mutation
