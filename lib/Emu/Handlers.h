//===- Handlers.h - what is compiled for more than one level of x86-64 ----===//
//
// The handlers are the inner loop of every emulated kernel, and worth compiling for the vector
// units of the machine that runs them. A build for other machines has them once for each level of
// x86-64 (CMakeLists.txt: RDNA_EMULATOR_LEVELS) and takes the best one that the machine knows. All
// that the rest of the emulator calls of them goes through this table, so that nothing else of a
// level can be reached on a machine that lacks it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Jit/Runtime.h"

#include <array>

namespace rdna::emu {

struct Handlers {
  std::array<std::span<const OpInfo> (*)(), 18> tables;
  Handler dualFmac;       ///< Two FMACs of one VOPD in one handler: the inner loop of every SGEMM.
  Handler gdsAccess;      ///< A DS instruction with the GDS bit.
  Handler loadWithStatus; ///< A buffer load with TFE; `data2` is the register of the status.
  jit::LdsLoadFunction (*ldsLoad)(jit::LdsShape);
  jit::LdsSpanFunction ldsSpan;
  jit::LdsLanesFunction loadLdsLanes;
  bool hasAvx512; ///< Whether the code that is compiled may be made for vectors of 512 bits.
};

/// Those of this machine, the same ones in all calls.
const Handlers &handlers();

} // namespace rdna::emu
