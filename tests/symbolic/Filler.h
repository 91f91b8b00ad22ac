//===- Filler.h - random operands for patterns of instructions ------------===//
#pragma once

#include "Support/Random.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

namespace rdna::test {

/// A letter in braces is a random operand of that kind; the same letter with the same digit behind
/// it stands for the same operand. Few registers, so that values meet again.
///   v V   VGPR, pair of them           s S   SGPR, pair of them
///   a     anything a VALU's first source takes   b   VGPR or inline constant
///   c d   scalar source with and without literals   D   64-bit scalar source
///   i     shift amount                 k j   16 bits, unsigned and signed
///   m     VCC or SGPR                  p     DPP controls
class Filler {
public:
  explicit Filler(uint64_t seed) : random_(seed) {}

  std::string fill(std::string_view pattern) {
    std::array<std::string, 10> remembered;
    std::array<char, 10> kinds{};
    std::string text;
    for (size_t at = 0; at < pattern.size(); ++at) {
      if (pattern[at] != '{') {
        text += pattern[at];
        continue;
      }
      const size_t end = pattern.find('}', at);
      const char kind = pattern[at + 1];
      if (end == at + 3) {
        const auto n = static_cast<size_t>(pattern[at + 2] - '0');
        if (kinds[n] != kind) {
          remembered[n] = operand(kind);
          kinds[n] = kind;
        }
        text += remembered[n];
      } else {
        text += operand(kind);
      }
      at = end;
    }
    return text;
  }

private:
  unsigned below(unsigned n) { return random_.below(n); }
  template <size_t N> std::string oneOf(const char *const (&texts)[N]) {
    return texts[below(unsigned(N))];
  }
  std::string inlineConstant() {
    return oneOf({"0", "1", "2", "3", "4", "8", "31", "32", "64", "-1", "-2", "-16"});
  }
  std::string literal() {
    return oneOf({"0x80000000", "0x7fffffff", "0xffff", "0x10000", "0xffffff", "0x1000000",
                  "0xfffffff0", "0x12345678", "0x7f800000", "0x80000001", "0x64", "0xff800001"});
  }
  std::string vgpr() { return fmt::format("v{}", below(8)); }
  std::string sgpr() {
    return below(8) ? fmt::format("s{}", 16 + below(8)) : std::string("vcc_lo");
  }
  std::string scalarSource() {
    switch (below(8)) {
    case 0:
    case 1:
      return inlineConstant();
    case 2:
      return oneOf({"exec_lo", "src_scc", "m0", "null", "vcc_hi"});
    default:
      return sgpr();
    }
  }
  std::string operand(char kind) {
    switch (kind) {
    case 'v':
      return vgpr();
    case 'V': {
      const unsigned n = below(7);
      return fmt::format("v[{}:{}]", n, n + 1);
    }
    case 's':
      return sgpr();
    case 'S': {
      const unsigned n = 16 + 2 * below(4);
      return fmt::format("s[{}:{}]", n, n + 1);
    }
    case 'a':
      return below(4) == 0 ? literal() : below(2) ? vgpr() : scalarSource();
    case 'b':
      return below(3) ? vgpr() : inlineConstant();
    case 'c':
      return below(5) == 0 ? literal() : scalarSource();
    case 'd':
      return scalarSource();
    case 'D':
      switch (below(6)) {
      case 0:
        return inlineConstant();
      case 1:
        return oneOf({"vcc", "exec", "null", "1.0", "0.5"});
      default:
        return operand('S');
      }
    case 'i':
      return fmt::format("{}", below(3) ? below(65) : below(4));
    case 'k':
      return oneOf({"0x0", "0x1", "0x7fff", "0x8000", "0xffff", "0xfff0", "0x64", "0x8001"});
    case 'j':
      return oneOf({"0", "1", "-1", "0x7fff", "0x8000", "0xffff", "-16", "100", "0x8001"});
    case 'm':
      return below(2) ? "vcc_lo" : fmt::format("s{}", 16 + below(8));
    default:
      return oneOf({"quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf",
                    "quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf",
                    "quad_perm:[0,1,2,3] row_mask:0x5 bank_mask:0x3",
                    "row_shl:1 row_mask:0xf bank_mask:0xf",
                    "row_shr:15 row_mask:0xf bank_mask:0xf bound_ctrl:1",
                    "row_ror:3 row_mask:0xf bank_mask:0xa fi:1",
                    "row_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1",
                    "row_share:4 row_mask:0x3 bank_mask:0xf",
                    "row_xmask:5 row_mask:0xf bank_mask:0xf fi:1"});
    }
  }

  Random random_;
};

} // namespace rdna::test
