#include "Variant.h"

#include "Object/CodeObject.h"
#include "Pipeline/Registry.h"
#include "Run/LaunchDescription.h"
#include "Support/File.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace rdna::rewrite {

namespace {

template <typename T> T unwrap(llvm::Expected<T> value) {
  if (value)
    return std::move(*value);
  std::string text;
  renderError(value.takeError(), "test", text);
  throw std::runtime_error(text);
}

/// CPU time of this thread: what else the machine does is no concern of the pass.
double threadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// F32 FMAs of a block: all, and those that VOPD has or would have if it could negate.
struct FmaCounts {
  unsigned all = 0, pairable = 0;
};

FmaCounts fmasIn(const Module &module, const Block &block) {
  FmaCounts counts;
  for (uint32_t i = block.first; i < block.last; ++i) {
    const Instruction &inst = module.instructions()[i];
    const auto lanes = laneOps(inst);
    for (const LaneOp &lane : lanes) {
      counts.all += isVopdFma(lane.op);
      counts.pairable += isVopdFma(lane.op);
    }
    counts.all += lanes.empty() && (inst.op == Op::v_fma_f32 || inst.op == Op::v_fmac_f32);
    counts.pairable += asNegatedFmac(inst).has_value();
  }
  return counts;
}

struct FmaBlock {
  std::string function, name;
  std::shared_ptr<const Cfg> cfg;
  uint32_t index = 0;
  Block block;
  unsigned depth = 0;
  FmaCounts fmas;
};

std::vector<FmaBlock> fmaBlocks(const Module &module) {
  std::vector<FmaBlock> result;
  for (uint32_t f = 0; f < module.functions().size(); ++f) {
    const auto shared = std::make_shared<const Cfg>(buildCfg(module, f));
    const Cfg &cfg = *shared;
    std::vector<FmaBlock> inLoops, straight;
    for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
      FmaBlock entry{module.functions()[f].name,   "block", shared, b, cfg.blocks[b], 0,
                     fmasIn(module, cfg.blocks[b])};
      const auto loop = cfg.loopOf(b);
      if (loop) {
        entry.name = cfg.loops[*loop].label;
        entry.depth = cfg.loops[*loop].depth;
      }
      if (loop && cfg.loops[*loop].isInnermost() && entry.fmas.pairable > 0)
        inLoops.push_back(std::move(entry));
      else if (!loop && entry.fmas.pairable > 1)
        straight.push_back(std::move(entry));
    }
    std::vector<FmaBlock> &chosen = inLoops.empty() ? straight : inLoops;
    std::move(chosen.begin(), chosen.end(), std::back_inserter(result));
  }
  return result;
}

LoopMetrics measureBlock(const Module &module, const FmaBlock &block) {
  std::vector<uint32_t> instructions;
  for (uint32_t i = block.block.first; i < block.block.last; ++i)
    instructions.push_back(i);
  return measure(module, instructions);
}

/// Of those that Metrics counts: an FMA with modifiers is one only if its destination is its
/// addend, and another register for the one may be none for the other.
unsigned countedFmas(const LoopMetrics &metrics) {
  return 2 * metrics.dualFmac + metrics.singleFmac;
}

/// `uncounted` FMAs are counted in the bound alone.
bool beats(const LoopMetrics &metrics, const BlockBound &bound, unsigned uncounted) {
  const BestCounts &valu = bound.fewestValu, &singles = bound.fewestSingles;
  const unsigned single = metrics.singleFmac + uncounted;
  return metrics.valu < valu.valu || single < singles.singleFmac ||
         (metrics.valu == valu.valu && single < valu.singleFmac) ||
         (single == singles.singleFmac && metrics.valu < singles.valu);
}

bool sameText(const Module &a, const Block &blockA, const Module &b, const Block &blockB) {
  if (blockA.last - blockA.first != blockB.last - blockB.first)
    return false;
  for (uint32_t i = 0; i < blockA.last - blockA.first; ++i)
    if (a.instructionText(a.instructions()[blockA.first + i]) !=
        b.instructionText(b.instructions()[blockB.first + i]))
      return false;
  return true;
}

class Check {
public:
  Check(const test::CompiledKernel &kernel, const RunPlan &plan) : plan_(plan) {
    result_.kernel = kernel;
  }

