//===- Memory.h - checked access to host memory ---------------------------===//
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace rdna::emu {

enum class AccessKind : uint8_t { Read, Write, Atomic };
enum class Protection : uint8_t { ReadOnly, ReadWrite };

struct MemoryRange {
  uint64_t begin = 0, end = 0;
  bool writable = false;
  std::string name;
};

/// The allocations of a launch, sorted by address; shared by all threads, never changed by a run.
class MemoryMap {
public:
  void add(std::string name, const void *data, uint64_t bytes, Protection protection);
  /// Every address, in place of what was added: no access is checked, at no cost per access.
  void allowEverything();
  void finish();
  const MemoryRange *find(uint64_t address) const;
  /// "128 bytes past the end of arg2", or empty if nothing is within 1 MiB.
  std::string describe(uint64_t address) const;

private:
  std::vector<MemoryRange> ranges_;
};

/// Whose access it was.
struct AccessPlace {
  std::array<uint32_t, 3> group{};
  uint32_t wave = 0, lane = 0;
  /// In the order of workgroups.
  bool operator<(const AccessPlace &other) const {
    const auto key = [](const AccessPlace &p) {
      return std::array{p.group[2], p.group[1], p.group[0], p.wave, p.lane};
    };
    return key(*this) < key(other);
  }
};

/// Accesses outside every region, folded per instruction. Counts and minima do not depend on the
/// order of workgroups, so the merged log is the same for every thread count.
class BoundsLog {
public:
  struct Entry {
    uint64_t lanes = 0;
    uint64_t firstAddress = ~uint64_t(0);
    uint64_t lastAddress = 0;
    AccessPlace place; ///< Of the access to `firstAddress`, the first one if there are several.
  };
  /// An access of the workgroup that runs now.
  void add(uint32_t codeOffset, AccessKind kind, uint64_t address, uint32_t wave, uint32_t lane);
  void groupBegins(const std::array<uint32_t, 3> &group) { group_ = group; }
  void merge(const BoundsLog &other);
  const std::map<std::pair<uint32_t, AccessKind>, Entry> &entries() const { return log_; }

private:
  std::map<std::pair<uint32_t, AccessKind>, Entry> log_;
  std::array<uint32_t, 3> group_{};
};

/// One thread's window on memory: the shared map plus the range of the last hit.
class MemoryView {
public:
  explicit MemoryView(const MemoryMap &map) : map_(map) {}

  /// Whether all of [address, address + bytes) lies in one region that allows the access.
  bool covers(uint64_t address, uint64_t bytes, bool write) {
    // Loops go round a few buffers, so the last hits are tried before the whole map.
    for (const Window &r : recent_)
      if (address >= r.begin && address + bytes <= r.end && address + bytes > address) [[likely]]
        return r.writable || !write;
    return refill(address, bytes, write);
  }
  BoundsLog &log() { return log_; }
  uint64_t imageBase = 0;

private:
  bool refill(uint64_t address, uint64_t bytes, bool write);
  const MemoryMap &map_;
  BoundsLog log_;
  struct Window {
    uint64_t begin = 1, end = 0;
    bool writable = false;
  };
  std::array<Window, 4> recent_;
  unsigned oldest_ = 0;
};

} // namespace rdna::emu
