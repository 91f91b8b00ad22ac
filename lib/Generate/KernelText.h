//===- KernelText.h - a whole SGEMM kernel from a specification ------------===//
#pragma once

#include "Generate/KernelShape.h"

namespace rdna::generate {

struct KernelText {
  std::string text;
  std::string launch; ///< Launch description (docs/howto-run.md), of a small problem.
  std::string name;
  unsigned vgprs = 0, ldsBytes = 0;
  /// Of a split K: of the kernel that adds the parts and has to run behind; else empty.
  std::string sumLaunch;
  std::string header; ///< C++ that launches it over HIP modules.
};

/// D = alpha * op(A) * op(B) + beta * C in place, sums in the order of k. Failure::BadInput if the
/// specification breaks a limit.
llvm::Expected<KernelText> generateKernel(const KernelSpec &spec);
/// Would that give a kernel?
bool canGenerate(const KernelSpec &spec);

/// A kernel of a library, and the size that it was chosen for.
struct LibraryChoice {
  unsigned m = 0, n = 0, k = 0;
  size_t kernel = 0; ///< Its number in the list of specifications.
};

/// Several kernels in one file, and a header that picks.
struct LibraryText {
  std::string text, header;
  std::vector<std::string> names; ///< By number.
};

/// `name` is that of the header's namespace.
llvm::Expected<LibraryText> generateLibrary(const std::string &name,
                                            const std::vector<KernelSpec> &specs,
                                            const std::vector<LibraryChoice> &choices);

/// Headers that launch kernels: KernelHost.cpp.
std::string headerOf(const KernelShape &shape);
std::string headerOf(const std::string &library, const std::vector<KernelShape> &kernels,
                     const std::vector<LibraryChoice> &choices);
/// The launch description: KernelLaunch.cpp.
enum class Part { Product, Sum };
std::string launchOf(const KernelShape &shape, Part part);
/// The text in an order that waits less, with clauses, priorities and delays, all as the rewriter
/// makes them, and held against the rules of one text: KernelFinish.cpp. Failure::Refused would be
/// a mistake of the generator.
llvm::Expected<std::string> finishKernel(std::string text, const std::string &name, Hints hints);
/// The steps of a loop, which are no kernel, with these hints, in the order in which they are.
llvm::Expected<std::string> finishSteps(const std::string &steps, const std::string &name);
/// Bytes of the kernel's arguments.
unsigned argumentBytes(const KernelSpec &spec);

} // namespace rdna::generate
