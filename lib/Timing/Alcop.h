//===- Alcop.h - the analytical estimate: no simulation ------------------------===//
//
// ALCOP's model of a pipelined loop nest: load and use of a tile in LDS, and inside that of a
// fragment in registers. What a step of each loop does is counted in the observed execution of one
// wave; nothing is simulated.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Timing/Predict.h"

namespace rdna::timing {

/// What one wave does, counted.
struct LoopNest {
  double outerSteps = 1;                             ///< Barriers, by those that a step has.
  double innerSteps = 1;                             ///< Of one outer step: waits for LDS.
  double vectorClocks = 0, ldsPasses = 0, lines = 0; ///< Of the wave.
  double codeClocks = 0;                             ///< To fetch what it executes.
  double stages = 1;         ///< 2 where the next tile is loaded during the use of this one.
  double fragmentStages = 1; ///< The same of the next fragment.
};

LoopNest countNest(const Recording &recording, const Machine &machine);

/// A step of a loop that some workers run at once. All in clocks.
struct PipelinedStep {
  double load = 0, use = 0; ///< Of one worker that has everything for itself.
  double together = 0;      ///< What the uses of all take where they share.
  double stages = 1;
};

/// Loads are hidden by the other stages and by the other workers, or they are waited for. ALCOP's
/// formula has `use` once for both; where n workers share nothing, the use of all takes no longer.
double pipelinedLoop(const PipelinedStep &step, double steps);

/// Milliseconds.
double analyticalEstimate(const ObservedLaunch &observed, const LoopNest &nest,
                          const Machine &machine);

} // namespace rdna::timing
