#include "Verify/AccessLog.h"

#include "Verify/KnownValues.h"

#include <algorithm>

namespace rdna::verify {

//===----------------------------------------------------------------------===//
// Footprints
//===----------------------------------------------------------------------===//

uint32_t Footprints::intern(Footprint footprint) {
  const auto [it, isNew] = ids_.emplace(std::move(footprint), static_cast<uint32_t>(all_.size()));
  if (isNew)
    all_.push_back(&it->first);
  return it->second;
}

/// Who touches each byte: a number from 1 on, or kSeveral.
static constexpr uint32_t kSeveral = ~0u;
static std::vector<uint32_t> owners(const Footprint &footprint, unsigned itemsOfOne) {
  std::vector<uint32_t> owner;
  for (const auto &[item, start] : footprint.starts) {
    owner.resize(std::max<size_t>(owner.size(), start + footprint.bytes));
    for (unsigned i = 0; i < footprint.bytes; ++i) {
      uint32_t &byte = owner[start + i];
      const uint32_t self = item / itemsOfOne + 1;
      byte = byte == 0 || byte == self ? self : kSeveral;
    }
  }
  return owner;
}

std::optional<uint32_t> Footprints::sharedByte(uint32_t id) const {
  const std::vector<uint32_t> owner = owners((*this)[id], 1);
  const auto it = std::find(owner.begin(), owner.end(), kSeveral);
  return it == owner.end() ? std::nullopt
                           : std::optional(static_cast<uint32_t>(it - owner.begin()));
}

std::optional<uint32_t> Footprints::contestedByte(uint32_t a, uint32_t b) {
  const auto [it, isNew] = contested_.try_emplace({std::min(a, b), std::max(a, b)});
  if (!isNew)
    return it->second;
  const auto first = owners((*this)[a], KnownValues::kLanes);
  const auto second = owners((*this)[b], KnownValues::kLanes);
  for (uint32_t i = 0; i < std::min(first.size(), second.size()) && !it->second; ++i)
    if (first[i] != 0 && second[i] != 0 && (first[i] != second[i] || first[i] == kSeveral))
      it->second = i;
  return it->second;
}

//===----------------------------------------------------------------------===//
// AccessLog
//===----------------------------------------------------------------------===//

void AccessLog::count(const Instruction &inst) {
  constexpr unsigned kMany = 64; // More than any counter counts.
  const CounterEvents events = counterEvents(inst);
  for (auto &[key, entry] : entries_)
    for (unsigned cls = 0; cls < kWaitClasses; ++cls)
      entry.since[cls] =
          static_cast<uint8_t>(std::min<unsigned>(kMany, entry.since[cls] + events.weight[cls]));
}

void AccessLog::issue(const Key &key, const Instruction &inst, Counts counts) {
  if (counts == Counts::Yes)
    count(inst);
  Entry &entry = entries_[key];
  const uint8_t ordered = entry.ordered; // Of the same access, made before.
  entry = {};
  entry.ordered |= ordered;
  entry.isLds = inst.unit == Unit::Lds;
  entry.isWrite = inst.memory != MemoryEffect::Load;
  entry.weight = counterEvents(inst).weight;
}

void AccessLog::wait(const Wait &wait) {
  for (auto &[key, entry] : entries_) {
    for (unsigned index = 0; index < kWaitClasses; ++index) {
      const auto cls = static_cast<WaitClass>(index);
      const auto atMost = wait.atMost[static_cast<size_t>(counterOf(cls))];
      if (!atMost || entry.weight[index] == 0)
        continue;
      // In order, all that came later is in flight as long as this is. Of scalar loads and samplers
      // any may be the one that has not arrived.
      const bool inOrder = cls != WaitClass::Scalar && cls != WaitClass::Sampler;
      if (*atMost == 0 || (inOrder && entry.since[index] + entry.weight[index] > *atMost))
        entry.isOutstanding = false;
    }
  }
}

void AccessLog::barrier(TextSide side) {
  for (auto it = entries_.begin(); it != entries_.end();) {
    Entry &entry = it->second;
    const unsigned own = side == TextSide::Old ? 1 : 2;
    uint8_t next = entry.isOutstanding ? entry.ordered : 0;
    for (unsigned state = 0; state < 4; ++state)
      if ((entry.ordered >> state & 1) != 0)
        next |= static_cast<uint8_t>(1u << (state & ~own));
    entry.ordered = next;
    it = (next & ~1u) == 0 ? entries_.erase(it) : std::next(it);
  }
}

void AccessLog::join(const AccessLog &other) {
  for (const auto &[key, entry] : other.entries_) {
    const auto [it, isNew] = entries_.try_emplace(key, entry);
    if (isNew)
      continue;
    Entry &mine = it->second;
    mine.ordered |= entry.ordered;
    // The younger of those that are in flight.
    for (unsigned cls = 0; cls < kWaitClasses; ++cls)
      mine.since[cls] = !entry.isOutstanding  ? mine.since[cls]
                        : !mine.isOutstanding ? entry.since[cls]
                                              : std::min(mine.since[cls], entry.since[cls]);
    mine.isOutstanding |= entry.isOutstanding;
  }
}

} // namespace rdna::verify
