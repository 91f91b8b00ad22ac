//===- Lanes.cpp - what lane masks say of the lanes that they select ------===//
//
// A mask is looked at one lane at a time: there it is a truth value, made of others by and, or and
// exclusive or. That some masks cannot have a bit in common, or that one lies within others, is
// decided by what follows from each of them, and where nothing follows any more by trying out all
// that the masks below the formulas may be. Formulas grow with every `if`, and share these few; if
// they are many, formulas are taken apart first. No canonical form of masks is kept: few questions
// need one, and it would have to be that of every value that holds a mask.
//
//===----------------------------------------------------------------------===//
#include "Symbolic/Expr.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace rdna::verify {

namespace {
constexpr unsigned kConditions = 6; ///< By which the lanes of two values are told apart.
constexpr unsigned kAtoms = 12;     ///< Masks whose bits are tried out: 4096 ways.
constexpr unsigned kSplits = 64;    ///< Where there are more, until there are as few.
/// The bit of a mask for each way.
using Table = llvm::SmallVector<uint64_t, 4>;
} // namespace

/// The rows of an operation's table that give this result, as far as rows differ; a single one
/// follows from it. None if nothing is known of the operation.
llvm::SmallVector<ExprPool::LaneWay, 2> ExprPool::waysOf(const LaneFact &fact) const {
  const Node &node = nodes_[fact.mask];
  const bool isSet = fact.isSet == Bit::Set;
  if (node.kind == Kind::Compare && isSet)
    return {{{args(node).back(), Bit::Set}}};
  if (node.kind != Kind::Apply)
    return {};
  const auto a = [&](Bit bit) { return LaneFact{args(node)[0], bit}; };
  const auto b = [&](Bit bit) { return LaneFact{args(node)[1], bit}; };
  if (node.head == and_)
    return isSet ? llvm::SmallVector<LaneWay, 2>{{a(Bit::Set), b(Bit::Set)}}
                 : llvm::SmallVector<LaneWay, 2>{{a(Bit::Clear)}, {b(Bit::Clear)}};
  if (node.head == andNot_)
    return isSet ? llvm::SmallVector<LaneWay, 2>{{a(Bit::Set), b(Bit::Clear)}}
                 : llvm::SmallVector<LaneWay, 2>{{a(Bit::Clear)}, {b(Bit::Set)}};
  if (node.head == or_)
    return isSet ? llvm::SmallVector<LaneWay, 2>{{a(Bit::Set)}, {b(Bit::Set)}}
                 : llvm::SmallVector<LaneWay, 2>{{a(Bit::Clear), b(Bit::Clear)}};
  if (node.head == xor_)
    return {{a(Bit::Set), b(isSet ? Bit::Clear : Bit::Set)},
            {a(Bit::Clear), b(isSet ? Bit::Set : Bit::Clear)}};
  return {};
}

/// The lanes that are left by what is known of a constant mask.
std::optional<uint32_t> ExprPool::constantLanes(const LaneFact &fact) const {
  const auto bits = asConstant(fact.mask);
  if (!bits)
    return std::nullopt;
  return fact.isSet == Bit::Set ? *bits : ~*bits;
}

bool ExprPool::isRefuted(const LaneFact &fact, llvm::ArrayRef<LaneFact> known) const {
  if (auto lanes = constantLanes(fact)) {
    for (const LaneFact &other : known)
      *lanes &= constantLanes(other).value_or(~0u);
    return *lanes == 0;
  }
  const LaneFact opposite{fact.mask, fact.isSet == Bit::Set ? Bit::Clear : Bit::Set};
  const Node &node = nodes_[fact.mask];
  const bool isFound = node.kind == Kind::Compare && fact.isSet == Bit::Set;
  return llvm::is_contained(known, opposite) ||
         (isFound && isRefuted({args(node).back(), Bit::Set}, known));
}

