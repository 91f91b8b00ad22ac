//===- table_divergent.hip - indirect calls, a target for each lane -----===//
//
// The lanes of a wave call up to four functions, one after the other.
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
    table_divergent(const float *__restrict__ x, const unsigned *__restrict__ choice,
                    float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  float state = x[id];
  unsigned chosen = choice[id];
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    state = steps[chosen % 4](state, x[(round + 1) * lanes + id]);
    chosen >>= 2;
  }
  result[id] = state;
}
