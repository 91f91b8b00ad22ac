// Terms: what two states have in common, and when one is an instance of the other.

#include "Verify/Terms.h"

#include <gtest/gtest.h>

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
