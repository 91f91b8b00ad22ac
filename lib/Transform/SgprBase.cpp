#include "Transform/SgprBase.h"

#include "Analysis/Liveness.h"
#include "Analysis/ScalarFlow.h"
#include "Analysis/Waits.h"
#include "Asm/GlobalAddress.h"
#include "Asm/Lane.h"
#include "Transform/Descriptor.h"
#include "Transform/ScalarSums.h"
#include "Verify/BlockValues.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace rdna {
namespace {

using verify::ExprPool;
using verify::State;
using verify::Value;
using Width = ExprPool::Width;
using Polynomial = ExprPool::Polynomial;

/// One access that may get a scalar base.
struct Access {
  uint32_t instruction = 0;
  Value address = 0; ///< 64 bits, indices as integers where they are.
};

/// A VGPR that may become the lane part: at the block's start, or what an instruction of it writes.
struct LanePart {
  unsigned vgpr = 0;
  Value value = 0;
  std::optional<uint32_t> definition;
};

/// How one access could be split.
struct Split {
  const LanePart *lane = nullptr;
  unsigned shift = 0;
  Value varying = 0;            ///< 32 bits: added to the lane part before the shift.
  Value base = 0;               ///< 64 bits.
  std::optional<unsigned> pair; ///< Holds the base in the block; otherwise it is an invariant.
  int64_t offset = 0;
  unsigned cost = 0; ///< Roughly: instructions before the loop and in it.
};

/// A VGPR offset and the accesses that share it.
struct Group {
  Split offset;
  std::vector<std::pair<const Access *, Split>> members;
};

/// Where a loop's invariants can be computed.
struct Entry {
  uint32_t instruction = 0; ///< Before this one, or behind the last one before it.
  enum class Side : uint8_t { Before, Behind } side = Side::Before;
  State state;
  WaitState waits;
  std::bitset<kRegUnits> stable; ///< Scalars that nothing writes from there to the loop's end.
};

class SgprBaser {
public:
  SgprBaser(const Module &module, const Cfg &cfg, const SgprBaseOptions &options)
      : module_(module), cfg_(cfg), options_(options), values_(module, cfg, pool_),
        waits_(computeWaits(module, cfg)), liveness_(computeLiveness(module, cfg)),
        liveScalars_(liveScalars(module, cfg)), newline_(lineEnding(module)) {
    const Function &function = module.functions()[cfg.functionIndex];
    for (uint32_t i = function.first; i < function.last; ++i)
      for (const RegAccess &access : inst(i).accesses)
        for (unsigned d = 0; d < access.reg.dwords; ++d)
          mentioned_.set(access.reg.first.index + d);
    // What the machine puts there before the first instruction is of no use to code that never
    // names it.
    for (unsigned s = 0; s < 106; ++s)
      if (!mentioned_.test(RegUnit::scalar(s).index))
        freeSgprs_.push_back(s);
  }

  SgprBaseRewrite run(const std::vector<uint32_t> &blocks) {
    for (const uint32_t b : blocks)
      if (cfg_.blocks[b].reachable && cfg_.loopOf(b))
        rewriteBlock(b);
    result_.pairs = unsigned(bases_.size());
    for (auto &[position, text] : insertions_)
      result_.edits.push_back({position, position, text});
    return std::move(result_);
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }

  //===--------------------------------------------------------------------===//
  // What there is
  //===--------------------------------------------------------------------===//

  bool hasPlace(const Instruction &instruction) const {
    const uint32_t start = module_.lineBegin(instruction.line);
    return instruction.origin != Instruction::Origin::Macro &&
           module_.text().substr(start, instruction.begin - start).find_first_not_of(" \t") ==
               std::string_view::npos;
  }

