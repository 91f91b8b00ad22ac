// How good are rankings of kernels? ALCOP's tables over the timing model: the best by the model in
// the first 10 and 50 of each ranking, as a share of the best of an exhaustive sweep, beside what
// was published of measurements on an A100.
//
//   dualfmac-sched tune run --for 7900xtx --size 512x512x512 --best 0 --db sweep.db
//   rdna-AlcopTable sweep.db [SEED]
#include "Ranker.h"

#include "Support/Random.h"
#include "Tune/Report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <tuple>

using namespace rdna;
using namespace rdna::tune;

namespace {

struct Kernel {
  Elements elements = Elements::Lds;
  unsigned rows = 0, columns = 0, threadRows = 0, threadColumns = 0, bk = 0, stages = 0,
           fragments = 0, swizzle = 0, splitK = 0;
  double vgprs = 0, lds = 0, waves = 0;
  double estimate = 0, model = 0, bottleneck = 0;
};

/// Clocks of what is asked most of, and nothing of latencies: FMACs of a pair each clock, LDS, and
/// lines from L2.
double bottleneckOf(const Kernel &k, const Problem &p, const timing::Machine &machine) {
  const double blocks = std::ceil(double(p.m) / k.rows) * std::ceil(double(p.n) / k.columns);
  const double perUnit = std::ceil(blocks * k.splitK / machine.device().cus);
  const double fmacs = perUnit * k.rows * k.columns * p.k / k.splitK;
  const double compute = fmacs / 128;
  const bool isDirect = k.elements == Elements::Direct; // Each wave loads its own columns.
  const double fromLds = k.elements == Elements::Lds ? double(k.threadRows + k.threadColumns)
                         : isDirect                  ? 0.0
                                                     : double(k.threadColumns);
  const double lds = fmacs / k.threadRows / k.threadColumns * fromLds * 4 / 128;
  const double columns = isDirect ? double(k.columns) * k.rows / k.threadRows : double(k.columns);
  const double lines =
      blocks * (double(k.rows) + columns) * p.k * 4 / machine[timing::Constant::L2BytesPerClock];
  return std::max({compute, lds, lines});
}

std::vector<Kernel> kernelsOf(const StudyReport &report, const timing::Machine &machine) {
  std::vector<Kernel> kernels;
  for (const Row &row : report.rows) {
    Kernel k;
    std::string spec = row.spec;
    for (const Elements elements : {Elements::Scalar, Elements::Direct})
      if (const size_t at = spec.find(fmt::format(" {} ", toString(elements)));
          at != std::string::npos) {
        k.elements = elements;
        spec.erase(at, toString(elements).size() + 1);
      }
    if (!row.model || row.model->verdict != Outcome::Verdict::Fits ||
        std::sscanf(spec.c_str(), "%ux%u %ux%u k%u s%u f%u w%u z%u", &k.rows, &k.columns,
                    &k.threadRows, &k.threadColumns, &k.bk, &k.stages, &k.fragments, &k.swizzle,
                    &k.splitK) != 9)
      continue;
    k.vgprs = row.estimate->vgprs;
    k.lds = row.estimate->ldsBytes;
    k.waves = row.estimate->wavesPerSimd;
    k.estimate = row.estimate->milliseconds;
    k.model = row.model->milliseconds;
    k.bottleneck = bottleneckOf(k, report.study.problem, machine);
    kernels.push_back(k);
  }
  // By time would tell rankings with ties what is best.
  std::sort(kernels.begin(), kernels.end(), [](const Kernel &a, const Kernel &b) {
    return std::tie(a.elements, a.rows, a.columns, a.threadRows, a.threadColumns, a.bk, a.stages,
                    a.fragments, a.swizzle, a.splitK) <
           std::tie(b.elements, b.rows, b.columns, b.threadRows, b.threadColumns, b.bk, b.stages,
                    b.fragments, b.swizzle, b.splitK);
  });
  return kernels;
}

bench::Features featuresOf(const Kernel &k, const Problem &p) {
  const double blocks = std::ceil(double(p.m) / k.rows) * std::ceil(double(p.n) / k.columns);
  bench::Features features;
  for (const double value :
       {double(k.rows), double(k.columns), double(k.threadRows), double(k.threadColumns),
        double(k.bk), double(k.stages), double(k.fragments), double(k.swizzle), double(k.splitK),
        k.vgprs, k.lds, k.waves, blocks, double(k.rows) * k.columns,
        double(k.threadRows) * k.threadColumns, blocks * k.splitK / 96})
    features.push_back(static_cast<float>(std::log2(std::max(value, 1.0 / 1024)))); // No LDS.
  features.push_back(static_cast<float>(k.elements));
  return features;
}

double bestOf(const std::vector<Kernel> &kernels, const std::vector<size_t> &order, size_t count) {
  double best = kernels[order.front()].model;
  for (size_t n = 0; n < std::min(count, order.size()); ++n)
    best = std::min(best, kernels[order[n]].model);
  return best;
}

std::vector<size_t> orderBy(size_t count, const std::function<double(size_t)> &key) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return key(a) < key(b); });
  return order;
}

