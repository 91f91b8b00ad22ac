//===- HwRegister.h - the registers of S_GETREG and S_SETREG --------------===//
#pragma once

namespace rdna {

/// By their numbers in the low six bits of the immediate (ISA, S_GETREG; LLVM prints the same
/// names). Those that a program can learn something from.
enum class HwRegister : unsigned {
  Mode = 1,
  Status = 2,
  TrapStatus = 3,
  GprAlloc = 5,
  LdsAlloc = 6,
  PcLow = 8,
  PcHigh = 9,
  MemoryBases = 15,
  FlatScratchLow = 20,
  FlatScratchHigh = 21,
  Id1 = 23,
  ShaderCycles = 29,
};

/// The register that an immediate of S_GETREG or S_SETREG means.
constexpr HwRegister hwRegister(unsigned immediate) {
  return static_cast<HwRegister>(immediate & 63);
}

} // namespace rdna