  std::vector<Access> accessesOf(uint32_t block, verify::Indices indices) {
    std::vector<Access> accesses;
    State state = values_.atStart(block);
    for (uint32_t i = cfg_.blocks[block].first; i < cfg_.blocks[block].last; ++i) {
      const auto global = globalAddress(inst(i));
      if (global && !global->base && inst(i).origin == Instruction::Origin::Text) {
        const RegUnit first = inst(i).operands[global->vector].reg.first;
        const Value exec = state[kExecLo];
        const Value whole = pool_.wideSum(
            pool_.wideOf(pool_.within(state.reg[first.index], exec),
                         pool_.within(state.reg[first.index + 1u], exec)),
            pool_.wideConstant(static_cast<uint64_t>(inst(i).operands[global->offset].imm)));
        accesses.push_back({i, pool_.unwrapped(whole, indices)});
      }
      if (inst(i).writesUnit(kExecLo))
        break; // Offsets are computed under the mask that the block starts with.
      values_.execute(state, inst(i));
    }
    return accesses;
  }

  std::vector<LanePart> lanePartsOf(uint32_t block, uint32_t end) {
    std::vector<LanePart> parts;
    State state = values_.atStart(block);
    const Value exec = state[kExecLo];
    for (unsigned v = 0; v < 256; ++v)
      if (mentioned_.test(v))
        parts.push_back({v, pool_.within(state.reg[v], exec), std::nullopt});
    for (uint32_t i = cfg_.blocks[block].first; i < end; ++i) {
      values_.execute(state, inst(i));
      if (inst(i).isValu() && inst(i).origin == Instruction::Origin::Text)
        for (const RegAccess &access : inst(i).accesses)
          if (access.writes() && access.reg.first.isVgpr())
            for (unsigned d = 0; d < access.reg.dwords; ++d) {
              const unsigned v = access.reg.first.index + d;
              parts.push_back({v, pool_.within(state.reg[v], exec), i});
            }
    }
    return parts;
  }

  /// The last place in front of a loop where SCC is free.
  std::optional<Entry> entryOf(const Loop &loop) {
    std::optional<uint32_t> from;
    for (const uint32_t p : cfg_.blocks[loop.header].predecessors)
      if (!loop.contains(p)) {
        if (from)
          return std::nullopt;
        from = p;
      }
    if (!from || !cfg_.blocks[*from].reachable)
      return std::nullopt;
    const Block &block = cfg_.blocks[*from];
    bool isLive = false;
    for (const uint32_t s : block.successors)
      isLive |= liveScalars_[s].test(kScc.index);
    Entry entry;
    std::optional<uint32_t> before; // The first instruction behind the place.
    const bool falls = !inst(block.last - 1).isTerminator();
    if (falls && !isLive && hasPlace(inst(block.last - 1))) {
      entry.instruction = block.last - 1;
      entry.side = Entry::Side::Behind;
      before = block.last;
    }
    for (uint32_t i = block.last; i-- > block.first && !before;) {
      if (inst(i).writesUnit(kScc))
        isLive = false;
      if (inst(i).readsUnit(kScc))
        isLive = true;
      if (!isLive && hasPlace(inst(i)) && !isInClause(block, i))
        before = entry.instruction = i;
    }
    if (!before)
      return std::nullopt;
    entry.state = values_.atStart(*from);
    entry.waits = waits_[*from];
    for (uint32_t i = block.first; i < *before; ++i) {
      values_.execute(entry.state, inst(i));
      if (const auto counts = waitCounts(inst(i)))
        entry.waits.wait(*counts);
      entry.waits.issue(inst(i), lateWrites(inst(i)));
    }
    entry.stable.set();
    const auto written = [&](uint32_t first, uint32_t last) {
      for (uint32_t i = first; i < last; ++i)
        for (const RegAccess &access : inst(i).accesses)
          for (unsigned d = 0; d < access.reg.dwords && access.writes(); ++d)
            entry.stable.reset(access.reg.first.index + d);
    };
    written(*before, block.last);
    for (const uint32_t b : loop.blocks)
      written(cfg_.blocks[b].first, cfg_.blocks[b].last);
    return entry;
  }

  bool isInClause(const Block &block, uint32_t place) const {
    for (uint32_t i = block.first; i < place; ++i)
      if (inst(i).op == Op::s_clause && place <= i + 1 + uint32_t(inst(i).operands[0].imm & 63))
        return true;
    return false;
  }

  //===--------------------------------------------------------------------===//
  // Splitting an address
  //===--------------------------------------------------------------------===//

