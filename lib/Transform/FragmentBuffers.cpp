#include "Transform/FragmentBuffers.h"

#include "Analysis/Metrics.h"
#include "Analysis/Waits.h"
#include "Code/Build.h"
#include "Code/Change.h"
#include "Transform/Descriptor.h"
#include "Transform/FragmentWaits.h"
#include "Transform/Hints.h"
#include "Transform/RegionModel.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {
namespace {

/// The registers that a function may use: those that cost no wave; of a device function those that
/// it changes already, because its callers rely on the rest.
VgprSet usableRegisters(const Module &module, const Function &function,
                        const FragmentOptions &options) {
  VgprSet usable;
  if (!function.isKernel()) {
    for (uint32_t i = function.first; i < function.last; ++i)
      usable |= vgprWrites(module.instructions()[i]);
    return usable;
  }
  const OccupancyQuery query = occupancyQuery(
      function, options.workgroupSize == 0 ? std::nullopt : std::optional(options.workgroupSize));
  const unsigned budget = options.occupancy == OccupancyLoss::Allow ? 256 : vgprBudget(query);
  for (unsigned v = 0; v < budget; ++v)
    usable.set(v);
  return usable;
}

/// Makes edits of a plan.
class FragmentWriter {
public:
  FragmentWriter(const FragmentModel &model, const FragmentWaits &waits,
                 std::vector<TextEdit> &edits)
      : model_(model), module_(model.module()), waits_(waits), edits_(edits) {}

  /// False if an instruction cannot be printed; nothing is written then.
  bool run() {
    std::vector<TextEdit> edits;
    const Block &block = model_.block();
    uint32_t clauseEnd = block.first;
    for (uint32_t i = block.first; i < block.last; ++i) {
      const Instruction &inst = model_.inst(i);
      if (inst.op == Op::s_clause)
        clauseEnd = i + 1 + clauseLength(inst);
      if (i < clauseEnd)
        clauseMembers_.push_back(i);
    }
    for (uint32_t i = block.first; i < block.last; ++i)
      if (!write(i, edits))
        return false;
    repairHints(module_, block, [&](const Instruction &clause) { return covered(clause); }, edits);
    edits_.insert(edits_.end(), edits.begin(), edits.end());
    return true;
  }

private:
  bool write(uint32_t i, std::vector<TextEdit> &edits) {
    const Instruction &inst = model_.inst(i);
    if (const auto it = waits_.inserted.find(i); it != waits_.inserted.end())
      edits.push_back(lineBefore(module_, inst, buildWait(it->second)));
    if (!writeLoads(i, edits))
      return false;
    const Fragment *load = model_.loadAt(i);
    if (load && load->isMoved()) {
      edits.push_back(removal(module_, inst));
    } else if (const auto wait = waits_.changed.find(i); wait != waits_.changed.end()) {
      edits.push_back(wait->second.any() ? replacement(inst, buildWait(wait->second))
                                         : removal(module_, inst));
    } else {
      const auto code = renamedLoad(inst);
      if (!code)
        return false;
      if (!std::holds_alternative<Code::Original>(code->pieces().front()))
        edits.push_back(replacement(inst, *code));
    }
    return true;
  }

  /// The loads that go in front of an instruction, in a clause if they came from one.
  bool writeLoads(uint32_t i, std::vector<TextEdit> &edits) {
    std::vector<Code> lines;
    bool isClause = true;
    for (const Fragment &fragment : model_.fragments()) {
      if (!fragment.isMoved() || fragment.place != i)
        continue;
      const auto code = renamedLoad(model_.inst(fragment.load));
      if (!code)
        return false;
      lines.push_back(*code);
      isClause &= std::binary_search(clauseMembers_.begin(), clauseMembers_.end(), fragment.load);
    }
    if (isClause && lines.size() > 1 && lines.size() <= kLongestClause)
      lines.insert(lines.begin(), buildClause(static_cast<unsigned>(lines.size())));
    for (const Code &line : lines)
      edits.push_back(lineBefore(module_, model_.inst(i), line));
    return true;
  }

