#include "Transform/MergeStores.h"

#include "Analysis/Dependence.h"
#include "Analysis/Drains.h"
#include "Analysis/Segments.h"
#include "Analysis/Waits.h"
#include "Asm/Effects.h"
#include "Asm/Lane.h"
#include "Asm/LdsOffsets.h"
#include "Code/Build.h"
#include "Symbolic/Machine.h"
#include "Transform/Hints.h"
#include "Transform/Lines.h"
#include "Transform/MergedCounts.h"

#include <algorithm>
#include <bitset>

namespace rdna {
namespace {

/// A value as another one, of which nothing is known, plus a constant.
struct Sum {
  uint32_t base = 0, plus = 0;
};

/// One ds_store_b32 or ds_store_b64.
struct Store {
  uint32_t index = 0;
  RegRange address, data;
  uint32_t offset = 0;
};

std::optional<Store> storeOf(const Module &module, const Instruction &inst) {
  if ((inst.op != Op::ds_store_b32 && inst.op != Op::ds_store_b64) ||
      inst.origin != Instruction::Origin::Text)
    return std::nullopt;
  const uint32_t line = module.lineBegin(inst.line);
  if (module.text().substr(line, inst.begin - line).find_first_not_of(" \t") !=
      std::string_view::npos)
    return std::nullopt; // Behind a label, say.
  Store store{inst.index, {}, {}, 0};
  unsigned sources = 0, controls = 0;
  for (const Operand &operand : inst.operands) {
    if (operand.cls == Operand::Class::Source) {
      if (!operand.isReg() || !operand.reg.first.isVgpr())
        return std::nullopt;
      (sources++ == 0 ? store.address : store.data) = operand.reg;
    } else if (operand.kind != Operand::Kind::Immediate) {
      return std::nullopt;
    } else if (controls++ == 0) {
      store.offset = static_cast<uint32_t>(operand.imm);
    } else if (operand.imm != 0) { // gds
      return std::nullopt;
    }
  }
  return sources == 2 ? std::optional(store) : std::nullopt;
}

/// Both stores in one, relative to the register `address`; nothing if the distances do not fit.
std::optional<Inst> mergedStore(RegUnit address, const Store &first, uint32_t firstOffset,
                                const Store &second, uint32_t secondOffset) {
  for (const Stride stride : {Stride::One, Stride::SixtyFour}) {
    const unsigned unit = 4 * first.data.dwords * (stride == Stride::One ? 1 : 64);
    if (firstOffset % unit == 0 && secondOffset % unit == 0 && firstOffset / unit <= 255 &&
        secondOffset / unit <= 255 && firstOffset != secondOffset)
      return buildDsStore2(address, first.data, second.data, firstOffset / unit,
                           secondOffset / unit, stride);
  }
  return std::nullopt;
}

/// Do lines between two instructions keep code from moving across them?
bool isApart(const Module &module, const Instruction &before, const Instruction &after) {
  for (uint32_t line = nextLine(module, before.line); line < after.line;
       line = nextLine(module, line))
    if (lineKind(wholeLine(module, line)) != LineKind::Harmless)
      return true;
  return false;
}

/// Finds the pairs of a block.
class StoreFinder {
public:
  StoreFinder(const Module &module, const Block &block, const WaitState &waits)
      : module_(module), block_(block), waits_(waits) {
    forgetAll();
  }

  struct Pair : StorePair {
    Inst merged;
  };

