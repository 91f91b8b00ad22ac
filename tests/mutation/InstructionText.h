//===- InstructionText.h - an instruction's text in pieces -----------------===//
//
// Faults are planted in the text, not in the library's model of it: a wrong model could hide the
// same mistake from the mutation and from the proof.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rdna::mutation {

/// `mnemonic operand, operand`: a whole instruction, or one half of a VOPD one.
struct TextHalf {
  std::string mnemonic;
  std::vector<std::string> operands;
};

struct InstructionText {
  std::vector<TextHalf> halves;
  std::string modifiers; ///< " offset:16 glc", as written.

  bool isDual() const { return halves.size() == 2; }
};

InstructionText splitText(std::string_view text);
std::string joinText(const InstructionText &text);
/// One half of a VOPD instruction as an instruction of its own: v_dual_mul_f32 -> v_mul_f32_e32.
std::string aloneText(const TextHalf &half);

/// A register inside an operand's text: `-v7`, `|s[2:3]|`.
struct RegisterToken {
  size_t at = 0, length = 0;
  char file = 'v';
  unsigned first = 0, dwords = 1;
};
std::optional<RegisterToken> findRegister(std::string_view operand);
std::string withRegister(std::string_view operand, const RegisterToken &token, unsigned first);

/// A number as an operand: 12, -1, 0x3f, 2.0. The next one up, in the same spelling.
std::optional<std::string> nextConstant(std::string_view operand);

/// `v_mul_f32` of v_dual_mul_f32, v_mul_f32_e32 and v_mul_f32_e64, and what stands around it.
struct MnemonicParts {
  std::string prefix, base, suffix;
};
MnemonicParts mnemonicParts(std::string_view mnemonic);

} // namespace rdna::mutation
