#include "Pipeline/Ways.h"

#include "Analysis/LeastSingles.h"
#include "Pipeline/NeverWorse.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace rdna {
namespace {

/// What a text costs.
struct TextPrice {
  uint64_t executed = 0;  ///< Issue slots, conflicts, hazards and single FMAs, by weight of loops.
  uint64_t conflicts = 0; ///< In the text.
  uint64_t fmas = 0;      ///< Instructions with F32 FMAs, roughly what there is to be searched.
  uint64_t pairable = 0;  ///< Single FMAs that nothing is known to keep single.
  uint64_t kept = 0;      ///< What loops have of operand caches and of the rotation of banks.
};

bool isWanted(const Function &function, const Pipeline &pipeline) {
  return pipeline.request.kernel.empty() || function.name == pipeline.request.kernel;
}

/// Executions of a block, as far as that is guessed.
uint64_t weightOf(const Cfg &cfg, uint32_t block) {
  constexpr unsigned kDeepest = 4, kIterations = 32;
  const auto loop = cfg.loopOf(block);
  uint64_t weight = 1;
  for (unsigned depth = loop ? std::min(cfg.loops[*loop].depth, kDeepest) : 0; depth > 0; --depth)
    weight *= kIterations;
  return weight;
}

TextPrice priceOf(const Module &module, const Pipeline &pipeline) {
  TextPrice price;
  for (uint32_t f = 0; f < module.functions().size(); ++f) {
    const Function &function = module.functions()[f];
    if (!isWanted(function, pipeline))
      continue;
    const Cfg cfg = buildCfg(module, f);
    for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
      const CodeCounts counts = countRange(module, cfg.blocks[b].first, cfg.blocks[b].last);
      price.executed += weightOf(cfg, b) *
                        (4 * (counts.valu + counts.conflicts + counts.hazards) + counts.singleFmas);
      price.conflicts += counts.conflicts;
    }
    for (const Loop &loop : cfg.loops) {
      const LoopMetrics metrics = measureLoop(module, cfg, loop);
      price.kept += metrics.src0Reuse + metrics.src1Reuse + metrics.destinationRotation;
    }
    std::vector<uint32_t> all(function.last - function.first);
    std::iota(all.begin(), all.end(), function.first);
    const LeastSingles least = leastSingles(module, cfg, all);
    const LoopMetrics metrics = measure(module, all);
    const uint64_t none = least.odd + least.chained + least.dependent;
    price.fmas += metrics.dualFmac + metrics.singleFmac;
    price.pairable += metrics.singleFmac - std::min<uint64_t>(metrics.singleFmac, none);
  }
  return price;
}

/// What no way may make worse, of any function.
bool isWorse(const Module &was, const Module &is, const Pipeline &pipeline) {
  for (uint32_t f = 0; f < was.functions().size(); ++f)
    if (isWanted(was.functions()[f], pipeline) &&
        whatIsWorse({was, is, f, 0, nullptr}, Proposal(), pipeline.request))
      return true;
  return false;
}

class Ways {
public:
  Ways(const Pipeline &pipeline, Passage &passage)
      : pipeline_(pipeline), passage_(passage), asGiven_(startOf(passage)),
        was_(priceOf(*passage.module, pipeline)) {}

  llvm::Error run() {
    if (llvm::Error error = takeTurns(pipeline_, passage_))
      return error;
    best_ = priceOf(*passage_.module, pipeline_);
    if (passage_.result.givenUp)
      return llvm::Error::success();
    // A text in which the passes find nothing is an end in any order of them.
    for (const OtherWay &way : pipeline_.ways)
      if (way.first.empty() && passage_.module->text() != asGiven_.text && isMuchLeft())
        if (auto gained = tryFrom(asGiven_, way); !gained)
          return gained.takeError();
    bool goesOn = true;
    for (unsigned round = 0; goesOn && round < pipeline_.mostRounds; ++round) {
      goesOn = false;
      for (const OtherWay &way : pipeline_.ways) {
        if (way.first.empty() || !isOpen())
          continue;
        auto gained = tryFrom(startOf(passage_), way);
        if (!gained)
          return gained.takeError();
        goesOn |= *gained;
      }
    }
    return llvm::Error::success();
  }

private:
  /// All is searched again, so only where that is soon done.
  static constexpr uint64_t kMostFmas = 512;

