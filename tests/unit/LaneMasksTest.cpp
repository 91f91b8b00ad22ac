// The algebra of lane masks against brute force: a lane is a setting of the masks that nothing is
// known of, so all settings together are all lanes that there can be.

#include "Symbolic/Expr.h"
#include "Symbolic/LaneFunctions.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace rdna::test {
namespace {

using verify::ExprPool;
using verify::LaneFunctions;
using verify::Value;

constexpr unsigned kAtoms = 4, kSettings = 1 << kAtoms;
using Table = uint16_t; ///< Bit n: what the function is in setting n.

Table atomTable(unsigned atom) {
  Table table = 0;
  for (unsigned n = 0; n < kSettings; ++n)
    table |= static_cast<Table>((n >> atom & 1) << n);
  return table;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

TEST(LaneFunctions, OneNumberForEachFunction) {
  std::mt19937 random(1);
  LaneFunctions functions;
  std::vector<std::pair<LaneFunctions::Function, Table>> made{{LaneFunctions::kNone, 0},
                                                              {LaneFunctions::kAll, 0xffff}};
  for (unsigned a = 0; a < kAtoms; ++a)
    made.emplace_back(functions.atom(a * 3), atomTable(a)); // Names need not be dense.
  std::map<Table, LaneFunctions::Function> byTable;
  for (unsigned n = 0; n < 4000; ++n) {
    const auto [f, is] = made[random() % made.size()];
    const auto [g, other] = made[random() % made.size()];
    const auto [h, third] = made[random() % made.size()];
    const std::pair<LaneFunctions::Result, Table> results[] = {
        {functions.both(f, g), is & other},
        {functions.either(f, g), is | other},
        {functions.butNot(f, g), is & ~other},
        {functions.differing(f, g), is ^ other},
        {functions.complement(f), ~is},
        {functions.choose(f, g, h), (is & other) | (~is & third)}};
    for (const auto &[result, table] : results) {
      ASSERT_TRUE(result);
      const auto [it, isNew] = byTable.try_emplace(table, *result);
      ASSERT_EQ(it->second, *result) << "two numbers for " << table;
      made.emplace_back(*result, table);
    }
    EXPECT_EQ(functions.isWithin(f, g), (is & ~other) == 0);
    EXPECT_EQ(functions.isDisjoint(f, g), (is & other) == 0);
    EXPECT_EQ(functions.holdsOfNone(f), (is & 1) != 0);
  }
  EXPECT_GT(byTable.size(), 300U);
}

TEST(LaneFunctions, NamesThatAreTakenOrReplaced) {
  std::mt19937 random(2);
  LaneFunctions functions;
  std::vector<std::pair<LaneFunctions::Function, Table>> made;
  for (unsigned a = 0; a < kAtoms; ++a)
    made.emplace_back(functions.atom(a), atomTable(a));
  const auto pick = [&] { return made[random() % made.size()]; };
  for (unsigned n = 0; n < 2000; ++n) {
    const auto [f, is] = pick();
    const auto [g, other] = pick();
    made.emplace_back(*functions.choose(f, g, pick().first), 0);
    made.pop_back();
    made.emplace_back(*functions.differing(f, g), is ^ other);
    made.emplace_back(*functions.butNot(f, g), is & ~other);
    const unsigned atom = random() % kAtoms;
    Table some = 0, replaced = 0;
    for (unsigned s = 0; s < kSettings; ++s) {
      const unsigned set = s | 1U << atom, clear = s & ~(1U << atom);
      some |= static_cast<Table>((is >> set | is >> clear) & 1) << s;
      replaced |= static_cast<Table>(is >> (other >> s & 1 ? set : clear) & 1) << s;
    }
    EXPECT_TRUE(functions.isWithin(f, *functions.without(f, atom)));
    const auto check = [&, f = f](LaneFunctions::Result result, Table table) {
      ASSERT_TRUE(result);
      for (unsigned s = 0; s < kSettings; ++s) {
        const auto at = functions.replaced(*result, [&](uint32_t v) -> LaneFunctions::Result {
          return s >> v & 1 ? LaneFunctions::kAll : LaneFunctions::kNone;
        });
        EXPECT_EQ(at, table >> s & 1 ? LaneFunctions::kAll : LaneFunctions::kNone);
      }
    };
    check(functions.without(f, atom), some);
    check(functions.replaced(f,
                             [&, g = g](uint32_t v) -> LaneFunctions::Result {
                               return v == atom ? g : functions.atom(v);
                             }),
          replaced);
  }
}

/// A function whose diagram is large in this order is given up, not worked on for ever.
TEST(LaneFunctions, TooLargeIsNothing) {
  LaneFunctions functions;
  LaneFunctions::Result all = LaneFunctions::kNone;
  for (unsigned n = 0; n < 24 && all; ++n) {
    const auto pair = functions.both(functions.atom(n), functions.atom(n + 24));
    all = pair ? functions.either(*all, *pair) : pair;
  }
  EXPECT_FALSE(all);
}

//===----------------------------------------------------------------------===//
// Masks and registers of the proof
//===----------------------------------------------------------------------===//

/// What values mean in each lane.
class Lanes {
public:
  explicit Lanes(unsigned seed) : random_(seed) {
    // A comparison under E has no lane outside of it: of its settings these do not occur.
    const Value e = unknown(0), t = unknown(1), u = unknown(2);
    add(pool.constant(0), 0);
    add(pool.constant(~0U), static_cast<Table>(~0U));
    add(e, atomTable(0));
    add(t, atomTable(1));
    add(u, atomTable(2));
    compared_ = pool.compare("compared", {unknown(7), e});
    add(compared_, atomTable(0) & atomTable(3));
  }

  std::pair<Value, Table> pick() { return masks_[random_() % masks_.size()]; }

  /// Another mask; all that are equal in every lane are one value.
  void combine() {
    const auto [a, is] = pick();
    const auto [b, other] = pick();
    switch (random_() % 5) {
    case 0:
      return add(pool.maskAnd(a, b), is & other);
    case 1:
      return add(pool.maskOr(a, b), is | other);
    case 2:
      return add(pool.maskXor(a, b), is ^ other);
    case 3:
      return add(pool.maskAndNot(a, b), is & ~other);
    default:
      return add(pool.maskNot(a), static_cast<Table>(~is));
    }
  }

  void checkMasks() {
    std::map<Table, Value> byTable;
    for (const auto &[value, table] : masks_) {
      EXPECT_EQ(tableOf(value), table) << pool.render(value);
      EXPECT_EQ(byTable.try_emplace(table, value).first->second, value) << pool.render(value);
      const auto [other, otherTable] = pick();
      EXPECT_EQ(pool.isSubset(value, other), (table & ~otherTable) == 0);
    }
  }

  /// Writes of a register, one after the other, and what it holds in each lane.
  struct Register {
    Value value;
    std::array<Value, kSettings> is;
  };
  Register fresh(unsigned n) {
    Register result{unknown(20 + n), {}};
    result.is.fill(result.value);
    return result;
  }
  void write(Register &reg, Value value, std::pair<Value, Table> exec) {
    reg.value = pool.select(exec.first, value, reg.value);
    for (unsigned s = 0; s < kSettings; ++s)
      if (exec.second >> s & 1)
        reg.is[s] = value;
  }
  void move(Register &to, const Register &from, std::pair<Value, Table> exec) {
    to.value = pool.select(exec.first, pool.within(from.value, exec.first), to.value);
    for (unsigned s = 0; s < kSettings; ++s)
      if (exec.second >> s & 1)
        to.is[s] = from.is[s];
  }
  void check(const Register &reg, std::pair<Value, Table> exec) {
    const Value inside = pool.within(reg.value, exec.first);
    const Value outside = pool.outside(reg.value, exec.first);
    for (unsigned s = 0; s < kSettings; ++s) {
      EXPECT_EQ(held(reg.value, s), reg.is[s]) << pool.render(reg.value);
      EXPECT_EQ(held(exec.second >> s & 1 ? inside : outside, s), reg.is[s]);
    }
  }
  /// Same in the lanes that occur?
  static bool agree(const Register &a, const Register &b, Table lanes) {
    for (unsigned s = 0; s < kSettings; ++s)
      if ((lanes >> s & 1) && a.is[s] != b.is[s])
        return false;
    return true;
  }

  Value unknown(unsigned n) { return pool.unknown(verify::Unknown::Register, n, 0); }
  std::mt19937 &random() { return random_; }
  ExprPool pool;

private:
  void add(Value value, Table table) { masks_.emplace_back(value, table); }

  Table tableOf(Value value) {
    Table table = 0;
    for (unsigned s = 0; s < kSettings; ++s)
      table |= static_cast<Table>(bit(value, s)) << s;
    return table;
  }
  bool bit(Value value, unsigned s) {
    const auto made = pool.made(value);
    if (made.kind == ExprPool::Kind::Constant)
      return *pool.asConstant(value) != 0;
    if (value == compared_)
      return (s & 1) && (s >> 3 & 1);
    if (const auto origin = pool.asUnknown(value))
      return s >> origin->index & 1;
    const bool a = bit(made.args[0], s), b = bit(made.args[1], s);
    if (made.head == "and")
      return a && b;
    if (made.head == "or")
      return a || b;
    if (made.head == "xor")
      return a != b;
    EXPECT_EQ(made.head, "and-not");
    return a && !b;
  }
  Value held(Value value, unsigned s) {
    while (pool.made(value).kind == ExprPool::Kind::Select) {
      const auto made = pool.made(value);
      value = bit(made.args[0], s) ? made.args[1] : made.args[2];
    }
    return value;
  }

  std::mt19937 random_;
  Value compared_ = 0;
  std::vector<std::pair<Value, Table>> masks_;
};

TEST(LaneMasks, EqualFunctionsAreOneValue) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Lanes lanes(seed);
    for (unsigned n = 0; n < 60; ++n)
      lanes.combine();
    lanes.checkMasks();
  }
}

