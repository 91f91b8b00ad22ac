// Ports decide about most pairs at once: never otherwise than the rules, asked one by one.

#include "Transform/PairForms.h"
#include "Support/Random.h"

#include <gtest/gtest.h>

namespace pairFormsTest {

using namespace rdna;

namespace {

VopdSource source(Random &random) {
  // Few registers, so that banks and parities meet often.
  const uint32_t vgpr = random.below(10);
  switch (random.below(8)) {
  case 0:
    return {VopdSource::Kind::Scalar, 4 + random.below(3)};
  case 1:
    return {VopdSource::Kind::Literal, 0x40490fdb + random.below(2)};
  case 2:
    return {VopdSource::Kind::Inline, 242};
  default:
    return {VopdSource::Kind::Vgpr, vgpr};
  }
}

LaneOp operation(Random &random) {
  static constexpr Op kOps[] = {Op::v_fmac_f32, Op::v_fmac_f32, Op::v_fmac_f32,   Op::v_fmamk_f32,
                                Op::v_mul_f32,  Op::v_sub_f32,  Op::v_add_nc_u32, Op::v_mov_b32};
  LaneOp lane;
  lane.op = kOps[random.below(std::size(kOps))];
  lane.dst = Vgpr{static_cast<uint8_t>(random.below(10))};
  lane.src0 = source(random);
  if (lane.op != Op::v_mov_b32)
    lane.src1 = {VopdSource::Kind::Vgpr, random.below(10)};
  if (lane.op == Op::v_fmac_f32)
    lane.addend = lane.dst;
  if (lane.op == Op::v_fmamk_f32)
    lane.constant = 0x40490fdb + random.below(2);
  return lane;
}

bool isLegal(const VopdHalf &x, const VopdHalf &y, Conflicts conflicts) {
  if (whyNotDual(x, y) || hasParityHazard(x, y))
    return false;
  const unsigned all = sourceBankConflicts(x, y);
  const unsigned own = sourceBankConflicts(x, {}) + sourceBankConflicts({}, y);
  return conflicts == Conflicts::Accept || all <= (conflicts == Conflicts::Own ? own : 0);
}

TEST(PairForms, FitIsWhatTheRulesSay) {
  Random random(1);
  unsigned pairs = 0, refused = 0;
  for (unsigned n = 0; n < 40000; ++n) {
    const PairForms a(operation(random)), b(operation(random));
    const Conflicts conflicts = static_cast<Conflicts>(n % 3);
    bool any = false;
    for (const PairForms::Form &first : a)
      for (const PairForms::Form &second : b)
        any |= isLegal(first.half, second.half, conflicts) ||
               isLegal(second.half, first.half, conflicts);
    const std::optional<Fit> found = fit(a, b, conflicts);
    ASSERT_EQ(found.has_value(), any) << "pair " << n;
    ++(any ? pairs : refused);
    if (!found)
      continue;
    const VopdHalf first = *asVopdHalf(found->first), second = *asVopdHalf(found->second);
    EXPECT_TRUE(found->reversed ? isLegal(second, first, conflicts)
                                : isLegal(first, second, conflicts))
        << "pair " << n;
  }
  EXPECT_GT(pairs, 4000U);
  EXPECT_GT(refused, 4000U);
}

} // namespace

} // namespace pairFormsTest
