#include "Transform/Allocate.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace rdna {

RegisterSpace registerSpace(const FunctionContext &context, const RegionModel &region,
                            unsigned budget) {
  RegisterSpace space;
  space.budget = budget;
  space.usable.set();
  const Function &function = context.module.functions()[context.cfg.functionIndex];
  if (!function.isKernel()) {
    // A device function may only clobber what it clobbers already: its callers rely on the rest.
    space.usable.reset();
    for (uint32_t i = function.first; i < function.last; ++i)
      space.usable |= vgprWrites(context.module.instructions()[i]);
  }
  for (size_t level = 0; level < region.loops.size(); ++level) {
    VgprSet busy = region.liveThrough;
    const Loop &loop = context.cfg.loops[region.loops[level]];
    for (const uint32_t b : loop.blocks) {
      if (b == region.block)
        continue;
      LiveWalk walk(context.liveness, b);
      busy |= context.liveness.liveOut[b] | context.liveness.liveIn[b];
      for (uint32_t i = context.cfg.blocks[b].last; i-- > context.cfg.blocks[b].first;) {
        const Instruction &inst = context.module.instructions()[i];
        busy |= vgprWrites(inst) | vgprReadsFor(inst, walk.live());
        walk.stepOver(inst);
      }
    }
    for (const Web &web : region.webs) {
      if (web.scope == Web::Scope::Pinned)
        busy.set(web.home.number);
      // A web that lives elsewhere throughout this loop leaves its home free.
      if (web.scope == Web::Scope::Relocatable)
        busy.set(web.home.number, web.extent < level);
    }
    space.busy.push_back(busy);
  }
  return space;
}

VgprSet relocatableRegisters(const RegisterSpace &space, const Web &web) {
  VgprSet allowed = space.usable & ~space.busy[web.extent];
  for (unsigned r = space.budget; r < 256; ++r)
    allowed.reset(r);
  allowed.set(web.home.number);
  return allowed;
}

namespace {

constexpr int kForever = std::numeric_limits<int>::max();

/// Half-open range of positions; the instruction in slot p reads at 2p and writes at 2p + 1.
struct Interval {
  int begin = kForever, end = -1;
  void cover(int at) {
    begin = std::min(begin, at);
    end = std::max(end, at + 1);
  }
  bool empty() const { return end <= begin; }
};

class Allocator {
public:
  Allocator(const FunctionContext &context, const RegionModel &region, const Groups &groups,
            const Schedule &schedule, const RegisterSpace &space, const FixedRegisters &fixed)
      : context_(context), region_(region), groups_(groups), schedule_(schedule), space_(space),
        fixed_(fixed) {}
  enum class Order { InternalFirst, RelocatableFirst };
  std::optional<std::vector<Vgpr>> run(Order order);

private:
  void computeIntervals();
  bool isFree(unsigned reg, const Interval &interval) const;
  bool placeInternal();
  bool placeRelocatable();
  bool bankFits(WebId web, unsigned reg) const {
    const int8_t bank = schedule_.bank[web];
    return bank == BankPlan::kAny || static_cast<unsigned>(bank) == (reg & 3);
  }