TEST(LaneMasks, RegistersHoldWhatWasWritten) {
  unsigned same = 0, differing = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Lanes lanes(seed);
    for (unsigned n = 0; n < 10; ++n)
      lanes.combine();
    std::array<Lanes::Register, 3> regs{lanes.fresh(0), lanes.fresh(1), lanes.fresh(0)};
    const Value written[] = {lanes.unknown(30), lanes.unknown(31), lanes.unknown(5)};
    for (unsigned n = 0; n < 8; ++n) {
      const unsigned r = lanes.random()() % 3;
      if (lanes.random()() % 3 == 0)
        lanes.move(regs[r], regs[lanes.random()() % 3], lanes.pick());
      else
        lanes.write(regs[r], written[lanes.random()() % 3], lanes.pick());
    }
    for (const Lanes::Register &reg : regs) {
      lanes.check(reg, lanes.pick());
      for (const Lanes::Register &other : regs) {
        const auto exec = lanes.pick();
        const bool isSame = Lanes::agree(reg, other, exec.second);
        if (exec.second == 0) // Nobody looks.
          continue;
        EXPECT_EQ(lanes.pool.within(reg.value, exec.first) ==
                      lanes.pool.within(other.value, exec.first),
                  isSame)
            << "seed " << seed << ": " << lanes.pool.render(reg.value) << " and "
            << lanes.pool.render(other.value) << " in " << lanes.pool.render(exec.first);
        EXPECT_EQ(reg.value == other.value, Lanes::agree(reg, other, 0xffff)) << "seed " << seed;
        ++(isSame ? same : differing);
      }
    }
  }
  EXPECT_GT(same, 1000U);
  EXPECT_GT(differing, 1000U);
}

