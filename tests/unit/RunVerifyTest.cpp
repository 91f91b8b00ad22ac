#include "Run/Bench.h"
#include "Run/Compare.h"
#include "Run/Verify.h"

#include "ObjectSample.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace runVerifyTest {

using namespace rdna;
using namespace rdna::run;
using rdna::test::messageOf;

namespace {

/// What the kernel under test gets wrong.
enum class Fault { None, LastBit, WritesInput, OtherTile, SkipsTile };

/// A backend whose kernels are SGEMM on the host, to test the judging and not the emulation.
class HostKernel : public LoadedKernel {
public:
  HostKernel(Fault fault, std::vector<BoundsFinding> bounds)
      : fault_(fault), bounds_(std::move(bounds)) {}

  llvm::Expected<RunOutcome> run(const ResolvedLaunch &launch, BufferSet &buffers,
                                 const RunOptions &options) override {
    const GemmShape shape = *launch.gemm;
    const auto matrix = [&](size_t i) {
      return reinterpret_cast<float *>(buffers.buffers()[i].bytes.data());
    };
    float *a = matrix(0), *c = matrix(2);
    const float *b = matrix(1);
    const uint64_t n = shape.n;
    auto groups = options.onlyWorkgroups;
    if (groups.empty())
      for (uint32_t y = 0; y < launch.grid[1]; ++y)
        for (uint32_t x = 0; x < launch.grid[0]; ++x)
          groups.push_back({x, y, 0});
    const uint64_t w = n / launch.grid[0], h = n / launch.grid[1];
    for (const auto &group : groups) {
      if (fault_ == Fault::SkipsTile && &group == &groups.back())
        break;
      for (uint64_t i = group[1] * h; i < (group[1] + 1) * h; ++i)
        for (uint64_t j = group[0] * w; j < (group[0] + 1) * w; ++j) {
          float acc = 0;
          for (uint64_t k = 0; k < n; ++k)
            acc = std::fma(a[i * n + k], b[k * n + j], acc);
          c[i * n + j] = std::fma(shape.alpha, acc, shape.beta * c[i * n + j]);
        }
    }
    if (fault_ == Fault::LastBit)
      c[5] = std::nextafter(c[5], 100.0f);
    if (fault_ == Fault::WritesInput)
      a[5] += 1;
    if (fault_ == Fault::OtherTile)
      c[n + w] += 1; // Second tile of the first row.
    RunOutcome outcome;
    outcome.milliseconds = {2.0};
    outcome.workgroups = groups.size();
    outcome.bounds = bounds_;
    return outcome;
  }

private:
  Fault fault_;
  std::vector<BoundsFinding> bounds_;
};

class HostBackend : public Backend {
public:
  std::string_view name() const override { return "host"; }
  std::string device() const override { return "host"; }
  llvm::Expected<std::unique_ptr<LoadedKernel>> load(const object::CodeObject &,
                                                     const object::Kernel &kernel) override {
    const bool original = kernel.name == "original";
    return std::make_unique<HostKernel>(original ? Fault::None : fault,
                                        original ? originalBounds : bounds);
  }
  Fault fault = Fault::None;
  std::vector<BoundsFinding> bounds, originalBounds;
};

class RunVerify : public testing::Test {
protected:
  RunVerify() {
    kernel_.name = "rewritten";
    original_.name = "original";
    SgemmOptions sgemm;
    sgemm.tile = {8, 8};
    description_ = sgemmDescription(sgemm);
    options_.parameters = {{{"N", 32}}};
  }
  std::vector<VerifyCase> run(const object::Kernel *against = nullptr) {
    auto cases =
        run::verify(backend_, description_, {&object_, &kernel_}, {&object_, against}, options_);
    if (cases)
      return std::move(*cases);
    std::string message;
    renderError(cases.takeError(), "test", message);
    ADD_FAILURE() << message;
    return {};
  }
  std::string problems(const object::Kernel *against = nullptr) {
    std::string all;
    for (const VerifyCase &entry : run(against))
      for (const std::string &problem : entry.problems)
        all += problem + "\n";
    return all;
  }