  /// Terms of which some atom is in no scalar register: what the lanes do not share.
  Value laneTerms(Value wide, const std::set<Value> &uniform) {
    Polynomial lanes;
    for (const ExprPool::Term &term : pool_.termsOf(wide, Width::Qword))
      if (!std::all_of(term.atoms.begin(), term.atoms.end(),
                       [&](Value atom) { return uniform.contains(atom); }))
        lanes.push_back(term);
    return pool_.fromTerms(std::move(lanes), Width::Qword);
  }

  std::set<Value> uniformAtoms(const State &state) {
    std::set<Value> atoms;
    const auto collect = [&](Value wide) {
      for (const ExprPool::Term &term : pool_.termsOf(wide, Width::Qword))
        atoms.insert(term.atoms.begin(), term.atoms.end());
    };
    for (unsigned s = 0; s < 106; ++s) {
      const Value value = state[RegUnit::scalar(s)];
      for (const ExprPool::Term &term : pool_.termsOf(value, Width::Dword))
        for (const Value atom : term.atoms)
          atoms.insert(pool_.zeroExtended(atom));
      if (s % 2 == 0)
        collect(pool_.wideOf(value, state[RegUnit::scalar(s + 1)]));
    }
    return atoms;
  }

  Value minus(Value a, Value b) { return pool_.wideSum(a, pool_.wideNegated(b)); }

  // What makes a lane part in the loop stays there: a multiplication takes four times as long.
  static constexpr unsigned ofInvariant = 2, ofVarying = 3, ofDefinition = 5;

  /// Is the access where it was?
  bool isExact(const Access &access, const Split &s, verify::Indices indices) {
    const Value offset = pool_.shifted(pool_.sum(s.lane->value, s.varying), s.shift);
    const Value whole = pool_.wideSum(s.base, pool_.unwrapped(pool_.zeroExtended(offset), indices));
    return access.address ==
           pool_.wideSum(whole, pool_.wideConstant(static_cast<uint64_t>(s.offset)));
  }

  struct SteppingBase {
    Value value;
    unsigned pair;
    int64_t offset;
  };
  /// A pointer that scalar code moves from trip to trip, in the pair that holds it.
  std::optional<SteppingBase> steppingBase(const Access &access, Value shared, const State &start) {
    const uint32_t block = cfg_.blockOf(access.instruction);
    for (unsigned s = 0; s + 1 < 106; s += 2) {
      const RegUnit low = RegUnit::scalar(s), high = RegUnit::scalar(s + 1);
      const Value pair = pool_.wideOf(start[low], start[high]);
      const auto rest = pool_.termsOf(minus(shared, pair), Width::Qword);
      const auto offset = static_cast<int64_t>(rest[0].factor);
      if (rest.size() != 1 || !rest[0].atoms.empty() || offset < kLeastGlobalOffset ||
          offset > kMostGlobalOffset)
        continue;
      bool lasts = true;
      for (uint32_t i = cfg_.blocks[block].first; i < access.instruction; ++i)
        lasts &= !inst(i).writesUnit(low) && !inst(i).writesUnit(high);
      if (lasts)
        return SteppingBase{pair, s, offset};
    }
    return std::nullopt;
  }

