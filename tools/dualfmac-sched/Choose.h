// `dualfmac-sched generate kernel --for CARD --size MxNxK` and `generate library`: which tile?
#pragma once

#include "Generate/KernelText.h"
#include "Tune/Space.h"

#include "Timing/Machine.h"

#include <string>
#include <vector>

namespace rdna::dualfmac {

using tune::Problem;
using tune::problemOf;

/// A kernel that might do, with what is predicted of it.
struct Candidate {
  generate::KernelSpec spec;
  generate::KernelText kernel;
  double estimate = 0; ///< Analytical, in ms.
  struct Time {
    double milliseconds = 0, low = 0, high = 0;
  };
  std::optional<Time> predicted; ///< By the timing model, of the best few.
};

/// How many of the candidates by a rough count are generated and estimated, and of those simulated,
/// and how many neighbours of the best are simulated at most: each for every source of elements,
/// with K in one piece and with K in parts.
struct Effort {
  size_t estimated = 12, simulated = 4, neighbours = 4;
};

/// What may be chosen besides the tile: one value where the user said it.
struct Freedom {
  std::vector<generate::Source> sources{generate::Source::Lds, generate::Source::Scalar};
  std::vector<unsigned> swizzles{1, 8}; ///< Not empty.
};

/// The tile, the parts of K and what `freedom` leaves open are chosen, and the machine's processor;
/// everything else is as in `spec`. The best comes first.
llvm::Expected<std::vector<Candidate>> chooseTile(const generate::KernelSpec &spec,
                                                  const Freedom &freedom, const Problem &problem,
                                                  const timing::Machine &machine, Effort effort);
std::string candidateTable(const std::vector<Candidate> &candidates, const Problem &problem);

} // namespace rdna::dualfmac
