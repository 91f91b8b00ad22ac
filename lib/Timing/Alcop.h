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
  double stages = 1; ///< 2 where the next tile is loaded during the use of this one.
};

LoopNest countNest(const Recording &recording, const Machine &machine);

/// n steps of loading for L and using for U, `stages` deep, by `workers` who take turns.
double pipelinedLoop(double load, double use, double steps, double stages, double workers);

/// Milliseconds.
double analyticalEstimate(const ObservedLaunch &observed, const LoopNest &nest,
                          const Machine &machine);

} // namespace rdna::timing
