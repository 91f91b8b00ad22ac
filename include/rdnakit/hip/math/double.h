#pragma once
#include "arc.h"
#include "error.h"
#include "log.h"
#include "trig.h"
namespace rdnakit {
#define RDNAKIT_TEMPORARY(name) RDNAKIT_DEVICE double name(double x) { return name(static_cast<float>(x)); }
RDNAKIT_TEMPORARY(exp) RDNAKIT_TEMPORARY(exp2) RDNAKIT_TEMPORARY(exp10) RDNAKIT_TEMPORARY(expm1)
RDNAKIT_TEMPORARY(log) RDNAKIT_TEMPORARY(log2) RDNAKIT_TEMPORARY(log10) RDNAKIT_TEMPORARY(log1p)
RDNAKIT_TEMPORARY(sin) RDNAKIT_TEMPORARY(cos) RDNAKIT_TEMPORARY(tan)
RDNAKIT_TEMPORARY(asin) RDNAKIT_TEMPORARY(acos) RDNAKIT_TEMPORARY(atan)
RDNAKIT_TEMPORARY(sinh) RDNAKIT_TEMPORARY(cosh) RDNAKIT_TEMPORARY(tanh)
RDNAKIT_TEMPORARY(erf) RDNAKIT_TEMPORARY(erfc) RDNAKIT_TEMPORARY(cubeRoot)
RDNAKIT_DEVICE double atan2(double y, double x) { return atan2(float(y), float(x)); }
RDNAKIT_DEVICE double pow(double y, double x) { return pow(float(y), float(x)); }
RDNAKIT_DEVICE void sincos(double x, double *s, double *c) { *s = sin(x); *c = cos(x); }
} // namespace rdnakit
