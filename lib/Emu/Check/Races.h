//===- Races.h - waves that touch the same bytes between two barriers ---===//
#pragma once

#include "Emu/Check/Context.h"

namespace rdna::emu {

/// Between two barriers nothing orders the waves of a workgroup: two waves that touch a byte in
/// one interval race unless both only read it or both are atomic. An operation that its wave has
/// not waited for at a barrier belongs to the next interval as well.
class RaceCheck final : public Listener {
public:
  explicit RaceCheck(CheckContext &context) : context_(context) {
    context.pending = CheckContext::Pending::RegistersAndAccesses;
  }
  Hears hears() const override { return Hears::Before; }
  void groupBegins(const GroupView &group) override;
  void before(Record &record) override;
  void barrierPassed(const GroupView &) override;
  void groupEnds(const GroupView &) override { resolve(); }

private:
  enum class Carried : uint8_t { No, Yes };

  /// Who touched a dword of LDS last, in one way: bits 0 to 3 which bytes, 4 to 8 the lane, 9
  /// whether it was carried over a barrier, 10 to 31 the number of the plan. 0: nobody in this
  /// interval.
  using Mark = uint32_t;
  struct LdsMap {
    std::vector<Mark> words;
    size_t lo = ~size_t(0), hi = 0; ///< Touched words: [lo, hi).
    void clear();
  };
  struct WaveMaps {
    std::array<LdsMap, 3> by; ///< AccessKind.
    LdsMap &of(AccessKind kind) { return by[size_t(kind)]; }
  };

  /// Consecutive bytes that consecutive lanes of one instruction touched.
  struct Range {
    uint64_t lo, hi;
    uint32_t plan;
    uint8_t wave, lane, bytes;
    AccessKind kind;
    Carried carried;
  };
  struct Side {
    const InstPlan *plan;
    unsigned wave, lane;
    AccessKind kind;
    Carried carried;
  };

  void mark(unsigned wave, const InstPlan &plan, const LaneAccess &access, Carried carried);
  void append(unsigned wave, const InstPlan &plan, const LaneAccess &access, Carried carried);
  void note(unsigned wave, const InstPlan &plan, const LaneAccess &access, Carried carried);
  void resolve();
  void resolveLds();
  void findLdsPairs(size_t word);
  void resolveGlobal();
  void compact();
  Side sideOf(const Range &range, uint64_t at) const;
  void report(Side a, Side b, LaneAccess::Space space, uint64_t at);
  uint32_t numberOf(const InstPlan &plan) const { return plan.number; }

  CheckContext &context_;
  unsigned waves_ = 0;
  std::vector<WaveMaps> lds_;
  std::array<std::vector<uint32_t>, 3> seen_; ///< Scratch of resolveLds.
  std::vector<Range> reads_, writes_;
  size_t compactAt_ = firstCompaction;
  static constexpr size_t firstCompaction = size_t(1) << 20;
};

} // namespace rdna::emu
