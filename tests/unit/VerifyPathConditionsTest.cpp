// What is concluded from facts is so: random conditions over registers whose values are known here
// and not to the proof.

#include "Symbolic/PathConditions.h"

#include "VerifySample.h"

#include <iterator>
#include <map>
#include <random>

namespace rdna::test::verifyPathConditionsTest {
namespace {

using verify::ExprPool;
using verify::Value;
using Order = ExprPool::Order;

/// A value and what it is.
struct Known {
  Value value;
  uint32_t is;
};

class Conditions {
public:
  explicit Conditions(unsigned seed) : random_(seed) {
    for (unsigned r = 0; r < 3; ++r) {
      // Numbers at the borders of the orders, and near each other.
      const uint32_t is = r > 0 && pick(2) ? words_[0].is + pick(40) - 20 : number();
      words_.push_back({pool_.unknown(verify::Unknown::Register, 256 + r, 0), is});
    }
    for (unsigned n = 0; n < 30; ++n)
      make();
  }

  /// Learns some of them, and asks for all. How many followed.
  unsigned check() {
    verify::PathConditions facts;
    for (unsigned n = pick(5); n < 5; ++n) {
      const Known known = any();
      facts.learn(pool_, known.value, known.is != 0);
    }
    unsigned decided = 0;
    for (const Known &known : words_)
      if (const auto nonzero = facts.isNonzero(pool_, known.value)) {
        ++decided;
        EXPECT_EQ(*nonzero, known.is != 0) << pool_.render(known.value);
      }
    return decided;
  }

private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  uint32_t number() {
    static constexpr uint32_t kBorders[] = {0, 8, 24, 100, 0x7fffffff, 0x80000000, 0xffffffff};
    return kBorders[pick(std::size(kBorders))] + pick(5) - 2;
  }
  Known any() { return words_[pick(static_cast<unsigned>(words_.size()))]; }
  Known operand() {
    if (pick(3) == 0) {
      const uint32_t bits = number();
      return {pool_.constant(bits), bits};
    }
    return pick(2) ? words_[pick(3)] : any();
  }
  void add(Value value, uint32_t is) {
    const auto [it, isNew] = meanings_.try_emplace(value, is);
    EXPECT_EQ(it->second, is) << "one value for two: " << pool_.render(value);
    words_.push_back({value, is});
  }
  void addTruth(Value value, bool is) {
    add(value, is);
    truths_.push_back({value, is});
  }

  void make() {
    const Known a = operand(), b = operand();
    const auto left = static_cast<int32_t>(a.is), right = static_cast<int32_t>(b.is);
    const Value difference = pool_.sum(a.value, pool_.negated(b.value));
    const Known truth = truths_.empty() ? Known{pool_.constant(1), 1}
                                        : truths_[pick(static_cast<unsigned>(truths_.size()))];
    switch (pick(11)) {
    case 0:
      return add(pool_.sum(a.value, b.value), a.is + b.is);
    case 1:
      return add(difference, a.is - b.is);
    case 2:
      return addTruth(pool_.less(a.value, b.value, Order::Unsigned), a.is < b.is);
    case 3:
      return addTruth(pool_.less(a.value, b.value, Order::Signed), left < right);
    case 4:
      return addTruth(pool_.isZero(a.value), a.is == 0);
    case 5:
      return addTruth(pool_.nonzero(a.value), a.is != 0);
    case 6:
      return addTruth(pool_.inverse(truth.value), !truth.is);
    case 7:
      return add(pool_.choose(truth.value, a.value, b.value), truth.is ? a.is : b.is);
    case 8:
      return add(pool_.maskAndNot(a.value, b.value), a.is & ~b.is);
    case 9: { // s_sub_u32, s_cselect_b32
      const bool borrows = a.is < b.is;
      return add(pool_.choose(pool_.less(a.value, b.value, Order::Unsigned), pool_.constant(0),
                              difference),
                 borrows ? 0 : a.is - b.is);
    }
    default: { // s_sub_i32, s_cselect_b32
      const int64_t exact = int64_t(left) - right;
      const bool overflows = exact != static_cast<int32_t>(exact);
      const Value truthOfIt = pool_.apply("overflow of difference", {a.value, b.value});
      addTruth(truthOfIt, overflows);
      return add(pool_.choose(truthOfIt, pool_.constant(0x80000000), difference),
                 overflows ? 0x80000000 : a.is - b.is);
    }
    }
  }

  std::mt19937 random_;
  ExprPool pool_;
  std::vector<Known> words_, truths_;
  std::map<Value, uint32_t> meanings_;
};

TEST(VerifyFacts, WhatFollowsIsSo) {
  unsigned decided = 0;
  for (unsigned seed = 0; seed < 20000 && !testing::Test::HasFailure(); ++seed)
    decided += Conditions(seed).check();
  EXPECT_GT(decided, 100000U); // Constants are among them.
}

/// Of x < 10, where one more or less decides.
TEST(VerifyFacts, BordersOfWhatFollows) {
  ExprPool pool;
  const Value x = pool.unknown(verify::Unknown::Register, 256, 0);
  verify::PathConditions facts;
  facts.learn(pool, pool.less(x, pool.constant(10), Order::Unsigned), true);
  const auto isLess = [&](uint32_t added, uint32_t bound) {
    return facts.isNonzero(
        pool, pool.less(pool.sum(x, pool.constant(added)), pool.constant(bound), Order::Unsigned));
  };
  EXPECT_EQ(isLess(0, 11), true);
  EXPECT_EQ(isLess(1, 11), true);
  EXPECT_EQ(isLess(3, 13), true);
  EXPECT_EQ(isLess(0, 9), std::nullopt);
  EXPECT_EQ(isLess(1, 10), std::nullopt);
  EXPECT_EQ(isLess(2, 11), std::nullopt);
  EXPECT_EQ(isLess(4, 13), std::nullopt);
}

TEST(VerifyFacts, ChoicesBetweenChoicesAreLearntOnce) {
  // 2^60 steps if each of them says what the next one does twice.
  std::string body;
  for (unsigned n = 0; n < 60; ++n)
    body += "\ts_cmp_lt_u32 s4, s6\n\ts_cselect_b32 s6, s6, 0\n";
  body += "\ts_cmp_lt_u32 s4, s6\n\ts_cbranch_scc1 .Lskip\n\tv_mov_b32 v1, 0\n.Lskip:\n"
          "\tglobal_store_b32 v0, v1, s[8:9]";
  EXPECT_EQ(refusalOfBodies(body, body), "");
}

} // namespace
} // namespace rdna::test::verifyPathConditionsTest
