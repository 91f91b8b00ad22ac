#include "Transform/ItemTrips.h"

#include "Analysis/Dataflow.h"
#include "Analysis/ScalarFlow.h"
#include "Asm/GlobalAddress.h"
#include "Asm/Lane.h"
#include "Isa/Branch.h"
#include "Isa/OpTraits.h"
#include "Symbolic/Given.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace rdna {

std::optional<LoopPath> loopPath(const Module &module, const Cfg &cfg, uint32_t loop) {
  const Loop &body = cfg.loops[loop];
  LoopPath path;
  size_t blocks = 0;
  for (uint32_t at = cfg.blocks[body.header].first;;) {
    const uint32_t block = cfg.blockOf(at);
    if (at == cfg.blocks[block].first && (!body.contains(block) || ++blocks > body.blocks.size()))
      return std::nullopt;
    const Instruction &inst = module.instructions()[at];
    if (inst.isJump()) {
      const auto target = module.labelTarget(module.branchTarget(inst));
      if (!target || cfg.blockOf(*target) == body.header)
        return std::nullopt; // Goes back without a test.
      at = *target;
      continue;
    }
    if (inst.isTerminator()) {
      const auto &ways = cfg.blocks[block].successors;
      const auto leaves = llvm::find_if(ways, [&](uint32_t b) { return !body.contains(b); });
      if (leaves != ways.end()) {
        path.exit = at;
        path.exitBlock = *leaves;
        const bool goesBack = llvm::any_of(ways, [&](uint32_t b) { return b == body.header; });
        return goesBack && blocks == body.blocks.size() ? std::optional(path) : std::nullopt;
      }
      if (inst.op != Op::s_cbranch_execz)
        return std::nullopt;
    }
    path.instructions.push_back(at++);
  }
}

namespace {

using Number = std::optional<uint32_t>;
using Reader = llvm::function_ref<Number(RegUnit)>;

Number laneNumber(Op op, llvm::ArrayRef<uint32_t> s) {
  switch (op) {
  case Op::v_mov_b32:
    return s[0];
  case Op::v_add_nc_u32:
    return s[0] + s[1];
  case Op::v_sub_nc_u32:
    return s[0] - s[1];
  case Op::v_subrev_nc_u32:
    return s[1] - s[0];
  case Op::v_mul_lo_u32:
  case Op::v_mul_u32_u24: // Work-items' numbers have less than 24 bits.
    return s[0] * s[1];
  case Op::v_mad_u32_u24:
    return s[0] * s[1] + s[2];
  case Op::v_lshlrev_b32:
    return s[1] << (s[0] & 31);
  case Op::v_lshrrev_b32:
    return s[1] >> (s[0] & 31);
  case Op::v_and_b32:
    return s[0] & s[1];
  case Op::v_or_b32:
    return s[0] | s[1];
  case Op::v_xor_b32:
    return s[0] ^ s[1];
  case Op::v_add3_u32:
    return s[0] + s[1] + s[2];
  case Op::v_lshl_add_u32:
    return (s[0] << (s[1] & 31)) + s[2];
  case Op::v_add_lshl_u32:
    return (s[0] + s[1]) << (s[2] & 31);
  case Op::v_lshl_or_b32:
    return (s[0] << (s[1] & 31)) | s[2];
  case Op::v_and_or_b32:
    return (s[0] & s[1]) | s[2];
  case Op::v_or3_b32:
    return s[0] | s[1] | s[2];
  case Op::v_bfe_u32:
    return (s[0] >> (s[1] & 31)) & ((1u << (s[2] & 31)) - 1);
  default:
    return std::nullopt;
  }
}

/// What one work-item has in registers. Of a mask of lanes only its own bit says anything.
class Item {
public:
  Item(const Module &module, const Cfg &cfg, uint32_t loop, const LoopPath &path,
       const WorkgroupShape &shape)
      : module_(module), cfg_(cfg), loop_(cfg.loops[loop]), path_(path),
        function_(module.functions()[cfg.functionIndex]), shape_(shape),
        launch_(verify::launchRegisters(function_)) {}

  /// Of the item of that number; nothing if it is not known, or too many.
  std::optional<unsigned> trips(unsigned item) {
    constexpr unsigned kMostTrips = 64;
    item_ = item;
    numbers_.clear();
    std::map<uint16_t, Number> carried;
    const auto entry = entryBlock();
    if (!entry)
      return std::nullopt;
    const auto read = [&](RegUnit unit) -> Number {
      const auto known = carried.find(unit.index);
      return known != carried.end() ? known->second
                                    : before(*entry, cfg_.blocks[*entry].last, unit);
    };
    const auto isOn = [&] { return (read(kExecLo).value_or(own()) & own()) != 0; };
    for (unsigned trip = 0; trip <= kMostTrips; ++trip) {
      if (!isOn())
        return trip;
      for (const uint32_t i : path_.instructions)
        execute(inst(i), carried, read);
      const auto leaves = isLeaving(read);
      if (!leaves)
        return std::nullopt;
      if (*leaves)
        return trip + 1;
    }
    return std::nullopt;
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }
  uint32_t own() const { return 1u << (item_ % 32); }

