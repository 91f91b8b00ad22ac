#include "ObjectSample.h"
#include "Run/Buffers.h"
#include "Run/Elements.h"
#include "Run/Kernarg.h"
#include "Run/Reference.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace runDataTest {

using namespace rdna;
using namespace rdna::run;
using rdna::test::messageOf;

namespace {

constexpr ElementType everyType[] = {ElementType::F16, ElementType::BF16, ElementType::F32,
                                     ElementType::F64, ElementType::I8,   ElementType::U8,
                                     ElementType::I16, ElementType::U16,  ElementType::I32,
                                     ElementType::U32, ElementType::I64,  ElementType::U64};

std::vector<std::byte> filled(ElementType type, Init init, size_t count, uint64_t seed = 1) {
  std::vector<std::byte> bytes(count * bytesOf(type));
  fill(bytes, type, init, seed);
  return bytes;
}

double at(const std::vector<std::byte> &bytes, ElementType type, size_t index) {
  return loadElement(&bytes[index * bytesOf(type)], type);
}

TEST(RunElements, StoreAndLoad) {
  for (const ElementType type : everyType) {
    std::byte bytes[8]{};
    storeElement(bytes, type, 100);
    EXPECT_EQ(loadElement(bytes, type), 100) << toString(type);
    EXPECT_EQ(elementTypeByName(toString(type)), type);
  }
  std::byte half[2]{};
  storeElement(half, ElementType::F16, -1.5);
  EXPECT_EQ(half[1], std::byte{0xbe});
  storeElement(half, ElementType::BF16, 1.0);
  EXPECT_EQ(half[1], std::byte{0x3f});
  EXPECT_EQ(half[0], std::byte{0x80});
}

TEST(RunElements, Kinds) {
  for (const ElementType type : everyType) {
    SCOPED_TRACE(std::string(toString(type)));
    const auto identity = filled(type, Init::Identity, 16);
    const auto oneHot = filled(type, Init::OneHot, 16, 3);
    const auto ramp = filled(type, Init::Ramp, 16);
    const auto zero = filled(type, Init::Zero, 16);
    double sum = 0;
    for (size_t i = 0; i < 16; ++i) {
      EXPECT_EQ(at(identity, type, i), i % 5 == 0 ? 1 : 0);
      EXPECT_EQ(at(ramp, type, i), static_cast<double>(i));
      EXPECT_EQ(at(zero, type, i), 0);
      sum += at(oneHot, type, i);
    }
    EXPECT_EQ(sum, 1);
    EXPECT_EQ(filled(type, Init::Random, 64, 5), filled(type, Init::Random, 64, 5));
    EXPECT_NE(filled(type, Init::Random, 64, 5), filled(type, Init::Random, 64, 6));
  }
}

TEST(RunElements, RandomFloatsUseTheirPrecision) {
  const auto values = filled(ElementType::F32, Init::Random, 4096);
  double low = 1, high = -1;
  bool fine = false;
  for (size_t i = 0; i < 4096; ++i) {
    const double v = at(values, ElementType::F32, i);
    low = std::min(low, v);
    high = std::max(high, v);
    fine |= std::fmod(std::fabs(v) * 0x1p22, 1) != 0;
  }
  EXPECT_GE(low, -1);
  EXPECT_LT(low, -0.99);
  EXPECT_LT(high, 1);
  EXPECT_GT(high, 0.99);
  EXPECT_TRUE(fine); // Products of two such values need rounding: the order of sums shows.
}

TEST(RunElements, NanInputIsMostlyFinite) {
  for (const ElementType type : {ElementType::F16, ElementType::F32, ElementType::F64}) {
    const auto values = filled(type, Init::Nan, 1 << 16);
    unsigned nans = 0, infinities = 0;
    for (size_t i = 0; i < 1 << 16; ++i) {
      nans += std::isnan(at(values, type, i));
      infinities += std::isinf(at(values, type, i));
    }
    EXPECT_GT(nans, 0u);
    EXPECT_GT(infinities, 0u);
    EXPECT_LT(nans + infinities, 128u);
  }
}

TEST(RunElements, Comparison) {
  const float quiet = std::numeric_limits<float>::quiet_NaN();
  float payload = quiet;
  uint32_t bits = 0x7fc12345;
  std::memcpy(&payload, &bits, 4);
  const auto diff = [](std::vector<float> got, std::vector<float> wanted) {
    return compare(std::as_bytes(std::span(got)), std::as_bytes(std::span(wanted)),
                   ElementType::F32);
  };
  EXPECT_EQ(diff({1, quiet}, {1, payload}).mismatches, 0u);
  EXPECT_EQ(diff({0.0f}, {-0.0f}).mismatches, 1u);
  EXPECT_EQ(diff({0.0f}, {-0.0f}).maxRelError, 0);
  const Difference number = diff({1, 2, 3}, {1, 4, 3.5});
  EXPECT_EQ(number.elements, 3u);
  EXPECT_EQ(number.mismatches, 2u);
  EXPECT_EQ(number.firstIndex, 1u);
  EXPECT_EQ(number.maxAbsError, 2);
  EXPECT_EQ(number.maxRelError, 0.5);
  EXPECT_TRUE(std::isinf(diff({1}, {quiet}).maxAbsError));
  // Integers have no NaN: every bit counts.
  const uint32_t a = 0x7fc00000, b = 0x7fc00001;
  EXPECT_EQ(
      compare(std::as_bytes(std::span(&a, 1)), std::as_bytes(std::span(&b, 1)), ElementType::U32)
          .mismatches,
      1u);
}

using Given = std::variant<ResolvedBuffer, ResolvedArgument>;

ResolvedLaunch launchOf(std::vector<Given> arguments) {
  ResolvedLaunch launch;
  launch.grid = {5, 6, 7};
  launch.block = {8, 4, 2};
  launch.dynamicLdsBytes = 1024;
  for (Given &given : arguments) {
    const std::string name = "arg" + std::to_string(launch.arguments.size());
    if (auto *buffer = std::get_if<ResolvedBuffer>(&given))
      addBuffer(launch, *buffer);
    else
      launch.arguments.push_back(std::get<ResolvedArgument>(given));
    launch.arguments.back().name = name;
  }
  return launch;
}

ResolvedArgument scalar(ElementType type, double value) {
  ResolvedArgument out;
  out.type = type;
  out.alignment = bytesOf(type);
  out.bytes.resize(out.alignment);
  storeElement(out.bytes.data(), type, value);
  return out;
}

template <typename T> T read(const Kernarg &kernarg, size_t offset) {
  T value{};
  EXPECT_LE(offset + sizeof value, kernarg.bytes.size());
  std::memcpy(&value, kernarg.bytes.data() + offset, sizeof value);
  return value;
}

TEST(RunKernarg, ByMetadataWithHiddenArguments) {
  object::Kernel kernel;
  kernel.kernargBytes = 272;
  kernel.arguments = {{"a", "global_buffer", 0, 8},           {"n", "by_value", 8, 4},
                      {"", "hidden_block_count_x", 16, 4},    {"", "hidden_block_count_z", 24, 4},
                      {"", "hidden_group_size_y", 30, 2},     {"", "hidden_remainder_x", 34, 2},
                      {"", "hidden_global_offset_x", 56, 8},  {"", "hidden_grid_dims", 80, 2},
                      {"", "hidden_dynamic_lds_size", 136, 4}};
  const ResolvedLaunch launch = launchOf({ResolvedBuffer{}, scalar(ElementType::I32, 42)});
  const uint64_t address = 0x123456789abc;
  llvm::Expected<Kernarg> kernarg = packKernarg(kernel, launch, {&address, 1});
  ASSERT_TRUE(static_cast<bool>(kernarg));
  EXPECT_EQ(kernarg->bytes.size(), 272u);
  EXPECT_EQ(kernarg->explicitBytes, 12u);
  EXPECT_EQ(read<uint64_t>(*kernarg, 0), address);
  EXPECT_EQ(read<uint32_t>(*kernarg, 8), 42u);
  EXPECT_EQ(read<uint32_t>(*kernarg, 16), 5u);
  EXPECT_EQ(read<uint32_t>(*kernarg, 24), 7u);
  EXPECT_EQ(read<uint16_t>(*kernarg, 30), 4u);
  EXPECT_EQ(read<uint16_t>(*kernarg, 34), 0u);
  EXPECT_EQ(read<uint64_t>(*kernarg, 56), 0u);
  EXPECT_EQ(read<uint16_t>(*kernarg, 80), 3u);
  EXPECT_EQ(read<uint32_t>(*kernarg, 136), 1024u);
}

TEST(RunKernarg, NaturalPacking) {
  object::Kernel kernel; // No metadata.
  const ResolvedLaunch launch =
      launchOf({scalar(ElementType::U8, 7), ResolvedBuffer{}, scalar(ElementType::F32, 1.25)});
  const uint64_t address = 4096;
  llvm::Expected<Kernarg> kernarg = packKernarg(kernel, launch, {&address, 1});
  ASSERT_TRUE(static_cast<bool>(kernarg));
  EXPECT_EQ(kernarg->bytes.size(), 20u);
  EXPECT_EQ(read<uint8_t>(*kernarg, 0), 7u);
  EXPECT_EQ(read<uint64_t>(*kernarg, 8), 4096u);
  EXPECT_EQ(read<float>(*kernarg, 16), 1.25f);
}

TEST(RunKernarg, Refusals) {
  object::Kernel kernel;
  kernel.name = "k";
  kernel.kernargBytes = 16;
  kernel.arguments = {{"a", "global_buffer", 0, 8}, {"n", "by_value", 8, 4}};
  const uint64_t addresses[2] = {};
  const auto refusal = [&](std::vector<Given> arguments) {
    return messageOf(packKernarg(kernel, launchOf(std::move(arguments)), addresses),
                     Failure::BadInput);
  };
  EXPECT_NE(refusal({ResolvedBuffer{}}).find("takes 2 arguments (a, n), the launch has 1"),
            std::string::npos);
  EXPECT_NE(refusal({ResolvedBuffer{}, ResolvedBuffer{}}).find("arg1 has 8 bytes"),
            std::string::npos);
  EXPECT_NE(refusal({scalar(ElementType::I64, 1), scalar(ElementType::I32, 1)})
                .find("arg0 is a number in the launch, but global_buffer"),
            std::string::npos);
  EXPECT_NE(refusal({ResolvedBuffer{}, scalar(ElementType::I64, 1)}).find("8 bytes"),
            std::string::npos);
  kernel.arguments[1].valueKind = "image";
  EXPECT_NE(refusal({ResolvedBuffer{}, ResolvedBuffer{}}).find("arg1 is a buffer"),
            std::string::npos);
  kernel.arguments[1] = {"n", "by_value", 100, 4};
  EXPECT_NE(refusal({ResolvedBuffer{}, scalar(ElementType::I32, 1)}).find("outside"),
            std::string::npos);
}

TEST(RunKernarg, AddressesByValueAndPackedFields) {
  object::Kernel kernel; // As libraries' assemblers write it: only metadata have a size.
  kernel.metadataKernargBytes = 32;
  kernel.arguments = {
      {"sizes", "by_value", 0, 12}, {"d", "by_value", 16, 8}, {"s", "by_value", 24, 8}};
  ResolvedArgument sizes;
  sizes.bytes = {std::byte{1}, std::byte{0}, std::byte{0}, std::byte{0},
                 std::byte{2}, std::byte{0}, std::byte{0}, std::byte{0},
                 std::byte{3}, std::byte{0}, std::byte{0}, std::byte{0}};
  ResolvedLaunch launch = launchOf({sizes, ResolvedBuffer{}, ResolvedBuffer{}});
  launch.arguments[2].addresses = {{0, 0, 256}}; // The first buffer again, further on.
  const uint64_t addresses[2] = {0x1000, 0x2000};
  llvm::Expected<Kernarg> kernarg = packKernarg(kernel, launch, addresses);
  ASSERT_TRUE(static_cast<bool>(kernarg));
  EXPECT_EQ(kernarg->bytes.size(), 32u);
  EXPECT_EQ(read<uint32_t>(*kernarg, 4), 2u);
  EXPECT_EQ(read<uint32_t>(*kernarg, 8), 3u);
  EXPECT_EQ(read<uint64_t>(*kernarg, 16), 0x1000u);
  EXPECT_EQ(read<uint64_t>(*kernarg, 24), 0x1100u);
}

TEST(RunBuffers, HugeBuffersAreRefused) {
  ResolvedBuffer huge;
  huge.bytes = uint64_t{1} << 46;
  EXPECT_NE(messageOf(BufferSet::allocate(launchOf({huge})), Failure::BadInput).find("memory"),
            std::string::npos);
}

TEST(RunBuffers, FillIsRepeatable) {
  ResolvedBuffer buffer;
  buffer.bytes = 4096;
  buffer.init = Init::Random;
  auto set = BufferSet::allocate(launchOf({buffer, buffer}));
  ASSERT_TRUE(static_cast<bool>(set));
  (*set)->fill(1);
  const auto first = (*set)->snapshot();
  (*set)->fill(2);
  EXPECT_NE((*set)->snapshot(), first);
  (*set)->fill(1);
  EXPECT_EQ((*set)->snapshot(), first);
}

/// Matrices and a C computed by one rule, element by element.
struct Sgemm {
  explicit Sgemm(uint64_t n) : n(n), a(n * n), b(n * n), before(n * n), after(n * n) {
    std::vector<float> *matrices[] = {&a, &b, &before};
    for (size_t i = 0; i < 3; ++i)
      fill(std::as_writable_bytes(std::span(*matrices[i])), ElementType::F32, Init::Random, i + 1);
  }
  template <typename Epilogue> void compute(Epilogue epilogue) {
    for (uint64_t i = 0; i < n; ++i)
      for (uint64_t j = 0; j < n; ++j) {
        float acc = 0;
        for (uint64_t k = 0; k < n; ++k)
          acc = std::fma(a[i * n + k], b[k * n + j], acc);
        after[i * n + j] = epilogue(acc, before[i * n + j]);
      }
  }
  ReferenceResult check(const std::vector<Tile> &tiles) const {
    return checkGemm({a.data(), b.data(), before.data(), after.data(), squareGemm(n, 1.25f, 0.5f)},
                     tiles, 2);
  }
  ReferenceResult check() const { return check({{0, n, 0, n}}); }

