// Many specifications: a cover of all pairs of values as a test, and everything by
//   rdna-generate-tests --gtest_also_run_disabled_tests --gtest_filter='*DISABLED_*'
// (target bench-generate), which prints a table.

#include "generate/AllPairs.h"
#include "generate/KernelHarness.h"
#include "generate/LoopHarness.h"

using namespace rdna;
using namespace rdna::generate;
using namespace rdna::test;

namespace {

const std::vector<std::pair<Source, Source>> kSources{
    {Source::Lds, Source::Lds},     {Source::Lds, Source::Vgpr}, {Source::Scalar, Source::Lds},
    {Source::Scalar, Source::Vgpr}, {Source::Vgpr, Source::Lds}, {Source::Vgpr, Source::Vgpr}};

LoopSpec loopOfRow(unsigned rows, unsigned columns, unsigned sources, unsigned lanes,
                   unsigned fragments, unsigned steps) {
  const auto [a, b] = kSources[sources];
  const unsigned laneRows = a == Source::Scalar ? 1 : lanes == 0 ? 4 : 8;
  return loopOf(rows, columns, steps, a, b, laneRows, a == Source::Scalar ? 2 : fragments);
}

TEST(GenerateSweep, LoopPairs) {
  constexpr uint64_t seed = 14;
  SCOPED_TRACE(fmt::format("seed {}", seed));
  // Rows, columns (2 to 16), sources, lanes, fragments, steps.
  for (const auto &row : allPairs({15, 15, 6, 2, 2, 4}, seed))
    checkLoop(loopOfRow(row[0] + 2, row[1] + 2, row[2], row[3], row[4] + 1, row[5] + 1));
}

TEST(GenerateSweep, DISABLED_Loops) {
  std::printf("tile   a b lanes  instr FMACs pairs single loads moves\n");
  std::vector<std::pair<unsigned, unsigned>> tiles{{32, 2}, {32, 4}, {64, 2}};
  for (unsigned rows = 2; rows <= 16; ++rows)
    for (unsigned columns = 2; columns <= 16; ++columns)
      tiles.emplace_back(rows, columns);
  for (const auto &[rows, columns] : tiles)
    for (unsigned sources = 0; sources < kSources.size(); ++sources)
      for (const unsigned lanes : {0u, 1u}) {
        const LoopSpec spec = loopOfRow(rows, columns, sources, lanes, 1, 4);
        checkLoop(spec);
        auto loop = generateLoop(spec);
        if (!loop) {
          llvm::consumeError(loop.takeError());
          std::printf("%ux%u %d %d %ux%u does not fit\n", rows, columns, int(spec.tile.a),
                      int(spec.tile.b), spec.laneRows, spec.laneColumns);
          continue;
        }
        const LoopMap &m = loop->map;
        std::printf("%ux%u %d %d %ux%u %u %u %u %u %u %u\n", rows, columns, int(spec.tile.a),
                    int(spec.tile.b), spec.laneRows, spec.laneColumns, m.instructions, m.fmacs,
                    m.pairs, m.singles, m.loads, m.moves);
      }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

const std::vector<std::pair<unsigned, unsigned>> kBlocks{
    {32, 32}, {32, 64}, {64, 64}, {64, 128}, {128, 64}, {128, 128}, {256, 64}, {256, 128}};
const std::vector<std::pair<unsigned, unsigned>> kThreads{{4, 4}, {4, 8},  {8, 4},  {8, 8},
                                                          {2, 8}, {8, 16}, {16, 8}, {16, 4}};
const std::vector<unsigned> kSteps{2, 4, 8, 16};
const std::vector<unsigned> kSizes{1, 7, 127, 128, 129, 255};
const std::vector<unsigned> kDepths{0, 1, 7, 8, 33, 64};
const std::vector<unsigned> kPads{0, 1, 4};

/// Blocks, threads, bk, layouts, order, stages, fragments, batches; M, N, K, padding, beta.
const std::vector<unsigned> kFactors{8, 8, 4, 4, 2, 2, 2, 2, 6, 6, 6, 3, 2};

KernelSpec kernelOfRow(const std::vector<unsigned> &row) {
  KernelSpec spec;
  std::tie(spec.blockRows, spec.blockColumns) = kBlocks[row[0]];
  std::tie(spec.threadRows, spec.threadColumns) = kThreads[row[1]];
  spec.bk = kSteps[row[2]];
  spec.a = row[3] % 2 == 0 ? Transpose::No : Transpose::Yes;
  spec.b = row[3] / 2 == 0 ? Transpose::No : Transpose::Yes;
  spec.order = row[4] == 0 ? Order::Row : Order::Column;
  spec.stages = row[5] + 1;
  spec.fragments = row[6] + 1;
  spec.batches = row[7] == 0 ? Batches::One : Batches::Strided;
  return spec;
}

enum class Verdict { Refused, Run };
Verdict checkRow(const std::vector<unsigned> &row) {
  const KernelSpec spec = kernelOfRow(row);
  if (auto kernel = generateKernel(spec); !kernel) { // Limits are not what is tested here.
    llvm::consumeError(kernel.takeError());
    return Verdict::Refused;
  }
  Generated g(spec);
  const unsigned batches = spec.batches == Batches::Strided ? 2 : 1;
  check(g, {kSizes[row[8]],
            kSizes[row[9]],
            kDepths[row[10]],
            kPads[row[11]],
            kPads[(row[11] + 1) % 3],
            kPads[(row[11] + 2) % 3],
            1.25f,
            row[12] == 0 ? 0.5f : 0.0f,
            batches,
            {}});
  return Verdict::Run;
}

TEST(GenerateSweep, KernelPairs) {
  constexpr uint64_t seed = 14;
  SCOPED_TRACE(fmt::format("seed {}", seed));
  unsigned run = 0, refused = 0;
  for (const auto &row : allPairs(kFactors, seed))
    ++(checkRow(row) == Verdict::Run ? run : refused);
  std::printf("%u kernels run, %u refused\n", run, refused);
  EXPECT_GT(run, refused);
}

TEST(GenerateSweep, KernelSample) {
  constexpr uint64_t seed = 2026;
  SCOPED_TRACE(fmt::format("seed {}", seed));
  Random random(seed);
  for (unsigned n = 0; n < 20; ++n) {
    std::vector<unsigned> row;
    for (const unsigned size : kFactors)
      row.push_back(random.below(size));
    checkRow(row);
  }
}

TEST(GenerateSweep, AThousandOfEverything) {
  for (const auto &[a, b] : {std::pair(Transpose::No, Transpose::No),
                             {Transpose::No, Transpose::Yes},
                             {Transpose::Yes, Transpose::No},
                             {Transpose::Yes, Transpose::Yes}}) {
    KernelSpec spec;
    spec.a = a;
    spec.b = b;
    Generated g(spec);
    check(g, {1000, 1000, 1000, 3, 1, 5, 1.25f, 0.5f, 1, {}});
  }
}

TEST(GenerateSweep, DISABLED_Kernels) {
  // Every specification, each with a size of its own.
  Random random(1);
  unsigned done = 0, refused = 0;
  for (unsigned number = 0; number < 8 * 8 * 4 * 4 * 2 * 2 * 2 * 2; ++number) {
    std::vector<unsigned> row;
    unsigned rest = number;
    for (size_t f = 0; f < 8; ++f) {
      row.push_back(rest % kFactors[f]);
      rest /= kFactors[f];
    }
    for (size_t f = 8; f < kFactors.size(); ++f)
      row.push_back(random.below(kFactors[f]));
    refused += checkRow(row) == Verdict::Refused;
    if (++done % 256 == 0)
      std::printf("%u of 16384, %u refused\n", done, refused);
  }
}

} // namespace
