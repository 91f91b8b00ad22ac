//===- HipRuntimeTest.cpp - the parts of the HIP runtime ------------------===//
#include "HipRuntime/DeviceFacts.h"
#include "HipRuntime/DeviceMemory.h"
#include "HipRuntime/Hostcall.h"
#include "HipRuntime/Report.h"
#include "HipRuntime/Settings.h"
#include "Object/FatBinary.h"

#include "llvm/Support/Compression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>
#include <thread>

namespace rdna::hip {
namespace {

using testing::HasSubstr;
using Bytes = std::vector<std::byte>;

template <class T> void append(Bytes &to, const T &value) {
  const auto *bytes = reinterpret_cast<const std::byte *>(&value);
  to.insert(to.end(), bytes, bytes + sizeof value);
}

void appendText(Bytes &to, std::string_view text) {
  for (char c : text)
    to.push_back(std::byte(c));
}

/// A bundle of these ids, each with its own id as code.
Bytes bundleOf(const std::vector<std::string> &ids) {
  Bytes head, bodies;
  size_t headBytes = 32;
  for (const std::string &id : ids)
    headBytes += 24 + id.size();
  appendText(head, "__CLANG_OFFLOAD_BUNDLE__");
  append<uint64_t>(head, ids.size());
  for (const std::string &id : ids) {
    append<uint64_t>(head, headBytes + bodies.size());
    append<uint64_t>(head, id.size());
    append<uint64_t>(head, id.size());
    appendText(head, id);
    appendText(bodies, id);
  }
  head.insert(head.end(), bodies.begin(), bodies.end());
  return head;
}

std::string chosen(const Bytes &bytes) {
  auto code = object::codeFor(bytes, "gfx1100");
  if (!code)
    return "error: " + llvm::toString(code.takeError());
  return {reinterpret_cast<const char *>(code->data()), code->size()};
}

constexpr char plain[] = "hipv4-amdgcn-amd-amdhsa--gfx1100";
constexpr char generic[] = "hipv4-amdgcn-amd-amdhsa--gfx11-generic";
constexpr char host[] = "host-x86_64-unknown-linux-gnu-";

TEST(HipBundle, ProcessorsOwnEntryBeforeTheGenericOne) {
  EXPECT_EQ(chosen(bundleOf({host, generic, plain})), plain);
  EXPECT_EQ(chosen(bundleOf({host, generic})), generic);
}

TEST(HipBundle, NothingThatFits) {
  EXPECT_THAT(chosen(bundleOf({host, "hipv4-amdgcn-amd-amdhsa--gfx1030"})),
              HasSubstr("no code for gfx1100"));
  // The processor has no such feature that could be on.
  EXPECT_THAT(chosen(bundleOf({std::string(plain) + ":xnack+"})), HasSubstr("no code"));
  EXPECT_THAT(chosen(Bytes(100)), HasSubstr("neither"));
}

TEST(HipBundle, CompressedInEveryVersion) {
  const Bytes bundle = bundleOf({host, plain});
  const llvm::ArrayRef<uint8_t> input(reinterpret_cast<const uint8_t *>(bundle.data()),
                                      bundle.size());
  for (const uint16_t version : {1, 2, 3})
    for (const uint16_t method : {0, 1}) {
      llvm::SmallVector<uint8_t, 0> body;
      if (method == 0)
        llvm::compression::zlib::compress(input, body);
      else
        llvm::compression::zstd::compress(input, body);
      Bytes file;
      appendText(file, "CCOB");
      append(file, version);
      append(file, method);
      if (version == 2)
        append<uint32_t>(file, uint32_t(24 + body.size()));
      if (version == 3)
        append<uint64_t>(file, 32 + body.size());
      if (version == 3)
        append<uint64_t>(file, bundle.size());
      else
        append<uint32_t>(file, uint32_t(bundle.size()));
      append<uint64_t>(file, 0); // The hash, which readers do not compare.
      for (uint8_t byte : body)
        file.push_back(std::byte(byte));
      EXPECT_EQ(chosen(file), plain) << "version " << version << " method " << method;
      if (version != 1) {
        auto size = object::imageSize(file.data());
        ASSERT_TRUE(bool(size));
        EXPECT_EQ(*size, file.size());
      }
    }
}

TEST(HipBundle, CompressedAgainIsTheSameBundleInTheSameForm) {
  const Bytes bundle = bundleOf({host, plain});
  for (const char version : {1, 2, 3})
    for (const char method : {0, 1}) {
      Bytes like;
      appendText(like, std::string("CCOB") + version + '\0' + method + '\0');
      like.resize(32);
      if (version != 1)
        like[8] = std::byte{32};
      auto packed = object::compressBundle(bundle, like);
      ASSERT_TRUE(bool(packed)) << llvm::toString(packed.takeError());
      EXPECT_TRUE(std::equal(packed->begin(), packed->begin() + 8, like.begin()));
      auto unpacked = object::decompressBundle(*packed);
      ASSERT_TRUE(bool(unpacked)) << llvm::toString(unpacked.takeError());
      EXPECT_EQ(*unpacked, bundle);
      auto size = object::bundleSize(*packed);
      ASSERT_TRUE(bool(size));
      EXPECT_EQ(*size, packed->size());
    }
}

TEST(HipBundle, CodeIsReplacedAndTheRestStays) {
  const Bytes file = bundleOf({host, generic, plain});
  auto fat = object::readFatFile(file);
  ASSERT_TRUE(bool(fat));
  ASSERT_EQ(fat->bundles.size(), 1u);
  const Bytes code(5000, std::byte{7});
  auto changed = object::replaceDeviceCode(file, *fat, 0, 2, code);
  ASSERT_TRUE(bool(changed)) << llvm::toString(changed.takeError());
  auto again = object::readBundle(*changed);
  ASSERT_TRUE(bool(again));
  ASSERT_EQ(again->size(), 3u);
  EXPECT_EQ((*again)[1].id, generic);
  EXPECT_EQ((*again)[1].code.size(), std::string_view(generic).size());
  EXPECT_EQ(Bytes((*again)[2].code.begin(), (*again)[2].code.end()), code);
  // As loaders want it.
  EXPECT_EQ(((*again)[2].code.data() - changed->data()) % 4096, 0);
}

TEST(HipBundle, OriginalsAreFoundByTheirIdOnly) {
  const std::string id = object::originalId("gfx1100");
  const Bytes both = bundleOf({host, id, plain});
  EXPECT_EQ(chosen(both), plain);
  auto code = object::codeWithId(both, id);
  ASSERT_TRUE(bool(code));
  EXPECT_EQ(code->size(), id.size());
  auto none = object::codeWithId(bundleOf({host, plain}), id);
  ASSERT_TRUE(bool(none));
  EXPECT_TRUE(none->empty());
}

TEST(HipBundle, HostileBytesAreErrors) {
  const Bytes bundle = bundleOf({host, plain});
  for (size_t length = 0; length < bundle.size(); ++length)
    EXPECT_THAT(chosen(Bytes(bundle.begin(), bundle.begin() + ptrdiff_t(length))),
                HasSubstr("error"));
  constexpr unsigned seed = 1;
  std::mt19937 random(seed);
  for (unsigned round = 0; round < 2000; ++round) {
    Bytes changed = bundle;
    for (unsigned n = 0; n < 4; ++n)
      changed[random() % changed.size()] = std::byte(random());
    (void)chosen(changed); // Must end, with whatever.
    if (auto fat = object::readFatFile(changed); !fat)
      llvm::consumeError(fat.takeError());
  }
}

TEST(HipMemory, AddressesAreUsedAgainLate) {
  DeviceMemory memory(1 << 20);
  const uint64_t first = memory.allocate(100, Allocation::Kind::Device, "hipMalloc")->address;
  EXPECT_TRUE(memory.release(first));
  const Allocation *second = memory.allocate(100, Allocation::Kind::Device, "hipMalloc");
  EXPECT_NE(second->address, first);
  EXPECT_EQ(memory.describe(first + 8),
            "8 bytes into allocation 1 (hipMalloc, 100 bytes), which was freed");
  EXPECT_EQ(memory.describe(second->end() + 4),
            "4 bytes past the end of allocation 2 (hipMalloc, 100 bytes)");
  EXPECT_EQ(memory.describe(16), "a null pointer");
  EXPECT_EQ(memory.find(second->end()), nullptr);
  EXPECT_FALSE(memory.release(first));
}

TEST(HipMemory, CapacityIsKept) {
  DeviceMemory memory(1 << 20);
  EXPECT_EQ(memory.allocate((1 << 20) + 1, Allocation::Kind::Device, "a"), nullptr);
  const Allocation *all = memory.allocate(1 << 20, Allocation::Kind::Device, "b");
  ASSERT_NE(all, nullptr);
  EXPECT_EQ(memory.allocate(1, Allocation::Kind::Device, "c"), nullptr);
  memory.release(all->address);
  EXPECT_EQ(memory.used(), 0u);
  // Memory that comes back is empty.
  auto *again = memory.allocate(8, Allocation::Kind::Device, "d");
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(*reinterpret_cast<uint64_t *>(again->address), 0u);
}

TEST(HipMemory, HostMemoryMayNotOverlap) {
  DeviceMemory memory(1 << 20);
  std::vector<char> mine(100);
  EXPECT_NE(memory.addHostMemory(mine.data(), 50, "r"), nullptr);
  EXPECT_EQ(memory.addHostMemory(mine.data() + 20, 50, "r"), nullptr);
  EXPECT_NE(memory.addHostMemory(mine.data() + 50, 50, "r"), nullptr);
}

std::vector<uint64_t> message(std::string_view format, std::vector<uint64_t> arguments) {
  std::vector<uint64_t> words{0};
  std::string text(format);
  text.resize((text.size() / 8 + 1) * 8);
  for (size_t at = 0; at < text.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    words.push_back(word);
  }
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

TEST(HipPrintf, Conversions) {
  EXPECT_EQ(formatMessage(message("%d|%5u|%-4x|%c|%%", {uint64_t(-7), 42, 255, 'z'})),
            "-7|   42|ff  |z|%");
  EXPECT_EQ(formatMessage(
                message("%lld %.3f %*d", {uint64_t(1) << 40, std::bit_cast<uint64_t>(2.0), 4, 9})),
            "1099511627776 2.000    9");
  EXPECT_EQ(formatMessage(message("<%s>", {0x6f6c6c6568 /* "hello" */})), "<hello>");
  EXPECT_EQ(formatMessage(message("%n%d", {5})), "5");
}

TEST(HipPrintf, HostileContent) {
  EXPECT_EQ(formatMessage({}), "");
  EXPECT_EQ(formatMessage(message("%d %s %f", {})), "0  0.000000"); // Nothing was pushed.
  EXPECT_EQ(formatMessage(message("%999999999d", {1})), "<?>");
  EXPECT_EQ(formatMessage(message("%*d", {uint64_t(1) << 30, 1})), "<?>");
  EXPECT_EQ(formatMessage(message("%****d", {1, 2, 3, 4, 5})), "<?>");
  EXPECT_EQ(formatMessage(message("%!d", {1})), "%!d");
  EXPECT_EQ(formatMessage(message("100%", {})), "100%");
}

/// What a wave does, by one thread of the host for each.
TEST(HipHostcall, AnswersEveryPacket) {
  DeviceMemory memory(1 << 20);
  std::string output;
  Hostcall calls(memory, 4, [&](Hostcall::Target, const std::string &text) { output += text; });
  ASSERT_NE(calls.address(), 0u);
  auto *buffer = reinterpret_cast<uint64_t *>(calls.address());
  const uint64_t mask = buffer[5];
  calls.start();
  for (unsigned round = 0; round < 20; ++round) { // More often than there are packets.
    std::atomic_ref<uint64_t> freeStack(buffer[3]), readyStack(buffer[4]);
    const uint64_t packet = freeStack.load();
    ASSERT_NE(packet, 0u);
    auto *header = reinterpret_cast<uint64_t *>(buffer[0] + (packet & mask) * 24);
    freeStack.store(header[0]);
    auto *slots = reinterpret_cast<uint64_t *>(buffer[1] + (packet & mask) * 4096);
    const std::vector<uint64_t> words = message("x\n", {});
    slots[0] = 1 | 2 | words.size() << 5;
    std::copy(words.begin(), words.end(), slots + 1);
    header[1] = 1;
    auto *control = reinterpret_cast<uint32_t *>(header) + 5;
    control[-1] = 2;
    *control = 1;
    header[0] = 0;
    readyStack.store(packet);
    while (std::atomic_ref<uint32_t>(*control).load() & 1)
      std::this_thread::yield();
    EXPECT_EQ(slots[0], 2u); // Characters printed.
    header[0] = freeStack.load();
    freeStack.store(packet + mask + 1);
  }
  calls.stop();
  EXPECT_EQ(output.size(), 40u);
}

TEST(HipSettings, ErrorsNameTheVariable) {
  const auto read = [](std::string_view name, const char *value) {
    auto settings =
        readSettings([&](const char *asked) { return asked == name ? value : nullptr; });
    return settings ? std::string() : llvm::toString(settings.takeError());
  };
  EXPECT_EQ(read("RDNA_RUN_CHECK", "all"), "");
  EXPECT_EQ(read("RDNA_RUN_CHECK", "leaks"), "");
  EXPECT_THAT(read("RDNA_RUN_CHECK", "nonsense"), HasSubstr("nonsense"));
  EXPECT_THAT(read("RDNA_RUN_KERNEL", "["), HasSubstr("RDNA_RUN_KERNEL"));
  EXPECT_THAT(read("RDNA_RUN_SKIP", "-1"), HasSubstr("'-1' is no number"));
  EXPECT_THAT(read("RDNA_RUN_SUPPRESS", "/nowhere"), HasSubstr("/nowhere"));
}

TEST(HipSettings, Suppressions) {
  auto list = parseSuppressions("# all of them\nrule=lds-race kernel=sort\n\n", "f");
  ASSERT_TRUE(bool(list));
  ASSERT_EQ(list->size(), 1u);
  Settings settings;
  settings.suppressions = std::move(*list);
  Report report(settings);
  KernelFinding finding;
  finding.rule = "lds-race";
  finding.kernel = "merge";
  report.add(finding);
  EXPECT_EQ(report.findings(), 1u);
  finding.kernel = "sortBlocks(int*)";
  report.add(finding);
  EXPECT_EQ(report.findings(), 1u);
  auto wrong = parseSuppressions("rule=a\nkernel\n", "f");
  ASSERT_FALSE(bool(wrong));
  EXPECT_THAT(llvm::toString(wrong.takeError()), HasSubstr("f:2"));
}

TEST(HipDevice, BothLayoutsSayTheSame) {
  const DevicePropR0600 p = deviceProperties(uint64_t{24} << 30);
  const DevicePropR0000 old = oldLayout(p);
  EXPECT_STREQ(p.gcnArchName, "gfx1100");
  EXPECT_STREQ(old.gcnArchName, "gfx1100");
  EXPECT_EQ(old.totalGlobalMem, p.totalGlobalMem);
  EXPECT_EQ(old.maxThreadsDim[2], 1024);
  int32_t value = 0;
  EXPECT_TRUE(deviceAttribute(p, 87, value)); // hipDeviceAttributeWarpSize
  EXPECT_EQ(value, 32);
  EXPECT_FALSE(deviceAttribute(p, 9999, value));
}

TEST(HipErrors, NamesAndTexts) {
  EXPECT_STREQ(errorName(0), "hipSuccess");
  EXPECT_STREQ(errorText(700), "an illegal memory access was encountered");
  EXPECT_STREQ(errorName(12345), "hipErrorUnknown");
  EXPECT_FALSE(isError(12345));
}

} // namespace
} // namespace rdna::hip