  uint64_t n;
  std::vector<float> a, b, before, after;
};

TEST(RunReference, TileEqualsTheDefinition) {
  Sgemm gemm(70); // No multiple of the vector width: the remainders run too.
  const std::vector<float> tile = sequentialFma(gemm.a.data(), gemm.b.data(), 70, {3, 9, 1, 69});
  for (uint64_t i = 0; i < 9; ++i)
    for (uint64_t j = 0; j < 69; ++j) {
      float acc = 0;
      for (uint64_t k = 0; k < 70; ++k)
        acc = std::fma(gemm.a[(3 + i) * 70 + k], gemm.b[k * 70 + 1 + j], acc);
      ASSERT_EQ(tile[i * 69 + j], acc);
    }
}

TEST(RunReference, EveryFormOfTheEpilogue) {
  Sgemm gemm(64);
  gemm.compute([](float acc, float c) { return std::fma(1.25f, acc, 0.5f * c); });
  EXPECT_TRUE(gemm.check().exact);
  EXPECT_NE(gemm.check().method.find("fma(alpha, acc, beta * c)"), std::string::npos);
  gemm.compute([](float acc, float c) { return std::fma(0.5f, c, 1.25f * acc); });
  EXPECT_TRUE(gemm.check().exact);
  gemm.compute([](float acc, float c) {
    volatile const float left = 1.25f * acc, right = 0.5f * c;
    return left + right;
  });
  EXPECT_TRUE(gemm.check().exact);
}

TEST(RunReference, AnotherOrderIsWithinTheBound) {
  Sgemm gemm(64);
  for (uint64_t i = 0; i < 64; ++i)
    for (uint64_t j = 0; j < 64; ++j) {
      float acc = 0;
      for (uint64_t k = 64; k-- > 0;)
        acc = std::fma(gemm.a[i * 64 + k], gemm.b[k * 64 + j], acc);
      gemm.after[i * 64 + j] = std::fma(1.25f, acc, 0.5f * gemm.before[i * 64 + j]);
    }
  const ReferenceResult result = gemm.check();
  EXPECT_FALSE(result.exact);
  EXPECT_TRUE(result.withinBound);
  EXPECT_GT(result.difference.maxAbsError, 0);
  EXPECT_LT(result.difference.maxAbsError, 1e-4);
}

TEST(RunReference, OneWrongElementIsFound) {
  Sgemm gemm(64);
  gemm.compute([](float acc, float c) { return std::fma(1.25f, acc, 0.5f * c); });
  gemm.after[17 * 64 + 5] += 0.25f;
  const ReferenceResult result = gemm.check();
  EXPECT_FALSE(result.withinBound);
  EXPECT_EQ(result.difference.mismatches, 1u);
  EXPECT_EQ(result.difference.firstIndex, 17u * 64 + 5);
  EXPECT_TRUE(gemm.check({{18, 46, 0, 64}}).exact); // The other rows are right.
}

TEST(RunReference, LastBitCounts) {
  Sgemm gemm(64);
  gemm.compute([](float acc, float c) { return std::fma(1.25f, acc, 0.5f * c); });
  gemm.after[9] = std::nextafter(gemm.after[9], 10.0f);
  EXPECT_FALSE(gemm.check().exact);
  EXPECT_TRUE(gemm.check().withinBound);
}

TEST(RunReference, NanAndInfinity) {
  Sgemm gemm(64);
  gemm.a[5 * 64 + 7] = std::numeric_limits<float>::quiet_NaN();
  gemm.b[3 * 64 + 9] = std::numeric_limits<float>::infinity();
  gemm.compute([](float acc, float c) { return std::fma(1.25f, acc, 0.5f * c); });
  EXPECT_TRUE(gemm.check().exact);
  gemm.after[5 * 64 + 1] = 0; // Should be NaN.
  EXPECT_FALSE(gemm.check().withinBound);
}

} // namespace

} // namespace runDataTest
