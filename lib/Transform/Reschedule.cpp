#include "Transform/Reschedule.h"

#include "Transform/Emit.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace rdna {
namespace {

/// Instructions of a block, and what keeps them in order while every value stays in its register.
class InPlace {
public:
  InPlace(const Module &module, const RegionModel &region, const LoneWave &lone)
      : module_(module), region_(region), lone_(lone), slots_(slotsAsWritten(region)),
        succs_(slots_.size()), preds_(slots_.size(), 0) {
    linkRegisters();
    linkNodes();
    findHeights();
  }

  const std::vector<Slot> &asWritten() const { return slots_; }

  /// Which of those that could come next is taken.
  struct Style {
    uint64_t perClock = 1;  ///< Of each clock that it would have to wait.
    uint64_t perPlace = 0;  ///< Of each place that it is away from where it stands.
    uint64_t perHeight = 1; ///< For each clock of the longest way to the block's end.
  };
  std::vector<Slot> ordered(const Style &style) const;
  bool sinksLoads(const std::vector<Slot> &order) const;

private:
  /// Of so many that stand first in the text one is chosen: choosing costs as much for each.
  static constexpr size_t kWindow = 64;

  struct Link {
    uint32_t to;
    unsigned clocks; ///< From issue to issue.
  };
  llvm::SmallVector<uint32_t, 2> nodesOf(const Slot &slot) const {
    if (slot.kind == Slot::Kind::Pair)
      return {slot.x, slot.y};
    return {slot.x};
  }
  void link(uint32_t from, uint32_t to, unsigned clocks) {
    if (from == to)
      return;
    succs_[from].push_back({to, clocks});
    ++preds_[to];
  }
  void linkRegisters();
  void linkNodes();
  void findHeights();
  const Module &module_;
  const RegionModel &region_;
  const LoneWave &lone_;
  std::vector<Slot> slots_;
  std::vector<std::vector<Link>> succs_; ///< By slot.
  std::vector<uint32_t> preds_;          ///< How many.
  std::vector<uint64_t> heights_;
};

/// Registers hold one value at a time, whatever they are.
void InPlace::linkRegisters() {
  struct History {
    std::optional<uint32_t> writer;
    llvm::SmallVector<uint32_t, 4> readers; ///< Since.
  };
  std::vector<History> history(kRegUnits);
  for (uint32_t s = 0; s < slots_.size(); ++s) {
    // Of a pair's halves one instruction speaks for both.
    const Node &node = region_.nodes[slots_[s].x];
    const auto &accesses = module_.instructions()[node.inst].accesses;
    const auto each = [&](bool isWrite, auto what) {
      for (const RegAccess &access : accesses)
        if (isWrite ? access.writes() : access.reads())
          for (unsigned d = 0; d < access.reg.dwords; ++d)
            what(history[access.reg.first.index + d]);
    };
    each(false, [&](History &reg) {
      if (reg.writer)
        link(*reg.writer, s, lone_.latencyOf(slots_[*reg.writer].x));
      reg.readers.push_back(s);
    });
    each(true, [&](History &reg) {
      if (reg.writer)
        link(*reg.writer, s, 1);
      for (const uint32_t reader : reg.readers)
        link(reader, s, 1);
      reg = {s, {}};
    });
  }
}

/// Memory, waits, and what nothing passes.
void InPlace::linkNodes() {
  std::vector<uint32_t> slotOf(region_.nodes.size(), 0);
  for (uint32_t s = 0; s < slots_.size(); ++s)
    for (const uint32_t n : nodesOf(slots_[s]))
      slotOf[n] = s;
  for (uint32_t n = 0; n < region_.nodes.size(); ++n)
    for (const uint32_t p : region_.nodes[n].preds)
      link(slotOf[p], slotOf[n], 1);
}

void InPlace::findHeights() {
  heights_.assign(slots_.size(), 1);
  for (uint32_t s = static_cast<uint32_t>(slots_.size()); s-- > 0;)
    for (const Link &link : succs_[s])
      heights_[s] = std::max(heights_[s], link.clocks + heights_[link.to]);
}

std::vector<Slot> InPlace::ordered(const Style &style) const {
  std::vector<uint32_t> missing = preds_;
  std::set<uint32_t> ready; // In the text's order.
  for (uint32_t s = 0; s < slots_.size(); ++s)
    if (missing[s] == 0)
      ready.insert(s);
  LoneWave::Run run(lone_);
  std::vector<Slot> order;
  while (!ready.empty()) {
    std::optional<uint32_t> best;
    int64_t bestScore = 0;
    size_t looked = 0;
    for (const uint32_t s : ready) {
      if (++looked > kWindow)
        break;
      const auto at = static_cast<int64_t>(order.size());
      const int64_t score =
          static_cast<int64_t>(style.perHeight * heights_[s]) -
          static_cast<int64_t>(style.perClock * run.stallOf(nodesOf(slots_[s]))) -
          static_cast<int64_t>(style.perPlace) * std::abs(static_cast<int64_t>(s) - at);
      if (!best || score > bestScore) {
        best = s;
        bestScore = score;
      }
    }
    ready.erase(*best);
    run.issue(nodesOf(slots_[*best]));
    order.push_back(slots_[*best]);
    for (const Link &link : succs_[*best])
      if (--missing[link.to] == 0)
        ready.insert(link.to);
  }
  return order;
}

/// Do loads from memory come later? Nobody knows what they take, and somebody may have put them
/// where they are: a tile of the next step, spread over this one.
bool InPlace::sinksLoads(const std::vector<Slot> &order) const {
  constexpr size_t kFew = 8; // Places.
  std::map<uint32_t, size_t> places;
  for (size_t s = 0; s < slots_.size(); ++s) {
    const Instruction &inst = module_.instructions()[region_.nodes[slots_[s].x].inst];
    if (isVmem(inst.unit) && inst.memory == MemoryEffect::Load)
      places.emplace(slots_[s].x, s);
  }
  for (size_t s = 0; !places.empty() && s < order.size(); ++s)
    if (const auto place = places.find(order[s].x);
        place != places.end() && s > place->second + kFew)
      return true;
  return false;
}

/// What two waves of a SIMD take for a block: both issue, or one of them waits.
uint64_t clocksOfTwo(const LoneWave::Clocks &wave) {
  constexpr uint64_t kWaves = 2;
  return std::max(wave.all, kWaves * wave.issued);
}

/// One block in another order.
struct Reordered {
  uint32_t block = 0, line = 0;
  std::vector<TextEdit> edits;
  uint64_t before = 0; ///< Clocks of two waves.
};

/// Clocks below which the latencies, which are a model's, say nothing.
bool isLess(uint64_t is, uint64_t was) {
  constexpr uint64_t kLeastGain = 2;
  return is + kLeastGain + was / 32 <= was;
}

class Rescheduling {
public:
  Rescheduling(const Module &module, const Cfg &cfg, PlainSync plainSync)
      : module_(module), cfg_(cfg), liveness_(computeLiveness(module, cfg)),
        memory_(memoryFacts(module, cfg, liveness_)),
        context_{module, cfg, liveness_, memory_, plainSync}, waits_(computeWaits(module, cfg)),
        constants_(findConstants(context_)) {}

