#include "Transform/TightRegisters.h"

#include "Asm/Lane.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace rdna {

MostLive mostLive(const Module &module, const Cfg &cfg, const Liveness &liveness) {
  MostLive most;
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    if (!cfg.blocks[b].reachable)
      continue;
    LiveWalk live(liveness, b);
    for (uint32_t i = cfg.blocks[b].last; i-- > cfg.blocks[b].first;) {
      const Instruction &inst = module.instructions()[i];
      const auto count = static_cast<unsigned>((live.live() | vgprWrites(inst)).count());
      if (count > most.count)
        most = {count, i};
      live.stepOver(inst);
    }
  }
  return most;
}

/// By web: 4 for factors, whose bank matters, 2 for what else a VOPD or an FMA touches.
std::vector<uint8_t> TightRegisters::moduli(const Module &module) const {
  std::vector<uint8_t> modulus(webs_.home.size(), 1);
  for (const OperandWeb &entry : webs_.operands) {
    const Instruction &inst = module.instructions()[entry.inst];
    if (!inst.isVopd() && !isFmaFamily(inst))
      continue;
    const Operand &operand = inst.operands[entry.operand];
    // The sum of an FMAC is a source, too, but takes no port of its own.
    const bool isFactor = operand.cls != Operand::Class::Def && operand.tiedTo < 0;
    modulus[entry.web] = std::max<uint8_t>(modulus[entry.web], isFactor ? 4 : 2);
  }
  return modulus;
}

/// By web: it stays where it is, because it has to or because its instruction has no text.
std::vector<uint8_t> TightRegisters::stuck(const Module &module) const {
  std::vector<uint8_t> stuck = webs_.pinned;
  for (const OperandWeb &entry : webs_.operands) {
    const Instruction &inst = module.instructions()[entry.inst];
    stuck[entry.web] |= inst.origin == Instruction::Origin::Macro ||
                        inst.operands[entry.operand].reg.half != Half::Whole;
  }
  return stuck;
}

void TightRegisters::makeGroups(const Module &module) {
  std::vector<WebId> parent(webs_.home.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto find = [&](WebId w) {
    while (parent[w] != w)
      w = parent[w] = parent[parent[w]];
    return w;
  };
  for (size_t e = 1; e < webs_.operands.size(); ++e) {
    const OperandWeb &entry = webs_.operands[e], &before = webs_.operands[e - 1];
    if (entry.inst == before.inst && entry.operand == before.operand)
      parent[find(entry.web)] = find(before.web);
  }
  const std::vector<uint8_t> modulus = moduli(module), isStuck = stuck(module);
  std::vector<uint32_t> groupOf(parent.size(), ~0U);
  for (WebId w = 0; w < parent.size(); ++w) {
    uint32_t &g = groupOf[find(w)];
    if (g == ~0U) {
      g = static_cast<uint32_t>(groups_.size());
      groups_.emplace_back();
    }
    Group &group = groups_[g];
    group.webs.push_back(w);
    group.home = std::min<unsigned>(group.home, webs_.home[w].number);
    group.modulus = std::max<unsigned>(group.modulus, modulus[w]);
    group.pinned |= isStuck[w] != 0;
  }
  for (Group &group : groups_)
    for (const WebId w : group.webs)
      group.width = std::max(group.width, webs_.home[w].number - group.home + 1U);
}

TightRegisters::TightRegisters(const Module &module, const Cfg &cfg, const Liveness &liveness,
                               const FunctionWebs &webs)
    : webs_(webs) {
  makeGroups(module);
  std::vector<uint8_t> asked(webs.home.size(), 0);
  for (const Group &group : groups_)
    for (const WebId w : group.webs)
      asked[w] = !group.pinned;
  // A sum that is not the destination may not become it: that would be another instruction.
  apart_ = findInterference(module, cfg, liveness, webs, asked,
                            [](const Instruction &inst) { return inst.op == Op::v_fma_f32; });
  for (Group &group : groups_)
    for (const WebId w : group.webs)
      group.neighbours += apart_.others[w].size() + apart_.homes[w].count();
}

bool TightRegisters::place(const Group &group, unsigned limit, Preference preference,
                           std::vector<uint8_t> &placed, Registers &result) const {
  std::vector<VgprSet> taken;
  for (const WebId w : group.webs) {
    VgprSet &set = taken.emplace_back(apart_.homes[w]);
    for (const WebId other : apart_.others[w])
      if (placed[other])
        set.set(result.of[other].number);
  }
  const auto tryAt = [&](unsigned base) {
    if (base + group.width > limit)
      return false;
    for (size_t n = 0; n < group.webs.size(); ++n)
      if (taken[n].test(base + webs_.home[group.webs[n]].number - group.home))
        return false;
    for (const WebId w : group.webs) {
      result.of[w] = Vgpr{static_cast<uint8_t>(base + webs_.home[w].number - group.home)};
      placed[w] = 1;
    }
    return true;
  };
  if (preference == Preference::Home && tryAt(group.home))
    return true;
  for (unsigned base = group.home % group.modulus; base < limit; base += group.modulus)
    if (tryAt(base))
      return true;
  return false;
}

std::optional<Registers> TightRegisters::place(unsigned limit, Preference preference) const {
  std::vector<const Group *> order;
  for (const Group &group : groups_)
    if (!group.pinned)
      order.push_back(&group);
    else if (group.home + group.width > limit)
      return std::nullopt;
  std::stable_sort(order.begin(), order.end(), [](const Group *a, const Group *b) {
    return std::tuple(b->width, b->modulus, b->neighbours) <
           std::tuple(a->width, a->modulus, a->neighbours);
  });
  // Who finds no place goes first the next time.
  constexpr unsigned kTries = 48;
  for (unsigned tries = 0; tries < kTries; ++tries) {
    Registers result = registersAtHome(webs_);
    std::vector<uint8_t> placed(webs_.home.size(), 0);
    std::vector<const Group *> failed, done;
    for (const Group *group : order)
      (place(*group, limit, preference, placed, result) ? done : failed).push_back(group);
    if (failed.empty())
      return result;
    llvm::append_range(failed, done);
    order = std::move(failed);
  }
  return std::nullopt;
}

std::optional<Registers> TightRegisters::below(unsigned limit) const {
  for (const Preference preference : {Preference::Home, Preference::Lowest})
    if (auto found = place(limit, preference))
      return found;
  return std::nullopt;
}

} // namespace rdna
