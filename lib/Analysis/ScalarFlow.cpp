#include "Analysis/ScalarFlow.h"

#include "Analysis/Dataflow.h"
#include "Asm/Effects.h"
#include "Isa/OpTraits.h"

#include <algorithm>

namespace rdna {

bool isRelated(const OpTraits &traits, uint32_t a, uint32_t b) {
  const bool isSigned = traits.source.kind == ElementType::Kind::Signed;
  const bool less = isSigned ? static_cast<int32_t>(a) < static_cast<int32_t>(b) : a < b;
  switch (traits.comparison.relation) {
  case Relation::Equal:
    return a == b;
  case Relation::Unequal:
    return a != b;
  case Relation::Less:
    return less;
  case Relation::GreaterEqual:
    return !less;
  case Relation::Greater:
    return !less && a != b;
  case Relation::LessEqual:
    return less || a == b;
  default: // V_CMP_F and V_CMP_T: scalar integers have none.
    return traits.comparison.relation != Relation::False;
  }
}

namespace {

struct Sources {
  llvm::SmallVector<uint32_t, 2> values;
  bool known = true;
};

Sources sourcesOf(const Instruction &inst,
                  llvm::function_ref<std::optional<uint32_t>(RegUnit)> read) {
  Sources sources;
  for (const Operand &operand : inst.operands) {
    if (operand.cls == Operand::Class::Def)
      continue;
    std::optional<uint32_t> value;
    if (operand.kind == Operand::Kind::Immediate)
      value = scalarImmediate(inst.op, operand.imm);
    else if (operand.isReg() && operand.reg.dwords == 1 && !operand.reg.first.isVgpr())
      value = operand.reg.first.isNull() ? 0 : read(operand.reg.first);
    sources.known &= value.has_value();
    sources.values.push_back(value.value_or(0));
  }
  return sources;
}

struct Result {
  uint32_t value = 0;
  std::optional<bool> scc; ///< Nothing: SCC stays as it is.
};

bool isNegative(uint32_t x) { return static_cast<int32_t>(x) < 0; }

std::optional<Result> compute(Op op, uint32_t a, uint32_t b, std::optional<uint32_t> carry) {
  const auto logical = [](uint32_t value) { return Result{value, value != 0}; };
  switch (op) {
  case Op::s_mov_b32:
  case Op::s_movk_i32:
    return Result{a, std::nullopt};
  case Op::s_not_b32:
    return logical(~a);
  case Op::s_add_u32:
    return Result{a + b, a + b < a};
  case Op::s_add_i32:
  case Op::s_addk_i32: // SCC: signed overflow
    return Result{a + b, isNegative(a) == isNegative(b) && isNegative(a + b) != isNegative(a)};
  case Op::s_sub_u32:
    return Result{a - b, b > a};
  case Op::s_sub_i32:
    return Result{a - b, isNegative(a) != isNegative(b) && isNegative(a - b) != isNegative(a)};
  case Op::s_addc_u32: {
    if (!carry)
      return std::nullopt;
    const uint64_t sum = uint64_t(a) + b + *carry;
    return Result{static_cast<uint32_t>(sum), sum >> 32 != 0};
  }
  case Op::s_subb_u32:
    if (!carry)
      return std::nullopt;
    return Result{a - b - *carry, uint64_t(b) + *carry > a};
  case Op::s_mul_i32:
  case Op::s_mulk_i32:
    return Result{a * b, std::nullopt};
  case Op::s_lshl_b32:
    return logical(a << (b & 31));
  case Op::s_lshr_b32:
    return logical(a >> (b & 31));
  case Op::s_ashr_i32:
    return logical(static_cast<uint32_t>(static_cast<int32_t>(a) >> (b & 31)));
  case Op::s_and_b32:
    return logical(a & b);
  case Op::s_or_b32:
    return logical(a | b);
  case Op::s_xor_b32:
    return logical(a ^ b);
  case Op::s_min_u32:
    return Result{std::min(a, b), a < b};
  case Op::s_max_u32:
    return Result{std::max(a, b), a >= b}; // SCC: the first one was selected, also of equals
  case Op::s_cselect_b32:
    if (!carry)
      return std::nullopt;
    return Result{*carry ? a : b, std::nullopt};
  default:
    return std::nullopt;
  }
}

} // namespace

std::optional<ScalarWrites> foldScalar(const Instruction &inst,
                                       llvm::function_ref<std::optional<uint32_t>(RegUnit)> read) {
  if (inst.unit != Unit::Salu)
    return std::nullopt;
  const Sources sources = sourcesOf(inst, read);
  if (!sources.known || sources.values.empty() || sources.values.size() > 2)
    return std::nullopt;
  const uint32_t a = sources.values[0], b = sources.values.size() > 1 ? sources.values[1] : 0;
  ScalarWrites writes;
  if (const OpTraits &traits = opTraits(inst.op);
      isScalarCompare(inst.op) && traits.source.bits == 32) {
    writes.emplace_back(kScc, isRelated(traits, a, b));
    return writes;
  }
  const auto result = compute(inst.op, a, b, read(kScc));
  if (!result || inst.operands.empty() || inst.operands[0].cls != Operand::Class::Def ||
      inst.operands[0].reg.dwords != 1)
    return std::nullopt;
  // EXEC decides what other instructions do; nobody wants it folded.
  const RegUnit dst = inst.operands[0].reg.first;
  if (dst == kExecLo || dst == kExecHi)
    return std::nullopt;
  if (!dst.isNull())
    writes.emplace_back(dst, result->value);
  if (result->scc)
    writes.emplace_back(kScc, *result->scc);
  return writes;
}

void foldInto(const Instruction &inst, KnownScalars &known) {
  const auto writes = foldScalar(inst, [&](RegUnit unit) { return known[unit.index]; });
  if (inst.op == Op::s_swappc_b64 || isRelative(inst))
    known.fill(std::nullopt);
  for (const RegAccess &access : inst.accesses)
    if (access.writes() && !access.reg.first.isVgpr())
      for (unsigned d = 0; d < access.reg.dwords; ++d)
        known[access.reg.first.index + d].reset();
  if (writes)
    for (const auto &[unit, value] : *writes)
      known[unit.index] = value;
}

namespace {

/// A block that is not reached has no state, and agrees with everything.
struct ConstantScalars : DataflowProblem<std::optional<KnownScalars>, Direction::Forward> {
  State boundary(uint32_t block) const { return block == 0 ? State(KnownScalars{}) : State(); }
  void join(State &into, const State &from, Edge) const {
    if (!into)
      into = from;
    else if (from)
      for (unsigned i = 0; i < kRegUnits; ++i)
        if ((*into)[i] != (*from)[i])
          (*into)[i].reset();
  }
  void apply(uint32_t block, State &state) const {
    if (state)
      forEach(block, [&](const Instruction &inst) { foldInto(inst, *state); });
  }
};

struct ScalarLiveness : DataflowProblem<std::bitset<kRegUnits>, Direction::Backward> {
  void join(State &into, const State &from, Edge) const { into |= from; }
  void apply(uint32_t block, State &live) const {
    forEach(block, [&](const Instruction &inst) { stepOverScalars(inst, live); });
  }
};

} // namespace

KnownScalars scalarsAtStart(const Module &module, const Cfg &cfg, uint32_t block,
                            OwnEdges ownEdges) {
  ConstantScalars problem{{module, cfg}};
  const auto states = solve(cfg, problem);
  if (ownEdges == OwnEdges::Follow)
    return states.atStart[block].value_or(KnownScalars{});
  ConstantScalars::State entered = problem.boundary(block);
  for (const uint32_t from : cfg.blocks[block].predecessors)
    if (from != block)
      problem.join(entered, states.atEnd[from], {from, block});
  return entered.value_or(KnownScalars{});
}

void stepOverScalars(const Instruction &inst, std::bitset<kRegUnits> &live) {
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; d < access.reg.dwords; ++d)
      if (access.access == Access::Write)
        live.reset(access.reg.first.index + d);
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; d < access.reg.dwords; ++d)
      if (access.reads())
        live.set(access.reg.first.index + d);
  if (inst.op == Op::s_swappc_b64 || inst.isSetPc() || isRelative(inst))
    live.set(); // Another function reads what it likes, and M0 may choose any.
}

std::vector<std::bitset<kRegUnits>> liveScalars(const Module &module, const Cfg &cfg) {
  ScalarLiveness problem{{module, cfg}};
  return solve(cfg, problem).atStart;
}

} // namespace rdna