  /// The one block from which the loop is entered.
  std::optional<uint32_t> entryBlock() const {
    std::optional<uint32_t> entry;
    for (const uint32_t b : cfg_.blocks[loop_.header].predecessors) {
      if (loop_.contains(b))
        continue;
      if (entry)
        return std::nullopt;
      entry = b;
    }
    return entry;
  }

  void execute(const Instruction &next, std::map<uint16_t, Number> &carried, Reader read) {
    const Number exec = read(kExecLo);
    std::vector<std::pair<uint16_t, Number>> results;
    for (const RegAccess &access : next.accesses)
      for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
        const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
        Number result = resultOf(next, unit, read);
        if (unit.isVgpr() && exec && (*exec & own()) == 0)
          result = read(unit);
        else if (unit.isVgpr() && !exec && result != read(unit))
          result.reset();
        results.emplace_back(unit.index, result);
      }
    for (const auto &[unit, value] : results)
      carried[unit] = value;
  }

  /// Does it leave where the loop ends? Lanes that are off wait for the others.
  std::optional<bool> isLeaving(Reader read) const {
    const Instruction &branch = inst(path_.exit);
    const BranchCondition condition = branchCondition(branch.op);
    const Number value = read(condition.unit);
    if (!value)
      return std::nullopt;
    const bool isMask = condition.unit != kScc;
    const bool isTaken = isTakenOn(condition, (*value & (isMask ? own() : ~0u)) != 0);
    const auto target = module_.labelTarget(module_.branchTarget(branch));
    const bool isOut = target && !loop_.contains(cfg_.blockOf(*target));
    return isTaken == isOut;
  }

  //===--------------------------------------------------------------------===//
  // What an instruction gives
  //===--------------------------------------------------------------------===//

  Number resultOf(const Instruction &next, RegUnit unit, Reader read) const {
    if (next.isDpp())
      return std::nullopt;
    if (next.isValu())
      return isVectorCompare(next.op) ? compared(next, unit, read) : laneResult(next, unit, read);
    if (next.unit == Unit::Smem)
      return argument(next, unit);
    if (next.unit != Unit::Salu)
      return std::nullopt;
    if (isOfMasks(next.op) && unit != kScc)
      return maskResult(next, unit, read);
    const auto writes = foldScalar(next, read);
    for (const auto &[written, value] : writes.value_or(ScalarWrites()))
      if (written == unit)
        return value;
    return std::nullopt;
  }

  /// Sources without modifiers, as numbers.
  std::optional<llvm::SmallVector<Number, 3>> sourcesOf(const Instruction &next,
                                                        Reader read) const {
    llvm::SmallVector<Number, 3> sources;
    for (const Operand &operand : next.operands) {
      if (operand.cls == Operand::Class::Def)
        continue;
      if (operand.cls != Operand::Class::Source) {
        if (operand.imm != 0 || operand.isReg())
          return std::nullopt;
        continue;
      }
      if (operand.kind == Operand::Kind::Immediate)
        sources.push_back(static_cast<uint32_t>(operand.imm));
      else if (operand.isReg() && operand.reg.dwords == 1 && operand.reg.half == Half::Whole)
        sources.push_back(operand.reg.first.isNull() ? Number(0) : read(operand.reg.first));
      else
        return std::nullopt;
    }
    return sources;
  }

  Number laneResult(const Instruction &next, RegUnit unit, Reader read) const {
    for (const LaneOp &lane : laneOps(next)) {
      if (RegUnit::vgpr(lane.dst.number) != unit)
        continue;
      const auto source = [&](const VopdSource &from) -> Number {
        if (from.kind == VopdSource::Kind::Vgpr)
          return read(RegUnit::vgpr(from.value));
        if (from.kind == VopdSource::Kind::Scalar)
          return from.value == 253 ? std::nullopt : read(RegUnit::scalar(from.value));
        return from.value;
      };
      const Number a = source(lane.src0);
      const Number b = lane.op == Op::v_mov_b32 ? Number(0) : source(lane.src1);
      const bool isPlain = !lane.addend && !lane.constant && lane.op != Op::v_cndmask_b32;
      return a && b && isPlain ? laneNumber(lane.op, {*a, *b}) : std::nullopt;
    }
    if (next.op == Op::v_add_co_u32 || next.op == Op::v_sub_co_u32 ||
        next.op == Op::v_subrev_co_u32)
      return sumOf(next, unit, read);
    if (next.isVopd() || next.operands.empty() || !next.operands[0].isReg() ||
        next.operands[0].reg != RegRange{unit, 1, Half::Whole})
      return std::nullopt;
    const auto sources = sourcesOf(next, read);
    if (!sources || sources->empty() || sources->size() > 3 ||
        llvm::any_of(*sources, [](const Number &n) { return !n; }))
      return std::nullopt;
    llvm::SmallVector<uint32_t, 3> numbers;
    for (const Number &source : *sources)
      numbers.push_back(*source);
    numbers.resize(3);
    return laneNumber(next.op, numbers);
  }

