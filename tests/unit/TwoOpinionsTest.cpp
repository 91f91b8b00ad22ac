// What passes and the proof find out each by itself, held against each other on compilers' code.

#include "AsmSnippet.h"

#include "Analysis/Drains.h"
#include "Analysis/InFlight.h"
#include "Analysis/LookedAt.h"
#include "Analysis/NoLane.h"
#include "Analysis/Waits.h"
#include "Verify/Drained.h"
#include "Verify/Exec.h"
#include "Verify/FlagLoads.h"
#include "Verify/Outstanding.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace rdna::test::twoOpinionsTest {
namespace {

class TwoOpinions {
public:
  TwoOpinions(const Module &module, uint32_t function, std::string name)
      : module_(module), cfg_(buildCfg(module, function)), name_(std::move(name)),
        flags_(verify::flagLoads(module, cfg_)) {}

  /// Passes follow restored masks further, so there are a few loads that they dare to move and the
  /// proof does not let them. Returns of how many loads that is so of how many.
  std::pair<unsigned, unsigned> compareLoads() const {
    const Liveness liveness = computeLiveness(module_, cfg_);
    const auto looked = loadsLookedAt(module_, cfg_, liveness);
    EXPECT_EQ(looked.size(), flags_.size()) << name_;
    unsigned bolder = 0, loads = 0;
    for (uint32_t i = 0; i < looked.size(); ++i) {
      loads += module_.instructions()[cfg_.blocks.front().first + i].memory == MemoryEffect::Load;
      bolder += looked[i] < flags_[i];
    }
    const auto guess = mayHaveNoLane(module_, cfg_, liveness);
    const auto proven = verify::execMayBeEmpty(module_, cfg_);
    EXPECT_EQ(guess.size(), proven.size()) << name_;
    for (size_t i = 0; i < guess.size(); ++i)
      EXPECT_GE(guess[i], proven[i]) << name_ << ", instruction " << i;
    return {bolder, loads};
  }

  /// Waits that leave something do not say what they leave of classes that return in any order.
  void compareCounts() const {
    const auto passes = computeInFlight(module_, cfg_, flags_);
    const auto proof = verify::computeOutstanding(module_, cfg_, flags_);
    for (uint32_t b = 0; b < cfg_.blocks.size(); ++b)
      for (unsigned cls = 0; cls < kWaitClasses && cfg_.blocks[b].reachable; ++cls) {
        const InFlight::Class &guess = passes[b].of[cls];
        const verify::OutstandingCounts::Class &own = proof[b].of[cls];
        const std::string where = fmt::format("{}, block {}, class {}", name_, b, cls);
        EXPECT_GE(own.most(), guess.most) << where;
        const bool inOrder = isInOrder(static_cast<WaitClass>(cls));
        if (inOrder) {
          EXPECT_EQ(own.most(), guess.most) << where;
        }
        EXPECT_TRUE(!inOrder || own.flag == 0 || guess.mayFlag) << where;
        EXPECT_TRUE(!inOrder || own.sync == 0 || guess.maySync) << where;
      }
  }

  /// A load in flight with so many younger ones of its class: the proof counts them all.
  void compareRegisters() const {
    const auto passes = computeWaits(module_, cfg_);
    const auto proof = verify::computeOutstanding(module_, cfg_, flags_);
    for (uint32_t b = 0; b < cfg_.blocks.size(); ++b)
      for (const WaitClass cls : kLoadClasses)
        for (unsigned unit = 0; unit < kRegUnits && cfg_.blocks[b].reachable; ++unit)
          if (const unsigned younger = passes[b].younger(cls, unit);
              isInOrder(cls) && younger < verify::OutstandingCounts::kMany) {
            EXPECT_GT(proof[b].of[static_cast<size_t>(cls)].most(), younger)
                << name_ << ", block " << b << ", register " << unit;
          }
  }

  /// The proof looks less far.
  void compareDrains() const {
    const std::vector<uint8_t> drained = ldsDrainedNext(module_, cfg_);
    for (uint32_t b = 0; b < cfg_.blocks.size(); ++b)
      EXPECT_TRUE(!verify::isLdsDrainedNext(module_, cfg_, cfg_.blocks[b].first) || drained[b])
          << name_ << ", instruction " << cfg_.blocks[b].first;
  }

private:
  const Module &module_;
  const Cfg cfg_;
  const std::string name_;
  const std::vector<uint8_t> flags_;
};

TEST(TwoOpinions, OfCompiledKernels) {
  unsigned functions = 0, bolder = 0, loads = 0;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(RDNA_KERNEL_DIR)) {
    if (entry.path().extension() != ".s")
      continue;
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto module = parseText(text);
    for (uint32_t f = 0; f < module->functions().size(); ++f) {
      if (module->functions()[f].first == module->functions()[f].last)
        continue;
      const TwoOpinions opinions(
          *module, f, entry.path().filename().string() + " " + module->functions()[f].name);
      const auto [daring, all] = opinions.compareLoads();
      bolder += daring;
      loads += all;
      opinions.compareCounts();
      opinions.compareRegisters();
      opinions.compareDrains();
      ++functions;
    }
  }
  EXPECT_GT(functions, 20U);
  EXPECT_LT(bolder * 20, loads);
}

/// Scalar loads return in any order, so a wait that leaves one may leave the caller's.
TEST(TwoOpinions, WhatACallerLeft) {
  const auto module = parseKernel("\ts_swappc_b64 s[30:31], s[4:5]\n\ts_load_b32 s8, s[2:3], 0x0\n"
                                  "\tds_load_b32 v1, v0\n\ts_waitcnt lgkmcnt(1)\n.Lend:\n"
                                  "\ts_cbranch_scc1 .Lend\n");
  const Cfg cfg = buildCfg(*module, 0);
  const auto flags = verify::flagLoads(*module, cfg);
  const verify::OutstandingCounts atEnd =
      verify::computeOutstanding(*module, cfg, flags)
          .at(cfg.blockOf(module->labelTarget(".Lend").value()));
  const auto of = [&](WaitClass cls) { return atEnd.of[static_cast<size_t>(cls)]; };
  EXPECT_NE(of(WaitClass::Scalar).outside, 0U);
  EXPECT_EQ(of(WaitClass::Lds).outside, 0U); // Of LDS the newest is left.
  EXPECT_EQ(of(WaitClass::Lds).most(), 1);
  EXPECT_EQ(of(WaitClass::Vector).most(), verify::OutstandingCounts::kMany);
  EXPECT_EQ(of(WaitClass::Store).outside, 0U);
}

} // namespace
} // namespace rdna::test::twoOpinionsTest
