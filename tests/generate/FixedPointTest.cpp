// What is generated leaves nothing to the rewriter: with all of its passes, and with what its user
// may assume, the text comes back byte for byte.

#include "generate/AllPairs.h"
#include "generate/KernelHarness.h"

#include "Pipeline/Registry.h"

namespace fixedPointTest {

using namespace rdna;
using namespace rdna::generate;
using namespace rdna::test;

namespace {

const std::vector<std::pair<unsigned, unsigned>> kBlocks{{32, 32}, {64, 64}, {128, 64}, {128, 128}};
const std::vector<std::pair<unsigned, unsigned>> kThreads{{4, 4}, {2, 8}, {8, 4}, {8, 8},
                                                          {6, 4}, {4, 3}, {8, 16}};
const std::vector<unsigned> kSteps{1, 4, 8, 32};

/// Blocks, threads, bk, layouts, order, edges, stages, sets or scalar, one or batched or parts.
const std::vector<unsigned> kFactors{4, 7, 4, 4, 2, 2, 2, 3, 3};

KernelSpec kernelOfRow(const CaseRow &row) {
  KernelSpec spec;
  std::tie(spec.blockRows, spec.blockColumns) = kBlocks[row[0]];
  std::tie(spec.threadRows, spec.threadColumns) = kThreads[row[1]];
  spec.blockRows += spec.threadRows == 6 ? spec.blockRows / 2 : 0;
  spec.blockColumns += spec.threadColumns == 3 ? spec.blockColumns / 2 : 0;
  spec.bk = kSteps[row[2]];
  spec.a = row[3] % 2 == 0 ? Transpose::No : Transpose::Yes;
  spec.b = row[3] / 2 == 0 ? Transpose::No : Transpose::Yes;
  spec.order = row[4] == 0 ? Order::Row : Order::Column;
  spec.edges = row[5] == 0 ? Edges::Guarded : Edges::Exact;
  spec.stages = row[6] + 1;
  spec.source = row[7] == 2 ? Source::Scalar : Source::Lds;
  spec.fragments = row[7] == 2 ? 0 : row[7] + 1;
  spec.batches = row[8] == 1 ? Batches::Strided : Batches::One;
  spec.splitK = row[8] == 2 ? 4 : 1;
  return spec;
}

void checkFixed(const KernelSpec &spec) {
  const KernelText kernel = unwrap(generateKernel(spec), "generate");
  for (const bool assumes : {false, true}) {
    Pipeline pipeline{.passes = choosePasses({})};
    if (assumes)
      pipeline.request.assumptions.insert(Assumption::NoIndexWrap);
    auto module = unwrap(Module::parse(kernel.text, kernel.name), kernel.name);
    const PipelineResult result = unwrap(runPipeline(std::move(module), pipeline), kernel.name);
    EXPECT_EQ(result.steps.size(), 0u) << kernel.name << (assumes ? ", no index wraps" : "");
    EXPECT_TRUE(result.text == kernel.text) << kernel.name;
  }
}

TEST(GenerateFixedPoint, SmallKernels) {
  constexpr uint64_t seed = 3;
  Random random(seed);
  for (unsigned done = 0; done < 8;) {
    CaseRow row;
    for (const unsigned size : kFactors)
      row.push_back(random.below(size));
    row[0] %= 2; // What takes long is large tiles.
    row[1] %= 6;
    row[2] %= 3;
    if (!canGenerate(kernelOfRow(row)))
      continue;
    ++done;
    checkFixed(kernelOfRow(row));
  }
}

TEST(GenerateFixedPoint, DISABLED_Pairs) {
  const Cover cover =
      allPairs(kFactors, 14, [](const CaseRow &row) { return canGenerate(kernelOfRow(row)); });
  std::printf("%zu kernels with %zu pairs of values; %zu pairs no kernel can have\n",
              cover.rows.size(), cover.pairs, cover.impossible);
  for (const CaseRow &row : cover.rows) {
    std::printf("%s\n", unwrap(shapeOf(kernelOfRow(row)), "shape").name.c_str());
    std::fflush(stdout);
    checkFixed(kernelOfRow(row));
  }
}

} // namespace

} // namespace fixedPointTest