  /// Of its carries, too: `i + 256 >= 2^32` is how a loop may end.
  Number sumOf(const Instruction &next, RegUnit unit, Reader read) const {
    const auto sources = sourcesOf(next, read);
    if (!sources || sources->size() != 2 || !(*sources)[0] || !(*sources)[1])
      return std::nullopt;
    uint64_t a = *(*sources)[0], b = *(*sources)[1];
    if (next.op == Op::v_subrev_co_u32)
      std::swap(a, b);
    const uint64_t sum = next.op == Op::v_add_co_u32 ? a + b : a - b; // A borrow is a carry, too.
    return unit.isVgpr() ? static_cast<uint32_t>(sum) : sum > ~0u ? own() : 0;
  }

  Number compared(const Instruction &next, RegUnit unit, Reader read) const {
    const auto sources = sourcesOf(next, read);
    const bool isOfExec = unit == kExecLo;
    const Number exec = read(kExecLo);
    if (exec && (*exec & own()) == 0)
      return 0;
    if (!sources || sources->size() != 2 || !(*sources)[0] || !(*sources)[1] ||
        (!exec && !isOfExec))
      return std::nullopt;
    const OpTraits &traits = opTraits(next.op);
    const auto kind = traits.source.kind;
    if (traits.source.bits != 32 ||
        (kind != ElementType::Kind::Signed && kind != ElementType::Kind::Unsigned))
      return std::nullopt;
    return isRelated(traits, *(*sources)[0], *(*sources)[1]) ? own() : 0u;
  }

  static bool isOfMasks(Op op) {
    return op == Op::s_and_saveexec_b32 || op == Op::s_or_b32 || op == Op::s_and_b32 ||
           op == Op::s_and_not1_b32;
  }
  /// Masks: one operand may be enough.
  Number maskResult(const Instruction &next, RegUnit unit, Reader read) const {
    const auto sources = sourcesOf(next, read);
    if (next.op == Op::s_and_saveexec_b32) {
      const Number exec = read(kExecLo);
      if (unit != kExecLo || !exec || !sources || sources->empty() || !sources->front())
        return unit == kExecLo ? std::nullopt : exec;
      return *exec & *sources->front();
    }
    if (!sources || sources->size() != 2)
      return std::nullopt;
    const bool isNot = next.op == Op::s_and_not1_b32;
    const Number a = (*sources)[0], b = (*sources)[1];
    if (a && b)
      return next.op == Op::s_or_b32 ? *a | *b : *a & (isNot ? ~*b : *b);
    if (next.op == Op::s_or_b32) {
      for (const Number &known : {a, b})
        if (known && (*known & own()) != 0)
          return own();
    } else if ((a && (*a & own()) == 0) || (b && ((isNot ? ~*b : *b) & own()) == 0)) {
      return 0;
    }
    return std::nullopt;
  }

  /// The workgroup's size, which a launch passes.
  Number argument(const Instruction &load, RegUnit unit) const {
    const auto address = scalarAddress(load);
    const auto base =
        address ? argumentsAt(load.index, load.operands[address->base].reg.first, 0) : std::nullopt;
    if (!base)
      return std::nullopt;
    const int64_t at = *base + load.operands[address->offset].imm +
                       4 * int64_t(unit.index - load.operands[0].reg.first.index);
    uint32_t number = 0;
    bool isSize = false;
    for (const ArgumentField &argument : function_.arguments)
      for (unsigned d = 0; d < shape_.size(); ++d)
        if (argument.valueKind == std::string("hidden_group_size_") + "xyz"[d] &&
            (argument.offset == at || argument.offset == at + 2)) {
          number |= shape_[d] << (8 * (argument.offset - at));
          isSize = true;
        }
    return isSize ? Number(number) : std::nullopt;
  }
  /// How far into the launch's arguments a pair points.
  std::optional<int64_t> argumentsAt(uint32_t instruction, RegUnit low, unsigned depth) const {
    const Def def = defBefore(cfg_.blockOf(instruction), instruction, low);
    if (def.kind == Def::Kind::Launch)
      return launch_ && launch_->kernarg && RegUnit::scalar(*launch_->kernarg) == low
                 ? std::optional<int64_t>(0)
                 : std::nullopt;
    if (def.kind != Def::Kind::At || depth > 4)
      return std::nullopt;
    const Instruction &sum = inst(def.instruction);
    if (sum.op != Op::s_add_u32 || !sum.operands[1].isReg() ||
        sum.operands[2].kind != Operand::Kind::Immediate)
      return std::nullopt;
    const auto base = argumentsAt(sum.index, sum.operands[1].reg.first, depth + 1);
    return base ? std::optional(*base + sum.operands[2].imm) : std::nullopt;
  }

