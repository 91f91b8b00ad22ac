#include "Verify/DecidedWays.h"

#include "Asm/Effects.h"

#include <optional>

namespace rdna::verify {
namespace {

bool mayWrite(const Instruction &inst, RegUnit unit) {
  return inst.writesUnit(unit) || inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64 ||
         inst.isSetPc() || isRelative(inst);
}

/// The last instruction of [first, last) that may write the register.
const Instruction *lastWrite(const Module &module, uint32_t first, uint32_t last, RegUnit unit) {
  for (uint32_t i = last; i-- > first;)
    if (const Instruction &inst = module.instructions()[i]; mayWrite(inst, unit))
      return &inst;
  return nullptr;
}

std::optional<RegUnit> scalarIn(const Instruction &inst, unsigned operand) {
  if (operand >= inst.operands.size())
    return std::nullopt;
  const Operand &source = inst.operands[operand];
  if (!source.isReg() || source.reg.dwords != 1 || source.reg.first.isVgpr())
    return std::nullopt;
  return source.reg.first;
}

/// What a block's branch is taken by.
struct Test {
  uint32_t made;                ///< The instruction that makes VCC of it,
  RegUnit flag;                 ///< ... EXEC and a flag.
  uint32_t none = 0, every = 0; ///< What the flag holds if VCC is 0, and if it is EXEC.
};

/// `s_and_b32 vcc_lo, exec_lo, flag` or `s_and_not1_b32`, and EXEC as it is at the block's end.
std::optional<Test> testOf(const Module &module, const Block &block) {
  const Instruction *made = lastWrite(module, block.first, block.last - 1, kVccLo);
  if (!made || made->operands.empty() || !made->operands[0].isReg() ||
      made->operands[0].reg.dwords != 1 || made->operands[0].reg.first != kVccLo ||
      lastWrite(module, made->index, block.last, kExecLo))
    return std::nullopt;
  const auto first = scalarIn(*made, 1), second = scalarIn(*made, 2);
  if (!first || !second)
    return std::nullopt;
  if (made->op == Op::s_and_b32 && (*first == kExecLo || *second == kExecLo))
    return Test{made->index, *first == kExecLo ? *second : *first, 0, ~0U};
  if (made->op == Op::s_and_not1_b32 && *first == kExecLo)
    return Test{made->index, *second, ~0U, 0};
  return std::nullopt;
}

std::optional<uint32_t> constantOf(const Instruction &made) {
  if (made.op != Op::s_mov_b32 || made.operands.size() != 2 ||
      made.operands[1].kind != Operand::Kind::Immediate)
    return std::nullopt;
  return scalarImmediate(made.op, made.operands[1].imm);
}

/// What the flag holds where it is tested.
std::optional<uint32_t> flagOf(const Module &module, const Cfg &cfg, const Test &test,
                               const Block &block, std::optional<uint32_t> from) {
  if (const Instruction *made = lastWrite(module, block.first, test.made, test.flag))
    return constantOf(*made);
  if (!from)
    return std::nullopt;
  const Block &before = cfg.blocks[*from];
  const Instruction *made = lastWrite(module, before.first, before.last, test.flag);
  return made ? constantOf(*made) : std::nullopt;
}

} // namespace

Exit exitOf(const Module &module, const Cfg &cfg, uint32_t block, uint32_t successor,
            std::optional<uint32_t> from) {
  const Block &here = cfg.blocks[block];
  const Instruction &last = module.instructions()[here.last - 1];
  if (last.op != Op::s_cbranch_vccz && last.op != Op::s_cbranch_vccnz)
    return Exit::Open;
  const uint32_t start = cfg.blocks[successor].first;
  const bool isTarget = module.labelTarget(module.branchTarget(last)) == start;
  if (isTarget == (here.last == start))
    return Exit::Open; // Both ways lead there.
  const auto test = testOf(module, here);
  const auto flag = test ? flagOf(module, cfg, *test, here, from) : std::nullopt;
  if (!flag || (*flag != test->none && *flag != test->every))
    return Exit::Open;
  const bool ifZero = isTarget == (last.op == Op::s_cbranch_vccz);
  if (*flag == test->none)
    return ifZero ? Exit::Open : Exit::Closed;
  return ifZero ? Exit::WithoutLane : Exit::Open;
}

} // namespace rdna::verify
