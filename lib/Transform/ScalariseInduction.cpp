#include "Transform/ScalariseInduction.h"

#include "Analysis/Liveness.h"
#include "Asm/GlobalAddress.h"
#include "Code/Change.h"
#include "Transform/AddressSplit.h"
#include "Transform/FreeSgprs.h"
#include "Transform/LoopEntry.h"
#include "Transform/ScalarSums.h"

#include <algorithm>
#include <optional>

namespace rdna {
namespace {

using verify::ExprPool;
using verify::Value;

/// A pair of VGPRs, what adds to it, and what it is an address of.
struct Pointer {
  unsigned vgpr = 0;          ///< The lower one.
  uint32_t low = 0, high = 0; ///< v_add_co_u32 and v_add_co_ci_u32.
  std::optional<Arg> lowStep, highStep;
  std::vector<uint32_t> accesses;
};

llvm::SmallVector<const Operand *, 4> sourcesOf(const Instruction &inst) {
  llvm::SmallVector<const Operand *, 4> sources;
  for (const Operand &operand : inst.operands)
    if (operand.cls == Operand::Class::Source)
      sources.push_back(&operand);
  return sources;
}

/// The lane mask that an addition writes.
std::optional<RegUnit> carryOf(const Instruction &inst) {
  for (const RegAccess &access : inst.accesses)
    if (access.writes() && !access.reg.first.isVgpr())
      return access.reg.first;
  return std::nullopt;
}

class Stepper {
public:
  Stepper(const Module &module, const Cfg &cfg, const SgprBaseOptions &options)
      : module_(module), cfg_(cfg), options_(options), values_(module, cfg, pool_),
        facts_(module, cfg), liveness_(computeLiveness(module, cfg)),
        free_(module, module.functions()[cfg.functionIndex]) {}

  ScalarisedInduction run(const std::vector<uint32_t> &blocks) {
    for (const Loop &loop : cfg_.loops)
      if (loop.blocks.size() == 1 &&
          std::find(blocks.begin(), blocks.end(), loop.header) != blocks.end())
        rewriteLoop(loop);
    result_.rewrite.sgprs = free_.count();
    return std::move(result_);
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }

  static bool touches(const Instruction &inst, unsigned vgpr) {
    return vgprReads(inst).test(vgpr) || vgprWrites(inst).test(vgpr);
  }

  /// The other addend of an addition to a register, as scalar code takes it.
  std::optional<Arg> stepOf(const Instruction &add, unsigned vgpr, const LoopEntry &entry) const {
    const auto sources = sourcesOf(add);
    if (sources.size() < 2 || !add.operands[0].isReg() ||
        add.operands[0].reg != RegRange{RegUnit::vgpr(vgpr), 1, Half::Whole} ||
        add.origin != Instruction::Origin::Text || add.isDpp())
      return std::nullopt;
    for (const Operand &operand : add.operands) // clamp
      if (operand.cls == Operand::Class::Control && operand.imm != 0)
        return std::nullopt;
    const auto isSelf = [&](const Operand &operand) {
      return operand.isReg() && operand.reg == RegRange{RegUnit::vgpr(vgpr), 1, Half::Whole};
    };
    const Operand &step = isSelf(*sources[0]) ? *sources[1] : *sources[0];
    if (!isSelf(*sources[0]) && !isSelf(*sources[1]))
      return std::nullopt;
    if (step.kind == Operand::Kind::Immediate)
      return imm(step.imm);
    const bool isStable = step.isReg() && !step.reg.first.isVgpr() && step.reg.dwords == 1 &&
                          step.reg.first.index < RegUnit::scalar(106).index &&
                          entry.stable.test(step.reg.first.index);
    return isStable ? std::optional(Arg(step.reg.first)) : std::nullopt;
  }

