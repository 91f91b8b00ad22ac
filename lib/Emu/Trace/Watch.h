//===- Watch.h - accesses to watched places --------------------------===//
#pragma once

#include "Emu/Observe/Listener.h"
#include "Emu/Trace.h"

namespace rdna::emu {

/// Compares watched places before and after each instruction that touches them.
class Watcher {
public:
  explicit Watcher(const std::vector<WatchPoint> &points) : points_(points) {}
  void before(Record &record);
  /// The report, one line for each place that the instruction touched; mostly empty.
  std::string after(const Wave &w);

private:
  struct Hit {
    const WatchPoint *point;
    AccessKind kind;
    uint32_t lanes;
    uint32_t old;
  };
  void look(const Wave &w, const WatchPoint &point, const LaneAccess &access);

  const std::vector<WatchPoint> &points_;
  std::vector<Hit> hits_;
};

} // namespace rdna::emu
