#include "Transform/DualIssueEdits.h"

#include "Analysis/Waits.h"
#include "Asm/Counters.h"
#include "Code/Build.h"
#include "Code/Change.h"
#include "Transform/Hints.h"

namespace rdna {
namespace {

class FunctionEditor {
public:
  FunctionEditor(const Module &module, const Cfg &cfg, const FunctionWebs &webs,
                 const Invocations &invocations, const Candidate &candidate)
      : module_(module), cfg_(cfg), webs_(webs), invocations_(invocations), candidate_(candidate),
        waits_(countParts(module, cfg, candidate.split)) {}

  /// Nothing if something cannot be written so.
  std::optional<std::vector<TextEdit>> run() {
    for (const uint32_t drained : waits_.drains)
      if (!drain(cfg_.blocks[drained]))
        return std::nullopt;
    for (const Block &block : cfg_.blocks) {
      if (!block.reachable)
        continue;
      const bool changes = isChanged(block);
      for (uint32_t i = block.first; i < block.last; ++i)
        if (!rewrite(module_.instructions()[i], changes))
          return std::nullopt;
    }
    if (!writeInvocations())
      return std::nullopt;
    return std::move(edits_);
  }

private:
  Vgpr newOf(const Instruction &inst, size_t operand, unsigned dword, Vgpr old) const {
    const WebId web = webs_.webAt(inst.index, static_cast<unsigned>(operand), dword);
    return web == kNoWeb ? old : candidate_.registers.of[web];
  }

  bool isRenamed(const Instruction &inst) const {
    for (size_t o = 0; o < inst.operands.size(); ++o) {
      const Operand &operand = inst.operands[o];
      for (unsigned d = 0; operand.isReg() && operand.reg.first.isVgpr() && d < operand.reg.dwords;
           ++d) {
        const Vgpr old{static_cast<uint8_t>(operand.reg.first.index + d)};
        if (newOf(inst, o, d, old) != old)
          return true;
      }
    }
    return false;
  }

  bool isChanged(const Block &block) const {
    return !candidate_.blocks[cfg_.blockOf(block.first)].changed.empty();
  }

  bool rewrite(const Instruction &inst, bool blockChanges) {
    std::vector<Code> codes;
    const auto &changes = candidate_.blocks[cfg_.blockOf(inst.index)].changed;
    if (const auto changed = changes.find(inst.index); changed != changes.end()) {
      for (const PlacedOps::Slot &slot : changed->second.slots) {
        if (slot.wait.any())
          codes.emplace_back(buildWait(slot.wait));
        codes.push_back(slot.y ? buildVopd(*asVopdHalf(slot.x.lane), *asVopdHalf(slot.y->lane))
                               : buildLane(slot.x.lane));
      }
    } else if (const auto split = candidate_.split.find(inst.index);
               split != candidate_.split.end()) {
      codes = partsOfLoad(inst, split->second);
    } else if (const auto count = waits_.counts.find(inst.index); count != waits_.counts.end()) {
      WaitCounts counts = waitCounts(inst).value_or(WaitCounts());
      counts.lgkm = count->second;
      codes.push_back(buildWait(counts));
    } else if (inst.op == Op::s_delay_alu && blockChanges) {
      // It counts instructions that are others now; --delay-alu sets them anew.
    } else if (inst.op == Op::s_clause && newLength(inst) != clauseLength(inst)) {
      if (newLength(inst) <= kLongestClause)
        codes.push_back(buildClause(newLength(inst)));
    } else if (isRenamed(inst)) {
      const auto code = renamed(module_, inst, [&](const Operand &operand, int index, Vgpr old) {
        return newOf(inst, static_cast<size_t>(index), old.number - operand.reg.first.index, old);
      });
      if (!code)
        return false;
      codes.push_back(*code);
    } else {
      return true;
    }
    return put(inst, std::move(codes));
  }

