// What masks say of lanes, held against every lane that there can be.

#include "Support/Random.h"
#include "Symbolic/Expr.h"

#include <gtest/gtest.h>

#include <array>

namespace rdna::verify::symbolicLanesTest {
namespace {

constexpr unsigned kAtoms = 4;

/// A mask with its bit in each of the lanes that can be told apart.
struct Mask {
  Value value;
  uint64_t table; ///< Bit by combination of the atoms' bits, for each of four kinds of lanes.
};

class Masks {
public:
  Masks() {
    for (unsigned i = 0; i < kAtoms; ++i) {
      all.push_back({pool.unknown(Unknown::Register, 256 + i, 0), bitsOf(i)});
    }
  }
  /// Masks that are constants tell lanes apart as well.
  void addConstants() {
    all.push_back({pool.constant(0x0000ffff), bitsOf(kAtoms)});
    all.push_back({pool.constant(0x00ff00ff), bitsOf(kAtoms + 1)});
  }
  /// So does what a comparison finds where some mask has lanes.
  void addComparison(Random &random) {
    const Mask exec = all[random.below(kAtoms - 1)];
    const Value x = pool.unknown(Unknown::Register, 0, 0);
    all[kAtoms - 1] = {pool.compare("v_cmp_lt_u32", {x, exec.value}),
                       bitsOf(kAtoms - 1) & exec.table};
  }
  Mask some(Random &random) { return all[random.below(all.size())]; }
  void grow(Random &random) {
    const Mask a = some(random), b = some(random);
    switch (random.below(4)) {
    case 0:
      all.push_back({pool.maskAnd(a.value, b.value), a.table & b.table});
      break;
    case 1:
      all.push_back({pool.maskOr(a.value, b.value), a.table | b.table});
      break;
    case 2:
      all.push_back({pool.maskXor(a.value, b.value), a.table ^ b.table});
      break;
    default:
      all.push_back({pool.maskAndNot(a.value, b.value), a.table & ~b.table});
      break;
    }
  }
  ExprPool pool;
  std::vector<Mask> all;

private:
  static uint64_t bitsOf(unsigned atom) {
    uint64_t table = 0;
    for (unsigned lane = 0; lane < 64; ++lane)
      table |= uint64_t{lane >> atom & 1} << lane;
    return table;
  }
};

/// The lanes that have all these bits.
uint64_t lanesOf(const std::vector<std::pair<Mask, Bit>> &facts) {
  uint64_t lanes = ~0ULL;
  for (const auto &[mask, bit] : facts)
    lanes &= bit == Bit::Set ? mask.table : ~mask.table;
  return lanes;
}

TEST(SymbolicLanes, NoneMeansThatEveryLaneContradicts) {
  Random random(11);
  unsigned none = 0, missed = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    Masks masks;
    if (round % 2)
      masks.addConstants();
    if (round % 4 > 1)
      masks.addComparison(random);
    for (unsigned i = 0; i < 5; ++i)
      masks.grow(random);
    std::vector<std::pair<Mask, Bit>> facts;
    LaneFacts said;
    for (unsigned i = 0; i < 3; ++i) {
      facts.emplace_back(masks.some(random), random.below(2) ? Bit::Set : Bit::Clear);
      said.push_back({facts.back().first.value, facts.back().second});
    }
    const bool isNone = masks.pool.areNone(said);
    EXPECT_TRUE(!isNone || lanesOf(facts) == 0) << "round " << round;
    none += isNone;
    missed += !isNone && lanesOf(facts) == 0;
  }
  EXPECT_GT(none, 200u);
  EXPECT_EQ(missed, 0u); // Formulas of this size are followed to their end.
}

/// What a register that was written under several masks holds, lane by lane.
TEST(SymbolicLanes, EqualMeansEqualInEveryLane) {
  Random random(12);
  unsigned equal = 0, missed = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    Masks masks;
    for (unsigned i = 0; i < 4; ++i)
      masks.grow(random);
    struct Register {
      Value value;
      std::array<unsigned, 16> lanes;
    };
    std::array<Register, 2> registers;
    for (Register &reg : registers) {
      reg.value = masks.pool.constant(0);
      reg.lanes.fill(0);
      for (unsigned write = 0; write < 3; ++write) {
        const Mask mask = masks.some(random);
        const unsigned number = 1 + random.below(2);
        reg.value = masks.pool.select(mask.value, masks.pool.constant(number), reg.value);
        for (unsigned lane = 0; lane < 16; ++lane)
          if (mask.table >> lane & 1)
            reg.lanes[lane] = number;
      }
    }
    const Mask in = masks.some(random);
    const bool areEqual =
        masks.pool.areEqual(registers[0].value, registers[1].value, {{in.value, Bit::Set}});
    equal += areEqual;
    bool inFact = true;
    for (unsigned lane = 0; lane < 16; ++lane)
      inFact &= !(in.table >> lane & 1) || registers[0].lanes[lane] == registers[1].lanes[lane];
    EXPECT_TRUE(!areEqual || inFact) << "round " << round;
    missed += inFact && !areEqual;
  }
  EXPECT_GT(equal, 100u);
  EXPECT_LT(missed, equal / 10); // Given up.
}

