//===- Disassembler.h - LLVM's view of one instruction --------------------===//
#pragma once

#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace rdna::emu {

/// For texts in reports, and for tests that compare our tables with LLVM's: gfx1100, wave32. Not
/// thread-safe.
class Disassembler {
public:
  static llvm::Expected<std::unique_ptr<Disassembler>> create();
  ~Disassembler();

  struct Result {
    std::string_view mnemonic; ///< AMD's name in lower case, without _e32/_e64/_dpp; lives forever.
    unsigned bytes = 0;        ///< 0: no instruction.
  };
  Result decode(std::span<const std::byte> code);
  /// The whole instruction as LLVM prints it, or empty.
  std::string text(std::span<const std::byte> code);

private:
  struct State;
  explicit Disassembler(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Disassembler::text() of one disassembler for the whole process; thread-safe.
std::string instructionText(std::span<const std::byte> code);

} // namespace rdna::emu
