//===- Simulation.h - a compute unit with its workgroups, event by event -------===//
#pragma once

#include "Timing/Memory.h"
#include "Timing/Recording.h"
#include "Timing/Stall.h"

#include <array>
#include <vector>

namespace rdna::timing {

/// What runs on one compute unit (CU mode) or on a WGP: `atOnce` workgroups together, and another
/// one where one has ended.
struct Residents {
  std::vector<const GroupStream *> groups;
  unsigned atOnce = 1;
  size_t steps = ~size_t(0); ///< Of each wave; the rest of it is left out.
  enum class Place : uint8_t { Cu, Wgp } place = Place::Cu;
};

using StallClocks = std::array<double, stallKinds>;

/// Of one instruction of the text.
struct OpTime {
  uint64_t issues = 0;
  double stalled = 0; ///< Wave clocks in front of its issue,
  StallClocks why{};  ///< by reason.
};

struct SimulationResult {
  Cycles clocks = 0; ///< Until the last wave has ended.
  unsigned simds = 0;
  uint64_t instructions = 0;
  /// Of `clocks`, by what limited: vector issue, conflicts, and what waves waited for where no
  /// vector instruction was executed. They add up to `clocks`.
  StallClocks limiters{};
  double vectorBusy = 0; ///< Share of clocks in which the vector ALUs executed.
  std::vector<OpTime> ops;
};

/// One instruction that a wave issued, and how long it had waited for that.
struct IssueEvent {
  uint32_t wave = 0; ///< In the order of their starts, from 1.
  uint32_t group = 0;
  uint32_t simd = 0;
  uint32_t op = 0; ///< Recording::ops; hints issue nothing.
  Cycles at = 0;
  Cycles waited = 0; ///< Clocks since its issue before, without that one's own.
  Stall why = Stall::None;
};

/// Hears of every issue, in the order of time.
class IssueListener {
public:
  virtual ~IssueListener() = default;
  virtual void issued(const IssueEvent &event) = 0;
};

/// What an experiment takes away (`--what-if`).
struct WhatIf {
  enum class Part : uint8_t {
    Nothing,
    BankConflicts,
    Fetch, ///< Code comes as fast as waves want it.
    LdsTime,
    Latency,
    Barriers,
    OneMoreWave, ///< One more workgroup at once; the launch decides that.
  } without = Part::Nothing;
};

/// The experiments by name, as users ask for them.
struct WhatIfRow {
  std::string_view name;
  WhatIf::Part part;
};
inline constexpr WhatIfRow whatIfRows[] = {{"no-bank-conflicts", WhatIf::Part::BankConflicts},
                                           {"infinite-fetch", WhatIf::Part::Fetch},
                                           {"infinite-lds", WhatIf::Part::LdsTime},
                                           {"zero-latency", WhatIf::Part::Latency},
                                           {"no-barrier", WhatIf::Part::Barriers},
                                           {"one-more-wave", WhatIf::Part::OneMoreWave}};

SimulationResult simulate(const Machine &machine, const Recording &recording,
                          const Residents &residents, const Sharing &sharing, WhatIf what = {},
                          IssueListener *listener = nullptr);

} // namespace rdna::timing
