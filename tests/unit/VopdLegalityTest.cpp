// whyNotDual() against LLVM's own assembler, in this process: whatever one accepts, the other must.

#include "Asm/Target.h"
#include "Isa/Vopd.h"
#include "Support/Random.h"

#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace vopdLegalityTest {

using namespace rdna;

namespace {

const std::vector<Op> kOps = {Op::v_fmac_f32,        Op::v_fmaak_f32,        Op::v_fmamk_f32,
                              Op::v_mul_f32,         Op::v_add_f32,          Op::v_sub_f32,
                              Op::v_subrev_f32,      Op::v_mul_dx9_zero_f32, Op::v_mov_b32,
                              Op::v_cndmask_b32,     Op::v_max_f32,          Op::v_min_f32,
                              Op::v_dot2acc_f32_f16, Op::v_dot2acc_f32_bf16, Op::v_add_nc_u32,
                              Op::v_lshlrev_b32,     Op::v_and_b32};
constexpr size_t kOpsInX = 14; ///< The last three exist in slot Y only (ISA guide 7.6).

/// The lines (1-based) of `text` that LLVM's assembler rejects.
std::set<unsigned> rejectedLines(const std::string &text) {
  const McTarget &target = McTarget::get();
  std::set<unsigned> lines;
  llvm::SourceMgr sources;
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic &diag, void *context) {
        if (diag.getKind() == llvm::SourceMgr::DK_Error)
          static_cast<std::set<unsigned> *>(context)->insert(
              static_cast<unsigned>(diag.getLineNo()));
      },
      &lines);
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text), {});
  llvm::MCContext context(target.triple(), &target.asmInfo(), &target.registers(),
                          &target.subtarget(), &sources, &target.options());
  llvm::MCObjectFileInfo info;
  info.initMCObjectFileInfo(context, /*PIC=*/true);
  context.setObjectFileInfo(&info);
  const std::unique_ptr<llvm::MCStreamer> streamer(llvm::createNullStreamer(context));
  target.target().createNullTargetStreamer(*streamer);
  const std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, context, *streamer, target.asmInfo()));
  const std::unique_ptr<llvm::MCTargetAsmParser> targetParser(target.target().createMCAsmParser(
      target.subtarget(), *parser, target.instructions(), target.options()));
  parser->setTargetParser(*targetParser);
  parser->Run(false);
  return lines;
}

std::string sourceText(const VopdSource &source) {
  switch (source.kind) {
  case VopdSource::Kind::Vgpr:
    return fmt::format("v{}", source.value);
  case VopdSource::Kind::Scalar:
    return source.value == 106   ? "vcc_lo"
           : source.value == 124 ? "null"
           : source.value == 125 ? "m0"
           : source.value == 126 ? "exec_lo"
           : source.value == 253 ? "scc"
                                 : fmt::format("s{}", source.value);
  case VopdSource::Kind::Inline:
    return fmt::format("{}", static_cast<int32_t>(source.value));
  default:
    return fmt::format("0x{:x}", source.value);
  }
}

/// A half as a user would write it; not by the project's printer, which is not on trial here.
std::string halfText(const VopdHalf &half) {
  const std::string head = fmt::format("v_dual_{} v{}, {}", opName(half.op).substr(2),
                                       half.dst.number, sourceText(half.src0));
  if (half.op == Op::v_mov_b32)
    return head;
  const std::string src1 = sourceText(half.src1);
  if (half.op == Op::v_fmaak_f32)
    return fmt::format("{}, {}, 0x{:x}", head, src1, *half.constant);
  if (half.op == Op::v_fmamk_f32)
    return fmt::format("{}, 0x{:x}, {}", head, *half.constant, src1);
  return fmt::format("{}, {}", head, src1);
}

VopdSource vgpr(unsigned number) { return {VopdSource::Kind::Vgpr, number}; }

struct Pair {
  VopdHalf x, y;
};

std::string pairText(const Pair &pair) {
  return fmt::format("{} :: {}", halfText(pair.x), halfText(pair.y));
}

/// Asks LLVM about all pairs at once and compares; returns how many it accepts.
unsigned compareWithAssembler(const std::vector<Pair> &pairs) {
  std::string text;
  for (const Pair &pair : pairs)
    text += pairText(pair) + "\n";
  const std::set<unsigned> rejected = rejectedLines(text);
  unsigned accepted = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const bool llvmAccepts = !rejected.contains(static_cast<unsigned>(i + 1));
    const auto rule = whyNotDual(pairs[i].x, pairs[i].y);
    accepted += llvmAccepts ? 1 : 0;
    EXPECT_EQ(llvmAccepts, !rule) << pairText(pairs[i]) << ": we say "
                                  << (rule ? toString(*rule) : "legal");
  }
  return accepted;
}

