//===- ObjectAssumptionsTest.cpp - declarations of assumptions --------------===//
#include "Object/Assumptions.h"

#include <gtest/gtest.h>

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
