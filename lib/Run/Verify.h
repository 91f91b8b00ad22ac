//===- Verify.h - run a kernel and judge its results ----------------------===//
#pragma once

#include "Run/Backend.h"
#include "Run/Delays.h"
#include "Run/Judge.h"
#include "Run/LaunchDescription.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rdna::run {

/// What to do about reads outside every buffer. (Writes outside always fail.)
enum class BoundsPolicy { Report, Error };

struct VerifyOptions {
  std::vector<Parameters> parameters{{}};      ///< One set per size.
  std::vector<std::optional<Init>> inputs{{}}; ///< Empty: what the description says.
  uint64_t seed = 1;
  std::optional<unsigned> sampledTiles; ///< Besides the corners; empty: the whole grid.
  BoundsPolicy bounds = BoundsPolicy::Report;
  Exactness exactness = Exactness::WithinBound;
  RunOptions run;
  /// Runs with delayed memory operations, after the plain one and without its checks.
  DelaySeeds delays;
  /// What must hold of the original for the rewrite to be right: each finding is a problem.
  emu::CheckSet originalChecks;
  /// Does the launch show that no index of either kernel wraps that a proof takes for whole? Then
  /// those in the grid's corners are looked at only. Empty: it is not known.
  std::function<bool(const ResolvedLaunch &)> indicesHold;
  /// How many of a kernel's findings are new, given its original's: these make a case fail. Empty:
  /// all are, and the original is not checked.
  std::function<size_t(const std::vector<CheckFinding> &now,
                       const std::vector<CheckFinding> &original)>
      newFindings;
  /// Gets the buffers as each case has left them.
  std::function<llvm::Error(size_t index, const BufferSet &buffers)> results;
};

struct VerifyCase {
  Parameters parameters;
  std::optional<GemmShape> gemm;
  std::string input; ///< "random", ..., or "mixed".
  uint64_t seed = 0;
  std::string method; ///< What the outputs were compared with.
  bool bitExact = false;
  bool indicesHold = false; ///< As VerifyOptions::indicesHold has it: not each was looked at.
  Difference difference;
  std::vector<double> milliseconds;
  uint64_t instructions = 0;
  uint64_t workgroups = 0;     ///< That ran,
  uint64_t gridWorkgroups = 0; ///< of so many.
  std::vector<BoundsFinding> bounds;
  std::vector<CheckFinding> findings; ///< Of the kernel under test,
  /// and those of the original, if VerifyOptions::newFindings asks for them.
  std::vector<CheckFinding> originalFindings;
  std::optional<DelayReport> delays; ///< If VerifyOptions::delays asks for any.
  std::vector<std::string> problems; ///< Why it fails; empty if it passes.
};

/// One kernel of one code object.
struct KernelUnderTest {
  const object::CodeObject *object = nullptr;
  const object::Kernel *kernel = nullptr;
};

/// Runs `kernel` on every size and input and compares it with `against` (bit for bit), or with the
/// launch's matrix product and files if `against.kernel` is null. Disagreement is no llvm::Error
/// but a problem of its case; errors are what keeps a case from running.
llvm::Expected<std::vector<VerifyCase>>
verify(Backend &backend, const LaunchDescription &description, const KernelUnderTest &kernel,
       const KernelUnderTest &against, const VerifyOptions &options);

/// The workgroups of the grid's corners and `count` more by `seed`, closed under exchanging x and y
/// where the grid is square, so that the same tiles of C are covered whichever of the two walks
/// the rows.
std::vector<std::array<uint32_t, 3>> sampleWorkgroups(const std::array<uint32_t, 3> &grid,
                                                      unsigned count, uint64_t seed);

/// `launch` with another kind of input: random, ramp, zero and nan for all float buffers; identity
/// and one-hot for the first one, the others random, so that rows of one matrix come through.
/// Integer buffers (indices, sizes) and float buffers described as zero stay.
ResolvedLaunch withInput(ResolvedLaunch launch, Init input);

} // namespace rdna::run
