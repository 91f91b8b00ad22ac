//===- function.h - device functions that stay functions ------------------===//
#pragma once

#include "device.h"

#define FUNCTION DEVICE __attribute__((noinline))

INLINE unsigned workItem() { return groupX() * 64 + threadX(); }
