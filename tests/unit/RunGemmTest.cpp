#include "ObjectSample.h"
#include "Run/Judge.h"
#include "Run/LaunchDescription.h"

#include <cmath>
#include <limits>

namespace runGemmTest {

using namespace rdna;
using namespace rdna::run;
using rdna::test::messageOf;

namespace {

/// A launch whose first three buffers are A, B and C; `gemm` is the text inside of "gemm".
std::string launchText(std::string_view gemm, std::string_view d = "") {
  return std::string(R"({"grid": [1], "block": [1], "params": {"M": 5, "N": 7, "K": 3, "B": 1},
  "args": [
    {"buffer": 4000, "name": "A", "seed": 1}, {"buffer": 4000, "name": "B", "seed": 2},
    {"buffer": 4000, "name": "C", "seed": 3)") +
         (d.empty() ? ", \"output\": true" : "") + "}, {\"f32\": 1.25, \"name\": \"alpha\"}" +
         std::string(d) + "],\n  \"reference\": {\"gemm\": {" + std::string(gemm) + "}}\n}";
}

constexpr std::string_view separateD =
    R"(, {"buffer": 4000, "name": "D", "init": "nan", "output": true})";

llvm::Expected<ResolvedLaunch> launchOf(const std::string &text, const Parameters &overrides = {}) {
  llvm::Expected<LaunchDescription> description = parseLaunchDescription(text, "l.json");
  if (!description)
    return description.takeError();
  return resolve(*description, overrides);
}

std::string refusal(const std::string &text) {
  return messageOf(launchOf(text), Failure::BadInput);
}

float *floats(Buffer &buffer) { return reinterpret_cast<float *>(buffer.bytes.data()); }

/// Computes the product by the definition, from what the test says about the layout.
struct Product {
  std::function<size_t(size_t row, size_t column, size_t batch)> a, b, c, d;
  float alpha = 1.25f, beta = 0.5f;
};

/// What the judge says of D computed by `product`; `spoil` may change the buffers afterwards.
Judgement judge(const std::string &text, const Product &product, const Parameters &overrides = {},
                const std::function<void(std::vector<Buffer> &)> &spoil = {}) {
  llvm::Expected<ResolvedLaunch> launch = launchOf(text, overrides);
  if (!launch) {
    std::string message;
    renderError(launch.takeError(), "test", message);
    ADD_FAILURE() << message;
    return {};
  }
  llvm::Expected<std::unique_ptr<BufferSet>> set = BufferSet::allocate(*launch);
  EXPECT_TRUE(static_cast<bool>(set));
  (*set)->fill(1);
  const Contents before = (*set)->snapshot();
  std::vector<Buffer> &buffers = (*set)->buffers();
  const GemmShape &shape = *launch->gemm;
  float *out = floats(buffers[shape.d.buffer]);
  const auto *c = reinterpret_cast<const float *>(before[2].data());
  for (size_t batch = 0; batch < shape.batches; ++batch)
    for (size_t i = 0; i < shape.m; ++i)
      for (size_t j = 0; j < shape.n; ++j) {
        float acc = 0;
        for (size_t k = 0; k < shape.k; ++k)
          acc = std::fma(floats(buffers[0])[product.a(i, k, batch)],
                         floats(buffers[1])[product.b(k, j, batch)], acc);
        const float scaled = product.beta * c[product.c(i, j, batch)];
        out[product.d(i, j, batch)] = std::fma(product.alpha, acc, scaled);
      }
  if (spoil)
    spoil(buffers);
  return judgeByReference({*launch, **set, before, {}, Exactness::WithinBound, 1});
}

void expectExact(const Judgement &judgement) {
  EXPECT_TRUE(judgement.bitExact) << judgement.method;
  for (const std::string &problem : judgement.problems)
    ADD_FAILURE() << problem;
}

constexpr std::string_view sizes =
    R"("m": "M", "n": "N", "k": "K", "batches": "B", "alpha": "alpha", "beta": 0.5)";

TEST(RunGemm, RowMajorContiguous) {
  const Product product{[](size_t i, size_t k, size_t) { return i * 3 + k; },
                        [](size_t k, size_t j, size_t) { return k * 7 + j; },
                        [](size_t i, size_t j, size_t) { return i * 7 + j; },
                        [](size_t i, size_t j, size_t) { return i * 7 + j; }};
  expectExact(judge(launchText(std::string(sizes) + R"(, "a": "A", "b": "B", "c": "C")"), product));
}

TEST(RunGemm, ColumnMajorTransposedWithLeadingDimensionsAndBatches) {
  const std::string gemm = std::string(sizes) + R"(, "order": "column",
    "a": {"buffer": "A", "transpose": true, "ld": "K+1", "stride": 40},
    "b": {"buffer": "B", "transpose": true, "ld": 11, "offset": 2},
    "c": {"buffer": "C", "ld": 6, "stride": 0}, "d": {"buffer": "D", "ld": 8, "offset": 5})";
  const Product product{[](size_t i, size_t k, size_t b) { return i * 4 + k + b * 40; },
                        [](size_t k, size_t j, size_t b) { return 2 + k * 11 + j + b * 33; },
                        [](size_t i, size_t j, size_t) { return i + j * 6; },
                        [](size_t i, size_t j, size_t b) { return 5 + i + j * 8 + b * 56; }};
  const std::string text = launchText(gemm, separateD);
  expectExact(judge(text, product, {{"B", 3}}));
  expectExact(judge(text, product, {{"B", 3}, {"K", 0}})); // Only beta * C is left.
  // One element, in the last batch; an element between two columns; an input.
  Judgement spoilt =
      judge(text, product, {{"B", 3}}, [](auto &buffers) { floats(buffers[3])[5 + 112] += 1; });
  ASSERT_EQ(spoilt.problems.size(), 1u);
  EXPECT_NE(spoilt.problems[0].find("D: 1 of 105 elements differ, first at index 117"),
            std::string::npos)
      << spoilt.problems[0];
  spoilt = judge(text, product, {{"B", 3}}, [](auto &buffers) { floats(buffers[3])[10] = 1; });
  ASSERT_EQ(spoilt.problems.size(), 1u);
  EXPECT_NE(spoilt.problems[0].find("element 10 was written"), std::string::npos);
  spoilt = judge(text, product, {}, [](auto &buffers) { floats(buffers[0])[999] += 1; });
  ASSERT_EQ(spoilt.problems.size(), 1u);
  EXPECT_NE(spoilt.problems[0].find("A is an input, but was changed"), std::string::npos);
}

TEST(RunGemm, WhatIsMultipliedByZeroNeedNotBeRead) {
  const std::string gemm =
      R"("m": 5, "n": 7, "k": 3, "alpha": 1.25, "beta": 0, "a": "A", "b": "B", "c": "C", "d": "D")";
  std::string text = launchText(gemm, separateD);
  text.replace(text.find("\"C\", \"seed\": 3"), 14, "\"C\", \"init\": \"nan\"");
  const auto compute = [](bool reads, bool exact) {
    return [reads, exact](std::vector<Buffer> &buffers) {
      const float *a = floats(buffers[0]), *b = floats(buffers[1]), *c = floats(buffers[2]);
      for (size_t i = 0; i < 5; ++i)
        for (size_t j = 0; j < 7; ++j) {
          float acc = 0;
          for (size_t k = 0; k < 3; ++k)
            acc = std::fma(a[i * 3 + (exact ? k : 2 - k)], b[(exact ? k : 2 - k) * 7 + j], acc);
          const float unread = 1.25f * acc;
          floats(buffers[3])[i * 7 + j] = reads ? unread + 0 * c[i * 7 + j] : unread;
        }
    };
  };
  const auto at = [](size_t, size_t, size_t) { return size_t{0}; };
  const Product none{at, at, at, at};
  for (const bool reads : {false, true})
    for (const bool exact : {false, true}) {
      const Judgement judgement = judge(text, none, {}, compute(reads, exact));
      EXPECT_TRUE(judgement.problems.empty()) << judgement.problems[0];
      EXPECT_TRUE(judgement.bitExact || !exact);
    }
}

TEST(RunGemm, RefusalsHaveTheirPlace) {
  const std::string ok = R"("m": 5, "n": 7, "k": 3, "a": "A", "b": "B", "c": "C")";
  const std::pair<std::string, const char *> cases[] = {
      {R"("m": 5, "n": 7, "a": "A", "b": "B", "c": "C")", "\"k\" of \"gemm\""},
      {R"("m": 5, "n": 7, "k": 3, "a": "A", "b": "B")", "needs \"c\", \"d\" or both"},
      {ok + R"(, "order": "diagonal")", "\"order\""},
      {ok + R"(, "alpha": "gamma")", "no f32 argument has this name"},
      {ok + R"(, "alpha": [1])", "\"alpha\""},
      {ok + R"(, "gamma": 1)", "unknown key \"gamma\""},
      {R"("m": 0, "n": 7, "k": 3, "a": "A", "b": "B", "c": "C")", "must lie in 1.."},
      {R"("m": "X", "n": 7, "k": 3, "a": "A", "b": "B", "c": "C")", "unknown parameter 'X'"},
      {R"("m": 500, "n": 7, "k": 3, "a": "A", "b": "B", "c": "C")", "does not fit into 'A'"},
      {R"("m": 5, "n": 7, "k": 3, "a": "X", "b": "B", "c": "C")", "no buffer has this name"},
      {R"("m": 5, "n": 7, "k": 3, "a": "A", "b": "B", "c": "A")", "which is no output"},
      {R"("m": 5, "n": 7, "k": 3, "a": {"buffer": "A", "ld": 2}, "b": "B", "c": "C")", "\"ld\""},
      {R"("m": 5, "n": 7, "k": 3, "a": "A", "b": "B", "c": {"buffer": "C", "transpose": true})",
       "cannot be transposed"},
      {R"("batches": 2, "m": 5, "n": 7, "k": 3, "a": "A", "b": "B", "c": {"buffer": "C", "stride": 3})",
       "overlap"},
  };
  for (const auto &[gemm, reason] : cases) {
    const std::string message = refusal(launchText(gemm));
    EXPECT_NE(message.find(reason), std::string::npos) << gemm << "\n" << message;
    EXPECT_EQ(message.find("l.json:5:"), 0u) << message; // All are on the last but one line.
  }
}

} // namespace

} // namespace runGemmTest