enum class Begin { WithEstimates, WithNothing };

/// The kernels in the order in which they are tried: five at a time, each time those that the
/// ranker likes best after all that it has seen. Without estimates the first five are drawn.
std::vector<size_t> learnedOrder(const std::vector<Kernel> &kernels, const Problem &problem,
                                 Begin begin, size_t trials, uint64_t seed) {
  std::vector<bench::Features> features;
  std::vector<double> estimates;
  for (const Kernel &k : kernels) {
    features.push_back(featuresOf(k, problem));
    estimates.push_back(k.estimate);
  }
  bench::Ranker ranker(features, seed);
  std::vector<size_t> all(kernels.size()), tried;
  std::iota(all.begin(), all.end(), size_t{0});
  if (begin == Begin::WithEstimates)
    ranker.learn(all, estimates, 80);
  Random random(seed);
  std::vector<char> isTried(kernels.size());
  std::vector<double> times;
  while (tried.size() < std::min(trials, kernels.size())) {
    const bool isDrawn = begin == Begin::WithNothing && tried.empty();
    const std::vector<float> scores = isDrawn ? std::vector<float>() : ranker.scores();
    std::vector<uint32_t> draws(kernels.size());
    for (uint32_t &draw : draws)
      draw = random.below(1u << 30);
    const auto order = orderBy(
        kernels.size(), [&](size_t n) { return isDrawn ? double(draws[n]) : double(scores[n]); });
    size_t added = 0;
    for (size_t n = 0; n < order.size() && added < 5; ++n)
      if (!isTried[order[n]]) {
        isTried[order[n]] = 1;
        tried.push_back(order[n]);
        times.push_back(kernels[order[n]].model);
        ++added;
      }
    ranker.learn(tried, times, 12);
  }
  return tried;
}

void printLine(const char *name, const std::vector<Kernel> &kernels,
               const std::vector<size_t> &order, double best, const char *published) {
  fmt::print("  {:<44} {:>6.1f} % {:>6.1f} %   {}\n", name, 100 * best / bestOf(kernels, order, 10),
             100 * best / bestOf(kernels, order, 50), published);
}

void printAblation(const std::vector<Kernel> &kernels, double best) {
  const auto without = [&](const char *name, const std::function<bool(const Kernel &)> &keep) {
    double found = 0;
    for (const Kernel &k : kernels)
      if (keep(k) && (found == 0 || k.model < found))
        found = k.model;
    if (found != 0)
      fmt::print("  {:<44} {:.4f} ms, {:.1f} % of the best\n", name, found, 100 * best / found);
  };
  without("one stage, one set of fragments",
          [](const Kernel &k) { return k.stages == 1 && k.fragments == 1; });
  without("one set of fragments (no second level)",
          [](const Kernel &k) { return k.fragments == 1; });
  without("one stage (no second buffer in LDS)", [](const Kernel &k) { return k.stages == 1; });
  for (const Elements elements : {Elements::Lds, Elements::Scalar, Elements::Direct})
    without(fmt::format("elements: {}", toString(elements)).c_str(),
            [elements](const Kernel &k) { return k.elements == elements; });
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2 && argc != 3) {
    fmt::print(stderr, "usage: rdna-AlcopTable DATABASE [SEED]\n");
    return 1;
  }
  const uint64_t seed = argc == 3 ? std::strtoull(argv[2], nullptr, 10) : 1;
  llvm::ExitOnError orExit("rdna-AlcopTable: ");
  auto store = orExit(Store::open(argv[1], Store::Missing::IsError));
  for (const StudyReport &report : reportOf(orExit(store->rows()))) {
    const timing::Machine machine = orExit(timing::machineByName(report.study.device));
    const std::vector<Kernel> kernels = kernelsOf(report, machine);
    if (kernels.size() < 50)
      continue;
    const auto by = [&](double Kernel::*time) {
      return orderBy(kernels.size(), [&](size_t n) { return kernels[n].*time; });
    };
    const double best = kernels[by(&Kernel::model).front()].model;
    fmt::print("{} on {}, {}: {} kernels, the best {:.4f} ms (predicted), seed {}\n",
               toString(report.study.problem), report.study.device, report.study.base,
               kernels.size(), best, seed);
    fmt::print("  {:<44} {:>8} {:>8}   {}\n", "best of the first, of the best of all", "10", "50",
               "published");
    printLine("analytical estimate", kernels, by(&Kernel::estimate), best, "79 %  92 %");
    printLine("bottleneck", kernels, by(&Kernel::bottleneck), best, "75 %  88 %");
    const Problem &problem = report.study.problem;
    printLine("learned, pre-trained on the estimate", kernels,
              learnedOrder(kernels, problem, Begin::WithEstimates, 50, seed), best, "95 %  99 %");
    printLine("learned, from nothing", kernels,
              learnedOrder(kernels, problem, Begin::WithNothing, 50, seed), best,
              "70 to 79 %  86 to 92 %");
    printAblation(kernels, best);
  }
  return 0;
}
