#include "Transform/FreeRegisters.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace rdna {

FreeRegisters::FreeRegisters(const RegionModel &region, const Module &module, const Groups &groups,
                             const RegisterSpace &space, const std::vector<int8_t> &preferences)
    : region_(region), module_(module), groups_(groups), preferences_(preferences),
      budget_(space.budget), register_(region.webs.size(), -1), isBorn_(region.webs.size(), 0),
      left_(region.webs.size(), 0), first_(region.webs.size(), ~0U), last_(region.webs.size(), 0),
      reads_(region.nodes.size()), writes_(region.nodes.size()), multipliedBy_(region.webs.size()),
      isSum_(region.webs.size(), 0) {
  for (unsigned r = 0; r < budget_; ++r)
    free_.set(r);
  free_ &= space.usable & ~region.liveThrough;
  countAccesses();
  placeAtHome();
}

/// What crosses the block's borders.
void FreeRegisters::placeAtHome() {
  for (WebId w = 0; w < region_.webs.size(); ++w) {
    const Web &web = region_.webs[w];
    if (web.scope == Web::Scope::Internal)
      continue;
    register_[w] = web.home.number;
    if (web.liveIn || web.scope == Web::Scope::Relocatable) {
      isBorn_[w] = 1;
      free_.reset(web.home.number);
    } else {
      expected_[web.home.number].push_back(w);
    }
  }
}

void FreeRegisters::countAccesses() {
  const auto add = [](std::vector<WebId> &list, WebId w) {
    if (w != kNoWeb && !llvm::is_contained(list, w))
      list.push_back(w);
  };
  for (uint32_t n = 0; n < region_.nodes.size(); ++n) {
    const Node &node = region_.nodes[n];
    if (node.kind == Node::Kind::Lane) {
      for (const WebId w : {node.op.src0, node.op.src1, node.op.addend})
        add(reads_[n], w);
      add(writes_[n], node.op.dst);
      const HalfPorts ports = portsOf(node.op, Slot::Sources::AsIs);
      if (ports.src0 != kNoWeb && ports.src1 != kNoWeb && ports.src0 != ports.src1) {
        multipliedBy_[ports.src0].push_back(ports.src1);
        multipliedBy_[ports.src1].push_back(ports.src0);
      }
      if (ports.src2 == node.op.dst)
        isSum_[node.op.dst] = 1;
    } else {
      const auto [begin, end] = std::equal_range(
          region_.operandWebs.begin(), region_.operandWebs.end(), OperandWeb{node.inst, 0, 0, 0},
          [](const OperandWeb &a, const OperandWeb &b) { return a.inst < b.inst; });
      const Instruction &inst = module_.instructions()[node.inst];
      for (auto entry = begin; entry != end; ++entry)
        add(inst.operands[entry->operand].cls == Operand::Class::Def ? writes_[n] : reads_[n],
            entry->web);
    }
    for (const WebId w : reads_[n])
      ++left_[w];
    for (const WebId w : writes_[n])
      left_[w] += !llvm::is_contained(reads_[n], w);
    for (const auto &webs : {reads_[n], writes_[n]})
      for (const WebId w : webs) {
        first_[w] = std::min(first_[w], n);
        last_[w] = std::max(last_[w], n);
      }
  }
}

FreeRegisters::Parity FreeRegisters::preferred(WebId web) const {
  if (preferences_[web] != BankPlan::kAny)
    return (preferences_[web] & 1) != 0 ? Parity::Odd : Parity::Even;
  const auto &counts = isSum_[web] ? sums_ : factors_;
  return counts[1] < counts[0] ? Parity::Odd : Parity::Even;
}

VgprSet FreeRegisters::releasedBy(llvm::ArrayRef<uint32_t> nodes) const {
  VgprSet released;
  for (const uint32_t n : nodes)
    for (const WebId w : reads_[n]) {
      unsigned uses = 0;
      for (const uint32_t m : nodes)
        uses += llvm::is_contained(reads_[m], w) || llvm::is_contained(writes_[m], w);
      if (left_[w] == uses && region_.webs[w].scope != Web::Scope::Relocatable &&
          !region_.webs[w].liveOut && !llvm::is_contained(writes_[n], w))
        released.set(of(w));
    }
  return released;
}

/// Is it free for as long as the web lives? Who will be born there has to wait for the web's last
/// use, so that must be earlier in the old order: then nobody waits for himself.
bool FreeRegisters::isFreeFor(WebId web, unsigned reg, const VgprSet &free) const {
  return free.test(reg) && llvm::all_of(expected_[reg], [&](WebId other) {
           return isBorn_[other] || last_[web] < first_[other] ||
                  (last_[web] == first_[other] && !isEarly(first_[other]));
         });
}

/// Calls `visit` with the first register of every place of the web's group.
template <typename Visit>
void FreeRegisters::visitPlaces(WebId web, Parity parity, const VgprSet &free, Visit visit) const {
  const std::vector<WebId> &members = groups_.members[groups_.group[web]];
  const unsigned at = groups_.offset[web];
  for (unsigned base = 0; base + members.size() <= budget_; ++base) {
    if (parity != Parity::Any && ((base + at) & 1) != (parity == Parity::Odd ? 1U : 0U))
      continue;
    bool fits = true;
    for (unsigned i = 0; fits && i < members.size(); ++i)
      fits = isFreeFor(members[i], base + i, free);
    if (fits && !visit(base))
      return;
  }
}

