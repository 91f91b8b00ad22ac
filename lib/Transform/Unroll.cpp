#include "Transform/Unroll.h"

#include "Code/Build.h"
#include "Isa/OpTraits.h"
#include "Symbolic/BlockValues.h"
#include "Transform/CopyCode.h"
#include "Transform/TripCountCheck.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {
namespace {

/// More iterations than any code could be unrolled for, and instructions to count them by.
constexpr uint64_t kMostIterations = 65536, kMostCounted = 1 << 20;

constexpr std::string_view kPrefix = ".Lrdnakit_", kRest = "rest";

class Unroller {
public:
  Unroller(const Module &module, const Cfg &cfg, const Loop &loop, const UnrollOptions &options)
      : module_(module), cfg_(cfg), loop_(loop), options_(options), body_(cfg.blocks[loop.header]),
        branch_(inst(body_.last - 1)) {}

  UnrollOutcome run() {
    UnrollOutcome outcome;
    const bool isDone = canCopy() && (isCounted() ? writeAll() : writeGuarded());
    outcome.line = line_ ? line_ : inst(body_.first).line;
    outcome.reason = reason_;
    if (isDone)
      outcome.rewrite = std::move(rewrite_);
    return outcome;
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }
  bool refuse(uint32_t line, std::string reason) {
    line_ = line;
    reason_ = std::move(reason);
    return false;
  }

  bool canCopy() {
    if (loop_.blocks.size() != 1)
      return refuse(branch_.line, "the loop has more than one block");
    if (branch_.op != Op::s_cbranch_scc0 && branch_.op != Op::s_cbranch_scc1)
      return refuse(branch_.line, "the loop does not end with a branch on SCC");
    for (uint32_t i = body_.first; i < body_.last; ++i)
      if (inst(i).writesUnit(kExecLo) || inst(i).writesUnit(kExecHi))
        return refuse(inst(i).line, "the loop changes EXEC");
    const auto obstacle = obstacleToCopy(module_, body_);
    return !obstacle || refuse(obstacle->line, obstacle->reason);
  }

  /// Constants when the loop is entered, as far as the proof knows them too: where paths meet it
  /// has forgotten what was written on one of them, be it the same on all.
  KnownScalars constantsAtEntry() const {
    KnownScalars known = scalarsAtStart(module_, cfg_, loop_.header, OwnEdges::Ignore);
    verify::ExprPool pool;
    verify::BlockValues values(module_, cfg_, pool);
    for (const uint32_t before : body_.predecessors) {
      if (before == loop_.header || !cfg_.blocks[before].reachable)
        continue;
      const verify::State &state = values.atEnd(before);
      for (unsigned i = 0; i < kRegUnits; ++i)
        if (known[i] && pool.asConstant(state.reg[i]) != known[i])
          known[i].reset();
    }
    return known;
  }

  uint64_t mostIterations() const {
    return std::min(kMostIterations, kMostCounted / (body_.last - body_.first) + 1);
  }
  /// Does the trip count follow from constants, and are they to be written out all?
  bool isCounted() {
    atEntry_ = constantsAtEntry();
    const uint64_t most = options_.factor.value_or(mostIterations());
    KnownScalars state = atEntry_;
    for (uint64_t iterations = 1; iterations <= most; ++iterations) {
      for (uint32_t i = body_.first; i < body_.last; ++i)
        foldInto(inst(i), state);
      if (!state[kScc.index])
        return false;
      if ((branch_.op == Op::s_cbranch_scc1) != (*state[kScc.index] != 0)) {
        rewrite_.iterations = iterations;
        return true;
      }
    }
    isEndless_ = true;
    return false;
  }

  /// The loop's copies, and every loop around it with them: what goes round wants to stay in the
  /// instruction cache as a whole.
  bool fits(uint64_t iterations) {
    const auto bytesOf = [this](const Block &block) {
      uint64_t bytes = 0;
      for (uint32_t i = block.first; i < block.last; ++i)
        bytes += inst(i).sizeBytes;
      return bytes;
    };
    const uint64_t once = bytesOf(body_), copies = once * iterations;
    if (copies > options_.mostBytes)
      return refuse(branch_.line,
                    fmt::format("its {} iterations would be {} bytes of code, more than {} "
                                "(--max-code-bytes)",
                                iterations, copies, options_.mostBytes));
    for (std::optional<uint32_t> around = loop_.parent; around;
         around = cfg_.loops[*around].parent) {
      uint64_t bytes = copies - once;
      for (const uint32_t b : cfg_.loops[*around].blocks)
        bytes += bytesOf(cfg_.blocks[b]);
      if (bytes > options_.mostBytes)
        return refuse(branch_.line,
                      fmt::format("with its {} iterations a loop around it would be {} bytes of "
                                  "code, more than {} (--max-code-bytes)",
                                  iterations, bytes, options_.mostBytes));
    }
    return true;
  }

  bool copiesHazard() {
    const auto hazard = hazardToCopy(module_, body_, options_.findFaults);
    return hazard && !refuse(hazard->line, hazard->reason);
  }

  /// Registers that are read where the loop goes on, or behind it.
  enum class Onward : uint8_t { Behind, AtHeaderToo };
  LiveBehind liveBehind(Onward onward) const {
    const Liveness liveness = computeLiveness(module_, cfg_);
    const auto scalars = liveScalars(module_, cfg_);
    LiveBehind live;
    for (const uint32_t s : body_.successors)
      if (onward == Onward::AtHeaderToo || s != loop_.header) {
        live.vgprs |= liveness.liveIn[s];
        live.scalars |= scalars[s];
      }
    return live;
  }

