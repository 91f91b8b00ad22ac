#include "Transform/SgprBase.h"

#include "Analysis/Liveness.h"
#include "Asm/GlobalAddress.h"
#include "Asm/Lane.h"
#include "Code/Change.h"
#include "Transform/AddressSplit.h"
#include "Transform/FreeSgprs.h"
#include "Transform/LoopEntry.h"
#include "Transform/ScalarSums.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace rdna {
namespace {

using verify::ExprPool;
using verify::State;
using verify::Value;

class SgprBaser {
public:
  SgprBaser(const Module &module, const Cfg &cfg, const SgprBaseOptions &options)
      : module_(module), cfg_(cfg), options_(options), values_(module, cfg, pool_),
        splitter_(module, cfg, pool_, values_, options.indices), facts_(module, cfg),
        liveness_(computeLiveness(module, cfg)),
        free_(module, module.functions()[cfg.functionIndex]) {}

  SgprBaseRewrite run(const std::vector<uint32_t> &blocks) {
    for (const uint32_t b : blocks)
      if (cfg_.blocks[b].reachable)
        rewriteBlock(b);
    result_.pairs = unsigned(bases_.size());
    result_.sgprs = free_.count();
    return std::move(result_);
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }

  /// A VGPR that nobody uses from `first` to `last`.
  std::optional<unsigned> freeVgpr(uint32_t block, uint32_t first, uint32_t last) const {
    VgprSet busy = taken_;
    LiveWalk walk(liveness_, block);
    for (uint32_t i = cfg_.blocks[block].last; i-- > first;) {
      if (i <= last)
        busy |= walk.live() | vgprReads(inst(i)) | vgprWrites(inst(i));
      walk.stepOver(inst(i));
    }
    busy |= walk.live();
    for (unsigned v = 0; v < options_.mostVgprs; ++v)
      if (!busy.test(v))
        return v;
    return std::nullopt;
  }

  bool holdsFrom(unsigned vgpr, uint32_t first, uint32_t last) const {
    for (uint32_t i = first; i < last; ++i)
      if (vgprWrites(inst(i)).test(vgpr))
        return false;
    return true;
  }

  /// `a + b` of the instruction that makes the divergent offset, if a shifted sum can take its
  /// place.
  static std::optional<std::array<Arg, 2>> sumSources(const Instruction &definition,
                                                      unsigned divergentOffset) {
    const auto isPlain = [](const VopdSource &source) {
      return source.isVgpr() || (source.kind == VopdSource::Kind::Scalar && source.value < 106);
    };
    const auto arg = [](const VopdSource &source) {
      return source.isVgpr() ? vgpr(source.value) : sgpr(source.value);
    };
    for (const LaneOp &lane : laneOps(definition))
      if (lane.op == Op::v_add_nc_u32 && lane.dst.number == divergentOffset)
        return isPlain(lane.src0) && isPlain(lane.src1)
                   ? std::optional(std::array{arg(lane.src0), arg(lane.src1)})
                   : std::nullopt;
    return std::nullopt;
  }

