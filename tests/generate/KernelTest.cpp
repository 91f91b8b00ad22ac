// Generated kernels on the emulator: bit for bit the sequential sum of products, whatever the
// sizes, with NaN in everything that belongs to no matrix, and with all of the emulator's checks.

#include "generate/KernelHarness.h"

namespace kernelTest {

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

TEST(GenerateKernel, Direct) {
  for (const auto &[rows, columns] :
       std::vector<std::pair<unsigned, unsigned>>{{23, 8}, {4, 4}, {5, 6}, {32, 2}})
    for (const unsigned sets : {2u, 4u, 8u}) {
      if (sets == 8 && rows == 23) // More than 256 VGPRs.
        continue;
      KernelSpec spec = specOf(2 * rows, 32 * columns, rows, columns, 8);
      spec.a = Transpose::Yes;
      spec.source = Source::Scalar;
      spec.otherSource = Source::Vgpr;
      spec.fragments = sets;
      spec.bk = sets == 4 ? 4 : 8;
      spec.hints = sets == 2 ? Hints::None : Hints::All;
      checkSizes(spec);
    }
  KernelSpec spec = specOf(128, 64, 4, 16, 4);
  spec.b = Transpose::Yes;
  spec.source = Source::Scalar;
  spec.otherSource = Source::Vgpr;
  spec.order = Order::Column;
  checkSizes(spec);
  spec = specOf(32, 64, 16, 2, 8);
  spec.a = Transpose::Yes;
  spec.source = Source::Scalar;
  spec.otherSource = Source::Vgpr;
  spec.batches = Batches::Strided;
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

/// beta * C to the last bit, its zeros' signs too, whatever alpha is; 0 where C is not read.
TEST(GenerateKernel, NothingToSumOfAnyAlpha) {
  for (const unsigned parts : {1u, 4u}) {
    KernelSpec spec = specOf(32, 32, 4, 4, 8);
    spec.splitK = parts;
    Generated g(spec);
    for (const float alpha :
         {-1.5f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
      for (const float beta : {0.5f, 0.0f, -0.0f, std::numeric_limits<float>::denorm_min()})
        check(g, {33, 31, 0, 0, 1, 2, alpha, beta, 1, {}});
  }
}

TEST(GenerateKernel, FactorsThatAreNoNumbers) {
  Generated g(specOf(32, 32, 4, 4, 8));
  for (const float factor : {std::numeric_limits<float>::infinity(),
                             std::numeric_limits<float>::quiet_NaN(), 1e-42f, 1e37f}) {
    check(g, {33, 31, 9, 0, 1, 2, factor, 0.5f, 1, {}});
    check(g, {33, 31, 9, 0, 1, 2, 1.25f, factor, 1, {}});
  }
}

TEST(GenerateKernel, Exact) {
  KernelSpec spec = specOf(64, 64, 4, 8, 8);
  spec.edges = Edges::Exact;
  Generated g(spec);
  for (const unsigned pad : {0u, 1u, 4u})
    check(g, {128, 64, 32, pad, pad, pad, 1.25f, 0.5f, 1, {}});
}

TEST(GenerateKernel, SplitK) {
  for (const unsigned parts : {2u, 8u, 64u}) {
    KernelSpec spec = specOf(32, 32, 4, 4, 8);
    spec.splitK = parts;
    Generated g(spec);
    for (const unsigned depth : {0u, 1u, 17u, 256u, 1001u})
      for (const float beta : {0.5f, 0.0f})
        check(g, {33, 31, depth, 1, 2, 3, 1.25f, beta, 1, {}});
  }
}

} // namespace

} // namespace kernelTest
