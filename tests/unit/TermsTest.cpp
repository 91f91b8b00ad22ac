// Terms: what two states have in common, and when one is an instance of the other.

#include "Verify/Terms.h"

#include <gtest/gtest.h>

#include <random>

namespace rdna::verify::termsTest {
namespace {

TEST(Terms, OneWayToWriteIt) {
  Terms terms;
  const TermId x = terms.unknown();
  EXPECT_EQ(terms.plus(terms.plus(x, 3), 0u - 3), x);
  EXPECT_EQ(terms.plus(terms.constant(~0u), 2), terms.constant(1));
  EXPECT_EQ(terms.known({7, 7, 7}), terms.constant(7));
  EXPECT_NE(terms.known({7, 8}), terms.constant(7));
  EXPECT_EQ(terms.negated(terms.negated(x)), x);
  const TermId mask = terms.select(x, terms.constant(~0u), terms.constant(0));
  EXPECT_EQ(terms.isZero(mask), terms.negated(x));
  EXPECT_EQ(terms.select(terms.negated(x), mask, x), terms.select(x, x, mask));
}

TEST(Terms, OfSomeLanes) {
  Terms terms;
  const TermId m = terms.unknown(), n = terms.unknown(), a = terms.unknown(), b = terms.unknown(),
               was = terms.unknown(), all = terms.constant(~0u), both = terms.both(m, n);
  EXPECT_EQ(terms.both(n, m), both);
  EXPECT_EQ(terms.both(m, all), m);
  EXPECT_EQ(terms.both(m, both), both);
  EXPECT_EQ(terms.both(m, terms.constant(0)), terms.constant(0));
  EXPECT_TRUE(terms.isWithin(both, m));
  EXPECT_FALSE(terms.isWithin(m, both));
  const TermId mixed = terms.lanes(m, a, was);
  EXPECT_EQ(terms.lanes(all, a, was), a);
  EXPECT_EQ(terms.seenBy(m, mixed), a);
  EXPECT_EQ(terms.seenBy(both, mixed), a);
  EXPECT_EQ(terms.seenBy(n, mixed), mixed);
  EXPECT_EQ(terms.seenBy(m, terms.lanes(both, b, mixed)), terms.lanes(both, b, a));
  EXPECT_EQ(terms.seenBy(m, terms.lanes(n, b, mixed)), terms.lanes(n, b, a));
  // What is written over leaves nothing.
  EXPECT_EQ(terms.lanes(m, b, mixed), terms.lanes(m, b, was));
  EXPECT_EQ(terms.lanes(m, b, terms.lanes(both, a, was)), terms.lanes(m, b, was));
  EXPECT_NE(terms.lanes(both, b, mixed), terms.lanes(both, b, was));
  EXPECT_EQ(terms.lanes(all, b, mixed), b);
}

TEST(Terms, TheRestOfTheLanes) {
  Terms terms;
  const TermId e = terms.unknown(), m = terms.unknown(), k = terms.unknown(), a = terms.unknown(),
               b = terms.unknown(), was = terms.unknown(), all = terms.constant(~0u),
               none = terms.constant(0), some = terms.both(e, m), rest = terms.without(e, some);
  EXPECT_EQ(rest, terms.without(e, m)); // However it is come to.
  EXPECT_EQ(terms.without(e, rest), some);
  EXPECT_EQ(terms.without(some, e), none);
  EXPECT_EQ(terms.without(e, none), e);
  EXPECT_EQ(terms.without(terms.constant(0xff), terms.constant(0x0f)), terms.constant(0xf0));
  EXPECT_EQ(terms.without(rest, some), rest);
  EXPECT_TRUE(terms.areApart(some, rest));
  EXPECT_FALSE(terms.areApart(some, m));
  EXPECT_TRUE(terms.isWithin(rest, e));
  EXPECT_EQ(terms.united(some, rest), e);
  EXPECT_EQ(terms.united(rest, some), e);
  EXPECT_EQ(terms.united(m, terms.without(all, m)), all);
  EXPECT_EQ(terms.united(some, e), e);
  EXPECT_FALSE(terms.united(m, rest)); // It may have lanes outside of e.
  // Both cut by another mask.
  const TermId cutSome = terms.both(m, k), cutRest = terms.both(terms.without(all, m), k);
  EXPECT_TRUE(terms.areApart(cutSome, cutRest));
  EXPECT_EQ(terms.united(cutSome, cutRest), k);
  EXPECT_FALSE(terms.united(cutSome, terms.both(terms.without(all, m), e)));
  // Both ways of an `if` leave nothing of what was there in its lanes.
  EXPECT_EQ(terms.lanes(rest, a, terms.lanes(some, b, was)),
            terms.lanes(e, terms.lanes(rest, a, b), was));
  const TermId others = terms.without(all, m);
  EXPECT_EQ(terms.lanes(others, a, terms.lanes(m, b, was)), terms.lanes(others, a, b));
  EXPECT_NE(terms.lanes(m, a, terms.lanes(k, b, was)), terms.lanes(m, a, b));
  EXPECT_EQ(terms.lanes(e, terms.lanes(some, a, b), b), terms.lanes(some, a, b));
  // Of which lanes it is known that they are off.
  const TermId low = terms.constant(0xff);
  EXPECT_EQ(terms.mostLanes(terms.both(low, m)), std::vector<uint32_t>{0xff});
  EXPECT_EQ(terms.mostLanes(terms.both(terms.both(low, m), terms.known({0xf0, 0x0f}))),
            (std::vector<uint32_t>{0xf0, 0x0f}));
  EXPECT_EQ(terms.mostLanes(terms.without(low, m)), std::vector<uint32_t>{0xff});
  EXPECT_TRUE(terms.mostLanes(m).empty());
}

/// Masks and what lanes have, made at random, once as terms and once as bits: a bit of a value is
/// what one of 32 lanes has.
TEST(Terms, MasksMeanWhatTheyAreWrittenFor) {
  std::mt19937 random(7);
  const auto below = [&](size_t n) {
    return std::uniform_int_distribution<size_t>(0, n - 1)(random);
  };
  for (int round = 0; round < 2000; ++round) {
    Terms terms;
    struct Both {
      TermId term;
      uint32_t bits;
    };
    std::map<TermId, uint32_t> leaves;
    const auto leaf = [&] {
      const TermId term = terms.unknown();
      return Both{term, leaves[term] = static_cast<uint32_t>(random())};
    };
    std::vector<Both> masks{
        leaf(), leaf(), leaf(), {terms.constant(~0u), ~0u}, {terms.constant(0xffff), 0xffff}};
    std::vector<Both> values{leaf(), leaf(), leaf()};
    const auto bitsOf = [&](auto &&self, TermId term) -> uint32_t {
      if (const auto number = terms.asNumber(term))
        return *number;
      const Term whole = terms[term];
      if (whole.kind == Term::Kind::Unknown)
        return leaves.at(term);
      std::vector<uint32_t> args;
      for (const TermId arg : whole.args)
        args.push_back(self(self, arg));
      if (whole.kind == Term::Kind::And)
        return args[0] & args[1];
      if (whole.kind == Term::Kind::Without)
        return args[0] & ~args[1];
      EXPECT_EQ(whole.kind, Term::Kind::Lanes);
      return (args[0] & args[1]) | (~args[0] & args[2]);
    };
    for (int step = 0; step < 12; ++step) {
      const Both a = masks[below(masks.size())], b = masks[below(masks.size())];
      const Both now = values[below(values.size())], was = values[below(values.size())];
      switch (below(4)) {
      case 0:
        masks.push_back({terms.both(a.term, b.term), a.bits & b.bits});
        break;
      case 1:
        masks.push_back({terms.without(a.term, b.term), a.bits & ~b.bits});
        break;
      case 2:
        if (const auto all = terms.united(a.term, b.term))
          masks.push_back({*all, a.bits | b.bits});
        EXPECT_TRUE(!terms.isWithin(a.term, b.term) || (a.bits & ~b.bits) == 0);
        EXPECT_TRUE(!terms.areApart(a.term, b.term) || (a.bits & b.bits) == 0);
        break;
      default: // Of `now` only what the lanes of the mask see counts.
        values.push_back({terms.lanes(a.term, terms.seenBy(a.term, now.term), was.term),
                          (a.bits & now.bits) | (~a.bits & was.bits)});
      }
      for (const Both &mask : {masks.back(), values.back()})
        ASSERT_EQ(bitsOf(bitsOf, mask.term), mask.bits) << "round " << round << ", step " << step;
      const std::vector<uint32_t> most = terms.mostLanes(masks.back().term);
      EXPECT_TRUE(most.empty() || (masks.back().bits & ~most.front()) == 0);
    }
  }
}

TEST(Terms, FewBits) {
  Terms terms;
  const TermId x = terms.unknown(), low = terms.masked(x, 7);
  EXPECT_EQ(terms.masked(terms.masked(x, 15), 7), low);
  EXPECT_EQ(terms.masked(terms.constant(29), 7), terms.constant(5));
  EXPECT_EQ(terms.masked(x, ~0u), x);
  EXPECT_EQ(terms.masked(x, 0), terms.constant(0));
  const auto below = [&](TermId a, TermId b) {
    return terms.make({Term::Kind::IsBelowSigned, 0, {a, b}});
  };
  const TermId left = terms.plus(low, 0u - 3);
  const TermId more = below(terms.constant(0), left);
  EXPECT_EQ(terms.maskedOf(more), low);
  EXPECT_EQ(terms.maskedOf(terms.negated(terms.isZero(left))), low);
  EXPECT_FALSE(terms.maskedOf(below(left, x)));
  EXPECT_FALSE(terms.maskedOf(below(left, terms.masked(x, 3))));
  EXPECT_EQ(terms.valueWhere(more, low, 3), 0u);
  EXPECT_EQ(terms.valueWhere(more, low, 4), 1u);
  EXPECT_EQ(terms.valueWhere(more, low, 2), 0u); // -1, signed.
  EXPECT_EQ(terms.valueWhere(terms.select(more, left, terms.constant(9)), low, 2), 9u);
  EXPECT_FALSE(terms.valueWhere(x, low, 2));
}

TEST(Terms, WhatTwoStatesHaveInCommon) {
  Terms terms;
  const TermId n = terms.unknown(), step = terms.unknown();
  const auto sum = [&](TermId a) { return terms.make({Term::Kind::Result, 0, {a, step}}); };
  Common common(terms);
  // A counter, and another one that is one step ahead.
  const TermId counter = common.of(terms.plus(n, 0u - 1), terms.plus(n, 0u - 2));
  EXPECT_EQ(common.of(terms.plus(n, 0u - 2), terms.plus(n, 0u - 3)), terms.plus(counter, 0u - 1));
  EXPECT_EQ(common.of(terms.constant(8), terms.constant(16)),
            terms.plus(common.of(terms.constant(0), terms.constant(8)), 8));
  // A pointer, and another one.
  const TermId pointer = common.of(n, sum(n));
  EXPECT_EQ(common.of(sum(n), sum(sum(n))), sum(pointer));
  // What is the same in both stays; what is not, is another unknown.
  EXPECT_EQ(common.of(step, step), step);
  EXPECT_NE(common.of(n, step), common.of(step, n));
  EXPECT_EQ(common.ifExpressed(sum(n), sum(sum(n))), sum(pointer));
  EXPECT_FALSE(common.ifExpressed(n, sum(sum(n))));
}

TEST(Terms, Instances) {
  Terms terms;
  const TermId x = terms.unknown(), y = terms.unknown(), a = terms.unknown();
  const auto pair = [&](TermId l, TermId r) { return terms.make({Term::Kind::Result, 1, {l, r}}); };
  {
    Instance instance(terms);
    EXPECT_TRUE(
        instance.match(pair(x, terms.plus(x, 1)), pair(terms.plus(a, 4), terms.plus(a, 5))));
    EXPECT_EQ(instance.replaced(terms.plus(x, 2)), terms.plus(a, 6));
    EXPECT_FALSE(instance.replaced(y));
    EXPECT_FALSE(instance.match(x, a)); // It stands for something else.
  }
  {
    Instance instance(terms);
    EXPECT_FALSE(instance.match(pair(x, x), pair(a, y)));
  }
  {
    Instance instance(terms);
    EXPECT_FALSE(instance.match(pair(x, terms.plus(x, 1)), pair(a, terms.plus(a, 2))));
    EXPECT_FALSE(Instance(terms).match(terms.constant(1), terms.constant(2)));
    EXPECT_FALSE(Instance(terms).match(pair(x, y), x));
  }
}

} // namespace
} // namespace rdna::verify::termsTest
