#pragma once

/// C = alpha * A * B + beta * C on the device; N is a multiple of 128.
void sgemm(const float *a, const float *b, float *c, int n, float alpha, float beta);
