// Orders that give values registers as they go: what they say holds, whatever the style.

#include "AsmSnippet.h"

#include "Transform/AllocatingSchedule.h"
#include "Transform/BankEquations.h"

#include <algorithm>
#include <array>

namespace rdna::allocatingScheduleTest {
namespace {

/// The kernel's first block as a region.
struct Body {
  std::unique_ptr<Module> module;
  Cfg cfg;
  Liveness liveness;
  MemoryFacts memory;
  RegionModel region;

  explicit Body(const std::string &code)
      : module(test::parseKernel(code)), cfg(buildCfg(*module, 0)),
        liveness(computeLiveness(*module, cfg)), memory(memoryFacts(*module, cfg, liveness)) {
    const auto left = buildRegion({*module, cfg, liveness, memory}, 0, region);
    EXPECT_FALSE(left) << left->reason;
  }

  std::optional<AllocatedSchedule> schedule(const AllocatingStyle &style, unsigned budget = 64,
                                            LoadWidth width = LoadWidth::Whole) const {
    const Groups groups = groupsOf(region, *module, width);
    const RegisterSpace space = registerSpace({*module, cfg, liveness, memory}, region, budget);
    return scheduleAndAllocate(region, *module, groups, space, style, ScalarPairs(region));
  }
};

/// Horner's rule for several values, one after another, in registers that compilers like: loads in
/// a tuple, sums in neighbouring even registers.
std::string polynomials(unsigned count) {
  std::string code = "\tds_load_b128 v[4:7], v0\n\ts_waitcnt lgkmcnt(0)\n";
  for (unsigned i = 0; i < count; ++i) {
    code += fmt::format("\tv_mul_f32 v{}, v{}, v{}\n", 20 + 2 * i, 4 + i, 4 + i);
    for (unsigned step = 0; step < 3; ++step)
      code += fmt::format("\tv_fmac_f32 v{0}, v{0}, v{1}\n", 20 + 2 * i, 4 + (i + step) % 4);
  }
  for (unsigned i = 0; i < count; ++i)
    code += fmt::format("\tglobal_store_b32 v[60:61], v{}, off offset:{}\n", 20 + 2 * i, 4 * i);
  return code;
}

std::vector<AllocatingStyle> styles() {
  std::vector<AllocatingStyle> styles;
  for (const auto partners :
       {AllocatingStyle::Partners::ByRegister, AllocatingStyle::Partners::ByEquation})
    for (const unsigned window : {~0U, 4U})
      for (const uint32_t noise : {0U, 32U}) {
        AllocatingStyle &style = styles.emplace_back();
        style.partners = partners;
        style.window = window;
        style.noise = noise;
        style.conflictLimit = noise == 0 ? 0 : 2;
      }
  return styles;
}

/// The half of a slot with its registers.
VopdHalf halfOf(const Body &body, const AllocatedSchedule &found, uint32_t node,
                Slot::Sources sources) {
  const WebOp &op = body.region.nodes[node].op;
  VopdHalf half{op.lane.op, found.registers[op.dst], op.lane.src0, op.lane.src1, op.lane.constant};
  if (op.src0 != kNoWeb)
    half.src0.value = found.registers[op.src0].number;
  if (op.src1 != kNoWeb)
    half.src1.value = found.registers[op.src1].number;
  if (sources == Slot::Sources::Swapped)
    std::swap(half.src0, half.src1);
  return half;
}

/// Runs the slots on registers that hold webs: whoever reads one finds the web that he means.
void expectSound(const Body &body, const AllocatedSchedule &found) {
  std::array<WebId, 256> holds{};
  holds.fill(kNoWeb);
  const RegionModel &region = body.region;
  for (WebId w = 0; w < region.webs.size(); ++w)
    if (region.webs[w].liveIn)
      holds[found.registers[w].number] = w;
  std::vector<uint8_t> done(region.nodes.size(), 0);
  ScheduleCost cost;
  for (const Slot &slot : found.schedule.slots) {
    std::vector<uint32_t> nodes{slot.x};
    if (slot.kind == Slot::Kind::Pair)
      nodes.push_back(slot.y);
    std::vector<WebId> written;
    for (const uint32_t n : nodes) {
      EXPECT_EQ(done[n], 0);
      for (const uint32_t p : region.nodes[n].preds)
        EXPECT_EQ(done[p], 1) << "node " << n << " stands before node " << p;
      const Instruction &inst = body.module->instructions()[region.nodes[n].inst];
      for (const OperandWeb &entry : region.operandWebs)
        if (entry.inst == inst.index) {
          if (inst.operands[entry.operand].cls == Operand::Class::Def)
            written.push_back(entry.web);
          else
            EXPECT_EQ(holds[found.registers[entry.web].number], entry.web) << "node " << n;
        }
    }
    for (const uint32_t n : nodes)
      done[n] = 1;
    for (const WebId w : written)
      holds[found.registers[w].number] = w;
    if (slot.kind == Slot::Kind::Other)
      continue;
    ++cost.issues;
    const auto isFma = [&](uint32_t n) { return isVopdFma(region.nodes[n].op.lane.op); };
    if (slot.kind == Slot::Kind::Single) {
      cost.singleFmas += isFma(slot.x);
      continue;
    }
    const VopdHalf x = halfOf(body, found, slot.x, slot.xSources);
    const VopdHalf y = halfOf(body, found, slot.y, slot.ySources);
    EXPECT_FALSE(whyNotDual(x, y));
    EXPECT_FALSE(hasParityHazard(x, y));
    cost.singleFmas += isFma(slot.x) != isFma(slot.y);
    cost.conflicts += sourceBankConflicts(x, y);
  }
  EXPECT_EQ(std::count(done.begin(), done.end(), 0), 0);
  EXPECT_EQ(cost.issues, found.schedule.cost.issues);
  EXPECT_EQ(cost.singleFmas, found.schedule.cost.singleFmas);
  EXPECT_EQ(cost.conflicts, found.schedule.cost.conflicts);
}

TEST(AllocatingSchedule, WhatItSaysHoldsInEveryStyle) {
  for (const unsigned count : {1U, 2U, 3U, 4U}) {
    const Body body(polynomials(count));
    for (const AllocatingStyle &style : styles())
      for (const LoadWidth width : {LoadWidth::Whole, LoadWidth::Singles}) {
        const auto found = body.schedule(style, 64, width);
        ASSERT_TRUE(found);
        expectSound(body, *found);
      }
  }
}

TEST(AllocatingSchedule, ChainsOfOneParityBecomePartners) {
  const Body body("\tds_load_b128 v[4:7], v0\n\ts_waitcnt lgkmcnt(0)\n"
                  "\tv_mul_f32 v20, v4, v5\n\tv_fmac_f32 v20, v4, v5\n\tv_fmac_f32 v20, v5, v4\n"
                  "\tv_mul_f32 v22, v6, v7\n\tv_fmac_f32 v22, v6, v7\n\tv_fmac_f32 v22, v7, v6\n"
                  "\tglobal_store_b32 v[60:61], v20, off\n\tglobal_store_b32 v[60:61], v22, off");
  for (const auto partners :
       {AllocatingStyle::Partners::ByRegister, AllocatingStyle::Partners::ByEquation}) {
    AllocatingStyle style;
    style.partners = partners;
    const auto found = body.schedule(style);
    ASSERT_TRUE(found);
    expectSound(body, *found);
    EXPECT_EQ(found->schedule.cost.issues, 3U);
    EXPECT_EQ(found->schedule.cost.singleFmas, 0U);
    EXPECT_EQ(found->schedule.cost.conflicts, 0U);
  }
}

TEST(AllocatingSchedule, AValueMayLiveWhereALaterOneIsBorn) {
  // v5 leaves the block in its register. Of six, that is the only one for the first product: both
  // factors are read again, the others live behind the block.
  const Body body("\tds_load_b64 v[2:3], v0\n\ts_waitcnt lgkmcnt(0)\n"
                  "\tv_mul_f32 v5, v2, v3\n\tv_mul_f32 v2, v5, v2\n\tv_mul_f32 v5, v2, v3\n"
                  "\ts_cbranch_scc1 .Lend\n\tv_nop\n.Lend:\n"
                  "\tglobal_store_b32 v[60:61], v5, off\n\tglobal_store_b32 v[60:61], v0, off\n"
                  "\tglobal_store_b32 v[60:61], v1, off\n\tglobal_store_b32 v[60:61], v4, off");
  for (const AllocatingStyle &style : styles())
    for (const unsigned budget : {6U, 64U}) {
      const auto found = body.schedule(style, budget);
      ASSERT_TRUE(found);
      expectSound(body, *found);
    }
}

/// Results that a store wants two registers apart have one parity wherever the tuple is.
TEST(AllocatingSchedule, ResultsOfOneTupleAreNoPartnersAtEvenDistance) {
  const Body body("\tv_mul_f32 v20, v4, v5\n\tv_mul_f32 v22, v6, v7\n\tv_add_f32 v21, v4, v7\n"
                  "\tglobal_store_b96 v[60:61], v[20:22], off");
  for (const AllocatingStyle &style : styles()) {
    const auto found = body.schedule(style);
    ASSERT_TRUE(found);
    expectSound(body, *found);
  }
}

TEST(AllocatingSchedule, KeepsToTheBudgetOrFindsNothing) {
  const Body body(polynomials(4));
  // v0 and v[60:61] are inputs; four factors and four sums need a register each.
  for (const unsigned budget : {9U, 12U}) {
    const auto found = body.schedule({}, budget);
    ASSERT_TRUE(found);
    expectSound(body, *found);
    for (WebId w = 0; w < body.region.webs.size(); ++w)
      if (body.region.webs[w].scope == Web::Scope::Internal) {
        EXPECT_LT(found->registers[w].number, budget);
      }
  }
  EXPECT_FALSE(body.schedule({}, 4)); // the tuple alone and its address are five
}

TEST(AllocatingSchedule, LoadsAreAsNarrowAsPairsAsk) {
  // Both products of v1 want factors of the other parity, which neighbours are not; those of v2
  // take any.
  const Body body("\tds_load_b64 v[4:5], v0\n\tds_load_b64 v[6:7], v0 offset:8\n"
                  "\ts_waitcnt lgkmcnt(0)\n"
                  "\tv_fmac_f32 v20, v1, v4\n\tv_fmac_f32 v21, v1, v5\n"
                  "\tv_fmac_f32 v22, 2.0, v6\n\tv_fmac_f32 v23, 2.0, v7\n"
                  "\tglobal_store_b128 v[60:61], v[20:23], off");
  const RegisterSpace space =
      registerSpace({*body.module, body.cfg, body.liveness, body.memory}, body.region, 64);
  LoadWidths widths = LoadWidth::Whole;
  const auto found =
      scheduleAndNarrow(body.region, *body.module, space, {}, ScalarPairs(body.region), widths);
  ASSERT_TRUE(found);
  expectSound(body, *found);
  EXPECT_EQ(found->schedule.cost.issues, 2U);
  EXPECT_EQ(found->schedule.cost.conflicts, 0U);
  std::vector<LoadWidth> ofLoads;
  for (uint32_t n = 0; n < body.region.nodes.size(); ++n)
    if (body.region.nodes[n].kind == Node::Kind::Load)
      ofLoads.push_back(widths.of(n));
  EXPECT_EQ(ofLoads, std::vector({LoadWidth::Singles, LoadWidth::Whole}));
}

TEST(AllocatingSchedule, LoadsFallApartWhereFreeRegistersAreNoNeighbours) {
  // Below 8 only v1, v3, v5 and v7 are free: what is stored behind has the others.
  const Body body("\tds_load_b64 v[4:5], v0\n\ts_waitcnt lgkmcnt(0)\n"
                  "\tv_fmac_f32 v0, v2, v4\n\tv_fmac_f32 v0, v2, v5\n"
                  "\ts_cbranch_scc1 .Lend\n\tv_nop\n.Lend:\n"
                  "\tglobal_store_b32 v[60:61], v0, off\n\tglobal_store_b32 v[60:61], v2, off\n"
                  "\tglobal_store_b32 v[60:61], v6, off");
  RegisterSpace space =
      registerSpace({*body.module, body.cfg, body.liveness, body.memory}, body.region, 8);
  space.usable.reset(4);
  LoadWidths widths = LoadWidth::Whole;
  const auto found =
      scheduleAndNarrow(body.region, *body.module, space, {}, ScalarPairs(body.region), widths);
  ASSERT_TRUE(found);
  expectSound(body, *found);
  EXPECT_EQ(widths.of(0), LoadWidth::Singles);
}

TEST(BankEquations, RunsThatPairsContradictAreNotAdded) {
  const Body body("\tds_load_b64 v[2:3], v0\n\ts_waitcnt lgkmcnt(0)\n"
                  "\tv_mul_f32 v6, v2, v2\n\tv_mul_f32 v7, v3, v3\n"
                  "\tglobal_store_b64 v[60:61], v[6:7], off");
  const RegionModel &region = body.region;
  const WebId first = region.webAt(region.nodes[0].inst, 0, 0),
              second = region.webAt(region.nodes[0].inst, 0, 1);
  BankEquations equations(region, groupsOf(region, *body.module, LoadWidth::Singles));
  EXPECT_TRUE(equations.addRun({first, second}));
  EXPECT_FALSE(equations.addRun({first, first}));
  EXPECT_TRUE(equations.addRun({first, second}));
}

TEST(BankEquations, BitsThatAreKnownCanBeTakenBack) {
  BitEquations bits(4);
  EXPECT_TRUE(bits.add(0, 1, 1));
  EXPECT_TRUE(bits.add(2, 3, 0));
  const size_t mark = bits.mark();
  EXPECT_TRUE(bits.add(1, 2, 1));
  EXPECT_EQ(bits.difference(0, 3), 0U);
  EXPECT_FALSE(bits.add(0, 3, 1));
  bits.backTo(mark);
  EXPECT_FALSE(bits.difference(0, 3));
  EXPECT_TRUE(bits.add(0, 3, 1));
  EXPECT_EQ(bits.difference(1, 2), 0U);
}

TEST(BankEquations, TwoThatCanOnlyReadOneRegisterInOneSlotAreNoPair) {
  const Body body("\tds_load_b32 v2, v0\n\ts_waitcnt lgkmcnt(0)\n"
                  "\tv_mul_f32 v1, 2.0, v2\n\tv_mul_f32 v4, 2.0, v2\n"
                  "\tglobal_store_b32 v[60:61], v1, off\n\tglobal_store_b32 v[60:61], v4, off");
  BankEquations equations(body.region, groupsOf(body.region, *body.module, LoadWidth::Whole));
  std::vector<uint32_t> lanes;
  for (uint32_t n = 0; n < body.region.nodes.size(); ++n)
    if (body.region.nodes[n].kind == Node::Kind::Lane)
      lanes.push_back(n);
  ASSERT_EQ(lanes.size(), 2U);
  EXPECT_FALSE(equations.wayOf(lanes[0], lanes[1]));
}

TEST(BankEquations, APairThatContradictsOthersIsNone) {
  // Three results: each two could be partners, but not all three, since there are two parities.
  const Body body("\tds_load_b32 v2, v0\n\tds_load_b32 v5, v0 offset:4\n"
                  "\tds_load_b32 v8, v0 offset:8\n\ts_waitcnt lgkmcnt(0)\n"
                  "\tv_mul_f32 v1, 2.0, v2\n\tv_mul_f32 v4, 2.0, v5\n\tv_mul_f32 v7, 2.0, v8\n"
                  "\tglobal_store_b32 v[60:61], v1, off\n\tglobal_store_b32 v[60:61], v4, off\n"
                  "\tglobal_store_b32 v[60:61], v7, off");
  BankEquations equations(body.region, groupsOf(body.region, *body.module, LoadWidth::Whole));
  std::vector<uint32_t> lanes;
  for (uint32_t n = 0; n < body.region.nodes.size(); ++n)
    if (body.region.nodes[n].kind == Node::Kind::Lane)
      lanes.push_back(n);
  ASSERT_EQ(lanes.size(), 3U);
  ASSERT_TRUE(equations.wayOf(lanes[0], lanes[1]));
  equations.addPair(lanes[0], lanes[1]);
  ASSERT_TRUE(equations.wayOf(lanes[1], lanes[2]));
  equations.addPair(lanes[1], lanes[2]);
  EXPECT_FALSE(equations.wayOf(lanes[0], lanes[2]));
  const std::vector<int8_t> banks = equations.banks();
  const auto parityOf = [&](uint32_t n) { return banks[body.region.nodes[n].op.dst] & 1; };
  EXPECT_NE(parityOf(lanes[0]), parityOf(lanes[1]));
  EXPECT_NE(parityOf(lanes[1]), parityOf(lanes[2]));
}

} // namespace
} // namespace rdna::allocatingScheduleTest
