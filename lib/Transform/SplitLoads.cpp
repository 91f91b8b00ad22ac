#include "Transform/SplitLoads.h"

#include "Analysis/Segments.h"
#include "Asm/Counters.h"
#include "Isa/OpTraits.h"

#include <algorithm>

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
      : module_(module), cfg_(cfg), split_(split) {}

  SplitWaits run() {
    for (const std::vector<uint32_t> &segment : segmentsOf(module_, cfg_)) {
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
  SplitWaits result_;
};

} // namespace

SplitWaits countParts(const Module &module, const Cfg &cfg,
                      const std::map<uint32_t, std::vector<LoadPart>> &split) {
  return PartCounter(module, cfg, split).run();
}

} // namespace rdna
