#include "Analysis/Dependence.h"
#include "AsmSnippet.h"

namespace analysisDependenceTest {

using namespace rdna;
using namespace rdna::test;

namespace {

using Nodes = std::set<uint32_t>;

TEST(AnalysisDependence, RegistersOfTwo) {
  const auto module =
      parseKernel("v_add_f32 v1, v2, v3\nv_mul_f32 v4, v1, v1\nv_mov_b32 v2, v5\n"
                  "v_mov_b32 v1, v6\nv_mov_b32 v7, v2\nv_cmp_eq_f32 vcc_lo, v8, v8\n"
                  "v_cndmask_b32 v9, v8, v8, vcc_lo\ns_mov_b32 null, s1\n"
                  "s_mov_b32 null, s2");
  const auto ordered = [&](uint32_t earlier, uint32_t later) {
    return areOrdered(Footprint().add(module->instructions()[earlier]),
                      Footprint().add(module->instructions()[later]));
  };
  EXPECT_TRUE(ordered(0, 1));  // reads it
  EXPECT_TRUE(ordered(0, 2));  // overwrites what it reads
  EXPECT_TRUE(ordered(0, 3));  // overwrites what it writes
  EXPECT_FALSE(ordered(0, 4)); // reads the same
  EXPECT_TRUE(ordered(5, 6));
  EXPECT_FALSE(ordered(7, 8));
}

TEST(AnalysisDependence, ValuesInTheOrderOfTheText) {
  DependenceGraph graph(6);
  graph.write(0, 7);
  graph.read(1, 7);
  graph.read(2, 7);
  graph.write(3, 7);
  graph.read(4, 7);
  graph.read(4, 8);
  graph.write(5, 9);
  graph.replace(5, 7);
  EXPECT_EQ(graph.before()[1], (Nodes{0}));
  EXPECT_EQ(graph.before()[2], (Nodes{0}));
  EXPECT_EQ(graph.before()[3], (Nodes{0, 1, 2}));
  EXPECT_EQ(graph.before()[4], (Nodes{3}));
  EXPECT_EQ(graph.before()[5], (Nodes{3, 4}));
}

TEST(AnalysisDependence, AnUpdateIsNotBehindItself) {
  DependenceGraph graph(2);
  for (const uint32_t node : {0U, 1U}) {
    graph.read(node, 1);
    graph.write(node, 1);
  }
  EXPECT_EQ(graph.before()[0], Nodes());
  EXPECT_EQ(graph.before()[1], (Nodes{0}));
}

TEST(AnalysisDependence, LoadsPassLoadsOnly) {
  const auto module = parseKernel("ds_load_b32 v1, v0\nds_load_b32 v2, v0\nds_store_b32 v0, v3\n"
                                  "global_load_b32 v4, v[8:9], off\nds_load_b32 v5, v0\n"
                                  "flat_load_b32 v6, v[8:9]\nglobal_store_b32 v[8:9], v3, off\n"
                                  "scratch_load_b32 v7, off, off\ns_load_b32 s0, s[2:3], 0x0\n"
                                  "v_mov_b32 v10, 0");
  DependenceGraph graph(10);
  for (uint32_t n = 0; n < 10; ++n)
    graph.access(n, module->instructions()[n]);
  EXPECT_EQ(graph.before()[1], Nodes());
  EXPECT_EQ(graph.before()[2], (Nodes{0, 1}));
  EXPECT_EQ(graph.before()[3], Nodes());
  EXPECT_EQ(graph.before()[4], (Nodes{2}));
  EXPECT_EQ(graph.before()[5], (Nodes{2}));    // FLAT may be LDS,
  EXPECT_EQ(graph.before()[6], (Nodes{3, 5})); // and may be not.
  EXPECT_EQ(graph.before()[7], (Nodes{6}));
  EXPECT_EQ(graph.before()[8], (Nodes{6}));
  EXPECT_EQ(graph.before()[9], Nodes());
}

TEST(AnalysisDependence, NothingPassesABarrier) {
  DependenceGraph graph(5);
  graph.add(0);
  graph.add(1);
  graph.barrier(2);
  graph.add(3);
  graph.barrier(4);
  EXPECT_EQ(graph.before()[1], Nodes());
  EXPECT_EQ(graph.before()[2], (Nodes{0, 1}));
  EXPECT_EQ(graph.before()[3], (Nodes{2}));
  EXPECT_EQ(graph.before()[4], (Nodes{2, 3}));
}

TEST(AnalysisDependence, WhatNothingPasses) {
  const auto says = [](bool (*rule)(const Instruction &), const char *line) {
    return rule(parseKernel(line)->instructions()[0]);
  };
  for (const char *line :
       {"s_mov_b32 exec_lo, s0", "v_cmpx_eq_f32 v0, v0", "s_sendmsg sendmsg(MSG_INTERRUPT)",
        "s_getreg_b32 s0, hwreg(HW_REG_MODE)", "s_setreg_b32 hwreg(HW_REG_MODE), s0",
        "s_getpc_b64 s[0:1]", "s_sethalt 1", "s_swappc_b64 s[0:1], s[2:3]", "s_endpgm"})
    EXPECT_TRUE(says(isSchedulingBarrier, line)) << line;
  for (const char *line : {"s_nop 0", "s_setprio 1", "s_sleep 1", "s_clause 0x1", "s_barrier",
                           "ds_load_b32 v0, v1", "s_mov_b32 m0, s0", "s_waitcnt vmcnt(0)"})
    EXPECT_FALSE(says(isSchedulingBarrier, line)) << line;
  for (const char *line :
       {"s_barrier", "buffer_gl0_inv", "s_dcache_inv", "s_waitcnt_vscnt null, 0x0", "s_wait_idle"})
    EXPECT_TRUE(says(isMemoryFence, line)) << line;
  for (const char *line :
       {"s_waitcnt vmcnt(0)", "ds_load_b32 v0, v1", "global_load_b32 v0, v[2:3], off glc",
        "s_load_b32 s0, s[2:3], 0x0", "v_mov_b32 v0, 0"})
    EXPECT_FALSE(says(isMemoryFence, line)) << line;
}

} // namespace

} // namespace analysisDependenceTest
