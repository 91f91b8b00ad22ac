// What is one value in a wave: SALU.

#include "Verify/KnownValues.h"

#include "Asm/Effects.h"
#include "Isa/OpTraits.h"

namespace rdna::verify {

/// The operands that are no results; nothing if one is no number of 32 bits.
std::optional<KnownValues::Sources> KnownValues::scalarSources(const Instruction &inst) const {
  Sources sources;
  for (const Operand &operand : inst.operands) {
    if (operand.cls == Operand::Class::Def)
      continue;
    const auto source = operand.kind == Operand::Kind::Immediate
                            ? std::optional(Source{scalarImmediate(inst.op, operand.imm)})
                            : sourceOf(operand);
    if (!source)
      return std::nullopt;
    sources.push_back(*source);
  }
  return sources;
}

/// Does it read nothing but what is the same in all waves? S_*_SAVEEXEC read EXEC unsaid.
bool KnownValues::readsUniform(const Instruction &inst) const {
  if (inst.writesUnit(kExecLo) && !(*this)[kExecLo].isUniform)
    return false;
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.reads() && d < access.reg.dwords; ++d)
      if (const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
          !unit.isNull() && !(*this)[unit].isUniform)
        return false;
  return true;
}

void KnownValues::executeScalarCompare(const Instruction &inst, const Sources &sources) {
  KnownValue scc{std::vector<uint32_t>(waves()), std::vector<uint8_t>(waves())};
  scc.isUniform = readsUniform(inst);
  for (unsigned w = 0; w < waves(); ++w)
    if (const auto values = readAll(sources, w * kLanes))
      if (const auto truth = compareResult(inst.op, (*values)[0], (*values)[1])) {
        scc.bits[w] = *truth;
        scc.known[w] = 1;
      }
  set(kScc, settled(std::move(scc)));
}

/// The result in one wave; one operand alone may settle it.
std::optional<ScalarResult> KnownValues::scalarIn(unsigned wave, Op op, const Sources &sources,
                                                  const Instruction &inst) const {
  const unsigned item = wave * kLanes;
  const auto scc = read({0, ref(kScc)}, item);
  if (inst.readsUnit(kScc) && !scc)
    return std::nullopt;
  if (const auto values = readAll(sources, item))
    return scalarResult(op, *values, scc.value_or(0));
  const uint32_t settling = op == Op::s_or_b32 ? ~0u : 0;
  const bool isSettled = (op == Op::s_or_b32 || op == Op::s_and_b32) &&
                         (read(sources[0], item) == settling || read(sources[1], item) == settling);
  return isSettled ? scalarResult(op, {settling, settling}, 0) : std::nullopt;
}

/// What an operation that saves EXEC computes of its mask and of EXEC.
static Op withoutSave(Op op) {
  switch (op) {
  case Op::s_and_saveexec_b32:
    return Op::s_and_b32;
  case Op::s_or_saveexec_b32:
    return Op::s_or_b32;
  case Op::s_and_not0_saveexec_b32: // EXEC & ~mask
  case Op::s_and_not1_saveexec_b32: // mask & ~EXEC
    return Op::s_and_not1_b32;
  default:
    return op;
  }
}

bool KnownValues::executeScalar(const Instruction &inst) {
  auto sources = scalarSources(inst);
  if (sources && isScalarCompare(inst.op) && sources->size() == 2) {
    executeScalarCompare(inst, *sources);
    return compareResult(inst.op, 0, 0).has_value();
  }
  const bool isUniform = readsUniform(inst);
  const Op op = withoutSave(inst.op);
  const bool isSave = op != inst.op;
  const KnownRef exec = ref(kExecLo);
  if (sources && isSave) // The mask that is cut from stands in front.
    sources->insert(inst.op == Op::s_and_not0_saveexec_b32 ? sources->begin() : sources->end(),
                    {0, exec});
  const bool isOurs = sources && isScalarOperation(op, sources->size()) && !inst.operands.empty() &&
                      inst.operands[0].isReg() && inst.operands[0].cls == Operand::Class::Def &&
                      inst.operands[0].reg.dwords == 1;
  KnownValue value{std::vector<uint32_t>(waves()), std::vector<uint8_t>(waves())}, scc = value;
  value.isUniform = scc.isUniform = isUniform;
  for (unsigned w = 0; isOurs && w < waves(); ++w)
    if (const auto result = scalarIn(w, op, *sources, inst)) {
      value.bits[w] = result->value;
      scc.bits[w] = result->scc.value_or(false);
      value.known[w] = scc.known[w] = 1;
    }
  const KnownRef copied = isOurs && op == Op::s_mov_b32 ? sources->front().value : nullptr;
  const KnownRef result = copied ? copied : settled(std::move(value));
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
      if (const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)}; isUniform)
        setUniform(unit);
      else
        forget(unit);
  if (!isOurs)
    return false;
  if (inst.writesUnit(kScc))
    set(kScc, settled(std::move(scc)));
  if (!inst.operands[0].reg.first.isNull())
    set(inst.operands[0].reg.first, isSave ? exec : result);
  if (isSave)
    set(kExecLo, result);
  return true;
}

} // namespace rdna::verify
