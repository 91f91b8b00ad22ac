//===- EmuCheckTest.cpp - the checker as a library -------------------------===//
//
// What each check finds is shown by tests/lit/check; here is what only a caller sees.
//
//===----------------------------------------------------------------------===//
#include "EmuSnippet.h"

#include "Emu/Check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace emuCheckTest {

using namespace rdna;
using namespace rdna::test;
using namespace rdna::emu;

namespace {

CheckSet checks(std::string_view names) {
  auto set = parseChecks(names);
  EXPECT_TRUE(bool(set));
  return set ? *set : CheckSet{};
}

std::string text(const Finding &f) {
  std::string s = fmt::format(
      "{} {:#x} '{}' {} | {} | {} {} lane {} at {} x{}", f.rule, f.codeOffset, f.instruction,
      f.message, f.fix, fmt::join(f.workgroup, ","), f.wave, f.lane.value_or(99), f.place, f.count);
  if (f.other)
    s += fmt::format(" other {:#x} {} lane {}", f.other->codeOffset, f.other->wave.value_or(99),
                     f.other->lane.value_or(99));
  return s;
}

/// Findings of a kernel body on a grid of workgroups with two waves and 1 KiB of LDS.
std::vector<std::string> findings(const std::string &body, CheckSet set, unsigned threads = 1,
                                  unsigned groups = 1) {
  auto program =
      Program::create(kernelImage("\ts_load_b128 s[4:7], s[0:1], 0x0\n\tv_lshlrev_b32 v1, 2, v0\n"
                                  "\ts_waitcnt lgkmcnt(0)\n" +
                                      body + "\n\ts_endpgm\n",
                                  "\t.amdhsa_group_segment_fixed_size 1024\n" + keepDenormals));
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return {};
  }
  // One allocation with a gap behind each buffer: what is beyond one must not be in the other,
  // which two of the heap's own choice leave to chance.
  constexpr size_t bytes = 4096;
  std::vector<std::byte> memory(4 * bytes);
  const std::span<std::byte> in(memory.data(), bytes), out(memory.data() + 2 * bytes, bytes);
  uint64_t arguments[2] = {reinterpret_cast<uint64_t>(out.data()),
                           reinterpret_cast<uint64_t>(in.data())};
  auto checker = createChecker(set);
  Launch launch;
  launch.grid = {groups, 1, 1};
  launch.block = {64, 1, 1};
  launch.threads = threads;
  launch.kernarg = std::as_bytes(std::span(arguments));
  launch.regions.push_back({"out", out.data(), out.size()});
  launch.regions.push_back({"in", in.data(), in.size()});
  launch.observers.push_back(checker.get());
  auto run = (*program)->run(launch);
  if (!run)
    ADD_FAILURE() << llvm::toString(run.takeError());
  std::vector<std::string> list;
  for (const Finding &f : checker->takeFindings())
    list.push_back(text(f));
  EXPECT_TRUE(checker->takeFindings().empty());
  return list;
}

const std::string suspicious = "\tds_store_b32 v1, v0\n"
                               "\tv_xor_b32 v2, 0x80, v1\n"
                               "\tds_load_b32 v3, v2\n"
                               "\tv_add_f32 v3, v3, v3\n"
                               "\tglobal_store_b32 v1, v9, s[4:5]\n"
                               "\tglobal_load_b32 v4, v1, s[6:7] offset:4000\n";

TEST(EmuCheck, SameForAnyNumberOfThreads) {
  const auto one = findings(suspicious, CheckSet::all(), 1, 16);
  EXPECT_GE(one.size(), 4u);
  EXPECT_EQ(findings(suspicious, CheckSet::all(), 4, 16), one);
}

TEST(EmuCheck, OnlyWhatIsAskedFor) {
  for (const std::string &f : findings(suspicious, checks("races,bounds")))
    EXPECT_TRUE(f.starts_with("lds-race") || f.starts_with("memory-bounds")) << f;
  EXPECT_TRUE(findings(suspicious, checks("hazards,misuse,barriers,registers")).empty());
}

TEST(EmuCheck, UnknownNamesAreErrors) {
  for (const char *list : {"", "wait", "waits,", "waits,,races", "ALL"}) {
    auto set = parseChecks(list);
    EXPECT_FALSE(bool(set)) << list;
    const std::string error = set ? "" : llvm::toString(set.takeError());
    EXPECT_NE(error.find("waits, races"), std::string::npos) << error;
  }
}

/// A kernel may let its indices wrap unless its rewrite has assumed that they do not.
TEST(EmuCheck, AllFollowsDeclarations) {
  KernelImage kernel;
  EXPECT_FALSE(CheckSet::all().forKernel(kernel).has(Check::IndexWrap));
  EXPECT_TRUE(checks("index-wrap").forKernel(kernel).has(Check::IndexWrap));
  EXPECT_TRUE(checks("all,index-wrap").forKernel(kernel).has(Check::IndexWrap));
  kernel.indexWrap = KernelImage::IndexWrap::Excluded;
  EXPECT_TRUE(checks("all").forKernel(kernel).has(Check::IndexWrap));
  EXPECT_TRUE(checks("all,waits").forKernel(kernel).has(Check::IndexWrap));
  EXPECT_FALSE(checks("waits,races").forKernel(kernel).has(Check::IndexWrap));
}

/// A counter cannot go beyond 63: the 64th load waits until the first has returned.
TEST(EmuCheck, FullCounterStalls) {
  std::string body;
  for (unsigned n = 0; n < 64; ++n)
    body += fmt::format("\tglobal_load_b32 v{}, v1, s[6:7]\n", 10 + n);
  EXPECT_TRUE(findings(body + "\tv_mov_b32 v2, v10\n", checks("waits")).empty());
  const auto second = findings(body + "\tv_mov_b32 v2, v11\n", checks("waits"));
  ASSERT_EQ(second.size(), 1u);
  EXPECT_NE(second[0].find("vmcnt(62)"), std::string::npos) << second[0];
}

/// Pairs that the assembler refuses are code all the same.
TEST(EmuCheck, RefusedPairsRun) {
  // V_DUAL_MOV_B32 v2, v0 :: V_DUAL_MOV_B32 v3, v0: the assembler refuses equal banks.
  EXPECT_TRUE(findings("\t.long 0xca100100, 0x02020100\n", CheckSet::all()).empty());
}

} // namespace

} // namespace emuCheckTest
