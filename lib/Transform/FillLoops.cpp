#include "Transform/FillLoops.h"

#include "Analysis/Dependence.h"
#include "Code/Build.h"
#include "Isa/Branch.h"
#include "Isa/OpTraits.h"
#include "Transform/CodeLines.h"
#include "Transform/CopyCode.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace rdna {

bool isFillLoop(const Module &module, const Cfg &cfg, uint32_t loop) {
  const Loop &body = cfg.loops[loop];
  if (!body.isInnermost() || hasBarrier(module, cfg, body))
    return false;
  bool loads = false, stores = false;
  for (const uint32_t i : loopInstructions(cfg, body)) {
    const Instruction &inst = module.instructions()[i];
    const bool isLoad = inst.memory == MemoryEffect::Load;
    if ((accessesLds(inst) && isLoad) || (isVmem(inst.unit) && !isLoad))
      return false;
    loads |= isVmem(inst.unit);
    stores |= accessesLds(inst);
  }
  for (auto around = body.parent; loads && stores && around; around = cfg.loops[*around].parent)
    if (hasBarrier(module, cfg, cfg.loops[*around]))
      return true;
  return false;
}

namespace {

class FillWriter {
public:
  FillWriter(const Module &module, const Cfg &cfg, uint32_t loop)
      : module_(module), cfg_(cfg), loop_(cfg.loops[loop]), index_(loop), out_(module) {}

  FillLoopOutcome run(const WorkgroupShape &shape) {
    if (auto left = check(shape))
      return {.rewrite = std::nullopt, .left = std::move(left)};
    findMask();
    for (unsigned trip = 1; trip <= rewrite_.iterations; ++trip)
      if (auto left = iteration(trip))
        return {.rewrite = std::nullopt, .left = std::move(left)};
    edit();
    return {.rewrite = std::move(rewrite_), .left = std::nullopt};
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }
  const Instruction &first() const { return inst(cfg_.blocks[loop_.header].first); }
  StagesLeft left(std::string reason) const { return {first().line, std::move(reason)}; }

  std::optional<StagesLeft> check(const WorkgroupShape &shape) {
    const auto path = loopPath(module_, cfg_, index_);
    if (!path)
      return left("an iteration goes different ways, or the loop is left in several places");
    path_ = *path;
    for (const uint32_t b : loop_.blocks)
      if (const auto obstacle = obstacleToCopy(module_, cfg_.blocks[b], Alignment::MayGo))
        return StagesLeft{obstacle->line, obstacle->reason};
    if (!takesLineBefore(module_, first()) ||
        !takesLineBefore(module_, inst(cfg_.blocks[path_.exitBlock].first)))
      return left(
          "nothing can be put in front of the loop's first instruction, or behind the loop");
    const auto trips = itemTrips(module_, cfg_, index_, path_, shape);
    if (!trips)
      return left("how often work-items go round does not follow from the workgroup's shape");
    rewrite_.iterations = *llvm::max_element(*trips);
    for (const unsigned count : *trips)
      if (count != 0 && count != rewrite_.iterations)
        narrows_.insert(count);
    rewrite_.narrowed = static_cast<unsigned>(narrows_.size());
    if (rewrite_.iterations == 0)
      return left("no work-item ever goes round");
    const bool isOfLanes =
        inst(path_.exit).op == Op::s_cbranch_execz || inst(path_.exit).op == Op::s_cbranch_execnz;
    if (!narrows_.empty() && !isOfLanes)
      return left("some waves leave it earlier than others");
    return std::nullopt;
  }

  /// What gathers the lanes that leave and switches them off.
  void findMask() {
    std::optional<RegUnit> gathered;
    for (const uint32_t i : llvm::reverse(path_.instructions)) {
      const Instruction &next = inst(i);
      if (!gathered && next.writesUnit(kExecLo)) {
        if (next.op != Op::s_and_not1_b32 || !next.operands[2].isReg())
          return;
        gathered = next.operands[2].reg.first;
        ofMask_.insert(i);
      } else if (gathered && next.writesUnit(*gathered)) {
        if (next.op == Op::s_or_b32)
          ofMask_.insert(i);
        return;
      }
    }
  }

  std::optional<StagesLeft> iteration(unsigned trip) {
    const bool isNarrowed = narrows_.contains(trip);
    std::set<uint32_t> targets;
    for (const uint32_t i : path_.instructions) {
      const Instruction &next = inst(i);
      if (targets.contains(i))
        out_.label(labels_[{trip, i}]);
      if (next.op == Op::s_cbranch_execz) {
        const auto target = module_.labelTarget(module_.branchTarget(next));
        if (!target || !llvm::is_contained(path_.instructions, *target))
          return StagesLeft{next.line, "an iteration goes different ways"};
        targets.insert(*target);
        std::string &label = labels_[{trip, *target}];
        if (label.empty())
          label = newLabel(module_, fmt::format("{}.fill{}.{}", loop_.label, trip, labels_.size()));
        line(buildBranch(Op::s_cbranch_execz, label), next);
        continue;
      }
      const bool isOfLoop = isTimingHint(next) && next.op != Op::s_nop;
      if (isOfLoop || (!isNarrowed && ofMask_.contains(i)))
        continue;
      const auto code = copyWithoutHazard(module_, next);
      if (!code)
        return StagesLeft{next.line, std::string(kHazardStays)};
      line(*code, next);
    }
    if (isNarrowed)
      line(buildBranch(Op::s_cbranch_execz, exitLabel()), inst(path_.exit));
    return std::nullopt;
  }
  void line(const Code &code, const Instruction &from) {
    out_.line(code);
    ++rewrite_.instructions;
    rewrite_.bytes += from.sizeBytes;
  }

  const std::string &exitLabel() {
    if (!exit_.empty())
      return exit_;
    if (const auto known = labelOf(module_, cfg_.blocks[path_.exitBlock]))
      return exit_ = *known;
    isExitNew_ = true;
    return exit_ = newLabel(module_, fmt::format("{}.filled", loop_.label));
  }

  /// The copies stand where the loop's first iteration begins.
  void edit() {
    bool isNext = true; // Nothing but the loop stands between its header and what is behind it.
    for (uint32_t b = loop_.header; b != path_.exitBlock && isNext; ++b)
      isNext = b < cfg_.blocks.size() && loop_.contains(b);
    if (!isNext)
      out_.line(buildBranch(Op::s_branch, exitLabel()));
    rewrite_.edits.push_back(lineBefore(module_, first(), out_.take()));
    for (const uint32_t i : loopInstructions(cfg_, loop_))
      rewrite_.edits.push_back(removal(module_, inst(i)));
    if (isExitNew_)
      rewrite_.edits.push_back(
          lineBefore(module_, inst(cfg_.blocks[path_.exitBlock].first), Code::label(exit_)));
  }

  const Module &module_;
  const Cfg &cfg_;
  const Loop &loop_;
  const uint32_t index_;
  LoopPath path_;
  std::set<unsigned> narrows_; ///< Behind which iterations some lanes leave.
  std::set<uint32_t> ofMask_;
  std::map<std::pair<unsigned, uint32_t>, std::string> labels_;
  std::string exit_;
  bool isExitNew_ = false;
  CodeLines out_;
  FillLoop rewrite_;
};

} // namespace

FillLoopOutcome writeOutFill(const Module &module, const Cfg &cfg, uint32_t loop,
                             const WorkgroupShape &shape) {
  return FillWriter(module, cfg, loop).run(shape);
}

} // namespace rdna