  VariantResult run() {
    try {
      rewrite();
      recount();
      runBoth();
    } catch (const std::runtime_error &error) {
      problem(error.what());
    }
    return std::move(result_);
  }

private:
  void problem(std::string text) { result_.problems.push_back(std::move(text)); }
  std::unique_ptr<Module> parse(std::string text) const {
    return unwrap(Module::parse(std::move(text), result_.kernel.assembly));
  }
  void rewrite();
  void recount();
  void recountBlock(const FmaBlock &was, const FmaBlock &is);
  void recountKernels();
  void runBoth();
  void judge(const std::vector<run::VerifyCase> &cases);

  const RunPlan &plan_;
  VariantResult result_;
  std::unique_ptr<Module> before_, after_;
};

void Check::rewrite() {
  before_ = parse(unwrap(readInput(result_.kernel.assembly)));
  const double start = threadSeconds();
  const Pipeline pipeline = remapPipeline();
  PipelineResult rewritten = unwrap(runPipeline(parse(std::string(before_->text())), pipeline));
  result_.rewriteSeconds = threadSeconds() - start;
  for (const Diagnostic &remark : rewritten.remarks)
    result_.remarks.push_back(fmt::format("line {}: {}", remark.line, remark.message));
  after_ = parse(rewritten.text);
  PipelineResult again = unwrap(runPipeline(parse(rewritten.text), pipeline));
  if (again.text != rewritten.text)
    problem("a second run on the output changes it");
  result_.text = std::move(rewritten.text);
}

void Check::recount() {
  const std::vector<FmaBlock> was = fmaBlocks(*before_), is = fmaBlocks(*after_);
  if (was.size() != is.size())
    return problem(fmt::format("{} blocks with FMAs became {}", was.size(), is.size()));
  size_t left = 0; // With something to pair: of others nothing is said where the rest has changed.
  for (size_t i = 0; i < was.size(); ++i) {
    recountBlock(was[i], is[i]);
    const BlockResult &block = result_.blocks.back();
    left += block.fate == BlockResult::Fate::Left && was[i].fmas.pairable > 1 && !block.reached()
                ? 1
                : 0;
  }
  if (result_.remarks.size() < left)
    problem(fmt::format("{} blocks with FMAs to pair are left alone, but there are {} remarks",
                        left, result_.remarks.size()));
  recountKernels();
}

void Check::recountBlock(const FmaBlock &was, const FmaBlock &is) {
  BlockResult block;
  block.function = was.function;
  block.name = was.name;
  block.line = before_->instructions()[was.block.first].line;
  block.before = measureBlock(*before_, was);
  block.after = measureBlock(*after_, is);
  block.bound = boundOf(*before_, *was.cfg, was.index);
  block.fate = sameText(*before_, was.block, *after_, is.block) ? BlockResult::Fate::Left
                                                                : BlockResult::Fate::Rewritten;
  const auto worse = [&](const char *what, unsigned before, unsigned after) {
    if (after > before)
      problem(fmt::format("{}: {} {} became {}", block.name, before, what, after));
  };
  const LoopMetrics &a = block.before, &b = block.after;
  worse("VALU instructions", a.valu, b.valu);
  worse("single FMACs", a.singleFmac, b.singleFmac);
  worse("conflicts", a.sourceBankConflicts, b.sourceBankConflicts);
  worse("hazards", a.parityHazards, b.parityHazards);
  if (block.fate == BlockResult::Fate::Rewritten && b.parityHazards != 0)
    problem(fmt::format("{}: {} hazards in a rewritten block", block.name, b.parityHazards));
  if (was.fmas.all != is.fmas.all)
    problem(fmt::format("{}: {} FMAs became {}", block.name, was.fmas.all, is.fmas.all));
  // A bound that code beats is no bound.
  for (const LoopMetrics *metrics : {&a, &b})
    if (beats(*metrics, block.bound,
              countedFmas(a) - std::min(countedFmas(a), countedFmas(*metrics))))
      problem(fmt::format("{}: {} VALU, {} single beat the bound", block.name, metrics->valu,
                          metrics->singleFmac));
  result_.blocks.push_back(std::move(block));
}

void Check::recountKernels() {
  for (uint32_t f = 0; f < before_->functions().size(); ++f) {
    if (!before_->functions()[f].isKernel())
      continue;
    const KernelMetrics was = measureKernel(*before_, f), is = measureKernel(*after_, f);
    result_.wavesBefore = was.occupancy.wavesPerSimd;
    result_.wavesAfter = is.occupancy.wavesPerSimd;
    result_.vgprsBefore = was.vgprs;
    result_.vgprsAfter = is.vgprs;
    if (is.occupancy.wavesPerSimd < was.occupancy.wavesPerSimd)
      problem(fmt::format("{}: {} waves per SIMD became {}", was.name, was.occupancy.wavesPerSimd,
                          is.occupancy.wavesPerSimd));
    if (was.loops.size() != is.loops.size())
      return problem("the number of loops changed");
    for (size_t l = 0; l < was.loops.size(); ++l)
      if (is.loops[l].singleFmac > was.loops[l].singleFmac ||
          is.loops[l].sourceBankConflicts > was.loops[l].sourceBankConflicts ||
          is.loops[l].parityHazards > was.loops[l].parityHazards)
        problem(fmt::format("loop {} as a whole got worse", was.loops[l].header));
  }
}