  //===--------------------------------------------------------------------===//
  // What is there when the loop is entered
  //===--------------------------------------------------------------------===//

  struct Def {
    enum class Kind : uint8_t { None, Several, Launch, At } kind = Kind::None;
    uint32_t instruction = 0;
    void join(Def other) {
      if (kind == Kind::None)
        *this = other;
      else if (kind != other.kind || instruction != other.instruction)
        *this = {Kind::Several, 0};
    }
  };
  Def lastIn(uint32_t block, uint32_t end, RegUnit unit) const {
    while (end > cfg_.blocks[block].first)
      if (inst(--end).writesUnit(unit))
        return {Def::Kind::At, end};
    return {};
  }
  /// Which instruction has written it on every way to that place of a block.
  Def defBefore(uint32_t here, uint32_t end, RegUnit unit) const {
    if (const Def def = lastIn(here, end, unit); def.kind != Def::Kind::None)
      return def;
    const auto known = defs_.find({here, unit.index});
    if (known != defs_.end())
      return known->second;
    Def found;
    if (here == 0)
      found.join({Def::Kind::Launch, 0});
    walkFrom(cfg_, cfg_.blocks[here].predecessors, Direction::Backward, [&](uint32_t b) {
      const Def def = lastIn(b, cfg_.blocks[b].last, unit);
      if (def.kind != Def::Kind::None)
        found.join(def);
      else if (b == 0)
        found.join({Def::Kind::Launch, 0});
      return def.kind != Def::Kind::None ? Walk::Stop : Walk::GoOn;
    });
    return defs_[{here, unit.index}] = found;
  }
  Number before(uint32_t block, uint32_t end, RegUnit unit) const {
    const Def def = defBefore(block, end, unit);
    if (def.kind == Def::Kind::Launch)
      return atLaunch(unit);
    if (def.kind != Def::Kind::At)
      return unit == kExecLo ? Number(own()) : std::nullopt;
    // What is being looked for already is not known, so this comes to an end.
    const auto [known, isNew] = numbers_.try_emplace({def.instruction, unit.index}, std::nullopt);
    if (!isNew)
      return known->second;
    const Instruction &from = inst(def.instruction);
    const uint32_t in = cfg_.blockOf(from.index);
    Number number =
        resultOf(from, unit, [&](RegUnit read) { return before(in, from.index, read); });
    if (!number && unit == kExecLo)
      number = own();
    return numbers_[{def.instruction, unit.index}] = number;
  }
  Number atLaunch(RegUnit unit) const {
    if (unit == kExecLo)
      return own();
    if (unit != RegUnit::vgpr(0) || !launch_ ||
        (launch_->workitemDims == 1 && shape_[1] * shape_[2] != 1))
      return std::nullopt;
    return item_ % shape_[0] | item_ / shape_[0] % shape_[1] << 10 |
           item_ / shape_[0] / shape_[1] << 20;
  }

  const Module &module_;
  const Cfg &cfg_;
  const Loop &loop_;
  const LoopPath &path_;
  const Function &function_;
  const WorkgroupShape shape_;
  const std::optional<verify::LaunchRegisters> launch_;
  unsigned item_ = 0;
  mutable std::map<std::pair<uint32_t, uint16_t>, Def> defs_;
  mutable std::map<std::pair<uint32_t, uint16_t>, Number> numbers_;
};

} // namespace

std::optional<std::vector<unsigned>> itemTrips(const Module &module, const Cfg &cfg, uint32_t loop,
                                               const LoopPath &path, const WorkgroupShape &shape) {
  Item item(module, cfg, loop, path, shape);
  std::vector<unsigned> trips;
  for (unsigned n = 0; n < shape[0] * shape[1] * shape[2]; ++n) {
    const auto count = item.trips(n);
    if (!count)
      return std::nullopt;
    trips.push_back(*count);
  }
  return trips;
}

} // namespace rdna
