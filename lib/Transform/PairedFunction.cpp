#include "Transform/PairedFunction.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace rdna {

uint64_t weightOf(const Cfg &cfg, uint32_t block) {
  constexpr unsigned kDeepest = 4, kIterations = 8;
  const auto loop = cfg.loopOf(block);
  uint64_t weight = 1;
  for (unsigned depth = loop ? std::min(cfg.loops[*loop].depth, kDeepest) : 0; depth > 0; --depth)
    weight *= kIterations;
  return weight;
}

static void addTo(Pairing &sum, const Pairing &more) {
  sum.issues += more.issues;
  sum.singleFmas += more.singleFmas;
  sum.conflicts += more.conflicts;
  sum.hazards += more.hazards;
  sum.illegal += more.illegal;
}

static bool isWorse(const Pairing &now, const Pairing &was) {
  return now.issues > was.issues || now.singleFmas > was.singleFmas ||
         now.conflicts > was.conflicts || now.hazards > was.hazards || now.illegal != 0;
}

/// Loads in more parts than what they gain in slots and conflicts.
static bool areTooMany(unsigned loads, const Pairing &now, const Pairing &was) {
  return loads != 0 && loads + now.issues + now.conflicts > was.issues + was.conflicts;
}

bool isWorse(const Candidate &now, const Candidate &was) {
  for (size_t l = 0; l < was.loops.size(); ++l)
    if (isWorse(now.loops[l], was.loops[l]) || areTooMany(now.loads[l], now.loops[l], was.loops[l]))
      return true;
  return isWorse(now.pairing, was.pairing) || areTooMany(now.extraLoads, now.pairing, was.pairing);
}

Candidate PairedFunction::asItIs() const {
  Candidate old;
  old.registers = registersAtHome(webs_);
  old.blocks.resize(cfg_.blocks.size());
  for (uint32_t b = 0; b < cfg_.blocks.size(); ++b)
    countBlock(module_, cfg_.blocks[b], old.blocks[b]);
  sumUp(old);
  return old;
}

std::optional<Candidate> PairedFunction::pairAll(Registers registers, uint64_t limit) const {
  Candidate candidate;
  const bool moves = registers.of != webs_.home;
  candidate.registers = std::move(registers);
  splitLoads(candidate);
  std::vector<RenamedBlock> blocks;
  std::vector<uint64_t> least;
  uint64_t bound = 0;
  for (uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
    blocks.push_back(renamed(b, candidate.registers, moves ? fixed_.moving : fixed_.atHome));
    const uint64_t cost = leastCost(module_, cfg_.blocks[b], blocks[b]);
    least.push_back(cfg_.blocks[b].reachable ? weightOf(cfg_, b) * cost : 0);
    bound += least[b];
  }
  for (uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
    if (bound >= limit)
      return std::nullopt;
    Pairing here;
    if (!cfg_.blocks[b].reachable)
      countBlock(module_, cfg_.blocks[b], here);
    else
      here = moves ? pairMoved(b, blocks[b], candidate.registers, std::nullopt)
                   : pairBlock(module_, cfg_, b, blocks[b]);
    bound += weightOf(cfg_, b) * here.cost() - least[b];
    candidate.blocks.push_back(std::move(here));
  }
  sumUp(candidate);
  return candidate;
}

std::optional<Candidate> PairedFunction::pairSome(const Candidate &was, Registers registers,
                                                  llvm::ArrayRef<uint32_t> blocks,
                                                  uint64_t limit) const {
  Candidate candidate;
  candidate.registers = std::move(registers);
  std::vector<RenamedBlock> now;
  std::vector<uint64_t> least;
  uint64_t bound = was.cost;
  for (const uint32_t b : blocks) {
    now.push_back(renamed(b, candidate.registers, fixed_.moving));
    least.push_back(weightOf(cfg_, b) * leastCost(module_, cfg_.blocks[b], now.back()));
    bound += least.back() - weightOf(cfg_, b) * was.blocks[b].cost();
  }
  if (bound >= limit)
    return std::nullopt;
  candidate.blocks = was.blocks;
  for (size_t n = 0; n < blocks.size(); ++n) {
    const uint32_t b = blocks[n];
    candidate.blocks[b] = pairMoved(b, now[n], candidate.registers, was.blocks[b].style);
    bound += weightOf(cfg_, b) * candidate.blocks[b].cost() - least[n];
    if (bound >= limit)
      return std::nullopt;
  }
  splitLoads(candidate);
  sumUp(candidate);
  return candidate;
}

