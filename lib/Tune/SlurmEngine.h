//===- SlurmEngine.h - the points of a search, measured by a cluster -------===//
#pragma once

#include "Tune/Search.h"

namespace rdna::tune {

struct SlurmSearch {
  std::string folder;               ///< That all nodes see.
  std::string tool;                 ///< The program, under a name that all nodes know.
  unsigned chunks = 32;             ///< Tasks, at most.
  unsigned pollSeconds = 2;         ///< Between two looks at the queue.
  std::vector<std::string> options; ///< Of sbatch.
  /// The words of `tune run` that say which study this is.
  std::function<std::vector<std::string>(const Subject &subject)> words;
  std::function<void(Stage stage, uint64_t done, uint64_t total)> progress; ///< Of tasks.
  std::string version;
};

/// Each task has a database of its own, so that none is shared over a network; they are merged when
/// all are done. The folder's name follows from the points: a run that was killed finds what its
/// tasks have done, and what is still in the queue.
Engine slurmEngine(SlurmSearch search);

} // namespace rdna::tune
