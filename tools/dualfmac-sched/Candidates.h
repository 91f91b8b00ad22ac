// Which tiles chooseTile() looks at (private to it).
#pragma once

#include "Choose.h"

namespace rdna::dualfmac {

enum class Sums { Whole, InParts }; ///< Is K split?

/// Of the source of elements that `base` has; by a rough count, the best first, a few of each size
/// of blocks.
std::vector<generate::KernelSpec> enumerate(const generate::KernelSpec &base, Sums sums,
                                            const Problem &problem, const timing::Machine &machine);
/// What differs from `spec` in one thing. Not all of them can be generated.
std::vector<generate::KernelSpec> neighboursOf(const generate::KernelSpec &spec,
                                               const Freedom &freedom);
/// Kernels without guards are for multiples only.
bool suits(const generate::KernelSpec &spec, const Problem &problem);
/// The ladder's best shape, and the like with A from SGPRs: simulated for every large product,
/// whatever the estimate says of them.
bool isSeed(const generate::KernelSpec &spec);

} // namespace rdna::dualfmac
