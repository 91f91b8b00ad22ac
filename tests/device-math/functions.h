//===- functions.h - a kernel for each function, all with one signature ----===//
#pragma once

#include <hip/hip_runtime.h>

#define RUN(name, T, expression)                                                                   \
  extern "C" __global__ __launch_bounds__(256) void run_##name(const T *xs, const T *ys,           \
                                                               T *results) {                       \
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                            \
    T x = xs[i], y = ys[i];                                                                        \
    (void)x, (void)y;                                                                              \
    results[i] = expression;                                                                       \
  }
#define RUN_1(name, T) RUN(name, T, name(x))
#define RUN_2(name, T) RUN(name, T, name(x, y))
