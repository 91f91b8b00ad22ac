//===- two_kernels_second.hip - the second of two kernels with one function -===//
//
// Launches the kernel with a loop.
//
//===----------------------------------------------------------------------===//
#include "two_kernels.h"
