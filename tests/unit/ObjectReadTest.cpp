#include "ObjectSample.h"

#include "Support/Random.h"

#include "llvm/BinaryFormat/ELF.h"

#include <algorithm>
#include <cstring>

namespace objectReadTest {

using namespace rdna;
using namespace rdna::test;

namespace {

std::string findings(const object::CodeObject &object) {
  std::string all;
  for (const std::string &finding : lint(object))
    all += finding + "\n";
  return all;
}

std::string findings(const SampleKernel &kernel) { return findings(load(sample(kernel))); }

TEST(ObjectRead, DescriptorAndMetadata) {
  SampleKernel kernel;
  kernel.vgprs = 97; // 13 blocks of 8.
  kernel.metadataVgprs = 97;
  kernel.lds = kernel.metadataLds = 8320;
  kernel.directives = "\t\t.amdhsa_workgroup_processor_mode 0\n";
  const object::CodeObject object = load(sample(kernel));
  ASSERT_EQ(object.kernels.size(), 1u);
  const object::Kernel &read = object.kernels[0];
  EXPECT_EQ(object.target, "gfx1100");
  EXPECT_EQ(object.abiVersion, 5u);
  EXPECT_EQ(read.name, "scale");
  EXPECT_EQ(read.vgprs, 104u);
  EXPECT_EQ(read.ldsBytes, 8320u);
  EXPECT_EQ(read.kernargBytes, 16u);
  EXPECT_EQ(read.codeBytes, 28u);
  EXPECT_TRUE(read.wave32);
  EXPECT_TRUE(read.cuMode);
  EXPECT_EQ(read.metadataVgprs, 97u);
  EXPECT_EQ(read.maxFlatWorkgroupSize, 64u);
  ASSERT_EQ(read.arguments.size(), 2u);
  EXPECT_EQ(read.arguments[1].name, "n");
  EXPECT_EQ(read.arguments[1].offset, 8u);
  EXPECT_EQ(vgprsUsed(object, read), 2u);
  EXPECT_EQ(findings(object), "");
}

TEST(ObjectRead, WgpModeIsTheDefault) { EXPECT_FALSE(load(sample()).kernels.at(0).cuMode); }

TEST(ObjectRead, RelocatedAddresses) {
  SampleKernel kernel;
  const std::string data = "\t.data\n\t.globl table\n\t.p2align 3\n\t.type table,@object\ntable:\n"
                           "\t.quad target+8\n\t.size table, 8\n"
                           "\t.section .rodata,\"a\",@progbits\n\t.p2align 3\n"
                           "\t.type target,@object\ntarget:\n\t.quad 1\n\t.quad 2\n"
                           "\t.size target, 16\n";
  const object::CodeObject object = load(sample(kernel) + data);
  ASSERT_EQ(object.addressWords.size(), 1u);
  uint64_t address = 0, value = 0;
  std::memcpy(&address, object.image.data() + object.addressWords[0], 8);
  ASSERT_LE(address + 8, object.image.size());
  std::memcpy(&value, object.image.data() + address, 8);
  EXPECT_EQ(value, 2u);
}

TEST(ObjectLint, TooFewVgprs) {
  SampleKernel kernel;
  kernel.body = "\tds_load_b128 v[6:9], v0\n\ts_endpgm\n";
  EXPECT_EQ(findings(kernel), "kernel 'scale': declares 8 VGPRs but its code uses v9; raise "
                              ".amdhsa_next_free_vgpr to 10\n");
  kernel.vgprs = 10;
  kernel.metadataVgprs = 10;
  EXPECT_EQ(findings(kernel), "");
}

TEST(ObjectLint, NoRoomForAWorkgroup) {
  SampleKernel kernel;
  kernel.vgprs = kernel.metadataVgprs = 200; // 7 waves on each of a WGP's 4 SIMDs.
  const auto withGroup = [&](unsigned size) {
    std::string text = sample(kernel);
    const std::string most = ".max_flat_workgroup_size: 64";
    const size_t at = text.find(most);
    EXPECT_NE(at, std::string::npos);
    return findings(load(text.replace(at, most.size(),
                                      ".max_flat_workgroup_size: 1024\n    "
                                      ".reqd_workgroup_size: [" +
                                          std::to_string(size) + ", 1, 1]")));
  };
  EXPECT_EQ(withGroup(28 * 32), "");
  EXPECT_NE(withGroup(29 * 32).find("more than gfx1100 has room for"), std::string::npos);
}

TEST(ObjectLint, SixteenBitHalvesCountAsTheirRegister) {
  SampleKernel kernel;
  kernel.body = "\tv_mov_b16_e32 v9.h, v0.l\n\ts_endpgm\n";
  EXPECT_NE(findings(kernel).find("uses v9"), std::string::npos);
}

TEST(ObjectLint, Wave64) {
  SampleKernel kernel;
  kernel.wavefront = 64;
  EXPECT_NE(findings(kernel).find("wave64"), std::string::npos);
}

TEST(ObjectLint, DescriptorAgainstMetadata) {
  SampleKernel kernel;
  kernel.metadataLds = 64;
  EXPECT_NE(findings(kernel).find("disagree on LDS bytes: 0 and 64"), std::string::npos);
  kernel = {};
  kernel.metadataKernarg = 24;
  EXPECT_NE(findings(kernel).find("disagree on kernarg bytes: 16 and 24"), std::string::npos);
  kernel = {};
  kernel.metadataScratch = 16;
  EXPECT_NE(findings(kernel).find("disagree on scratch bytes: 0 and 16"), std::string::npos);
  kernel = {};
  kernel.metadataVgprs = 16;
  EXPECT_NE(findings(kernel).find("disagree on VGPRs: 8 and 16"), std::string::npos);
}

TEST(ObjectLint, MissingMetadata) {
  EXPECT_NE(findings(load(code({}))).find("no metadata note"), std::string::npos);
  SampleKernel other;
  other.name = "other";
  const std::string one = findings(load(code({}) + code(other) + metadata({})));
  EXPECT_EQ(one, "kernel 'other': no metadata: the HIP runtime does not find the kernel "
                 "(.amdgpu_metadata missing)\n");
}

TEST(ObjectLint, MissingKernel) {
  SampleKernel other;
  other.name = "other";
  const std::string found = findings(load(code(other) + metadata({})));
  EXPECT_NE(found.find("metadata names kernel 'scale', which has no descriptor"),
            std::string::npos);
  EXPECT_NE(findings(load("\ts_endpgm\n")).find("no kernel"), std::string::npos);
}

TEST(ObjectLint, OtherTargetAndAbi) {
  std::vector<std::byte> elf = load(sample()).elf;
  elf[8] = std::byte{7}; // EI_ABIVERSION.
  uint32_t flags = 0;
  std::memcpy(&flags, &elf[48], 4);
  flags = (flags & ~0xffu) | llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX90A;
  std::memcpy(&elf[48], &flags, 4);
  llvm::Expected<object::CodeObject> object = object::readCodeObject(elf, "test.hsaco");
  ASSERT_TRUE(static_cast<bool>(object));
  const std::string found = findings(*object);
  EXPECT_NE(found.find("code for gfx90a (GCN or CDNA)"), std::string::npos) << found;
  EXPECT_NE(found.find("code object version 9"), std::string::npos) << found;
}

TEST(ObjectRead, KernelLookup) {
  SampleKernel other;
  other.name = "other";
  const object::CodeObject object = load(code({}) + code(other));
  EXPECT_NE(messageOf(object.kernel(""), Failure::BadInput).find("other, scale"),
            std::string::npos);
  EXPECT_NE(messageOf(object.kernel("third"), Failure::BadInput).find("no kernel 'third'"),
            std::string::npos);
  llvm::Expected<const object::Kernel *> found = object.kernel("scale");
  ASSERT_TRUE(static_cast<bool>(found));
  EXPECT_EQ((*found)->name, "scale");
}

TEST(ObjectRead, NotLinked) {
  llvm::Expected<std::vector<std::byte>> object = object::assemble(sample(), "test.s");
  ASSERT_TRUE(static_cast<bool>(object));
  EXPECT_NE(messageOf(object::readCodeObject(*object, "test.o"), Failure::BadInput)
                .find("must be linked"),
            std::string::npos);
}

/// Reads bytes that may be anything and does with the result all that tools do.
bool survives(std::vector<std::byte> elf) {
  llvm::Expected<object::CodeObject> object = object::readCodeObject(std::move(elf), "hostile");
  if (!object) {
    std::string message;
    renderError(object.takeError(), "test", message);
    EXPECT_EQ(message.find("hostile"), 0u) << message;
    return false;
  }
  static_cast<void>(lint(*object));
  return true;
}

TEST(ObjectHostile, EveryTruncation) {
  const std::vector<std::byte> whole = load(sample()).elf;
  ASSERT_TRUE(survives(whole));
  for (size_t size = 0; size < whole.size(); size += size < 1024 ? 1 : 13)
    EXPECT_FALSE(survives({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)}))
        << "accepted " << size << " of " << whole.size() << " bytes";
}

TEST(ObjectHostile, BitFlips) {
  const std::vector<std::byte> whole = load(sample()).elf;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    std::vector<std::byte> damaged = whole;
    // Half of them in the headers and tables, where every bit means something.
    const bool headers = seed % 2 == 0;
    const auto limit =
        static_cast<uint32_t>(headers ? std::min<size_t>(1024, damaged.size()) : damaged.size());
    for (unsigned flips = 1 + random.below(8); flips > 0; --flips)
      damaged[random.below(limit)] ^= std::byte{static_cast<uint8_t>(1u << random.below(8))};
    survives(std::move(damaged));
  }
}

TEST(ObjectHostile, ExtremeWords) {
  const std::vector<std::byte> whole = load(sample()).elf;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    std::vector<std::byte> damaged = whole;
    static constexpr uint64_t words[] = {
        0, 1, ~uint64_t{0}, uint64_t{1} << 63, 0x7fffffffu, 0xfffffff8u, uint64_t{1} << 40};
    const uint64_t word = words[random.below(7)];
    const size_t size = random.below(2) == 0 ? 4 : 8;
    const size_t at = random.below(static_cast<uint32_t>(damaged.size() - 8)) & ~size_t{3};
    std::memcpy(&damaged[at], &word, size);
    survives(std::move(damaged));
  }
}

} // namespace

} // namespace objectReadTest