void Check::runBoth() {
  const run::LaunchDescription description = unwrap(
      run::parseLaunchDescription(unwrap(readInput(result_.kernel.launch)), result_.kernel.launch));
  const object::CodeObject original =
      unwrap(object::loadCodeObjectBytes(before_->text(), result_.kernel.assembly));
  const object::CodeObject rewritten =
      unwrap(object::loadCodeObjectBytes(result_.text, result_.kernel.assembly + " (rewritten)"));
  for (const std::string &finding : object::lint(rewritten))
    problem("lint: " + finding);
  const auto start = std::chrono::steady_clock::now();
  const std::unique_ptr<run::Backend> backend = run::createEmulatorBackend();
  const run::KernelUnderTest is{&rewritten, unwrap(rewritten.kernel(description.kernel))};
  const run::KernelUnderTest was{&original, unwrap(original.kernel(description.kernel))};
  run::VerifyOptions options;
  options.parameters = plan_.parameters;
  options.inputs = plan_.inputs;
  options.exactness = run::Exactness::BitExact;
  options.run.threads = 1;                    // The variants themselves are spread over the cores.
  options.run.instructionBudget = 50'000'000; // A loop for ever is a failure, not a hang.
  result_.bits = VariantResult::Bits::Same;
  const auto compare = [&] {
    judge(unwrap(run::verify(*backend, description, is, was, options)));
    if (plan_.reference == RunPlan::Reference::Host)
      judge(unwrap(run::verify(*backend, description, is, {}, options)));
  };
  compare();
  if (!plan_.sampled.empty()) {
    options.parameters = plan_.sampled;
    options.sampledTiles = 4;
    compare();
  }
  result_.runSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Check::judge(const std::vector<run::VerifyCase> &cases) {
  for (const run::VerifyCase &entry : cases) {
    if (!entry.bitExact)
      result_.bits = VariantResult::Bits::Different;
    for (const std::string &text : entry.problems)
      problem(fmt::format("input {}: {}", entry.input, text));
  }
}

} // namespace

bool BlockResult::reached() const { return shortfall().empty(); }

static std::string shortfallOf(const LoopMetrics &is, const BestCounts &best) {
  std::string text;
  const auto missed = [&](const char *what, unsigned count, unsigned atBest) {
    if (count > atBest)
      text += fmt::format("{}{} {} instead of {}", text.empty() ? "" : ", ", count, what, atBest);
  };
  missed("VALU", is.valu, best.valu);
  missed("single", is.singleFmac, best.singleFmac);
  missed("conflicts", is.sourceBankConflicts, 0);
  return text;
}

std::string BlockResult::shortfall() const {
  const std::string valu = shortfallOf(after, bound.fewestValu),
                    singles = shortfallOf(after, bound.fewestSingles);
  return singles.size() < valu.size() ? singles : valu;
}

bool VariantResult::reached() const {
  return std::all_of(blocks.begin(), blocks.end(),
                     [](const BlockResult &block) { return block.reached(); });
}

VariantResult checkVariant(const test::CompiledKernel &kernel, const RunPlan &plan) {
  return Check(kernel, plan).run();
}

std::vector<VariantResult> checkVariants(const std::vector<test::CompiledKernel> &kernels,
                                         const RunPlan &plan) {
  std::vector<VariantResult> results(kernels.size());
  std::atomic<size_t> next = 0;
  size_t done = 0;
  std::mutex mutex;
  const auto work = [&] {
    for (size_t i = next++; i < kernels.size(); i = next++) {
      results[i] = checkVariant(kernels[i], plan);
      const std::lock_guard lock(mutex);
      std::fprintf(stderr, "[%zu/%zu] %s: %s\n", ++done, kernels.size(), results[i].title().c_str(),
                   results[i].problems.empty() ? "ok" : results[i].problems[0].c_str());
    }
  };
  std::thread other(work);
  work();
  other.join();
  return results;
}

} // namespace rdna::rewrite
