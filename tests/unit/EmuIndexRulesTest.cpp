//===- EmuIndexRulesTest.cpp - exact integers beside 32-bit registers -------===//
//
// Random expressions: the cells must say of each result by how many 2^32 the register is off.
//
//===----------------------------------------------------------------------===//
#include "Emu/Check/IndexRules.h"
#include "Support/Random.h"

#include <gtest/gtest.h>

namespace emuIndexRulesTest {

using namespace rdna;
using namespace rdna::emu;

namespace {

/// A register, and its exact integer as it is computed here.
struct Number {
  IndexTerm term;
  int64_t exact = 0;
};

Number atom(uint32_t value) { return {{value, {}}, value}; }
Number constant(uint32_t value) { return {constantTerm(value), int32_t(value)}; }

IndexCell cellOf(IndexRule rule, const IndexTerm &a, const IndexTerm &b = {},
                 const IndexTerm &c = {}) {
  return evaluate(rule, {{a, b, c}, {}, 0}).low;
}

Number small(Random &random) {
  return random.below(2) ? atom(uint32_t(random.below(64)))
                         : constant(0 - uint32_t(random.below(64)));
}

TEST(EmuIndexRules, FollowTheIntegers) {
  Random random(7);
  for (unsigned n = 0; n < 100000; ++n) {
    Number x = small(random);
    for (unsigned steps = 0; steps < 4; ++steps) {
      const Number y = random.below(4) ? small(random) : atom(uint32_t(random.next()));
      const uint32_t a = x.term.value, b = y.term.value;
      switch (random.below(7)) {
      case 0:
        x = {{a + b, cellOf(IndexRule::Add, x.term, y.term)}, x.exact + y.exact};
        break;
      case 1:
        x = {{a - b, cellOf(IndexRule::Sub, x.term, y.term)}, x.exact - y.exact};
        break;
      case 2:
        x = {{b - a, cellOf(IndexRule::SubRev, x.term, y.term)}, y.exact - x.exact};
        break;
      case 3:
        x = {{a * 5, cellOf(IndexRule::Mul, x.term, constantTerm(5))}, x.exact * 5};
        break;
      case 4:
        x = {{a << 3, cellOf(IndexRule::ShiftRev, constantTerm(3), x.term)}, x.exact * 8};
        break;
      case 5:
        x = {{(a << 1) + b, cellOf(IndexRule::ShiftAdd, x.term, constantTerm(1), y.term)},
             x.exact * 2 + y.exact};
        break;
      default:
        x = {{(a + b) << 2, cellOf(IndexRule::AddShift, x.term, y.term, constantTerm(2))},
             (x.exact + y.exact) * 4};
        break;
      }
      ASSERT_EQ(x.term.exact(), x.exact);
      ASSERT_EQ(x.term.holds(), x.exact == int64_t(x.term.value));
    }
  }
}

/// The short way must not overlook a result that has a cell.
TEST(EmuIndexRules, CleanIsClean) {
  Random random(13);
  unsigned agreed = 0;
  for (unsigned n = 0; n < 400000; ++n) {
    const auto rule = IndexRule(random.below(unsigned(IndexRule::SignRev) + 1));
    IndexOperands in;
    std::array<int64_t, 3> values;
    for (unsigned k = 0; k < 3; ++k) {
      const auto value = uint32_t((random.next() & 0xffffffff) >> random.below(32));
      in.term[k] = random.below(3) ? IndexTerm{value, {}} : constantTerm(value);
      values[k] = in.term[k].actual();
    }
    in.carry = random.below(2);
    const IndexResult r = evaluate(rule, in);
    const bool clean = r.low.clean() && (!makesPair(rule) || r.high.clean());
    agreed += clean;
    ASSERT_TRUE(clean || !staysClean(rule, values, in.carry)) << unsigned(rule);
  }
  EXPECT_GT(agreed, 100000u);
}

/// A product of 64 by 64 bits as compilers write it, from halves of any origin.
TEST(EmuIndexRules, HalvesOfExactNumbersFit) {
  Random random(11);
  for (unsigned n = 0; n < 100000; ++n) {
    const uint64_t a = random.next() >> random.below(64), b = random.next() >> random.below(64);
    const uint64_t c = random.next() >> random.below(64);
    const auto low = [](uint64_t v) { return IndexTerm{uint32_t(v), {}}; };
    const auto high = [](uint64_t v) { return IndexTerm{uint32_t(v >> 32), {}}; };
    // low(a) * low(b) + c, then low(a) * high(b) and high(a) * low(b) on its high half.
    const IndexResult first = evaluate(IndexRule::Mad64, {{low(a), low(b), low(c)}, high(c), 0});
    uint64_t value = uint64_t(uint32_t(a)) * uint32_t(b) + c;
    const IndexTerm bottom{uint32_t(value), first.low};
    IndexTerm top{uint32_t(value >> 32), first.high};
    top = {uint32_t(a) * uint32_t(b >> 32) + top.value,
           cellOf(IndexRule::Mul, low(a), high(b), top)};
    top = {uint32_t(a >> 32) * uint32_t(b) + top.value,
           cellOf(IndexRule::Mul, high(a), low(b), top)};
    value = a * b + c;
    ASSERT_EQ(value, bottom.value | uint64_t(top.value) << 32);
    if (bottom.cell.wraps == beyond64) // A product of 2^63 and more: no index of anything.
      continue;
    ASSERT_EQ(deviation(bottom, top), 0);
    // One more addition in halves, to numbers that have a history.
    const uint64_t sum = value + c;
    const IndexTerm sumLow{uint32_t(sum), cellOf(IndexRule::Add, bottom, low(c))};
    const uint32_t carry = sumLow.value < bottom.value;
    const IndexTerm sumHigh{uint32_t(sum >> 32),
                            evaluate(IndexRule::AddCarry, {{top, high(c), {}}, {}, carry}).low};
    ASSERT_EQ(deviation(sumLow, sumHigh), 0);
    // Shifted, it still fits; without the carry it does not.
    const uint32_t shift = uint32_t(random.below(4));
    const IndexResult shifted =
        evaluate(IndexRule::Shift64, {{sumLow, IndexTerm{shift, {}}, {}}, sumHigh, 0});
    if (shifted.low.wraps != beyond64) {
      ASSERT_EQ(deviation({uint32_t(sum << shift), shifted.low},
                          {uint32_t(sum << shift >> 32), shifted.high}),
                0);
    }
    if (carry) {
      ASSERT_NE(deviation(sumLow, {sumHigh.value - 1, cellOf(IndexRule::Add, top, high(c))}), 0);
    }
  }
}

} // namespace

} // namespace emuIndexRulesTest