/// One lane, in which some bits are known, and every way for the bits below the formulas.
class ExprPool::Ways {
public:
  static bool contradict(const ExprPool &pool, LaneFacts known, size_t next, LaneFacts open,
                         unsigned &splits);

private:
  /// Those of `open` are known as well, so each is looked at below its operation.
  Ways(const ExprPool &pool, llvm::ArrayRef<LaneFact> known, llvm::ArrayRef<LaneFact> open)
      : pool_(pool), open_(open) {
    for (const LaneFact &fact : known)
      known_.try_emplace(fact.mask, fact.isSet == Bit::Set);
    for (const LaneFact &fact : open)
      findParts(fact.mask);
  }
  bool areFew() const { return atoms_.size() <= kAtoms; }
  bool leaveNone() {
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (!isThere(lane))
        continue;
      if (isPossible(lane))
        return false;
      if (constants_.empty()) // All lanes are alike.
        break;
    }
    return true;
  }

  bool isFormula(const Node &node) const {
    return node.kind == Kind::Apply && (node.head == pool_.and_ || node.head == pool_.or_ ||
                                        node.head == pool_.xor_ || node.head == pool_.andNot_);
  }
  void find(Value mask) {
    if (!known_.contains(mask) && seen_.try_emplace(mask, true).second)
      findParts(mask);
  }
  void findParts(Value mask) {
    const Node &node = pool_.nodes_[mask];
    if (node.kind == Kind::Constant) {
      constants_.push_back(mask);
    } else if (isFormula(node)) {
      find(pool_.args(node)[0]);
      find(pool_.args(node)[1]);
    } else {
      if (node.kind == Kind::Compare)
        find(pool_.args(node).back());
      atoms_.push_back(mask);
    }
  }

  bool bitOf(Value constant, unsigned lane) const {
    return *pool_.asConstant(constant) >> lane & 1;
  }
  /// May the lane be this one?
  bool isThere(unsigned lane) const {
    return llvm::all_of(known_, [&](const auto &fact) {
      return !pool_.asConstant(fact.first) || bitOf(fact.first, lane) == fact.second;
    });
  }
  bool isPossible(unsigned lane) {
    tables_.clear();
    lane_ = lane;
    Table left = every(true);
    for (const LaneFact &fact : open_) {
      const Table bits = madeOf(fact.mask);
      for (size_t w = 0; w < left.size(); ++w)
        left[w] &= fact.isSet == Bit::Set ? bits[w] : ~bits[w];
    }
    for (const Value atom : atoms_) {
      const Node &node = pool_.nodes_[atom];
      if (node.kind != Kind::Compare) // That one is within EXEC.
        continue;
      const Table bits = of(atom), exec = of(pool_.args(node).back());
      for (size_t w = 0; w < left.size(); ++w)
        left[w] &= ~bits[w] | exec[w];
    }
    return llvm::any_of(left, [](uint64_t word) { return word != 0; });
  }

  Table every(uint64_t isSet) const {
    return Table(size_t{1} << (std::max<size_t>(atoms_.size(), 6) - 6), isSet ? ~0ULL : 0ULL);
  }
  Table of(Value mask) {
    if (const auto known = known_.find(mask); known != known_.end())
      return every(known->second);
    if (const auto done = tables_.find(mask); done != tables_.end())
      return done->second;
    Table table = madeOf(mask);
    tables_.try_emplace(mask, table);
    return table;
  }
  Table madeOf(Value mask) {
    const Node &node = pool_.nodes_[mask];
    if (node.kind == Kind::Constant)
      return every(bitOf(mask, lane_));
    if (!isFormula(node))
      return ofAtom(static_cast<size_t>(llvm::find(atoms_, mask) - atoms_.begin()));
    Table a = of(pool_.args(node)[0]);
    const Table b = of(pool_.args(node)[1]);
    for (size_t w = 0; w < a.size(); ++w)
      a[w] = node.head == pool_.and_   ? a[w] & b[w]
             : node.head == pool_.or_  ? a[w] | b[w]
             : node.head == pool_.xor_ ? a[w] ^ b[w]
                                       : a[w] & ~b[w];
    return a;
  }
  /// Bit n of the table is of the way in which atom i has bit i of n.
  Table ofAtom(size_t atom) const {
    static constexpr uint64_t kLow[] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                        0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
    Table table = every(false);
    for (size_t w = 0; w < table.size(); ++w)
      table[w] = atom < 6 ? kLow[atom] : w >> (atom - 6) & 1 ? ~0ULL : 0;
    return table;
  }

  const ExprPool &pool_;
  llvm::ArrayRef<LaneFact> open_;
  llvm::SmallDenseMap<Value, bool, 16> known_, seen_;
  llvm::SmallVector<Value, 8> atoms_, constants_;
  llvm::SmallDenseMap<Value, Table, 16> tables_;
  unsigned lane_ = 0;
};

