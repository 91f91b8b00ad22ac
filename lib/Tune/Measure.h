//===- Measure.h - what one kernel costs, and whether it is right ----------===//
//
// Stages, each dearer than the one before: the analytical estimate, the timing model, a run on the
// emulator with every check, compared with the reference bit for bit, and the card itself.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Generate/KernelText.h"
#include "Run/Buffers.h"
#include "Timing/Predict.h"
#include "Tune/Space.h"

#include <memory>

namespace rdna::tune {

/// What a search needs to know besides the points.
struct Subject {
  timing::Machine machine;
  Problem problem;
  generate::KernelSpec base;
  uint64_t seed = 1; ///< Of the inputs.
};

/// Buffers of the last launch, for the next one that has the same: to fill 200 MB takes longer than
/// to observe a kernel. One for each thread.
class BufferCache {
public:
  llvm::Expected<run::BufferSet *> of(const run::ResolvedLaunch &launch, uint64_t seed);

private:
  std::string key_;
  std::unique_ptr<run::BufferSet> buffers_;
};

enum class Stage : uint8_t { Estimate = 1, Model = 2, Emulator = 3, Card = 4 };
std::string_view toString(Stage stage);

/// What a stage says of a point.
struct Outcome {
  enum class Verdict : uint8_t { Fits, Refused, Wrong } verdict = Verdict::Fits;
  std::string reason; ///< Why not; of the emulator what was compared, of a card which it was.
  double milliseconds = 0, low = 0, high = 0;
  unsigned vgprs = 0, ldsBytes = 0, wavesPerSimd = 0; ///< Of the kernel that makes the product.
  std::string limiter; ///< Of occupancy in the estimate, of time in the model.
};
std::string_view toString(Outcome::Verdict verdict);

/// Generated, and rewritten with every step proven if the point says so.
llvm::Expected<generate::KernelText> makeKernel(const Point &point);

/// The launches of a kernel, in their order: a split K has two.
struct Observed {
  std::vector<timing::ObservedLaunch> launches;
  unsigned vgprs = 0, ldsBytes = 0; ///< Of the first one's kernel.
};
llvm::Expected<Observed> observeKernel(const generate::KernelText &kernel, const Subject &subject,
                                       BufferCache &buffers, const timing::PredictOptions &options);

double estimateOf(const Observed &observed, const timing::Machine &machine);

/// Sums over launches; the limiter is the largest part of the time.
Outcome predictionOf(const Observed &observed, const timing::Machine &machine,
                     const timing::PredictOptions &options);

/// Errors are what no other point would survive either; what concerns this one is its verdict.
llvm::Expected<Outcome> measure(const Point &point, Stage stage, const Subject &subject,
                                BufferCache &buffers);

/// With every check at sizes that reach the edges and at ones that are whole tiles:
/// VerifyKernel.cpp.
llvm::Expected<Outcome> verifyKernel(const generate::KernelText &kernel, const Point &point,
                                     uint64_t seed);

/// Median, least and most of several runs by HIP; Failure::NoBackend without a GPU. Only kernels
/// that the emulator finds right go there: a wrong one may hang the machine.
llvm::Expected<Outcome> timeOnCard(const generate::KernelText &kernel, const Subject &subject,
                                   BufferCache &buffers);

} // namespace rdna::tune