/// A block that other registers reach. Where its VOPDs go on as they are, hazards that they had
/// may cost less than the pairs without.
Pairing PairedFunction::pairMoved(uint32_t block, const RenamedBlock &now,
                                  const Registers &registers,
                                  const std::optional<PairingStyle> &style) const {
  Pairing paired =
      style ? pairBlockAs(*style, module_, cfg_, block, now) : pairBlock(module_, cfg_, block, now);
  Pairing text;
  countBlock(module_, cfg_.blocks[block], text);
  if (paired.cost() <= text.cost())
    return paired;
  const std::vector<uint8_t> all(fixed_.moving.size(), 1);
  Pairing asItIs = asItStands(module_, cfg_.blocks[block], renamed(block, registers, all));
  return asItIs.illegal == 0 && asItIs.cost() < paired.cost() ? asItIs : paired;
}

/// Loads whose dwords are no tuple any longer.
void PairedFunction::splitLoads(Candidate &candidate) const {
  for (const Block &block : cfg_.blocks)
    for (uint32_t i = block.first; block.reachable && i < block.last; ++i)
      if (auto parts = partsOf(module_.instructions()[i], webs_, candidate.registers);
          parts.size() > 1)
        candidate.split.emplace(i, std::move(parts));
}

/// The function's counts and its loops', of those of its blocks and loads.
void PairedFunction::sumUp(Candidate &candidate) const {
  candidate.loops.assign(cfg_.loops.size(), {});
  candidate.loads.assign(cfg_.loops.size(), 0);
  const auto inLoopsOf = [&](uint32_t block, auto add) {
    for (auto loop = cfg_.loopOf(block); loop; loop = cfg_.loops[*loop].parent)
      add(*loop);
  };
  for (uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
    const Pairing &here = candidate.blocks[b];
    candidate.cost += weightOf(cfg_, b) * here.cost();
    addTo(candidate.pairing, here);
    inLoopsOf(b, [&](uint32_t loop) { addTo(candidate.loops[loop], here); });
  }
  for (const auto &[inst, parts] : candidate.split) {
    const auto more = static_cast<unsigned>(parts.size() - 1);
    const uint32_t block = cfg_.blockOf(inst);
    candidate.extraLoads += more;
    candidate.cost += weightOf(cfg_, block) * more;
    inLoopsOf(block, [&](uint32_t loop) { candidate.loads[loop] += more; });
  }
}

std::vector<uint32_t> PairedFunction::wanting(const Candidate &candidate) const {
  std::vector<uint32_t> order, found;
  for (uint32_t b = 0; b < cfg_.blocks.size(); ++b)
    if (cfg_.blocks[b].reachable)
      order.push_back(b);
  llvm::stable_sort(order,
                    [&](uint32_t a, uint32_t b) { return weightOf(cfg_, a) > weightOf(cfg_, b); });
  for (const uint32_t b : order)
    findWanting(candidate, b, found);
  return found;
}

void PairedFunction::findWanting(const Candidate &candidate, uint32_t block,
                                 std::vector<uint32_t> &found) const {
  const auto isWanting = [](const LaneOp &x, const std::optional<LaneOp> &y) {
    if (!y)
      return isVopdFma(x.op);
    const auto first = asVopdHalf(x), second = asVopdHalf(*y);
    return first && second &&
           (sourceBankConflicts(*first, *second) != 0 || hasParityHazard(*first, *second) ||
            isVopdFma(x.op) != isVopdFma(y->op));
  };
  const RenamedBlock now = renamed(block, candidate.registers, fixed_.moving);
  const auto &changed = candidate.blocks[block].changed;
  for (uint32_t i = cfg_.blocks[block].first; i < cfg_.blocks[block].last; ++i) {
    if (const auto it = changed.find(i); it != changed.end()) {
      for (const PlacedOps::Slot &slot : it->second.slots)
        if (isWanting(slot.x.lane, slot.y ? std::optional(slot.y->lane) : std::nullopt)) {
          found.push_back(slot.x.inst);
          if (slot.y)
            found.push_back(slot.y->inst);
        }
      continue;
    }
    const std::vector<LaneOp> lanes = now.lanesOf(module_.instructions()[i]);
    if (!lanes.empty() &&
        isWanting(lanes[0], lanes.size() > 1 ? std::optional(lanes[1]) : std::nullopt))
      found.push_back(i);
  }
}

} // namespace rdna