  std::vector<Pair> run() {
    const auto &insts = module_.instructions();
    uint32_t macroClause = 0; // Instructions before this one are in a clause that cannot change.
    for (uint32_t i = block_.first; i < block_.last; ++i) {
      const Instruction &inst = insts[i];
      if (i > block_.first && isApart(module_, insts[i - 1], inst))
        earlier_.reset();
      if (inst.op == Op::s_clause && inst.origin == Instruction::Origin::Macro)
        macroClause = i + 1 + clauseLength(inst);
      if (isLdsOperation(inst)) {
        const auto store = i < macroClause ? std::nullopt : storeOf(module_, inst);
        if (!store || !tryPair(*store))
          remember(store);
      } else if (isMemoryFence(inst) || inst.isTerminator()) {
        earlier_.reset();
      }
      step(inst);
    }
    return std::move(pairs_);
  }

private:
  /// A store that waits for its neighbour, with what was known where it stands.
  struct Earlier {
    Store store;
    std::array<Sum, 256> held;
    WaitState waits;
    std::bitset<256> written; ///< Since.
  };

  static bool isWritten(const std::bitset<256> &written, const RegRange &range) {
    for (unsigned d = 0; d < range.dwords; ++d)
      if (written.test(range.first.index + d))
        return true;
    return false;
  }

  void remember(const std::optional<Store> &store) {
    earlier_.reset();
    if (store)
      earlier_ = Earlier{*store, held_, waits_, {}};
  }

  bool tryPair(const Store &later) {
    if (!earlier_ || earlier_->store.data.dwords != later.data.dwords)
      return false;
    const Store &first = earlier_->store;
    const Sum from = earlier_->held[first.address.first.index];
    const Sum to = held_[later.address.first.index];
    if (from.base != to.base)
      return false;
    const auto mergeAt = [&](const std::array<Sum, 256> &held) -> std::optional<Inst> {
      for (const RegUnit address : {first.address.first, later.address.first}) {
        const Sum base = held[address.index];
        if (base.base != from.base)
          continue;
        if (auto merged = mergedStore(address, first, from.plus + first.offset - base.plus, later,
                                      to.plus + later.offset - base.plus))
          return merged;
      }
      return std::nullopt;
    };
    std::optional<Inst> merged;
    StorePair::Place place = StorePair::Place::Second;
    if (!isWritten(earlier_->written, first.data))
      merged = mergeAt(held_);
    if (!merged && !isWritten(earlier_->written, later.data) &&
        !earlier_->waits.needed({later.data, later.address}).any()) {
      place = StorePair::Place::First;
      merged = mergeAt(earlier_->held);
    }
    if (!merged)
      return false;
    pairs_.push_back({{first.index, later.index, place}, std::move(*merged)});
    earlier_.reset();
    return true;
  }

  void forgetAll() {
    for (Sum &sum : held_)
      sum = {++bases_, 0};
  }

  void step(const Instruction &inst) {
    waits_.step(inst);
    if (inst.writesUnit(kExecLo) || inst.writesUnit(kExecHi)) {
      // Other lanes: what was computed says nothing of theirs.
      earlier_.reset();
      forgetAll();
    }
    std::vector<std::pair<unsigned, Sum>> results;
    if (!inst.isDpp())
      for (const LaneOp &lane : laneOps(inst))
        if (const auto sum = sumOf(lane))
          results.emplace_back(lane.dst.number, *sum);
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; d < access.reg.dwords && access.writes(); ++d)
        if (const unsigned unit = access.reg.first.index + d; unit < 256) {
          held_[unit] = {++bases_, 0};
          if (earlier_)
            earlier_->written.set(unit);
        }
    for (const auto &[unit, sum] : results)
      held_[unit] = sum;
  }

  std::optional<Sum> sumOf(const LaneOp &lane) const {
    const VopdSource &a = lane.src0, &b = lane.src1;
    const auto isConstant = [](const VopdSource &source) {
      return source.kind == VopdSource::Kind::Inline || source.kind == VopdSource::Kind::Literal;
    };
    if (lane.op == Op::v_mov_b32 && a.isVgpr())
      return held_[a.value];
    if (lane.op != Op::v_add_nc_u32)
      return std::nullopt;
    const VopdSource &constant = isConstant(a) ? a : b, &other = isConstant(a) ? b : a;
    if (!isConstant(constant) || !other.isVgpr())
      return std::nullopt;
    return Sum{held_[other.value].base, held_[other.value].plus + constant.value};
  }

