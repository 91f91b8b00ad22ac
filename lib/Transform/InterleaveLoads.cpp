#include "Transform/InterleaveLoads.h"

#include "Analysis/Dependence.h"
#include "Analysis/Liveness.h"
#include "Analysis/Waits.h"
#include "Asm/GlobalAddress.h"
#include "Code/Change.h"
#include "Transform/Hints.h"

#include <algorithm>
#include <map>
#include <optional>

namespace rdna {
namespace {

/// LDS loads with no FMAC in between, and a run of FMACs behind them.
struct Group {
  uint32_t first = 0, last = 0; ///< Instructions, both of them LDS loads.
};

bool isLdsLoad(const Instruction &inst) {
  return inst.unit == Unit::Lds && inst.memory == MemoryEffect::Load;
}

/// One load that may move.
struct Load {
  uint32_t instruction = 0;
  unsigned address = 0;        ///< Operand: a pair, or with an SGPR base one VGPR.
  uint32_t limit = 0;          ///< It has to stay in front of this instruction.
  std::optional<size_t> group; ///< Where it goes.
};

/// An offset that moves to another register together with the loads that use it.
struct Renamed {
  uint32_t definition = 0;
  Vgpr from, to;
  std::vector<size_t> loads;
};

class Spreader {
public:
  Spreader(const Module &module, const Block &block) : module_(module), block_(block) {}

  void run(SpreadEdits &result) {
    findGroups();
    findLoads();
    if (groups_.size() < 2 || loads_.size() < 2)
      return;
    for (Load &load : loads_)
      load.limit = limitOf(load, std::nullopt);
    renameOffsets();
    assign();
    print(result);
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }

  void findGroups() {
    std::optional<Group> open;
    unsigned fmacs = 0;
    for (uint32_t i = block_.first; i < block_.last; ++i) {
      if (isLdsLoad(inst(i))) {
        if (open && fmacs >= leastRun)
          groups_.push_back(*open);
        if (!open || fmacs > 0)
          open = Group{i, i};
        open->last = i;
        fmacs = 0;
      }
      fmacs += isFmac(inst(i));
    }
    if (open && fmacs >= leastRun)
      groups_.push_back(*open);
    llvm::erase_if(groups_,
                   [&](const Group &group) { return !takesLineBehind(module_, inst(group.last)); });
  }

  /// Those in front of the first LDS load.
  void findLoads() {
    if (groups_.empty())
      return;
    for (uint32_t i = block_.first; i < groups_.front().first; ++i) {
      const Instruction &load = inst(i);
      const auto address = globalAddress(load);
      const bool isPlain =
          address && load.memory == MemoryEffect::Load &&
          load.origin == Instruction::Origin::Text &&
          load.value(OperandName::CachePolicy) == 0; // else other waves may be meant
      if (isPlain)
        loads_.push_back({i, address->vector, 0, std::nullopt});
      else if (isLdsLoad(load))
        return;
      else if (isVmem(load.unit))
        loads_.clear(); // They do not pass it.
    }
  }

  bool isCandidate(uint32_t i) const {
    return std::any_of(loads_.begin(), loads_.end(),
                       [i](const Load &load) { return load.instruction == i; });
  }

  /// Nothing that concerns memory may be passed by, whatever its registers are.
  bool stopsAll(uint32_t i) const {
    const Instruction &other = inst(i);
    if (isVmem(other.unit))
      return !isCandidate(i);
    if (other.unit == Unit::Wait) {
      const auto counts = waitCounts(other);
      return !counts || counts->vm || counts->exp;
    }
    return isSchedulingBarrier(other) || isMemoryFence(other) ||
           other.origin == Instruction::Origin::Macro;
  }

  enum class Touch : uint8_t { Any, Write };
  static bool touches(const Instruction &other, RegRange range, Touch how) {
    return std::any_of(other.accesses.begin(), other.accesses.end(), [&](const RegAccess &access) {
      return (how == Touch::Any || access.writes()) && access.reg.overlaps(range);
    });
  }

  /// The first instruction behind the load that it must not pass. `without`: an operand whose
  /// register is taken care of.
  uint32_t limitOf(const Load &load, std::optional<unsigned> without) const {
    const Instruction &self = inst(load.instruction);
    for (uint32_t i = load.instruction + 1; i < block_.last; ++i) {
      if (stopsAll(i))
        return i;
      for (const RegAccess &access : self.accesses) {
        if (without && access.operand == int(*without))
          continue;
        if (touches(inst(i), access.reg, access.writes() ? Touch::Any : Touch::Write))
          return i;
      }
    }
    return block_.last;
  }

  /// The group that the n-th of the loads should go to.
  size_t wanted(size_t n) const { return n * groups_.size() / loads_.size(); }

  /// Where an offset's register is written too early for its loads, the destination of the last of
  /// them can hold it: nothing needs that before.
  void renameOffsets() {
    std::map<unsigned, std::vector<size_t>> users;
    for (size_t n = 0; n < loads_.size(); ++n)
      if (const Operand &address = inst(loads_[n].instruction).operands[loads_[n].address];
          address.isReg() && address.reg.dwords == 1)
        users[address.reg.first.index].push_back(n);
    for (const auto &[offset, loads] : users) {
      const size_t last = loads.back();
      if (loads_[last].limit > groups_[wanted(last)].last)
        continue;
      if (auto renamed = renameOf(RegUnit::vgpr(offset), loads))
        renamed_.push_back(std::move(*renamed));
    }
    for (const Renamed &renamed : renamed_)
      for (const size_t n : renamed.loads)
        loads_[n].limit = limitOf(loads_[n], loads_[n].address);
  }

