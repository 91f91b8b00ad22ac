#include "Transform/RegionBuilder.h"

#include "Analysis/Waits.h"
#include "Isa/OpTraits.h"

#include <fmt/format.h>

namespace rdna {

WebId RegionModel::webAt(uint32_t inst, unsigned operand, unsigned dword) const {
  const auto it = std::lower_bound(
      operandWebs.begin(), operandWebs.end(), std::tuple(inst, operand, dword),
      [](const OperandWeb &a, const auto &key) {
        return std::tuple<uint32_t, unsigned, unsigned>(a.inst, a.operand, a.dword) < key;
      });
  if (it == operandWebs.end() || it->inst != inst || it->operand != operand || it->dword != dword)
    return kNoWeb;
  return it->web;
}

bool touchesUnnamedRegisters(Op op) {
  return opTraits(op).is(OpFlag::Relative) || op == Op::s_subvector_loop_begin ||
         op == Op::s_subvector_loop_end;
}

std::optional<uint32_t> whereUnnamedRegisters(const Module &module, const Function &function) {
  for (uint32_t i = function.first; i < function.last; ++i)
    if (touchesUnnamedRegisters(module.instructions()[i].op))
      return i;
  return std::nullopt;
}

/// The compilers' fix for the transcendental hazard, `s_waitcnt_depctr` with only va_vdst = 0; it
/// is placed anew for the new order. Fields: LLVM's names of them.
static bool isVdstWait(const Instruction &inst) {
  return inst.op == Op::s_waitcnt_depctr && !inst.operands.empty() &&
         inst.operands[0].kind == Operand::Kind::Immediate &&
         (inst.operands[0].imm & 0xff9f) == 0x0f9f;
}

/// Waits for registers, and hints about the old order.
bool RegionBuilder::isPlacedAnew(uint32_t i) const {
  const Instruction &instruction = inst(i);
  return (loadWait(instruction) && !region_.orderWaits.contains(i)) ||
         instruction.op == Op::s_delay_alu || instruction.op == Op::s_clause ||
         isVdstWait(instruction);
}

/// Nothing if each half updates what the other reads: only one instruction can do that.
std::vector<WebOp> RegionBuilder::opsOfPair(uint32_t i, llvm::ArrayRef<LaneOp> lanes) const {
  const auto web = [&](unsigned operand) { return region_.webAt(i, operand, 0); };
  std::vector<WebOp> ops;
  unsigned next = 2;
  for (unsigned half = 0; half < 2; ++half) {
    WebOp op;
    op.lane = lanes[half];
    op.dst = web(half);
    const bool move = op.lane.op == Op::v_mov_b32;
    if (op.lane.src0.isVgpr())
      op.src0 = web(next);
    const unsigned src1 = next + (op.lane.op == Op::v_fmamk_f32 ? 2 : 1);
    if (!move && op.lane.src1.isVgpr())
      op.src1 = web(src1);
    if (op.lane.addend)
      op.addend = web(next + 2);
    next += move ? 1 : (op.lane.addend || op.lane.constant) ? 3 : 2;
    ops.push_back(op);
  }
  const auto reads = [](const WebOp &op, WebId w) { return op.src0 == w || op.src1 == w; };
  if (reads(ops[0], ops[1].dst) && reads(ops[1], ops[0].dst))
    ops.clear();
  return ops;
}

/// SRC1 must be a VGPR in a VOPD slot. False if exchanging the sources does not help.
static bool putVgprIntoSrc1(WebOp &op) {
  if (op.lane.op == Op::v_mov_b32 || op.lane.src1.isVgpr())
    return true;
  const Swap kind = swapKind(op.lane.op);
  if (kind == Swap::Never || !op.lane.src0.isVgpr())
    return false;
  std::swap(op.lane.src0, op.lane.src1);
  std::swap(op.src0, op.src1);
  if (kind == Swap::OtherOp)
    op.lane.op = op.lane.op == Op::v_sub_f32 ? Op::v_subrev_f32 : Op::v_sub_f32;
  return true;
}

/// A fused multiply-add that does not add to its own destination has a VOPD form only with a
/// constant factor. False if it has none.
static bool addToDestination(WebOp &op) {
  if (op.addend == kNoWeb || op.addend == op.dst)
    return true;
  const auto lane = withConstantFactor(op.lane);
  if (!lane)
    return false;
  op.lane = *lane;
  op.src0 = op.src0 == kNoWeb ? op.src1 : op.src0;
  op.src1 = std::exchange(op.addend, kNoWeb);
  return true;
}

/// An instruction of one operation, in the form that a VOPD would have it in.
std::optional<WebOp> RegionBuilder::opOf(uint32_t i, const LaneOp &lane) const {
  const auto web = [&](unsigned operand) { return region_.webAt(i, operand, 0); };
  const Instruction &instruction = inst(i);
  WebOp op;
  op.lane = lane;
  std::vector<unsigned> sources;
  for (unsigned o = 0; o < instruction.operands.size(); ++o) {
    if (instruction.operands[o].cls == Operand::Class::Def)
      op.dst = web(o);
    if (instruction.operands[o].cls == Operand::Class::Source)
      sources.push_back(o);
  }
  const unsigned second = op.lane.op == Op::v_fmamk_f32 ? 2 : 1;
  if (op.lane.src0.isVgpr())
    op.src0 = web(sources[0]);
  if (op.lane.src1.isVgpr() && sources.size() > second)
    op.src1 = web(sources[second]);
  if (op.lane.addend)
    op.addend = web(sources[2]);
  if (!putVgprIntoSrc1(op) || !addToDestination(op))
    return std::nullopt;
  return op;
}

/// What of an instruction can be scheduled as halves of VOPDs; nothing if it stays what it is.
std::vector<WebOp> RegionBuilder::opsOf(uint32_t i) {
  const auto lanes = laneOps(inst(i));
  if (inst(i).isVopd() && lanes.size() == 2)
    return opsOfPair(i, lanes);
  const auto op = lanes.size() == 1 ? opOf(i, lanes[0]) : std::nullopt;
  if (!op)
    return {};
  if (inst(i).op == Op::v_fma_f32 && op->lane.constant) {
    region_.hasConstantForms = true;
    if (forms_ == ConstantForms::AsCompiled)
      return {};
  }
  return {*op};
}

void RegionBuilder::makeNodes() {
  unsigned rank = 0;
  for (uint32_t i = block_.first; i < block_.last; ++i) {
    if (isPlacedAnew(i)) {
      region_.dropped.push_back(i);
      continue;
    }
    const std::vector<WebOp> ops = opsOf(i);
    if (ops.empty()) {
      Node node;
      node.inst = i;
      node.rank = rank;
      node.kind = isSplittableLoad(inst(i)) ? Node::Kind::Load : Node::Kind::Other;
      region_.nodes.push_back(node);
    }
    for (const WebOp &op : ops) {
      Node node;
      node.kind = Node::Kind::Lane;
      node.inst = i;
      node.op = op;
      node.rank = rank++;
      region_.nodes.push_back(node);
      for (const WebId source : {op.src0, op.lane.op == Op::v_fmamk_f32 ? kNoWeb : op.src1})
        if (source != kNoWeb)
          ++region_.webs[source].factorUses;
    }
  }
}

/// A value that no operation of both slots touches gains nothing by moving: it stays at home.
void RegionBuilder::pinIdleWebs() {
  std::vector<uint8_t> wanted(region_.webs.size(), 0);
  for (const Node &node : region_.nodes)
    if (node.kind == Node::Kind::Lane && vopdOpcodeX(node.op.lane.op) >= 0)
      for (const WebId w : {node.op.dst, node.op.src0, node.op.src1, node.op.addend})
        if (w != kNoWeb)
          wanted[w] = 1;
  for (WebId w = 0; w < region_.webs.size(); ++w)
    if (!wanted[w] && region_.webs[w].scope == Web::Scope::Relocatable)
      region_.webs[w].scope = Web::Scope::Pinned;
}

std::optional<LeftAlone> RegionBuilder::build() {
  for (auto loop = context_.cfg.loopOf(region_.block); loop;
       loop = context_.cfg.loops[*loop].parent)
    region_.loops.push_back(*loop);
  region_.isLoopBody =
      !region_.loops.empty() && context_.cfg.loops[region_.loops[0]].blocks.size() == 1;
  for (uint32_t i = block_.first; i < block_.last; ++i) {
    const Instruction &instruction = inst(i);
    if (instruction.origin == Instruction::Origin::Macro)
      return refuse(instruction, "the block holds instructions that a macro makes");
    if (instruction.op == Op::unknown)
      return refuse(instruction, "the block holds an instruction that is not in the op table");
    if (instruction.op == Op::s_swappc_b64 || instruction.op == Op::s_call_b64)
      return refuse(instruction, "the block calls a function");
    if (instruction.op == Op::s_getpc_b64)
      return refuse(instruction, "the block computes a code address");
    if (instruction.op == Op::v_swap_b32 || instruction.op == Op::v_swap_b16)
      return refuse(instruction, "the block swaps registers in place");
    if (instruction.unit == Unit::Wait && !loadWait(instruction) &&
        instruction.op != Op::s_waitcnt_vscnt && !isVdstWait(instruction))
      return refuse(instruction, fmt::format("the block waits with {}", opName(instruction.op)));
  }
  region_.orderWaits =
      orderWaits(context_.module, context_.cfg, region_.block, context_.memory, context_.plainSync);
  assignWebs();
  finishWebs();
  classifyWebs();
  groupWebs();
  makeNodes();
  pinIdleWebs();
  linkNodes();
  return std::nullopt;
}

std::optional<LeftAlone> buildRegion(const FunctionContext &context, uint32_t block,
                                     RegionModel &region, ConstantForms forms) {
  return RegionBuilder(context, block, region, forms).build();
}

} // namespace rdna