  const Module &module_;
  const Block &block_;
  WaitState waits_;
  uint32_t bases_ = 0;
  std::array<Sum, 256> held_;
  std::optional<Earlier> earlier_;
  std::vector<Pair> pairs_;
};

/// By block: does its segment hold no access that synchronises with other waves, by its order with
/// all memory operations around it, and no call, of which it is not known what it counts?
std::vector<uint8_t> quietBlocks(const Module &module, const Cfg &cfg) {
  std::vector<uint8_t> quiet(cfg.blocks.size(), 1);
  const auto isLoud = [&](uint32_t b) {
    for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i)
      if (const Instruction &inst = module.instructions()[i]; isSynchronising(inst) || isCall(inst))
        return true;
    return false;
  };
  for (const std::vector<uint32_t> &segment : straightSegments(module, cfg))
    if (std::any_of(segment.begin(), segment.end(), isLoud))
      for (const uint32_t b : segment)
        quiet[b] = 0;
  return quiet;
}

/// Rewrites a block in which the pairs are merged.
void rewrite(const Module &module, const Block &block, const std::vector<StoreFinder::Pair> &pairs,
             const std::map<uint32_t, unsigned> &counts, StoreEdits &result) {
  const auto &insts = module.instructions();
  std::vector<uint32_t> gone;
  for (const StoreFinder::Pair &pair : pairs) {
    const bool atFirst = pair.place == StorePair::Place::First;
    const Instruction &kept = insts[atFirst ? pair.first : pair.second];
    gone.push_back(atFirst ? pair.second : pair.first);
    result.edits.push_back(replacement(kept, pair.merged));
    result.edits.push_back(removal(module, insts[gone.back()]));
  }
  std::sort(gone.begin(), gone.end());
  for (const auto &[wait, count] : counts) {
    WaitCounts all = *waitCounts(insts[wait]);
    all.lgkm = count;
    result.edits.push_back(replacement(insts[wait], buildWait(all)));
  }
  const auto covered = [&](const Instruction &clause) {
    const unsigned length = clauseLength(clause);
    const auto from = std::upper_bound(gone.begin(), gone.end(), clause.index);
    const auto to = std::upper_bound(from, gone.end(), clause.index + length);
    return length - static_cast<unsigned>(to - from);
  };
  repairHints(module, block, covered, result.edits);
  result.merged += static_cast<unsigned>(pairs.size());
}

} // namespace

StoreEdits mergeStores(const Module &module, const Cfg &cfg, const std::vector<uint32_t> &blocks) {
  StoreEdits result;
  const auto &insts = module.instructions();
  for (const Block &block : cfg.blocks)
    for (uint32_t i = block.first; i < block.last; ++i)
      result.before += insts[i].unit == Unit::Lds && insts[i].memory == MemoryEffect::Store;
  if (result.before < 2)
    return result;
  const std::vector<WaitState> waits = computeWaits(module, cfg);
  const std::vector<uint8_t> quiet = quietBlocks(module, cfg);
  const std::vector<uint8_t> drained = ldsDrainedNext(module, cfg);
  for (const uint32_t b : blocks) {
    const Block &block = cfg.blocks[b];
    if (!quiet[b] || !block.reachable)
      continue;
    const std::vector<StoreFinder::Pair> found = StoreFinder(module, block, waits[b]).run();
    std::vector<StorePair> pairs(found.begin(), found.end());
    const auto counts = settleCounts(module, block, drained, pairs);
    std::vector<StoreFinder::Pair> kept; // Both are in order.
    for (const StoreFinder::Pair &pair : found)
      if (kept.size() < pairs.size() && pairs[kept.size()].first == pair.first)
        kept.push_back(pair);
    if (!kept.empty())
      rewrite(module, block, kept, counts, result);
  }
  return result;
}

} // namespace rdna
