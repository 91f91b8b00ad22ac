//===- AbiTest.cpp - the shared library as compiled programs see it -------===//
//
// Offsets stand here once more, as numbers: a program that was compiled against ROCm's headers has
// nothing else.
//
//===----------------------------------------------------------------------===//
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <string>
#include <vector>

namespace {

void *library() {
  static void *handle = dlopen(RDNA_HIP_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  return handle;
}

template <class F> F *function(const char *name, const char *node) {
  return reinterpret_cast<F *>(dlvsym(library(), name, node));
}

TEST(HipAbi, EveryExportHasItsNode) {
  ASSERT_NE(library(), nullptr) << dlerror();
  std::ifstream list(RDNA_HIP_EXPORTS);
  std::string line, node;
  unsigned count = 0;
  while (std::getline(list, line)) {
    if (line.starts_with("hip_"))
      node = line;
    else if (!line.starts_with("#")) {
      EXPECT_NE(dlvsym(library(), line.c_str() + 2, node.c_str()), nullptr) << line << "@" << node;
      ++count;
    }
  }
  EXPECT_GT(count, 500u);
}

TEST(HipAbi, NothingElseIsExported) {
  for (const char *name : {"_ZN4rdna3hip7runtimeEv", "_ZN3lld3elf4linkEv", "run_asm"})
    EXPECT_EQ(dlsym(library(), name), nullptr) << name;
}

template <class T> T at(const std::vector<char> &bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

TEST(HipAbi, PropertiesOfVersion6) {
  auto *get = function<int(void *, int)>("hipGetDevicePropertiesR0600", "hip_6.0");
  ASSERT_NE(get, nullptr);
  std::vector<char> p(1472 + 64, '\x5a');
  ASSERT_EQ(get(p.data(), 0), 0);
  EXPECT_EQ(at<uint64_t>(p, 288), uint64_t{24} << 30); // totalGlobalMem
  EXPECT_EQ(at<uint64_t>(p, 296), 65536u);             // sharedMemPerBlock
  EXPECT_EQ(at<int32_t>(p, 308), 32);                  // warpSize
  EXPECT_EQ(at<int32_t>(p, 320), 1024);                // maxThreadsPerBlock
  EXPECT_EQ(at<int32_t>(p, 324 + 8), 1024);            // maxThreadsDim[2]
  EXPECT_EQ(at<int32_t>(p, 336), 2147483647);          // maxGridSize[0]
  EXPECT_EQ(at<int32_t>(p, 360), 11);                  // major
  EXPECT_EQ(at<int32_t>(p, 388), 48);                  // multiProcessorCount
  EXPECT_EQ(at<int32_t>(p, 600), 8);                   // asyncEngineCount
  EXPECT_EQ(at<int32_t>(p, 688), 1);                   // cooperativeLaunch
  EXPECT_STREQ(p.data() + 1160, "gfx1100");            // gcnArchName
  EXPECT_EQ(at<uint32_t>(p, 1428), 0x97ffu);           // arch
  for (size_t n = 1472; n < p.size(); ++n)
    EXPECT_EQ(p[n], '\x5a') << "byte " << n << " behind the structure was written";
}

TEST(HipAbi, PlainNameHasTheOldLayout) {
  auto *get = function<int(void *, int)>("hipGetDeviceProperties", "hip_4.2");
  ASSERT_NE(get, nullptr);
  std::vector<char> p(792 + 64, '\x5a');
  ASSERT_EQ(get(p.data(), 0), 0);
  EXPECT_EQ(at<uint64_t>(p, 256), uint64_t{24} << 30); // totalGlobalMem
  EXPECT_EQ(at<int32_t>(p, 276), 32);                  // warpSize
  EXPECT_EQ(at<int32_t>(p, 328), 11);                  // major
  EXPECT_EQ(at<int32_t>(p, 392), 1100);                // gcnArch
  EXPECT_STREQ(p.data() + 396, "gfx1100");             // gcnArchName
  EXPECT_EQ(at<int32_t>(p, 656), 1);                   // cooperativeLaunch
  for (size_t n = 792; n < p.size(); ++n)
    EXPECT_EQ(p[n], '\x5a') << "byte " << n << " behind the structure was written";
}

TEST(HipAbi, ArgumentsByValue) {
  struct Dim3 {
    uint32_t x, y, z;
  };
  auto *push = function<int(Dim3, Dim3, size_t, void *)>("__hipPushCallConfiguration", "hip_4.2");
  auto *pop =
      function<int(Dim3 *, Dim3 *, size_t *, void **)>("__hipPopCallConfiguration", "hip_4.2");
  ASSERT_TRUE(push && pop);
  EXPECT_EQ(push({1, 2, 3}, {4, 5, 6}, 7, &push), 0);
  Dim3 grid{}, block{};
  size_t shared = 0;
  void *stream = nullptr;
  EXPECT_EQ(pop(&grid, &block, &shared, &stream), 0);
  EXPECT_EQ(grid.z, 3u);
  EXPECT_EQ(block.y, 5u);
  EXPECT_EQ(shared, 7u);
  EXPECT_EQ(stream, static_cast<void *>(&push));
  EXPECT_NE(pop(&grid, &block, &shared, &stream), 0); // Nothing is left.
}

TEST(HipAbi, UnregisteringTwiceAndAfterwardsIsHarmless) {
  struct Wrapper {
    uint32_t magic = 0x48495046, version = 1;
    const void *binary;
    void *unused = nullptr;
  };
  static const char nonsense[64] = "no bundle";
  const Wrapper wrapper{.binary = nonsense};
  auto *add = function<void **(const void *)>("__hipRegisterFatBinary", "hip_4.2");
  auto *remove = function<void(void **)>("__hipUnregisterFatBinary", "hip_4.2");
  auto *addFunction =
      function<void(void **, const void *, char *, const char *, unsigned, void *, void *, void *,
                    void *, int *)>("__hipRegisterFunction", "hip_4.2");
  auto *attributes = function<int(void *, const void *)>("hipFuncGetAttributes", "hip_4.2");
  ASSERT_TRUE(add && remove && addFunction && attributes);
  void **handle = add(&wrapper);
  ASSERT_NE(handle, nullptr);
  EXPECT_EQ(add(&wrapper), handle);
  addFunction(handle, &wrapper, nullptr, "kernel", ~0u, nullptr, nullptr, nullptr, nullptr,
              nullptr);
  char out[56];
  EXPECT_EQ(attributes(out, &wrapper), 200); // hipErrorInvalidImage: it is no bundle.
  remove(handle);
  remove(handle);
  EXPECT_EQ(attributes(out, &wrapper), 13); // hipErrorInvalidSymbol: nothing is registered.
  Wrapper wrong = wrapper;
  wrong.magic = 1;
  EXPECT_EQ(add(&wrong), nullptr);
  addFunction(nullptr, &wrong, nullptr, "kernel", ~0u, nullptr, nullptr, nullptr, nullptr, nullptr);
}

} // namespace
