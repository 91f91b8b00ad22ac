//===- Variant.h - one compiled kernel, rewritten, run and recounted ------===//
#pragma once

#include "Analysis/Metrics.h"
#include "Bound.h"
#include "KernelManifest.h"
#include "Run/Verify.h"

#include <string>
#include <vector>

namespace rdna::rewrite {

/// One block with F32 FMA work, before and after. Blocks are found here, not by the pass: those of
/// innermost loops; straight-line ones with two or more FMAs where no loop has any.
struct BlockResult {
  std::string function, name; ///< Loop label, or "block".
  uint32_t line = 0;
  LoopMetrics before, after;
  BlockBound bound;
  enum class Fate : uint8_t { Rewritten, Left } fate = Fate::Left;
  bool reached() const;
  /// By how much the nearer of the two bounds is missed, in words; empty if one is reached.
  std::string shortfall() const;
};

/// What happened to one kernel of one compiler.
struct VariantResult {
  test::CompiledKernel kernel;
  std::vector<BlockResult> blocks;
  std::vector<std::string> remarks;
  std::vector<std::string> problems; ///< Everything that must not be; empty if all is well.
  unsigned wavesBefore = 0, wavesAfter = 0, vgprsBefore = 0, vgprsAfter = 0;
  enum class Bits : uint8_t { NotRun, Same, Different } bits = Bits::NotRun;
  double rewriteSeconds = 0; ///< CPU time of the rewriting alone.
  double runSeconds = 0;
  std::string text; ///< The rewritten file.

  std::string title() const {
    return kernel.name + " " + kernel.compiler + " " + kernel.optimization;
  }
  bool reached() const;
};

/// Sizes and inputs to run on.
struct RunPlan {
  std::vector<run::Parameters> parameters{{}};
  std::vector<std::optional<run::Init>> inputs{{}};
  std::vector<run::Parameters> sampled; ///< Further sizes: corner workgroups and four by seed only.
  /// Whether the rewritten kernel is compared with the host's GEMM as well, bit for bit.
  enum class Reference : uint8_t { None, Host } reference = Reference::None;
};

/// Rewrites, proves idempotence, recounts, and compares with the original on the emulator.
VariantResult checkVariant(const test::CompiledKernel &kernel, const RunPlan &plan);

/// The same for every kernel, on two threads, with progress on standard error; in order of
/// `kernels`.
std::vector<VariantResult> checkVariants(const std::vector<test::CompiledKernel> &kernels,
                                         const RunPlan &plan);

} // namespace rdna::rewrite
