//===- ObjectAssumptionsTest.cpp - declarations of assumptions --------------===//
#include "Object/Assumptions.h"

#include <gtest/gtest.h>

namespace objectAssumptionsTest {

using namespace rdna;
using namespace rdna::object;

namespace {

std::string section(const std::string &lines) {
  return "\t.pushsection .rdna.assume,\"\",@progbits\n" + lines + "\t.popsection\n";
}
const std::string comment = "; rdna-assume: no-index-wrap\n";

TEST(ObjectAssumptions, BelongToTheLabelAbove) {
  EXPECT_EQ(assumptionDirectives("a:   ; @a\n" + comment + "b:\n\ts_endpgm\n"),
            section("\t.ascii \"no-index-wrap a\\n\"\n"));
  EXPECT_EQ(assumptionDirectives("a:\nb:\r\n.LBB0_1:\n\t;rdna-assume:  no-index-wrap \r\n"),
            section("\t.ascii \"no-index-wrap b\\n\"\n"));
}

TEST(ObjectAssumptions, OfUnknownOwnerAreEveryones) {
  const std::string everyones = section("\t.ascii \"no-index-wrap *\\n\"\n");
  EXPECT_EQ(assumptionDirectives(comment + "a:\n"), everyones);
  EXPECT_EQ(assumptionDirectives("a:\n\"b c\":\n" + comment), everyones);
}

TEST(ObjectAssumptions, NothingElseIsOne) {
  for (const char *text :
       {"", "a:", "; rdna-assume:", "a:\n; rdna-assume: no-index-wraps\n",
        "\ts_nop 0 ; rdna-assume: no-index-wrap", "a:\n; not rdna-assume: no-index-wrap\n"})
    EXPECT_EQ(assumptionDirectives(text), "") << text;
}

TEST(ObjectAssumptions, RangesAreDeclaredToo) {
  EXPECT_EQ(assumptionDirectives("a:\n; rdna-given: 1 <= kernarg+24 <= 32768\n"),
            section("\t.ascii \"given:1<=kernarg+24<=32768 a\\n\"\n"));
  for (const char *text : {"kernarg+24", "N <= 5", "kernarg+23 <= 5", "kernarg+24 <= x",
                           "9 <= kernarg+24 <= 5", "kernarg+24 <= 4294967296", "kernarg+24 < 5",
                           "workgroup_id_w <= 5", "1 <= 2 <= kernarg+24 <= 5", "kernarg+24 == "})
    EXPECT_FALSE(givenRange(text)) << text;
  std::vector<Kernel> kernels(1);
  kernels[0].name = "a";
  readAssumptions("given:kernarg+24==7 a\ngiven:workgroup_id_y<=9 *\ngiven:x<=9 a\n"
                  "given:3<=workitem_id_z<=4 b\n",
                  kernels);
  ASSERT_EQ(kernels[0].given.size(), 2u);
  const GivenRange &first = kernels[0].given[0], &second = kernels[0].given[1];
  EXPECT_EQ(first.of, GivenRange::Of::Kernarg);
  EXPECT_TRUE(first.index == 24 && first.least == 7 && first.most == 7);
  EXPECT_EQ(second.of, GivenRange::Of::Workgroup);
  EXPECT_TRUE(second.index == 1 && second.least == 0 && second.most == 9);
}

TEST(ObjectAssumptions, MarkKernels) {
  std::vector<Kernel> kernels(2);
  kernels[0].name = "a";
  kernels[1].name = "b";
  const auto excluded = [&](size_t n) {
    return kernels[n].indexWrap == Kernel::IndexWrap::Excluded;
  };
  readAssumptions(std::string_view("\0no-index-wrap\nno-index-wrap c\nno-index-wrapb\n a\n", 47),
                  kernels);
  EXPECT_FALSE(excluded(0) || excluded(1));
  readAssumptions("x\nno-index-wrap b", kernels);
  EXPECT_TRUE(!excluded(0) && excluded(1));
  readAssumptions("no-index-wrap *\n", kernels);
  EXPECT_TRUE(excluded(0) && excluded(1));
}

} // namespace

} // namespace objectAssumptionsTest
