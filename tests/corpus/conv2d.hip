//===- conv2d.hip - two-dimensional convolution ---------------------------===//
//
// A 5 x 5 filter over an image of width x height, valid part only. A lane computes four
// neighbouring pixels of a row; the loop runs over the rows of the filter.
//
//===----------------------------------------------------------------------===//
#include "device.h"

constexpr unsigned Filter = 5, Pixels = 4;

KERNEL void WORKGROUP(32) conv2d(const float *__restrict__ image, const float *__restrict__ filter,
                                 float *__restrict__ result, int width) {
  unsigned outputs = width - Filter + 1;
  unsigned row = groupY(), column = (groupX() * 32 + threadX()) * Pixels;
  float sum[Pixels] = {};
#pragma unroll 1
  for (unsigned r = 0; r < Filter; ++r) {
    float line[Pixels + Filter - 1];
    for (unsigned i = 0; i < Pixels + Filter - 1; ++i)
      line[i] = image[(row + r) * width + column + i];
    for (unsigned t = 0; t < Filter; ++t)
      for (unsigned i = 0; i < Pixels; ++i)
        sum[i] += line[i + t] * filter[r * Filter + t];
  }
  for (unsigned i = 0; i < Pixels; ++i)
    result[row * outputs + column + i] = sum[i];
}
