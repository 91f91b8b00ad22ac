// Is a kernel right? At sizes that reach every edge and at ones that are whole tiles, with every
// check of the emulator, bit for bit.
#include "Tune/Measure.h"

#include "Object/CodeObject.h"
#include "Run/Compare.h"
#include "Run/Verify.h"
#include "Support/Diagnostic.h"

#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace rdna::tune {

using generate::KernelSpec;
using generate::KernelText;

/// Two blocks in each direction, and more than two steps of K in each part of it.
static std::vector<Problem> sizesFor(const KernelSpec &s) {
  const unsigned steps = s.bk * s.splitK;
  std::vector<Problem> sizes = {{2 * s.blockRows, 2 * s.blockColumns, 4 * steps}};
  if (s.edges == generate::Edges::Guarded)
    sizes.push_back({s.blockRows + 3, s.blockColumns + 5, 2 * steps + 3});
  return sizes;
}

static run::Parameters parametersOf(const Problem &p) {
  return {{"M", p.m}, {"N", p.n}, {"K", p.k}};
}

static Outcome wrong(std::string reason) {
  Outcome outcome;
  outcome.verdict = Outcome::Verdict::Wrong;
  outcome.reason = std::move(reason);
  return outcome;
}

namespace {

/// A K in parts: each is summed in the order of k, then the parts in theirs.
class SplitCheck {
public:
  SplitCheck(const KernelText &kernel, const KernelSpec &spec, uint64_t seed)
      : kernel_(kernel), spec_(spec), seed_(seed) {}
  /// What is wrong, or nothing.
  llvm::Expected<std::string> run(const object::CodeObject &object, const Problem &problem) const;

private:
  llvm::Expected<run::ResolvedLaunch> launchOf(const std::string &text,
                                               const Problem &problem) const;
  /// Where the matrices lie: as for the kernel with the same layout that does not split.
  llvm::Expected<run::GemmShape> matrices(const Problem &problem) const;
  llvm::Expected<std::string> runOne(const object::CodeObject &object,
                                     const run::ResolvedLaunch &launch,
                                     run::BufferSet &buffers) const;
  std::string compare(const run::GemmShape &gemm, const std::vector<std::vector<std::byte>> &before,
                      const run::BufferSet &buffers) const;

  const KernelText &kernel_;
  const KernelSpec &spec_;
  uint64_t seed_;
};

llvm::Expected<run::ResolvedLaunch> SplitCheck::launchOf(const std::string &text,
                                                         const Problem &problem) const {
  auto description = run::parseLaunchDescription(text, kernel_.name + ".json");
  if (!description)
    return description.takeError();
  return run::resolve(*description, parametersOf(problem));
}

llvm::Expected<run::GemmShape> SplitCheck::matrices(const Problem &problem) const {
  KernelSpec whole = spec_;
  whole.splitK = 1;
  auto shape = generate::shapeOf(whole);
  if (!shape)
    return shape.takeError();
  auto launch = launchOf(generate::launchOf(*shape, generate::Part::Product), problem);
  if (!launch)
    return launch.takeError();
  return *launch->gemm;
}

llvm::Expected<std::string> SplitCheck::runOne(const object::CodeObject &object,
                                               const run::ResolvedLaunch &launch,
                                               run::BufferSet &buffers) const {
  auto entry = object.kernel(launch.kernel);
  if (!entry)
    return entry.takeError();
  const auto backend = run::createEmulatorBackend();
  auto loaded = backend->load(object, **entry);
  if (!loaded)
    return loaded.takeError();
  run::RunOptions options;
  options.threads = 1;
  options.checks = emu::CheckSet::all();
  auto outcome = (*loaded)->run(launch, buffers, options);
  if (!outcome)
    return outcome.takeError();
  if (!outcome->bounds.empty())
    return run::describeWithLine(outcome->bounds.front());
  if (!outcome->findings.empty())
    return fmt::format("line {}: {}", outcome->findings.front().line,
                       outcome->findings.front().finding.message);
  return std::string();
}

std::string SplitCheck::compare(const run::GemmShape &g,
                                const std::vector<std::vector<std::byte>> &before,
                                const run::BufferSet &buffers) const {
  const auto at = [](const std::byte *bytes, uint64_t index) {
    float value = 0;
    std::memcpy(&value, bytes + 4 * index, 4);
    return value;
  };
  const std::byte *a = before[g.a.buffer].data(), *b = before[g.b.buffer].data();
  const uint64_t steps = uint64_t{spec_.bk} * spec_.splitK;
  const uint64_t length = llvm::divideCeil(g.k, steps) * spec_.bk;
  for (uint64_t row = 0; row < g.m; ++row)
    for (uint64_t column = 0; column < g.n; ++column) {
      float total = 0;
      for (uint64_t part = 0; part < spec_.splitK; ++part) {
        float sum = 0;
        for (uint64_t k = part * length; k < std::min(g.k, (part + 1) * length); ++k)
          sum = std::fma(at(a, g.a.at(row, k, 0)), at(b, g.b.at(k, column, 0)), sum);
        total = part == 0 ? sum : total + sum;
      }
      const float old = at(before[g.c.buffer].data(), g.c.at(row, column, 0));
      const float wanted = std::fma(g.alpha, total, g.beta * old);
      const float got = at(buffers.buffers()[g.d.buffer].bytes.data(), g.d.at(row, column, 0));
      if (std::memcmp(&got, &wanted, 4) != 0)
        return fmt::format("row {}, column {}: got {}, expected {}", row, column, got, wanted);
    }
  return {};
}

llvm::Expected<std::string> SplitCheck::run(const object::CodeObject &object,
                                            const Problem &problem) const {
  auto product = launchOf(kernel_.launch, problem);
  if (!product)
    return product.takeError();
  auto sum = launchOf(kernel_.sumLaunch, problem);
  if (!sum)
    return sum.takeError();
  auto gemm = matrices(problem);
  if (!gemm)
    return gemm.takeError();
  auto buffers = run::BufferSet::allocate(*product);
  if (!buffers)
    return buffers.takeError();
  (*buffers)->fill(seed_);
  const auto before = (*buffers)->snapshot();
  for (const run::ResolvedLaunch *launch : {&*product, &*sum}) {
    auto problemOfRun = runOne(object, *launch, **buffers);
    if (!problemOfRun || !problemOfRun->empty())
      return problemOfRun;
    (*buffers)->buffers().back().facts.init = run::Init::Zero; // The workspace is written now.
  }
  return compare(*gemm, before, **buffers);
}

} // namespace

