//===- table_uniform.hip - indirect calls, one target for all lanes -----===//
//
// The targets lie in a table in memory; which one is called depends on the round.
//
//===----------------------------------------------------------------------===//
#include "function.h"

typedef float (*Step)(float, float);

FUNCTION float grow(float x, float y) { return x * 0.5f + y; }
FUNCTION float turn(float x, float y) { return x * y - 0.25f; }
FUNCTION float bend(float x, float y) { return (x * x + y) * 0.25f; }
FUNCTION float keep(float x, float y) { return x * (y * y + 0.125f); }

DEVICE Step steps[4] = {grow, turn, bend, keep};

KERNEL void WORKGROUP(64)
    table_uniform(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  float state = x[id];
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
    state = steps[round * 3 % 4](state, x[(round + 1) * lanes + id]);
  result[id] = state;
}