  /// Is there something left, and can it be paid for to look for it?
  bool isOpen() const { return best_.fmas <= kMostFmas && best_.pairable + best_.conflicts > 1; }
  /// More than a tenth of what there was: to begin anew takes longer than to go on.
  bool isMuchLeft() const {
    return isOpen() && best_.fmas <= kMostFmas / 2 &&
           (10 * best_.pairable > was_.pairable || 10 * best_.conflicts > was_.conflicts);
  }

  /// A text that ways begin with.
  struct Start {
    std::string text, file;
    UserLines lines;
    RoundWords words;
    std::vector<StepReport> steps;
  };
  static Start startOf(const Passage &passage) {
    return {std::string(passage.module->text()), std::string(passage.module->file()), passage.lines,
            passage.words, passage.result.steps};
  }

  /// Goes one way; if its end is the best, it is the passage. Proofs take longest, so most ways are
  /// gone without, to see where they end; what is kept is made once more, and proven.
  llvm::Expected<bool> tryFrom(const Start &start, const OtherWay &way) {
    for (const Proofs proofs : {Proofs::Skipped, Proofs::Made}) {
      auto other = go(start, way, proofs);
      if (!other)
        return other.takeError();
      if (!*other)
        return false;
      const TextPrice price = priceOf(*(*other)->module, pipeline_);
      auto isBest = isBetter(*(*other)->module, price);
      if (!isBest)
        return isBest.takeError();
      if (!*isBest)
        return false;
      if (proofs == Proofs::Made) {
        best_ = price;
        passage_ = std::move(**other);
      }
    }
    return true;
  }

  /// Nothing if the way's own passes find nothing to do.
  llvm::Expected<std::optional<Passage>> go(const Start &start, const OtherWay &way,
                                            Proofs proofs) const {
    auto module = Module::parse(start.text, start.file);
    if (!module)
      return module.takeError();
    Passage other{std::move(*module), start.lines, start.words, {}};
    other.result.steps = start.steps;
    Pipeline pipeline = pipeline_;
    pipeline.proofs = proofs;
    if (!way.first.empty()) {
      pipeline.passes = way.first;
      pipeline.rounds = Rounds::One;
      if (llvm::Error error = takeTurns(pipeline, other))
        return error;
      if (other.module->text() == start.text)
        return std::optional<Passage>();
    }
    pipeline.passes = way.passes;
    pipeline.rounds = pipeline_.rounds;
    if (llvm::Error error = takeTurns(pipeline, other))
      return error;
    return std::optional<Passage>(std::move(other));
  }

  llvm::Expected<bool> isBetter(const Module &module, const TextPrice &price) const {
    // Orders that are made for a loop's tile keep operands; a tenth of that is not argued about.
    if (price.executed >= best_.executed || 10 * price.kept < 9 * best_.kept)
      return false;
    auto given = Module::parse(asGiven_.text, asGiven_.file);
    if (!given)
      return given.takeError();
    return !isWorse(**given, module, pipeline_);
  }

  const Pipeline &pipeline_;
  Passage &passage_; ///< The best end so far.
  const Start asGiven_;
  const TextPrice was_;
  TextPrice best_;
};

} // namespace

llvm::Error takeBestWay(const Pipeline &pipeline, Passage &passage) {
  if (pipeline.ways.empty())
    return takeTurns(pipeline, passage);
  return Ways(pipeline, passage).run();
}

} // namespace rdna
