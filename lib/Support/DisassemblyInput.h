//===- DisassemblyInput.h - bytes that LLVM's disassembler survives -------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rdna {

/// LLVM 22.1's AMDGPU disassembler crashes in three cases, all found by fuzzing: the code ends
/// before the literal of an instruction; V_READFIRSTLANE_B32 has a destination that is no SGPR; the
/// constant of V_FMAMK_F16 or V_FMAAK_F16 is 0xff, which it takes for the code of a literal. (The
/// last is a valid instruction. LLVM cannot name it; the emulator executes it.) Everything that
/// disassembles asks for its bytes here.
class DisassemblyInput {
public:
  /// The bytes of the first instruction of `code`, with zeros behind them if the code is short.
  explicit DisassemblyInput(std::span<const std::byte> code);
  /// Empty if LLVM must not see them.
  llvm::ArrayRef<uint8_t> bytes() const { return {padded_.data(), crashes_ ? 0 : padded_.size()}; }
  /// Whether an instruction of `size` bytes lies in the code, and not in the zeros.
  bool holds(uint64_t size) const { return size != 0 && size <= available_; }

private:
  /// The longest encoding, MIMG with 13 addresses and what LLVM looks at behind it.
  std::array<uint8_t, 32> padded_{};
  size_t available_ = 0;
  bool crashes_ = false;
};

} // namespace rdna