/// Do facts contradict each other? `known` from `next` on are still to be looked at, and of each of
/// `open` one way is true.
bool ExprPool::Ways::contradict(const ExprPool &pool, LaneFacts known, size_t next, LaneFacts open,
                                unsigned &splits) {
  for (;;) {
    // What follows comes first: every way that is left open doubles the work.
    for (; next < known.size(); ++next) {
      const LaneFact fact = known[next];
      const llvm::ArrayRef<LaneFact> before = llvm::ArrayRef(known).take_front(next);
      if (pool.isRefuted(fact, before))
        return true;
      if (llvm::is_contained(before, fact))
        continue;
      const auto either = pool.waysOf(fact);
      if (either.size() == 1)
        known.append(either.front());
      else if (!either.empty())
        open.push_back(fact);
    }
    const auto isOpen = [&](const LaneWay &way) {
      return llvm::none_of(way, [&](const LaneFact &fact) { return pool.isRefuted(fact, known); });
    };
    const auto decided = llvm::find_if(
        open, [&](const LaneFact &fact) { return llvm::count_if(pool.waysOf(fact), isOpen) < 2; });
    if (decided == open.end())
      break;
    const auto either = pool.waysOf(*decided);
    const auto way = llvm::find_if(either, isOpen);
    if (way == either.end())
      return true;
    open.erase(decided);
    known.append(*way);
  }
  if (open.empty())
    return false;
  if (Ways all(pool, known, open); all.areFew())
    return all.leaveNone();
  // The oldest first: what was asked of last is what the others decide.
  const auto either = pool.waysOf(open.front());
  open.erase(open.begin());
  return llvm::all_of(either, [&](const LaneWay &way) {
    if (splits == 0)
      return false;
    --splits;
    LaneFacts more = known;
    more.append(way);
    return contradict(pool, std::move(more), next, open, splits);
  });
}

bool ExprPool::contradict(const LaneFacts &lanes) const {
  unsigned splits = kSplits;
  return Ways::contradict(*this, lanes, 0, {}, splits);
}

bool ExprPool::areNone(const LaneFacts &lanes) const {
  llvm::SmallVector<uint32_t, 8> key; // In their order: where splits end may depend on it.
  for (const LaneFact &fact : lanes)
    key.push_back(fact.mask << 1 | (fact.isSet == Bit::Set ? 1 : 0));
  const llvm::StringRef bytes(reinterpret_cast<const char *>(key.data()),
                              key.size() * sizeof(key[0]));
  if (const auto known = noLanes_.find(bytes); known != noLanes_.end())
    return known->second;
  return noLanes_.try_emplace(bytes, contradict(lanes)).first->second;
}

static LaneFacts with(const LaneFacts &lanes, Value mask, Bit bit) {
  LaneFacts result = lanes;
  result.push_back({mask, bit});
  return result;
}

Value ExprPool::in(Value value, const LaneFacts &lanes) {
  while (nodes_[value].kind == Kind::Select) {
    const auto parts = args(nodes_[value]);
    const Value mask = parts[0], active = parts[1], inactive = parts[2];
    const LaneFacts others = with(lanes, mask, Bit::Clear);
    if (areNone(others)) {
      value = active;
    } else if (areNone(with(lanes, mask, Bit::Set))) {
      value = inactive;
    } else { // What was written in lanes of `mask` was looked at then.
      const Value rest = in(inactive, others);
      return rest == inactive ? value
             : rest == active ? active
                              : intern(Kind::Select, 0, 0, {mask, active, rest});
    }
  }
  return value;
}

bool ExprPool::areEqual(Value a, Value b, const LaneFacts &lanes, unsigned conditions) {
  a = in(a, lanes);
  b = in(b, lanes);
  if (a == b)
    return true;
  const bool isFirst = nodes_[a].kind == Kind::Select;
  if (conditions == 0 || (!isFirst && nodes_[b].kind != Kind::Select))
    return areNone(lanes);
  const Value mask = args(nodes_[isFirst ? a : b])[0];
  return areEqual(a, b, with(lanes, mask, Bit::Set), conditions - 1) &&
         areEqual(a, b, with(lanes, mask, Bit::Clear), conditions - 1);
}

bool ExprPool::areEqual(Value a, Value b, const LaneFacts &lanes) {
  return a == b || areEqual(a, b, lanes, kConditions);
}

} // namespace rdna::verify
