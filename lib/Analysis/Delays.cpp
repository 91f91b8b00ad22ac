#include "Analysis/Delays.h"

#include "Analysis/Dataflow.h"
#include "Analysis/PendingResult.h"
#include "Asm/Latency.h"

#include <algorithm>
#include <map>

namespace rdna {
namespace {

/// Results by half register; only those that are in flight.
using Results = std::map<unsigned, PendingResult>;

void forEachHalf(const RegRange &range, const auto &visit) {
  for (unsigned unit = range.first.index; unit < range.first.index + unsigned(range.dwords); ++unit)
    for (const unsigned half : {0u, 1u})
      if (range.half == Half::Whole || (range.half == Half::High) == (half == 1))
        visit(2 * unit + half);
}

/// Does LLVM see the operand being read? It passes over the lanes that v_writelane_b32 keeps, and
/// lists the bits that s_bitset keeps as a source, which the assembler does not.
bool isRead(const Instruction &inst, const Operand &operand) {
  switch (inst.op) {
  case Op::v_writelane_b32:
    return operand.cls == Operand::Class::Source && operand.tiedTo < 0;
  case Op::s_bitset0_b32:
  case Op::s_bitset0_b64:
  case Op::s_bitset1_b32:
  case Op::s_bitset1_b64:
    return true;
  default:
    return operand.cls == Operand::Class::Source;
  }
}

/// Memory instructions start when the VALU is idle.
bool waitsForValu(const Instruction &inst) {
  return inst.unit == Unit::Lds || isVmem(inst.unit) || inst.op == Op::exp ||
         inst.op == Op::s_sendmsg_rtn_b32 || inst.op == Op::s_sendmsg_rtn_b64 ||
         (inst.op == Op::s_waitcnt_depctr && !inst.operands.empty() &&
          (inst.operands[0].imm >> 12 & 15) == 0); // va_vdst
}

/// Scalar instructions with registers start when no VALU instruction is about to write an SGPR.
bool waitsForScalarResults(const Instruction &inst) {
  return inst.unit == Unit::Smem ||
         (producerOf(inst) == Producer::Salu &&
          (!inst.accesses.empty() || std::any_of(inst.operands.begin(), inst.operands.end(),
                                                 [](const Operand &o) { return o.isReg(); })));
}

unsigned latencyOf(const Module &module, const Instruction &inst, unsigned destination) {
  // LLVM sees its pseudo-instruction for a call, with the latency of a branch.
  return inst.op == Op::s_swappc_b64 ? mostSaluCycles + 1 : modelLatency(module, inst, destination);
}

unsigned issueCycles(const Instruction &inst) {
  return inst.op == Op::s_nop && !inst.operands.empty() ? unsigned(inst.operands[0].imm & 15) + 1
                                                        : 1;
}

/// Puts delays into the s_delay_alu before, where there is room and it is near enough.
class Encoder {
public:
  void add(uint32_t before, uint16_t immediate) {
    if (immediate == 0)
      return;
    const unsigned distance = passed_;
    const bool one = immediate >> 7 == 0;
    if (one && hasRoom_ && distance <= farthest) {
      delays.back().immediate |= static_cast<uint16_t>(immediate << 7 | distance << 4);
      hasRoom_ = false;
      return;
    }
    delays.push_back({before, immediate});
    hasRoom_ = one;
    passed_ = 0;
  }
  void pass() { ++passed_; }
  std::vector<Delay> delays;

private:
  static constexpr unsigned farthest = 5; // SKIP_4
  bool hasRoom_ = false;
  unsigned passed_ = 0; ///< Instructions behind the last delay.
};

/// Runs through one block.
class Straight {
public:
  Straight(const Module &module, Results state) : module_(module), state_(std::move(state)) {}

