// What passes and the proof compute of scalar constants is what the emulator computes.

#include "AsmSnippet.h"
#include "EmuSnippet.h"

#include "Analysis/ScalarFlow.h"
#include "Symbolic/Machine.h"

namespace rdna::test::scalarFlowTest {
namespace {

constexpr std::array<uint32_t, 9> kNumbers{0,      1,          31,         32, 0x7fff,
                                           0x8000, 0x7fffffff, 0x80000000, ~0u};

struct Case {
  uint32_t a, b, scc;
};
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const uint32_t a : kNumbers)
    for (const uint32_t b : kNumbers)
      for (const uint32_t scc : {0U, 1U})
        all.push_back({a, b, scc});
  return all;
}

/// Runs `op` on s10, s11 and SCC; s20 and SCC behind it, by case.
std::vector<std::pair<uint32_t, uint32_t>> emulated(const std::string &op) {
  Snippet snippet;
  unsigned n = 0;
  for (const Case &c : cases()) {
    snippet.body += fmt::format("\ts_mov_b32 s10, {}\n\ts_mov_b32 s11, {}\n\ts_mov_b32 s20, s10\n"
                                "\ts_cmp_eq_u32 {}, 1\n\t{}\n\ts_cselect_b32 s21, 1, 0\n",
                                c.a, c.b, c.scc, op);
    for (const unsigned s : {20U, 21U})
      snippet.body +=
          fmt::format("\tv_writelane_b32 v{}, s{}, {}\n", 100 + 2 * (n / 32) + s - 20, s, n % 32);
    ++n;
  }
  snippet.outputs = 2 * ((n + 31) / 32);
  auto result = tryRun(snippet);
  std::vector<std::pair<uint32_t, uint32_t>> values;
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return values;
  }
  for (unsigned k = 0; k < n; ++k)
    values.emplace_back((*result)[2 * (k / 32)][k % 32], (*result)[2 * (k / 32) + 1][k % 32]);
  return values;
}

/// What the proof makes of it, in registers of constants; nothing if that is no constant.
std::optional<std::pair<uint32_t, uint32_t>> proven(const Module &module, const Case &c) {
  verify::ExprPool pool;
  verify::State state;
  for (unsigned i = 0; i < kRegUnits; ++i)
    state.reg[i] = pool.unknown(verify::Unknown::Register, i, 0);
  for (unsigned s : {10U, 20U})
    state[RegUnit::scalar(s)] = pool.constant(c.a);
  state[RegUnit::scalar(11)] = pool.constant(c.b);
  state[kScc] = pool.constant(c.scc);
  verify::Trace trace;
  verify::Machine(module, pool, state, trace, verify::Indices::MayWrap)
      .execute(module.instructions()[0]);
  const auto value = pool.asConstant(state[RegUnit::scalar(20)]);
  const auto scc = pool.asConstant(state[kScc]);
  return value && scc ? std::optional(std::pair(*value, *scc)) : std::nullopt;
}

/// How many of the cases were folded.
unsigned check(const std::string &op) {
  const auto module = parseKernel("\t" + op);
  const auto wanted = emulated(op);
  unsigned folded = 0;
  for (size_t n = 0; n < wanted.size(); ++n) {
    const Case c = cases()[n];
    const auto own = proven(*module, c);
    if (own) {
      EXPECT_EQ(*own, wanted[n]) << "the proof: " << op << " of " << c.a << ", " << c.b;
    }
    const auto writes =
        foldScalar(module->instructions()[0], [&](RegUnit unit) -> std::optional<uint32_t> {
          if (unit == kScc)
            return c.scc;
          return unit == RegUnit::scalar(11) ? c.b : c.a;
        });
    if (!writes)
      continue;
    EXPECT_TRUE(own) << op << " of " << c.a << ", " << c.b << ", SCC " << c.scc;
    ++folded;
    std::pair<uint32_t, uint32_t> got{c.a, c.scc};
    for (const auto &[unit, value] : *writes)
      (unit == kScc ? got.second : got.first) = value;
    EXPECT_EQ(got, wanted[n]) << op << " of " << c.a << ", " << c.b << ", SCC " << c.scc;
  }
  return folded;
}

TEST(ScalarFlow, ComputesWhatTheEmulatorDoes) {
  for (const char *name :
       {"s_add_u32", "s_add_i32", "s_sub_u32", "s_sub_i32", "s_addc_u32", "s_subb_u32", "s_mul_i32",
        "s_lshl_b32", "s_lshr_b32", "s_ashr_i32", "s_and_b32", "s_or_b32", "s_xor_b32", "s_min_u32",
        "s_max_u32", "s_cselect_b32"})
    EXPECT_GT(check(fmt::format("{} s20, s10, s11", name)), 0U) << name;
  for (const char *name : {"s_min_i32", "s_max_i32", "s_absdiff_i32", "s_nand_b32"})
    check(fmt::format("{} s20, s10, s11", name)); // Folded or not.
  for (const char *op :
       {"s_mov_b32 s20, s10", "s_not_b32 s20, s10", "s_cmov_b32 s20, s11", "s_movk_i32 s20, 0x8000",
        "s_addk_i32 s20, 0x8000", "s_mulk_i32 s20, 0x8000", "s_cmovk_i32 s20, 0x8000"})
    check(op);
}

TEST(ScalarFlow, ComparesAsTheEmulatorDoes) {
  for (const char *relation : {"eq", "lg", "lt", "le", "gt", "ge"})
    for (const char *type : {"u32", "i32"}) {
      EXPECT_GT(check(fmt::format("s_cmp_{}_{} s10, s11", relation, type)), 0U);
      EXPECT_GT(check(fmt::format("s_cmp_{}_{} s10, -1", relation, type)), 0U);
      for (const char *constant : {"0x7fff", "0x8000", "0xffff"})
        EXPECT_GT(check(fmt::format("s_cmpk_{}_{} s10, {}", relation, type, constant)), 0U);
    }
}

} // namespace
} // namespace rdna::test::scalarFlowTest