  /// Nobody reads the carry behind an instruction.
  bool isDeadBehind(const Block &block, uint32_t instruction, RegUnit unit) const {
    for (uint32_t i = instruction + 1; i < block.last; ++i) {
      if (inst(i).readsUnit(unit))
        return false;
      if (inst(i).writesUnit(unit))
        return true;
    }
    return std::none_of(block.successors.begin(), block.successors.end(),
                        [&](uint32_t s) { return facts_.liveScalars[s].test(unit.index); });
  }

  std::optional<Pointer> pointerAt(const Block &block, uint32_t low, const LoopEntry &entry) const {
    Pointer pointer;
    if (inst(low).op != Op::v_add_co_u32 || !inst(low).operands[0].isReg())
      return std::nullopt;
    pointer.low = low;
    pointer.vgpr = inst(low).operands[0].reg.first.index;
    const unsigned upper = pointer.vgpr + 1;
    const auto carry = carryOf(inst(low));
    if (upper > 255 || !carry)
      return std::nullopt;
    for (pointer.high = low + 1; pointer.high < block.last; ++pointer.high) {
      const Instruction &next = inst(pointer.high);
      if (next.op == Op::v_add_co_ci_u32 && next.operands[0].isReg() &&
          next.operands[0].reg.first.index == upper)
        break;
      if (next.readsUnit(*carry) || next.writesUnit(*carry) || touches(next, pointer.vgpr) ||
          touches(next, upper))
        return std::nullopt;
    }
    if (pointer.high == block.last)
      return std::nullopt;
    const Instruction &high = inst(pointer.high);
    const auto sources = sourcesOf(high);
    const RegUnit carryIn =
        sources.size() > 2 && sources[2]->isReg() ? sources[2]->reg.first : kVccLo;
    const auto carryOut = carryOf(high);
    const auto lowStep = stepOf(inst(low), pointer.vgpr, entry),
               highStep = stepOf(high, upper, entry);
    if (carryIn != *carry || !lowStep || !highStep ||
        (*carry != carryOut.value_or(kScc) && !isDeadBehind(block, pointer.high, *carry)) ||
        (carryOut && !carryOut->isNull() && !isDeadBehind(block, pointer.high, *carryOut)))
      return std::nullopt;
    pointer.lowStep = *lowStep;
    pointer.highStep = *highStep;
    for (uint32_t i = block.first; i < block.last; ++i) {
      if (i == pointer.low || i == pointer.high ||
          (!touches(inst(i), pointer.vgpr) && !touches(inst(i), upper)))
        continue;
      const auto address = globalAddress(inst(i));
      const RegRange pair{RegUnit::vgpr(pointer.vgpr), 2, Half::Whole};
      if (!address || address->base || inst(i).operands[address->vector].reg != pair ||
          inst(i).origin != Instruction::Origin::Text)
        return std::nullopt;
      for (const RegAccess &access : inst(i).accesses)
        if (access.operand != int(address->vector) && access.reg.overlaps(pair))
          return std::nullopt;
      pointer.accesses.push_back(i);
    }
    const auto isNeeded = [&](uint32_t s) {
      return cfg_.blocks[s].first != block.first &&
             (liveness_.liveIn[s].test(pointer.vgpr) || liveness_.liveIn[s].test(upper));
    };
    if (pointer.accesses.empty() ||
        std::any_of(block.successors.begin(), block.successors.end(), isNeeded))
      return std::nullopt;
    return pointer;
  }

  /// Before which instruction scalar code can step the pointer: SCC is free, and the accesses see
  /// what they saw.
  std::optional<uint32_t> placeOfStep(const Block &block, const Pointer &pointer) const {
    uint32_t from = block.first, to = block.last - 1;
    for (const uint32_t access : pointer.accesses)
      if (access < pointer.low)
        from = access + 1;
      else
        to = std::min(to, access);
    bool isFree = false; // The branch may read SCC.
    std::optional<uint32_t> best;
    for (uint32_t i = block.last; i-- > block.first;) {
      if (inst(i).writesUnit(kScc))
        isFree = true;
      if (inst(i).readsUnit(kScc))
        isFree = false;
      const bool isGone = i == pointer.low || i == pointer.high;
      if (isFree && !isGone && i >= from && i <= to && takesLineBefore(module_, inst(i)) &&
          !isInClause(module_, block, i) && inst(i).op != Op::s_delay_alu &&
          (!best || i >= pointer.low))
        best = i;
    }
    return best;
  }

