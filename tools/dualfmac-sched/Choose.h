// `dualfmac-sched generate kernel --for CARD --size MxNxK` and `generate library`: which tile? The
// search is that of `tune run`, over fewer points and with nothing kept.
#pragma once

#include "Tune/Search.h"

namespace rdna::dualfmac {

using tune::Problem;
using tune::problemOf;

/// How many points of each kind (where elements come from, is K in parts) are estimated, and of
/// those simulated, and how many neighbours of the best are simulated at most.
struct Effort {
  unsigned estimated = 12, simulated = 4, neighbours = 8;
};

/// What may be chosen besides the tile: one value where the user said it.
struct Freedom {
  std::vector<tune::Elements> elements{tune::Elements::Lds, tune::Elements::Scalar,
                                       tune::Elements::Direct};
  std::vector<unsigned> swizzles{1, 2, 8};
  std::vector<generate::Hints> hints{generate::Hints::All, generate::Hints::None};
};

/// The tile, the parts of K and what `freedom` leaves open are chosen, and the machine's processor;
/// everything else is as in `spec`. The ranking is not empty, and its first was simulated.
llvm::Expected<tune::SearchResult> chooseTile(const generate::KernelSpec &spec,
                                              const Freedom &freedom, const Problem &problem,
                                              const timing::Machine &machine, Effort effort);
/// The specification that came first.
const generate::KernelSpec &bestOf(const tune::SearchResult &result);
std::string candidateTable(const tune::SearchResult &result, const Problem &problem);

} // namespace rdna::dualfmac
