// Loop after loop; one that is unrolled may leave the loop around it with one block.

#include "Pipeline/NeverWorse.h"
#include "Pipeline/Passes.h"
#include "Transform/Unroll.h"
#include "Verify/Opaque.h"
#include "Verify/Verify.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {
namespace {

LoopMetrics measureRange(const Module &module, uint32_t first, uint32_t last) {
  std::vector<uint32_t> instructions;
  for (uint32_t i = first; i < last; ++i)
    instructions.push_back(i);
  return measure(module, instructions);
}

/// Has the loop so many iterations at a time already?
bool isWrittenOut(const PassSite &site, const Loop &loop) {
  const Function &function = site.function();
  const auto &labels = site.module.labels(); // In text order.
  auto label = std::partition_point(labels.begin(), labels.end(),
                                    [&](const Label &l) { return l.instruction < function.first; });
  for (; label != labels.end() && label->instruction < function.last; ++label)
    if (isRestLabel(label->name) && loop.contains(site.cfg.blockOf(label->instruction)))
      return true;
  return false;
}

/// What the judge needs of a rewrite.
struct Unrolled {
  std::string label;
  uint32_t first, last; ///< The loop's block in the old text.
  uint32_t line;
  uint64_t iterations;
  UnrollRewrite::Extent extent;
  std::string rest;
  unsigned scalarsFolded, offsetsFolded;
};

Verdict judge(const Derived &derived, const Unrolled &loop, StepReport &report) {
  const Function &was = derived.before.functions()[derived.function];
  const Function &is = derived.after.functions()[derived.function];
  // The function has as many more instructions as the block has grown by.
  const uint32_t first = is.first + (loop.first - was.first);
  const uint32_t end = is.last - (was.last - loop.last);
  const bool isFull = loop.extent == UnrollRewrite::Extent::Full;
  const LoopMetrics before = measureRange(derived.before, loop.first, loop.last);
  const uint32_t last = isFull ? end : *derived.after.labelTarget(loop.rest);
  const LoopMetrics after = measureRange(derived.after, first, last);
  uint64_t bytes = 0; // Of the loop's code, with what is left over; the cache holds 32 KiB.
  for (uint32_t i = first; i < end; ++i)
    bytes += derived.after.instructions()[i].sizeBytes;
  report.name = loop.label;
  report.add("trips", loop.iterations);
  report.add("extent", isFull ? "full" : "guarded");
  report.add("scalar_instructions_folded", loop.scalarsFolded);
  report.add("offsets_folded", loop.offsetsFolded);
  report.add("code_bytes", bytes);
  report.add("before", before); // Of one iteration.
  report.add("after", after);   // Of the code that these iterations are in now.
  report.summary =
      fmt::format("{} iterations {}, instructions {} -> {}, VALU {} -> {}, dual FMAC {} -> {}, LDS "
                  "loads {} -> {}, "
                  "{} bytes",
                  loop.iterations, isFull ? "unrolled" : "at a time",
                  loop.iterations * before.instructions, after.instructions,
                  loop.iterations * before.valu, after.valu, loop.iterations * before.dualFmac,
                  after.dualFmac, loop.iterations * before.dsLoads, after.dsLoads, bytes);
  const auto leave = [&](const std::string &what) -> Verdict {
    return {.kind = Verdict::Kind::Leave,
            .remark = derived.before.atLine(
                loop.line, fmt::format("{} is not unrolled: it would have {}", loop.label, what),
                Severity::Remark)};
  };
  if (after.instructions > loop.iterations * before.instructions)
    return leave("more instructions");
  // The code that is there for so many iterations against as many iterations of the loop.
  CodeCounts iterations;
  iterations.add(countRange(derived.before, loop.first, loop.last), loop.iterations);
  iterations.repeatedConflicts = 0;
  if (const auto worse = whatIsWorse(iterations, countRange(derived.after, first, last)))
    return leave(*worse);
  return {};
}

Proposal propose(const PassSite &site, const Loop &loop, uint32_t line, UnrollRewrite rewrite) {
  const Block &body = site.cfg.blocks[loop.header];
  Proposal proposal;
  proposal.edits = std::move(rewrite.edits);
  proposal.claim.points[body.first] =
      rewrite.extent == UnrollRewrite::Extent::Full
          ? Point{.arrivals = Point::kNone}
          : Point{.arrivals = static_cast<unsigned>(rewrite.iterations), .ownBranches = 1};
  proposal.sgprs = rewrite.sgprs;
  proposal.cleanup = Cleanup::Copies;
  proposal.what = fmt::format("unrolling {}", loop.label);
  proposal.line = line;
  const Unrolled unrolled{loop.label,           body.first,     body.last,    line,
                          rewrite.iterations,   rewrite.extent, rewrite.rest, rewrite.scalarsFolded,
                          rewrite.offsetsFolded};
  proposal.judgeEdited = [unrolled](const Derived &derived, StepReport &report) {
    return judge(derived, unrolled, report);
  };
  return proposal;
}

} // namespace

llvm::Expected<PassResult> unrollLoops(const PassSite &site, PassState &state) {
  if (state.last == PassState::Last::Kept) {
    // The loop around it may have one block now, and only the last remarks are about the result.
    state.seen.clear();
    state.remarks.clear();
  }
  const auto remark = [&](uint32_t line, const std::string &text) {
    state.remarks.push_back(site.module.atLine(line, text, Severity::Remark));
  };
  if (const auto opaque = verify::findOpaque(site.module, site.cfg)) {
    // Nothing in it can be proven.
    if (!site.cfg.loops.empty())
      remark(site.module.instructions()[opaque->instruction].line,
             fmt::format("'{}' is not unrolled: this {}", site.function().name, opaque->reason));
    return PassResult{};
  }
  UnrollOptions options;
  options.mostBytes = static_cast<uint32_t>(site.values.number("max-code-bytes"));
  options.findFaults = checkStructure;
  if (const uint64_t factor = site.values.number("unroll"))
    options.factor = static_cast<unsigned>(factor);
  for (uint32_t l = 0; l < site.cfg.loops.size(); ++l) {
    const Loop &loop = site.cfg.loops[l];
    if (!loop.isInnermost() || loop.label.empty() || !site.wants(l) ||
        !state.seen.insert(loop.label).second || isWrittenOut(site, loop))
      continue;
    UnrollOutcome outcome = unrollLoop(site.module, site.cfg, loop, options);
    if (outcome.rewrite)
      return PassResult{propose(site, loop, outcome.line, std::move(*outcome.rewrite))};
    remark(outcome.line, fmt::format("{} is not unrolled: {}", loop.label, outcome.reason));
  }
  return PassResult{};
}

} // namespace rdna