static llvm::Expected<Outcome> verifySplit(const object::CodeObject &object,
                                           const KernelText &kernel, const KernelSpec &spec,
                                           uint64_t seed) {
  std::string sizes;
  for (const Problem &size : sizesFor(spec)) {
    auto problem = SplitCheck(kernel, spec, seed).run(object, size);
    if (!problem)
      return problem.takeError();
    if (!problem->empty())
      return wrong(fmt::format("{}: {}", toString(size), *problem));
    sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", toString(size));
  }
  Outcome outcome;
  outcome.reason =
      fmt::format("bit-exact with the parts of K in their order, all checks, at {}", sizes);
  return outcome;
}

llvm::Expected<Outcome> verifyKernel(const KernelText &kernel, const Point &point, uint64_t seed) {
  auto object = object::loadCodeObjectBytes(kernel.text, kernel.name + ".s");
  if (!object)
    return object.takeError();
  if (point.spec.splitK > 1)
    return verifySplit(*object, kernel, point.spec, seed);
  auto description = run::parseLaunchDescription(kernel.launch, kernel.name + ".json");
  if (!description)
    return description.takeError();
  auto entry = object->kernel(description->kernel);
  if (!entry)
    return entry.takeError();
  run::VerifyOptions options;
  options.seed = seed;
  options.exactness = run::Exactness::BitExact;
  options.bounds = run::BoundsPolicy::Error;
  options.run.threads = 1;
  options.run.checks = emu::CheckSet::all();
  options.parameters.clear();
  for (const Problem &size : sizesFor(point.spec))
    options.parameters.push_back(parametersOf(size));
  const auto backend = run::createEmulatorBackend();
  auto cases = run::verify(*backend, *description, {&*object, *entry}, {}, options);
  if (!cases)
    return cases.takeError();
  std::string sizes;
  for (const run::VerifyCase &done : *cases) {
    const auto &p = done.parameters;
    const std::string size = fmt::format("{}x{}x{}", p.at("M"), p.at("N"), p.at("K"));
    if (!done.problems.empty())
      return wrong(fmt::format("{}: {}", size, done.problems.front()));
    sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", size);
  }
  Outcome outcome;
  outcome.reason = fmt::format("bit-exact with the sequential order, all checks, at {}", sizes);
  return outcome;
}

} // namespace rdna::tune
