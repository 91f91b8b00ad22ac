// Edits and edits of what came of them, as one set: the text must be that of one after the other.

#include "AsmSnippet.h"
#include "Code/Build.h"
#include "Code/Compose.h"
#include "Code/Derive.h"

#include <random>

namespace codeComposeTest {

using namespace rdna;
using namespace rdna::test;

namespace {

constexpr const char *kBody = R"(	s_mov_b32 s0, 0
	v_mov_b32 v1, 1 ; a comment
.Lhere:	v_add_nc_u32 v1, v2, v3
	v_sub_nc_u32 v1, v2, v3
	v_mul_f32 v4, v1, v1
	s_cbranch_scc0 .Lhere)";

/// Some instructions taken out, exchanged for two, or with a line in front or a copy behind.
std::vector<TextEdit> someEdits(const Module &module, std::mt19937 &random) {
  std::vector<TextEdit> edits;
  for (const Instruction &inst : module.instructions()) {
    const Code fresh = build(Op::s_add_u32, {sgpr(1), sgpr(2), imm(random() % 64)});
    switch (random() % 6) {
    case 0:
      edits.push_back(removal(module, inst));
      break;
    case 1:
      edits.push_back(replacement(inst, fresh + Code::layout("\n\t") + Code::copyOf(inst)));
      break;
    case 2:
      if (takesLineBefore(module, inst))
        edits.push_back(lineBefore(module, inst, fresh));
      break;
    case 3:
      edits.push_back(replacement(inst, fresh));
      break;
    default:
      break;
    }
  }
  return edits;
}

TEST(CodeCompose, OneSetGivesWhatTwoGive) {
  const auto module = parseKernel(kBody);
  std::mt19937 random(1);
  for (int n = 0; n < 500; ++n) {
    const std::vector<TextEdit> edits = someEdits(*module, random);
    auto second = derive(*module, edits);
    ASSERT_TRUE(bool(second)) << llvm::toString(second.takeError());
    const std::vector<TextEdit> more = someEdits(**second, random);
    const std::vector<TextEdit> both = composeEdits(*module, edits, more);
    EXPECT_EQ(applyEdits(*module, both), applyEdits(**second, more)) << n;
    auto third = derive(*module, both);
    ASSERT_TRUE(bool(third)) << llvm::toString(third.takeError());
    EXPECT_EQ(firstDifference(**third, *parseText(std::string((*third)->text()))), "") << n;
  }
}

TEST(CodeCompose, WhatNeitherTouchesIsNotEdited) {
  const auto module = parseKernel(kBody);
  const auto &insts = module->instructions();
  const Code fresh = build(Op::s_add_u32, {sgpr(1), sgpr(2), imm(3)});
  const std::vector<TextEdit> edits{replacement(insts[1], fresh)};
  auto second = derive(*module, edits);
  ASSERT_TRUE(bool(second)) << llvm::toString(second.takeError());
  const auto both =
      composeEdits(*module, edits, {replacement((*second)->instructions()[4], fresh)});
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].begin, insts[1].begin);
  EXPECT_EQ(both[0].end, insts[1].end);
  EXPECT_EQ(both[1].begin, insts[4].begin);
  EXPECT_EQ(both[1].end, insts[4].end);
}

} // namespace

} // namespace codeComposeTest
