// Many specifications: a cover of all pairs of values as a test, and everything by
//   rdna-generate-tests --gtest_also_run_disabled_tests --gtest_filter='*DISABLED_*'
// (target bench-generate), which prints a table.

#include "generate/AllPairs.h"
#include "generate/KernelHarness.h"
#include "generate/LoopHarness.h"

#include <chrono>
#include <cstdlib>
#include <map>

namespace sweepTest {

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

struct LoopTotals {
  unsigned run = 0, counted = 0, refused = 0, singles = 0;
};

TEST(GenerateSweep, LoopPairs) {
  constexpr uint64_t seed = 14;
  SCOPED_TRACE(fmt::format("seed {}", seed));
  // Rows, columns (2 to 16), sources, lanes, fragments, steps.
  for (const auto &row : allPairs({15, 15, 6, 2, 2, 4}, seed).rows)
    checkLoop(loopOfRow(row[0] + 2, row[1] + 2, row[2], row[3], row[4] + 1, row[5] + 1));
}

/// The line of a table, of what one step has; checked as well.
std::string checkedLine(const LoopSpec &asked, LoopTotals &totals) {
  static const char *const names[] = {"lds", "scalar", "vgpr"};
  const std::string what = fmt::format("{:>5} {:<6} {:<4} {:>5} {:>4} {:>5}",
                                       fmt::format("{}x{}", asked.tile.rows, asked.tile.columns),
                                       names[int(asked.tile.a)], names[int(asked.tile.b)],
                                       fmt::format("{}x{}", asked.laneRows, asked.laneColumns),
                                       asked.tile.fragments, asked.tile.steps);
  auto loop = generateLoop(asked);
  if (!loop) {
    ++totals.refused;
    return fmt::format("{}  {}", what, llvm::toString(loop.takeError()));
  }
  LoopSpec inHarness = asked;
  inHarness.lastVgpr = kLastOfLoop;
  if (auto fits = checked(inHarness)) {
    checkLoop(asked);
    ++totals.run;
  } else { // The harness takes a few registers.
    llvm::consumeError(fits.takeError());
    checkCounts(llvm::cantFail(checked(asked)), *loop);
    ++totals.counted;
  }
  const LoopMap &m = loop->map;
  totals.singles += m.singles;
  const double steps = asked.tile.steps;
  return fmt::format("{} {:>6} {:>6} {:>7} {:>6.1f} {:>8.1f} {:>9.1f}", what, m.fmacs, m.pairs,
                     m.singles, m.loads / steps, (m.pairs + m.singles + m.loads + m.moves) / steps,
                     m.fmacs / steps / 2 + m.loads / steps + 1);
}

TEST(GenerateSweep, DISABLED_Loops) {
  std::printf(
      " tile a      b    lanes sets steps  FMACs  pairs singles loads/s  instr/s   at most\n");
  std::vector<std::pair<unsigned, unsigned>> tiles{{32, 2}, {32, 4}, {64, 2}};
  for (unsigned rows = 2; rows <= 16; ++rows)
    for (unsigned columns = 2; columns <= 16; ++columns)
      tiles.emplace_back(rows, columns);
  LoopTotals totals;
  for (const auto &[rows, columns] : tiles)
    for (unsigned sources = 0; sources < kSources.size(); ++sources)
      for (const unsigned lanes : {0u, 1u})
        for (const unsigned fragments : {1u, 2u})
          for (const unsigned steps : {2u, 3u}) {
            const auto [a, b] = kSources[sources];
            const bool hasSets = a == Source::Lds || (a == Source::Vgpr && b == Source::Lds);
            if ((a == Source::Scalar && lanes == 1) || (!hasSets && fragments == 2))
              continue; // The same loop once more.
            const LoopSpec spec = loopOfRow(rows, columns, sources, lanes, fragments, steps);
            std::puts(checkedLine(spec, totals).c_str());
          }
  std::printf("%u loops run, %u counted only, %u do not fit; %u single FMACs, all of odd totals\n",
              totals.run, totals.counted, totals.refused, totals.singles);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

const std::vector<std::pair<unsigned, unsigned>> kBlocks{
    {32, 32}, {32, 64}, {64, 64}, {64, 128}, {128, 64}, {128, 128}, {256, 64}, {256, 128}};
const std::vector<std::pair<unsigned, unsigned>> kThreads{{4, 4},  {4, 8},  {8, 4},  {8, 8},
                                                          {8, 16}, {16, 8}, {16, 4}, {4, 16}};
const std::vector<unsigned> kSteps{2, 4, 8, 16};
const std::vector<unsigned> kParts{1, 1, 2, 8}; ///< The second of them batched.
const std::vector<unsigned> kSizes{1, 7, 127, 128, 129, 255, 1000};
const std::vector<unsigned> kDepths{1, 7, 127, 128, 129, 255, 1000, 0};
const std::vector<unsigned> kPads{0, 1, 4};

/// Blocks, threads, bk, layouts, order, edges, stages, sets of elements or scalar ones, parts and
/// batches: what the kernel is; then M, N, K, padding, beta.
const std::vector<unsigned> kFactors{8, 8, 4, 4, 2, 2, 2, 3, 4, 7, 7, 8, 3, 3};
constexpr size_t kOfKernel = 9;

KernelSpec kernelOfRow(const CaseRow &row) {
  KernelSpec spec;
  std::tie(spec.blockRows, spec.blockColumns) = kBlocks[row[0]];
  std::tie(spec.threadRows, spec.threadColumns) = kThreads[row[1]];
  spec.bk = kSteps[row[2]];
  spec.a = row[3] % 2 == 0 ? Transpose::No : Transpose::Yes;
  spec.b = row[3] / 2 == 0 ? Transpose::No : Transpose::Yes;
  spec.order = row[4] == 0 ? Order::Row : Order::Column;
  spec.edges = row[5] == 0 ? Edges::Guarded : Edges::Exact;
  spec.stages = row[6] + 1;
  spec.source = row[7] == 2 ? Source::Scalar : Source::Lds;
  spec.fragments = row[7] == 2 ? 0 : row[7] + 1;
  spec.batches = row[8] == 1 ? Batches::Strided : Batches::One;
  spec.splitK = kParts[row[8]];
  return spec;
}

Problem problemOfRow(const CaseRow &row, const KernelSpec &spec) {
  Problem p{kSizes[row[9]], kSizes[row[10]], kDepths[row[11]], 0, 0, 0, 1.25f, 0.5f, 1, {}};
  p.padA = kPads[row[12]];
  p.padB = kPads[(row[12] + 1) % 3];
  p.padC = kPads[(row[12] + 2) % 3];
  p.alpha = row[13] == 2 ? -1.0f : 1.25f;
  p.beta = row[13] == 0 ? 0.5f : row[13] == 1 ? 0.0f : 1.0f;
  p.batches = spec.batches == Batches::Strided ? 2 : 1;
  if (spec.edges == Edges::Exact) { // The next sizes that such a kernel can do.
    p.m = (p.m + spec.blockRows - 1) / spec.blockRows * spec.blockRows;
    p.n = (p.n + spec.blockColumns - 1) / spec.blockColumns * spec.blockColumns;
    p.k = (p.k + spec.bk - 1) / spec.bk * spec.bk;
  }
  return p;
}

/// Cases whose kernel can be made, and whose sizes all differ.
class PossibleCases {
public:
  bool operator()(const CaseRow &row) {
    const unsigned m = kSizes[row[9]], n = kSizes[row[10]], k = kDepths[row[11]];
    if (m == n || n == k || k == m)
      return false;
    const CaseRow kernel(row.begin(), row.begin() + kOfKernel);
    const auto [it, isNew] = known_.try_emplace(kernel, false);
    if (isNew)
      it->second = canBe(kernelOfRow(row));
    return it->second;
  }

private:
  /// First what is soon said, and refuses most.
  static bool canBe(const KernelSpec &spec) {
    const unsigned threads =
        spec.blockRows * spec.blockColumns / (spec.threadRows * spec.threadColumns);
    const bool isSplit = spec.splitK > 1;
    const Transpose scalar = spec.order == Order::Column ? spec.b : spec.a;
    if (threads < 32 || threads > 1024 || (isSplit && spec.edges == Edges::Exact) ||
        (spec.source == Source::Scalar && scalar == Transpose::No))
      return false;
    return canGenerate(spec);
  }
  std::map<CaseRow, bool> known_;
};

void checkRow(const CaseRow &row) {
  const KernelSpec spec = kernelOfRow(row);
  Generated g(spec);
  check(g, problemOfRow(row, spec));
}

TEST(GenerateSweep, KernelPairs) {
  constexpr uint64_t seed = 14;
  const Cover cover = allPairs(kFactors, seed, PossibleCases());
  std::printf("seed %llu: %zu kernels with %zu pairs of values; %zu pairs no kernel can have\n",
              static_cast<unsigned long long>(seed), cover.rows.size(), cover.pairs,
              cover.impossible);
  EXPECT_LT(cover.impossible * 20, cover.pairs);
  for (const CaseRow &row : cover.rows)
    checkRow(row);
}

/// Another seed: RDNA_SEED.
TEST(GenerateSweep, KernelSample) {
  const char *asked = std::getenv("RDNA_SEED");
  const uint64_t seed = asked != nullptr ? std::strtoull(asked, nullptr, 0) : 2026;
  std::printf("RDNA_SEED=%llu\n", static_cast<unsigned long long>(seed));
  Random random(seed);
  PossibleCases possible;
  for (unsigned done = 0; done < 15;) {
    CaseRow row;
    for (const unsigned size : kFactors)
      row.push_back(random.below(size));
    if (!possible(row))
      continue;
    ++done;
    checkRow(row);
  }
}

/// Every kernel, each with a size of its own. In an order that is none, so that a run that somebody
/// ends (or RDNA_SECONDS does) has been a fair sample.
TEST(GenerateSweep, DISABLED_Kernels) {
  const char *asked = std::getenv("RDNA_SECONDS");
  const double seconds = asked != nullptr ? std::strtod(asked, nullptr) : 1e9;
  size_t all = 1;
  for (size_t f = 0; f < kOfKernel; ++f)
    all *= kFactors[f];
  constexpr size_t prime = 1000003; // Shares no factor with `all`.
  Random random(1);
  PossibleCases possible;
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  size_t run = 0, refused = 0;
  for (size_t n = 0; n < all && elapsed() < seconds; ++n) {
    CaseRow row;
    size_t rest = n * prime % all;
    for (size_t f = 0; f < kOfKernel; ++f) {
      row.push_back(rest % kFactors[f]);
      rest /= kFactors[f];
    }
    row.resize(kFactors.size());
    const bool isPossible = [&] {
      for (unsigned attempt = 0; attempt < 30; ++attempt) {
        for (size_t f = kOfKernel; f < kFactors.size(); ++f)
          row[f] = random.below(kFactors[f]);
        if (possible(row))
          return true;
      }
      return false;
    }();
    if (isPossible)
      checkRow(row);
    ++(isPossible ? run : refused);
    if ((n + 1) % 500 == 0)
      std::printf("%zu of %zu: %zu run, %zu cannot be; %.0f s\n", n + 1, all, run, refused,
                  elapsed());
    std::fflush(stdout);
  }
  std::printf("%zu kernels run, %zu cannot be, of %zu\n", run, refused, all);
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

} // namespace

} // namespace sweepTest
