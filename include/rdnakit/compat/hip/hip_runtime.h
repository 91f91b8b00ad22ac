//===- hip_runtime.h - stands in for ROCm's ---------------------------------===//
#pragma once
#pragma clang system_header
#include "../../hip.h"