  /// Writes the instruction that makes a group's offset; the register, or nothing if there is none.
  std::optional<unsigned> writeOffset(uint32_t block, const AccessGroup &group) {
    const AddressSplit &offset = group.offset;
    const DivergentOffset &lane = *offset.lane;
    uint32_t last = 0;
    for (const auto &[access, s] : group.members)
      last = std::max(last, access->instruction);
    const uint32_t first = lane.definition ? *lane.definition + 1 : cfg_.blocks[block].first;
    const bool isPlain = offset.loopVariant == pool_.constant(0);
    if (isPlain && offset.shift == 0 && holdsFrom(lane.vgpr, first, last))
      return lane.vgpr;
    // A sum that takes the place of the definition's stands before it.
    const auto fresh = freeVgpr(block, lane.definition.value_or(first), last);
    const Instruction &place = inst(lane.definition ? *lane.definition : first);
    if (!fresh || !takesLineBefore(module_, place) ||
        (lane.definition && !takesLineBehind(module_, place)) ||
        isInClause(module_, cfg_.blocks[block], place.index))
      return std::nullopt;
    // What a load still owes would need a wait in the loop.
    const RegRange divergentOffset{RegUnit::vgpr(lane.vgpr), 1, Half::Whole};
    if (!lane.definition && facts_.waits[block].needed({divergentOffset}).any())
      return std::nullopt;
    std::vector<Inst> lines;
    std::optional<Arg> loopVariant;
    if (!isPlain) {
      const auto scalar = writeScalar(values_.atStart(block), offset.loopVariant, lines);
      // Scalars that an instruction of the block may change before the definition are not used.
      if (!scalar || lane.definition)
        return std::nullopt;
      loopVariant = *scalar;
    }
    const auto sum =
        lane.definition && isPlain && offset.shift ? sumSources(place, lane.vgpr) : std::nullopt;
    const Arg shift = imm(offset.shift), to = vgpr(*fresh), from = vgpr(lane.vgpr);
    if (sum)
      lines.push_back(build(Op::v_add_lshl_u32, {to, (*sum)[0], (*sum)[1], shift}));
    else if (isPlain)
      lines.push_back(build(Op::v_lshlrev_b32, {to, shift, from}));
    else if (offset.shift == 0)
      lines.push_back(build(Op::v_add_nc_u32, {to, *loopVariant, from}));
    else
      lines.push_back(build(Op::v_add_lshl_u32, {to, *loopVariant, from, shift}));
    for (const Inst &line : lines)
      if (lane.definition && !sum)
        result_.edits.push_back(lineBehind(module_, place, line));
      else
        result_.edits.push_back(lineBefore(module_, place, line));
    taken_.set(*fresh);
    result_.vgprs = std::max(result_.vgprs, *fresh + 1);
    ++result_.offsets;
    return fresh;
  }

  /// A scalar register with a value at the start of a block; SCC is not touched.
  std::optional<Arg> writeScalar(const State &state, Value value, std::vector<Inst> &lines) {
    if (const auto found = findScalar(pool_, state, value))
      return sgpr(*found);
    const auto terms = pool_.termsOf(value, ExprPool::Width::Dword);
    if (terms.size() != 1)
      return std::nullopt;
    llvm::SmallVector<Arg, 3> factors;
    for (const Value atom : terms[0].atoms) {
      const auto found = findScalar(pool_, state, atom);
      if (!found)
        return std::nullopt;
      factors.push_back(sgpr(*found));
    }
    if (terms[0].factor != 1 || factors.size() < 2)
      factors.push_back(imm(static_cast<int64_t>(terms[0].factor)));
    const auto temporary = free_.take();
    if (!temporary)
      return std::nullopt;
    const Arg product = sgpr(*temporary);
    lines.push_back(build(Op::s_mul_i32, {product, factors[0], factors[1]}));
    for (size_t k = 2; k < factors.size(); ++k)
      lines.push_back(build(Op::s_mul_i32, {product, product, factors[k]}));
    return product;
  }

  /// Where pointers for a block can be computed. Outermost loop first: what is there need not be
  /// computed again. Outside loops, in the block itself.
  std::vector<LoopEntry> entriesOf(uint32_t block, uint32_t firstAccess) {
    std::vector<uint32_t> loops;
    for (auto l = cfg_.loopOf(block); l; l = cfg_.loops[*l].parent)
      loops.insert(loops.begin(), *l);
    std::vector<LoopEntry> entries;
    for (const uint32_t l : loops)
      if (auto entry = entryOf(module_, cfg_, cfg_.loops[l], facts_, values_))
        entries.push_back(std::move(*entry));
    if (loops.empty())
      if (auto entry = placeIn(module_, cfg_, block, firstAccess, facts_, values_))
        entries.push_back(std::move(*entry));
    return entries;
  }

  void rewriteBlock(uint32_t block) {
    const std::vector<WideAccess> accesses = splitter_.accessesOf(block);
    if (accesses.empty())
      return;
    std::set<uint32_t> open;
    for (const WideAccess &access : accesses)
      open.insert(access.instruction);
    const std::vector<DivergentOffset> lanes =
        splitter_.divergentOffsetsOf(block, accesses.back().instruction);
    const std::vector<LoopEntry> entries = entriesOf(block, accesses.front().instruction);
    for (const LoopEntry &entry : entries) {
      std::vector<WideAccess> left;
      for (const WideAccess &access : accesses)
        if (open.contains(access.instruction))
          left.push_back(access);
      for (const AccessGroup &g : splitter_.group(left, lanes, entry.state, block))
        writeGroup(block, entry, g, open);
    }
    if (options_.indices == verify::Indices::MayWrap)
      remarkWhatWraps(block, open, entries);
  }

