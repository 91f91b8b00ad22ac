//===- Simulator.h - the state of a simulated compute unit --------------------===//
#pragma once

#include "Timing/Simulation.h"
#include "Timing/Wave.h"

#include <limits>
#include <memory>
#include <unordered_set>
#include <vector>

namespace rdna::timing {

inline constexpr Cycles never = std::numeric_limits<Cycles>::max();

struct Simd {
  SimdState state;
  double codeFree = 0;                ///< When the next piece of code can come to one of its waves.
  std::vector<SimulatedWave *> waves; ///< By priority, then age.
};

/// One half of a WGP's LDS, as its compute unit sees it.
struct LdsUnit {
  double free = 0;
};

struct Group {
  unsigned waves = 0, arrived = 0, ended = 0;
};

class Simulator {
public:
  Simulator(const Machine &machine, const Recording &recording, const Residents &residents,
            const Sharing &sharing, WhatIf what, IssueListener *listener);
  SimulationResult run();

private:
  void startGroup(Cycles start);
  void endGroup(unsigned group, Cycles now);
  unsigned emptiestSimd() const;
  Cycles visit(Simd &simd, SimulatedWave &wave, Cycles now, uint32_t &taken);
  Verdict verdictFor(const Simd &simd, SimulatedWave &wave, const TimedOp &op) const;
  void waitVerdict(const SimulatedWave &wave, const TimedOp &op, Verdict &verdict) const;
  void issue(Simd &simd, SimulatedWave &wave, const TimedOp &op, Cycles now);
  void account(SimulatedWave &wave, const TimedOp &op, Cycles now);
  void startMemory(SimulatedWave &wave, const TimedOp &op, Cycles exec);
  void arrive(SimulatedWave &wave, Cycles now);
  void openBarrier(unsigned group, Cycles now);
  Cycles request(Simd &simd, uint32_t piece, Cycles now);
  void fetch(Simd &simd, SimulatedWave &wave, const TimedOp &op, Cycles now);
  void finish();
  unsigned cuOf(const SimulatedWave &wave) const { return wave.simd / 2; }

  const Machine &machine_;
  const Recording &recording_;
  const Residents &residents_;
  WhatIf what_;
  IssueListener *listener_;
  MemorySystem memory_;
  std::vector<Simd> simds_;
  std::vector<TransferState> transfer_;
  std::vector<LdsUnit> lds_;
  std::vector<Group> groups_;
  std::vector<std::unique_ptr<SimulatedWave>> waves_;
  Tags code_{512, 4};
  /// Lines of code that were needed once: warm from then on.
  std::unordered_set<uint32_t> fetched_;
  size_t nextGroup_ = 0;
  unsigned running_ = 0, started_ = 0;
  std::vector<unsigned> endedGroups_;
  bool reorder_ = false;
  Cycles wake_ = never; ///< When a barrier lets waves of SIMDs that were passed by go on.
  StallClocks waits_{}; ///< Wave clocks.
  SimulationResult result_;
};

} // namespace rdna::timing
