#include "Tune/Search.h"

#include "Support/Diagnostic.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <chrono>
#include <limits>
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

namespace {

/// A search in its steps.
class Searching {
public:
  Searching(Store &store, const Subject &subject, const SearchOptions &options)
      : store_(store), subject_(subject), options_(options) {}
  llvm::Expected<SearchResult> run(const Space &space, std::string_view version);

private:
  llvm::Error measured(std::span<const Point> points, std::span<const int64_t> ids, Stage stage) {
    return options_.engine ? options_.engine(store_, points, ids, stage, subject_)
                           : measureAll(store_, points, ids, stage, subject_, options_);
  }
  llvm::Error estimate();
  void putCandidatesFirst(size_t count);
  llvm::Error model();
  llvm::Error verify();

  Store &store_;
  const Subject &subject_;
  const SearchOptions &options_;
  SearchResult result_;
  std::vector<int64_t> ids_;
};

llvm::Error Searching::estimate() {
  const std::vector<Point> &points = result_.points.legal;
  if (llvm::Error error = measured(points, ids_, Stage::Estimate))
    return error;
  auto estimates = store_.results(ids_, Stage::Estimate);
  if (!estimates)
    return estimates.takeError();
  for (size_t n = 0; n < points.size(); ++n) {
    Outcome &outcome = *(*estimates)[n];
    if (outcome.verdict == Outcome::Verdict::Fits)
      result_.ranking.push_back({n, std::move(outcome), {}, {}});
    else
      ++result_.refused[limitOf(outcome.reason)];
  }
  llvm::stable_sort(result_.ranking, [](const Ranked &a, const Ranked &b) {
    return a.estimate.milliseconds < b.estimate.milliseconds;
  });
  return llvm::Error::success();
}

/// By the model; what it refuses comes last.
double timeOf(const Ranked &ranked) {
  const Outcome outcome = ranked.model.value_or(ranked.estimate);
  return outcome.verdict == Outcome::Verdict::Fits ? outcome.milliseconds
                                                   : std::numeric_limits<double>::infinity();
}

/// One half are the best by the estimate. It is wrong about whole kinds of kernels more than it is
/// within one, so the other half are the best of each kind: block, thread, step and waves.
void Searching::putCandidatesFirst(size_t count) {
  std::set<size_t> chosen; // Points.
  std::set<std::array<unsigned, 5>> kinds;
  for (size_t n = 0; n < (count + 1) / 2; ++n)
    chosen.insert(result_.ranking[n].point);
  for (const Ranked &ranked : result_.ranking) {
    const generate::KernelSpec &s = result_.points.legal[ranked.point].spec;
    const bool isNew = kinds
                           .insert({s.blockRows * s.blockColumns, s.threadRows * s.threadColumns,
                                    s.bk, s.splitK, ranked.estimate.wavesPerSimd})
                           .second;
    if (isNew && chosen.size() < count)
      chosen.insert(ranked.point);
  }
  for (size_t n = 0; chosen.size() < count; ++n)
    chosen.insert(result_.ranking[n].point);
  std::stable_partition(result_.ranking.begin(), result_.ranking.end(),
                        [&](const Ranked &ranked) { return chosen.contains(ranked.point); });
}

llvm::Error Searching::model() {
  const size_t all = result_.ranking.size();
  const size_t count = options_.best == 0 ? all : std::min<size_t>(options_.best, all);
  putCandidatesFirst(count);
  std::vector<Point> points;
  std::vector<int64_t> ids;
  for (size_t n = 0; n < count; ++n) {
    points.push_back(result_.points.legal[result_.ranking[n].point]);
    ids.push_back(ids_[result_.ranking[n].point]);
  }
  if (llvm::Error error = measured(points, ids, Stage::Model))
    return error;
  auto outcomes = store_.results(ids, Stage::Model);
  if (!outcomes)
    return outcomes.takeError();
  for (size_t n = 0; n < count; ++n)
    result_.ranking[n].model = std::move((*outcomes)[n]);
  std::stable_sort(result_.ranking.begin(),
                   result_.ranking.begin() + static_cast<std::ptrdiff_t>(count),
                   [](const Ranked &a, const Ranked &b) { return timeOf(a) < timeOf(b); });
  return llvm::Error::success();
}

/// The best that is right; those in front of it that are not stay where they are, with the reason.
llvm::Error Searching::verify() {
  for (size_t n = 0; n < result_.ranking.size() && result_.ranking[n].model; ++n) {
    Ranked &candidate = result_.ranking[n];
    if (candidate.model->verdict != Outcome::Verdict::Fits)
      continue;
    const std::array<Point, 1> point = {result_.points.legal[candidate.point]};
    const std::array<int64_t, 1> id = {ids_[candidate.point]};
    if (llvm::Error error = measureAll(store_, point, id, Stage::Emulator, subject_, options_))
      return error;
    auto outcome = store_.results(id, Stage::Emulator);
    if (!outcome)
      return outcome.takeError();
    candidate.emulator = std::move(outcome->front());
    if (candidate.emulator->verdict == Outcome::Verdict::Fits) {
      result_.winner = n;
      return llvm::Error::success();
    }
  }
  return llvm::Error::success();
}

llvm::Expected<SearchResult> Searching::run(const Space &space, std::string_view version) {
  result_.points = enumerate(space, subject_.base, subject_.problem);
  auto ids = store_.addPoints(studyOf(subject_, version), result_.points.legal);
  if (!ids)
    return ids.takeError();
  ids_ = std::move(*ids);
  if (llvm::Error error = estimate())
    return error;
  if (llvm::Error error = model())
    return error;
  if (llvm::Error error = verify())
    return error;
  return std::move(result_);
}

} // namespace

llvm::Expected<SearchResult> search(Store &store, const Space &space, const Subject &subject,
                                    std::string_view version, const SearchOptions &options) {
  return Searching(store, subject, options).run(space, version);
}

} // namespace rdna::tune