  /// What a block takes as it stands; nothing if it has no model.
  std::optional<uint64_t> clocks(uint32_t b) const {
    RegionModel region;
    if (buildRegion(context_, b, region, ConstantForms::AsCompiled))
      return std::nullopt;
    return clocksOfTwo(LoneWave(module_, region, LoneWave::Compares::Orders).asWritten());
  }

  std::optional<Reordered> block(uint32_t b, std::vector<Diagnostic> &remarks) const {
    RegionModel region;
    if (buildRegion(context_, b, region, ConstantForms::AsCompiled))
      return std::nullopt;
    const LoneWave lone(module_, region, LoneWave::Compares::Orders);
    const InPlace inPlace(module_, region, lone);
    const LoneWave::Clocks before = lone.of(inPlace.asWritten());
    std::optional<std::vector<Slot>> best;
    LoneWave::Clocks least = before;
    for (const InPlace::Style &style : kStyles) {
      std::vector<Slot> order = inPlace.ordered(style);
      const LoneWave::Clocks clocks = lone.of(order);
      const bool isBetter =
          std::pair(clocksOfTwo(clocks), clocks.all) < std::pair(clocksOfTwo(least), least.all);
      if (isBetter && !inPlace.sinksLoads(order)) {
        least = clocks;
        best = std::move(order);
      }
    }
    const uint64_t was = clocksOfTwo(before), is = clocksOfTwo(least);
    if (!best || !isLess(is, was))
      return std::nullopt;
    const uint32_t line = module_.instructions()[cfg_.blocks[b].first].line;
    if (setsPriorities(b)) {
      remarks.push_back(module_.atLine(
          line,
          fmt::format("the order of this block stays: it sets priorities (s_setprio) where {} of "
                      "{} clocks of latency could be saved",
                      was - is, was),
          Severity::Remark));
      return std::nullopt;
    }
    Schedule schedule;
    schedule.slots = std::move(*best);
    std::vector<Vgpr> home;
    home.reserve(region.webs.size());
    for (const Web &web : region.webs)
      home.push_back(web.home);
    EmitResult emitted;
    if (emitRegion({context_, waits_, constants_}, {region, schedule, LoadWidth::Whole, home},
                   emitted))
      return std::nullopt;
    return Reordered{b, line, std::move(emitted.edits), was};
  }

private:
  /// Between which instructions a priority holds is somebody's choice, and no dependence says it.
  bool setsPriorities(uint32_t b) const {
    const Block &block = cfg_.blocks[b];
    const auto insts = module_.instructions().begin();
    return std::any_of(insts + block.first, insts + block.last,
                       [](const Instruction &inst) { return inst.op == Op::s_setprio; });
  }

