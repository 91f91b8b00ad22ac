#include "Verify/Exec.h"

#include "Asm/Effects.h"

#include <bitset>
#include <optional>

namespace rdna::verify {

namespace {

constexpr unsigned kScalars = 108;

/// What is sure to have a bit set.
struct Lanes {
  bool exec = false;
  std::bitset<kScalars> saved; ///< By scalar encoding.
  bool operator==(const Lanes &) const = default;
};

std::optional<unsigned> scalarOf(const Operand &operand) {
  if (!operand.isReg() || operand.reg.first.isVgpr() || operand.reg.dwords != 1 ||
      operand.reg.first.number() >= kScalars)
    return std::nullopt;
  return operand.reg.first.number();
}

bool hasLane(const Lanes &lanes, const Operand &operand) {
  if (operand.kind == Operand::Kind::Immediate)
    return static_cast<uint32_t>(operand.imm) != 0;
  if (operand.isReg() && operand.reg.first == kExecLo)
    return lanes.exec;
  const auto scalar = scalarOf(operand);
  return scalar && lanes.saved.test(*scalar);
}

void step(Lanes &lanes, const Instruction &inst) {
  const auto &ops = inst.operands;
  const bool exec = lanes.exec;
  bool result = false; // of what is written to the first operand
  bool writes = inst.writesUnit(kExecLo);
  switch (inst.op) {
  case Op::s_mov_b32:
    result = ops.size() > 1 && hasLane(lanes, ops[1]);
    break;
  case Op::s_or_b32:
    result = ops.size() > 2 && (hasLane(lanes, ops[1]) || hasLane(lanes, ops[2]));
    break;
  case Op::s_or_saveexec_b32:
    result = exec || (ops.size() > 1 && hasLane(lanes, ops[1]));
    break;
  default:
    break;
  }
  const auto saver = savesExec(inst.op) ? scalarOf(ops[0]) : std::nullopt;
  const auto target =
      ops.empty() || ops[0].cls != Operand::Class::Def ? std::nullopt : scalarOf(ops[0]);
  for (const RegAccess &access : inst.accesses)
    if (access.writes() && !access.reg.first.isVgpr())
      for (unsigned d = 0; d < access.reg.dwords; ++d)
        if (const unsigned n = access.reg.first.number() + d; n < kScalars)
          lanes.saved.reset(n);
  if (inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64 ||
      (isRelative(inst) && !inst.isValu())) {
    lanes = {};
    return;
  }
  if (saver)
    lanes.saved.set(*saver, exec);
  else if (target && !writes)
    lanes.saved.set(*target, result);
  if (writes)
    lanes.exec = result;
}

} // namespace

std::vector<uint8_t> execMayBeEmpty(const Module &module, const Cfg &cfg) {
  std::vector<uint8_t> result;
  if (cfg.blocks.empty())
    return result;
  const auto &insts = module.instructions();
  const uint32_t first = cfg.blocks.front().first;
  result.assign(cfg.blocks.back().last - first, 1);
  std::vector<std::optional<Lanes>> in(cfg.blocks.size());
  in[0] = Lanes{module.functions()[cfg.functionIndex].entry == Function::Entry::Launch, {}};
  std::vector<uint32_t> work{0};
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    Lanes lanes = *in[b];
    const Block &block = cfg.blocks[b];
    for (uint32_t i = block.first; i < block.last; ++i) {
      result[i - first] = !lanes.exec;
      step(lanes, insts[i]);
    }
    const Op last = insts[block.last - 1].op;
    const auto target = module.labelTarget(module.branchTarget(insts[block.last - 1]));
    for (const uint32_t successor : block.successors) {
      Lanes out = lanes;
      const bool isTarget = target == cfg.blocks[successor].first;
      const bool isNext = block.last == cfg.blocks[successor].first;
      if ((last == Op::s_cbranch_execz && !isTarget) || (last == Op::s_cbranch_execnz && !isNext))
        out.exec = true;
      if (!in[successor]) {
        in[successor] = out;
      } else {
        Lanes met = *in[successor];
        met.exec &= out.exec;
        met.saved &= out.saved;
        if (met == *in[successor])
          continue;
        in[successor] = met;
      }
      work.push_back(successor);
    }
  }
  return result;
}

} // namespace rdna::verify
