// One function of a document by itself must be what it is in the document.

#include "AsmSnippet.h"
#include "Code/Build.h"
#include "Code/Derive.h"
#include "Code/Excerpt.h"

namespace codeExcerptTest {

using namespace rdna;
using namespace rdna::test;

namespace {

std::string kernel(std::string_view name, std::string_view body) {
  return fmt::format("\t.globl {0}\n\t.type {0},@function\n{0}:\n{1}\ts_endpgm\n.Lfunc_end_{0}:\n"
                     "\t.section .rodata\n\t.amdhsa_kernel {0}\n\t.amdhsa_next_free_vgpr 9\n"
                     "\t.amdhsa_next_free_sgpr 8\n\t.end_amdhsa_kernel\n\t.text\n",
                     name, body);
}

const std::string kLoop = "\ts_mov_b32 s0, 0\n.L{}:\n\ts_add_i32 s0, s0, 1\n"
                          "\ts_cmp_lg_u32 s0, 4\n\ts_cbranch_scc1 .L{}\n";

std::string loop(std::string_view name) { return fmt::format(fmt::runtime(kLoop), name, name); }

constexpr const char *kMetadata = R"(	.amdgpu_metadata
---
amdhsa.kernels:
  - .name: one
    .symbol: one.kd
    .vgpr_count: 9
  - .name: two
    .symbol: two.kd
    .vgpr_count: 7
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
)";

const std::string kThree = kernel("one", loop("1")) + kernel("two", loop("2")) +
                           kernel("three", "\tv_mov_b32 v1, 0\n" + loop("3")) + kMetadata;

TEST(CodeExcerpt, IsWhatTheFunctionIs) {
  const auto module = parseText(kThree);
  for (uint32_t f = 0; f < 3; ++f) {
    const auto excerpt = Excerpt::of(*module, f);
    ASSERT_TRUE(excerpt);
    const Module &part = excerpt->module();
    ASSERT_EQ(part.functions().size(), 1U);
    const Function &was = module->functions()[f], &is = part.functions()[0];
    EXPECT_EQ(is.name, was.name);
    EXPECT_EQ(is.entry, Function::Entry::Launch);
    ASSERT_EQ(is.last - is.first, was.last - was.first);
    for (uint32_t i = is.first; i < is.last; ++i) {
      const Instruction &old = module->instructions()[was.first + i - is.first];
      const Instruction &inst = part.instructions()[i];
      EXPECT_EQ(part.instructionText(inst), module->instructionText(old));
      EXPECT_EQ(part.lineText(inst.line), module->lineText(old.line));
    }
    EXPECT_EQ(is.descriptor.at(".amdhsa_next_free_vgpr").valueText, "9");
    const auto count = is.metadata.find(".vgpr_count");
    ASSERT_EQ(count != is.metadata.end(), f < 2);
    if (f < 2) {
      EXPECT_EQ(part.text().substr(count->second.begin, 1), f == 0 ? "9" : "7");
    }
  }
}

TEST(CodeExcerpt, IsWhatTheParserMakesOfIt) {
  const auto module = parseText(kernel("one", loop("1")) + kernel("two", loop("2")));
  const auto excerpt = Excerpt::of(*module, 1);
  ASSERT_TRUE(excerpt);
  const std::string text(excerpt->module().text());
  EXPECT_EQ(text.find("one"), std::string::npos);
  EXPECT_EQ(firstDifference(excerpt->module(), *parseText(text)), "") << text;
}

TEST(CodeExcerpt, TakesEditsOfItsOwnText) {
  const auto module = parseText(kThree);
  const auto excerpt = Excerpt::of(*module, 1);
  ASSERT_TRUE(excerpt);
  const Function &two = module->functions()[1];
  const Instruction &first = module->instructions()[two.first];
  const MetadataNumber &count = two.metadata.at(".vgpr_count");
  const auto edits = excerpt->editsHere(
      {lineBefore(*module, first, Code::copyOf(module->instructions()[two.first + 1])),
       {count.begin, count.end, Code::number(12)}});
  ASSERT_TRUE(edits);
  auto next = derive(excerpt->module(), *edits);
  ASSERT_TRUE(bool(next));
  EXPECT_EQ((*next)->instructionText((*next)->instructions()[0]), "s_add_i32 s0, s0, 1");
  EXPECT_EQ((*next)->instructionText((*next)->instructions()[1]), "s_mov_b32 s0, 0");
  EXPECT_EQ((*next)->functions()[0].metadata.at(".vgpr_count").value, 12);

  const Instruction &other = module->instructions()[module->functions()[0].first];
  EXPECT_FALSE(excerpt->editsHere({removal(*module, other)}));
  EXPECT_FALSE(excerpt->editsHere({replacement(first, Code::copyOf(other))}));
}

/// An address in memory makes its entry unknown, there as here.
TEST(CodeExcerpt, KeepsWhatOthersMayDo) {
  const auto module = parseText(kThree + "\t.data\n\t.quad two\n");
  ASSERT_EQ(module->functions()[1].entry, Function::Entry::Unknown);
  const auto excerpt = Excerpt::of(*module, 1);
  ASSERT_TRUE(excerpt);
  EXPECT_EQ(excerpt->module().functions()[0].entry, Function::Entry::Unknown);
}

TEST(CodeExcerpt, NotOfWhatIsNotByItself) {
  const auto canBe = [](const std::string &text, uint32_t function) {
    return Excerpt::of(*parseText(text), function).has_value();
  };
  const std::string device = "\t.type device,@function\ndevice:\n\ts_setpc_b64 s[30:31]\n";
  EXPECT_TRUE(canBe(kernel("one", "") + device, 0));
  EXPECT_FALSE(canBe(kernel("one", "\ts_getpc_b64 s[0:1]\n"
                                   "\ts_add_u32 s0, s0, device@rel32@lo+4\n") +
                         device,
                     0));
  EXPECT_FALSE(canBe(kernel("one", "\ts_cbranch_scc0 .L2\n") + kernel("two", loop("2")), 1));
  EXPECT_FALSE(canBe(kernel("one", "\ts_cbranch_scc0 .L2\n") + kernel("two", loop("2")), 0));
  EXPECT_FALSE(canBe("\t.macro zero\n\tv_mov_b32 v1, 0\n\t.endm\n" + kernel("one", "\tzero\n"), 0));
}

} // namespace

} // namespace codeExcerptTest
