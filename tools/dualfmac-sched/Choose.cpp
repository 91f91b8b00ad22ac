#include "Choose.h"

#include "Candidates.h"

#include "Tune/Measure.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace rdna::dualfmac {

using namespace timing;
using generate::KernelSpec;
using generate::Source;

namespace {

/// Nothing if there are too few registers, or no room on the card.
llvm::Expected<std::optional<Candidate>> estimated(const KernelSpec &spec,
                                                   const tune::Subject &subject,
                                                   tune::BufferCache &buffers,
                                                   std::optional<InputError> &misfit) {
  auto kernel = generate::generateKernel(spec);
  if (!kernel) {
    llvm::consumeError(kernel.takeError());
    return std::nullopt;
  }
  auto observed = tune::observeKernel(*kernel, subject, buffers, PredictOptions());
  if (!observed) {
    llvm::Error other = llvm::handleErrors(observed.takeError(),
                                           [&](const InputError &error) { misfit.emplace(error); });
    if (other)
      return other;
    if (misfit->failure() != Failure::Refused)
      return llvm::make_error<InputError>(*misfit);
    return std::nullopt;
  }
  return Candidate{spec, std::move(*kernel), tune::estimateOf(*observed, subject.machine), {}};
}

/// Those that are simulated come first: of different blocks, threads and parts, because the
/// estimate tells stages and orientations hardly apart.
size_t putKindsFirst(std::vector<Candidate> &candidates, size_t most) {
  llvm::stable_sort(candidates, [](const Candidate &x, const Candidate &y) {
    return std::pair(!isSeed(x.spec), x.estimate) < std::pair(!isSeed(y.spec), y.estimate);
  });
  std::set<std::array<unsigned, 4>> kinds;
  std::vector<Candidate> first, others;
  for (Candidate &candidate : candidates) {
    const KernelSpec &s = candidate.spec;
    const bool isNew =
        first.size() < most &&
        kinds.insert({s.blockRows * s.blockColumns, s.threadRows * s.threadColumns, s.bk, s.splitK})
            .second;
    (isNew ? first : others).push_back(std::move(candidate));
  }
  const size_t count = first.size();
  candidates = std::move(first);
  std::move(others.begin(), others.end(), std::back_inserter(candidates));
  return count;
}

llvm::Error predictCandidate(Candidate &candidate, const tune::Subject &subject,
                             tune::BufferCache &buffers) {
  const PredictOptions options;
  auto observed = tune::observeKernel(candidate.kernel, subject, buffers, options);
  if (!observed)
    return observed.takeError();
  const tune::Outcome outcome = tune::predictionOf(*observed, subject.machine, options);
  candidate.predicted = {outcome.milliseconds, outcome.low, outcome.high};
  return llvm::Error::success();
}

bool isFaster(const Candidate &x, const Candidate &y) {
  if (!x.predicted || !y.predicted)
    return x.predicted.has_value() && !y.predicted;
  return x.predicted->milliseconds < y.predicted->milliseconds;
}

/// Of one source of elements and way to sum: the best by the estimate, some of them simulated.
llvm::Expected<std::vector<Candidate>> firstCandidates(const KernelSpec &base, Sums sums,
                                                       const tune::Subject &subject,
                                                       tune::BufferCache &buffers, Effort effort,
                                                       std::optional<InputError> &misfit) {
  std::vector<Candidate> candidates;
  for (const KernelSpec &next : enumerate(base, sums, subject.problem, subject.machine)) {
    if (candidates.size() == effort.estimated)
      break;
    auto candidate = estimated(next, subject, buffers, misfit);
    if (!candidate)
      return candidate.takeError();
    if (*candidate)
      candidates.push_back(std::move(**candidate));
  }
  const size_t simulated = putKindsFirst(candidates, effort.simulated);
  for (size_t i = 0; i < simulated; ++i)
    if (llvm::Error error = predictCandidate(candidates[i], subject, buffers))
      return error;
  llvm::stable_sort(candidates, isFaster);
  return candidates;
}

/// From the fastest, the first one, to its best neighbour, until none is better.
llvm::Error climb(std::vector<Candidate> &candidates, const Freedom &freedom,
                  const tune::Subject &subject, tune::BufferCache &buffers, size_t budget) {
  size_t start = 0;
  std::set<std::string> known;
  for (const Candidate &candidate : candidates)
    if (candidate.predicted)
      known.insert(candidate.kernel.name);
  constexpr size_t atOnce = 4; // By the estimate.
  for (bool isBetter = true; isBetter && budget > 0;) {
    isBetter = false;
    std::vector<Candidate> next;
    for (const KernelSpec &spec : neighboursOf(candidates[start].spec, freedom)) {
      std::optional<InputError> misfit;
      auto candidate = estimated(spec, subject, buffers, misfit);
      if (!candidate)
        return candidate.takeError();
      if (*candidate && suits(spec, subject.problem) &&
          known.insert((*candidate)->kernel.name).second)
        next.push_back(std::move(**candidate));
    }
    llvm::stable_sort(
        next, [](const Candidate &x, const Candidate &y) { return x.estimate < y.estimate; });
    for (size_t i = 0; i < std::min(next.size(), atOnce) && budget > 0; ++i, --budget) {
      if (llvm::Error error = predictCandidate(next[i], subject, buffers))
        return error;
      candidates.push_back(std::move(next[i]));
      if (candidates.back().predicted->milliseconds >= candidates[start].predicted->milliseconds)
        continue;
      isBetter = true;
      start = candidates.size() - 1;
    }
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<std::vector<Candidate>> chooseTile(const KernelSpec &spec, const Freedom &freedom,
                                                  const Problem &problem, const Machine &machine,
                                                  Effort effort) {
  KernelSpec base = spec;
  base.processor = machine.device().processor;
  base.swizzle = freedom.swizzles.front();
  const PredictOptions options;
  const tune::Subject subject{machine, problem, base, options.seed};
  tune::BufferCache buffers;
  std::vector<Candidate> candidates;
  std::optional<InputError> misfit; // What the card has no room for is no candidate.
  // They are far from each other: each has its own candidates, and a climb from their best.
  for (const Source source : freedom.sources)
    for (const Sums sums : {Sums::Whole, Sums::InParts}) {
      base.source = source;
      auto next = firstCandidates(base, sums, subject, buffers, effort, misfit);
      if (!next)
        return next.takeError();
      if (next->empty())
        continue;
      if (llvm::Error error = climb(*next, freedom, subject, buffers, effort.neighbours))
        return error;
      std::move(next->begin(), next->end(), std::back_inserter(candidates));
    }
  if (candidates.empty() && misfit)
    return llvm::make_error<InputError>(*misfit);
  if (candidates.empty())
    return makeError(Failure::BadInput, "",
                     fmt::format("--for: no tile fits the other options{}",
                                 spec.edges == generate::Edges::Exact
                                     ? " and divides the size, as --edges exact needs"
                                     : ""));
  llvm::stable_sort(candidates, isFaster);
  return candidates;
}

/// Which matrix a wave has in SGPRs.
static const char *fromScalars(const KernelSpec &spec) {
  if (spec.source != Source::Scalar)
    return "-";
  return spec.order == generate::Order::Column ? "B" : "A";
}

std::string candidateTable(const std::vector<Candidate> &candidates, const Problem &problem) {
  std::string text =
      fmt::format("candidates for {}x{}x{}; all times are predicted, in ms\n"
                  "  block     thread  SGPRs bk stages parts swizzle  estimate  model (interval)\n",
                  problem.m, problem.n, problem.k);
  for (const Candidate &c : candidates) {
    const KernelSpec &s = c.spec;
    text += fmt::format("  {:<9} {:<7} {:<5} {:>2} {:>6} {:>5} {:>7} {:>9.4f}",
                        fmt::format("{}x{}", s.blockRows, s.blockColumns),
                        fmt::format("{}x{}", s.threadRows, s.threadColumns), fromScalars(s), s.bk,
                        s.stages, s.splitK, s.swizzle, c.estimate);
    if (c.predicted)
      text += fmt::format("  {:.4f} ({:.4f} to {:.4f})", c.predicted->milliseconds,
                          c.predicted->low, c.predicted->high);
    text += '\n';
  }
  return text;
}

} // namespace rdna::dualfmac
