#include "Tune/Search.h"

#include "Support/Diagnostic.h"
#include "Tune/Neighbours.h"
#include "Tune/Rough.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <map>
#include <set>

namespace rdna::tune {

namespace {

/// A search in its steps.
class Searching {
public:
  Searching(Store &store, const Subject &subject, const SearchOptions &options,
            std::string_view version)
      : store_(store), subject_(subject), options_(options), version_(version) {}
  llvm::Expected<SearchResult> run(const Space &space);

private:
  /// Neighbours are few, and tasks of a cluster know the space only.
  enum class Where { ByEngine, Here };
  llvm::Error measured(std::span<const Point> points, std::span<const int64_t> ids, Stage stage,
                       Where where) {
    return options_.engine && where == Where::ByEngine
               ? options_.engine(store_, points, ids, stage, subject_)
               : measureAll(store_, points, ids, stage, subject_, options_);
  }
  /// Of points, by either stage; what is refused is counted and left out.
  llvm::Expected<std::vector<Ranked>> estimated(size_t first, size_t last);
  llvm::Error estimate();
  std::set<size_t> candidatesOf(Kind kind, size_t count) const;
  llvm::Error predict(std::span<Ranked *const> ranked, Where where);
  llvm::Error model();
  llvm::Error climb(const Space &space, Kind kind);
  llvm::Error addPoints(std::vector<Point> points);
  void sort();
  llvm::Error verify();
  llvm::Error time(std::span<Ranked *const> right);
  const Point &pointOf(const Ranked &ranked) const { return result_.points.legal[ranked.point]; }

