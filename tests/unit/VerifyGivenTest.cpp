// Ranges of what is launched: which proofs they carry, to the last number, and which they do not.

#include "VerifySample.h"

#include "Verify/IndexBounds.h"

namespace rdna::test::verifyGivenTest {
namespace {

using verify::Given;

const std::string kFields = "\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
                            "\t.amdhsa_kernarg_size 16";

/// A load by an index that `index` leaves in v2, as a 64-bit address and with a scalar base.
std::string wide(const std::string &index) {
  return "	s_load_b64 s[4:5], s[0:1], 0x0\n	s_load_b64 s[8:9], s[0:1], 0x8\n"
         "	v_mov_b32_e32 v3, 0\n	s_waitcnt lgkmcnt(0)\n" +
         index +
         "	v_lshlrev_b64 v[4:5], 2, v[2:3]\n	v_add_co_u32 v4, vcc_lo, s4, v4\n"
         "	v_add_co_ci_u32_e64 v5, null, s5, v5, vcc_lo\n	global_load_b32 v6, v[4:5], off\n"
         "	s_waitcnt vmcnt(0)\n	v_mov_b32_e32 v7, 0\n	global_store_b32 v7, v6, s[4:5]";
}
std::string based(const std::string &index) {
  return replaced(replaced(replaced(replaced(wide(index), "v_lshlrev_b64 v[4:5], 2, v[2:3]",
                                             "v_lshlrev_b32_e32 v4, 2, v2"),
                                    "	v_add_co_u32 v4, vcc_lo, s4, v4\n", ""),
                           "	v_add_co_ci_u32_e64 v5, null, s5, v5, vcc_lo\n", ""),
                  "global_load_b32 v6, v[4:5], off", "global_load_b32 v6, v4, s[4:5]");
}

std::string refusalGiven(const std::string &index, const std::vector<std::string> &ranges,
                         const std::string &fields = kFields) {
  const auto before = parseKernel(wide(index), fields), after = parseKernel(based(index), fields);
  auto given = verify::parseGiven(before->functions()[0], ranges);
  if (!given) {
    std::string message;
    renderError(given.takeError(), "given", message);
    return message;
  }
  Correspondence claim;
  claim.function = "k";
  claim.given = *given;
  return refusal(*before, *after, {claim});
}
std::string upTo(const char *what, uint64_t most) { return fmt::format("{}<={}", what, most); }

TEST(VerifyGiven, HoldsUpToTheLastNumber) {
  const std::string index = "	v_mul_lo_u32 v2, v0, s8\n";
  // 4 * 63 * N must stay below 2^32.
  uint64_t most = 0;
  while (4 * 63 * (most + 1) < uint64_t(1) << 32)
    ++most;
  const std::string items = "workitem_id_x<64";
  EXPECT_EQ(refusalGiven(index, {upTo("kernarg+8", most), items}), "");
  EXPECT_NE(refusalGiven(index, {upTo("kernarg+8", most + 1), items}), "");
  EXPECT_NE(refusalGiven(index, {upTo("kernarg+8", most)}), "");
  EXPECT_NE(refusalGiven(index, {upTo("kernarg+12", most), items}), "");
  EXPECT_NE(refusalGiven(index, {items}), "");
}

TEST(VerifyGiven, WorkitemsFollowFromTheHardwareAndTheDescriptor) {
  const std::string index = "	v_mul_lo_u32 v2, v0, s8\n";
  const uint64_t most = ((uint64_t(1) << 30) - 1) / 1023;
  EXPECT_EQ(refusalGiven(index, {upTo("kernarg+8", most)}), "");
  EXPECT_NE(refusalGiven(index, {upTo("kernarg+8", most + 1)}), "");
  // With three dimensions in v0 it is a large number, and each field is not.
  const std::string packed = kFields + "\n\t.amdhsa_system_vgpr_workitem_id 2";
  EXPECT_NE(refusalGiven(index, {upTo("kernarg+8", most)}, packed), "");
  for (const char *field : {"	v_and_b32_e32 v8, 0x3ff, v0\n", "	v_bfe_u32 v8, v0, 10, 10\n",
                            "	v_lshrrev_b32_e32 v8, 20, v0\n"})
    EXPECT_EQ(refusalGiven(std::string(field) + "	v_mul_lo_u32 v2, v8, s8\n",
                           {upTo("kernarg+8", most)}, packed),
              "")
        << field;
}

TEST(VerifyGiven, WorkgroupsAreWhereTheDescriptorPutsThem) {
  const std::string index = "	v_mov_b32_e32 v2, s15\n	v_mul_lo_u32 v2, v2, s8\n";
  const std::string fields = kFields + "\n\t.amdhsa_user_sgpr_count 14\n"
                                       "\t.amdhsa_system_sgpr_workgroup_id_y 1";
  const std::vector<std::string> ranges = {"kernarg+8<=32768", "workgroup_id_y<=32767"};
  EXPECT_EQ(refusalGiven(index, ranges, fields), "");
  EXPECT_NE(refusalGiven(index, {"kernarg+8<=32768", "workgroup_id_y<=32768"}, fields), "");
  EXPECT_NE(refusalGiven(index, {"kernarg+8<=32768", "workgroup_id_x<=32767"}, fields), "");
  EXPECT_NE(refusalGiven(index, ranges, replaced(fields, "count 14", "count 13")), "");
  EXPECT_NE(refusalGiven(index, ranges, kFields + "\n\t.amdhsa_user_sgpr_count 14"), "");
}

TEST(VerifyGiven, SpeaksOfTheSegmentAndNothingElse) {
  const std::vector<std::string> ranges = {"kernarg+8<=1000"};
  const std::string index = "	v_mul_lo_u32 v2, v0, s10\n";
  EXPECT_EQ(refusalGiven("	s_mov_b32 s10, s8\n" + index, ranges), "");
  // From there, but after something was stored; through another pointer; one dword further.
  const std::string wait = "	s_waitcnt lgkmcnt(0)\n";
  const std::string store = "	v_mov_b32_e32 v9, 0\n	global_store_b32 v9, v0, s[0:1] offset:8\n";
  EXPECT_EQ(refusalGiven("	s_load_b32 s10, s[0:1], 0x8\n" + wait + index, ranges), "");
  EXPECT_NE(refusalGiven(store + "	s_load_b32 s10, s[0:1], 0x8\n" + wait + index, ranges), "");
  EXPECT_NE(refusalGiven("	s_load_b32 s10, s[4:5], 0x8\n" + wait + index, ranges), "");
  EXPECT_NE(refusalGiven("	s_load_b32 s10, s[0:1], 0xc\n" + wait + index, ranges), "");
  EXPECT_NE(refusalGiven("	s_load_b32 s10, s[0:1], 0x8\n" + wait + index, ranges,
                         "\t.amdhsa_kernarg_size 16"),
            "");
}

TEST(VerifyGiven, NobodyKnowsLanesThatWereNotLaunched) {
  const std::vector<std::string> ranges = {"kernarg+8<=1000"};
  const std::string index = "	v_mul_lo_u32 v2, v0, s8\n";
  EXPECT_EQ(refusalGiven(index, ranges), "");
  EXPECT_NE(refusalGiven("	s_mov_b32 exec_lo, -1\n" + index, ranges), "");
  EXPECT_NE(refusalGiven("	s_or_saveexec_b32 s10, -1\n" + index, ranges), "");
  EXPECT_EQ(
      refusalGiven("	v_cmp_gt_u32_e32 vcc_lo, s9, v0\n	s_and_saveexec_b32 s10, vcc_lo\n" +
                       index,
                   ranges),
      "");
  EXPECT_EQ(
      refusalGiven("	v_cmp_gt_u32_e32 vcc_lo, s9, v0\n	s_and_saveexec_b32 s10, vcc_lo\n"
                   "	s_or_b32 exec_lo, exec_lo, s10\n" +
                       index,
                   ranges),
      "");
}

/// v2 = 64 * k for k = 0, step, ... until the branch ends the loop; k is in s10.
std::string loop(int step, const std::string &condition) {
  return fmt::format("	s_mov_b32 s10, 0\n.Lloop:\n	s_add_i32 s10, s10, {}\n{}"
                     "	s_cbranch_scc1 .Lloop\n	v_mov_b32_e32 v2, s10\n"
                     "	v_mul_lo_u32 v2, v2, 64\n",
                     step, condition);
}

TEST(VerifyGiven, CountersStopWhereTheLoopDoes) {
  // s10 is the first multiple of 8 that is not below N; 256 * s10 must fit.
  const std::string below = loop(8, "	s_cmp_lt_u32 s10, s8\n");
  EXPECT_EQ(refusalGiven(below, {"kernarg+8<=16777208"}), "");
  EXPECT_NE(refusalGiven(below, {"kernarg+8<=16777209"}), "");
  EXPECT_NE(refusalGiven(below, {}), "");
  const std::string isSigned = loop(8, "	s_cmp_lt_i32 s10, s8\n");
  EXPECT_EQ(refusalGiven(isSigned, {"kernarg+8<=16777208"}), "");
  EXPECT_NE(refusalGiven(isSigned, {"kernarg+8<=16777209"}), "");
  // Where the loop ends when both are equal, a counter may step over the bound.
  const std::string unequal = loop(3, "	s_cmp_lg_u32 s10, s8\n");
  EXPECT_NE(refusalGiven(unequal, {"kernarg+8<=16777215"}), "");
}

TEST(VerifyGiven, DifferencesAreLookedAtOnBothSidesOfZero) {
  const std::string straight = "	s_add_i32 s10, s8, -8\n	v_mov_b32_e32 v2, s10\n";
  EXPECT_EQ(refusalGiven(straight, {"8<=kernarg+8<=1073741831"}), "");
  EXPECT_NE(refusalGiven(straight, {"8<=kernarg+8<=1073741832"}), "");
  EXPECT_NE(refusalGiven(straight, {"7<=kernarg+8<=1000"}), "");
}

TEST(VerifyGiven, LargestBoundsAreFoundAndExact) {
  const std::string index = "	v_mul_lo_u32 v2, v0, s8\n";
  const auto before = parseKernel(wide(index), kFields), after = parseKernel(based(index), kFields);
  Correspondence claim;
  claim.function = "k";
  claim.assumptions.insert(Assumption::NoIndexWrap);
  auto proof = proveEquivalent(*before, *after, {claim});
  ASSERT_TRUE(bool(proof));
  const uint64_t most = ((uint64_t(1) << 30) - 1) / 1023;
  EXPECT_EQ(proof->holdsFor, std::vector<std::string>{fmt::format("kernarg+8 <= {}", most)});
  verify::LaunchRanges ranges;
  ranges.kernarg[8] = verify::Interval::upTo(static_cast<int64_t>(most));
  EXPECT_TRUE(verify::indicesStayWhole(*before, 0, ranges));
  ranges.kernarg[8] = verify::Interval::upTo(static_cast<int64_t>(most) + 1);
  EXPECT_FALSE(verify::indicesStayWhole(*before, 0, ranges));
}

TEST(VerifyGiven, OptionsAreRead) {
  const std::string text = kernelText("	s_nop 0", kFields) +
                           R"(	.amdgpu_metadata
---
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer }
      - { .name: N, .offset: 8, .size: 4, .value_kind: by_value }
      - { .offset: 12, .size: 2, .value_kind: by_value }
amdhsa.version: [ 1, 2 ]
...
	.end_amdgpu_metadata
)";
  const auto module = parseText(text);
  const Function &k = module->functions()[0];
  const auto read = [&](std::initializer_list<std::string> texts) {
    auto given = verify::parseGiven(k, texts, {{"size", 1}});
    std::string message;
    if (!given)
      EXPECT_EQ(renderError(given.takeError(), "t", message), 1);
    else
      for (const std::string &line : verify::canonicalText(given->ranges))
        message += line + ";";
    return message;
  };
  for (const char *same : {"N<=100", "arg1 <= 100", "kernarg+8<101", "size<=100", "0<=N<=0x64"})
    EXPECT_EQ(read({same}), "kernarg+8 <= 100;") << same;
  EXPECT_EQ(read({"1<=N<=100", "5<N<=200"}), "6 <= kernarg+8 <= 100;");
  EXPECT_EQ(read({"N==7", "workgroup_id_z<4", "workitem_id_y<=9"}),
            "kernarg+8 == 7;workitem_id_y <= 9;workgroup_id_z <= 3;");
  for (const auto &[wrong, why] : std::initializer_list<std::pair<const char *, const char *>>{
           {"N", "write it as"},
           {"N<=", "write it as"},
           {"<=5", "write it as"},
           {"N>=5", "'>=' is no relation"},
           {"N=5", "'=' is no relation"},
           {"N<=x", "'x' is no number"},
           {"N<=-1", "is no number"},
           {"N<0", "nothing is below 0"},
           {"9<=N<=8", "no number is in this range"},
           {"3<N<4", "no number is in this range"},
           {"M<=5", "'k' has no 'M'; there are N, arg2, size, kernarg+<offset>"},
           {"arg0<=5", "is a global_buffer"},
           {"arg2<=5", "has 2 bytes at offset 12"},
           {"arg7<=5", "has no 'arg7'"},
           {"kernarg+6<=5", "that 4 divides"},
           {"kernarg+16<=5", "has 16 bytes"},
           {"workgroup_id_w<5", "has no 'workgroup_id_w'"},
           {"4294967296<=N<=4294967297", "not that large"}})
    EXPECT_NE(read({wrong}).find(why), std::string::npos) << wrong << ": " << read({wrong});
  EXPECT_NE(read({"N<=5", "6<=N<=7"}).find("contradicts"), std::string::npos);
}

} // namespace
} // namespace rdna::test::verifyGivenTest
