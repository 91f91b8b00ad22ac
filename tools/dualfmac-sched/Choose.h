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

/// How many of the candidates by a rough count are generated and estimated, and of those simulated;
/// how many neighbours of the best are simulated at most.
struct Effort {
  size_t estimated = 20, simulated = 6, neighbours = 6;
};

/// The tile and the parts of K are chosen, and the machine's processor; everything else is as in
/// `spec`. The best comes first.
llvm::Expected<std::vector<Candidate>> chooseTile(const generate::KernelSpec &spec,
                                                  const Problem &problem,
                                                  const timing::Machine &machine, Effort effort);
std::string candidateTable(const std::vector<Candidate> &candidates, const Problem &problem);

} // namespace rdna::dualfmac
