//===- Fastest.h - several ways to rewrite, the fastest one kept ------------===//
//
// A step that costs time alone may be what makes the next one possible: kernel 4 of clang 19 has
// moves around its loop that pay only when the loop is unrolled. So steps that enable others are
// also judged together, by what came of them, and the ways are compared by the time of their ends.
// So are alternatives of a pass: how far loops are written out, whether LDS loads are split, or go
// among the FMACs of the step before. The last way asks for counts alone, because what comes of
// taking single steps back may be slower than all of them together.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Pipeline/Pipeline.h"

#include <vector>

namespace rdna {

/// One way, and what its result takes.
struct WayTaken {
  std::string name;
  double milliseconds = 0;
  enum class Outcome : uint8_t {
    Slower,
    GivenUp, ///< Too slow on the way: its end would have had another time.
    Chosen
  } outcome = Outcome::Slower;
};

struct FastestResult {
  PipelineResult best;
  std::vector<WayTaken> ways; ///< In the order in which they were tried; the first is the input.
};

/// Runs `pipeline`, which has an appraiser, in each way. Ends that are near each other are settled
/// by a longer look; of equal ones the first. What is slower than the input then is not kept: the
/// result is the input, and the first way is the chosen one.
llvm::Expected<FastestResult> runFastest(std::unique_ptr<Module> module, const Pipeline &pipeline);

} // namespace rdna