  std::optional<Split> split(const Access &access, const LanePart &lane, unsigned shift,
                             const State &entry, const State &start, verify::Indices indices) {
    Split result;
    result.lane = &lane;
    result.shift = shift;
    const Value scaled = pool_.wideProduct(pool_.unwrapped(pool_.zeroExtended(lane.value), indices),
                                           pool_.wideConstant(1ull << shift));
    const Value shared = minus(access.address, scaled);
    if (const auto stepping = steppingBase(access, shared, start)) {
      result.base = stepping->value;
      result.pair = stepping->pair;
      result.offset = stepping->offset;
      result.varying = pool_.constant(0);
      result.cost = lane.definition ? ofDefinition : 0;
      return isExact(access, result, indices) ? std::optional(result) : std::nullopt;
    }
    // The pointer that leaves the least to be added.
    std::optional<Value> pointer;
    size_t least = SIZE_MAX;
    for (unsigned s = 0; s < 106; s += 2) {
      const Value pair = pool_.wideOf(entry[RegUnit::scalar(s)], entry[RegUnit::scalar(s + 1)]);
      const size_t terms = pool_.termsOf(minus(shared, pair), Width::Qword).size();
      if (terms < least) {
        least = terms;
        pointer = pair;
      }
    }
    Polynomial varying, invariant;
    for (ExprPool::Term &term : pool_.termsOf(minus(shared, *pointer), Width::Qword)) {
      if (term.atoms.empty()) {
        result.offset = static_cast<int64_t>(term.factor);
        continue;
      }
      const auto factor = static_cast<int64_t>(term.factor);
      if (factor > 0 && canMultiply(pool_, entry, term)) {
        invariant.push_back(term);
        continue;
      }
      if (factor % (1ll << shift) != 0 || !canMultiply(pool_, start, term))
        return std::nullopt;
      varying.push_back(term);
    }
    result.cost =
        static_cast<unsigned>(ofInvariant * invariant.size() + ofVarying * varying.size()) +
        (lane.definition ? ofDefinition : 0);
    const Value added = pool_.fromTerms(std::move(varying), Width::Qword);
    result.base = pool_.wideSum(*pointer, pool_.fromTerms(std::move(invariant), Width::Qword));
    // Offsets of 13 bits stay in the instruction, what does not fit goes into the pointer.
    if (result.offset < kLeastGlobalOffset || result.offset > kMostGlobalOffset) {
      result.base =
          pool_.wideSum(result.base, pool_.wideConstant(static_cast<uint64_t>(result.offset)));
      result.offset = 0;
      ++result.cost;
    }
    Polynomial unscaled;
    for (ExprPool::Term term : pool_.termsOf(added, Width::Qword)) {
      term.factor = static_cast<uint64_t>(static_cast<int64_t>(term.factor) >> shift);
      unscaled.push_back(std::move(term));
    }
    result.varying = pool_.lowOf(pool_.fromTerms(std::move(unscaled), Width::Qword));
    return isExact(access, result, indices) ? std::optional(result) : std::nullopt;
  }

  /// Groups of accesses that share an offset, the largest first.
  std::vector<Group> group(const std::vector<Access> &accesses, const std::vector<LanePart> &lanes,
                           const State &entry, const State &start, verify::Indices indices) {
    constexpr unsigned mostShift = 4;
    std::set<Value> uniform = uniformAtoms(entry);
    uniform.merge(uniformAtoms(start));
    std::map<Value, std::vector<std::pair<const LanePart *, unsigned>>> byTerms;
    const Value none = pool_.wideConstant(0);
    for (const LanePart &lane : lanes)
      for (unsigned shift = 0; shift <= mostShift; ++shift) {
        const Value scaled =
            pool_.wideProduct(pool_.unwrapped(pool_.zeroExtended(lane.value), indices),
                              pool_.wideConstant(1ull << shift));
        if (const Value key = laneTerms(scaled, uniform); key != none)
          byTerms[key].emplace_back(&lane, shift);
      }
    using Key = std::tuple<const LanePart *, unsigned, Value>;
    std::map<Key, Group> groups;
    for (const Access &access : accesses)
      if (const auto it = byTerms.find(laneTerms(access.address, uniform)); it != byTerms.end())
        for (const auto &[lane, shift] : it->second) {
          if (lane->definition && *lane->definition >= access.instruction)
            continue;
          if (const auto s = split(access, *lane, shift, entry, start, indices)) {
            Group &g = groups[{lane, shift, s->varying}];
            g.offset = *s;
            g.members.emplace_back(&access, *s);
          }
        }
    std::vector<Group> chosen;
    std::set<const Access *> done;
    while (true) {
      const Group *best = nullptr;
      std::pair<size_t, unsigned> bestScore;
      for (const auto &[key, g] : groups) {
        size_t count = 0;
        unsigned cost = 0;
        for (const auto &[access, s] : g.members)
          if (!done.contains(access)) {
            ++count;
            cost += s.cost;
          }
        if (count && (!best || count > bestScore.first ||
                      (count == bestScore.first && cost < bestScore.second))) {
          best = &g;
          bestScore = {count, cost};
        }
      }
      if (!best)
        return chosen;
      Group g{best->offset, {}};
      for (const auto &member : best->members)
        if (done.insert(member.first).second)
          g.members.push_back(member);
      chosen.push_back(std::move(g));
    }
  }

