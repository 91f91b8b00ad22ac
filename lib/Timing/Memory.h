//===- Memory.h - caches and bandwidth as one compute unit sees them ----------===//
//
// L0 has tags, filled by the real addresses of the workgroups on this compute unit. So has the L1
// of its shader array: the other compute units ask it for the same lines, or each for as many
// others. What lies behind is shared by all compute units, which run other workgroups of the same
// kernel at the same time: each has its part of the bandwidth, and of a line that k workgroups ask
// for at about the same time every k-th request goes on to the next level.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Timing/Machine.h"

#include <span>
#include <vector>

namespace rdna::timing {

/// A set-associative cache with least recently used lines out first.
class Tags {
public:
  Tags(unsigned lines, unsigned ways);
  /// Whether it was there; it is now.
  bool touch(uint64_t line);

private:
  unsigned sets_, ways_;
  std::vector<uint64_t> lines_; ///< By set, the most recent first.
};

/// What the launch as a whole means for one compute unit.
struct Sharing {
  unsigned activeUnits = 1;  ///< Compute units, or WGPs, each with a memory system like this one.
  double footprintBytes = 0; ///< Of all buffers.
  std::vector<double> sharedBy; ///< By op: how many workgroups ask for the same lines.
  /// By op: do the compute units beside this one, which run the next workgroups, ask for the same
  /// lines?
  std::vector<uint8_t> sharedInArray;
  enum class Start : uint8_t { Warm, Cold } start = Start::Warm;
};

/// When an access is over, and how much of its time was waiting for a place in a queue.
struct MemoryTime {
  double done = 0;
  double queued = 0;
};

class MemorySystem {
public:
  MemorySystem(const Machine &machine, const Sharing &sharing);
  /// `compute unit` 0 or 1; the operands were taken at `at`.
  MemoryTime load(unsigned cu, double at, uint32_t op, std::span<const uint64_t> lines);
  MemoryTime store(unsigned cu, double at, std::span<const uint64_t> lines);

private:
  double behindL0(uint32_t op, uint64_t line, double at, double &queued);
  bool isInL1(uint32_t op, uint64_t line);

  const Machine &machine_;
  const Sharing &sharing_;
  std::vector<Tags> l0_;
  Tags l1_; ///< Of the shader array.
  uint64_t otherLine_ = uint64_t(1) << 60;
  std::vector<double> l0Free_;
  double l2Free_ = 0, cacheFree_ = 0, dramFree_ = 0;
  double l2Clocks_, cacheClocks_, dramClocks_; ///< For a line, of this compute unit's part.
  double cacheHits_;                           ///< Share of lines that the Infinity Cache has.
  std::vector<double> l2Credit_;               ///< By op: requests until the next one that misses.
  double dramCredit_ = 0;
};

} // namespace rdna::timing
