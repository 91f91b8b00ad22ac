#include "Transform/SplitLoads.h"

#include "Asm/Counters.h"
#include "Isa/Branch.h"
#include "Isa/OpTraits.h"

#include <algorithm>
#include <optional>

namespace rdna {

std::vector<LoadPart> partsOf(const Instruction &inst, const FunctionWebs &webs,
                              const Registers &registers) {
  const auto offsets = loadOffsets(inst);
  std::vector<LoadPart> parts;
  if (offsets.empty())
    return parts;
  const auto regOf = [&](unsigned dword) {
    return unsigned(registers.of[webs.webAt(inst.index, 0, dword)].number);
  };
  bool whole = true;
  for (unsigned d = 1; d < offsets.size(); ++d)
    whole &= regOf(d) == regOf(0) + d;
  if (whole) {
    parts.push_back({0, static_cast<unsigned>(offsets.size()), offsets[0]});
    return parts;
  }
  // Two dwords of one address are as aligned as the access was.
  const unsigned perAddress = opTraits(inst.op).memory.bytes / 4;
  for (unsigned d = 0; d < offsets.size();) {
    const bool pair = d + 1 < offsets.size() && d % perAddress % 2 == 0 &&
                      d % perAddress + 1 < perAddress && regOf(d + 1) == regOf(d) + 1;
    parts.push_back({d, pair ? 2U : 1U, offsets[d]});
    d += pair ? 2 : 1;
  }
  return parts;
}

namespace {

/// The operations of lgkmcnt since the last place where ways part or meet.
struct Queue {
  struct Operation {
    unsigned parts;
    bool done;
  };
  std::vector<Operation> issued; ///< The youngest last; one for each that the counter counts.

  void wait(unsigned count) {
    for (size_t n = 0; n + count < issued.size(); ++n)
      issued[n].done = true;
  }
  unsigned inParts(unsigned count) const {
    unsigned sum = count > issued.size() ? count - unsigned(issued.size()) : 0;
    for (size_t n = issued.size() - std::min<size_t>(count, issued.size()); n < issued.size(); ++n)
      sum += issued[n].parts;
    return sum;
  }
  bool hasParts() const {
    return std::any_of(issued.begin(), issued.end(),
                       [](const Operation &o) { return o.parts > 1 && !o.done; });
  }
};

class PartCounter {
public:
  PartCounter(const Module &module, const Cfg &cfg,
              const std::map<uint32_t, std::vector<LoadPart>> &split)
      : module_(module), cfg_(cfg), split_(split), atEnd_(cfg.blocks.size()) {}

  SplitWaits run() {
    for (uint32_t b = 0; b < cfg_.blocks.size(); ++b)
      if (cfg_.blocks[b].reachable)
        endOf(b);
    return std::move(result_);
  }

private:
  bool partsHere(uint32_t block) const {
    return isConditionalBranch(module_.instructions()[cfg_.blocks[block].last - 1].op);
  }
  bool meetsHere(uint32_t block) const {
    return block == 0 || cfg_.blocks[block].predecessors.size() != 1;
  }

  const Queue &endOf(uint32_t block) {
    if (atEnd_[block])
      return *atEnd_[block];
    // A chain of blocks, none of which can be reached from elsewhere.
    std::vector<uint32_t> chain{block};
    while (!meetsHere(chain.back())) {
      const uint32_t pred = cfg_.blocks[chain.back()].predecessors[0];
      if (partsHere(pred) || atEnd_[pred] || pred == block)
        break;
      chain.push_back(pred);
    }
    for (size_t n = chain.size(); n-- > 0;)
      walk(chain[n]);
    return *atEnd_[block];
  }

  void walk(uint32_t block) {
    Queue queue;
    if (!meetsHere(block)) {
      const uint32_t pred = cfg_.blocks[block].predecessors[0];
      if (!partsHere(pred) && atEnd_[pred])
        queue = *atEnd_[pred];
    }
    const Block &body = cfg_.blocks[block];
    for (uint32_t i = body.first; i < body.last; ++i)
      step(module_.instructions()[i], queue);
    const bool counted = partsHere(block) || body.successors.empty() ||
                         std::any_of(body.successors.begin(), body.successors.end(),
                                     [&](uint32_t next) { return meetsHere(next); });
    if (counted && queue.hasParts()) {
      result_.drains.insert(block);
      queue.wait(0);
    }
    atEnd_[block] = std::move(queue);
  }

  void step(const Instruction &inst, Queue &queue) {
    if (const auto wait = waitOf(inst)) {
      const auto count = wait->atMost[static_cast<size_t>(WaitCounter::Lgkm)];
      if (!count)
        return;
      constexpr unsigned kMost = 62; // one less than the field holds: 63 waits for nothing
      if (const unsigned now = std::min(queue.inParts(*count), kMost); now != *count)
        result_.counts[inst.index] = now;
      queue.wait(*count);
      return;
    }
    const CounterEvents events = counterEvents(inst);
    const unsigned weight = events[WaitClass::Lds] + events[WaitClass::Scalar];
    const auto split = split_.find(inst.index);
    for (unsigned n = 0; n < weight; ++n)
      queue.issued.push_back(
          {split == split_.end() ? 1U : static_cast<unsigned>(split->second.size()), false});
  }

  const Module &module_;
  const Cfg &cfg_;
  const std::map<uint32_t, std::vector<LoadPart>> &split_;
  std::vector<std::optional<Queue>> atEnd_;
  SplitWaits result_;
};

} // namespace

SplitWaits countParts(const Module &module, const Cfg &cfg,
                      const std::map<uint32_t, std::vector<LoadPart>> &split) {
  return PartCounter(module, cfg, split).run();
}

} // namespace rdna