  //===--------------------------------------------------------------------===//
  // Writing
  //===--------------------------------------------------------------------===//

  void insertBefore(const Instruction &instruction, const std::string &text) {
    insertions_[module_.lineBegin(instruction.line)] += fmt::format("\t{}{}", text, newline_);
  }
  void insertBehind(const Instruction &instruction, const std::string &text) {
    insertions_[module_.lineBegin(instruction.line + 1)] += fmt::format("\t{}{}", text, newline_);
  }

  std::optional<unsigned> takePair() {
    for (size_t k = 0; k + 1 < freeSgprs_.size(); ++k)
      if (freeSgprs_[k] % 2 == 0 && freeSgprs_[k + 1] == freeSgprs_[k] + 1) {
        const unsigned first = freeSgprs_[k];
        freeSgprs_.erase(freeSgprs_.begin() + std::ptrdiff_t(k),
                         freeSgprs_.begin() + std::ptrdiff_t(k) + 2);
        result_.sgprs = std::max(result_.sgprs, first + 2);
        return first;
      }
    return std::nullopt;
  }

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

  /// `a + b` of the instruction that makes the lane part, if a shifted sum can take its place.
  static std::optional<std::string> sumSources(const Instruction &definition, unsigned vgpr) {
    for (const LaneOp &lane : laneOps(definition))
      if (lane.op == Op::v_add_nc_u32 && lane.dst.number == vgpr) {
        std::string text;
        for (const VopdSource &source : {lane.src0, lane.src1}) {
          if (source.isVgpr())
            text += fmt::format("v{}, ", source.value);
          else if (source.kind == VopdSource::Kind::Scalar && source.value < 106)
            text += fmt::format("s{}, ", source.value);
          else
            return std::nullopt;
        }
        return text;
      }
    return std::nullopt;
  }

  /// Writes the instruction that makes a group's offset; the register, or nothing if there is none.
  std::optional<unsigned> writeOffset(uint32_t block, const Group &group) {
    const Split &offset = group.offset;
    const LanePart &lane = *offset.lane;
    uint32_t last = 0;
    for (const auto &[access, s] : group.members)
      last = std::max(last, access->instruction);
    const uint32_t first = lane.definition ? *lane.definition + 1 : cfg_.blocks[block].first;
    const bool isPlain = offset.varying == pool_.constant(0);
    if (isPlain && offset.shift == 0 && holdsFrom(lane.vgpr, first, last))
      return lane.vgpr;
    // A sum that takes the place of the definition's stands before it.
    const auto vgpr = freeVgpr(block, lane.definition.value_or(first), last);
    const Instruction &place = inst(lane.definition ? *lane.definition : first);
    if (!vgpr || !hasPlace(place) || isInClause(cfg_.blocks[block], place.index))
      return std::nullopt;
    // What a load still owes would need a wait in the loop.
    const RegRange lanePart{RegUnit::vgpr(lane.vgpr), 1, Half::Whole};
    if (!lane.definition && waits_[block].needed({lanePart}).any())
      return std::nullopt;
    std::vector<std::string> lines;
    std::string varying;
    if (!isPlain) {
      const auto scalar = writeScalar(values_.atStart(block), offset.varying, lines);
      // Scalars that an instruction of the block may change before the definition are not used.
      if (!scalar || lane.definition)
        return std::nullopt;
      varying = *scalar;
    }
    std::string text;
    const auto sum =
        lane.definition && isPlain && offset.shift ? sumSources(place, lane.vgpr) : std::nullopt;
    if (sum)
      text = fmt::format("v_add_lshl_u32 v{}, {}{}", *vgpr, *sum, offset.shift);
    else if (isPlain)
      text = fmt::format("v_lshlrev_b32_e32 v{}, {}, v{}", *vgpr, offset.shift, lane.vgpr);
    else if (offset.shift == 0)
      text = fmt::format("v_add_nc_u32_e32 v{}, {}, v{}", *vgpr, varying, lane.vgpr);
    else
      text =
          fmt::format("v_add_lshl_u32 v{}, {}, v{}, {}", *vgpr, varying, lane.vgpr, offset.shift);
    lines.push_back(text);
    for (const std::string &line : lines)
      if (lane.definition && !sum)
        insertBehind(place, line);
      else
        insertBefore(place, line);
    taken_.set(*vgpr);
    result_.vgprs = std::max(result_.vgprs, *vgpr + 1);
    ++result_.offsets;
    return vgpr;
  }