VopdHalf fmac(unsigned dst, unsigned src0, unsigned src1) {
  return {Op::v_fmac_f32, Vgpr{static_cast<uint8_t>(dst)}, vgpr(src0), vgpr(src1), {}};
}

TEST(VopdLegality, AllBankAndParityCombinationsOfADualFmac) {
  std::vector<Pair> pairs;
  // Residues mod 4 of the four sources, mod 2 of the two destinations; six different registers.
  for (unsigned code = 0; code < 1024; ++code) {
    const unsigned x0 = code & 3, x1 = code >> 2 & 3, y0 = code >> 4 & 3, y1 = code >> 6 & 3;
    const unsigned dx = code >> 8 & 1, dy = code >> 9 & 1;
    pairs.push_back({fmac(100 + dx, 8 + x0, 16 + x1), fmac(110 + dy, 24 + y0, 32 + y1)});
  }
  // One destination even and one odd: 2 of 4; src0 banks differ: 12 of 16; src1 the same.
  EXPECT_EQ(compareWithAssembler(pairs), 2u * 12 * 12);
}

TEST(VopdLegality, SharedRegisters) {
  // The same VGPR in one slot is refused, across slots it is free (rdna3-facts 1.2, rules 5 and 6).
  std::vector<Pair> pairs;
  for (unsigned x0 = 0; x0 < 6; ++x0)
    for (unsigned x1 = 0; x1 < 6; ++x1)
      for (unsigned y0 = 0; y0 < 6; ++y0)
        for (unsigned y1 = 0; y1 < 6; ++y1)
          pairs.push_back({fmac(2, x0, x1), fmac(5, y0, y1)});
  EXPECT_GT(compareWithAssembler(pairs), 0u);
}

/// A half with registers that cannot collide with those of the other slot.
VopdHalf harmless(Op op, unsigned base) {
  VopdHalf half{op, Vgpr{static_cast<uint8_t>(base)}, vgpr(base + 1), vgpr(base + 2), {}};
  if (op == Op::v_mov_b32)
    half.src1 = {};
  if (op == Op::v_fmaak_f32 || op == Op::v_fmamk_f32)
    half.constant = 0x12345678;
  if (op == Op::v_fmamk_f32) // The addend's parity counts like an accumulator's: it follows dst.
    half.src1 = vgpr(base + 4);
  return half;
}

TEST(VopdLegality, AllOpcodePairs) {
  std::vector<Pair> pairs;
  for (const Op x : kOps)
    for (const Op y : kOps)
      pairs.push_back({harmless(x, 8), harmless(y, 17)});
  EXPECT_EQ(compareWithAssembler(pairs), kOpsInX * kOps.size());
}

const Op kAllOps[] = {
#define RDNA_OP(name, unit, x, y, ...) Op::name,
#include "Isa/Ops.def"
#undef RDNA_OP
};

TEST(VopdLegality, EveryTableRowThatHasASlotIsTested) {
  const std::set<Op> tested(kOps.begin(), kOps.end());
  for (const Op op : kAllOps)
    EXPECT_EQ(vopdOpcodeX(op) >= 0 || vopdOpcodeY(op) >= 0, tested.contains(op)) << opName(op);
  for (size_t i = 0; i < kOps.size(); ++i) {
    EXPECT_EQ(vopdOpcodeX(kOps[i]) >= 0, i < kOpsInX) << opName(kOps[i]);
    EXPECT_GE(vopdOpcodeY(kOps[i]), 0) << opName(kOps[i]);
  }
}

TEST(VopdLegality, ScalarAndLiteralLimits) {
  const std::vector<VopdSource> sources = {
      {VopdSource::Kind::Scalar, 4},           {VopdSource::Kind::Scalar, 5},
      {VopdSource::Kind::Scalar, 106},         {VopdSource::Kind::Scalar, 125},
      {VopdSource::Kind::Scalar, 126},         {VopdSource::Kind::Inline, 7},
      {VopdSource::Kind::Inline, 0xfffffff1},  {VopdSource::Kind::Literal, 0x12345678},
      {VopdSource::Kind::Literal, 0x87654321}, vgpr(12)};
  std::vector<Pair> pairs;
  for (const Op x : kOps)
    for (const Op y : kOps)
      for (const VopdSource &x0 : sources)
        for (const VopdSource &y0 : sources) {
          if (vopdOpcodeX(x) < 0)
            continue;
          Pair pair{harmless(x, 8), harmless(y, 17)};
          pair.x.src0 = x0;
          pair.y.src0 = y0.isVgpr() ? vgpr(29) : y0;
          pairs.push_back(pair);
        }
  const unsigned accepted = compareWithAssembler(pairs);
  EXPECT_GT(accepted, 0u);
  EXPECT_LT(accepted, pairs.size());
}