bool FreeRegisters::canPlace(WebId web, Parity parity, const VgprSet &released) const {
  if (isPlaced(web)) {
    const bool isHere = isBorn_[web] || (free_ | released).test(of(web));
    return isHere && (parity == Parity::Any || (of(web) & 1) == (parity == Parity::Odd ? 1U : 0U));
  }
  bool found = false;
  visitPlaces(web, parity, free_ | released, [&](unsigned) {
    found = true;
    return false;
  });
  return found;
}

/// What a register costs a value: a conflict within its products above all.
int FreeRegisters::costOf(WebId web, unsigned reg) const {
  int cost = static_cast<int>(reg / 8);
  const int8_t preferred = preferences_[web];
  if (preferred != BankPlan::kAny)
    cost += ((static_cast<unsigned>(preferred) ^ reg) & 1) != 0   ? 80
            : ((static_cast<unsigned>(preferred) ^ reg) & 3) != 0 ? 40
                                                                  : 0;
  for (const WebId other : multipliedBy_[web])
    if (isPlaced(other) && left_[other] != 0)
      cost += ((of(other) ^ reg) & 3) == 0 ? 25 : 0;
  const auto &counts = isSum_[web] ? sums_ : factors_;
  cost += 3 * (counts[reg & 1] - counts[(reg & 1) ^ 1]);
  if (region_.webs[web].home.number == reg)
    cost -= 2;
  // Tuples want neighbours that are free.
  constexpr int kGap = 3;
  cost += reg > 0 && free_.test(reg - 1) ? kGap : 0;
  cost += reg + 1 < budget_ && free_.test(reg + 1) ? kGap : 0;
  return cost;
}

bool FreeRegisters::place(WebId web, Parity parity) {
  if (isPlaced(web)) {
    if (isBorn_[web])
      return true;
    isBorn_[web] = 1;
    const bool wasFree = free_.test(of(web));
    free_.reset(of(web));
    return wasFree;
  }
  const std::vector<WebId> &members = groups_.members[groups_.group[web]];
  int best = -1, bestCost = 0;
  visitPlaces(web, parity, free_, [&](unsigned base) {
    int cost = 0;
    for (unsigned i = 0; i < members.size(); ++i)
      cost += costOf(members[i], base + i);
    if (best < 0 || cost < bestCost) {
      best = static_cast<int>(base);
      bestCost = cost;
    }
    return true;
  });
  if (best < 0)
    return false;
  for (unsigned i = 0; i < members.size(); ++i) {
    const unsigned reg = static_cast<unsigned>(best) + i;
    register_[members[i]] = static_cast<int16_t>(reg);
    isBorn_[members[i]] = 1;
    free_.reset(reg);
    ++(isSum_[members[i]] ? sums_ : factors_)[reg & 1];
  }
  return true;
}

bool FreeRegisters::placeResults(uint32_t node, Parity parity) {
  return llvm::all_of(writes_[node], [&](WebId w) { return place(w, parity); });
}

void FreeRegisters::use(llvm::ArrayRef<WebId> webs) {
  for (const WebId w : webs) {
    const Web &web = region_.webs[w];
    if (--left_[w] != 0 || web.liveOut || web.scope == Web::Scope::Relocatable)
      continue;
    free_.set(of(w));
    if (web.scope == Web::Scope::Internal)
      --(isSum_[w] ? sums_ : factors_)[of(w) & 1];
  }
}

/// Are its results in their registers before its sources have been read (see Allocate.cpp)?
bool FreeRegisters::isEarly(uint32_t node) const {
  const Node &n = region_.nodes[node];
  if (n.kind == Node::Kind::Lane)
    return false;
  const Instruction &inst = module_.instructions()[n.inst];
  return n.kind == Node::Kind::Load || !inst.isValu() || inst.op == Op::v_mad_u64_u32 ||
         inst.op == Op::v_mad_i64_i32 || inst.op == Op::v_fma_f32;
}

bool FreeRegisters::canIssue(uint32_t node) const {
  const VgprSet released = isEarly(node) ? VgprSet() : releasedBy(node);
  // Results that need not be neighbours want a register each.
  const auto wanted = static_cast<size_t>(
      llvm::count_if(writes_[node], [&](WebId w) { return !isPlaced(w) || !isBorn_[w]; }));
  return wanted <= (free_ | released).count() &&
         llvm::all_of(writes_[node], [&](WebId w) { return canPlace(w, Parity::Any, released); });
}

bool FreeRegisters::issue(llvm::ArrayRef<uint32_t> nodes, llvm::ArrayRef<Parity> parities) {
  const bool early = nodes.size() == 1 && isEarly(nodes[0]);
  if (early && !placeResults(nodes[0], parities[0]))
    return false;
  // What is read and written is counted once, as written.
  for (const uint32_t n : nodes)
    for (const WebId w : reads_[n])
      if (!llvm::is_contained(writes_[n], w))
        use(w);
  if (!early)
    for (size_t i = 0; i < nodes.size(); ++i)
      if (!placeResults(nodes[i], parities[i]))
        return false;
  for (const uint32_t n : nodes)
    use(writes_[n]);
  return true;
}

} // namespace rdna
