//===- Log.h - findings of one host thread, folded -------------------===//
#pragma once

#include "Emu/Check.h"

#include <functional>
#include <map>
#include <tuple>

namespace rdna::emu {

/// A finding as it is made: texts and places of instructions follow at the end of the run.
struct Occurrence {
  Check check;
  const char *rule; ///< A literal.
  uint32_t offset;
  std::optional<uint32_t> otherOffset;
  unsigned wave = 0;
  std::optional<unsigned> lane, otherWave, otherLane;
  std::optional<uint64_t> address;
  std::string place, message, fix;
};

/// Folds by rule, instruction and other party. The first occurrence is kept: within a thread that
/// is the one of the lowest workgroup, and merge() keeps that order between threads.
class FindingLog {
public:
  struct Entry {
    uint64_t group = 0; ///< Number in the grid.
    std::array<uint32_t, 3> workgroup{};
    uint64_t count = 0;
    Occurrence first;
  };
  using Key = std::tuple<uint32_t, Check, std::string_view, int64_t>;

  void startGroup(uint64_t number, const std::array<uint32_t, 3> &id) {
    group_ = number;
    id_ = id;
  }
  /// `describe` fills in place, message and fix; it is called for the first occurrence only.
  void add(Occurrence occurrence, const std::function<void(Occurrence &)> &describe) {
    const Key key{occurrence.offset, occurrence.check, occurrence.rule,
                  occurrence.otherOffset ? int64_t(*occurrence.otherOffset) : -1};
    auto [it, fresh] = entries_.try_emplace(key);
    ++it->second.count;
    if (!fresh)
      return;
    describe(occurrence);
    it->second.group = group_;
    it->second.workgroup = id_;
    it->second.first = std::move(occurrence);
  }
  void merge(FindingLog &&other) {
    for (auto &[key, entry] : other.entries_) {
      auto [it, fresh] = entries_.try_emplace(key, entry);
      if (fresh)
        continue;
      const uint64_t count = it->second.count + entry.count;
      if (entry.group < it->second.group)
        it->second = std::move(entry);
      it->second.count = count;
    }
    other.entries_.clear();
  }
  const std::map<Key, Entry> &entries() const { return entries_; }
  void clear() { entries_.clear(); }

private:
  std::map<Key, Entry> entries_;
  uint64_t group_ = 0;
  std::array<uint32_t, 3> id_{};
};

/// A finding about one instruction of a wave, and perhaps an earlier one, without lane or address.
struct InstructionFinding {
  Check check;
  const char *rule; ///< A literal.
  std::string message, fix;
};
inline void addFinding(FindingLog &log, unsigned wave, uint32_t offset,
                       std::optional<uint32_t> otherOffset, InstructionFinding finding) {
  Occurrence s{};
  s.check = finding.check;
  s.rule = finding.rule;
  s.offset = offset;
  s.otherOffset = otherOffset;
  s.wave = wave;
  log.add(std::move(s), [&](Occurrence &occurrence) {
    occurrence.message = std::move(finding.message);
    occurrence.fix = std::move(finding.fix);
  });
}

} // namespace rdna::emu