  void rewriteLoop(const Loop &loop) {
    const Block &block = cfg_.blocks[loop.header];
    if (!block.reachable)
      return;
    const auto entry = entryOf(module_, cfg_, loop, facts_, values_);
    if (!entry)
      return;
    for (uint32_t i = block.first; i < block.last; ++i)
      if (inst(i).writesUnit(kExecLo))
        return;
    unsigned done = 0;
    for (uint32_t i = block.first; i < block.last; ++i)
      if (const auto pointer = pointerAt(block, i, *entry))
        done += rewritePointer(loop, *entry, *pointer);
    for (uint32_t i = block.first; done && i < block.last; ++i)
      if (inst(i).op == Op::s_delay_alu && inst(i).origin == Instruction::Origin::Text)
        result_.rewrite.edits.push_back(removal(module_, inst(i))); // It counts instructions.
  }

  /// What the pointer is in front of the loop, if nothing touches it from the entry's place on.
  std::optional<Value> valueAt(const LoopEntry &entry, const Pointer &pointer) {
    const uint32_t behind = entry.instruction + (entry.side == LoopEntry::Side::Behind);
    for (uint32_t i = behind; i < cfg_.blocks[cfg_.blockOf(entry.instruction)].last; ++i)
      if (touches(inst(i), pointer.vgpr) || touches(inst(i), pointer.vgpr + 1) ||
          inst(i).writesUnit(kExecLo))
        return std::nullopt;
    const Value exec = entry.state[kExecLo];
    return pool_.wideOf(pool_.within(entry.state[RegUnit::vgpr(pointer.vgpr)], exec),
                        pool_.within(entry.state[RegUnit::vgpr(pointer.vgpr + 1)], exec));
  }

  /// A place in front of the loop where scalar code can make what lanes share of the pointer.
  struct Home {
    LoopEntry entry;
    Value shared;
  };
  std::optional<Home> homeOf(const Loop &loop, const LoopEntry &last, Value pointer,
                             verify::Indices indices) {
    AddressSplitter splitter(module_, cfg_, pool_, values_, indices);
    constexpr unsigned mostPlaces = 16;
    std::optional<LoopEntry> entry = last;
    for (unsigned n = 0; entry && n < mostPlaces; ++n) {
      if (const auto shared = splitter.sharedPart(pointer, entry->state))
        return Home{*entry, *shared};
      // Scalars that it is made of may have been there before.
      entry = entryOf(module_, cfg_, loop, facts_, values_,
                      entry->instruction + (entry->side == LoopEntry::Side::Behind));
    }
    return std::nullopt;
  }

  /// Lines at a place, behind a wait for what they read.
  void insertAt(const LoopEntry &entry, std::vector<Inst> lines, llvm::ArrayRef<RegRange> read,
                std::vector<TextEdit> &edits) const {
    if (const WaitCounts counts = entry.waits.needed(read); counts.any())
      lines.insert(lines.begin(), buildWait(counts));
    for (const Inst &line : lines)
      edits.push_back(entry.side == LoopEntry::Side::Behind
                          ? lineBehind(module_, inst(entry.instruction), line)
                          : lineBefore(module_, inst(entry.instruction), line));
  }

