// Generated kernels on the emulator: bit for bit the sequential sum of products, whatever the
// sizes, with NaN in everything that belongs to no matrix, and with all of the emulator's checks.

#include "generate/KernelHarness.h"

using namespace rdna;
using namespace rdna::generate;
using namespace rdna::test;

namespace {

TEST(GenerateKernel, Layouts) {
  for (const Transpose a : {Transpose::No, Transpose::Yes})
    for (const Transpose b : {Transpose::No, Transpose::Yes})
      for (const Order order : {Order::Row, Order::Column}) {
        KernelSpec spec = specOf(32, 64, 4, 8, 8);
        spec.a = a;
        spec.b = b;
        spec.order = order;
        checkSizes(spec);
      }
}

TEST(GenerateKernel, StagesAndFragments) {
  for (const unsigned stages : {1u, 2u})
    for (const unsigned fragments : {1u, 2u}) {
      KernelSpec spec = specOf(64, 64, 8, 8, 4);
      spec.stages = stages;
      spec.fragments = fragments;
      checkSizes(spec);
    }
}

TEST(GenerateKernel, OddThreadTiles) {
  for (const auto &[rows, columns] :
       std::vector<std::pair<unsigned, unsigned>>{{3, 5}, {5, 4}, {6, 7}, {2, 2}})
    for (const unsigned bk : {1u, 2u, 8u}) {
      KernelSpec spec = specOf(4 * rows, 16 * columns, rows, columns, bk);
      spec.fragments = bk == 2 ? 2 : 1;
      spec.stages = bk == 8 ? 2 : 1;
      checkSizes(spec);
    }
}

TEST(GenerateKernel, Batched) {
  KernelSpec spec = specOf(32, 32, 4, 4, 8);
  spec.batches = Batches::Strided;
  checkSizes(spec);
}

TEST(GenerateKernel, ScalarElements) {
  for (const auto &[rows, columns] :
       std::vector<std::pair<unsigned, unsigned>>{{32, 4}, {16, 2}, {7, 3}, {5, 4}})
    for (const Transpose b : {Transpose::No, Transpose::Yes})
      for (const unsigned stages : {1u, 2u}) {
        KernelSpec spec = specOf(2 * rows, 32 * columns, rows, columns, 8);
        spec.a = Transpose::Yes;
        spec.b = b;
        spec.source = Source::Scalar;
        spec.stages = stages;
        checkSizes(spec);
      }
  KernelSpec spec = specOf(128, 64, 4, 16, 4);
  spec.b = Transpose::Yes;
  spec.source = Source::Scalar;
  spec.order = Order::Column;
  checkSizes(spec);
}

TEST(GenerateKernel, Swizzle) {
  for (const Order order : {Order::Row, Order::Column}) {
    KernelSpec spec = specOf(32, 64, 4, 8, 8);
    spec.swizzle = 4;
    spec.order = order;
    Generated g(spec);
    check(g, {32 * 5 + 1, 64 * 3 + 1, 17, 0, 0, 0, 1.25f, 0.5f, 1, {}});
    check(g, {32 * 8, 64 * 2, 16, 0, 0, 0, 1.25f, 0.5f, 1, {}});
    check(g, {1, 1, 3, 0, 0, 0, 1.25f, 0.5f, 1, {}});
  }
}

TEST(GenerateKernel, NothingToSum) {
  Generated g(specOf(32, 32, 4, 4, 8));
  check(g, {33, 31, 0, 3, 0, 1, 1.25f, 0.5f, 1, {}});
  check(g, {33, 31, 0, 3, 0, 1, 1.25f, 0.0f, 1, {}});
  check(g, {33, 31, 9, 0, 0, 0, 0.0f, 2.0f, 1, {}});
}

TEST(GenerateKernel, Exact) {
  KernelSpec spec = specOf(64, 64, 4, 8, 8);
  spec.edges = Edges::Exact;
  Generated g(spec);
  for (const unsigned pad : {0u, 1u, 4u})
    check(g, {128, 64, 32, pad, pad, pad, 1.25f, 0.5f, 1, {}});
}

/// K in parts, by two kernels: each part in the order of k, then the parts in theirs.
void checkSplit(const KernelSpec &spec, const Problem &p) {
  const KernelText kernel = unwrap(generateKernel(spec), "generate");
  SCOPED_TRACE(fmt::format("{}: {}x{}x{}", kernel.name, p.m, p.n, p.k));
  const object::CodeObject object =
      unwrap(object::loadCodeObjectBytes(kernel.text, kernel.name + ".s"), kernel.name);
  ASSERT_EQ(object.kernels.size(), 2u);
  const run::ResolvedLaunch product = launchFor(kernel, p);
  KernelText second = kernel;
  second.launch = kernel.sumLaunch;
  const run::ResolvedLaunch sum = launchFor(second, p);
  auto buffers = unwrap(run::BufferSet::allocate(product), "buffers");
  buffers->fill(1);
  auto &all = buffers->buffers();
  const std::span<float> a = floats(all[0]), b = floats(all[1]), c = floats(all[2]);
  const std::vector<float> before(c.begin(), c.end());
  run::RunOptions options;
  options.instructionBudget = waveBudget;
  options.checks = emu::CheckSet::all();
  const auto backend = run::createEmulatorBackend();
  for (const run::ResolvedLaunch *launch : {&product, &sum}) {
    const auto entry =
        std::find_if(object.kernels.begin(), object.kernels.end(),
                     [&](const object::Kernel &k) { return k.name == launch->kernel; });
    ASSERT_NE(entry, object.kernels.end());
    auto loaded = unwrap(backend->load(object, *entry), launch->kernel);
    const run::RunOutcome outcome = unwrap(loaded->run(*launch, *buffers, options), "run");
    all.back().facts.init = run::Init::Zero; // The workspace: it is written now.
    EXPECT_TRUE(outcome.bounds.empty());
    for (const auto &finding : outcome.findings)
      ADD_FAILURE() << finding.finding.message << ", line " << finding.line;
  }
  const unsigned length = (p.k + spec.bk * spec.splitK - 1) / (spec.bk * spec.splitK) * spec.bk;
  const size_t lda = p.k + p.padA + (p.k + p.padA == 0), ldb = p.n + p.padB, ldc = p.n + p.padC;
  for (size_t row = 0; row < p.m; ++row)
    for (size_t column = 0; column < p.n; ++column) {
      float total = 0;
      for (unsigned part = 0; part < spec.splitK; ++part) {
        float sumOfPart = 0;
        for (size_t k = size_t{part} * length; k < std::min<size_t>(p.k, (part + 1) * length); ++k)
          sumOfPart = std::fma(a[row * lda + k], b[k * ldb + column], sumOfPart);
        total = part == 0 ? sumOfPart : total + sumOfPart;
      }
      const float wanted = p.beta == 0
                               ? p.alpha * total
                               : std::fma(p.alpha, total, p.beta * before[row * ldc + column]);
      ASSERT_EQ(c[row * ldc + column], wanted) << row << ", " << column;
    }
}

TEST(GenerateKernel, SplitK) {
  for (const unsigned parts : {2u, 8u, 64u}) {
    KernelSpec spec = specOf(32, 32, 4, 4, 8);
    spec.splitK = parts;
    for (const unsigned depth : {0u, 1u, 17u, 256u, 1001u})
      for (const float beta : {0.5f, 0.0f})
        checkSplit(spec, {33, 31, depth, 1, 2, 3, 1.25f, beta, 1, {}});
  }
}

} // namespace
