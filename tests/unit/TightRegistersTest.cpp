// Registers for a whole function below a limit: what stays together, what keeps its bank, and who
// may share.

#include "AsmSnippet.h"

#include "Transform/TightRegisters.h"

#include "llvm/ADT/STLExtras.h"

namespace rdna::tightRegistersTest {
namespace {

struct Subject {
  std::unique_ptr<Module> module;
  Cfg cfg;
  Liveness liveness;
  FunctionWebs webs;

  explicit Subject(std::string_view body)
      : module(test::parseText(test::kernelText(body, "", "256"))), cfg(buildCfg(*module, 0)),
        liveness(computeLiveness(*module, cfg)), webs(findWebs(*module, cfg, liveness)) {}

  std::optional<Registers> below(unsigned limit) const {
    return TightRegisters(*module, cfg, liveness, webs).below(limit);
  }
  WebId web(uint32_t inst, unsigned operand, unsigned dword = 0) const {
    return webs.webAt(inst, operand, dword);
  }
};

TEST(TightRegisters, TuplesStayTogetherAndFactorsInTheirBanks) {
  const Subject subject("\tds_load_b128 v[143:146], v0\n\ts_waitcnt lgkmcnt(0)\n"
                        "\tv_mov_b32 v202, 0\n"
                        "\tv_fmac_f32_e32 v202, v145, v146\n"
                        "\tds_store_b64 v0, v[144:145]\n\tds_store_b32 v0, v202");
  const auto registers = subject.below(12);
  ASSERT_TRUE(registers);
  std::array<unsigned, 4> tuple{};
  for (unsigned d = 0; d < 4; ++d)
    tuple[d] = registers->of[subject.web(0, 0, d)].number;
  for (unsigned d = 1; d < 4; ++d)
    EXPECT_EQ(tuple[d], tuple[0] + d);
  EXPECT_EQ(tuple[0] % 4, 143U % 4);
  EXPECT_LT(tuple[3], 12U);
  EXPECT_EQ(registers->of[subject.web(2, 0)].number % 2, 0U);
  // v[3:6] is the lowest place for the tuple: v0 is the address, and v[1:4] are other banks.
  EXPECT_TRUE(subject.below(7));
  EXPECT_FALSE(subject.below(6));
}

TEST(TightRegisters, MostLiveIsABound) {
  const Subject subject("\tv_mov_b32 v100, 0\n\tv_mov_b32 v101, 1\n\tv_add_f32 v102, v100, v101\n"
                        "\tds_store_b32 v0, v102");
  const MostLive most = mostLive(*subject.module, subject.cfg, subject.liveness);
  EXPECT_EQ(most.count, 3U); // v0 with the two, or with the sum where one has ended
  EXPECT_TRUE(subject.below(3));
  EXPECT_FALSE(subject.below(2));
}

TEST(TightRegisters, WhatStaysLimits) {
  // Whoever launches the kernel puts v0 there.
  const Subject subject("\tv_mov_b32 v100, v0\n\tds_store_b32 v0, v100");
  const auto registers = subject.below(2);
  ASSERT_TRUE(registers);
  EXPECT_EQ(registers->of[subject.web(1, 0)].number, 0U);
  EXPECT_EQ(registers->of[subject.web(0, 0)].number, 1U);
}

/// Nobody reads v4 where s4 is 0, and nobody waits for it: it is written all the same, also where
/// paths have met.
TEST(FunctionWebs, ALoadThatIsStillOnItsWayKeepsItsRegister) {
  const Subject subject("\tglobal_load_b32 v4, v0, s[2:3]\n\ts_cmp_eq_u32 s4, 0\n"
                        "\ts_cbranch_scc1 .Lunread\n\ts_waitcnt vmcnt(0)\n"
                        "\tds_store_b32 v0, v4\n.Lunread:\n\tv_mov_b32 v5, 0\n"
                        "\ts_waitcnt vmcnt(0)\n\tv_mov_b32 v6, 0\n\tds_store_b64 v0, v[5:6]");
  const WebId loaded = subject.web(0, 0), early = subject.web(5, 0), late = subject.web(7, 0);
  const std::vector<uint8_t> asked(subject.webs.home.size(), 1);
  const Interference apart =
      findInterference(*subject.module, subject.cfg, subject.liveness, subject.webs, asked,
                       [](const Instruction &) { return false; });
  EXPECT_TRUE(llvm::is_contained(apart.others[early], loaded));
  EXPECT_FALSE(llvm::is_contained(apart.others[late], loaded));
}

/// v4 is read and replaced at once; what comes behind must leave the new value alone.
TEST(FunctionWebs, WhatReplacesItsOwnSourceIsAValueOfItsOwn) {
  const Subject subject("\tv_add_nc_u32 v4, v0, v0\n\tv_lshlrev_b32 v4, 2, v4\n"
                        "\tv_mov_b32 v5, 0\n\tds_store_b32 v4, v5");
  const WebId shifted = subject.web(1, 0), zero = subject.web(2, 0);
  ASSERT_NE(shifted, subject.web(0, 0));
  const std::vector<uint8_t> asked(subject.webs.home.size(), 1);
  const Interference apart =
      findInterference(*subject.module, subject.cfg, subject.liveness, subject.webs, asked,
                       [](const Instruction &) { return false; });
  EXPECT_TRUE(llvm::is_contained(apart.others[zero], shifted));
  EXPECT_FALSE(llvm::is_contained(apart.others[zero], subject.web(0, 0)));
}

} // namespace
} // namespace rdna::tightRegistersTest
