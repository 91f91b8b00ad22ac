// A stage of many points on this machine: by threads, each point once, whoever else is at it.
#include "Tune/Search.h"

#include "Support/Diagnostic.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

namespace rdna::tune {

namespace {

/// One stage of some points.
class Measuring {
public:
  Measuring(Store &store, std::span<const Point> points, std::span<const int64_t> ids, Stage stage,
            const Subject &subject, const SearchOptions &options)
      : store_(store), points_(points), ids_(ids), stage_(stage), subject_(subject),
        options_(options), isDone_(points.size()) {}
  ~Measuring() { llvm::consumeError(std::move(error_)); }
  llvm::Error run();

private:
  void round();
  llvm::Expected<Store::Claim> one(size_t n);
  void countDone();

  Store &store_;
  std::span<const Point> points_;
  std::span<const int64_t> ids_;
  Stage stage_;
  const Subject &subject_;
  const SearchOptions &options_;
  std::vector<char> isDone_; ///< Each is written by one thread at a time.
  std::atomic<uint64_t> done_ = 0;
  std::atomic<bool> isOver_ = false; ///< Something failed.
  std::mutex mutex_;                 ///< For what follows.
  llvm::Error error_ = llvm::Error::success();
  size_t failed_ = 0; ///< Where.
  tbb::enumerable_thread_specific<BufferCache> buffers_;
};

void Measuring::countDone() {
  const uint64_t done = ++done_;
  if (options_.progress)
    options_.progress(stage_, done, points_.size());
}

llvm::Expected<Store::Claim> Measuring::one(size_t n) {
  auto claim = store_.claim(ids_[n], stage_);
  if (!claim || *claim != Store::Claim::Mine)
    return claim;
  const auto start = std::chrono::steady_clock::now();
  auto outcome = measure(points_[n], stage_, subject_, buffers_.local());
  if (!outcome)
    return outcome.takeError();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (llvm::Error error = store_.finish(ids_[n], stage_, *outcome, took.count()))
    return error;
  return Store::Claim::Done;
}

void Measuring::round() {
  tbb::parallel_for(size_t{0}, points_.size(), [&](size_t n) {
    if (isDone_[n] || isOver_)
      return;
    auto claim = one(n);
    if (claim && *claim == Store::Claim::Another)
      return;
    if (claim) {
      isDone_[n] = 1;
      return countDone();
    }
    const std::lock_guard lock(mutex_);
    if (isOver_.exchange(true) && failed_ < n) { // The first one's error, if several have one.
      llvm::consumeError(claim.takeError());
      return;
    }
    llvm::consumeError(std::move(error_));
    error_ = claim.takeError();
    failed_ = n;
  });
}

llvm::Error Measuring::run() {
  // What others had claimed when they died is free again.
  if (llvm::Error error = store_.releaseDead())
    return error;
  tbb::task_arena arena(options_.threads == 0 ? tbb::task_arena::automatic
                                              : static_cast<int>(options_.threads));
  for (;;) {
    arena.execute([&] { round(); });
    if (isOver_)
      return std::exchange(error_, llvm::Error::success());
    if (done_ == points_.size())
      return llvm::Error::success();
    // The rest is another tuner's. It finishes them, or ends and leaves them to us.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (llvm::Error error = store_.releaseDead())
      return error;
  }
}

} // namespace

llvm::Error measureAll(Store &store, std::span<const Point> points, std::span<const int64_t> ids,
                       Stage stage, const Subject &subject, const SearchOptions &options) {
  return Measuring(store, points, ids, stage, subject, options).run();
}

llvm::Error measureChunk(Store &store, const Space &space, const Subject &subject,
                         std::string_view version, Stage stage,
                         const std::vector<std::string> &keys, Chunk chunk,
                         const SearchOptions &options) {
  std::set<std::string> mine; // In turn, because neighbours cost alike.
  for (size_t n = chunk.index; n < keys.size(); n += chunk.count)
    mine.insert(keys[n]);
  std::vector<Point> points;
  for (Point &point : enumerate(space, subject.base, subject.problem).legal)
    if (mine.contains(keyOf(point)))
      points.push_back(std::move(point));
  if (points.size() != mine.size())
    return makeError(Failure::BadInput, "", "--points: there are points that the space has not");
  auto ids = store.addPoints(studyOf(subject, version), points);
  if (!ids)
    return ids.takeError();
  return measureAll(store, points, *ids, stage, subject, options);
}

} // namespace rdna::tune
