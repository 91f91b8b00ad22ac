// Parallel copies: the printed instructions are executed, one after the other, and must have the
// effect of all copies at once.

#include "AsmSnippet.h"

#include "Support/Random.h"
#include "Transform/Moves.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <regex>

namespace rdna::movesTest {
namespace {

using Registers = std::array<uint32_t, 256>;

uint32_t valueOf(const std::string &operand, const Registers &registers) {
  if (operand[0] == 'v')
    return registers.at(std::stoul(operand.substr(1)));
  if (operand.find('.') != std::string::npos)
    return std::bit_cast<uint32_t>(std::stof(operand));
  return static_cast<uint32_t>(std::stoll(operand, nullptr, 0));
}

/// Executes v_mov_b32, v_dual_mov_b32 and v_swap_b32; anything else is a failure.
void execute(const std::string &line, Registers &registers) {
  static const std::regex kMove(R"(\s*v_mov_b32(?:_e32)? v(\d+), (\S+))");
  static const std::regex kSwap(R"(\s*v_swap_b32 v(\d+), v(\d+))");
  static const std::regex kDual(
      R"(\s*v_dual_mov_b32 v(\d+), (\S+) :: v_dual_mov_b32 v(\d+), (\S+))");
  std::smatch match;
  if (std::regex_match(line, match, kMove)) {
    registers.at(std::stoul(match[1])) = valueOf(match[2], registers);
  } else if (std::regex_match(line, match, kSwap)) {
    std::swap(registers.at(std::stoul(match[1])), registers.at(std::stoul(match[2])));
  } else if (std::regex_match(line, match, kDual)) {
    const uint32_t x = valueOf(match[2], registers), y = valueOf(match[4], registers);
    registers.at(std::stoul(match[1])) = x;
    registers.at(std::stoul(match[3])) = y;
  } else {
    ADD_FAILURE() << "not a move: " << line;
  }
}

/// The lines, after having been assembled and executed.
std::vector<std::string> check(const std::vector<Copy> &copies, std::optional<Vgpr> temporary) {
  std::vector<std::string> lines;
  for (const Inst &move : sequentialise(copies, temporary))
    lines.push_back(move.text());
  std::string body;
  for (const std::string &line : lines)
    body += "\t" + line + "\n";
  test::parseText(test::kernelText(body, "", "256")); // reports illegal pairs
  Registers before{};
  std::iota(before.begin(), before.end(), 1000U);
  Registers wanted = before, got = before;
  for (const Copy &copy : copies)
    wanted[copy.dst.number] = copy.constant.value_or(before[copy.src.number]);
  for (const std::string &line : lines)
    execute(line, got);
  if (temporary)
    got[temporary->number] = wanted[temporary->number];
  EXPECT_EQ(got, wanted) << body;
  return lines;
}

Copy copy(unsigned dst, unsigned src) {
  return {Vgpr{static_cast<uint8_t>(dst)}, Vgpr{static_cast<uint8_t>(src)}, std::nullopt};
}
Copy set(unsigned dst, uint32_t bits) { return {Vgpr{static_cast<uint8_t>(dst)}, Vgpr{0}, bits}; }
constexpr Vgpr kTemporary{200};

TEST(Moves, NothingForNothing) {
  EXPECT_TRUE(check({}, std::nullopt).empty());
  EXPECT_TRUE(check({copy(3, 3), copy(7, 7)}, std::nullopt).empty());
}

TEST(Moves, TwoCopiesShareAnInstruction) {
  EXPECT_EQ(check({copy(0, 11), copy(1, 10)}, std::nullopt).size(), 1U);
  // Both destinations even: no legal pair.
  EXPECT_EQ(check({copy(0, 11), copy(2, 10)}, std::nullopt).size(), 2U);
  // Sources of the same parity can lose an interlock (docs/design.md, decision 5).
  EXPECT_EQ(check({copy(0, 10), copy(1, 12)}, std::nullopt).size(), 2U);
}

TEST(Moves, ExchangeInOneInstructionWhereParityAllows) {
  EXPECT_EQ(check({copy(0, 1), copy(1, 0)}, std::nullopt).size(), 1U);
  EXPECT_EQ(check({copy(0, 2), copy(2, 0)}, std::nullopt).size(), 1U); // v_swap_b32
  EXPECT_EQ(check({copy(0, 2), copy(2, 0)}, kTemporary).size(), 3U);
}

TEST(Moves, ChainsAreCopiedFromTheirEnd) {
  check({copy(1, 2), copy(2, 3), copy(3, 4), copy(4, 5)}, std::nullopt);
  check({copy(5, 4), copy(4, 3), copy(3, 2), copy(2, 1)}, std::nullopt);
}

TEST(Moves, OneSourceForSeveral) {
  check({copy(1, 9), copy(2, 9), copy(3, 9), copy(9, 1)}, std::nullopt);
  check({copy(1, 9), copy(2, 9), copy(3, 9), copy(9, 1)}, kTemporary);
}

TEST(Moves, ConstantsAreSetBehindTheirReaders) {
  check({set(4, 0), copy(6, 4), copy(8, 6)}, std::nullopt);
  check({set(4, 0x3f800000), set(5, 0x3f800000), set(6, 7), set(7, 0xdeadbeef)}, std::nullopt);
  check({copy(0, 2), copy(2, 0), set(4, 0x12345678), set(6, 0x87654321)}, std::nullopt);
}

TEST(Moves, SeveralCyclesWithOneTemporary) {
  // All even, so that no dual move can turn a cycle.
  std::vector<Copy> copies;
  for (const unsigned base : {0U, 20U, 40U, 60U}) {
    copies.push_back(copy(base, base + 2));
    copies.push_back(copy(base + 2, base + 4));
    copies.push_back(copy(base + 4, base));
  }
  check(copies, kTemporary);
  check(copies, std::nullopt);
  std::reverse(copies.begin(), copies.end());
  check(copies, kTemporary);
}

TEST(Moves, RandomPermutations) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const unsigned count = 2 + random.below(40);
    std::vector<unsigned> targets(count);
    std::iota(targets.begin(), targets.end(), 0U);
    for (unsigned i = count; i > 1; --i)
      std::swap(targets[i - 1], targets[random.below(i)]);
    const unsigned base = random.below(100), stride = 1 + random.below(2);
    std::vector<Copy> copies;
    for (unsigned i = 0; i < count; ++i)
      copies.push_back(copy(base + stride * i, base + stride * targets[i]));
    check(copies, std::nullopt);
    check(copies, kTemporary);
  }
}

TEST(Moves, RandomCopiesWithConstants) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<Copy> copies;
    for (unsigned dst = 0; dst < 48; ++dst)
      switch (random.below(3)) {
      case 0:
        copies.push_back(copy(dst, random.below(64)));
        break;
      case 1:
        copies.push_back(
            set(dst, random.below(2) ? random.below(64) : static_cast<uint32_t>(random.next())));
        break;
      default:
        break;
      }
    check(copies, std::nullopt);
    check(copies, kTemporary);
  }
}

TEST(Moves, NeverMoreInstructionsThanCopies) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    std::vector<Copy> copies;
    for (unsigned dst = 0; dst < 32; ++dst)
      copies.push_back(copy(dst, 64 + random.below(64)));
    EXPECT_LE(check(copies, std::nullopt).size(), copies.size()) << "seed " << seed;
  }
}

} // namespace
} // namespace rdna::movesTest
