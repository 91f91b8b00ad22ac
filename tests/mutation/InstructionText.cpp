#include "mutation/InstructionText.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstdlib>

namespace rdna::mutation {

static std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return text;
}

static TextHalf splitHalf(std::string_view text) {
  TextHalf half;
  text = trimmed(text);
  const size_t blank = text.find_first_of(" \t");
  half.mnemonic = std::string(text.substr(0, blank));
  if (blank == std::string_view::npos)
    return half;
  text = trimmed(text.substr(blank));
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size()) {
      depth += text[i] == '(' || text[i] == '[';
      depth -= text[i] == ')' || text[i] == ']';
      if (text[i] != ',' || depth > 0)
        continue;
    }
    half.operands.emplace_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return half;
}

InstructionText splitText(std::string_view text) {
  InstructionText result;
  if (const size_t dual = text.find("::"); dual != std::string_view::npos) {
    result.halves = {splitHalf(text.substr(0, dual)), splitHalf(text.substr(dual + 2))};
    return result;
  }
  result.halves = {splitHalf(text)};
  auto &operands = result.halves[0].operands;
  if (operands.empty())
    return result;
  if (const size_t blank = operands.back().find(' '); blank != std::string::npos) {
    result.modifiers = operands.back().substr(blank);
    operands.back().erase(blank);
  }
  return result;
}

static std::string joinHalf(const TextHalf &half) {
  std::string text = half.mnemonic;
  for (size_t i = 0; i < half.operands.size(); ++i)
    text += (i ? ", " : " ") + half.operands[i];
  return text;
}

std::string joinText(const InstructionText &text) {
  std::string result = joinHalf(text.halves[0]);
  if (text.isDual())
    result += " :: " + joinHalf(text.halves[1]);
  return result + text.modifiers;
}

std::string aloneText(const TextHalf &half) {
  TextHalf alone = half;
  const std::string base = mnemonicParts(half.mnemonic).base;
  const bool hasConstant = base == "v_fmaak_f32" || base == "v_fmamk_f32";
  alone.mnemonic = hasConstant ? base : base + "_e32";
  if (base == "v_cndmask_b32" && alone.operands.size() == 3)
    alone.operands.emplace_back("vcc_lo");
  return joinHalf(alone);
}

std::optional<RegisterToken> findRegister(std::string_view operand) {
  const auto isWord = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  const auto number = [&](size_t &at) {
    unsigned value = 0;
    while (at < operand.size() && std::isdigit(static_cast<unsigned char>(operand[at])))
      value = value * 10 + static_cast<unsigned>(operand[at++] - '0');
    return value;
  };
  for (size_t i = 0; i + 1 < operand.size(); ++i) {
    const char file = operand[i];
    if ((file != 'v' && file != 's') || (i > 0 && isWord(operand[i - 1])))
      continue;
    size_t at = i + 1;
    RegisterToken token{i, 0, file, 0, 1};
    if (std::isdigit(static_cast<unsigned char>(operand[at]))) {
      token.first = number(at);
    } else if (operand[at] == '[') {
      token.first = number(++at);
      if (at >= operand.size() || operand[at] != ':')
        continue;
      token.dwords = number(++at) - token.first + 1;
      ++at;
    } else {
      continue;
    }
    token.length = at - i;
    return token;
  }
  return std::nullopt;
}

std::string withRegister(std::string_view operand, const RegisterToken &token, unsigned first) {
  const std::string name =
      token.dwords == 1 ? fmt::format("{}{}", token.file, first)
                        : fmt::format("{}[{}:{}]", token.file, first, first + token.dwords - 1);
  return std::string(operand.substr(0, token.at)) + name +
         std::string(operand.substr(token.at + token.length));
}

std::optional<std::string> nextConstant(std::string_view operand) {
  const std::string text(operand);
  char *end = nullptr;
  if (text.starts_with("0x")) {
    const unsigned long value = std::strtoul(text.c_str(), &end, 16);
    if (*end != '\0')
      return std::nullopt;
    return fmt::format("{:#x}", static_cast<uint32_t>(value) + 1);
  }
  if (text.find('.') != std::string::npos) {
    const double value = std::strtod(text.c_str(), &end);
    if (*end != '\0')
      return std::nullopt;
    return value == 0 || std::abs(value) == 4 ? "1.0" : fmt::format("{:.1f}", 2 * value);
  }
  if (text.empty() || text.find_first_not_of("-0123456789") != std::string::npos)
    return std::nullopt;
  return std::to_string(std::strtol(text.c_str(), &end, 10) + 1);
}

MnemonicParts mnemonicParts(std::string_view mnemonic) {
  MnemonicParts parts;
  if (mnemonic.starts_with("v_dual_")) {
    parts.prefix = "v_dual_";
    parts.base = "v_" + std::string(mnemonic.substr(7));
    return parts;
  }
  for (const std::string_view suffix : {"_e32", "_e64"})
    if (mnemonic.ends_with(suffix)) {
      parts.suffix = suffix;
      mnemonic.remove_suffix(suffix.size());
    }
  parts.base = std::string(mnemonic);
  return parts;
}

} // namespace rdna::mutation
