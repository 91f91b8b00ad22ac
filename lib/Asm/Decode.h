//===- Decode.h - machine code as an Instruction ---------------------------===//
#pragma once

#include "Asm/Module.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace rdna {

/// Reads gfx1100 machine code with LLVM's disassembler and describes it as Module::parse describes
/// text: operands, registers read and written, memory effect. Not thread-safe.
class InstructionDecoder {
public:
  InstructionDecoder();
  ~InstructionDecoder();
  InstructionDecoder(const InstructionDecoder &) = delete;
  InstructionDecoder &operator=(const InstructionDecoder &) = delete;

  /// The instruction at the start of `code`, without place in a text; nothing if there is none.
  std::optional<Instruction> decode(std::span<const std::byte> code);

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace rdna
