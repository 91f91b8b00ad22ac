// A derived module must be what the parser makes of its text.

#include "AsmSnippet.h"
#include "Code/Build.h"
#include "Code/Derive.h"

namespace codeDeriveTest {

using namespace rdna;
using namespace rdna::test;

namespace {

/// Derives, and compares with the parsed text.
std::unique_ptr<Module> derived(const Module &module, std::vector<TextEdit> edits) {
  auto result = derive(module, std::move(edits));
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return nullptr;
  }
  const std::string text((*result)->text());
  EXPECT_EQ(firstDifference(**result, *parseText(text)), "") << text;
  return std::move(*result);
}

constexpr const char *kText = R"(
	.file 1 "kernel.hip"
	.macro twice reg
	v_mov_b32 \reg, 1
	v_mov_b32 \reg, 2
	.endm
	.globl first
	.type first,@function
first:                                  ; a comment
	s_mov_b32 s0, 0
	twice v3
1:	v_add_nc_u32 v1, v2, v3             ; behind a label
	s_cbranch_scc0 1b
.Ltmp0:
	.loc 1 2 3
	global_load_b32 v1, v[2:3], off offset: 8
	s_branch .LBB0_1
.LBB0_1:
	s_endpgm
.Lfunc_end0:
	.size first, .Lfunc_end0-first
	.type second,@function
second:
	s_setpc_b64 s[30:31]
.Lfunc_end1:
	.data
	.quad .LBB0_1
)";

TEST(CodeDerive, Nothing) { derived(*parseText(kText), {}); }

TEST(CodeDerive, EveryInstructionTakenOut) {
  const auto module = parseText(kText);
  for (const Instruction &inst : module->instructions())
    if (inst.origin == Instruction::Origin::Text) {
      const auto next = derived(*module, {removal(*module, inst)});
      EXPECT_EQ(next->instructions().size() + 1, module->instructions().size());
    }
}

TEST(CodeDerive, LinesAroundEveryInstruction) {
  const auto module = parseText(kText);
  for (const Instruction &inst : module->instructions()) {
    const Inst fresh = build(Op::s_add_u32, {sgpr(1), sgpr(2), imm(1000)});
    if (takesLineBefore(*module, inst))
      derived(*module, {lineBefore(*module, inst, fresh)});
    if (takesLineBehind(*module, inst))
      derived(*module, {lineBehind(*module, inst, fresh), lineBehind(*module, inst, fresh)});
  }
}

TEST(CodeDerive, BranchesToNewLabels) {
  const auto module = parseText(kText);
  const Instruction &end = module->instructions()[*module->labelTarget(".LBB0_1")];
  Code code = Code::label(".Lhere");
  code += "\n\t";
  code += buildBranch(Op::s_cbranch_scc1, ".Lhere");
  code += "\n\t";
  code += buildBranch(Op::s_cbranch_scc0, "first");
  const auto next = derived(*module, {lineBehind(*module, end, code)});
  EXPECT_EQ(next->branchTarget(next->instructions()[*next->labelTarget(".Lhere")]), ".Lhere");
}

TEST(CodeDerive, PiecesOfTheDocumentTwice) {
  const auto module = parseText(kText);
  const Instruction &add = module->instructions()[3], &load = module->instructions()[5];
  ASSERT_EQ(load.op, Op::global_load_b32);
  Code code = Code::copyOf(add) + Code::layout(" ; again\n\t") + Code::copyOf(load) +
              Code::layout("\n\t") + Code::copyOf(load);
  const auto next = derived(*module, {replacement(load, code), removal(*module, add)});
  EXPECT_EQ(next->instructions().size(), module->instructions().size() + 1);
  derived(*next, {removal(*next, next->instructions()[4])});
}

/// Who branches into a function's middle is known by the instruction that does.
TEST(CodeDerive, BranchesFromOtherFunctions) {
  const auto module =
      parseText("	.type first,@function\nfirst:\n	s_nop 0\n.Linner:\n	s_nop 1\n"
                "	s_endpgm\n	.type second,@function\nsecond:\n"
                "	s_branch .Linner\n");
  ASSERT_EQ(module->functions()[0].enteredAt, 1U);
  for (const Instruction &inst : module->instructions())
    derived(*module, {lineBefore(*module, inst, build(Op::s_nop, {imm(2)}))});
  const auto alone = derived(*module, {removal(*module, module->instructions()[3])});
  EXPECT_FALSE(alone->functions()[0].enteredAt);
}

TEST(CodeDerive, NumbersOfTheDescriptor) {
  const auto module = parseText(kernelText("\ts_endpgm\n", "", "8"));
  const Function &kernel = module->functions()[0];
  const DescriptorField &field = kernel.descriptor.at(".amdhsa_next_free_vgpr");
  const auto next = derived(*module, {{field.begin, field.end, Code::number(123)}});
  EXPECT_EQ(next->functions()[0].descriptorValue(".amdhsa_next_free_vgpr", 0), 123);
}

TEST(CodeDerive, NumbersOfSymbols) {
  std::string text = kernelText("\ts_endpgm\n", "", "max(used, 9)");
  text += "\t.set callee, 7\n\t.set used, max(5, callee)\n";
  const auto module = parseText(text);
  const std::string field = ".amdhsa_next_free_vgpr";
  EXPECT_EQ(module->functions()[0].descriptorValue(field, 0), 9);
  const auto at = static_cast<uint32_t>(text.find("max(5") + 4);
  const auto next = derived(*module, {{at, at + 1, Code::number(20)}});
  EXPECT_EQ(next->functions()[0].descriptorValue(field, 0), 20);
  // The first module is still there, if the step is taken back.
  EXPECT_EQ(derived(*module, {})->functions()[0].descriptorValue(field, 0), 9);
  const auto third = derived(*next, {{at, at + 2, Code::number(30)}});
  EXPECT_EQ(third->functions()[0].descriptorValue(field, 0), 30);
}

TEST(CodeDerive, TextIsParsed) {
  const auto module = parseText(kText);
  const Instruction &first = module->instructions()[0];
  EXPECT_EQ(derived(*module, {replacement(first, Code::text("s_nop 3"))})->instructions()[0].op,
            Op::s_nop);
  EXPECT_FALSE(llvm::errorToBool(confirm(*module)));
  auto broken = derive(*module, {replacement(first, Code::text("s_nonsense"))});
  EXPECT_TRUE(llvm::errorToBool(broken.takeError()));
}

/// The comparison itself must be able to fail.
TEST(CodeDerive, DifferencesAreSeen) {
  const auto module = parseText(kText);
  const auto other = [&](const char *from, const char *to) {
    std::string text = kText;
    text.replace(text.find(from), std::string(from).size(), to);
    return firstDifference(*module, *parseText(text));
  };
  EXPECT_NE(other("s_mov_b32 s0, 0", "s_mov_b32 s0, 1"), "");
  auto labelled = derive(*module, {{0, 0, Code::layout("here:")}});
  ASSERT_TRUE(static_cast<bool>(labelled));
  EXPECT_NE(firstDifference(**labelled, *parseText(std::string((*labelled)->text()))), "");
  auto hidden =
      derive(*module, {lineBefore(*module, module->instructions()[0], Code::layout("s_nop 0"))});
  ASSERT_TRUE(static_cast<bool>(hidden));
  EXPECT_TRUE(llvm::errorToBool(confirm(**hidden)));
}

} // namespace

} // namespace codeDeriveTest