  std::optional<Renamed> renameOf(RegUnit offset, const std::vector<size_t> &loads) const {
    const RegRange range{offset, 1, Half::Whole};
    uint32_t definition = loads_[loads.front()].instruction;
    while (definition > block_.first && !touches(inst(definition - 1), range, Touch::Write))
      --definition;
    if (definition == block_.first)
      return std::nullopt; // It comes from elsewhere.
    --definition;
    const Instruction &writer = inst(definition);
    unsigned writes = 0;
    for (const RegAccess &access : writer.accesses)
      writes += access.writes() && access.reg.overlaps(range) ? access.reg.dwords : 0;
    if (writes != 1 || !writer.isValu() || writer.isVopd() ||
        writer.origin != Instruction::Origin::Text || !vgprFullWrites(writer).test(offset.index))
      return std::nullopt;
    // All that read it are loads that move, until it is written anew.
    bool isReplaced = false;
    for (uint32_t i = definition + 1; i < block_.last && !isReplaced; ++i) {
      const bool isUser = std::any_of(loads.begin(), loads.end(),
                                      [&](size_t n) { return loads_[n].instruction == i; });
      if (!isUser && vgprReads(inst(i)).test(offset.index))
        return std::nullopt;
      if (inst(i).writesUnit(kExecLo))
        return std::nullopt;
      isReplaced = vgprFullWrites(inst(i)).test(offset.index);
    }
    if (!isReplaced)
      return std::nullopt;
    const RegRange home = inst(loads_[loads.back()].instruction).operands[0].reg;
    if (home.dwords != 1 || home.half != Half::Whole || !home.first.isVgpr())
      return std::nullopt;
    for (uint32_t i = definition; i < loads_[loads.back()].instruction; ++i)
      if (touches(inst(i), home, Touch::Any))
        return std::nullopt;
    const auto name = [](RegUnit unit) { return Vgpr{static_cast<uint8_t>(unit.index)}; };
    return Renamed{definition, name(offset), name(home.first), loads};
  }

  /// As even as the limits allow, in order: from the last load to the first.
  void assign() {
    size_t most = groups_.size();
    for (size_t n = loads_.size(); n-- > 0;) {
      size_t allowed = 0; // Groups that it may stand behind.
      while (allowed < groups_.size() && groups_[allowed].last < loads_[n].limit)
        ++allowed;
      most = std::min({most, allowed, wanted(n) + 1});
      if (most > 0)
        loads_[n].group = most - 1;
    }
  }

  std::optional<Code> codeOf(uint32_t i) const {
    const auto newName = [&](const Operand &operand, int index, Vgpr old) {
      for (const Renamed &renamed : renamed_) {
        if (old != renamed.from)
          continue;
        if (renamed.definition == i && operand.cls == Operand::Class::Def)
          return renamed.to;
        for (const size_t n : renamed.loads)
          if (loads_[n].instruction == i && index == int(loads_[n].address))
            return renamed.to;
      }
      return old;
    };
    return renamed(module_, inst(i), newName);
  }

  bool isRenamed(uint32_t load) const {
    return std::any_of(renamed_.begin(), renamed_.end(), [&](const Renamed &renamed) {
      return std::any_of(renamed.loads.begin(), renamed.loads.end(),
                         [&](size_t n) { return loads_[n].instruction == load; });
    });
  }

  void print(SpreadEdits &result) {
    std::vector<TextEdit> edits;
    std::vector<Code> behind(groups_.size());
    std::vector<uint32_t> moved;
    for (const Load &load : loads_) {
      const auto code = codeOf(load.instruction);
      if (!code)
        return;
      if (load.group) {
        moved.push_back(load.instruction);
        edits.push_back(removal(module_, inst(load.instruction)));
        Code &lines = behind[*load.group];
        if (!lines.empty())
          (lines += lineEnding(module_)) += "\t";
        lines += *code;
      } else if (isRenamed(load.instruction)) {
        edits.push_back(replacement(inst(load.instruction), *code));
      }
    }
    if (moved.empty())
      return;
    for (const Renamed &renamed : renamed_) {
      const auto code = codeOf(renamed.definition);
      if (!code)
        return;
      edits.push_back(replacement(inst(renamed.definition), *code));
    }
    const auto covered = [&](const Instruction &clause) {
      const uint32_t last = clause.index + clauseLength(clause);
      const bool breaks = std::any_of(moved.begin(), moved.end(),
                                      [&](uint32_t m) { return m > clause.index && m <= last; });
      return breaks ? 0 : clauseLength(clause);
    };
    repairHints(module_, block_, covered, edits);
    for (size_t g = 0; g < groups_.size(); ++g)
      if (!behind[g].empty()) {
        edits.push_back(lineBehind(module_, inst(groups_[g].last), behind[g]));
        ++result.groups;
      }
    result.loads += static_cast<unsigned>(moved.size());
    result.renamed += static_cast<unsigned>(renamed_.size());
    result.edits.insert(result.edits.end(), edits.begin(), edits.end());
  }

  const Module &module_;
  const Block &block_;
  std::vector<Group> groups_;
  std::vector<Load> loads_;
  std::vector<Renamed> renamed_;
};

} // namespace

SpreadEdits interleaveLoads(const Module &module, const Cfg &cfg,
                            const std::vector<uint32_t> &blocks) {
  SpreadEdits result;
  for (const uint32_t b : blocks)
    if (cfg.loopOf(b))
      Spreader(module, cfg.blocks[b]).run(result);
  return result;
}

} // namespace rdna