TEST(VopdLegality, Source1MustBeAVgpr) {
  VopdHalf x = fmac(2, 4, 6);
  x.src1 = {VopdSource::Kind::Scalar, 4};
  EXPECT_EQ(whyNotDual(x, fmac(5, 9, 11)), VopdRule::Source1NotVgpr);
  EXPECT_EQ(compareWithAssembler({{x, fmac(5, 9, 11)}}), 0u);
}

TEST(VopdLegality, RandomPairsOfAllOpcodes) {
  constexpr uint64_t kSeed = 20261120;
  Random random(kSeed);
  const auto source = [&]() -> VopdSource {
    switch (random.below(8)) {
    case 0:
      return {VopdSource::Kind::Scalar, random.below(100)};
    case 1:
      return {VopdSource::Kind::Literal, 0x12345000 + random.below(2)};
    case 2:
      return {VopdSource::Kind::Inline, random.below(64)};
    default:
      return vgpr(random.below(256));
    }
  };
  const auto half = [&](Op op) {
    VopdHalf result{
        op, Vgpr{static_cast<uint8_t>(random.below(256))}, source(), vgpr(random.below(256)), {}};
    if (op == Op::v_mov_b32)
      result.src1 = {};
    if (op == Op::v_fmaak_f32 || op == Op::v_fmamk_f32)
      result.constant = 0x12345000 + random.below(2);
    return result;
  };
  std::vector<Pair> pairs;
  for (unsigned i = 0; i < 20000; ++i)
    pairs.push_back({half(kOps[random.below(kOpsInX)]),
                     half(kOps[random.below(static_cast<uint32_t>(kOps.size()))])});
  const unsigned accepted = compareWithAssembler(pairs);
  EXPECT_GT(accepted, 1000u) << "seed " << kSeed;
}

TEST(VopdHazard, DistinctSourcesOfOneParityInOneSlot) {
  EXPECT_TRUE(hasParityHazard(fmac(0, 4, 9), fmac(1, 6, 10)));  // src0 v4, v6
  EXPECT_TRUE(hasParityHazard(fmac(0, 4, 9), fmac(1, 7, 11)));  // src1 v9, v11
  EXPECT_FALSE(hasParityHazard(fmac(0, 4, 9), fmac(1, 7, 10))); // opposite in both
  EXPECT_FALSE(hasParityHazard(fmac(0, 4, 9), fmac(1, 4, 10))); // the same register
  EXPECT_FALSE(hasParityHazard(fmac(0, 4, 6), fmac(1, 7, 9)));  // across slots it is free
  VopdHalf mov{Op::v_mov_b32, Vgpr{1}, vgpr(7), {}, {}};
  EXPECT_FALSE(hasParityHazard(fmac(0, 4, 9), mov)); // no src1 to clash with
  VopdHalf fmamk{Op::v_fmamk_f32, Vgpr{1}, vgpr(7), vgpr(11), 1u};
  EXPECT_FALSE(hasParityHazard(fmac(0, 4, 9), fmamk)); // its VGPR is on the SRC2 port
}

TEST(VopdConflicts, PairsOfDifferentRegistersInOneBank) {
  EXPECT_EQ(sourceBankConflicts(fmac(0, 4, 5), fmac(1, 6, 7)), 0u);
  EXPECT_EQ(sourceBankConflicts(fmac(0, 4, 8), fmac(1, 6, 7)), 1u);  // v4, v8
  EXPECT_EQ(sourceBankConflicts(fmac(0, 4, 8), fmac(1, 6, 10)), 2u); // and v6, v10
  EXPECT_EQ(sourceBankConflicts(fmac(0, 4, 8), fmac(1, 7, 12)), 3u); // v4, v8, v12: three pairs
  EXPECT_EQ(sourceBankConflicts(fmac(0, 4, 4), fmac(1, 6, 7)), 0u);  // read twice counts once
  EXPECT_EQ(sourceBankConflicts(fmac(4, 0, 1), fmac(1, 2, 3)), 0u);  // accumulators do not count
  VopdHalf fmamk{Op::v_fmamk_f32, Vgpr{1}, vgpr(7), vgpr(8), 1u};
  EXPECT_EQ(sourceBankConflicts(fmac(0, 4, 5), fmamk), 0u); // nor does FMAMK's addend
  VopdHalf scalar = fmac(1, 0, 8);
  scalar.src0 = {VopdSource::Kind::Scalar, 4};
  EXPECT_EQ(sourceBankConflicts(fmac(0, 4, 5), scalar), 1u); // v4, v8; s4 has no bank
}

} // namespace

} // namespace vopdLegalityTest
