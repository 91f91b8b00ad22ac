#include "Transform/DelayAlu.h"

#include "Analysis/Delays.h"
#include "Code/Build.h"
#include "Transform/Lines.h"

#include <map>

namespace rdna {
namespace {

/// Instructions of the block in front of which no hint may come or go: members of a clause, and
/// the two additions behind s_getpc_b64, which count from where that stands.
std::vector<uint8_t> fixedPlaces(const Module &module, const Block &block) {
  const auto &insts = module.instructions();
  std::vector<uint8_t> fixed(block.last - block.first, 0);
  for (uint32_t i = block.first; i < block.last; ++i) {
    uint32_t members = 0;
    if (insts[i].op == Op::s_clause && !insts[i].operands.empty())
      members = static_cast<uint32_t>(insts[i].operands[0].imm & 63) + 1;
    else if (insts[i].op == Op::s_getpc_b64)
      members = 2;
    for (uint32_t m = i + 1; m <= i + members && m < block.last; ++m)
      fixed[m - block.first] = 1;
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

/// The edits of one block; nothing if one of them is impossible.
class BlockEdits {
public:
  BlockEdits(const Module &module, const Block &block)
      : module_(module), block_(block), fixed_(fixedPlaces(module, block)) {}

  std::optional<DelayEdits> run(const std::vector<Delay> &wanted) {
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
    if (!possible_)
      return std::nullopt;
    return std::move(result_);
  }

private:
  void touch(const Instruction &inst, TextEdit edit) {
    possible_ = possible_ && !fixed_[inst.index - block_.first];
    result_.edits.push_back(std::move(edit));
  }
  void remove(const Instruction &delay) {
    possible_ = possible_ && standsAlone(module_, delay);
    touch(delay, removal(module_, delay));
    ++result_.removed;
  }
  void replace(const Instruction &delay, uint16_t immediate) {
    possible_ = possible_ && standsAlone(module_, delay);
    touch(delay, replacement(delay, buildDelay(immediate)));
    ++result_.set;
  }
  void insert(const Instruction &inst, uint16_t immediate) {
    possible_ = possible_ && takesLineBefore(module_, inst);
    touch(inst, hintBefore(module_, inst, immediate));
    ++result_.set;
  }

  const Module &module_;
  const Block &block_;
  std::vector<uint8_t> fixed_;
  DelayEdits result_;
  bool possible_ = true;
};

} // namespace

DelayEdits setDelays(const Module &module, const Cfg &cfg, const std::vector<uint32_t> &blocks) {
  DelayEdits result;
  const auto delays = computeDelays(module, cfg);
  for (const uint32_t b : blocks) {
    auto edits = BlockEdits(module, cfg.blocks[b]).run(delays[b]);
    if (!edits) {
      result.left.push_back(cfg.blocks[b].first);
      continue;
    }
    std::move(edits->edits.begin(), edits->edits.end(), std::back_inserter(result.edits));
    result.set += edits->set;
    result.removed += edits->removed;
  }
  return result;
}

} // namespace rdna
