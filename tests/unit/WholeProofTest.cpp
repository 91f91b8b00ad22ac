// Claims of several steps as one, and the proof of the last text against the first.

#include "Pipeline/WholeProof.h"
#include "KernelManifest.h"
#include "Pipeline/Registry.h"
#include "Support/File.h"
#include "Symbolic/Compose.h"
#include "VerifySample.h"

#include <algorithm>
#include <memory>

namespace rdna::test::wholeProofTest {
namespace {

//===----------------------------------------------------------------------===//
// By hand
//===----------------------------------------------------------------------===//

const std::string kFirst = R"(
	v_mov_b32_e32 v1, 0
	s_mov_b32 s5, 0
.Lloop:
	v_add_f32_e32 v1, s5, v1
	s_add_i32 s5, s5, 64
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	global_store_b32 v0, v1, s[10:11])";
/// v1 is in v9, and s5 is 64 * s6.
const std::string kMiddle = R"(
	v_mov_b32_e32 v9, 0
	s_mov_b32 s6, 0
.Lloop:
	s_lshl_b32 s7, s6, 6
	v_add_f32_e32 v9, s7, v9
	s_add_i32 s6, s6, 1
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	v_mov_b32_e32 v1, v9
	global_store_b32 v0, v1, s[10:11])";
/// v9 is in v12, and s6 is s8 + 3.
const std::string kLast = R"(
	v_mov_b32_e32 v12, 0
	s_mov_b32 s8, -3
.Lloop:
	s_add_i32 s7, s8, 3
	s_lshl_b32 s7, s7, 6
	v_add_f32_e32 v12, s7, v12
	s_add_i32 s8, s8, 1
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	v_mov_b32_e32 v1, v12
	global_store_b32 v0, v1, s[10:11])";

Equation sum(RegUnit left, RegUnit right, uint64_t factor, uint64_t constant) {
  Equation equation;
  equation.left = left;
  equation.right = {{{Term::Read::Dword, right, factor}}, constant};
  equation.asked = Equation::Asked::Always;
  return equation;
}

Correspondence claimOf(const Module &module, std::vector<Equation> equations) {
  Correspondence claim;
  claim.function = "k";
  claim.points[module.labelTarget(".Lloop").value()].equations = std::move(equations);
  return claim;
}

TEST(WholeProof, EquationsArePutIntoEachOther) {
  const auto first = parseKernel(kFirst), middle = parseKernel(kMiddle), last = parseKernel(kLast);
  const Correspondence one = claimOf(*first, {movedTo({1}, {9}, Equation::Lanes::Active),
                                              sum(RegUnit::scalar(5), RegUnit::scalar(6), 64, 0)});
  const Correspondence two = claimOf(*middle, {movedTo({9}, {12}, Equation::Lanes::Active),
                                               sum(RegUnit::scalar(6), RegUnit::scalar(8), 1, 3)});
  EXPECT_EQ(refusal(*first, *middle, {one}), "");
  EXPECT_EQ(refusal(*middle, *last, {two}), "");
  auto both = compose(*first, buildCfg(*first, 0), one, *middle, two);
  ASSERT_TRUE(bool(both)) << llvm::toString(both.takeError());
  EXPECT_EQ(refusal(*first, *last, {*both}), "");
  EXPECT_NE(refusal(*first, *last, {one}), "");
  EXPECT_NE(refusal(*first, *parseKernel(replaced(kLast, "s_mov_b32 s8, -3", "s_mov_b32 s8, -2")),
                    {*both}),
            "");
  const std::vector<Equation> &equations = both->points.begin()->second.equations;
  const auto offset = std::find_if(equations.begin(), equations.end(),
                                   [](const Equation &e) { return e.left == RegUnit::scalar(5); });
  ASSERT_NE(offset, equations.end());
  EXPECT_EQ(toString(offset->right), "s8 * 0x40 + 0xc0");
}