  /// A scalar register with a value at the start of a block; SCC is not touched.
  std::optional<std::string> writeScalar(const State &state, Value value,
                                         std::vector<std::string> &lines) {
    if (const auto found = findScalar(pool_, state, value))
      return fmt::format("s{}", *found);
    const auto terms = pool_.termsOf(value, Width::Dword);
    if (terms.size() != 1 || freeSgprs_.empty())
      return std::nullopt;
    llvm::SmallVector<std::string, 3> factors;
    for (const Value atom : terms[0].atoms) {
      const auto found = findScalar(pool_, state, atom);
      if (!found)
        return std::nullopt;
      factors.push_back(fmt::format("s{}", *found));
    }
    if (terms[0].factor != 1 || factors.size() < 2)
      factors.push_back(fmt::format("0x{:x}", terms[0].factor));
    const unsigned temporary = freeSgprs_.front();
    freeSgprs_.erase(freeSgprs_.begin());
    result_.sgprs = std::max(result_.sgprs, temporary + 1);
    lines.push_back(fmt::format("s_mul_i32 s{}, {}, {}", temporary, factors[0], factors[1]));
    for (size_t k = 2; k < factors.size(); ++k)
      lines.push_back(fmt::format("s_mul_i32 s{}, s{}, {}", temporary, temporary, factors[k]));
    return fmt::format("s{}", temporary);
  }

  /// The access with its new operands.
  std::string print(const Instruction &instruction, unsigned vgpr, unsigned pair,
                    int64_t offset) const {
    std::string text(module_.instructionText(instruction));
    const size_t space = text.find_first_of(" \t");
    const bool hasResult = instruction.memory == MemoryEffect::Load ||
                           instruction.memory == MemoryEffect::AtomicReturn;
    size_t at = text.find_first_not_of(" \t", space);
    if (hasResult)
      at = text.find_first_not_of(" \t", text.find(',', at) + 1);
    const size_t end = text.find(',', at);
    const size_t off = text.find("off", end); // A word of its own: registers do not hold it.
    std::string tail = text.substr(off + 3);
    if (const size_t old = tail.find("offset:"); old != std::string::npos) {
      const size_t stop = std::min(tail.find_first_of(" \t", old), tail.size());
      const size_t from = tail.find_last_not_of(" \t", old - 1);
      tail.erase(from == std::string::npos ? 0 : from + 1, stop - (from + 1));
    }
    return fmt::format("{}v{}{}s[{}:{}]{}{}", text.substr(0, at), vgpr, text.substr(end, off - end),
                       pair, pair + 1, offset ? fmt::format(" offset:{}", offset) : "", tail);
  }

  void rewriteBlock(uint32_t block) {
    std::vector<Access> accesses = accessesOf(block, options_.indices);
    if (accesses.empty())
      return;
    std::set<uint32_t> open;
    for (const Access &access : accesses)
      open.insert(access.instruction);
    // Outermost loop first: what can be computed there need not be computed again.
    std::vector<uint32_t> loops;
    for (auto l = cfg_.loopOf(block); l; l = cfg_.loops[*l].parent)
      loops.insert(loops.begin(), *l);
    const std::vector<LanePart> lanes = lanePartsOf(block, accesses.back().instruction);
    for (const uint32_t l : loops) {
      const auto entry = entryOf(cfg_.loops[l]);
      if (!entry)
        continue;
      std::vector<Access> left;
      for (const Access &access : accesses)
        if (open.contains(access.instruction))
          left.push_back(access);
      for (const Group &g :
           group(left, lanes, entry->state, values_.atStart(block), options_.indices))
        writeGroup(block, *entry, g, open);
    }
    if (options_.indices == verify::Indices::MayWrap)
      remarkWhatWraps(block, open, loops);
  }

