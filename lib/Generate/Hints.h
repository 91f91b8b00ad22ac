//===- Hints.h - what would be accepted in place of what was refused -------===//
//
// A hint is a specification that is accepted as it stands: of those that differ from what was asked
// for in one option (in two, if one alone does not do), the nearest. Searching takes up to a few
// seconds, so it is done for a person only, and not by whoever tries many specifications.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Generate/KernelShape.h"

#include <vector>

namespace rdna::generate {

template <typename Spec> struct Variant {
  Spec spec;
  std::string words; ///< "--bk 16 fits", "without --waves it fits".
};

/// Nearest first.
std::vector<Variant<LoopSpec>> variantsOf(const LoopSpec &spec);
std::vector<Variant<KernelSpec>> variantsOf(const KernelSpec &spec);

/// The error of `spec` with what would be accepted behind it, if there is something.
llvm::Error withHint(llvm::Error error, const LoopSpec &spec);
llvm::Error withHint(llvm::Error error, const KernelSpec &spec);

} // namespace rdna::generate
