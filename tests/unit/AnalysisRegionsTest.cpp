#include "Analysis/Regions.h"
#include "AsmSnippet.h"

namespace analysisRegionsTest {

using namespace rdna;
using namespace rdna::test;

namespace {

std::string regionError(std::string_view body) {
  const auto module = parseKernel(body);
  auto regions = markedRegions(*module);
  if (regions)
    return "none";
  std::string text;
  renderError(regions.takeError(), "test", text);
  return text.substr(0, text.find('\n'));
}

TEST(AnalysisRegions, CommentsMarkLines) {
  const auto module = parseKernel("s_nop 0\n; RDNA-BEGIN hot part\ns_nop 1\ns_nop 2\n"
                                  "  // RDNA-END hot part\ns_nop 3\n/* RDNA-BEGIN b */\ns_nop 4\n"
                                  "# RDNA-END b");
  auto regions = markedRegions(*module);
  ASSERT_TRUE(static_cast<bool>(regions));
  ASSERT_EQ(regions->size(), 2u);
  EXPECT_EQ((*regions)[0].name, "hot part");
  EXPECT_EQ((*regions)[0].instructions, (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ((*regions)[0].line, 7u);
  EXPECT_EQ((*regions)[1].name, "b");
  EXPECT_EQ((*regions)[1].instructions, (std::vector<uint32_t>{4}));
}

TEST(AnalysisRegions, Errors) {
  EXPECT_EQ(regionError("; RDNA-BEGIN a\ns_nop 0"),
            "test.s:6:1: error: RDNA-BEGIN 'a' without RDNA-END");
  EXPECT_EQ(regionError("s_nop 0\n; RDNA-END a"),
            "test.s:7:1: error: RDNA-END 'a' without RDNA-BEGIN");
  EXPECT_EQ(regionError("; RDNA-BEGIN a\n; RDNA-END a\ns_nop 0"),
            "test.s:6:1: error: region 'a' holds no instruction");
  EXPECT_EQ(regionError("; RDNA-BEGIN\ns_nop 0\n; RDNA-END"),
            "test.s:6:1: error: RDNA-BEGIN without a name");
  EXPECT_EQ(regionError("; RDNA-BEGIN a\ns_nop 0\n; RDNA-END a\n; RDNA-BEGIN a\ns_nop 0\n"
                        "; RDNA-END a"),
            "test.s:9:1: error: second region called 'a'");
  EXPECT_EQ(regionError("s_nop 0 ; see RDNA-BEGIN in the manual"), "none");
}

TEST(AnalysisRegions, FindByName) {
  const auto module = parseKernel(".Lloop:\n; RDNA-BEGIN x\ns_nop 0\n; RDNA-END x\n"
                                  "s_cbranch_scc0 .Lloop");
  auto loop = findRegions(*module, {0}, ".Lloop");
  ASSERT_TRUE(static_cast<bool>(loop));
  ASSERT_EQ(loop->size(), 1u);
  EXPECT_TRUE(loop->front().loop);
  EXPECT_EQ(loop->front().instructions, (std::vector<uint32_t>{0, 1}));
  auto marked = findRegions(*module, {0}, "x");
  ASSERT_TRUE(static_cast<bool>(marked));
  EXPECT_FALSE(marked->front().loop);
  auto none = findRegions(*module, {0}, "y");
  ASSERT_FALSE(static_cast<bool>(none));
  std::string text;
  EXPECT_EQ(renderError(none.takeError(), "test", text), 1);
  EXPECT_NE(text.find("there are: .Lloop, x"), std::string::npos) << text;
}

TEST(AnalysisRegions, DefaultIsTheInnermostLoopsElseAll) {
  const auto loops = parseKernel(".La:\ns_nop 0\n.Lb:\ns_cbranch_scc0 .Lb\ns_cbranch_scc1 .La\n"
                                 ".Lc:\ns_cbranch_scc0 .Lc");
  const auto regions = defaultRegions(*loops, 0);
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0].name, ".Lb");
  EXPECT_EQ(regions[1].name, ".Lc");
  const auto straight = parseKernel("s_nop 0");
  ASSERT_EQ(defaultRegions(*straight, 0).size(), 1u);
  EXPECT_EQ(defaultRegions(*straight, 0)[0].instructions.size(), 2u);
}

} // namespace

} // namespace analysisRegionsTest