  void writeGroup(uint32_t block, const Entry &entry, const Group &group,
                  std::set<uint32_t> &open) {
    // Pointers first: without them the offset is of no use.
    ScalarSums sums(pool_, entry.state, entry.stable);
    std::vector<Value> bases;
    for (const auto &[access, s] : group.members)
      if (!s.pair)
        bases.push_back(s.base);
    for (const auto &[value, pair] : pairs_[entry.instruction])
      sums.add(value, pair);
    std::vector<unsigned> free = freeSgprs_;
    std::vector<std::string> lines;
    std::map<Value, unsigned> made = sums.make(bases, [&] { return takePair(); }, lines);
    if (made.empty() && !bases.empty()) {
      freeSgprs_ = free;
      return;
    }
    const auto offset = writeOffset(block, group);
    if (!offset) {
      freeSgprs_ = free;
      return;
    }
    // Their loads may only be waited for in the loop.
    std::vector<RegRange> read;
    for (unsigned i = 0; i < kRegUnits; ++i)
      if (sums.reads().test(i))
        read.push_back({{static_cast<uint16_t>(i)}, 1, Half::Whole});
    if (const WaitCounts counts = entry.waits.needed(read); counts.any())
      lines.insert(lines.begin(), printWait(counts));
    for (const std::string &line : lines)
      if (entry.side == Entry::Side::Behind)
        insertBehind(inst(entry.instruction), line);
      else
        insertBefore(inst(entry.instruction), line);
    for (const auto &[value, pair] : made)
      pairs_[entry.instruction][value] = pair;
    for (const auto &[access, s] : group.members) {
      const auto found = made.find(s.base);
      if ((!s.pair && found == made.end()) || !open.erase(access->instruction))
        continue;
      const unsigned pair = s.pair ? *s.pair : found->second;
      const Instruction &instruction = inst(access->instruction);
      result_.edits.push_back(
          {instruction.begin, instruction.end, print(instruction, *offset, pair, s.offset)});
      ++result_.accesses;
      bases_.insert(pair);
    }
  }

  /// Would the assumption have helped?
  void remarkWhatWraps(uint32_t block, const std::set<uint32_t> &open,
                       const std::vector<uint32_t> &loops) {
    std::vector<Access> accesses = accessesOf(block, verify::Indices::AssumeUnwrapped);
    llvm::erase_if(accesses, [&](const Access &a) { return !open.contains(a.instruction); });
    if (accesses.empty())
      return;
    const auto lanes = lanePartsOf(block, accesses.back().instruction);
    size_t helped = 0;
    for (const uint32_t l : loops) {
      const auto entry = entryOf(cfg_.loops[l]);
      if (!entry)
        continue;
      size_t count = 0;
      for (const Group &g : group(accesses, lanes, entry->state, values_.atStart(block),
                                  verify::Indices::AssumeUnwrapped))
        count += g.members.size();
      helped = std::max(helped, count);
    }
    if (helped)
      result_.remarks.push_back(module_.at(
          inst(accesses.front().instruction),
          fmt::format("{} accesses keep their 64-bit addresses, because their 32-bit index may "
                      "wrap for all that the code says (--assume=no-index-wrap)",
                      helped),
          Severity::Remark));
  }

  const Module &module_;
  const Cfg &cfg_;
  const SgprBaseOptions &options_;
  ExprPool pool_;
  verify::BlockValues values_;
  const std::vector<WaitState> waits_;
  const Liveness liveness_;
  const std::vector<std::bitset<kRegUnits>> liveScalars_;
  std::string_view newline_;
  std::bitset<kRegUnits> mentioned_;
  std::vector<unsigned> freeSgprs_;
  VgprSet taken_;
  std::map<uint32_t, std::string> insertions_;          ///< By place.
  std::map<uint32_t, std::map<Value, unsigned>> pairs_; ///< By entry: what is in new pairs.
  std::set<unsigned> bases_;
  SgprBaseRewrite result_;
};

} // namespace

SgprBaseRewrite useSgprBases(const Module &module, const Cfg &cfg,
                             const std::vector<uint32_t> &blocks, const SgprBaseOptions &options) {
  return SgprBaser(module, cfg, options).run(blocks);
}

} // namespace rdna