/// What compilers do with masks, by name.
TEST(LaneMasks, Idioms) {
  ExprPool pool;
  const auto mask = [&](unsigned n) { return pool.unknown(verify::Unknown::Register, n, 0); };
  const Value e = mask(0), s = mask(1), t = mask(2), none = pool.constant(0);
  EXPECT_EQ(pool.maskXor(pool.maskOr(e, s), e), pool.maskAndNot(s, e)); // s_or_saveexec, s_xor
  EXPECT_TRUE(pool.isSubset(pool.maskXor(pool.maskOr(e, s), e), s));
  EXPECT_FALSE(pool.isSubset(s, pool.maskXor(pool.maskOr(e, s), e)));
  const Value then = pool.maskAnd(e, s), other = pool.maskXor(e, then);
  EXPECT_EQ(pool.maskOr(then, other), e);
  EXPECT_EQ(pool.maskAnd(then, other), none);
  EXPECT_EQ(pool.maskOr(pool.maskAndNot(e, t), pool.maskAnd(t, e)), e);
  EXPECT_NE(pool.maskOr(pool.maskAndNot(e, t), t), e); // t may have lanes that e has not.
  // Of an empty EXEC nothing is written, and a mask without lanes is the constant.
  EXPECT_EQ(pool.select(none, s, t), t);
  EXPECT_EQ(pool.nonzero(pool.maskAnd(then, other)), none);
  // A comparison is within its EXEC, and no other mask.
  const Value compared = pool.compare("compared", {mask(7), then});
  EXPECT_TRUE(pool.isSubset(compared, e));
  EXPECT_TRUE(pool.isSubset(compared, s));
  EXPECT_FALSE(pool.isSubset(compared, t));
  EXPECT_EQ(pool.maskOr(compared, e), e);
  // s_cselect_b32 of masks: one of the two.
  const Value chosen = pool.chooseMask(pool.nonzero(mask(9)), then, compared);
  EXPECT_TRUE(pool.isSubset(chosen, e));
  EXPECT_FALSE(pool.isSubset(chosen, compared));
}

} // namespace
} // namespace rdna::test
