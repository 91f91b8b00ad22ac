#include "ObjectSample.h"

namespace objectAssembleTest {

using namespace rdna;
using namespace rdna::test;

namespace {

std::string refusal(std::string_view text) {
  return messageOf(object::loadCodeObjectBytes(text, "test.s"), Failure::BadInput);
}

TEST(ObjectAssemble, EveryErrorHasItsPlace) {
  const std::string message = refusal("\tv_mov_b32 v0, v1\n\tno_such v1\n\ts_branch nowhere\n");
  EXPECT_NE(message.find("test.s:2:2: error: invalid instruction"), std::string::npos) << message;
  EXPECT_NE(message.find("\tno_such v1\n\t^"), std::string::npos) << message;
}

TEST(ObjectAssemble, LayoutErrorsHaveTheirPlaceToo) {
  const std::string message = refusal("\ts_nop 0\n\ts_branch nowhere\n");
  EXPECT_NE(message.find("test.s:2:11: error: undefined label 'nowhere'"), std::string::npos)
      << message;
}

TEST(ObjectAssemble, IllegalVopdIsAnError) {
  const std::string message =
      refusal("\tv_dual_fmac_f32 v0, v1, v2 :: v_dual_fmac_f32 v1, v5, v7\n");
  EXPECT_NE(message.find("test.s:1:"), std::string::npos) << message;
  EXPECT_NE(message.find("src0 operands must use different VGPR banks"), std::string::npos)
      << message;
}

TEST(ObjectAssemble, ErrorsInMacrosNameTheInvocation) {
  const std::string message = refusal(".macro m x\n\tno_such \\x\n.endm\n\n\tm 3\n");
  EXPECT_NE(message.find("test.s:5:2: note: while in macro instantiation"), std::string::npos)
      << message;
}

TEST(ObjectAssemble, LineMarkersDoNotMoveLines) {
  EXPECT_EQ(refusal("# 100 \"kernel.hip\"\n\tno_such\n").find("test.s:2:2: error"), 0u);
}

TEST(ObjectAssemble, OtherTarget) {
  const std::string message = refusal(".amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\n\ts_endpgm\n");
  EXPECT_EQ(message.find(
                "test.s:1:1: error: code for gfx90a (GCN or CDNA); this toolchain handles RDNA3"),
            0u)
      << message;
}

TEST(ObjectAssemble, Wave64) {
  SampleKernel kernel;
  kernel.directives = "\t\t.amdhsa_wavefront_size32 0\n";
  EXPECT_NE(refusal(sample(kernel)).find(":3: error: wave64 code"), std::string::npos);
}

TEST(ObjectAssemble, UndefinedSymbolIsALinkError) {
  const std::string message = refusal("\t.globl f\nf:\n\ts_getpc_b64 s[0:1]\n"
                                      "\ts_add_u32 s0, s0, device_f@rel32@lo+4\n\ts_endpgm\n");
  EXPECT_NE(message.find("test.s: error: link: undefined symbol: device_f"), std::string::npos)
      << message;
}

TEST(ObjectAssemble, TwoKernelsOfOneName) {
  const std::string message = refusal(code({}) + code({}) + metadata({}));
  EXPECT_NE(message.find("already defined"), std::string::npos) << message;
}

TEST(ObjectAssemble, FilesOfTheMachineAreNotRead) {
  EXPECT_NE(refusal(".include \"/etc/passwd\"\n").find("test.s:1:10: error"), std::string::npos);
  EXPECT_NE(refusal(".incbin \"/etc/passwd\"\n").find("test.s:1:9: error"), std::string::npos);
}

TEST(ObjectAssemble, PrintsNothing) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  load(".print \"hello\"\n" + sample());
  refusal("\t.amdgpu_metadata\n---\na: [1,\nb: : }\n...\n\t.end_amdgpu_metadata\n");
  refusal("\t.amdgpu_metadata\n---\na: !int x\n...\n\t.end_amdgpu_metadata\n");
  refusal("\t.amdgpu_metadata\n---\na: 1\na: 2\n...\n\t.end_amdgpu_metadata\n");
  refusal("\t.amdgpu_metadata\n---\n? [1]\n: 2\n...\n\t.end_amdgpu_metadata\n");
  refusal("\t.amdgpu_metadata\n---\na: &x 1\nb: *x\n...\n\t.end_amdgpu_metadata\n");
  refusal("\tno_such\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ObjectAssemble, MalformedMetadataHasItsLine) {
  const std::string message =
      refusal("\ts_nop 0\n\t.amdgpu_metadata\n---\na: [1,\nb: : }\n...\n\t.end_amdgpu_metadata\n");
  EXPECT_EQ(message.find("test.s:5:4: error: in .amdgpu_metadata"), 0u) << message;
}

TEST(ObjectAssemble, InvalidMetadataIsRefused) {
  EXPECT_NE(refusal("\t.amdgpu_metadata\n---\namdhsa.kernels:\n  - .name: 3\n...\n"
                    "\t.end_amdgpu_metadata\n")
                .find("invalid HSA metadata"),
            std::string::npos);
  EXPECT_NE(refusal("\t.amdgpu_metadata\n---\na: 1\n").find("error"), std::string::npos);
}

// LLVM exits the process for version 99 and evaluates expressions before it notices.
TEST(ObjectAssemble, CodeObjectVersion) {
  for (const char *bad : {"99", "3", "7", "2+3", "x", ""}) {
    const std::string message =
        refusal(std::string("\t.amdhsa_code_object_version ") + bad + "\n" + "\ts_endpgm\n");
    EXPECT_EQ(message.find("test.s:1:"), 0u) << message;
    EXPECT_NE(message.find("must be 4, 5 or 6"), std::string::npos) << message;
  }
  for (const unsigned version : {4u, 5u, 6u}) {
    SampleKernel kernel;
    kernel.version = "\t.amdhsa_code_object_version " + std::to_string(version) + "\n";
    EXPECT_EQ(load(sample(kernel)).abiVersion, version);
  }
}

TEST(ObjectAssemble, ImpliedCodeObjectVersion) {
  SampleKernel kernel;
  kernel.version.clear();
  EXPECT_EQ(load(sample(kernel)).abiVersion, 5u);
  kernel.metadataVersion = "  - 1\n  - 1\n"; // Clang 16.
  EXPECT_EQ(load(sample(kernel)).abiVersion, 4u);
  kernel.metadataVersion = "[ 1, 1 ]\n";
  EXPECT_EQ(load(sample(kernel)).abiVersion, 4u);
  // The line that is put in front of such a file must not shift its messages.
  EXPECT_EQ(refusal("\tno_such\n").find("test.s:1:2"), 0u);
}

TEST(ObjectAssemble, LinesOfInstructions) {
  SampleKernel kernel;
  kernel.body = "\ts_nop 0\n\n\t.p2align 4\n\ts_nop 1\n\t.rept 2\n\tv_nop\n\t.endr\n\ts_endpgm\n";
  const object::CodeObject object = load(sample(kernel));
  const uint64_t entry = object.kernels.at(0).entryAddress;
  EXPECT_EQ(object.lineAt(entry), 9u);
  EXPECT_EQ(object.lineAt(entry + 4), 0u); // Padding.
  EXPECT_EQ(object.lineAt(entry + 16), 12u);
  EXPECT_EQ(object.lineAt(entry + 20), 13u); // Both copies belong to the .rept.
  EXPECT_EQ(object.lineAt(entry + 24), 13u);
  EXPECT_EQ(object.lineAt(entry + 28), 16u);
}

TEST(ObjectAssemble, NotAssembler) {
  EXPECT_NE(refusal("").find("empty"), std::string::npos);
  EXPECT_NE(refusal(" \n\t\n").find("empty"), std::string::npos);
  EXPECT_NE(refusal(std::string_view("\ts_endpgm\n\0\1\2", 13)).find("neither"), std::string::npos);
}

TEST(ObjectAssemble, SameBytesEveryTime) { EXPECT_EQ(load(sample()).elf, load(sample()).elf); }

} // namespace

} // namespace objectAssembleTest
