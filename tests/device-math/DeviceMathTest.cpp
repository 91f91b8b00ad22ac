// Every function of the header's math, as each compiler builds it, on the emulator against the
// host's long double: corners, and random numbers where the function is difficult.

#include "device-math/Functions.h"
#include "device-math/Run.h"
#include "device-math/Ulp.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace rdna::devicemath {

namespace {

/// As many as the launch descriptions say.
constexpr size_t count = 16384;
constexpr uint64_t seed = 20240607;

template <typename T> struct Sample {
  std::vector<T> x, y;
  explicit Sample(Kind kind) { Inputs<T>(kind, seed).draw(count, x, y); }
};

enum class Mode { Strict, FastMath };

/// -ffast-math knows neither NaN nor infinity, and no sign of zero.
template <typename T> bool speaksOf(Mode mode, T x, T y, long double wanted) {
  return mode == Mode::Strict ||
         (std::isfinite(x) && std::isfinite(y) && std::isfinite(static_cast<T>(wanted)));
}

template <typename T> double distance(Mode mode, T got, long double wanted) {
  if (mode == Mode::FastMath && wanted == 0 && got == 0)
    return 0;
  return ulpsBetween(got, wanted);
}

template <typename T>
void expectWithin(const Function &function, const test::CompiledKernel &file, Mode mode) {
  const std::string kernel = "run_" + function.name + (sizeof(T) == 4 ? "f" : "");
  const Sample<T> sample(function.kind);
  const std::vector<T> got = results<T>(file, kernel, {sample.x, sample.y});
  size_t worstAt = 0, wrong = 0;
  double worst = 0;
  for (size_t i = 0; i < count; ++i) {
    const long double wanted = function.reference(sample.x[i], sample.y[i]);
    if (!speaksOf(mode, sample.x[i], sample.y[i], wanted))
      continue;
    const double ulps = distance(mode, got[i], wanted);
    wrong += ulps > function.ulps ? 1 : 0;
    if (ulps > worst) {
      worst = ulps;
      worstAt = i;
    }
  }
  EXPECT_EQ(wrong, 0U) << fmt::format(
      "{}, {}, seed {}: {} ulp where {} are promised; at {:a}, {:a} it gives {:a} instead of {:a}",
      file.assembly, kernel, seed, worst, function.ulps, sample.x[worstAt], sample.y[worstAt],
      got[worstAt], static_cast<double>(function.reference(sample.x[worstAt], sample.y[worstAt])));
}

template <typename T> void expectEverywhere(const Function &function) {
  const std::string file = sizeof(T) == 4 ? "f32" : "f64";
  for (const test::CompiledKernel &compiled : compiledAs(file))
    expectWithin<T>(function, compiled, Mode::Strict);
  const bool fast = function.fast == Function::Fast::Holds ||
                    (sizeof(T) == 8 && function.fast == Function::Fast::DoublesOnly);
  if (!fast)
    return;
  for (const test::CompiledKernel &compiled : compiledAs(file + "_fast"))
    expectWithin<T>(function, compiled, Mode::FastMath);
}

class Computed : public testing::TestWithParam<Function> {};
class Approximate : public testing::TestWithParam<Approximation> {};

} // namespace

TEST_P(Computed, SingleIsAsExactAsPromised) { expectEverywhere<float>(GetParam()); }

TEST_P(Computed, DoubleIsAsExactAsPromised) {
  if (GetParam().has == Function::Has::Both)
    expectEverywhere<double>(GetParam());
}

TEST_P(Approximate, StaysWithinItsBound) {
  const Approximation &function = GetParam();
  const Sample<float> sample(function.kind);
  for (const test::CompiledKernel &file : compiledAs("approximate")) {
    const std::vector<float> got =
        results<float>(file, "run_" + function.name, {sample.x, sample.y});
    size_t checked = 0;
    for (size_t i = 0; i < count; ++i) {
      const float x = sample.x[i], y = sample.y[i];
      if (!std::isfinite(x) || !std::isfinite(y))
        continue;
      const double wanted = static_cast<double>(function.reference(x, y));
      const double bound = function.bound(x, y, wanted);
      if (bound < 0)
        continue;
      ++checked;
      ASSERT_LE(std::fabs(got[i] - wanted), bound)
          << fmt::format("{}: {} of {:a}, {:a} (seed {}) is {:a} instead of {:a}", file.assembly,
                         function.name, x, y, seed, got[i], wanted);
    }
    EXPECT_GT(checked, count / 16) << function.name;
  }
}

template <typename T> static void expectClasses(const std::string &file, const char *kernel) {
  const Sample<T> sample(Kind::Anywhere);
  for (const test::CompiledKernel &compiled : compiledAs(file)) {
    const std::vector<T> got = results<T>(compiled, kernel, {sample.x, sample.y});
    for (size_t i = 0; i < count; ++i) {
      const T x = sample.x[i];
      const int wanted = std::isnan(x) + 2 * std::isinf(x) + 4 * std::isfinite(x) +
                         8 * std::isnormal(x) + 16 * std::signbit(x);
      ASSERT_EQ(got[i], static_cast<T>(wanted)) << fmt::format("{}: {:a}", compiled.assembly, x);
    }
  }
}

TEST(Classes, OfFloats) { expectClasses<float>("f32", "run_classesf"); }
TEST(Classes, OfDoubles) { expectClasses<double>("f64", "run_classes"); }

INSTANTIATE_TEST_SUITE_P(Functions, Computed, testing::ValuesIn(functions()),
                         [](const auto &test) { return test.param.name; });
INSTANTIATE_TEST_SUITE_P(Functions, Approximate, testing::ValuesIn(approximations()),
                         [](const auto &test) { return test.param.name.substr(2); });

} // namespace rdna::devicemath