TEST(WholeProof, WhatCannotBeSaidAsOneClaim) {
  const auto module = parseKernel(kFirst);
  const Cfg cfg = buildCfg(*module, 0);
  const auto whyNot = [&](const Correspondence &one, const Correspondence &two) {
    auto both = compose(*module, cfg, one, *module, two);
    return both ? std::string() : llvm::toString(both.takeError());
  };
  const Correspondence same = claimOf(*module, {});
  Correspondence copied = same, rebuffered = same;
  copied.points.begin()->second.arrivals = Point::kNone;
  rebuffered.rebuffered = WorkgroupShape{64, 1, 1};
  EXPECT_EQ(whyNot(same, copied), "");
  EXPECT_EQ(whyNot(copied, same), "");
  EXPECT_NE(whyNot(copied, copied), "");
  EXPECT_NE(whyNot(same, rebuffered), "");
  // One half of a pair, and what is extended behind a sum.
  const Correspondence pointer = claimOf(*module, {splitPointer({2}, RegUnit::scalar(12), {5})});
  EXPECT_EQ(whyNot(pointer, claimOf(*module, {movedTo({5}, {6}, Equation::Lanes::All)})), "");
  EXPECT_NE(whyNot(pointer, claimOf(*module, {sum(RegUnit::scalar(13), RegUnit::scalar(2), 1, 0)})),
            "");
  EXPECT_NE(whyNot(pointer, claimOf(*module, {sum(RegUnit::vgpr(5), RegUnit::vgpr(6), 1, 4)})), "");
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

struct Rewritten {
  std::unique_ptr<Module> original;
  std::optional<WholeProof> whole;
  PipelineResult result;
};

std::optional<Rewritten> rewrite(const std::string &name) {
  for (const CompiledKernel &kernel : compiledKernels()) {
    if (kernel.name != name || kernel.compiler != "clang-22" || kernel.optimization != "O3")
      continue;
    const std::string text = llvm::cantFail(readInput(kernel.assembly));
    Rewritten made;
    made.original = llvm::cantFail(Module::parse(text, kernel.assembly));
    made.whole = llvm::cantFail(WholeProof::of(*made.original));
    Pipeline pipeline{.passes = choosePasses({})};
    pipeline.onStep = [&](const ProvenStep &step) { made.whole->add(step); };
    made.result =
        llvm::cantFail(runPipeline(llvm::cantFail(Module::parse(text, kernel.assembly)), pipeline));
    return made;
  }
  return std::nullopt;
}

TEST(WholeProof, OfKernels) {
  unsigned proven = 0, changed = 0;
  for (const char *name :
       {"kernel1", "kernel2", "kernel3", "kernel4", "kernel5", "sgemm_4x4", "gemv_sgpr", "nbody",
        "several_loops", "softmax", "fft_radix4", "cgemm"}) {
    const auto made = rewrite(name);
    ASSERT_TRUE(made) << name;
    for (const auto &verdict : made->whole->prove(*made->result.module)) {
      ++changed;
      proven += verdict.obstacle.empty();
      fmt::print("{:14} {:3} steps  {}\n", name, verdict.steps,
                 verdict.obstacle.empty() ? "proven from end to end" : verdict.obstacle);
    }
  }
  EXPECT_GE(proven, 10U) << "of " << changed;
}

TEST(WholeProof, AFaultInTheResultIsFound) {
  const auto made = rewrite("kernel3");
  ASSERT_TRUE(made);
  ASSERT_EQ(made->whole->prove(*made->result.module).front().obstacle, "");
  std::string text = made->result.text;
  const size_t store = text.find("\tglobal_store_b");
  ASSERT_NE(store, std::string::npos);
  text.erase(store, text.find('\n', store) + 1 - store);
  EXPECT_NE(made->whole->prove(*parseText(text)).front().obstacle, "");
}

} // namespace
} // namespace rdna::test::wholeProofTest