  bool rewritePointer(const Loop &loop, const LoopEntry &last, const Pointer &pointer) {
    const Block &block = cfg_.blocks[loop.header];
    const auto place = placeOfStep(block, pointer);
    const auto value = valueAt(last, pointer);
    if (!place || !value)
      return false;
    const auto home = homeOf(loop, last, *value, options_.indices);
    if (!home) {
      if (options_.indices == verify::Indices::MayWrap &&
          homeOf(loop, last, *value, verify::Indices::AssumeUnwrapped))
        result_.rewrite.remarks.push_back(
            remarkOfWrap(module_, inst(pointer.accesses.front()), pointer.accesses.size()));
      return false;
    }
    const FreeSgprs before = free_;
    std::vector<Inst> lines;
    std::vector<RegRange> read;
    const auto pair = makePointer(home->entry, home->shared, lines, read);
    if (!pair) {
      free_ = before;
      return false;
    }
    std::vector<TextEdit> edits;
    insertAt(home->entry, lines, read, edits);
    // The lower half alone says how far a lane is from what all share. It takes the pointer's
    // place.
    const unsigned offset = pointer.vgpr;
    insertAt(last, {build(Op::v_subrev_nc_u32, {vgpr(offset), sgpr(*pair), vgpr(offset)})},
             {{RegUnit::vgpr(offset), 1, Half::Whole}}, edits);
    for (const uint32_t access : pointer.accesses) {
      const Instruction &instruction = inst(access);
      const auto rebased =
          withGlobalAddress(module_, instruction, offset, *pair,
                            instruction.operands[globalAddress(instruction)->offset].imm);
      if (!rebased) {
        free_ = before;
        return false;
      }
      edits.push_back(replacement(instruction, *rebased));
    }
    edits.push_back(removal(module_, inst(pointer.low)));
    edits.push_back(removal(module_, inst(pointer.high)));
    const Arg low = sgpr(*pair), high = sgpr(*pair + 1);
    edits.push_back(
        lineBefore(module_, inst(*place), build(Op::s_add_u32, {low, low, *pointer.lowStep})));
    edits.push_back(
        lineBefore(module_, inst(*place), build(Op::s_addc_u32, {high, high, *pointer.highStep})));
    result_.rewrite.edits.insert(result_.rewrite.edits.end(), edits.begin(), edits.end());
    result_.rewrite.accesses += static_cast<unsigned>(pointer.accesses.size());
    ++result_.rewrite.pairs;
    ++result_.rewrite.offsets;
    result_.claims[block.first].push_back(splitPointer({static_cast<uint8_t>(pointer.vgpr)},
                                                       RegUnit::scalar(*pair),
                                                       {static_cast<uint8_t>(offset)}));
    return true;
  }

  /// The scalar part in a pair of its own, because it will be stepped.
  std::optional<unsigned> makePointer(const LoopEntry &entry, Value base, std::vector<Inst> &lines,
                                      std::vector<RegRange> &read) {
    ScalarSums sums(pool_, entry.state, entry.stable);
    std::vector<unsigned> taken;
    const auto takePair = [&]() -> std::optional<unsigned> {
      const auto pair = free_.takePair();
      if (pair)
        taken.push_back(*pair);
      return pair;
    };
    const auto made = sums.make({base}, takePair, lines);
    const auto found = made.find(base);
    if (found == made.end())
      return std::nullopt;
    for (unsigned i = 0; i < kRegUnits; ++i)
      if (sums.reads().test(i))
        read.push_back({{static_cast<uint16_t>(i)}, 1, Half::Whole});
    if (std::find(taken.begin(), taken.end(), found->second) != taken.end())
      return found->second;
    const auto pair = takePair();
    if (!pair)
      return std::nullopt;
    const unsigned from = found->second;
    read.push_back({RegUnit::scalar(from), 2, Half::Whole});
    lines.push_back(build(Op::s_mov_b64, {sgprPair(*pair), sgprPair(from)}));
    return pair;
  }

  const Module &module_;
  const Cfg &cfg_;
  const SgprBaseOptions &options_;
  ExprPool pool_;
  verify::BlockValues values_;
  const FunctionFacts facts_;
  const Liveness liveness_;
  FreeSgprs free_;
  ScalarisedInduction result_;
};

} // namespace

ScalarisedInduction scalariseInduction(const Module &module, const Cfg &cfg,
                                       const std::vector<uint32_t> &blocks,
                                       const SgprBaseOptions &options) {
  return Stepper(module, cfg, options).run(blocks);
}

} // namespace rdna
