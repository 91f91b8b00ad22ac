//===- Search.h - the best kernel of a space, measured only once -----------===//
//
// All points are estimated (or those that a rough count leaves), the best by that and the best of
// each kind are given to the timing model, then what lies beside the best of them, and the best of
// those that the emulator finds right is the winner. What is in the store is not measured again;
// what another tuner is at is waited for. The result does not depend on threads or on who measured.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Tune/Store.h"

#include <functional>

namespace rdna::tune {

/// Sees to it that every point has a result of a stage.
using Engine =
    std::function<llvm::Error(Store &store, std::span<const Point> points,
                              std::span<const int64_t> ids, Stage stage, const Subject &subject)>;

struct SearchOptions {
  /// Of each kind (where elements come from; is K split) so many points are estimated, the best by
  /// a rough count; 0: all.
  unsigned rough = 0;
  unsigned best = 32; ///< Points for the timing model; 0: all.
  /// Points beside the best of each kind that are given to the model, at most.
  unsigned neighbours = 0;
  enum class Check { Winner, None } check = Check::Winner;
  /// So many of the best that are right are timed on the GPU of this machine, and the fastest wins.
  unsigned timed = 0;
  unsigned threads = 0; ///< 0: as many as there are cores.
  std::function<void(Stage stage, uint64_t done, uint64_t total)> progress; ///< From any thread.
  Engine engine; ///< Of estimates and model; empty: threads of this process.
};

/// Every point has a result of `stage` when this returns, by us or by another tuner.
llvm::Error measureAll(Store &store, std::span<const Point> points, std::span<const int64_t> ids,
                       Stage stage, const Subject &subject, const SearchOptions &options);

struct Ranked {
  size_t point = 0; ///< In SearchResult::points.
  Outcome estimate;
  std::optional<Outcome> model, emulator, card;
};

struct SearchResult {
  Points points;                         ///< Legal are those that were estimated, neighbours too.
  size_t legal = 0;                      ///< Of the space.
  std::map<std::string, size_t> refused; ///< How many by which limit, of the legal ones.
  std::vector<Ranked> ranking;  ///< By the card, the model, the estimate, of those that fit.
  std::optional<size_t> winner; ///< In `ranking`: nothing if no kernel is right.
};

llvm::Expected<SearchResult> search(Store &store, const Space &space, const Subject &subject,
                                    std::string_view version, const SearchOptions &options);

/// The part `index` of `count` of a stage's points, for a task of a cluster's job.
struct Chunk {
  unsigned index = 0, count = 1;
};
/// Of the space's points those whose keys are `keys`.
llvm::Error measureChunk(Store &store, const Space &space, const Subject &subject,
                         std::string_view version, Stage stage,
                         const std::vector<std::string> &keys, Chunk chunk,
                         const SearchOptions &options);

} // namespace rdna::tune
