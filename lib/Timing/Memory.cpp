#include "Timing/Memory.h"

#include "Timing/Recording.h"

#include <algorithm>

namespace rdna::timing {

using enum Constant;

Tags::Tags(unsigned lines, unsigned ways)
    : sets_(lines / ways), ways_(ways), lines_(size_t{lines}, ~uint64_t(0)) {}

bool Tags::touch(uint64_t line) {
  const auto set = lines_.begin() + static_cast<ptrdiff_t>(line % sets_ * ways_);
  const auto end = set + ways_;
  const auto found = std::find(set, end, line);
  const bool hit = found != end;
  std::rotate(set, hit ? found : end - 1, hit ? found + 1 : end);
  *set = line;
  return hit;
}

MemorySystem::MemorySystem(const Machine &machine, const Sharing &sharing)
    : machine_(machine), sharing_(sharing), l0_(2, Tags(32 * 1024 / lineBytes, 4)),
      l1_(256 * 1024 / lineBytes, 16), l0Free_(2) {
  const Device &device = machine.device();
  const double units = std::max(1u, sharing.activeUnits);
  const double bytesPerClock = 1e3 / machine.clockMHz(); // Of 1 GB/s.
  // The measured figure is of the big chip; others have as much for each of their CUs.
  l2Clocks_ = lineBytes * units * 96.0 / (machine[L2BytesPerClock] * device.cus);
  cacheClocks_ = lineBytes * units / (device.infinityCacheGBs * bytesPerClock);
  dramClocks_ = lineBytes * units / (device.dramGBs * bytesPerClock);
  const double cacheBytes = device.infinityCacheMiB * 1048576.0;
  cacheHits_ = sharing.start == Sharing::Start::Cold
                   ? 0
                   : std::min(1.0, cacheBytes / std::max(1.0, sharing.footprintBytes));
  l2Credit_.assign(sharing.sharedBy.size(), 0);
}

/// A queue that serves one line after the other.
static double pass(double &free, double at, double clocks, double &queued) {
  const double begin = std::max(at, free);
  queued += begin - at;
  free = begin + clocks;
  return begin;
}

bool MemorySystem::isInL1(uint32_t op, uint64_t line) {
  const bool hit = l1_.touch(line);
  if (!hit && !sharing_.sharedInArray[op])
    for (unsigned other = 1; other < machine_.device().cusPerArray; ++other)
      l1_.touch(otherLine_++);
  return hit;
}

double MemorySystem::behindL0(uint32_t op, uint64_t line, double at, double &queued) {
  if (isInL1(op, line))
    return at + machine_[L1Latency];
  // Of the compute units that want the same line one asks for it.
  const double asking = sharing_.sharedInArray[op] ? 1.0 / machine_.device().cusPerArray : 1.0;
  double begin = pass(l2Free_, at, l2Clocks_ * asking, queued);
  double latency = machine_[L2Latency];
  const double sharers = op < sharing_.sharedBy.size() ? sharing_.sharedBy[op] : 1;
  double &credit = l2Credit_[op];
  credit += asking;
  if (credit < sharers * asking)
    return begin + latency;
  credit -= sharers * asking;
  begin = pass(cacheFree_, begin, cacheClocks_, queued);
  latency = machine_[CacheLatency];
  dramCredit_ += 1 - cacheHits_;
  if (dramCredit_ >= 1) {
    dramCredit_ -= 1;
    begin = pass(dramFree_, begin, dramClocks_, queued);
    latency = machine_[DramLatency];
  }
  return begin + latency;
}

MemoryTime MemorySystem::load(unsigned cu, double at, uint32_t op,
                              std::span<const uint64_t> lines) {
  MemoryTime time{at + machine_[L0Latency], 0};
  for (const uint64_t line : lines) {
    double queued = 0;
    const double begin = pass(l0Free_[cu], at, machine_[LineClocks], queued);
    const double done =
        l0_[cu].touch(line) ? begin + machine_[L0Latency] : behindL0(op, line, begin, queued);
    if (done > time.done)
      time = {done, queued};
  }
  return time;
}

MemoryTime MemorySystem::store(unsigned cu, double at, std::span<const uint64_t> lines) {
  MemoryTime time{at + machine_[StoreLatency], 0};
  for ([[maybe_unused]] const uint64_t line : lines) {
    double queued = 0;
    double begin = pass(l0Free_[cu], at, machine_[LineClocks], queued);
    begin = pass(l2Free_, begin, l2Clocks_, queued);
    dramCredit_ += 1 - cacheHits_;
    if (dramCredit_ >= 1) {
      dramCredit_ -= 1;
      begin = pass(dramFree_, begin, dramClocks_, queued);
    }
    if (begin + machine_[StoreLatency] > time.done)
      time = {begin + machine_[StoreLatency], queued};
  }
  return time;
}

} // namespace rdna::timing
