// The .s file as a document: places of statements, spelling, kernels, metadata, macros, errors.

#include "AsmSnippet.h"
#include "Code/Edit.h"
#include "Code/Reprint.h"

namespace asmDocumentTest {

using namespace rdna;
using namespace rdna::test;

namespace {

std::vector<std::string> texts(const Module &module) {
  std::vector<std::string> result;
  for (const Instruction &inst : module.instructions())
    result.emplace_back(module.instructionText(inst));
  return result;
}

TEST(AsmDocument, UnchangedTextIsKept) {
  const std::string text = kernelText("  v_mov_b32 v1,v2 ; why\r\n\t// c\r\n /* a\n b */ s_nop 0");
  EXPECT_EQ(std::string(parseText(text)->text()), text);
  EXPECT_EQ(applyEdits(*parseText(text), {}), text);
}

TEST(AsmDocument, StatementRanges) {
  const auto module = parseText("  v_mov_b32 v1, v2 ; comment\n"
                                "lab: lab2: s_nop 0 // other\n"
                                "\tv_add_f32 v1, /* in\n the middle */ v2, v3   \n"
                                "# hash\n"
                                "s_branch lab\r\n"
                                "s_endpgm");
  EXPECT_EQ(texts(*module), (std::vector<std::string>{"v_mov_b32 v1, v2", "s_nop 0",
                                                      "v_add_f32 v1, /* in\n the middle */ v2, v3",
                                                      "s_branch lab", "s_endpgm"}));
  const auto &all = module->instructions();
  EXPECT_EQ(all[0].line, 1u);
  EXPECT_EQ(all[0].column, 3u);
  EXPECT_EQ(all[1].line, 2u);
  EXPECT_EQ(all[1].column, 12u);
  EXPECT_EQ(all[2].line, 3u);
  EXPECT_EQ(all[4].line, 7u);
  EXPECT_EQ(module->branchTarget(all[3]), "lab");
  EXPECT_EQ(module->labelTarget("lab"), 1u);
  EXPECT_EQ(module->labelTarget("lab2"), 1u);
  EXPECT_EQ(module->labelTarget("none"), std::nullopt);
}

TEST(AsmDocument, HandWrittenSpelling) {
  const auto module = parseText("ds_load_b32 v1, v2 offset: 8\nds_load_b32 v1, v2 offset:0x8\n"
                                "v_mov_b32 v1, 0x3f800000\nv_mov_b32_e32 v1, 1.0\n"
                                "s_waitcnt vmcnt(0) & lgkmcnt(1)\ns_waitcnt vmcnt(0) lgkmcnt(1)\n");
  const auto &all = module->instructions();
  ASSERT_EQ(all.size(), 6u);
  for (size_t i = 0; i < 6; i += 2) {
    ASSERT_EQ(all[i].operands.size(), all[i + 1].operands.size());
    EXPECT_EQ(all[i].op, all[i + 1].op);
    for (size_t o = 0; o < all[i].operands.size(); ++o)
      EXPECT_EQ(static_cast<uint32_t>(all[i].operands[o].imm),
                static_cast<uint32_t>(all[i + 1].operands[o].imm))
          << i;
  }
}

TEST(AsmDocument, KernelsAndDeviceFunctions) {
  const auto module = parseText(kernelText("s_nop 0\n.LBB0_1:\ns_branch .LBB0_1") +
                                "\t.text\n\t.type f,@function\nf:\n\ts_setpc_b64 s[30:31]\n"
                                ".Lfunc_end1:\n");
  ASSERT_EQ(module->functions().size(), 2u);
  const Function &kernel = module->functions()[0], &device = module->functions()[1];
  EXPECT_EQ(kernel.name, "k");
  EXPECT_TRUE(kernel.isKernel());
  EXPECT_EQ(kernel.first, 0u);
  EXPECT_EQ(kernel.last, 3u);
  EXPECT_EQ(kernel.line, 5u);
  EXPECT_EQ(device.name, "f");
  EXPECT_FALSE(device.isKernel());
  EXPECT_EQ(device.first, 3u);
  EXPECT_EQ(device.last, 4u);
}

TEST(AsmDocument, DescriptorValuesOfAllThreeCompilers) {
  // clang 16 and 19 write numbers, clang 22 expressions over symbols that follow later.
  const auto module =
      parseText(kernelText("s_nop 0",
                           "\t.amdhsa_group_segment_fixed_size 0x100\n"
                           "\t.amdhsa_private_segment_fixed_size k.private_seg_size\n"
                           "\t.amdhsa_workgroup_processor_mode 0 ; CU mode",
                           "max(totalnumvgprs(0, k.num_vgpr), 1, 0)") +
                "\t.set k.num_vgpr, 187\n\t.set k.private_seg_size, 16\n");
  ASSERT_FALSE(module->functions().empty());
  const Function &kernel = module->functions().front();
  EXPECT_EQ(kernel.descriptorValue(".amdhsa_next_free_vgpr", -1), 187);
  EXPECT_EQ(kernel.descriptorValue(".amdhsa_group_segment_fixed_size", -1), 256);
  EXPECT_EQ(kernel.descriptorValue(".amdhsa_private_segment_fixed_size", -1), 16);
  EXPECT_EQ(kernel.descriptorValue(".amdhsa_workgroup_processor_mode", 1), 0);
  EXPECT_EQ(kernel.descriptorValue(".amdhsa_wavefront_size32", 7), 7);
  const DescriptorField &field = kernel.descriptor.at(".amdhsa_workgroup_processor_mode");
  EXPECT_EQ(module->text().substr(field.begin, field.end - field.begin), "0");
}

TEST(AsmDocument, MetadataNumbersWithTheirPlaces) {
  const auto module = parseText(kernelText("s_nop 0") +
                                "\t.amdgpu_metadata\n---\namdhsa.kernels:\n"
                                "  - .args: []\n"
                                "    .max_flat_workgroup_size: 256\n"
                                "    .name:           'k'\n"
                                "    .reqd_workgroup_size:\n      - 8\n      - 4\n      - 2\n"
                                "    .symbol:         k.kd\n"
                                "    .vgpr_count:     64\n"
                                "amdhsa.version:\n  - 1\n  - 2\n...\n\t.end_amdgpu_metadata\n");
  ASSERT_FALSE(module->functions().empty());
  const Function &kernel = module->functions().front();
  ASSERT_TRUE(kernel.metadata.contains(".vgpr_count"));
  const MetadataNumber &count = kernel.metadata.at(".vgpr_count");
  EXPECT_EQ(count.value, 64);
  EXPECT_EQ(module->text().substr(count.begin, count.end - count.begin), "64");
  EXPECT_EQ(kernel.metadata.at(".max_flat_workgroup_size").value, 256);
  EXPECT_EQ(kernel.requiredWorkgroupSize, (std::array<uint32_t, 3>{8, 4, 2}));
}

TEST(AsmDocument, Macros) {
  const auto module =
      parseText(".macro two a, b\n v_mov_b32 v\\a, v\\b\n v_mov_b32 v\\b, 0\n.endm\n"
                "s_nop 0\n"
                "two 1, 2\n"
                ".rept 3\n s_nop 1\n.endr\n"
                ".if 0\n s_nop 2\n.else\n s_nop 3\n.endif\n"
                ".set K, 5\n v_mov_b32 v3, K\n");
  const auto &all = module->instructions();
  ASSERT_EQ(all.size(), 8u);
  EXPECT_EQ(all[0].origin, Instruction::Origin::Text);
  for (size_t i = 1; i < 6; ++i)
    EXPECT_EQ(all[i].origin, Instruction::Origin::Macro) << i;
  EXPECT_EQ(all[1].line, 6u);
  EXPECT_EQ(all[2].line, 6u);
  EXPECT_EQ(module->instructionText(all[2]), "two 1, 2");
  EXPECT_EQ(all[3].line, 7u);
  EXPECT_EQ(module->instructionText(all[6]), "s_nop 3");
  EXPECT_EQ(all[6].origin, Instruction::Origin::Text);
  EXPECT_EQ(all[7].operands[1].imm, 5);
  EXPECT_EQ(module->instructionText(all[7]), "v_mov_b32 v3, K");
}

TEST(AsmDocument, NestedMacrosAndTheirErrors) {
  const auto module = parseText(".macro inner\nlabel\\@:\n s_nop 1\n.endm\n"
                                ".macro outer\n inner\n .rept 2\n inner\n .endr\n.endm\n"
                                "s_nop 0\n\touter ; here\ns_nop 2\nouter\n");
  const auto &all = module->instructions();
  ASSERT_EQ(all.size(), 8u);
  const unsigned lines[] = {11, 12, 12, 12, 13, 14, 14, 14};
  for (size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(all[i].line, lines[i]) << i;
  ASSERT_FALSE(module->labels().empty());
  EXPECT_EQ(module->labels()[0].line, 12u);
  EXPECT_EQ(module->instructionText(all[1]), "outer");
  const std::string error = parseError(".macro bad\n v_no 1\n.endm\ns_nop 0\nbad\n");
  EXPECT_NE(error.find("invalid instruction"), std::string::npos);
  EXPECT_NE(error.find("test.s:5:1: note: while in macro instantiation"), std::string::npos);
}

TEST(AsmDocument, ReprintKeepsEverythingElse) {
  const std::string text = "; head\n  v_mov_b32 v1,v2 ; why\n.LBB0:  s_branch .LBB0 // loop\r\n"
                           "s_nop 0";
  EXPECT_EQ(reprint(*parseText(text)), "; head\n  v_mov_b32_e32 v1, v2 ; why\n"
                                       ".LBB0:  s_branch .LBB0 // loop\r\ns_nop 0");
}

TEST(AsmDocument, ReprintKeepsWhatThePrinterLoses) {
  const std::string text = "  v_nop_e64\n  ds_swizzle_b32  v8, v2 offset:0xFFFF\n"
                           "  v_add_f32_e64  v1, -v2, v3\n";
  EXPECT_EQ(reprint(*parseText(text)), "  v_nop_e64\n  ds_swizzle_b32  v8, v2 offset:0xFFFF\n"
                                       "  v_add_f32_e64 v1, -v2, v3\n");
}

TEST(AsmDocument, PrintDirectiveIsNotExecuted) {
  testing::internal::CaptureStdout();
  const auto module = parseText(".print \"to the terminal\"\ns_nop 0\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(module->instructions().size(), 1u);
  EXPECT_EQ(module->lineText(1), ".print \"to the terminal\"");
}

TEST(AsmErrors, CarryTheirPlace) {
  EXPECT_EQ(parseError("s_nop 0\n  v_frobnicate v1\n"),
            "test.s:2:3: error: invalid instruction\n  v_frobnicate v1\n  ^\n");
  EXPECT_NE(parseError("v_dual_fmac_f32 v0, v1, v2 :: v_dual_fmac_f32 v3, v5, v7\n")
                .find("src0 operands must use different VGPR banks"),
            std::string::npos);
}

TEST(AsmErrors, MissingLabel) {
  EXPECT_NE(parseError("s_nop 0\n s_cbranch_scc0 .Lnowhere\n")
                .find("test.s:2:2: error: undefined "
                      "label '.Lnowhere'"),
            std::string::npos);
  EXPECT_NE(parseError(" s_branch 7f\n").find("error"), std::string::npos);
}

TEST(AsmErrors, UnterminatedStringsWhichLlvmWaitsForForEver) {
  EXPECT_EQ(parseError("s_nop 0\n v_mov_b32 v0, (1~x)\"\ns_nop 1\n"),
            "test.s:2:21: error: unterminated string constant\n v_mov_b32 v0, (1~x)\"\n"
            "                    ^\n");
  EXPECT_NE(parseError("\"\n\t.ident\t\"a (1~b)\"\n").find("test.s:2:17"), std::string::npos);
  // A comment ends at a carriage return, too.
  EXPECT_NE(parseError("\n; its \"\rs_nop\xe1\"\ns_nop 1\n").find("unterminated string"),
            std::string::npos);
  parseText("; don't say \"\n# nor \"\n// \"\n/* \" \n*/ s_nop '\"'\n.ident \"a\\\"b\" ; \"\n");
}

TEST(AsmErrors, WhatTheEndOfTheFileLeavesOpen) {
  EXPECT_NE(parseError("s_nop 0\n.amdgpu_metadata\n---\namdhsa.kernels:\n").find("error"),
            std::string::npos);
  EXPECT_NE(parseError("s_nop 0\n.if 1\ns_nop 0\n").find("error"), std::string::npos);
  EXPECT_NE(parseError("s_nop 0\n.rept 2\ns_nop 0\n").find("error"), std::string::npos);
  // The same with a descriptor whose values are asked for behind the text.
  EXPECT_NE(
      parseError(kernelText("s_nop 0", "", "K + 1") + ".set K, 7\n.if 1\ns_nop 0\n").find("error"),
      std::string::npos);
}

TEST(AsmErrors, MalformedMetadata) {
  testing::internal::CaptureStderr();
  EXPECT_NE(parseError("s_nop 0\n.amdgpu_metadata\n---\na: [ {.name: k\n  - x: : :\n...\n"
                       ".end_amdgpu_metadata\n")
                .find("test.s:5:"),
            std::string::npos);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(AsmErrors, OtherTargets) {
  EXPECT_NE(
      parseError("\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx90a:xnack-\"\n"
                 " v_accvgpr_read_b32 v1, a1\n")
          .find("test.s:1:1: error: code for gfx90a (GCN or CDNA); this toolchain handles RDNA3"),
      std::string::npos);
  EXPECT_NE(parseError(kernelText("s_nop 0", "\t.amdhsa_wavefront_size32 0")).find("wave64 code"),
            std::string::npos);
}

TEST(AsmErrors, TwoKernelsOfOneName) {
  EXPECT_NE(parseError(kernelText("s_nop 0") + kernelText("s_nop 0")).find("second kernel"),
            std::string::npos);
}

TEST(AsmErrors, Garbage) {
  EXPECT_NE(parseError(std::string("\x7f"
                                   "ELF\0\1",
                                   6))
                .find("this is a code object"),
            std::string::npos);
  std::string lines;
  for (int i = 0; i < 1000; ++i)
    lines += "\xff\xfe garbage\n";
  const std::string errors = parseError(lines);
  EXPECT_NE(errors.find("too many errors"), std::string::npos);
  EXPECT_LT(errors.size(), 10000u);
}

TEST(AsmErrors, FilesOfTheHostAreNotRead) {
  EXPECT_NE(parseError(".include \"/etc/passwd\"\n").find("error"), std::string::npos);
  EXPECT_NE(parseError(".incbin \"/etc/passwd\"\n").find("error"), std::string::npos);
}

TEST(AsmDocument, EmptyInput) {
  const auto module = parseText("");
  EXPECT_TRUE(module->instructions().empty());
  EXPECT_TRUE(module->functions().empty());
  EXPECT_EQ(module->lineText(1), "");
}

} // namespace

} // namespace asmDocumentTest