  Store &store_;
  const Subject &subject_;
  const SearchOptions &options_;
  std::string version_;
  SearchResult result_;
  std::vector<int64_t> ids_;
  std::set<std::string> keys_; ///< Of all points.
};

llvm::Error Searching::addPoints(std::vector<Point> points) {
  auto ids = store_.addPoints(studyOf(subject_, version_), points);
  if (!ids)
    return ids.takeError();
  llvm::append_range(ids_, *ids);
  for (Point &point : points) {
    keys_.insert(keyOf(point));
    result_.points.legal.push_back(std::move(point));
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<Ranked>> Searching::estimated(size_t first, size_t last) {
  auto estimates = store_.results(std::span(ids_).subspan(first, last - first), Stage::Estimate);
  if (!estimates)
    return estimates.takeError();
  std::vector<Ranked> ranked;
  for (size_t n = first; n < last; ++n) {
    Outcome &outcome = *(*estimates)[n - first];
    if (outcome.verdict == Outcome::Verdict::Fits)
      ranked.push_back({n, std::move(outcome), {}, {}, {}});
    else
      ++result_.refused[limitOf(outcome.reason)];
  }
  llvm::stable_sort(ranked, [](const Ranked &a, const Ranked &b) {
    return a.estimate.milliseconds < b.estimate.milliseconds;
  });
  return ranked;
}

llvm::Error Searching::estimate() {
  if (llvm::Error error = measured(result_.points.legal, ids_, Stage::Estimate, Where::ByEngine))
    return error;
  auto ranked = estimated(0, ids_.size());
  if (!ranked)
    return ranked.takeError();
  result_.ranking = std::move(*ranked);
  return llvm::Error::success();
}

/// By the model; what it refuses comes last.
double timeOf(const Ranked &ranked) {
  const Outcome outcome = ranked.model.value_or(ranked.estimate);
  return outcome.verdict == Outcome::Verdict::Fits ? outcome.milliseconds
                                                   : std::numeric_limits<double>::infinity();
}

/// Of one kind. One half are the best by the estimate. It is wrong about whole groups of kernels
/// more than it is within one, so the other half are the best of each group: block, thread, step
/// and waves. The best seed goes first.
std::set<size_t> Searching::candidatesOf(Kind kind, size_t count) const {
  std::vector<const Ranked *> all;
  for (const Ranked &ranked : result_.ranking)
    if (kindOf(pointOf(ranked).spec) == kind)
      all.push_back(&ranked);
  count = std::min(count, all.size());
  std::set<size_t> chosen; // Points.
  const auto choose = [&](const Ranked &ranked) {
    if (chosen.size() < count)
      chosen.insert(ranked.point);
  };
  const auto seed =
      llvm::find_if(all, [&](const Ranked *ranked) { return isSeed(pointOf(*ranked).spec); });
  if (seed != all.end())
    choose(**seed);
  for (size_t n = 0; n < (count + 1) / 2; ++n)
    choose(*all[n]);
  std::set<std::array<unsigned, 5>> groups;
  for (const Ranked *ranked : all) {
    const generate::KernelSpec &s = pointOf(*ranked).spec;
    if (groups
            .insert({s.blockRows * s.blockColumns, s.threadRows * s.threadColumns, s.bk, s.splitK,
                     ranked->estimate.wavesPerSimd})
            .second)
      choose(*ranked);
  }
  for (const Ranked *ranked : all)
    choose(*ranked);
  return chosen;
}

llvm::Error Searching::predict(std::span<Ranked *const> ranked, Where where) {
  std::vector<Point> points;
  std::vector<int64_t> ids;
  for (const Ranked *one : ranked) {
    points.push_back(pointOf(*one));
    ids.push_back(ids_[one->point]);
  }
  if (llvm::Error error = measured(points, ids, Stage::Model, where))
    return error;
  auto outcomes = store_.results(ids, Stage::Model);
  if (!outcomes)
    return outcomes.takeError();
  for (size_t n = 0; n < ranked.size(); ++n)
    ranked[n]->model = std::move((*outcomes)[n]);
  return llvm::Error::success();
}

/// What the dearer stage has seen comes first, the best of it in front.
void Searching::sort() {
  llvm::stable_sort(result_.ranking, [](const Ranked &a, const Ranked &b) {
    if (a.card.has_value() != b.card.has_value())
      return a.card.has_value();
    if (a.card)
      return a.card->milliseconds < b.card->milliseconds;
    if (a.model.has_value() != b.model.has_value())
      return a.model.has_value();
    return timeOf(a) < timeOf(b);
  });
}

/// Each kind has as many candidates; what a small one leaves is for the others.
llvm::Error Searching::model() {
  std::map<Kind, size_t> sizes;
  for (const Ranked &ranked : result_.ranking)
    ++sizes[kindOf(pointOf(ranked).spec)];
  const size_t all = result_.ranking.size();
  size_t left = options_.best == 0 ? all : std::min<size_t>(options_.best, all);
  std::vector<std::pair<size_t, Kind>> kinds;
  for (const auto &[kind, size] : sizes)
    kinds.emplace_back(size, kind);
  llvm::sort(kinds);
  std::set<size_t> chosen;
  for (size_t n = 0; n < kinds.size(); ++n) {
    const size_t share =
        std::min((left + kinds.size() - n - 1) / (kinds.size() - n), kinds[n].first);
    chosen.merge(candidatesOf(kinds[n].second, share));
    left -= share;
  }
  std::vector<Ranked *> candidates;
  for (Ranked &ranked : result_.ranking)
    if (chosen.contains(ranked.point))
      candidates.push_back(&ranked);
  if (llvm::Error error = predict(candidates, Where::ByEngine))
    return error;
  sort();
  return llvm::Error::success();
}

/// From the best of a kind to its best neighbour, until none is better. They are few, so they are
/// measured here, whatever the engine is.
llvm::Error Searching::climb(const Space &space, Kind kind) {
  constexpr size_t atOnce = 4;      // By the estimate.
  constexpr double hopeless = 1.25; // Of the time of the best of all kinds.
  for (size_t budget = options_.neighbours; budget > 0;) {
    const auto best = llvm::find_if(result_.ranking, [&](const Ranked &ranked) {
      return ranked.model && kindOf(pointOf(ranked).spec) == kind;
    });
    if (best == result_.ranking.end() || best->model->verdict != Outcome::Verdict::Fits)
      return llvm::Error::success();
    const double before = best->model->milliseconds;
    if (before > hopeless * timeOf(result_.ranking.front()))
      return llvm::Error::success();
    std::vector<Point> next;
    for (Point &point : neighboursOf(pointOf(*best), space))
      if (whyCut(point.spec, subject_.problem).empty() && keys_.insert(keyOf(point)).second)
        next.push_back(std::move(point));
    const size_t first = ids_.size();
    if (llvm::Error error = addPoints(std::move(next)))
      return error;
    if (llvm::Error error = measured(std::span(result_.points.legal).subspan(first),
                                     std::span(ids_).subspan(first), Stage::Estimate, Where::Here))
      return error;
    auto ranked = estimated(first, ids_.size());
    if (!ranked)
      return ranked.takeError();
    std::vector<Ranked *> chosen;
    for (Ranked &one : *ranked)
      if (chosen.size() < std::min(atOnce, budget))
        chosen.push_back(&one);
    budget -= chosen.size();
    if (llvm::Error error = predict(chosen, Where::Here))
      return error;
    const bool isBetter =
        llvm::any_of(chosen, [&](const Ranked *one) { return timeOf(*one) < before; });
    llvm::append_range(result_.ranking, std::move(*ranked));
    sort();
    if (!isBetter)
      break;
  }
  return llvm::Error::success();
}

/// One after the other, for they share the card. They come to the front.
llvm::Error Searching::time(std::span<Ranked *const> right) {
  std::vector<Point> points;
  std::vector<int64_t> ids;
  for (const Ranked *one : right) {
    points.push_back(pointOf(*one));
    ids.push_back(ids_[one->point]);
  }
  SearchOptions alone = options_;
  alone.threads = 1;
  if (llvm::Error error = measureAll(store_, points, ids, Stage::Card, subject_, alone))
    return error;
  auto outcomes = store_.results(ids, Stage::Card);
  if (!outcomes)
    return outcomes.takeError();
  for (size_t n = 0; n < right.size(); ++n)
    right[n]->card = std::move((*outcomes)[n]);
  sort();
  result_.winner = 0;
  return llvm::Error::success();
}

/// The best that is right; those in front of it that are not stay where they are, with the reason.
llvm::Error Searching::verify() {
  std::vector<Ranked *> right;
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
    if (candidate.emulator->verdict != Outcome::Verdict::Fits)
      continue;
    if (right.empty())
      result_.winner = n;
    right.push_back(&candidate);
    if (right.size() >= options_.timed)
      break;
  }
  return right.empty() || options_.timed == 0 ? llvm::Error::success() : time(right);
}

llvm::Expected<SearchResult> Searching::run(const Space &space) {
  result_.points = enumerate(space, subject_.base, subject_.problem);
  std::vector<Point> points = std::move(result_.points.legal);
  result_.points.legal.clear();
  result_.legal = points.size();
  if (options_.rough != 0)
    points = roughBest(points, options_.rough, subject_);
  if (llvm::Error error = addPoints(std::move(points)))
    return error;
  if (llvm::Error error = estimate())
    return error;
  if (llvm::Error error = model())
    return error;
  std::set<Kind> kinds;
  for (const Ranked &ranked : result_.ranking)
    kinds.insert(kindOf(pointOf(ranked).spec));
  for (const Kind &kind : kinds)
    if (llvm::Error error = climb(space, kind))
      return error;
  if (options_.check == SearchOptions::Check::Winner)
    if (llvm::Error error = verify())
      return error;
  return std::move(result_);
}

} // namespace

llvm::Expected<SearchResult> search(Store &store, const Space &space, const Subject &subject,
                                    std::string_view version, const SearchOptions &options) {
  return Searching(store, subject, options, version).run(space);
}

} // namespace rdna::tune
