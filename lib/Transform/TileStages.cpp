#include "Transform/TileStages.h"

#include "Analysis/Dataflow.h"
#include "Asm/Effects.h"
#include "Asm/LdsOffsets.h"
#include "Code/Build.h"
#include "Isa/Branch.h"
#include "Transform/CopyCode.h"
#include "Transform/TileCode.h"
#include "Transform/TileNames.h"

#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

#include <numeric>

namespace rdna {
namespace {

class Stager {
public:
  Stager(const Module &module, const Cfg &cfg, const TileLoop &tile, TileRings rings,
         uint32_t ldsBytes, unsigned freeVgpr)
      : module_(module), cfg_(cfg), loop_(cfg.loops[tile.loop]), tile_(tile), rings_(rings),
        turns_(std::lcm(rings.buffers, rings.sets)),
        names_(nameTiles(module, cfg, tile, rings.sets, freeVgpr)),
        code_(module, cfg, tile, rings, names_, rewrite_) {
    unsigned unit = 16; // Offsets of accesses with two addresses count in units.
    for (const uint32_t b : loop_.blocks)
      for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i)
        if (const LdsOffsets offsets = ldsOffsets(inst(i)); offsets.fields == 2)
          unit = std::max(unit, offsets.unit);
    rewrite_.distance = static_cast<uint32_t>(llvm::alignTo(ldsBytes, unit));
    rewrite_.registers = names_.registers;
    rewrite_.vgprs = names_.vgprs;
    rewrite_.sgprs = names_.sgprs;
  }

  TileStagesOutcome run() {
    check();
    writePrologue();
    for (unsigned b = 0; b < turns_ && !hasLeft(); ++b)
      writeStep(b);
    for (unsigned rest = rings_.loadedAhead(); rest >= 1 && !hasLeft(); --rest)
      for (unsigned b = 0; b < turns_; ++b)
        if (b != 0 || rest != 1)
          writeRest(b, rest);
    code_.appendOutOfLine();
    code_.label(restLabel(0, 1)); // The code that is there.
    code_.prepare();
    if (!hasLeft())
      edit();
    if (hasLeft())
      return {.rewrite = std::nullopt, .left = code_.left()};
    return {.rewrite = std::move(rewrite_), .left = std::nullopt};
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }

  bool hasLeft() const { return code_.left().has_value(); }
  void leave(uint32_t line, std::string reason) { code_.leave(line, std::move(reason)); }

  void check() {
    if (!names_.missing.empty())
      return leave(inst(tile_.filled).line, std::string(names_.missing));
    if (rings_.order == StepOrder::LoadStoreUse && rings_.buffers == 1)
      return leave(inst(tile_.filled).line,
                   "with one buffer a tile cannot be stored in front of the use of another");
    if (!tile_.path.departures.empty() &&
        (rings_.buffers > 2 || rings_.sets > 1 || rings_.order == StepOrder::LoadStoreUse))
      return leave(inst(tile_.path.departures.front().branch).line,
                   "a step goes different ways before its tile is stored, and that is made with "
                   "vgpr:1 and at most lds:2, stores behind the use");
    for (const uint32_t b : loop_.blocks) {
      if (const auto obstacle = obstacleToCopy(module_, cfg_.blocks[b], Alignment::MayGo))
        return leave(obstacle->line, obstacle->reason);
    }
    for (const auto &[i, half] : tile_.advancingHalf)
      if (!code_.buildsHalves(i))
        return leave(inst(i).line, "a dual instruction's half is part of what advances");
    if (!takesLineBehind(module_, inst(tile_.filled)))
      leave(inst(tile_.filled).line, "nothing can be put behind the barrier");
    if (rewrite_.vgprs > 256)
      leave(inst(tile_.filled).line,
            fmt::format("the tiles on their way would need VGPRs up to v{}", rewrite_.vgprs - 1));
    for (const std::set<uint16_t> &units : tile_.values.carried)
      for (const uint16_t unit : units)
        if (!RegUnit{unit}.isVgpr())
          leave(inst(tile_.filled).line, "what is stored is not in VGPRs");
  }

  std::string stepLabel(unsigned b) { return code_.labelFor(fmt::format("step{}", b)); }
  std::string restLabel(unsigned b, unsigned rest) {
    return code_.labelFor(fmt::format("rest{}.{}", b, rest));
  }
  /// With more than two buffers the next step loads what the step before has stored: whoever has
  /// used his tile since has waited for that.
  void storeInStep(unsigned tile, unsigned younger) {
    if (rings_.buffers == 1)
      code_.barrier(); // Nobody loads from it any more.
    code_.store(tile, younger, rings_.buffers > 2 ? TileCode::Wait::Later : TileCode::Wait::Here);
    code_.barrier();
  }

  //===--------------------------------------------------------------------===//
  // The loop
  //===--------------------------------------------------------------------===//

  /// Behind the first tile, which the code that is there stores: as many more as there are buffers
  /// for but one.
  void writePrologue() {
    for (auto it = names_.own.begin(); it != names_.own.end() && !hasLeft(); ++it)
      code_.move(it->second, RegUnit{it->first});
    const unsigned stored = rings_.storedAhead();
    for (unsigned tile = 1; tile < stored && !hasLeft(); ++tile) {
      code_.advance(restLabel(0, tile));
      code_.load(tile);
      code_.store(tile, 0, TileCode::Wait::Here);
      code_.barrier();
    }
    for (unsigned tile = stored; tile < rings_.loadedAhead() && !hasLeft(); ++tile) {
      code_.advance(restLabel(0, tile));
      code_.load(tile);
    }
  }