  HostBackend backend_;
  object::CodeObject object_;
  object::Kernel kernel_, original_;
  LaunchDescription description_;
  VerifyOptions options_;
};

TEST_F(RunVerify, RightKernelPasses) {
  options_.parameters = {{{"N", 32}}, {{"N", 64}}};
  options_.inputs = {Init::Random, Init::Identity, Init::OneHot, Init::Ramp, Init::Nan, Init::Zero};
  const object::Kernel *const none = nullptr;
  for (const object::Kernel *against : {none, &std::as_const(original_)}) {
    const std::vector<VerifyCase> cases = run(against);
    ASSERT_EQ(cases.size(), 12u);
    for (const VerifyCase &entry : cases) {
      EXPECT_TRUE(entry.problems.empty()) << entry.problems[0];
      EXPECT_TRUE(entry.bitExact);
      EXPECT_EQ(entry.difference.elements, entry.gemm->n * entry.gemm->n);
    }
    EXPECT_EQ(cases[1].input, "identity");
    EXPECT_EQ(cases[6].gemm->n, 64u);
  }
}

TEST_F(RunVerify, LastBit) {
  backend_.fault = Fault::LastBit;
  EXPECT_NE(problems(&original_).find("arg2: 1 of 1024 elements differ, first at index 5"),
            std::string::npos);
  EXPECT_EQ(problems(), ""); // Within the bound of the reference,
  options_.exactness = Exactness::BitExact;
  EXPECT_NE(problems().find("not bit-exact"), std::string::npos); // unless that is not enough.
}

TEST_F(RunVerify, WrittenInput) {
  backend_.fault = Fault::WritesInput;
  EXPECT_NE(problems(&original_).find("arg0 (an input that the original leaves alone)"),
            std::string::npos);
  EXPECT_NE(problems().find("arg0 is an input, but was changed"), std::string::npos);
}

TEST_F(RunVerify, SkippedTile) {
  backend_.fault = Fault::SkipsTile;
  EXPECT_NE(problems(&original_).find("64 of 1024 elements differ"), std::string::npos);
  EXPECT_NE(problems().find("of 1024 elements differ"), std::string::npos);
}

TEST_F(RunVerify, Samples) {
  options_.parameters = {{{"N", 128}}}; // 16 x 16 workgroups.
  options_.sampledTiles = 4;
  const std::vector<VerifyCase> cases = run();
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_TRUE(cases[0].problems.empty());
  EXPECT_GE(cases[0].workgroups, 8u);
  EXPECT_LT(cases[0].workgroups, 16u);
  EXPECT_EQ(cases[0].difference.elements, cases[0].workgroups * 64);
  backend_.fault = Fault::SkipsTile;
  EXPECT_NE(problems().find("differ"), std::string::npos);
  backend_.fault = Fault::OtherTile;
  const std::string text = problems();
  EXPECT_NE(text.find("no workgroup that ran owns it"), std::string::npos) << text;
}

TEST(RunSample, CornersAndMore) {
  const auto has = [](const auto &groups, std::array<uint32_t, 3> group) {
    return std::find(groups.begin(), groups.end(), group) != groups.end();
  };
  for (uint64_t seed = 1; seed < 50; ++seed) {
    const auto groups = sampleWorkgroups({32, 32, 1}, 4, seed);
    EXPECT_GE(groups.size(), 8u);
    for (const auto &group : groups)
      EXPECT_TRUE(has(groups, {group[1], group[0], group[2]})) << "seed " << seed;
    EXPECT_TRUE(has(groups, {0, 0, 0}) && has(groups, {31, 31, 0}) && has(groups, {31, 0, 0}));
  }
  EXPECT_EQ(sampleWorkgroups({1, 1, 1}, 4, 1).size(), 1u);
  EXPECT_EQ(sampleWorkgroups({3, 2, 1}, 100, 1).size(), 6u);
  EXPECT_TRUE(has(sampleWorkgroups({7, 3, 2}, 4, 1), {6, 2, 1}));
}

BoundsFinding read(uint64_t lanes, uint64_t first, uint64_t last) {
  return {BoundsFinding::Kind::Read,
          0x1900,
          12,
          "global_load_b32 v0, v1, s[0:1]",
          lanes,
          first,
          last,
          "0 bytes past the end of arg0"};
}

TEST_F(RunVerify, OutOfBoundsReads) {
  backend_.bounds = {read(32, 1000, 1124)};
  EXPECT_EQ(problems(), ""); // Reported, not a failure,
  EXPECT_EQ(run()[0].bounds.size(), 1u);
  options_.bounds = BoundsPolicy::Error;
  EXPECT_NE(problems().find("line 12: global_load_b32 v0, v1, s[0:1]: 32 lane accesses read out "
                            "of range, first at 0 bytes past the end of arg0"),
            std::string::npos); // unless asked for.
}

TEST_F(RunVerify, OutOfBoundsWritesAlwaysFail) {
  backend_.bounds = {read(32, 1000, 1124)};
  backend_.bounds[0].kind = BoundsFinding::Kind::Write;
  EXPECT_NE(problems().find("write out of range"), std::string::npos);
  backend_.bounds[0].kind = BoundsFinding::Kind::Atomic;
  EXPECT_NE(problems().find("change out of range"), std::string::npos);
}

TEST_F(RunVerify, NewReadsOfARewrite) {
  backend_.originalBounds = {read(32, 1000, 1124), read(32, 5000, 5124)};
  backend_.bounds = {read(64, 1000, 5124)};
  EXPECT_EQ(problems(&original_), "");
  backend_.bounds = {read(32, 996, 1120)};
  EXPECT_NE(problems(&original_).find("original does not make"), std::string::npos);
  backend_.bounds = {read(32, 5000, 5128)};
  EXPECT_NE(problems(&original_).find("original does not make"), std::string::npos);
  backend_.bounds = {read(65, 1000, 1124)};
  EXPECT_NE(problems(&original_).find("65 lane reads out of range; the original makes 64"),
            std::string::npos);
  backend_.originalBounds.clear();
  backend_.bounds = {read(1, 1000, 1000)};
  EXPECT_NE(problems(&original_).find("original does not make"), std::string::npos);
}

TEST_F(RunVerify, NoReference) {
  description_.arguments.pop_back();
  EXPECT_NE(messageOf(run::verify(backend_, description_, {&object_, &kernel_}, {}, options_),
                      Failure::BadInput)
                .find("--against"),
            std::string::npos);
}

TEST_F(RunVerify, NoOutput) {
  std::get<BufferArgument>(description_.arguments[2].value).role = BufferArgument::Role::Input;
  EXPECT_NE(messageOf(run::verify(backend_, description_, {&object_, &kernel_},
                                  {&object_, &original_}, options_),
                      Failure::BadInput)
                .find("output"),
            std::string::npos);
}

TEST_F(RunVerify, BenchFigures) {
  BenchOptions options;
  options.parameters = {{{"N", 32}}};
  auto cases = bench(backend_, description_, object_, kernel_, options);
  ASSERT_TRUE(static_cast<bool>(cases));
  EXPECT_EQ((*cases)[0].times.median, 2.0);
  EXPECT_DOUBLE_EQ((*cases)[0].gflops.value(), 2.0 * 32 * 32 * 32 / 2e-3 * 1e-9);
  EXPECT_FALSE((*cases)[0].percentOfPeak);
  EXPECT_EQ(summarize({3, 1, 2, 10}).median, 2.5);
  EXPECT_EQ(summarize({3, 1, 2}).median, 2);
  options.flops = "N*";
  EXPECT_NE(messageOf(bench(backend_, description_, object_, kernel_, options), Failure::BadInput)
                .find("expression"),
            std::string::npos);
}

TEST(RunBackend, Refusals) {
  const object::CodeObject object = rdna::test::load(rdna::test::sample());
  ResolvedLaunch launch;
  launch.block = {65, 1, 1};
  const auto refusal = [&](const object::CodeObject &o, const object::Kernel &k) {
    std::string message;
    EXPECT_EQ(renderError(checkLaunch(o, k, launch), "test", message), 2);
    return message;
  };
  EXPECT_NE(refusal(object, object.kernels[0]).find("65 work-items"), std::string::npos);
  launch.block = {64, 1, 1};
  EXPECT_FALSE(static_cast<bool>(checkLaunch(object, object.kernels[0], launch)));
  object::Kernel kernel = object.kernels[0];
  kernel.requiredWorkgroupSize = {32, 2, 1};
  EXPECT_NE(refusal(object, kernel).find("32x2x1"), std::string::npos);
  kernel = object.kernels[0];
  kernel.wave32 = false;
  EXPECT_NE(refusal(object, kernel).find("wave64"), std::string::npos);
  kernel = object.kernels[0];
  kernel.ldsBytes = 65540;
  EXPECT_NE(refusal(object, kernel).find("LDS"), std::string::npos);
  object::CodeObject other = object;
  other.target = "gfx90a";
  EXPECT_NE(refusal(other, object.kernels[0]).find("gfx90a"), std::string::npos);
  EXPECT_NE(messageOf(createBackend("cuda"), Failure::BadInput).find("unknown backend"),
            std::string::npos);
}

} // namespace

} // namespace runVerifyTest