  static constexpr InPlace::Style kStyles[] = {{1000, 0, 1}, {1000, 1, 1}, {1000, 1, 0}, {2, 0, 1},
                                               {1, 0, 1},    {8, 1, 0},    {1, 1, 1}};

  const Module &module_;
  const Cfg &cfg_;
  const Liveness liveness_;
  const MemoryFacts memory_;
  const FunctionContext context_;
  const std::vector<WaitState> waits_;
  const ConstantFacts constants_;
};

/// Behind a refusal of all blocks together, what has been tried of them by itself.
struct Progress {
  enum class Step : uint8_t { Together, OneByOne } step = Step::Together;
  size_t next = 0;
};

/// What comes of it is measured anew: waits that have to be written, and which of them order memory
/// then, are known only in the new text. So whatever is kept is faster, and rounds end.
Judge judgeOf(std::map<uint32_t, uint64_t> before, PlainSync plainSync) {
  return [before = std::move(before), plainSync](const Derived &derived, StepReport &report) {
    const Cfg cfg = buildCfg(derived.after, derived.function);
    const Rescheduling now(derived.after, cfg, plainSync);
    uint64_t was = 0, is = 0;
    for (const auto &[block, clocks] : before) {
      const auto after = now.clocks(block);
      if (!after || !isLess(*after, clocks))
        return Verdict{.kind = Verdict::Kind::Leave};
      was += clocks;
      is += *after;
    }
    report.summary = fmt::format("{} block{} in another order, {} -> {} clocks of latency",
                                 before.size(), before.size() == 1 ? "" : "s", was, is);
    report.add("blocks", before.size());
    report.add("clocks_before", was);
    report.add("clocks_after", is);
    return Verdict{};
  };
}

Proposal propose(llvm::ArrayRef<Reordered> blocks, PlainSync plainSync) {
  Proposal proposal;
  proposal.cleanup = Cleanup::Delays;
  std::map<uint32_t, uint64_t> before;
  for (const Reordered &block : blocks) {
    before.emplace(block.block, block.before);
    llvm::append_range(proposal.edits, block.edits);
  }
  if (blocks.size() == 1)
    proposal.line = blocks.front().line;
  proposal.judge = judgeOf(std::move(before), plainSync);
  return proposal;
}

} // namespace

llvm::Expected<PassResult> reschedule(const PassSite &site, PassState &state) {
  if (whereUnnamedRegisters(site.module, site.function()))
    return PassResult{};
  const std::vector<uint32_t> wanted =
      site.cfg.loops.empty() ? site.wantedBlocks() : site.wantedLoopBlocks();
  auto &progress = state.memory<Progress>();
  if (state.last == PassState::Last::TakenBack || state.last == PassState::Last::Left)
    progress.step = Progress::Step::OneByOne;
  const bool isTogether = progress.step == Progress::Step::Together;
  if (isTogether && state.last == PassState::Last::Kept)
    return PassResult{};
  const PlainSync plainSync =
      site.assumes(Assumption::NoSyncWithoutBarrier) ? PlainSync::Excluded : PlainSync::Possible;
  const Rescheduling pass(site.module, site.cfg, plainSync);
  std::vector<Reordered> found;
  for (; progress.next < wanted.size() && (isTogether || found.empty()); ++progress.next)
    if (auto block = pass.block(wanted[progress.next], state.remarks))
      found.push_back(std::move(*block));
  if (isTogether)
    progress.next = 0; // If they are taken back.
  if (found.empty())
    return PassResult{};
  if (isTogether && found.size() == 1)
    progress.next = wanted.size();
  return PassResult{propose(found, plainSync), PassResult::Next::Again};
}

} // namespace rdna
