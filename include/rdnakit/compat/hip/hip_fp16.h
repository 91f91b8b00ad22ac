//===- hip_fp16.h - stands in for ROCm's ------------------------------------===//
#pragma once
#pragma clang system_header
#include "../../hip/half.h"
