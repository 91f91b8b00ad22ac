// Bank plans and pairing on small bodies whose best form is known.

#include "AsmSnippet.h"

#include "Transform/Banks.h"

#include <algorithm>
#include <set>

namespace rdna::scheduleTest {
namespace {

/// The loop `.Lloop` of a kernel as a region.
struct Body {
  std::unique_ptr<Module> module;
  Cfg cfg;
  Liveness liveness;
  RegionModel region;

  explicit Body(std::string_view code)
      : module(test::parseKernel(code)), cfg(buildCfg(*module, 0)),
        liveness(computeLiveness(*module, cfg)) {
    const MemoryFacts memory = memoryFacts(*module, cfg, computeLiveness(*module, cfg));
    const uint32_t block = cfg.blockOf(module->labelTarget(".Lloop").value());
    const auto left = buildRegion({*module, cfg, liveness, memory}, block, region);
    EXPECT_FALSE(left) << left->reason;
  }

  Schedule best(SplitLoads split = SplitLoads::Auto) const {
    std::optional<Schedule> best;
    for (BankPlan &plan : bankPlans(region, *module, split)) {
      plan.relocatableRoom.fill(64);
      Schedule candidate = schedule(region, *module, plan, {}, ScalarPairs(region));
      if (!best || candidate.cost.key() < best->cost.key())
        best = std::move(candidate);
    }
    return *best;
  }
};

/// rows x columns accumulators from v20 on; A in v0.., B in v10.., both loaded in the loop.
std::string tile(unsigned rows, unsigned columns) {
  std::string code, end;
  for (unsigned i = 0; i < rows * columns; ++i) {
    code += fmt::format("\tv_mov_b32 v{}, 0\n", 20 + i);
    end += fmt::format("\tglobal_store_b32 v[60:61], v{}, off offset:{}\n", 20 + i, 4 * i);
  }
  code += ".Lloop:\n";
  for (unsigned r = 0; r < rows; ++r)
    code += fmt::format("\tds_load_b32 v{}, v62 offset:{}\n", r, 4 * r);
  for (unsigned c = 0; c < columns; ++c)
    code += fmt::format("\tds_load_b32 v{}, v62 offset:{}\n", 10 + c, 128 + 4 * c);
  code += "\ts_waitcnt lgkmcnt(0)\n";
  for (unsigned r = 0; r < rows; ++r)
    for (unsigned c = 0; c < columns; ++c)
      code += fmt::format("\tv_fmac_f32 v{}, v{}, v{}\n", 20 + r * columns + c, r, 10 + c);
  return code +
         "\tv_add_nc_u32 v62, 4, v62\n\ts_add_i32 s4, s4, -1\n\ts_cmp_lg_u32 s4, 0\n"
         "\ts_cbranch_scc1 .Lloop\n" +
         end;
}

/// Every node once, none before what it depends on.
void expectOrder(const Body &body, const Schedule &schedule) {
  std::vector<size_t> position(body.region.nodes.size(), ~size_t{0});
  for (size_t s = 0; s < schedule.slots.size(); ++s) {
    const Slot &slot = schedule.slots[s];
    std::vector<uint32_t> nodes{slot.x};
    if (slot.kind == Slot::Kind::Pair)
      nodes.push_back(slot.y);
    for (const uint32_t node : nodes) {
      EXPECT_EQ(position[node], ~size_t{0}) << "node " << node << " is scheduled twice";
      position[node] = s;
    }
  }
  for (size_t n = 0; n < position.size(); ++n) {
    ASSERT_NE(position[n], ~size_t{0}) << "node " << n << " is missing";
    for (const uint32_t p : body.region.nodes[n].preds)
      EXPECT_LE(position[p], position[n]) << "node " << n << " stands before node " << p;
  }
}

/// No pair of the schedule reads two registers of one bank, under any numbers in those banks.
unsigned bankConflicts(const Body &body, const Schedule &schedule) {
  unsigned conflicts = 0;
  for (const Slot &slot : schedule.slots) {
    if (slot.kind != Slot::Kind::Pair)
      continue;
    const HalfPorts x = portsOf(body.region.nodes[slot.x].op, slot.xSources),
                    y = portsOf(body.region.nodes[slot.y].op, slot.ySources);
    std::set<WebId> webs;
    for (const WebId web : {x.src0, x.src1, y.src0, y.src1})
      if (web != kNoWeb)
        webs.insert(web);
    for (auto a = webs.begin(); a != webs.end(); ++a)
      for (auto b = std::next(a); b != webs.end(); ++b)
        conflicts += schedule.bank[*a] == schedule.bank[*b] ? 1 : 0;
  }
  return conflicts;
}

TEST(Schedule, TilesPairCompletely) {
  for (const auto &[rows, columns] : {std::pair(2U, 2U), std::pair(4U, 4U), std::pair(2U, 4U),
                                      std::pair(4U, 2U), std::pair(3U, 4U)}) {
    SCOPED_TRACE(fmt::format("{} x {}", rows, columns));
    const Body body(tile(rows, columns));
    const Schedule best = body.best();
    expectOrder(body, best);
    EXPECT_EQ(best.cost.singleFmas, 0U);
    EXPECT_EQ(best.cost.conflicts, 0U);
    EXPECT_EQ(bankConflicts(body, best), 0U);
    const auto pairs = std::count_if(best.slots.begin(), best.slots.end(), [](const Slot &slot) {
      return slot.kind == Slot::Kind::Pair;
    });
    EXPECT_GE(pairs, rows * columns / 2);
  }
}

TEST(Schedule, AnOddNumberLeavesOneSingleUnlessTheAdditionPairs) {
  const Body body(tile(3, 3));
  const Schedule best = body.best();
  expectOrder(body, best);
  EXPECT_LE(best.cost.singleFmas, 1U);
  EXPECT_EQ(best.cost.conflicts, 0U);
}

TEST(Schedule, ADependenceChainCannotPair) {
  const Body body(".Lloop:\n\tv_fmac_f32 v1, v2, v3\n\tv_fmac_f32 v1, v2, v4\n"
                  "\tv_fmac_f32 v1, v3, v4\n\ts_cbranch_scc1 .Lloop\n"
                  "\tglobal_store_b32 v[60:61], v1, off");
  const Schedule best = body.best();
  expectOrder(body, best);
  EXPECT_EQ(best.cost.singleFmas, 3U);
  EXPECT_EQ(best.cost.issues, 3U);
}

TEST(Schedule, CostIsWhatTheSlotsSay) {
  const Body body(tile(4, 4));
  const ScalarPairs pairs(body.region);
  for (BankPlan &plan : bankPlans(body.region, *body.module, SplitLoads::Auto)) {
    plan.relocatableRoom.fill(64);
    const Schedule one = schedule(body.region, *body.module, plan, {}, pairs);
    expectOrder(body, one);
    const auto isFmac = [&](uint32_t node) {
      return body.region.nodes[node].op.lane.op == Op::v_fmac_f32;
    };
    unsigned issues = 0, singles = 0; // an FMAC that shares with something else is single, too
    for (const Slot &slot : one.slots) {
      const bool isPair = slot.kind == Slot::Kind::Pair;
      issues += slot.kind != Slot::Kind::Other;
      if (!isPair || !isFmac(slot.x) || !isFmac(slot.y))
        singles += (slot.kind != Slot::Kind::Other && isFmac(slot.x)) + (isPair && isFmac(slot.y));
    }
    EXPECT_EQ(one.cost.issues, issues);
    EXPECT_EQ(one.cost.singleFmas, singles);
    EXPECT_EQ(one.cost.conflicts, bankConflicts(body, one));
  }
}

TEST(Schedule, TheSameSeedGivesTheSameOrder) {
  const Body body(tile(4, 4));
  const BankPlan plan = bankPlans(body.region, *body.module, SplitLoads::Auto).at(1);
  const ScalarPairs pairs(body.region);
  const Schedule a = schedule(body.region, *body.module, plan, {.seed = 7}, pairs),
                 b = schedule(body.region, *body.module, plan, {.seed = 7}, pairs);
  ASSERT_EQ(a.slots.size(), b.slots.size());
  for (size_t i = 0; i < a.slots.size(); ++i)
    EXPECT_EQ(std::tie(a.slots[i].kind, a.slots[i].x), std::tie(b.slots[i].kind, b.slots[i].x));
}

TEST(ScheduleBanks, TheFirstPlanKeepsEveryRegister) {
  const Body body(tile(2, 4));
  const BankPlan home = bankPlans(body.region, *body.module, SplitLoads::Auto).at(0);
  ASSERT_EQ(home.bank.size(), body.region.webs.size());
  for (size_t w = 0; w < home.bank.size(); ++w)
    EXPECT_EQ(home.bank[w], body.region.webs[w].home.number & 3);
}

TEST(ScheduleBanks, RowsAndColumnsGetDifferentBanks) {
  const Body body(tile(4, 4));
  const auto plans = bankPlans(body.region, *body.module, SplitLoads::Auto);
  ASSERT_GT(plans.size(), 1U);
  for (size_t p = 1; p < plans.size(); ++p)
    for (const Node &node : body.region.nodes)
      if (node.kind == Node::Kind::Lane && node.op.src0 != kNoWeb && node.op.src1 != kNoWeb) {
        EXPECT_NE(plans[p].bank[node.op.src0], plans[p].bank[node.op.src1]) << "plan " << p;
      }
}

TEST(ScheduleBanks, SplitLoadsIsObeyed) {
  const Body body("\tv_mov_b32 v20, 0\n.Lloop:\n\tds_load_b128 v[0:3], v62\n"
                  "\ts_waitcnt lgkmcnt(0)\n\tv_fmac_f32 v20, v0, v1\n\tv_fmac_f32 v21, v2, v3\n"
                  "\ts_cbranch_scc1 .Lloop\n\tglobal_store_b64 v[60:61], v[20:21], off");
  for (const BankPlan &plan : bankPlans(body.region, *body.module, SplitLoads::Never))
    EXPECT_EQ(plan.width, LoadWidth::Whole);
  for (const BankPlan &plan : bankPlans(body.region, *body.module, SplitLoads::Always))
    EXPECT_NE(plan.width, LoadWidth::Whole);
}

TEST(ScheduleBanks, PiecesOfALoad) {
  const auto pieces = [](std::string_view load, LoadWidth width) {
    const auto module = test::parseKernel(load);
    const auto found = loadPieces(module->instructions()[0], width);
    return std::vector<unsigned>(found.begin(), found.end());
  };
  using List = std::vector<unsigned>;
  EXPECT_EQ(pieces("\tds_load_b128 v[0:3], v9", LoadWidth::Whole), (List{4}));
  EXPECT_EQ(pieces("\tds_load_b128 v[0:3], v9", LoadWidth::Pairs), (List{2, 2}));
  EXPECT_EQ(pieces("\tds_load_b128 v[0:3], v9", LoadWidth::Singles), (List{1, 1, 1, 1}));
  EXPECT_EQ(pieces("\tds_load_b96 v[0:2], v9", LoadWidth::Pairs), (List{2, 1}));
  EXPECT_EQ(pieces("\tds_load_b64 v[0:1], v9", LoadWidth::Pairs), (List{2}));
}

TEST(ScheduleBanks, ALoadKeepsItsRegistersTogether) {
  const Body body("\tv_mov_b32 v20, 0\n.Lloop:\n\tds_load_b128 v[0:3], v62\n"
                  "\ts_waitcnt lgkmcnt(0)\n\tv_fmac_f32 v20, v0, v1\n\tv_fmac_f32 v21, v2, v3\n"
                  "\ts_cbranch_scc1 .Lloop\n\tglobal_store_b64 v[60:61], v[20:21], off");
  const auto load = std::find_if(body.region.nodes.begin(), body.region.nodes.end(),
                                 [](const Node &node) { return node.kind == Node::Kind::Load; });
  ASSERT_NE(load, body.region.nodes.end());
  for (const auto &[width, run] : {std::pair(LoadWidth::Whole, 4U), std::pair(LoadWidth::Pairs, 2U),
                                   std::pair(LoadWidth::Singles, 1U)}) {
    const Groups groups = groupsOf(body.region, *body.module, width);
    EXPECT_TRUE(groups.consistent);
    for (unsigned d = 0; d < 4; ++d) {
      const WebId web = body.region.webAt(load->inst, 0, d);
      const WebId first = body.region.webAt(load->inst, 0, d - d % run);
      EXPECT_EQ(groups.group[web], groups.group[first]);
      EXPECT_EQ(groups.offset[web], d % run);
    }
  }
}

} // namespace
} // namespace rdna::scheduleTest