  const FunctionContext &context_;
  const RegionModel &region_;
  const Groups &groups_;
  const Schedule &schedule_;
  const RegisterSpace &space_;
  const FixedRegisters &fixed_;
  std::vector<Interval> intervals_;
  std::array<std::vector<Interval>, 256> used_;
  std::vector<Vgpr> reg_;
  VgprSet wanted_; ///< Registers that relocatable webs could use.
};

void Allocator::computeIntervals() {
  intervals_.assign(region_.webs.size(), {});
  for (size_t s = 0; s < schedule_.slots.size(); ++s) {
    const Slot &slot = schedule_.slots[s];
    const int reads = static_cast<int>(2 * s), writes = reads + 1;
    const auto coverOp = [&](uint32_t n) {
      const WebOp &op = region_.nodes[n].op;
      for (const WebId w : {op.src0, op.src1, op.addend})
        if (w != kNoWeb)
          intervals_[w].cover(reads);
      intervals_[op.dst].cover(writes);
    };
    if (slot.kind != Slot::Kind::Other) {
      coverOp(slot.x);
      if (slot.kind == Slot::Kind::Pair)
        coverOp(slot.y);
      continue;
    }
    const Node &node = region_.nodes[slot.x];
    const Instruction &inst = context_.module.instructions()[node.inst];
    // Results that come late, in pieces or (v_mad_u64_u32, a gfx1100 bug) before the sources have
    // been read must not share a register with a source.
    // Nor may a three-address FMA come to add to its own destination by accident: it would count as
    // an FMAC that stayed single.
    const bool early = !inst.isValu() || inst.op == Op::v_mad_u64_u32 ||
                       inst.op == Op::v_mad_i64_i32 || inst.op == Op::v_fma_f32 ||
                       node.kind == Node::Kind::Load;
    const auto begin =
        std::lower_bound(region_.operandWebs.begin(), region_.operandWebs.end(), node.inst,
                         [](const OperandWeb &entry, uint32_t key) { return entry.inst < key; });
    for (auto it = begin; it != region_.operandWebs.end() && it->inst == node.inst; ++it) {
      const bool def = inst.operands[it->operand].cls == Operand::Class::Def;
      intervals_[it->web].cover(def ? (early ? reads : writes) : (early ? writes : reads));
    }
  }
  for (WebId w = 0; w < intervals_.size(); ++w) {
    if (region_.webs[w].liveIn)
      intervals_[w].begin = 0;
    if (region_.webs[w].liveOut)
      intervals_[w].end = kForever;
    if (region_.webs[w].scope == Web::Scope::Relocatable)
      intervals_[w] = {0, kForever};
  }
}

bool Allocator::isFree(unsigned reg, const Interval &interval) const {
  if (reg >= space_.budget || !space_.usable.test(reg))
    return false;
  return std::none_of(used_[reg].begin(), used_[reg].end(), [&](const Interval &other) {
    return interval.begin < other.end && other.begin < interval.end;
  });
}

bool Allocator::placeInternal() {
  std::vector<uint32_t> order;
  for (uint32_t g = 0; g < groups_.members.size(); ++g)
    if (region_.webs[groups_.members[g][0]].scope == Web::Scope::Internal)
      order.push_back(g);
  const auto start = [&](uint32_t g) {
    int begin = kForever;
    for (const WebId w : groups_.members[g])
      begin = std::min(begin, intervals_[w].begin);
    return begin;
  };
  const auto isFixed = [&](uint32_t g) { return fixed_[groups_.members[g][0]].has_value(); };
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const auto key = [&](uint32_t g) {
      return std::tuple(!isFixed(g), -static_cast<int>(groups_.members[g].size()), start(g));
    };
    return key(a) < key(b);
  });
  for (const uint32_t g : order) {
    const std::vector<WebId> &members = groups_.members[g];
    int best = -1, bestCost = kForever;
    for (unsigned base = 0; base + members.size() <= space_.budget; ++base) {
      bool fits = true;
      int cost = static_cast<int>(base);
      for (size_t i = 0; fits && i < members.size(); ++i) {
        const unsigned reg = base + static_cast<unsigned>(i);
        const auto &fixed = fixed_[members[i]];
        fits = bankFits(members[i], reg) && isFree(reg, intervals_[members[i]]) &&
               (!fixed || fixed->number == reg);
        cost += wanted_.test(reg) ? 1000 : 0;
        cost -= region_.webs[members[i]].home.number == reg ? 500 : 0;
      }
      if (fits && cost < bestCost) {
        best = static_cast<int>(base);
        bestCost = cost;
      }
    }
    if (best < 0)
      return false;
    for (size_t i = 0; i < members.size(); ++i) {
      reg_[members[i]] = Vgpr{static_cast<uint8_t>(static_cast<unsigned>(best) + i)};
      used_[reg_[members[i]].number].push_back(intervals_[members[i]]);
    }
  }
  return true;
}

