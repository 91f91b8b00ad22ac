// Raising the declared number of VGPRs wherever a file says it.

#include "AsmSnippet.h"

#include "Support/File.h"
#include "Transform/Descriptor.h"

namespace rdna::remapDescriptorTest {
namespace {

std::unique_ptr<Module> raised(const Module &module, std::string_view kernel, unsigned vgprs,
                               size_t &edits) {
  std::vector<TextEdit> list;
  for (const Function &function : module.functions())
    if (function.name == kernel)
      raiseVgprCount(module, function, vgprs, list);
  edits = list.size();
  return test::parseText(applyEdits(module, list));
}

int64_t declared(const Module &module, std::string_view kernel) {
  for (const Function &function : module.functions())
    if (function.name == kernel)
      return function.descriptorValue(".amdhsa_next_free_vgpr", -1);
  ADD_FAILURE() << "no kernel " << kernel;
  return -1;
}

int64_t inMetadata(const Module &module, std::string_view kernel) {
  for (const Function &function : module.functions())
    if (function.name == kernel)
      return function.metadata.at(".vgpr_count").value;
  ADD_FAILURE() << "no kernel " << kernel;
  return -1;
}

std::unique_ptr<Module> compiled(std::string_view kernel) {
  const std::string path = fmt::format("{}/corpus/{}.s", RDNA_KERNEL_DIR, kernel);
  auto text = readInput(path);
  if (!text) {
    ADD_FAILURE() << llvm::toString(text.takeError());
    return test::parseText("");
  }
  return test::parseText(*text);
}

TEST(RemapDescriptor, ANumberInTheDescriptor) {
  const auto module = test::parseText(test::kernelText("\tv_mov_b32 v1, 0", "", "24"));
  size_t edits = 0;
  EXPECT_EQ(declared(*raised(*module, "k", 40, edits), "k"), 40);
  EXPECT_EQ(edits, 1U);
}

TEST(RemapDescriptor, EnoughIsLeftAlone) {
  const auto module = test::parseText(test::kernelText("\tv_mov_b32 v1, 0", "", "24"));
  for (const unsigned vgprs : {1U, 23U, 24U}) {
    size_t edits = 0;
    EXPECT_EQ(raised(*module, "k", vgprs, edits)->text(), module->text());
    EXPECT_EQ(edits, 0U);
  }
}

TEST(RemapDescriptor, ASymbolSetElsewhere) {
  std::string text = test::kernelText("\tv_mov_b32 v1, 0", "", "k.num_vgpr");
  text = text.insert(text.find("\t.amdhsa_kernel"), "\t.set k.num_vgpr, 20\n");
  const auto module = test::parseText(text);
  size_t edits = 0;
  const auto after = raised(*module, "k", 40, edits);
  EXPECT_EQ(declared(*after, "k"), 40);
  EXPECT_NE(after->text().find(".set k.num_vgpr, 40"), std::string_view::npos);
  EXPECT_NE(after->text().find(".amdhsa_next_free_vgpr k.num_vgpr"), std::string_view::npos);
}

TEST(RemapDescriptor, AMaximumWithACallee) {
  std::string text = test::kernelText("\tv_mov_b32 v1, 0", "", "k.num_vgpr");
  text = text.insert(text.find("\t.amdhsa_kernel"),
                     "\t.set f.num_vgpr, 30\n\t.set k.num_vgpr, max(20, f.num_vgpr)\n");
  const auto module = test::parseText(text);
  ASSERT_EQ(declared(*module, "k"), 30);
  size_t edits = 0;
  const auto after = raised(*module, "k", 40, edits);
  EXPECT_EQ(declared(*after, "k"), 40);
  EXPECT_NE(after->text().find(".set f.num_vgpr, 30"), std::string_view::npos);
}

TEST(RemapDescriptor, AnExpressionThatNoSymbolStandsFor) {
  const auto module = test::parseText(test::kernelText("\tv_mov_b32 v1, 0", "", "8+8"));
  ASSERT_EQ(declared(*module, "k"), 16);
  size_t edits = 0;
  EXPECT_EQ(declared(*raised(*module, "k", 40, edits), "k"), 40);
}

/// A kernel that calls a device function, as the three compilers write it; clang 22 computes the
/// kernel's number from the callee's by a symbol expression.
class RemapDescriptorOfCompilers : public testing::TestWithParam<const char *> {};

TEST_P(RemapDescriptorOfCompilers, KernelWithACallee) {
  const auto module = compiled(fmt::format("call.{}.O3", GetParam()));
  const int64_t before = declared(*module, "call");
  ASSERT_GT(before, 0);
  const auto wanted = static_cast<unsigned>(before + 24);
  size_t edits = 0;
  const auto after = raised(*module, "call", wanted, edits);
  EXPECT_EQ(declared(*after, "call"), wanted);
  EXPECT_EQ(inMetadata(*after, "call"), wanted);
  EXPECT_GE(edits, 2U);
  // Code, labels and every other number stay.
  EXPECT_EQ(after->lineCount(), module->lineCount());
  EXPECT_EQ(after->instructions().size(), module->instructions().size());
  // A second call has nothing left to do.
  size_t again = 0;
  EXPECT_EQ(raised(*after, "call", wanted, again)->text(), after->text());
  EXPECT_EQ(again, 0U);
}

TEST_P(RemapDescriptorOfCompilers, CommentsAndSymbolsAgree) {
  const auto module = compiled(fmt::format("call.{}.O3", GetParam()));
  size_t edits = 0;
  const auto after = raised(*module, "call", 64, edits);
  unsigned comments = 0;
  uint32_t kernelLine = 0;
  for (const Function &function : after->functions())
    if (function.name == "call")
      kernelLine = function.line;
  for (uint32_t line = kernelLine; line <= after->lineCount(); ++line) {
    const std::string text(after->lineText(line));
    for (const std::string_view key : {"; NumVgprs: ", "; NumVGPRsForWavesPerEU: "})
      if (text.starts_with(key)) {
        EXPECT_EQ(text, fmt::format("{}64", key));
        ++comments;
      }
    if (text.starts_with("\t.set call.num_vgpr, max(")) {
      EXPECT_TRUE(text.starts_with("\t.set call.num_vgpr, max(64, ")) << text;
    }
  }
  EXPECT_EQ(comments, 2U);
}

INSTANTIATE_TEST_SUITE_P(Compilers, RemapDescriptorOfCompilers,
                         testing::Values("clang-16", "clang-19", "clang-22"),
                         [](const auto &test) { return std::string("clang") + (test.param + 6); });

} // namespace
} // namespace rdna::remapDescriptorTest
