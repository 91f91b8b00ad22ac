// What each kind of instruction reads and writes. Expected values are AMD's pseudo-code (ISA guide,
// chapter 16) written down by hand; EXEC as the gate of vector instructions is left out.

#include "Asm/Target.h"
#include "AsmSnippet.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace asmDefUseTest {

using namespace rdna;
using namespace rdna::test;

namespace {

/// "r s4" read, "w v1" written, "p v2" partly written; sorted, each once.
std::string accesses(const Instruction &inst) {
  std::set<std::string> all;
  for (const RegAccess &access : inst.accesses)
    all.insert(fmt::format("{} {}",
                           access.access == Access::Read    ? 'r'
                           : access.access == Access::Write ? 'w'
                                                            : 'p',
                           toString(access.reg)));
  std::string text;
  for (const std::string &one : all)
    text += (text.empty() ? "" : ", ") + one;
  return text;
}

struct Case {
  const char *text, *expected;
};

void check(const std::vector<Case> &cases) {
  std::string text;
  for (const Case &one : cases)
    text += fmt::format("  {}\n", one.text);
  const auto module = parseText(text);
  ASSERT_EQ(module->instructions().size(), cases.size());
  for (size_t i = 0; i < cases.size(); ++i)
    EXPECT_EQ(accesses(module->instructions()[i]), cases[i].expected) << cases[i].text;
}

TEST(AsmDefUse, PlainVectorInstructions) {
  check({{"v_mov_b32 v1, v2", "r v2, w v1"},
         {"v_add_f32 v1, s3, v2", "r s3, r v2, w v1"},
         {"v_fma_f32 v1, v2, v3, v4", "r v2, r v3, r v4, w v1"},
         {"v_add_f32_e64 v1, -v2, |v3| clamp", "r v2, r v3, w v1"},
         {"v_lshlrev_b64 v[4:5], 2, v[6:7]", "r v[6:7], w v[4:5]"},
         {"v_rcp_f32 v1, v2", "r v2, w v1"},
         {"v_mad_u64_u32 v[8:9], null, v1, s4, v[2:3]", "r s4, r v1, r v[2:3], w v[8:9]"},
         {"v_mad_u64_u32 v[8:9], s5, v1, s4, v[2:3]", "r s4, r v1, r v[2:3], w s5, w v[8:9]"}});
}

TEST(AsmDefUse, TiedOperandsAreReadAndWritten) {
  check({{"v_fmac_f32 v1, v2, v3", "r v1, r v2, r v3, w v1"},
         {"v_dot2acc_f32_f16 v1, v2, v3", "r v1, r v2, r v3, w v1"},
         {"v_fmamk_f32 v1, v2, 0x12345, v3", "r v2, r v3, w v1"},
         {"v_fmaak_f32 v1, v2, v3, 0x12345", "r v2, r v3, w v1"},
         {"v_swap_b32 v1, v2", "r v1, r v2, w v1, w v2"},
         {"v_writelane_b32 v1, s2, 3", "p v1, r s2, r v1"},
         {"v_pk_fmac_f16 v1, v2, v3", "p v1, r v2, r v3"},
         {"v_mov_b32_dpp v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf", "r v1, r v2, w v1"}});
}

TEST(AsmDefUse, VccAndScc) {
  check({{"v_cmp_lt_f32 vcc_lo, v1, v2", "r v1, r v2, w vcc_lo"},
         {"v_cmp_lt_f32 s4, v1, v2", "r v1, r v2, w s4"},
         {"v_cndmask_b32 v1, v2, v3, vcc_lo", "r v2, r v3, r vcc_lo, w v1"},
         {"v_cndmask_b32 v1, v2, v3, s4", "r s4, r v2, r v3, w v1"},
         {"v_add_co_u32 v1, vcc_lo, v2, v3", "r v2, r v3, w v1, w vcc_lo"},
         {"v_add_co_ci_u32 v1, vcc_lo, v2, v3, vcc_lo", "r v2, r v3, r vcc_lo, w v1, w vcc_lo"},
         {"v_add_co_u32 v1, s4, v2, v3", "r v2, r v3, w s4, w v1"},
         {"v_div_fmas_f32 v1, v2, v3, v4", "r v2, r v3, r v4, r vcc_lo, w v1"},
         {"s_add_u32 s1, s2, s3", "r s2, r s3, w s1, w scc"},
         {"s_addc_u32 s1, s2, s3", "r s2, r s3, r scc, w s1, w scc"},
         {"s_cselect_b32 s1, s2, s3", "r s2, r s3, r scc, w s1"},
         {"s_cmp_lt_i32 s1, 4", "r s1, w scc"},
         {"s_mul_i32 s1, s2, s3", "r s2, r s3, w s1"},
         {"s_cmov_b32 s1, s2", "p s1, r s2, r scc"},
         {"s_bitset1_b32 s1, s2", "p s1, r s2"},
         {"s_cselect_b64 vcc, -1, 0", "r scc, w vcc"}});
}

TEST(AsmDefUse, ExecAndM0) {
  check({{"s_and_saveexec_b32 s1, vcc_lo", "r exec_lo, r vcc_lo, w exec_lo, w s1, w scc"},
         {"s_or_b32 exec_lo, exec_lo, s1", "r exec_lo, r s1, w exec_lo, w scc"},
         {"s_mov_b32 exec_lo, s4", "r s4, w exec_lo"},
         {"s_and_saveexec_b64 s[2:3], vcc", "r exec, r vcc, w exec, w s[2:3], w scc"},
         {"v_cmpx_lt_f32 v1, v2", "r v1, r v2, w exec_lo"},
         {"s_mov_b32 m0, s4", "r s4, w m0"},
         {"v_readlane_b32 s1, v2, m0", "r m0, r v2, w s1"},
         {"v_readfirstlane_b32 s1, v2", "r v2, w s1"},
         {"s_mov_b32 s1, exec_lo", "r exec_lo, w s1"},
         {"s_mov_b32 s1, ttmp9", "r ttmp9, w s1"},
         {"s_mov_b64 s[2:3], src_shared_base", "r src_shared_base, w s[2:3]"},
         {"v_mov_b32 v1, src_private_limit", "r src_private_limit, w v1"},
         {"s_mov_b32 s1, null", "w s1"}});
}

TEST(AsmDefUse, Halves) {
  check({{"v_mov_b16 v1.l, v2.h", "p v1.l, r v2.h"},
         {"v_add_f16 v1.h, v2.l, v3.l", "p v1.h, r v2.l, r v3.l"},
         {"global_load_d16_b16 v1, v[2:3], off", "p v1, r v[2:3]"},
         {"global_load_d16_hi_b16 v1, v[2:3], off", "p v1, r v[2:3]"}});
}

TEST(AsmDefUse, Memory) {
  check({{"global_load_b32 v1, v[2:3], off", "r v[2:3], w v1"},
         {"global_load_b128 v[4:7], v1, s[2:3] offset:16", "r s[2:3], r v1, w v[4:7]"},
         {"global_store_b64 v[2:3], v[4:5], off", "r v[2:3], r v[4:5]"},
         {"global_atomic_add_u32 v1, v[2:3], v4, off glc", "r v4, r v[2:3], w v1"},
         {"global_atomic_add_u32 v[2:3], v4, off", "r v4, r v[2:3]"},
         {"ds_load_b64 v[1:2], v3 offset:8", "r v3, w v[1:2]"},
         {"ds_store_b32 v1, v2", "r v1, r v2"},
         {"ds_load_2addr_b32 v[1:2], v3 offset0:1 offset1:2", "r v3, w v[1:2]"},
         {"ds_store_2addr_b64 v1, v[2:3], v[4:5] offset1:1", "r v1, r v[2:3], r v[4:5]"},
         {"s_load_b64 s[4:5], s[0:1], 0x10", "r s[0:1], w s[4:5]"},
         {"s_load_b32 s4, s[0:1], s2", "r s2, r s[0:1], w s4"},
         {"buffer_load_b32 v1, v2, s[4:7], s3 offen offset:8", "r s3, r s[4:7], r v2, w v1"},
         {"buffer_store_b32 v1, off, s[4:7], 0", "r s[4:7], r v1"}});
}

TEST(AsmDefUse, BranchesAndCalls) {
  check({{"s_cbranch_vccnz 4", "r vcc_lo"},
         {"s_cbranch_scc0 4", "r scc"},
         {"s_cbranch_execz 4", "r exec_lo"},
         {"s_swappc_b64 s[30:31], s[4:5]", "r s[4:5], w s[30:31]"},
         {"s_setpc_b64 s[30:31]", "r s[30:31]"},
         {"s_getpc_b64 s[4:5]", "w s[4:5]"}});
}

TEST(AsmDefUse, VopdHalves) {
  check({{"v_dual_fmac_f32 v1, v2, v3 :: v_dual_mul_f32 v4, v5, v6",
          "r v1, r v2, r v3, r v5, r v6, w v1, w v4"},
         {"v_dual_cndmask_b32 v1, v2, v3 :: v_dual_mov_b32 v4, s5",
          "r s5, r v2, r v3, r vcc_lo, w v1, w v4"},
         {"v_dual_fmaak_f32 v1, v2, v3, 0x1234 :: v_dual_add_nc_u32 v4, 7, v6",
          "r v2, r v3, r v6, w v1, w v4"}});
  const auto module = parseText("v_dual_fmac_f32 v1, v2, v3 :: v_dual_add_nc_u32 v4, v5, v6\n");
  const Instruction &inst = module->instructions().front();
  EXPECT_EQ(inst.op, Op::v_fmac_f32);
  EXPECT_EQ(inst.opY, Op::v_add_nc_u32);
  EXPECT_TRUE(inst.isVopd());
  EXPECT_EQ(inst.sizeBytes, 8u);
}

TEST(AsmDefUse, MemoryEffects) {
  const auto module = parseText("ds_load_b32 v1, v2\nds_store_b32 v1, v2\nds_add_u32 v1, v2\n"
                                "ds_add_rtn_u32 v1, v2, v3\nds_bpermute_b32 v1, v2, v3\n"
                                "v_add_f32 v1, v2, v3\ns_barrier\n"
                                "global_load_b32 v1, v[2:3], off\n");
  const std::vector<MemoryEffect> expected = {
      MemoryEffect::Load, MemoryEffect::Store, MemoryEffect::Atomic, MemoryEffect::AtomicReturn,
      MemoryEffect::None, MemoryEffect::None,  MemoryEffect::None,   MemoryEffect::Load};
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(module->instructions()[i].memory, expected[i]) << i;
}

TEST(AsmDefUse, EncodedSizesCountLiterals) {
  const auto module = parseText("v_add_f32 v1, v2, v3\nv_add_f32 v1, 0x12345678, v3\n"
                                "v_fma_f32 v1, v2, v3, v4\nv_fma_f32 v1, v2, 0x12345678, v4\n"
                                "s_endpgm\n");
  const unsigned expected[] = {4, 8, 8, 12, 4};
  for (size_t i = 0; i < std::size(expected); ++i)
    EXPECT_EQ(module->instructions()[i].sizeBytes, expected[i]) << i;
}

TEST(AsmCorpus, EveryInstructionIsKnown) {
  std::ifstream file(RDNA_DATA_DIR "/roundtrip_corpus.s");
  std::stringstream text;
  text << file.rdbuf();
  const auto module = parseText(text.str());
  EXPECT_EQ(module->instructions().size(), 18220u);
  std::set<std::string> unmapped;
  for (const Instruction &inst : module->instructions())
    if (inst.op == Op::unknown)
      unmapped.insert(std::string(module->instructionText(inst)));
  EXPECT_TRUE(unmapped.empty()) << unmapped.size() << " unmapped, first: " << *unmapped.begin();
}

TEST(AsmTarget, PinnedFactsOfThisLlvm) {
  // OPERAND_INPUT_MODS is private to LLVM: the operand before each source of a VOP3 has this type.
  const McTarget &target = McTarget::get();
  const auto opcode = target.opcodeByName("V_FMA_F32_e64_gfx11");
  ASSERT_TRUE(opcode);
  const llvm::MCInstrDesc &desc = target.instructions().get(*opcode);
  EXPECT_EQ(desc.operands()[1].OperandType, 45);
  EXPECT_EQ(desc.operands()[3].OperandType, 45);
  EXPECT_EQ(desc.operands()[5].OperandType, 45);
  EXPECT_NE(desc.operands()[2].OperandType, 45);
}

} // namespace

} // namespace asmDefUseTest