  void writeGroup(uint32_t block, const LoopEntry &entry, const AccessGroup &group,
                  std::set<uint32_t> &open) {
    // Pointers first: without them the offset is of no use.
    ScalarSums sums(pool_, entry.state, entry.stable);
    std::vector<Value> bases;
    for (const auto &[access, s] : group.members)
      if (!s.pair)
        bases.push_back(s.base);
    for (const auto &[value, pair] : pairs_[entry.instruction])
      sums.add(value, pair);
    const FreeSgprs free = free_;
    const auto giveBack = [&] { free_ = free; };
    std::vector<Inst> lines;
    std::map<Value, unsigned> made = sums.make(bases, [&] { return free_.takePair(); }, lines);
    if (made.empty() && !bases.empty())
      return giveBack();
    const auto offset = writeOffset(block, group);
    if (!offset)
      return giveBack();
    // Their loads may only be waited for in the loop.
    std::vector<RegRange> read;
    for (unsigned i = 0; i < kRegUnits; ++i)
      if (sums.reads().test(i))
        read.push_back({{static_cast<uint16_t>(i)}, 1, Half::Whole});
    if (const WaitCounts counts = entry.waits.needed(read); counts.any())
      lines.insert(lines.begin(), buildWait(counts));
    for (const Inst &line : lines)
      if (entry.side == LoopEntry::Side::Behind)
        result_.edits.push_back(lineBehind(module_, inst(entry.instruction), line));
      else
        result_.edits.push_back(lineBefore(module_, inst(entry.instruction), line));
    for (const auto &[value, pair] : made)
      pairs_[entry.instruction][value] = pair;
    for (const auto &[access, s] : group.members) {
      const auto found = made.find(s.base);
      if (!s.pair && found == made.end())
        continue;
      const unsigned pair = s.pair ? *s.pair : found->second;
      const Instruction &instruction = inst(access->instruction);
      const auto rebased = withGlobalAddress(module_, instruction, *offset, pair, s.offset);
      if (!rebased || !open.erase(access->instruction))
        continue;
      result_.edits.push_back(replacement(instruction, *rebased));
      ++result_.accesses;
      bases_.insert(pair);
    }
  }

  /// Would the assumption have helped?
  void remarkWhatWraps(uint32_t block, const std::set<uint32_t> &open,
                       llvm::ArrayRef<LoopEntry> entries) {
    AddressSplitter assuming(module_, cfg_, pool_, values_, verify::Indices::AssumeUnwrapped);
    std::vector<WideAccess> accesses = assuming.accessesOf(block);
    llvm::erase_if(accesses, [&](const WideAccess &a) { return !open.contains(a.instruction); });
    if (accesses.empty())
      return;
    const auto lanes = assuming.divergentOffsetsOf(block, accesses.back().instruction);
    size_t helped = 0;
    for (const LoopEntry &entry : entries) {
      size_t count = 0;
      for (const AccessGroup &g : assuming.group(accesses, lanes, entry.state, block))
        count += g.members.size();
      helped = std::max(helped, count);
    }
    if (helped)
      result_.remarks.push_back(remarkOfWrap(module_, inst(accesses.front().instruction), helped));
  }

  const Module &module_;
  const Cfg &cfg_;
  const SgprBaseOptions &options_;
  ExprPool pool_;
  verify::BlockValues values_;
  AddressSplitter splitter_;
  const FunctionFacts facts_;
  const Liveness liveness_;
  FreeSgprs free_;
  VgprSet taken_;
  std::map<uint32_t, std::map<Value, unsigned>> pairs_; ///< By entry: what is in new pairs.
  std::set<unsigned> bases_;
  SgprBaseRewrite result_;
};

} // namespace

Diagnostic remarkOfWrap(const Module &module, const Instruction &first, size_t accesses) {
  return module.at(
      first,
      fmt::format("{}, because {} 32-bit index may wrap for all that "
                  "the code says (--assume=no-index-wrap)",
                  accesses == 1 ? "1 access keeps its 64-bit address"
                                : fmt::format("{} accesses keep their 64-bit addresses", accesses),
                  accesses == 1 ? "its" : "their"),
      Severity::Remark);
}

SgprBaseRewrite useSgprBases(const Module &module, const Cfg &cfg,
                             const std::vector<uint32_t> &blocks, const SgprBaseOptions &options) {
  return SgprBaser(module, cfg, options).run(blocks);
}

} // namespace rdna