  /// What the instruction has to be told, if something can stand in front of it.
  uint16_t step(const Instruction &inst) {
    const Producer producer = producerOf(inst);
    if (waitsForScalarResults(inst))
      completeScalars();
    uint16_t immediate = 0;
    if (waitsForValu(inst))
      state_.clear();
    else if (producer != Producer::Other)
      immediate = read(inst);
    if (producer != Producer::Other)
      write(inst, producer);
    const unsigned time = issueCycles(inst);
    for (auto &[half, result] : state_)
      result.pass(producer, time);
    std::erase_if(state_, [](const auto &entry) { return !entry.second.any(); });
    return immediate;
  }
  Results take() { return std::move(state_); }

private:
  /// Whatever waits for the last VALU result in an SGPR has waited for all older ones as well.
  void completeScalars() {
    const auto it = lastScalar_ ? state_.find(*lastScalar_) : state_.end();
    if (it == state_.end())
      return;
    const unsigned back = it->second.valu.back;
    std::erase_if(state_, [&](const auto &entry) {
      return entry.second.valu.any() && entry.second.valu.back >= back;
    });
    lastScalar_.reset();
  }

  /// Only explicit operands, as LLVM does: conditions in VCC and SCC are not waited for.
  uint16_t read(const Instruction &inst) {
    PendingResult all;
    for (const Operand &operand : inst.operands) {
      if (!operand.isReg() || !isRead(inst, operand))
        continue;
      forEachHalf(operand.reg, [&](unsigned half) {
        if (const auto it = state_.find(half); it != state_.end()) {
          all.merge(it->second);
          state_.erase(it); // Who waits for it once need not do so again.
        }
      });
    }
    return all.immediate();
  }

  void write(const Instruction &inst, Producer producer) {
    unsigned destination = 0;
    bool scalarSeen = false;
    for (const Operand &operand : inst.operands) {
      if (operand.cls != Operand::Class::Def)
        continue;
      const PendingResult result =
          PendingResult::of(producer, latencyOf(module_, inst, destination++));
      forEachHalf(operand.reg, [&](unsigned half) { state_[half] = result; });
      if (inst.isValu() && !operand.reg.first.isVgpr() && !scalarSeen) {
        lastScalar_ = 2 * operand.reg.first.index;
        scalarSeen = true;
      }
    }
  }

  const Module &module_;
  Results state_;
  std::optional<unsigned> lastScalar_; ///< That the VALU wrote in this block.
};

struct DelayFlow : DataflowProblem<Results, Direction::Forward> {
  void join(Results &into, const Results &from, Edge) const {
    for (const auto &[half, result] : from)
      into[half].merge(result);
  }
  void apply(uint32_t block, Results &state) const {
    Straight walk(module, std::move(state));
    forEach(block, [&](const Instruction &inst) {
      if (inst.op != Op::s_delay_alu)
        walk.step(inst);
    });
    state = walk.take();
  }
};

std::vector<Delay> delaysOf(const Module &module, const Block &block, Results state) {
  const auto &insts = module.instructions();
  Straight walk(module, std::move(state));
  Encoder encoder;
  unsigned glued = 0; // s_add_u32 and s_addc_u32 behind s_getpc_b64 count from where that stands.
  for (uint32_t i = block.first; i < block.last; ++i) {
    if (insts[i].op == Op::s_delay_alu)
      continue;
    const uint16_t immediate = walk.step(insts[i]);
    if (glued == 0)
      encoder.add(i, immediate);
    encoder.pass();
    glued = insts[i].op == Op::s_getpc_b64 ? 2 : glued - (glued > 0);
  }
  return std::move(encoder.delays);
}

} // namespace

std::vector<std::vector<Delay>> computeDelays(const Module &module, const Cfg &cfg) {
  DelayFlow flow{{module, cfg}};
  // Who reads a result takes it out, so nothing promises that this comes to rest; a hint that is
  // not the best is no error.
  BlockStates<Results> states = solve(cfg, flow, 64 * cfg.blocks.size());
  std::vector<std::vector<Delay>> delays;
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
    delays.push_back(delaysOf(module, cfg.blocks[b], std::move(states.atStart[b])));
  return delays;
}

} // namespace rdna
