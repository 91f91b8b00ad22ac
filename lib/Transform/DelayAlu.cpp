#include "Transform/DelayAlu.h"

#include "Analysis/Delays.h"
#include "Code/Build.h"
#include "Transform/Hints.h"
#include "Transform/Lines.h"

#include <algorithm>
#include <map>

namespace rdna {
namespace {

/// Instructions of the block in front of which no hint may come or go: members of a clause, what
/// counts from where s_getpc_b64 stands, and the rest of a long branch, which is one only as long
/// as nothing comes between.
std::vector<uint8_t> fixedPlaces(const Module &module, const Block &block) {
  const auto &insts = module.instructions();
  std::vector<uint8_t> fixed(block.last - block.first, 0);
  const auto fix = [&](uint32_t first, uint32_t last) {
    for (uint32_t i = std::max(first, block.first); i <= last && i < block.last; ++i)
      fixed[i - block.first] = 1;
  };
  for (uint32_t i = block.first; i < block.last; ++i) {
    if (insts[i].op == Op::s_clause && !insts[i].operands.empty())
      fix(i + 1, i + clauseLength(insts[i]));
    else if (insts[i].op == Op::s_getpc_b64)
      fix(i + 1, i + 2);
    else if (insts[i].longBranch != 0)
      fix(i - insts[i].longBranch + 1, i);
  }
  return fixed;
}

bool standsAlone(const Module &module, const Instruction &inst) {
  return takesLineBefore(module, inst) && takesLineBehind(module, inst);
}

Inst buildDelay(uint16_t immediate) { return build(Op::s_delay_alu, {imm(immediate)}); }

/// In front of the instruction and, as LLVM has it, of the debug locations that belong to it.
TextEdit hintBefore(const Module &module, const Instruction &inst, uint16_t immediate) {
  TextEdit edit = lineBefore(module, inst, buildDelay(immediate));
  for (uint32_t line = inst.line; line > 1 && isDebugLocation(module.lineText(line - 1)); --line)
    edit.begin = edit.end = module.lineBegin(line - 1);
  return edit;
}

/// The edits of one block.
class BlockEdits {
public:
  BlockEdits(const Module &module, const Block &block, DelayEdits &result)
      : module_(module), block_(block), fixed_(fixedPlaces(module, block)), result_(result) {}

  void run(const std::vector<Delay> &wanted) {
    const auto &insts = module_.instructions();
    std::map<uint32_t, uint16_t> missing;
    for (const Delay &delay : wanted)
      missing.emplace(delay.before, delay.immediate);
    uint32_t next = block_.last; // The instruction that the hints stand before.
    for (uint32_t i = block_.last; i-- > block_.first;) {
      if (insts[i].op != Op::s_delay_alu) {
        next = i;
        continue;
      }
      const auto it = missing.find(next);
      if (it == missing.end()) {
        remove(insts[i]);
        continue;
      }
      // Of several in one place the last one counts.
      if (insts[i].operands.empty() || insts[i].operands[0].imm != it->second)
        replace(insts[i], it->second);
      missing.erase(it);
    }
    for (const auto &[before, immediate] : missing)
      insert(insts[before], immediate);
  }

private:
  /// Each hint is about its own place, so one that cannot be touched costs only itself.
  bool touch(const Instruction &inst, bool hasRoom) {
    const bool isPossible = hasRoom && !fixed_[inst.index - block_.first];
    if (!isPossible)
      result_.left.push_back(inst.index);
    return isPossible;
  }
  void remove(const Instruction &delay) {
    if (!touch(delay, standsAlone(module_, delay)))
      return;
    result_.edits.push_back(removal(module_, delay));
    ++result_.removed;
  }
  void replace(const Instruction &delay, uint16_t immediate) {
    if (!touch(delay, standsAlone(module_, delay)))
      return;
    result_.edits.push_back(replacement(delay, buildDelay(immediate)));
    ++result_.set;
  }
  void insert(const Instruction &inst, uint16_t immediate) {
    if (!touch(inst, takesLineBefore(module_, inst)))
      return;
    result_.edits.push_back(hintBefore(module_, inst, immediate));
    ++result_.set;
  }

  const Module &module_;
  const Block &block_;
  std::vector<uint8_t> fixed_;
  DelayEdits &result_;
};

} // namespace

DelayEdits setDelays(const Module &module, const Cfg &cfg, const std::vector<uint32_t> &blocks) {
  DelayEdits result;
  const auto delays = computeDelays(module, cfg);
  for (const uint32_t b : blocks)
    BlockEdits(module, cfg.blocks[b], result).run(delays[b]);
  return result;
}

} // namespace rdna
