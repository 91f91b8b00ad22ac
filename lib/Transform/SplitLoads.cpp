#include "Transform/SplitLoads.h"

#include "Analysis/Segments.h"
#include "Analysis/Waits.h"
#include "Isa/OpTraits.h"

#include <algorithm>
#include <numeric>

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

/// The operations of lgkmcnt in one segment: as they are counted now, and with loads in parts.
struct Queue {
  OperationQueue now;
  std::vector<unsigned> parts; ///< By operation.

  void issue(unsigned count) {
    now.issue();
    parts.push_back(count);
  }
  unsigned inParts(unsigned count) const {
    const int level = now.levelOf(count);
    return std::accumulate(parts.begin() + std::max(level, 0), parts.end(),
                           static_cast<unsigned>(std::max(-level, 0)));
  }
  bool hasParts() const {
    return std::any_of(parts.begin() + now.complete(), parts.end(),
                       [](unsigned count) { return count > 1; });
  }
};

class PartCounter {
public:
  PartCounter(const Module &module, const Cfg &cfg,
              const std::map<uint32_t, std::vector<LoadPart>> &split)
      : module_(module), cfg_(cfg), split_(split) {}

  SplitWaits run() {
    for (const std::vector<uint32_t> &segment : straightSegments(module_, cfg_)) {
      Queue queue;
      for (const uint32_t b : segment)
        for (uint32_t i = cfg_.blocks[b].first; i < cfg_.blocks[b].last; ++i)
          step(module_.instructions()[i], queue);
      if (queue.hasParts())
        result_.drains.insert(segment.back());
    }
    return std::move(result_);
  }

private:
  void step(const Instruction &inst, Queue &queue) {
    if (const auto wait = waitOf(inst)) {
      const auto count = wait->atMost[static_cast<size_t>(WaitCounter::Lgkm)];
      if (!count)
        return;
      if (const unsigned now = std::min(queue.inParts(*count), kHighestCount); now != *count)
        result_.counts[inst.index] = now;
      queue.now.wait(*count);
      return;
    }
    const CounterEvents events = counterEvents(inst);
    const unsigned weight = events[WaitClass::Lds] + events[WaitClass::Scalar];
    const auto split = split_.find(inst.index);
    for (unsigned n = 0; n < weight; ++n)
      queue.issue(split == split_.end() ? 1U : static_cast<unsigned>(split->second.size()));
  }

  const Module &module_;
  const Cfg &cfg_;
  const std::map<uint32_t, std::vector<LoadPart>> &split_;
  SplitWaits result_;
};

} // namespace

SplitWaits countParts(const Module &module, const Cfg &cfg,
                      const std::map<uint32_t, std::vector<LoadPart>> &split) {
  return PartCounter(module, cfg, split).run();
}

} // namespace rdna