  unsigned covered(const Instruction &clause) const {
    for (uint32_t m = 1; m <= clauseLength(clause); ++m)
      if (const Fragment *load = model_.loadAt(clause.index + m); load && load->isMoved())
        return 0;
    return clauseLength(clause);
  }

  std::optional<Code> renamedLoad(const Instruction &inst) const {
    const Fragment *load = model_.loadAt(inst.index);
    return renamed(module_, inst, [&](const Operand &operand, int, Vgpr old) {
      const Fragment *fragment =
          operand.cls == Operand::Class::Def ? load : model_.readAt(inst.index, old.number);
      if (!fragment || !fragment->isRenamed())
        return old;
      return Vgpr{static_cast<uint8_t>(fragment->reg.number + old.number - fragment->home.number)};
    });
  }

  const FragmentModel &model_;
  const Module &module_;
  const FragmentWaits &waits_;
  std::vector<TextEdit> &edits_;
  std::vector<uint32_t> clauseMembers_;
};

class Buffers {
public:
  Buffers(const Module &module, const Cfg &cfg, const FragmentOptions &options)
      : module_(module), function_(module.functions()[cfg.functionIndex]),
        liveness_(computeLiveness(module, cfg)), memory_(memoryFacts(module, cfg, liveness_)),
        context_{module,  cfg,           liveness_,
                 memory_, options.plain, usableRegisters(module, function_, options)} {}

  void visit(uint32_t block) {
    FragmentModel model(context_, block);
    if (const auto &left = model.leftAlone()) {
      result_.left.push_back({model.inst(left->instruction).line, left->reason});
      return;
    }
    const FragmentPlan plan = planFragments(model);
    if (!plan.refusals.empty()) {
      const FragmentRefusal &first = plan.refusals.front();
      result_.left.push_back(
          {first.line, plan.refusals.size() == 1
                           ? first.reason
                           : fmt::format("{} (and {} more of this block)", first.reason,
                                         plan.refusals.size() - 1)});
    }
    if (plan.groups == 0)
      return;
    const FragmentWaits waits = placeWaits(model, plan);
    if (!FragmentWriter(model, waits, result_.edits).run()) {
      result_.left.push_back({model.inst(model.block().first).line,
                              "an operand would lose its consecutive registers"});
      return;
    }
    BufferedBlock &buffered = result_.blocks.emplace_back();
    buffered.block = block;
    buffered.waitsInserted = static_cast<unsigned>(waits.inserted.size());
    for (const Fragment &fragment : model.fragments()) {
      buffered.skipped += model.fmacsBefore(fragment.load) == 0;
      buffered.loads += fragment.isMoved();
      buffered.renamed += fragment.isRenamed();
      highest_ = std::max(highest_, fragment.reg.number + fragment.dwords);
    }
  }

  FragmentEdits finish() {
    if (!result_.edits.empty() && function_.isKernel())
      raiseVgprCount(module_, function_, highest_, result_.edits);
    return std::move(result_);
  }

private:
  const Module &module_;
  const Function &function_;
  const Liveness liveness_;
  const MemoryFacts memory_;
  const FragmentContext context_;
  FragmentEdits result_;
  unsigned highest_ = 0;
};

/// One LDS load on its way.
struct LoadInFlight {
  RegRange reg;
  unsigned fmacs = 0; ///< In front of it.
  int number = 0;
};

} // namespace

LoadDistances measureDistances(const Module &module, const Block &block, unsigned skipped) {
  std::vector<LoadInFlight> inFlight;
  std::vector<unsigned> distances;
  unsigned fmacs = 0;
  int issued = 0;
  const auto arrive = [&](auto &&has) {
    for (const LoadInFlight &load : inFlight)
      if (has(load))
        distances.push_back(fmacs - load.fmacs);
    std::erase_if(inFlight, has);
  };
  for (uint32_t i = block.first; i < block.last; ++i) {
    const Instruction &inst = module.instructions()[i];
    if (const auto counts = waitCounts(inst); counts && counts->lgkm)
      arrive([&](const LoadInFlight &load) {
        return load.number <= issued - static_cast<int>(*counts->lgkm);
      });
    arrive([&](const LoadInFlight &load) {
      return std::any_of(inst.accesses.begin(), inst.accesses.end(),
                         [&](const RegAccess &access) { return access.reg.overlaps(load.reg); });
    });
    fmacs += isFmac(inst);
    if (inst.unit != Unit::Lds)
      continue;
    ++issued;
    if (isFragmentLoad(inst) && (skipped == 0 || skipped-- == 0))
      inFlight.push_back({inst.operands[0].reg, fmacs, issued});
  }
  LoadDistances result;
  if (distances.empty())
    return result;
  std::sort(distances.begin(), distances.end());
  result.loads = static_cast<unsigned>(distances.size());
  result.least = distances.front();
  result.median = distances[distances.size() / 2];
  return result;
}