  /// Calls `write` until no scalar is in the way.
  template <typename Write> LoopUnroller copyIterations(const KnownScalars &atEntry, Write write) {
    std::set<unsigned> materialised;
    while (true) {
      LoopUnroller copier(module_, body_, atEntry, materialised);
      write(copier);
      if (!copier.conflict()) {
        rewrite_.scalarsFolded = copier.scalarsFolded();
        rewrite_.offsetsFolded = copier.offsetsFolded();
        return copier;
      }
      materialised.insert(*copier.conflict());
    }
  }

  /// Behind the branch and its comment.
  uint32_t bodyEnd() const {
    uint32_t end = branch_.end;
    while (end < module_.text().size() && module_.text()[end] != '\n' &&
           module_.text()[end] != '\r')
      ++end;
    return end;
  }
  void replaceBody(Code code) {
    rewrite_.edits.push_back({inst(body_.first).begin, bodyEnd(), std::move(code)});
  }

  bool writeAll() {
    if (!fits(rewrite_.iterations) || copiesHazard())
      return false;
    const LiveBehind live = liveBehind(Onward::Behind);
    LoopUnroller copier = copyIterations(atEntry_, [&](LoopUnroller &out) {
      for (uint64_t iteration = 0; iteration < rewrite_.iterations; ++iteration) {
        const auto copy = iteration == 0 ? LoopUnroller::Copy::First : LoopUnroller::Copy::Later;
        for (uint32_t i = body_.first; i + 1 < body_.last; ++i)
          out.copy(i, copy);
        out.skip(branch_.index, copy);
      }
      out.finish(live);
    });
    // An empty loop is entered by a label that must stand before something.
    if (copier.instructions() == 0)
      copier.line(build(Op::s_nop, {imm(0)}));
    replaceBody(copier.take());
    return true;
  }

  /// What the branch looks at: the last instruction that writes SCC.
  uint32_t test() const {
    uint32_t i = body_.last - 1;
    while (i > body_.first && !inst(i).writesUnit(kScc))
      --i;
    return i;
  }
  /// Between two iterations of which the guard says that the second one follows, the test is of no
  /// use if all that it does is to set SCC for the branch.
  bool isTestOnly(uint32_t test) const {
    for (uint32_t i = test + 1; i + 1 < body_.last; ++i)
      if (inst(i).readsUnit(kScc))
        return false;
    return isScalarCompare(inst(test).op);
  }

  std::string freeLabel(std::string_view kind) const {
    const std::string &function = module_.functions()[cfg_.functionIndex].name;
    for (unsigned n = 0;; ++n)
      if (std::string name = fmt::format("{}{}_{}{}", kPrefix, function, kind, n);
          !module_.labelTarget(name))
        return name;
  }

  bool writeGuarded() {
    if (!options_.factor)
      return refuse(branch_.line,
                    isEndless_ ? fmt::format("it has more than {} iterations", mostIterations())
                               : std::string("its trip count does not follow from constants "
                                             "(--unroll=N for N at a time)"));
    const unsigned iterations = *options_.factor;
    if (!fits(iterations + 1) || copiesHazard())
      return false;
    TripCountCheck guard = checkTripCount(module_, cfg_, loop_, iterations);
    if (!guard.obstacle.empty())
      return refuse(branch_.line, guard.obstacle);
    rewrite_.iterations = iterations;
    rewrite_.extent = UnrollRewrite::Extent::Guarded;
    rewrite_.sgprs = guard.sgprs;
    rewrite_.rest = freeLabel(kRest);
    const std::string done = freeLabel("done");
    const LiveBehind live = liveBehind(Onward::AtHeaderToo);
    const uint32_t test = this->test();
    const bool dropsTest = isTestOnly(test);
    LoopUnroller copier = copyIterations({}, [&](LoopUnroller &out) {
      for (const Inst &line : guard.lines)
        out.line(line);
      out.line(buildBranch(guard.branch, rewrite_.rest));
      for (unsigned iteration = 0; iteration < iterations; ++iteration) {
        const bool isLast = iteration + 1 == iterations;
        for (uint32_t i = body_.first; i + 1 < body_.last; ++i) {
          if (i == test && isLast)
            out.materialiseScalars(test, live);
          if (i == test && dropsTest && !isLast)
            out.skip(i, LoopUnroller::Copy::Later);
          else
            out.copy(i, LoopUnroller::Copy::Later);
        }
        out.skip(branch_.index, LoopUnroller::Copy::Later);
      }
      out.finish(live);
      out.line(Code::copyOf(branch_));
      out.line(buildBranch(Op::s_branch, done));
    });
    // What is left over is the loop as it was.
    const std::string_view newline = lineEnding(module_);
    Code code = copier.take();
    (code += newline) += Code::label(rewrite_.rest);
    (code += newline) += "\t";
    code += Code::original(inst(body_.first).begin, bodyEnd());
    (code += newline) += Code::label(done);
    replaceBody(std::move(code));
    return true;
  }

  const Module &module_;
  const Cfg &cfg_;
  const Loop &loop_;
  const UnrollOptions &options_;
  const Block &body_;
  const Instruction &branch_;
  KnownScalars atEntry_;
  bool isEndless_ = false;
  uint32_t line_ = 0;
  std::string reason_;
  UnrollRewrite rewrite_;
};

} // namespace

bool isRestLabel(std::string_view label) {
  const size_t number = label.find_last_not_of("0123456789") + 1;
  return label.starts_with(kPrefix) && label.substr(0, number).ends_with(kRest);
}

UnrollOutcome unrollLoop(const Module &module, const Cfg &cfg, const Loop &loop,
                         const UnrollOptions &options) {
  return Unroller(module, cfg, loop, options).run();
}

} // namespace rdna