/// Bipartite matching of relocatable webs and registers by augmenting paths. Webs whose home has
/// the right bank stay there unless another web needs the place: every web that stays saves a move.
bool Allocator::placeRelocatable() {
  std::vector<WebId> webs;
  for (WebId w = 0; w < region_.webs.size(); ++w)
    if (region_.webs[w].scope == Web::Scope::Relocatable)
      webs.push_back(w);
  std::array<int, 256> owner{};
  owner.fill(-1);
  std::vector<VgprSet> allowed(webs.size());
  for (size_t i = 0; i < webs.size(); ++i) {
    const VgprSet candidates = relocatableRegisters(space_, region_.webs[webs[i]]);
    for (unsigned reg = 0; reg < space_.budget; ++reg)
      if (candidates.test(reg) && bankFits(webs[i], reg) && isFree(reg, {0, kForever}) &&
          (!fixed_[webs[i]] || fixed_[webs[i]]->number == reg))
        allowed[i].set(reg);
    const unsigned home = region_.webs[webs[i]].home.number;
    if (allowed[i].test(home) && owner[home] < 0)
      owner[home] = static_cast<int>(i);
  }
  std::vector<uint8_t> placed(webs.size(), 0);
  for (const int i : owner)
    if (i >= 0)
      placed[static_cast<size_t>(i)] = 1;
  for (size_t i = 0; i < webs.size(); ++i) {
    if (placed[i])
      continue;
    std::array<uint8_t, 256> visited{};
    const std::function<bool(size_t)> augment = [&](size_t at) {
      // Free registers first, then those whose owner can step aside.
      for (const int pass : {0, 1})
        for (unsigned reg = 0; reg < space_.budget; ++reg) {
          if (!allowed[at].test(reg) || visited[reg] || (pass == 0) != (owner[reg] < 0))
            continue;
          visited[reg] = 1;
          if (owner[reg] < 0 || augment(static_cast<size_t>(owner[reg]))) {
            owner[reg] = static_cast<int>(at);
            return true;
          }
        }
      return false;
    };
    if (!augment(i))
      return false;
  }
  for (unsigned reg = 0; reg < 256; ++reg)
    if (owner[reg] >= 0) {
      reg_[webs[static_cast<size_t>(owner[reg])]] = Vgpr{static_cast<uint8_t>(reg)};
      used_[reg].push_back({0, kForever});
    }
  return true;
}

std::optional<std::vector<Vgpr>> Allocator::run(Order order) {
  computeIntervals();
  for (auto &list : used_)
    list.clear();
  reg_.resize(region_.webs.size());
  for (unsigned reg = 0; reg < 256; ++reg)
    if (region_.liveThrough.test(reg))
      used_[reg].push_back({0, kForever});
  for (WebId w = 0; w < region_.webs.size(); ++w) {
    const Web &web = region_.webs[w];
    if (web.scope == Web::Scope::Relocatable)
      wanted_ |= relocatableRegisters(space_, web);
    if (web.scope != Web::Scope::Pinned)
      continue;
    if (fixed_[w] && *fixed_[w] != web.home)
      return std::nullopt;
    reg_[w] = web.home;
    used_[web.home.number].push_back(intervals_[w]);
  }
  const bool done = order == Order::InternalFirst ? placeInternal() && placeRelocatable()
                                                  : placeRelocatable() && placeInternal();
  if (!done)
    return std::nullopt;
  return reg_;
}

} // namespace

std::optional<std::vector<Vgpr>> allocate(const FunctionContext &context, const RegionModel &region,
                                          const Groups &groups, const Schedule &schedule,
                                          const RegisterSpace &space,
                                          const FixedRegisters &fixedRegisters) {
  for (const auto order : {Allocator::Order::InternalFirst, Allocator::Order::RelocatableFirst})
    if (auto registers =
            Allocator(context, region, groups, schedule, space, fixedRegisters).run(order))
      return registers;
  return std::nullopt;
}

} // namespace rdna