  std::vector<Code> partsOfLoad(const Instruction &inst, llvm::ArrayRef<LoadPart> parts) const {
    const size_t address = llvm::find_if(inst.operands,
                                         [](const Operand &operand) {
                                           return operand.cls == Operand::Class::Source &&
                                                  operand.isReg() && operand.reg.first.isVgpr();
                                         }) -
                           inst.operands.begin();
    const Vgpr from = newOf(inst, address, 0, inst.operands[address].reg.first.asVgpr());
    std::vector<Code> codes;
    for (const LoadPart &part : parts)
      codes.push_back(
          buildDsLoad(newOf(inst, 0, part.dword, Vgpr{}), part.dwords, from, part.offset));
    return codes;
  }

  unsigned newLength(const Instruction &clause) const {
    unsigned length = 0;
    for (uint32_t i = clause.index + 1; i <= clause.index + clauseLength(clause); ++i) {
      const auto split = candidate_.split.find(i);
      length += split == candidate_.split.end() ? 1U : static_cast<unsigned>(split->second.size());
    }
    return length;
  }

  bool put(const Instruction &inst, std::vector<Code> codes) {
    if (inst.origin == Instruction::Origin::Macro) {
      fromMacros_[inst.index] = std::move(codes);
      return true;
    }
    if (codes.empty()) {
      edits_.push_back(removal(module_, inst));
      return true;
    }
    edits_.push_back(replacement(inst, inLines(codes)));
    return true;
  }

  Code inLines(const std::vector<Code> &codes) const {
    Code all;
    for (size_t n = 0; n < codes.size(); ++n) {
      if (n != 0)
        (all += lineEnding(module_)) += "\t";
      all += codes[n];
    }
    return all;
  }

  /// An invocation one of whose instructions changes is written out.
  bool writeInvocations() {
    const auto &insts = module_.instructions();
    for (auto it = fromMacros_.begin(); it != fromMacros_.end();) {
      const uint32_t line = insts[it->first].line;
      const auto invocation = invocations_.find(line);
      if (!invocation)
        return false;
      uint32_t first = it->first;
      const auto isHere = [&](uint32_t i) {
        return insts[i].origin == Instruction::Origin::Macro && insts[i].line == line;
      };
      while (first > 0 && isHere(first - 1))
        --first;
      std::vector<Code> codes;
      for (uint32_t i = first; i < insts.size() && isHere(i); ++i) {
        const auto changed = fromMacros_.find(i);
        if (changed == fromMacros_.end())
          codes.emplace_back(written(module_, insts[i]));
        else
          codes.insert(codes.end(), changed->second.begin(), changed->second.end());
      }
      while (it != fromMacros_.end() && insts[it->first].line == line)
        ++it;
      Code text = Code::layout("\t") + inLines(codes);
      for (const std::string &assignment : invocation->assignments)
        ((text += lineEnding(module_)) += "\t") += assignment;
      edits_.push_back({invocation->begin, invocation->end, std::move(text)});
    }
    return true;
  }

  bool drain(const Block &block) {
    const Instruction &last = module_.instructions()[block.last - 1];
    WaitCounts all;
    all.lgkm = 0;
    if (last.isTerminator()) {
      if (!takesLineBefore(module_, last))
        return false;
      edits_.push_back(lineBefore(module_, last, buildWait(all)));
      return true;
    }
    if (!takesLineBehind(module_, last))
      return false;
    edits_.push_back(lineBehind(module_, last, buildWait(all)));
    return true;
  }

  const Module &module_;
  const Cfg &cfg_;
  const FunctionWebs &webs_;
  const Invocations &invocations_;
  const Candidate &candidate_;
  const SplitWaits waits_;
  std::vector<TextEdit> edits_;
  std::map<uint32_t, std::vector<Code>> fromMacros_;
};

} // namespace

std::optional<std::vector<TextEdit>> editsOf(const Module &module, const Cfg &cfg,
                                             const FunctionWebs &webs,
                                             const Invocations &invocations,
                                             const Candidate &candidate) {
  return FunctionEditor(module, cfg, webs, invocations, candidate).run();
}

} // namespace rdna
