// The proof's answers, and that what passes guess by other means is no bolder here.

#include "VerifySample.h"

#include "Analysis/LookedAt.h"
#include "Analysis/NoLane.h"
#include "Support/Random.h"
#include "Verify/DecidedWays.h"
#include "Verify/Demand.h"
#include "Verify/Exec.h"
#include "Verify/FlagLoads.h"

namespace rdna::test::verifyFlagLoadsTest {
namespace {

/// The lines of the body, from 0, whose loads may be acquires.
std::string flagsOf(std::string_view body) {
  const auto module = parseKernel(body);
  const Cfg cfg = buildCfg(*module, 0);
  const std::vector<uint8_t> flags = verify::flagLoads(*module, cfg);
  const std::vector<uint8_t> guess = loadsLookedAt(*module, cfg, computeLiveness(*module, cfg));
  std::string lines;
  for (uint32_t i = 0; i < flags.size(); ++i)
    EXPECT_GE(guess.at(i), flags[i]) << body << ", instruction " << i; // It may be more careful.
  for (uint32_t i = 0; i < flags.size(); ++i)
    if (flags[i])
      lines += fmt::format("{} ", module->instructions()[i].line - 6);
  return lines;
}

TEST(FlagLoads, ThroughLoopsAndRegisters) {
  EXPECT_EQ(flagsOf("	ds_load_b64 v[1:2], v0\n.Lloop:\n	v_fmac_f32_e32 v3, v1, v2\n"
                    "	ds_load_b64 v[1:2], v0\n	s_cbranch_scc1 .Lloop\n"
                    "	global_store_b32 v0, v3, s[2:3]\n"),
            "");
  // One half is compared, in the next iteration.
  EXPECT_EQ(flagsOf("	ds_load_b64 v[1:2], v0\n.Lloop:\n	v_cmp_eq_u32_e32 vcc_lo, 0, v2\n"
                    "	v_fmac_f32_e32 v3, v1, v1\n	ds_load_b64 v[1:2], v0\n"
                    "	s_cbranch_vccnz .Lloop\n	global_store_b32 v0, v3, s[2:3]\n"),
            "0 4 ");
  // The register is written anew before anybody looks.
  EXPECT_EQ(
      flagsOf("	ds_load_b32 v1, v0\n	v_mul_f32_e32 v3, v1, v1\n	v_mov_b32_e32 v1, 0\n"
              "	v_cmp_eq_u32_e32 vcc_lo, 0, v1\n	s_cbranch_vccnz .Lend\n.Lend:\n"
              "	global_store_b32 v0, v3, s[2:3]\n"),
      "");
  // ... but not in the lanes that are off then.
  EXPECT_EQ(flagsOf("	ds_load_b32 v1, v0\n	s_mov_b32 s8, exec_lo\n	v_cmpx_eq_u32_e32 0, v0\n"
                    "	v_mov_b32_e32 v1, 0\n	s_mov_b32 exec_lo, s8\n"
                    "	v_cmp_eq_u32_e32 vcc_lo, 0, v1\n	s_cbranch_vccnz .Lend\n.Lend:\n"),
            "0 ");
}

TEST(FlagLoads, LanesThatAreSwitchedOnAgain) {
  EXPECT_EQ(
      flagsOf("	ds_load_b32 v1, v0\n	s_and_saveexec_b32 s8, s9\n	v_mov_b32_e32 v1, 0\n"
              "	s_or_b32 exec_lo, exec_lo, s8\n	v_cmp_eq_u32_e32 vcc_lo, 0, v1\n"
              "	s_cbranch_vccnz .Lend\n.Lend:\n"),
      "0 ");
  // Every lane that comes back was written in front.
  const std::string written =
      "	ds_load_b32 v1, v0\n	v_mul_f32_e32 v3, v1, v1\n	v_mov_b32_e32 v1, 0\n"
      "	s_and_saveexec_b32 s8, s9\n	v_mov_b32_e32 v1, 1\n	s_or_b32 exec_lo, exec_lo, s8\n"
      "	v_cmp_eq_u32_e32 vcc_lo, 0, v1\n	s_cbranch_vccnz .Lend\n.Lend:\n"
      "	global_store_b32 v0, v3, s[2:3]\n";
  EXPECT_EQ(flagsOf(written), "");
  EXPECT_EQ(flagsOf(replaced(written, "	v_mov_b32_e32 v1, 1\n",
                             "	v_mov_b32_e32 v1, 1\n	s_mov_b32 s8, s10\n")),
            ""); // Lanes beyond have something older than the load.
  // Lanes of the load that are off at the write come back by a mask.
  EXPECT_EQ(flagsOf("	ds_load_b32 v1, v0\n	v_mul_f32_e32 v3, v1, v1\n	s_and_b32 exec_lo, "
                    "exec_lo, s9\n"
                    "	v_mov_b32_e32 v1, 0\n	s_mov_b32 exec_lo, s10\n	v_cmp_eq_u32_e32 "
                    "vcc_lo, 0, v1\n"
                    "	s_cbranch_vccnz .Lend\n.Lend:\n	global_store_b32 v0, v3, s[2:3]\n"),
            "0 ");
}

/// v1 is set on the way that the flag in s8 speaks of, and read as an address behind a branch on
/// it.
TEST(FlagLoads, WaysThatAFlagSpeaksOf) {
  const std::string text =
      "	ds_load_b32 v1, v0\n	v_mul_f32_e32 v3, v1, v1\n	s_cbranch_scc1 .Lother\n"
      "	v_mov_b32_e32 v1, 0\n	s_mov_b32 s8, -1\n	s_branch .Ljoin\n.Lother:\n"
      "	s_mov_b32 s8, 0\n.Ljoin:\n	s_and_b32 vcc_lo, exec_lo, s8\n	s_cbranch_vccz .Lend\n"
      "	global_store_b32 v1, v3, s[2:3]\n.Lend:\n";
  EXPECT_EQ(flagsOf(text), "");
  EXPECT_EQ(flagsOf(replaced(replaced(text, "s_and_b32 vcc_lo", "s_and_not1_b32 vcc_lo"),
                             "s_cbranch_vccz", "s_cbranch_vccnz")),
            ""); // Whoever has set v1 comes there only without a lane.
  // The other way, a flag of which this is not known, one that is written behind, another mask.
  for (const auto &[was, is] : std::initializer_list<std::pair<const char *, const char *>>{
           {"s_cbranch_vccz", "s_cbranch_vccnz"},
           {"s_mov_b32 s8, 0", "s_mov_b32 s8, 1"},
           {"s_mov_b32 s8, 0", "s_mov_b32 s8, s9"},
           {"s_and_b32 vcc_lo, exec_lo, s8", "s_and_b32 vcc_lo, s9, s8"},
           {"s_and_b32 vcc_lo, exec_lo, s8", "s_or_b32 vcc_lo, exec_lo, s8"},
           {".Ljoin:\n", ".Ljoin:\n	s_mov_b32 s8, s9\n"}})
    EXPECT_EQ(flagsOf(replaced(text, was, is)), "0 ") << is;
  // Lanes may be on at the branch that were off at the test.
  const std::string without = replaced(replaced(text, "s_mov_b32 s8, 0", "s_mov_b32 s8, -1"),
                                       "s_cbranch_vccz", "s_cbranch_vccnz");
  EXPECT_EQ(flagsOf(without), "");
  const std::string changed = "	s_mov_b32 exec_lo, s9\n	s_cbranch_vccnz";
  EXPECT_EQ(flagsOf(replaced(without, "	s_cbranch_vccnz", changed)), "0 ");
}

/// A register that M0 chooses may be the flag.
TEST(FlagLoads, FlagsThatMayBeWritten) {
  const std::string text = "	s_mov_b32 s8, 0\n	s_and_b32 vcc_lo, exec_lo, s8\n"
                           "	s_cbranch_vccz .Lend\n	s_nop 0\n.Lend:\n";
  const auto exit = [](const std::string &body) {
    const auto module = parseKernel(body);
    return verify::exitOf(*module, buildCfg(*module, 0), 0, 1);
  };
  EXPECT_EQ(exit(text), verify::Exit::Closed);
  EXPECT_EQ(exit(replaced(text, "s8, 0\n", "s8, 0\n	s_movreld_b32 s7, s9\n")),
            verify::Exit::Open);
  EXPECT_EQ(exit(replaced(text, "s8, 0\n", "s8, 0\n	s_swappc_b64 s[30:31], s[4:5]\n")),
            verify::Exit::Open);
}

TEST(FlagLoads, WaysThatTheBlockItselfDecides) {
  const std::string text =
      "	ds_load_b32 v1, v0\n	v_mul_f32_e32 v3, v1, v1\n	s_mov_b32 s8, 0\n"
      "	s_and_b32 vcc_lo, exec_lo, s8\n	s_cbranch_vccz .Lend\n"
      "	global_store_b32 v1, v3, s[2:3]\n.Lend:\n	global_store_b32 v0, v3, s[2:3]\n";
  EXPECT_EQ(flagsOf(text), "");
  EXPECT_EQ(flagsOf(replaced(text, "s_mov_b32 s8, 0", "s_mov_b32 s8, -1")), "0 ");
}

/// Lanes come on by a mask that was put together where v1 was set.
TEST(FlagLoads, MasksThatArePutTogether) {
  const std::string text =
      "	ds_load_b32 v1, v0\n	v_mul_f32_e32 v3, v1, v1\n	s_mov_b32 s8, 0\n"
      "	s_mov_b32 s9, exec_lo\n	v_cmpx_eq_u32_e32 0, v0\n	v_mov_b32_e32 v1, 0\n"
      "	s_mov_b32 s8, exec_lo\n	s_or_b32 exec_lo, exec_lo, s9\n"
      "	s_and_saveexec_b32 s10, s8\n	global_store_b32 v1, v3, s[2:3]\n";
  EXPECT_EQ(flagsOf(text), "");
  EXPECT_EQ(flagsOf(replaced(text, "s_mov_b32 s8, exec_lo", "s_mov_b32 s8, s9")), "0 ");
  EXPECT_EQ(flagsOf(replaced(text, "s10, s8", "s10, s9")), "0 ");
}

/// What is written in some lanes is not looked at because what others hold is.
TEST(FlagLoads, OtherLanesOfTheResult) {
  const std::string text =
      "	ds_load_b32 v1, v0\n	v_mul_f32_e32 v2, v1, v1\n	global_store_b32 v0, v2, s[2:3]\n"
      "	v_mov_b32_e32 v2, 0\n	s_mov_b32 exec_lo, -1\n	global_store_b32 v2, v0, s[2:3]\n";
  EXPECT_EQ(flagsOf(text), "");
  EXPECT_EQ(flagsOf(replaced(text, "	v_mov_b32_e32 v2, 0\n", "")), "0 ");
  // A load may be of any of them.
  EXPECT_EQ(flagsOf("	s_mov_b32 exec_lo, s8\n	ds_load_b32 v1, v0\n	s_mov_b32 exec_lo, s9\n"
                    "	v_mov_b32_e32 v1, 0\n	s_mov_b32 exec_lo, -1\n"
                    "	global_store_b32 v1, v0, s[2:3]\n"),
            "1 ");
}

/// What writes or reads lanes whether or not EXEC selects them.
TEST(FlagLoads, LanesThatExecSaysNothingOf) {
  EXPECT_EQ(flagsOf("	ds_load_b32 v1, v0\n	v_readfirstlane_b32 s4, v1\n"
                    "	s_and_saveexec_b32 s9, s8\n	v_writelane_b32 v5, s4, 0\n"
                    "	s_cbranch_execz .Lskip\n	s_endpgm\n.Lskip:\n"
                    "	v_readlane_b32 s5, v5, 0\n	s_cmp_eq_u32 s5, 0\n"
                    "	s_cbranch_scc1 .Lend\n.Lend:\n"),
            "0 ");
  const std::string text =
      "	ds_load_b32 v1, v0\n	v_mul_f32_e32 v3, v1, v1\n"
      "	v_cmpx_eq_u32_e32 0, v0\n	v_mov_b32_e32 v1, 0\n"
      "	v_add_nc_u32_dpp v4, v1, v1 dpp8:[1,0,3,2,5,4,7,6] fi:1\n"
      "	v_cmp_eq_u32_e32 vcc_lo, 0, v4\n	s_cbranch_vccnz .Lend\n.Lend:\n";
  EXPECT_EQ(flagsOf(text), "0 ");
  EXPECT_EQ(flagsOf(replaced(text, " fi:1", "")), "");
}

/// Masks that are mixed at random kept the searches for flags and for what is needed from their
/// ends.
TEST(FlagLoads, EndsWhateverTheMasks) {
  std::string text;
  Random random(7);
  const auto mask = [&] {
    const unsigned n = random.below(21);
    return n == 20 ? std::string("exec_lo") : fmt::format("s{}", 4 + n);
  };
  constexpr unsigned kBlocks = 12;
  for (unsigned b = 0; b < kBlocks; ++b) {
    text += fmt::format(".L{}:\n	ds_load_b32 v{}, v0\n", b, 1 + random.below(8));
    for (unsigned n = 0; n < 8; ++n) {
      const char *op = std::array{"s_or_b32", "s_and_b32", "s_and_not1_b32"}[random.below(3)];
      text += fmt::format("	{} {}, {}, {}\n	v_mov_b32_e32 v{}, 0\n", op, mask(), mask(), mask(),
                          1 + random.below(8));
    }
    text += fmt::format("	global_store_b32 v{}, v0, s[2:3]\n	s_cbranch_scc1 .L{}\n",
                        1 + random.below(8), random.below(kBlocks));
  }
  const auto module = parseKernel(text);
  const Cfg cfg = buildCfg(*module, 0);
  EXPECT_FALSE(verify::flagLoads(*module, cfg).empty());
  EXPECT_EQ(verify::computeNeeds(*module, cfg).size(), cfg.blocks.size());
}

TEST(FlagLoads, AddressesMasksAndCallees) {
  EXPECT_EQ(flagsOf("	ds_load_b32 v1, v0\n	ds_load_b32 v2, v1\n	v_mul_f32_e32 v3, v2, v2\n"
                    "	global_store_b32 v0, v3, s[2:3]\n"),
            "0 ");
  EXPECT_EQ(
      flagsOf("	ds_load_b32 v1, v0\n	v_readfirstlane_b32 s4, v1\n	s_mov_b32 exec_lo, s4\n"),
      "0 ");
  EXPECT_EQ(flagsOf("	ds_load_b32 v1, v0\n	s_swappc_b64 s[30:31], s[4:5]\n"), "0 ");
  EXPECT_EQ(flagsOf("	ds_load_b32 v1, v0\n	v_mul_f32_e32 v3, v1, v1\n	ds_bpermute_b32 "
                    "v4, v5, v3\n"
                    "	v_add_f32_e32 v4, v4, v3\n	global_store_b32 v0, v4, s[2:3]\n"),
            "");
  EXPECT_EQ(
      flagsOf("	ds_load_b32 v1, v0\n	ds_bpermute_b32 v4, v1, v3\n	v_add_f32_e32 v4, v4, v3\n"
              "	global_store_b32 v0, v4, s[2:3]\n"),
      "0 ");
}

/// The lines, from 0, at which no lane may be active.
std::string emptyOf(std::string_view body) {
  const auto module = parseKernel(body);
  const Cfg cfg = buildCfg(*module, 0);
  const std::vector<uint8_t> empty = verify::execMayBeEmpty(*module, cfg);
  const std::vector<uint8_t> guess = mayHaveNoLane(*module, cfg, computeLiveness(*module, cfg));
  for (uint32_t i = 0; i < empty.size(); ++i)
    EXPECT_GE(guess.at(i), empty[i]) << body << ", instruction " << i; // It may be more careful.
  std::string lines;
  for (uint32_t i = 0; i + 1 < empty.size(); ++i)
    if (empty[i])
      lines += fmt::format("{} ", module->instructions()[i].line - 6);
  return lines;
}

TEST(ExecMayBeEmpty, BranchesAndSavedMasksSay) {
  EXPECT_EQ(emptyOf("	s_nop 0\n	v_cmpx_eq_u32_e32 0, v0\n	s_nop 1\n"), "2 ");
  EXPECT_EQ(
      emptyOf("	s_mov_b32 s4, exec_lo\n	v_cmpx_eq_u32_e32 0, v0\n	s_cbranch_execz .Lskip\n"
              "	s_nop 1\n.Lskip:\n	s_nop 2\n	s_or_b32 exec_lo, exec_lo, s4\n	s_nop 3\n"),
      "2 5 6 ");
  EXPECT_EQ(
      emptyOf("	s_and_saveexec_b32 s4, s5\n	s_nop 0\n	s_mov_b32 exec_lo, s4\n	s_nop 1\n"
              "	s_mov_b32 s4, s6\n	s_mov_b32 exec_lo, s4\n	s_nop 2\n"),
      "1 2 6 ");
  EXPECT_EQ(emptyOf("	s_mov_b32 exec_lo, -1\n	s_nop 0\n	s_mov_b32 exec_lo, 0\n	s_nop 1\n"),
            "3 ");
}

} // namespace
} // namespace rdna::test::verifyFlagLoadsTest
