// Where clauses and priorities go, and where not.

#include "VerifySample.h"

#include "Transform/Hints.h"

#include <numeric>

namespace rdna::hintsTest {
namespace {

std::string with(HintEdits (*pass)(const Module &, const Cfg &, const std::vector<uint32_t> &),
                 std::string_view body) {
  const auto module = test::parseKernel(body);
  const Cfg cfg = buildCfg(*module, 0);
  std::vector<uint32_t> blocks(cfg.blocks.size());
  std::iota(blocks.begin(), blocks.end(), 0U);
  const std::string text = applyEdits(*module, pass(*module, cfg, blocks).edits);
  const auto after = test::parseText(text);
  EXPECT_EQ(test::refusal(*module, *after), "");
  const size_t from = text.find("k:\n") + 3;
  return text.substr(from, text.find("\n\ts_endpgm", from) - from);
}

TEST(Hints, RunsOfOneKindGetAClause) {
  EXPECT_EQ(with(addClauses, "\tds_load_b32 v1, v0\n\tds_load_b32 v2, v0 offset:4\n"
                             "\tds_load_b32 v3, v0 offset:8\n\tglobal_load_b32 v4, v[8:9], off\n"
                             "\tglobal_load_b32 v5, v[8:9], off offset:4\n"
                             "\tglobal_store_b32 v[8:9], v0, off\n\ts_waitcnt vmcnt(0)\n"),
            "\ts_clause 0x2\n\tds_load_b32 v1, v0\n\tds_load_b32 v2, v0 offset:4\n"
            "\tds_load_b32 v3, v0 offset:8\n\ts_clause 0x1\n\tglobal_load_b32 v4, v[8:9], off\n"
            "\tglobal_load_b32 v5, v[8:9], off offset:4\n\tglobal_store_b32 v[8:9], v0, off\n"
            "\ts_waitcnt vmcnt(0)\n");
}

TEST(Hints, ClausesThatAreThereAreKept) {
  const std::string body = "\ts_clause 0x1\n\tglobal_load_b32 v4, v[8:9], off\n"
                           "\tglobal_load_b32 v5, v[8:9], off offset:4\n\ts_waitcnt vmcnt(0)\n";
  EXPECT_EQ(with(addClauses, body), body);
}

TEST(Hints, OfABlockThatChanges) {
  const auto module = test::parseKernel("\ts_clause 0x2\n\tds_load_b32 v1, v0\n"
                                        "\tds_load_b32 v2, v0\n\tds_load_b32 v3, v0\n"
                                        "\ts_delay_alu instid0(VALU_DEP_1)\n\ts_nop 0");
  const Cfg cfg = buildCfg(*module, 0);
  const auto first = [&](unsigned covered) {
    std::vector<TextEdit> edits;
    repairHints(*module, cfg.blocks[0], [&](const Instruction &) { return covered; }, edits);
    const std::string text = applyEdits(*module, edits);
    EXPECT_EQ(text.find("s_delay_alu"), std::string::npos);
    const size_t from = text.find("k:\n\t") + 4;
    return text.substr(from, text.find('\n', from) - from);
  };
  EXPECT_EQ(clauseLength(module->instructions()[0]), 3U);
  EXPECT_EQ(first(3), "s_clause 0x2");
  EXPECT_EQ(first(2), "s_clause 0x1");
  EXPECT_EQ(first(1), "ds_load_b32 v1, v0");
}

TEST(Hints, LongRunsAreSeveralClauses) {
  std::string body;
  for (unsigned n = 0; n < 70; ++n)
    body += fmt::format("\tds_store_b32 v0, v1 offset:{}\n", 4 * n);
  const std::string text = with(addClauses, body);
  EXPECT_TRUE(text.starts_with("\ts_clause 0x3e\n")) << text.substr(0, 40);
  EXPECT_NE(text.find("offset:248\n\ts_clause 0x6\n"), std::string::npos);
}

std::string fmacs(unsigned count) {
  std::string text;
  for (unsigned n = 0; n < count; ++n)
    text += fmt::format("\tv_fmac_f32 v{}, v1, v2\n", 10 + n);
  return text;
}

std::string loop(const std::string &body) {
  return "\ts_mov_b32 s4, s3\n.Lloop:\n" + body +
         "\ts_sub_u32 s4, s4, 1\n\ts_cmp_lg_u32 s4, 0\n\ts_cbranch_scc1 .Lloop\n";
}

TEST(Hints, PriorityIsRaisedOverRunsOfFmacs) {
  const std::string text =
      with(addPriorities, loop("\tds_load_b64 v[1:2], v0\n\ts_waitcnt lgkmcnt(0)\n" + fmacs(16)));
  EXPECT_NE(text.find("\tv_fmac_f32 v10, v1, v2\n\ts_setprio 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\ts_setprio 0\n\ts_cbranch_scc1"), std::string::npos) << text;
}

/// Where one of a pair has no line of its own the other is not set either, and other pairs are.
TEST(Hints, PrioritiesComeInPairs) {
  const std::string load = "\t/**/ ds_load_b32 v40, v0\n";
  const std::string text = with(addPriorities, loop(fmacs(16) + load + fmacs(16)));
  EXPECT_EQ(text.find("s_setprio 1"), text.rfind("s_setprio 1")) << text;
  EXPECT_EQ(text.find("s_setprio 0"), text.rfind("s_setprio 0")) << text;
  EXPECT_NE(text.find(load + "\tv_fmac_f32 v10, v1, v2\n\ts_setprio 1\n"), std::string::npos);
}

/// A clause may be of VALU instructions; anything in between would end it.
TEST(Hints, PrioritiesDoNotBreakClauses) {
  const std::string text = with(addPriorities, loop("\ts_clause 0x13\n" + fmacs(36)));
  EXPECT_NE(text.find("\tv_fmac_f32 v29, v1, v2\n\ts_setprio 1\n"), std::string::npos) << text;
  const std::string whole = loop("\ts_clause 0x1f\n" + fmacs(32));
  EXPECT_EQ(with(addPriorities, whole), whole);
}

TEST(Hints, PrioritiesAreLeftAlone) {
  for (const std::string &body : {loop(fmacs(15)), fmacs(32) + "\ts_barrier\n",
                                  loop("\ts_setprio 2\n" + fmacs(20) + "\ts_setprio 0\n")})
    EXPECT_EQ(with(addPriorities, body), body);
}

} // namespace
} // namespace rdna::hintsTest
