//===- two_kernels_first.hip - the first of two kernels with one function -===//
//
// Launches the kernel without a loop.
//
//===----------------------------------------------------------------------===//
#include "two_kernels.h"
