// Where a register is needed, stepped back over one instruction, against the masks themselves.

#include "Asm/LaneSets.h"
#include "AsmSnippet.h"
#include "Support/Random.h"

#include <gtest/gtest.h>

#include <functional>

namespace rdna::test::asmLaneSetsTest {
namespace {

/// Masks of 32 lanes: of EXEC and of s8, s9, s10.
struct Masks {
  uint32_t exec, s8, s9, s10;
};

uint32_t lanesOf(const LaneSets &sets, const Masks &masks) {
  uint32_t lanes =
      (sets.active.test(1) ? masks.exec : 0) | (sets.inactive.test(1) ? ~masks.exec : 0);
  const auto maskOf = [&](uint16_t sgpr) {
    return sgpr == kExecLo.index              ? masks.exec
           : sgpr == RegUnit::scalar(8).index ? masks.s8
           : sgpr == RegUnit::scalar(9).index ? masks.s9
                                              : masks.s10;
  };
  for (const auto &[of, vgprs] : sets.others) {
    uint32_t held = of.in == LanesOf::kAny ? ~0u : maskOf(of.in);
    held &= of.also == LanesOf::kAny ? ~0u : maskOf(of.also);
    for (const uint16_t mask : of.outside)
      held &= ~maskOf(mask);
    lanes |= vgprs.test(1) ? held : 0;
  }
  return lanes;
}

void expectNoLaneIsLost(const char *text, const std::function<void(Masks &)> &execute,
                        LaneSets::Within within) {
  const auto module = parseKernel(text);
  const Instruction &inst = module->instructions().front();
  Random random(5);
  const auto someMask = [&] { return random.below(1U << 16) << 16 | random.below(1U << 16); };
  for (unsigned round = 0; round < 600; ++round) {
    const Masks before{someMask(), someMask(), someMask(), someMask()};
    Masks after = before;
    execute(after);
    LaneSets sets;
    sets.active.set(1, round % 4 == 0);
    sets.inactive.set(1, round % 4 == 1);
    const auto oneOf = [&] {
      const unsigned which = random.below(4);
      return which == 3 ? kExecLo.index : RegUnit::scalar(8 + which).index;
    };
    if (round % 4 > 1) {
      LanesOf some{round % 3 == 0 ? LanesOf::kAny : oneOf(), {}};
      for (unsigned n = random.below(3); n > 0; --n)
        some.outside.push_back(oneOf());
      if (within == LaneSets::Within::TwoMasks && round % 5 > 1)
        some.also = oneOf();
      sets.add(some, LaneSets::Vgprs().set(1));
    }
    const uint32_t needed = lanesOf(sets, after);
    LaneSets dropped = sets;
    dropped.dropActive(LaneSets::Vgprs().set(1));
    EXPECT_EQ(lanesOf(dropped, after), needed & ~after.exec);
    sets.stepOverMasks(inst, within);
    EXPECT_EQ(needed & ~lanesOf(sets, before), 0u) << text << ", round " << round;
  }
}

/// No lane that needs v1 behind the instruction is without it in front.
void expectNoLaneIsLost(const char *text, const std::function<void(Masks &)> &execute) {
  for (const auto within : {LaneSets::Within::OneMask, LaneSets::Within::TwoMasks})
    expectNoLaneIsLost(text, execute, within);
}

TEST(AsmLaneSets, NoLaneIsLost) {
  expectNoLaneIsLost("s_mov_b32 s8, s9", [](Masks &m) { m.s8 = m.s9; });
  expectNoLaneIsLost("s_mov_b32 s8, exec_lo", [](Masks &m) { m.s8 = m.exec; });
  expectNoLaneIsLost("s_mov_b32 exec_lo, s8", [](Masks &m) { m.exec = m.s8; });
  expectNoLaneIsLost("s_mov_b32 exec_lo, -1", [](Masks &m) { m.exec = ~0u; });
  expectNoLaneIsLost("s_mov_b32 s8, 0", [](Masks &m) { m.s8 = 0; });
  expectNoLaneIsLost("s_mov_b32 s8, 5", [](Masks &m) { m.s8 = 5; });
  expectNoLaneIsLost("s_or_b32 s8, s9, s8", [](Masks &m) { m.s8 |= m.s9; });
  expectNoLaneIsLost("s_or_b32 exec_lo, exec_lo, s8", [](Masks &m) { m.exec |= m.s8; });
  expectNoLaneIsLost("s_xor_b32 s8, exec_lo, s9", [](Masks &m) { m.s8 = m.exec ^ m.s9; });
  expectNoLaneIsLost("s_xor_b32 exec_lo, exec_lo, s9", [](Masks &m) { m.exec ^= m.s9; });
  expectNoLaneIsLost("s_and_b32 s8, s9, s10", [](Masks &m) { m.s8 = m.s9 & m.s10; });
  expectNoLaneIsLost("s_and_b32 s8, s9, exec_lo", [](Masks &m) { m.s8 = m.s9 & m.exec; });
  expectNoLaneIsLost("s_and_b32 exec_lo, s9, s10", [](Masks &m) { m.exec = m.s9 & m.s10; });
  expectNoLaneIsLost("s_and_not1_b32 s8, s9, s10", [](Masks &m) { m.s8 = m.s9 & ~m.s10; });
  expectNoLaneIsLost("s_and_not1_b32 exec_lo, exec_lo, s8", [](Masks &m) { m.exec &= ~m.s8; });
  expectNoLaneIsLost("s_and_not1_b32 exec_lo, s9, exec_lo",
                     [](Masks &m) { m.exec = m.s9 & ~m.exec; });
  expectNoLaneIsLost("s_nor_b32 s8, s9, s10", [](Masks &m) { m.s8 = ~(m.s9 | m.s10); });
  expectNoLaneIsLost("s_not_b32 s8, s8", [](Masks &m) { m.s8 = ~m.s8; });
  expectNoLaneIsLost("s_cselect_b32 s8, s9, s10", [](Masks &m) { m.s8 = m.s9; });
  expectNoLaneIsLost("s_cselect_b32 s8, s9, s10", [](Masks &m) { m.s8 = m.s10; });
  expectNoLaneIsLost("s_add_u32 s8, s9, s10", [](Masks &m) { m.s8 = m.s9 + m.s10; });
  expectNoLaneIsLost("v_cmp_lt_u32_e64 s8, v2, v3", [](Masks &m) { m.s8 = m.exec & 0x5a5a5a5a; });
  expectNoLaneIsLost("v_cmpx_lt_u32_e32 v2, v3", [](Masks &m) { m.exec &= 0x5a5a5a5a; });
}

/// What v1 is needed in, through some instructions.
LaneSets before(const char *text, LaneSets sets) {
  const auto module = parseKernel(text);
  for (size_t n = module->instructions().size(); n-- > 0;)
    if (module->instructions()[n].op != Op::s_endpgm)
      sets.stepOverMasks(module->instructions()[n]);
  return sets;
}

/// The lanes that are off on both sides of an `if` are those that were off before it.
TEST(AsmLaneSets, WhatIsOffAroundAnIf) {
  LaneSets off;
  off.inactive.set(1);
  EXPECT_EQ(before("s_mov_b32 s8, exec_lo\n"
                   "v_cmpx_lt_u32_e32 v2, v3\n"
                   "s_or_b32 exec_lo, exec_lo, s8\n",
                   off),
            off);
  EXPECT_EQ(before("s_and_saveexec_b32 s8, s9\n"
                   "s_xor_b32 s8, exec_lo, s8\n"
                   "s_and_not1_saveexec_b32 s8, s8\n"
                   "s_or_b32 exec_lo, exec_lo, s8\n",
                   off),
            off);
}

/// Lanes that leave a loop are off in it and on behind it.
TEST(AsmLaneSets, WhatIsOffAroundALoop) {
  LaneSets off, around;
  off.inactive.set(1);
  around.add({LanesOf::kAny, {RegUnit::scalar(8).index, kExecLo.index}}, off.inactive);
  const LaneSets behind = before("s_or_b32 exec_lo, exec_lo, s8\n", off);
  EXPECT_EQ(behind, around);
  EXPECT_EQ(before("v_cmp_eq_u32_e64 s9, v2, v3\n"
                   "s_or_b32 s8, s9, s8\n"
                   "s_and_not1_b32 exec_lo, exec_lo, s8\n",
                   behind),
            around);
  EXPECT_EQ(before("s_mov_b32 s8, 0\n", behind), off);
}

/// Lanes of an outer mask that skipped the inner code.
TEST(AsmLaneSets, WhatIsWrittenInside) {
  LaneSets sets;
  sets.add({RegUnit::scalar(9).index, {}}, LaneSets::Vgprs().set(1));
  sets.dropActive(LaneSets::Vgprs().set(1));
  LaneSets wanted;
  wanted.add({RegUnit::scalar(9).index, {kExecLo.index}}, LaneSets::Vgprs().set(1));
  EXPECT_EQ(sets, wanted);
  EXPECT_FALSE(sets.maybeActive().test(1));
  // Those that EXEC is saved in are the ones that it had.
  EXPECT_EQ(before("s_mov_b32 s9, exec_lo\n", sets), LaneSets());
}

/// Of a mask that is put together beside EXEC those lanes are switched on that it holds.
TEST(AsmLaneSets, TwoMasksSayWhich) {
  const auto stepped = [](const char *text, LaneSets sets, LaneSets::Within within) {
    const auto module = parseKernel(text);
    sets.stepOverMasks(module->instructions().front(), within);
    return sets;
  };
  LaneSets on, both;
  on.active.set(1);
  LanesOf of{RegUnit::scalar(9).index};
  of.also = kExecLo.index;
  both.add(of, on.active);
  for (const char *text : {"s_and_saveexec_b32 s8, s9", "s_and_b32 exec_lo, s9, exec_lo"}) {
    EXPECT_EQ(stepped(text, on, LaneSets::Within::TwoMasks), both) << text;
    EXPECT_EQ(stepped(text, on, LaneSets::Within::OneMask), on) << text;
  }
  EXPECT_EQ(stepped("s_mov_b32 s9, exec_lo", both, LaneSets::Within::TwoMasks), on);
  EXPECT_EQ(stepped("s_mov_b32 s9, 0", both, LaneSets::Within::TwoMasks), LaneSets());
  both.dropActive(on.active);
  EXPECT_EQ(both, LaneSets());
}

TEST(AsmLaneSets, SavedMasks) {
  const auto saving = [](const std::function<uint32_t(uint32_t, uint32_t)> &of) {
    return [of](Masks &m) {
      const uint32_t exec = m.exec;
      m.exec = of(exec, m.s9);
      m.s8 = exec;
    };
  };
  using U = uint32_t;
  expectNoLaneIsLost("s_and_saveexec_b32 s8, s9", saving([](U e, U s) { return e & s; }));
  expectNoLaneIsLost("s_or_saveexec_b32 s8, s9", saving([](U e, U s) { return e | s; }));
  expectNoLaneIsLost("s_xor_saveexec_b32 s8, s9", saving([](U e, U s) { return e ^ s; }));
  expectNoLaneIsLost("s_and_not0_saveexec_b32 s8, s9", saving([](U e, U s) { return e & ~s; }));
  expectNoLaneIsLost("s_and_not1_saveexec_b32 s8, s9", saving([](U e, U s) { return s & ~e; }));
  expectNoLaneIsLost("s_or_not0_saveexec_b32 s8, s9", saving([](U e, U s) { return e | ~s; }));
  expectNoLaneIsLost("s_or_not1_saveexec_b32 s8, s9", saving([](U e, U s) { return s | ~e; }));
  expectNoLaneIsLost("s_nand_saveexec_b32 s8, s9", saving([](U e, U s) { return ~(e & s); }));
  expectNoLaneIsLost("s_or_saveexec_b32 s9, s9", [](Masks &m) {
    const uint32_t exec = m.exec;
    m.exec |= m.s9;
    m.s9 = exec;
  });
}

} // namespace
} // namespace rdna::test::asmLaneSetsTest
