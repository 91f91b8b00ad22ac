#include "Isa/Occupancy.h"
#include "Isa/Processor.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

#include <gtest/gtest.h>

namespace isaProcessorTest {

using namespace rdna;

namespace {

TEST(IsaProcessor, TheTableIsLlvms) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  const llvm::Triple triple("amdgcn-amd-amdhsa");
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  ASSERT_NE(target, nullptr) << error;
  for (const Processor processor : allProcessors) {
    const ProcessorFacts &facts = factsOf(processor);
    const std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
        target->createMCSubtargetInfo(triple, facts.name, ""));
    ASSERT_TRUE(subtarget->isCPUStringValid(facts.name)) << facts.name;
    const bool more = subtarget->checkFeatures("+allocate1_5xvgprs");
    EXPECT_EQ(facts.vgprFile, more ? 1536u : 1024u) << facts.name;
    EXPECT_EQ(facts.vgprGranule, more ? 24u : 16u) << facts.name;
    EXPECT_EQ(facts.userSgprInit16 == ProcessorFacts::UserSgprInit16::Bug,
              subtarget->checkFeatures("+user-sgpr-init16-bug"))
        << facts.name;
    // The checks of hazards count on it for all of them.
    EXPECT_TRUE(subtarget->checkFeatures("+mad-intra-fwd-bug")) << facts.name;
  }
}

TEST(IsaProcessor, Names) {
  EXPECT_EQ(processorByName("gfx1102"), Processor::Gfx1102);
  EXPECT_FALSE(processorByName("gfx110"));
  EXPECT_FALSE(processorByName("gfx1150"));
  for (const auto &[name, family] :
       {std::pair("gfx1030", "(RDNA2)"), std::pair("gfx1151", "(RDNA3.5)"),
        std::pair("gfx1201", "(RDNA4)"), std::pair("gfx11-generic", "(RDNA3, generic)"),
        std::pair("machine 0x99", "machine 0x99;")}) {
    const std::string text = whyNotHandled(name);
    EXPECT_NE(text.find(family), std::string::npos) << text;
    EXPECT_NE(text.find("--offload-arch=gfx1100"), std::string::npos) << text;
  }
}

TEST(IsaProcessor, OfAText) {
  EXPECT_EQ(processorOf(""), Processor::Gfx1100);
  EXPECT_EQ(processorOf("\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1103\"\n"), Processor::Gfx1103);
  EXPECT_EQ(processorOf("; .amdgcn_target \"amdgcn-amd-amdhsa--gfx1103\"\n"
                        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1101\"\n"),
            Processor::Gfx1101);
  EXPECT_EQ(processorOf(".amdgcn_target \"amdgcn-amd-amdhsa--gfx1030\"\n"), Processor::Gfx1100);
}

TEST(IsaProcessor, WavesDependOnTheChip) {
  const auto waves = [](unsigned vgprs, Processor processor) {
    return occupancy({vgprs, 0, 128, WorkgroupMode::Cu, processor}).wavesPerSimd;
  };
  // Kernel 5 of the ladder: 1536 / 192 = 8, in groups of 4 waves on 2 SIMDs; 1024 / 192 = 5.
  EXPECT_EQ(waves(186, Processor::Gfx1100), 8u);
  EXPECT_EQ(waves(186, Processor::Gfx1101), 8u);
  EXPECT_EQ(waves(186, Processor::Gfx1102), 4u);
  EXPECT_EQ(waves(64, Processor::Gfx1103), 16u);
  EXPECT_EQ(waves(65, Processor::Gfx1103), 12u); // 80 a wave.
  EXPECT_EQ(vgprBudget({186, 0, 128, WorkgroupMode::Cu, Processor::Gfx1102}), 256u);
  EXPECT_EQ(vgprBudget({100, 0, 32, WorkgroupMode::Cu, Processor::Gfx1102}), 112u);
}

} // namespace

} // namespace isaProcessorTest
