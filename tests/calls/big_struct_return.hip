//===- big_struct_return.hip - a struct that is returned through memory -===//
//
// Forty floats: the caller passes the address of a place on its stack.
//
//===----------------------------------------------------------------------===//
#include "function.h"

struct Powers {
  float of[40];
};

FUNCTION Powers powers(float x) {
  Powers result;
  float power = 1;
  for (int i = 0; i < 40; ++i) {
    result.of[i] = power;
    power = power * x + 0.0625f;
  }
  return result;
}

KERNEL void WORKGROUP(64)
    big_struct_return(const float *__restrict__ x, float *__restrict__ result, int lanes) {
  unsigned id = workItem();
  Powers a = powers(x[id]), b = powers(x[lanes + id]);
  float sum = 0;
  for (int i = 0; i < 40; ++i)
    sum += a.of[i] * b.of[39 - i];
  result[id] = sum;
}