  void writeStep(unsigned b) {
    code_.label(stepLabel(b));
    code_.advance(restLabel(b, rings_.loadedAhead()));
    if (rings_.order == StepOrder::UseLoadStore)
      code_.use(b, TileCode::Use::Other);
    code_.load(b + rings_.loadedAhead());
    if (rings_.order == StepOrder::LoadStoreUse) {
      // Whoever loads from LDS behind the stores waits for them, too.
      code_.store(b + rings_.storedAhead(), rings_.sets - 1, TileCode::Wait::Later);
      code_.use(b, TileCode::Use::Other);
      code_.barrier();
    } else {
      if (rings_.order == StepOrder::LoadUseStore)
        code_.use(b, TileCode::Use::Other);
      storeInStep(b + rings_.storedAhead(), rings_.sets - 1);
    }
    if (b + 1 == turns_)
      code_.line(buildBranch(Op::s_branch, stepLabel(0)));
  }

  void writeRest(unsigned b, unsigned rest) {
    code_.label(restLabel(b, rest));
    code_.use(b, rest == 1 ? TileCode::Use::Last : TileCode::Use::Other);
    if (rest == 1) {
      if (isUsedBehind())
        code_.barrier();
      code_.line(buildBranch(Op::s_branch, exitLabel()));
      return;
    }
    if (rest > rings_.storedAhead())
      storeInStep(b + rings_.storedAhead(), rest - rings_.storedAhead() - 1);
    else
      code_.barrier();
    code_.line(buildBranch(Op::s_branch, restLabel((b + 1) % turns_, rest - 1)));
  }

  /// Is LDS accessed behind the loop, before there is a barrier? Then the last use needs one as
  /// well. So it does if it loads from memory, where other waves may store behind it.
  bool isUsedBehind() const {
    for (const uint32_t i : loopInstructions(cfg_, loop_))
      if (tile_.isInUse(cfg_, i) && inst(i).memory == MemoryEffect::Load && !accessesLds(inst(i)) &&
          !invalidatesL0(inst(i)))
        return true;
    std::vector<uint32_t> exits;
    for (const uint32_t next : cfg_.blocks[tile_.latch].successors)
      if (!loop_.contains(next))
        exits.push_back(next);
    bool isUsed = false;
    walkFrom(cfg_, exits, Direction::Forward, [&](uint32_t b) {
      const Block &block = cfg_.blocks[b];
      for (uint32_t i = block.first; i < block.last; ++i) {
        isUsed |= accessesLds(inst(i));
        if (isUsed || inst(i).unit == Unit::Barrier)
          return Walk::Stop;
      }
      return Walk::GoOn;
    });
    return isUsed;
  }

  /// Behind the loop.
  std::string exitLabel() {
    if (!exit_.empty())
      return exit_;
    if (!tile_.branchesBack)
      return std::string(module_.branchTarget(inst(tile_.branch)));
    return exit_ = code_.labelFor("done");
  }

  /// The code of the first step stays where it is, for the last tile in the first buffer.
  void edit() {
    rewrite_.edits.push_back(lineBehind(module_, inst(tile_.filled), code_.take()));
    for (const uint32_t i : tile_.advance) {
      const auto half = tile_.advancingHalf.find(i);
      if (half != tile_.advancingHalf.end())
        rewrite_.edits.push_back(replacement(inst(i), code_.halfOf(i, 1 - half->second)));
      else if (!code_.isOfPath(i) && !tile_.counters.ofLatch.contains(i))
        rewrite_.edits.push_back(removal(module_, inst(i)));
    }
    if (!isUsedBehind()) {
      rewrite_.edits.push_back(removal(module_, inst(tile_.used)));
      if (invalidatesL0(inst(tile_.used + 1)))
        rewrite_.edits.push_back(removal(module_, inst(tile_.used + 1)));
    }
    if (tile_.branchesBack)
      rewrite_.edits.push_back(removal(module_, inst(tile_.branch)));
    else
      rewrite_.edits.push_back(
          replacement(inst(tile_.branch), buildBranch(Op::s_branch, exitLabel())));
    if (!exit_.empty())
      rewrite_.edits.push_back(lineBehind(module_, inst(tile_.branch), Code::label(exit_)));
  }

  const Module &module_;
  const Cfg &cfg_;
  const Loop &loop_;
  const TileLoop &tile_;
  const TileRings rings_;
  const unsigned turns_; ///< Steps until buffers and sets are the first ones again.
  TileStages rewrite_;
  const TileNames names_;
  TileCode code_;
  std::string exit_; ///< A label behind the loop.
};

} // namespace

TileStagesOutcome stageTiles(const Module &module, const Cfg &cfg, const TileLoop &tile,
                             TileRings rings, uint32_t ldsBytes, unsigned freeVgpr) {
  return Stager(module, cfg, tile, rings, ldsBytes, freeVgpr).run();
}

} // namespace rdna