/// Two sides of an `if`, one behind the other, several times: as often is EXEC what it was.
TEST(SymbolicLanes, ManyBranchesOnFewConditions) {
  ExprPool pool;
  const auto mask = [&](unsigned i) { return pool.unknown(Unknown::Register, 256 + i, 0); };
  const Value start = mask(0), less = mask(1), other = mask(2);
  Value exec = start;
  for (unsigned i = 0; i < 6; ++i) {
    const Value then = pool.maskAnd(exec, less), rest = pool.maskXor(exec, then);
    const Value both = pool.maskOr(then, rest), otherwise = pool.maskXor(both, rest);
    exec = pool.maskOr(otherwise, rest);
  }
  const Value unrelated = pool.maskAnd(other, pool.maskAnd(mask(3), mask(4)));
  EXPECT_TRUE(pool.areNone({{unrelated, Bit::Clear}, {exec, Bit::Set}, {start, Bit::Clear}}));
  EXPECT_TRUE(pool.areNone({{unrelated, Bit::Clear}, {exec, Bit::Clear}, {start, Bit::Set}}));
  EXPECT_FALSE(pool.areNone({{unrelated, Bit::Clear}, {exec, Bit::Set}, {less, Bit::Clear}}));
  // More masks than are tried out: formulas are taken apart.
  Value some = mask(5), all = mask(5);
  LaneFacts none;
  for (unsigned i = 6; i < 30; ++i) {
    some = pool.maskOr(mask(i), some);
    all = pool.maskXor(all, mask(i));
    none.push_back({pool.maskAnd(mask(i), mask(5)), Bit::Clear});
    none.push_back({pool.maskAndNot(mask(i), mask(5)), Bit::Clear});
  }
  none.append({{mask(5), Bit::Clear}, {some, Bit::Set}});
  EXPECT_TRUE(pool.areNone(none));
  none.back() = {all, Bit::Set};
  EXPECT_TRUE(pool.areNone(none));
  none.front() = {mask(6), Bit::Set};
  none[1] = none.front();
  EXPECT_FALSE(pool.areNone(none));
}

TEST(SymbolicLanes, ConstantMasksLeaveTheirLanes) {
  ExprPool pool;
  const Value exec = pool.unknown(Unknown::Register, 256, 0);
  const auto bits = [&](uint32_t mask) { return pool.constant(mask); };
  EXPECT_TRUE(pool.areNone({{bits(0xff), Bit::Clear}, {exec, Bit::Set}, {bits(0xff), Bit::Set}}));
  EXPECT_TRUE(pool.areNone({{bits(0xf0), Bit::Set}, {bits(0x0f), Bit::Set}}));
  EXPECT_TRUE(
      pool.areNone({{bits(0xff), Bit::Set}, {bits(0x0f), Bit::Clear}, {bits(0xf0), Bit::Clear}}));
  EXPECT_FALSE(pool.areNone({{bits(0xff), Bit::Set}, {bits(0x0f), Bit::Clear}}));
  EXPECT_FALSE(pool.areNone({{bits(0xff), Bit::Clear}, {bits(0x0f), Bit::Clear}}));
  EXPECT_TRUE(pool.areNone(
      {{pool.maskOr(bits(0xf0), exec), Bit::Set}, {exec, Bit::Clear}, {bits(0xff), Bit::Clear}}));
}

TEST(SymbolicLanes, AComparisonIsOfActiveLanes) {
  ExprPool pool;
  const Value exec = pool.unknown(Unknown::Register, 256, 0);
  const Value x = pool.unknown(Unknown::Register, 0, 0);
  const Value less = pool.compare("v_cmp_lt_u32", {x, exec});
  EXPECT_TRUE(pool.areNone({{less, Bit::Set}, {exec, Bit::Clear}}));
  EXPECT_FALSE(pool.areNone({{less, Bit::Clear}, {exec, Bit::Set}}));
  EXPECT_FALSE(pool.areNone({{less, Bit::Clear}, {exec, Bit::Clear}}));
}

} // namespace
} // namespace rdna::verify::symbolicLanesTest
