//===- runge_kutta.hip - damped oscillators, fourth-order Runge-Kutta -----===//
//
// Two oscillators per lane with their own stiffness and damping; the state is stored after every
// step.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64) runge_kutta(const float *__restrict__ parameters,
                                      float *__restrict__ states, int steps, int lanes, float h) {
  unsigned id = groupX() * 64 + threadX();
  float k[2], d[2], x[2] = {1, 0}, v[2] = {0, 1};
  for (unsigned i = 0; i < 2; ++i) {
    k[i] = parameters[2 * i * lanes + id];
    d[i] = parameters[(2 * i + 1) * lanes + id];
  }
#pragma unroll 1
  for (int step = 0; step < steps; ++step)
    for (unsigned i = 0; i < 2; ++i) {
      float x1 = v[i], v1 = -k[i] * x[i] - d[i] * v[i];
      float xa = x[i] + 0.5f * h * x1, va = v[i] + 0.5f * h * v1;
      float x2 = va, v2 = -k[i] * xa - d[i] * va;
      float xb = x[i] + 0.5f * h * x2, vb = v[i] + 0.5f * h * v2;
      float x3 = vb, v3 = -k[i] * xb - d[i] * vb;
      float xc = x[i] + h * x3, vc = v[i] + h * v3;
      float x4 = vc, v4 = -k[i] * xc - d[i] * vc;
      x[i] += h * (1.0f / 6) * (x1 + 2 * x2 + 2 * x3 + x4);
      v[i] += h * (1.0f / 6) * (v1 + 2 * v2 + 2 * v3 + v4);
      states[(step * 4 + 2 * i) * lanes + id] = x[i];
      states[(step * 4 + 2 * i + 1) * lanes + id] = v[i];
    }
}