FragmentEdits bufferFragments(const Module &module, const Cfg &cfg,
                              const std::vector<uint32_t> &blocks, const FragmentOptions &options) {
  if (blocks.empty() || !cfg.isComplete())
    return {};
  if (whereUnnamedRegisters(module, module.functions()[cfg.functionIndex]))
    return {};
  Buffers buffers(module, cfg, options);
  for (const uint32_t block : blocks)
    if (cfg.blocks[block].reachable)
      buffers.visit(block);
  return buffers.finish();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// What the step is measured by: the block with the most loads.
static void measure(const Derived &derived, const std::vector<BufferedBlock> &blocks,
                    StepReport &report) {
  const Cfg was = buildCfg(derived.before, derived.function);
  const Cfg is = buildCfg(derived.after, derived.function);
  LoadDistances before, after;
  for (const BufferedBlock &block : blocks) {
    const LoadDistances distances =
        measureDistances(derived.before, was.blocks[block.block], block.skipped);
    if (distances.loads < before.loads)
      continue;
    before = distances;
    after = measureDistances(derived.after, is.blocks[block.block], block.skipped);
  }
  const auto fields = [](const LoadDistances &distances) {
    return ReportValue{ReportValue::Object{{"lds_loads", {uint64_t(distances.loads)}},
                                           {"fmacs_least", {uint64_t(distances.least)}},
                                           {"fmacs_median", {uint64_t(distances.median)}}}};
  };
  report.add("before", fields(before));
  report.add("after", fields(after));
  report.summary +=
      fmt::format("; FMAC issues from a load to the wait or use that stands for it, "
                  "least and median of {}: {}, {} -> {}, {}",
                  before.loads, before.least, before.median, after.least, after.median);
}

/// How often the pass was asked in this round.
struct Asked {
  unsigned times = 0;
};

llvm::Expected<PassResult> bufferFragments(const PassSite &site, PassState &state) {
  constexpr unsigned mostTimes = 4; // There may be loads that go on changing places.
  if (++state.memory<Asked>().times > mostTimes)
    return PassResult{};
  const FragmentEdits found = bufferFragments(
      site.module, site.cfg, site.wantedBlocks(),
      {site.request.occupancy, site.request.workgroupSize,
       site.assumes(Assumption::NoSyncWithoutBarrier) ? PlainSync::Excluded : PlainSync::Possible});
  state.remarks.clear(); // Only the last time's are about the text that is printed.
  for (const FragmentEdits::Left &left : found.left)
    state.remarks.push_back(site.module.atLine(
        left.line, "LDS loads are not issued earlier: " + left.reason, Severity::Remark));
  if (found.edits.empty())
    return PassResult{};
  uint64_t loads = 0, renamed = 0;
  for (const BufferedBlock &block : found.blocks) {
    loads += block.loads;
    renamed += block.renamed;
  }
  Proposal proposal;
  proposal.edits = found.edits;
  proposal.report->add("blocks", found.blocks.size());
  proposal.report->add("lds_loads_moved", loads);
  proposal.report->add("lds_loads_renamed", renamed);
  proposal.report->summary =
      fmt::format("{} LDS loads issued earlier, {} in other VGPRs", loads, renamed);
  proposal.judge = [blocks = found.blocks](const Derived &derived, StepReport &report) {
    measure(derived, blocks, report);
    return Verdict{};
  };
  return PassResult{std::move(proposal)};
}

} // namespace rdna
