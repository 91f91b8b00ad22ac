// Faults in order, waits, control flow and counts.

#include "mutation/InstructionText.h"
#include "mutation/Operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

namespace rdna::mutation {

static bool isText(const Instruction &inst) { return inst.origin == Instruction::Origin::Text; }

/// Exchanges the texts of two instructions.
static Mutant exchange(const Subject &subject, uint32_t first, uint32_t second) {
  const Instruction &a = subject.inst(first), &b = subject.inst(second);
  Mutant mutant;
  mutant.what = fmt::format("lines {} and {} exchanged: {} <-> {}", a.line, b.line,
                            subject.text(first), subject.text(second));
  mutant.instructions = {first, second};
  mutant.edits = {{a.begin, a.end, Code::text(subject.text(second))},
                  {b.begin, b.end, Code::text(subject.text(first))}};
  return mutant;
}

/// Takes an instruction away and puts it right before or behind another one.
enum class Place { Before, Behind };
static Mutant moveTo(const Subject &subject, uint32_t index, Place place, uint32_t other) {
  const Instruction &inst = subject.inst(index), &at = subject.inst(other);
  const std::string text(subject.text(index));
  Mutant mutant;
  mutant.what = fmt::format("line {} moved {} line {}: {}", inst.line,
                            place == Place::Before ? "before" : "behind", at.line, text);
  mutant.instructions = {index};
  mutant.edits = {{inst.begin, inst.end, {}}};
  if (place == Place::Before)
    mutant.edits.push_back({at.begin, at.begin, Code::text(text + "\n\t")});
  else
    mutant.edits.push_back({at.end, at.end, Code::text("\n\t" + text)});
  return mutant;
}

/// Does one write what the other touches?
static bool depend(const Instruction &a, const Instruction &b) {
  for (const RegAccess &x : a.accesses)
    for (const RegAccess &y : b.accesses)
      if ((x.writes() || y.writes()) && x.reg.overlaps(y.reg) && !x.reg.first.isNull())
        return true;
  return false;
}

static bool writesExec(const Instruction &inst) {
  return inst.writesUnit(kExecLo) || inst.writesUnit(kExecHi);
}

static bool isMove(const Subject &subject, uint32_t i) {
  return subject.text(i).starts_with("v_mov_b32") || subject.text(i).starts_with("v_dual_mov") ||
         subject.text(i).starts_with("v_swap");
}

/// Pairs of neighbours in one block; s_delay_alu between them does not count.
template <typename Wanted>
static std::vector<Mutant> exchangeNeighbours(const Subject &subject, const Wanted &wanted) {
  std::vector<Mutant> mutants;
  for (const Block &block : subject.cfg.blocks) {
    std::optional<uint32_t> previous;
    for (uint32_t i = block.first; i < block.last; ++i) {
      const Instruction &inst = subject.inst(i);
      if (inst.op == Op::s_delay_alu)
        continue;
      if (previous && isText(inst) && isText(subject.inst(*previous)) && wanted(*previous, i))
        mutants.push_back(exchange(subject, *previous, i));
      previous = i;
    }
  }
  return mutants;
}

std::vector<Mutant> reorderMoves(const Subject &subject) {
  return exchangeNeighbours(subject, [&](uint32_t a, uint32_t b) {
    return (isMove(subject, a) || isMove(subject, b)) && depend(subject.inst(a), subject.inst(b)) &&
           !subject.inst(b).isTerminator();
  });
}

std::vector<Mutant> reorderDependent(const Subject &subject) {
  return exchangeNeighbours(subject, [&](uint32_t a, uint32_t b) {
    return !isMove(subject, a) && !isMove(subject, b) && depend(subject.inst(a), subject.inst(b)) &&
           !subject.inst(b).isTerminator();
  });
}

std::vector<Mutant> moveAcrossExec(const Subject &subject) {
  constexpr uint32_t kReach = 6;
  std::vector<Mutant> mutants;
  for (const Block &block : subject.cfg.blocks)
    for (uint32_t gate = block.first; gate < block.last; ++gate) {
      if (!writesExec(subject.inst(gate)) || !isText(subject.inst(gate)))
        continue;
      for (uint32_t i = std::max(block.first, gate - std::min(gate, kReach));
           i < std::min(block.last, gate + kReach); ++i) {
        const Instruction &inst = subject.inst(i);
        const bool gated = inst.isValu() || isVmem(inst.unit) || inst.unit == Unit::Lds;
        if (gated && i != gate && isText(inst))
          mutants.push_back(moveTo(subject, i, i < gate ? Place::Behind : Place::Before, gate));
      }
    }
  return mutants;
}

std::vector<Mutant> moveAcrossLabels(const Subject &subject) {
  std::vector<Mutant> mutants;
  for (const Block &block : subject.cfg.blocks) {
    const uint32_t first = block.first;
    const bool named = std::any_of(subject.module.labels().begin(), subject.module.labels().end(),
                                   [&](const Label &label) { return label.instruction == first; });
    if (!named || first == subject.code().first)
      continue;
    const Instruction &above = subject.inst(first - 1), &below = subject.inst(first);
    if (isText(above) && isText(below) && !above.isTerminator())
      mutants.push_back(moveTo(subject, first - 1, Place::Before, first));
    if (isText(above) && isText(below) && !below.isTerminator())
      mutants.push_back(moveTo(subject, first, Place::Behind, first - 1));
  }
  return mutants;
}

std::vector<Mutant> moveAcrossBarriers(const Subject &subject) {
  std::vector<Mutant> mutants;
  for (const Block &block : subject.cfg.blocks)
    for (uint32_t barrier = block.first; barrier < block.last; ++barrier) {
      if (subject.inst(barrier).unit != Unit::Barrier || !isText(subject.inst(barrier)))
        continue;
      for (uint32_t i = block.first; i < block.last; ++i)
        if (isText(subject.inst(i)) && subject.inst(i).memory != MemoryEffect::None)
          mutants.push_back(
              moveTo(subject, i, i < barrier ? Place::Behind : Place::Before, barrier));
    }
  return mutants;
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

std::vector<Mutant> weakenWaits(const Subject &subject) {
  static const std::regex counter("(vmcnt|lgkmcnt)\\(([0-9]+)\\)");
  std::vector<Mutant> mutants;
  for (uint32_t i = subject.code().first; i < subject.code().last; ++i) {
    const Instruction &inst = subject.inst(i);
    const std::string text(subject.text(i));
    if (!isText(inst) || inst.unit != Unit::Wait || !text.starts_with("s_waitcnt"))
      continue;
    mutants.push_back(replaceInstruction(subject, i, ""));
    if (inst.op == Op::s_waitcnt_vscnt) {
      mutants.push_back(replaceInstruction(subject, i, "s_waitcnt_vscnt null, 0x1"));
      continue;
    }
    size_t counters = 0;
    for (auto it = std::sregex_iterator(text.begin(), text.end(), counter);
         it != std::sregex_iterator(); ++it)
      ++counters;
    for (auto it = std::sregex_iterator(text.begin(), text.end(), counter);
         it != std::sregex_iterator(); ++it) {
      const std::string name = (*it)[1];
      const unsigned count = static_cast<unsigned>(std::stoul((*it)[2]));
      const auto at = static_cast<size_t>(it->position()),
                 length = static_cast<size_t>(it->length());
      std::string weaker = text;
      mutants.push_back(replaceInstruction(
          subject, i, weaker.replace(at, length, fmt::format("{}({})", name, count + 1))));
      if (counters < 2)
        continue;
      std::string without = text;
      mutants.push_back(replaceInstruction(subject, i, without.erase(at, length)));
    }
  }
  return mutants;
}

//===----------------------------------------------------------------------===//
// Branches and counts
//===----------------------------------------------------------------------===//

std::vector<Mutant> changeBranches(const Subject &subject) {
  static const std::vector<std::pair<std::string, std::string>> kInverse = {
      {"scc0", "scc1"},  {"scc1", "scc0"},    {"vccz", "vccnz"},
      {"vccnz", "vccz"}, {"execz", "execnz"}, {"execnz", "execz"}};
  std::vector<std::string> labels;
  for (const Label &label : subject.module.labels())
    if (label.instruction > subject.code().first && label.instruction < subject.code().last &&
        label.name.starts_with(".LBB"))
      labels.push_back(label.name);
  std::vector<Mutant> mutants;
  for (uint32_t i = subject.code().first; i < subject.code().last; ++i) {
    const Instruction &inst = subject.inst(i);
    const std::string text(subject.text(i));
    const std::string target(subject.module.branchTarget(inst));
    if (!isText(inst) || target.empty())
      continue;
    mutants.push_back(replaceInstruction(subject, i, ""));
    for (const auto &[from, to] : kInverse)
      if (text.starts_with("s_cbranch_" + from + " "))
        mutants.push_back(
            replaceInstruction(subject, i, "s_cbranch_" + to + text.substr(10 + from.size())));
    for (const std::string &label : labels)
      if (subject.module.labelTarget(label) != subject.module.labelTarget(target))
        mutants.push_back(
            replaceInstruction(subject, i, text.substr(0, text.find(target)) + label));
  }
  return mutants;
}

std::vector<Mutant> lowerCounts(const Subject &subject) {
  std::vector<Mutant> mutants;
  const Function &code = subject.code();
  const auto lower = [&](uint32_t begin, uint32_t end, const char *what) {
    for (const unsigned value : {subject.vgprs - 1, subject.vgprs / 2, 1U}) {
      Mutant mutant;
      mutant.what = fmt::format("{} = {}, {} are used", what, value, subject.vgprs);
      mutant.edits = {{begin, end, Code::number(value)}};
      mutants.push_back(std::move(mutant));
    }
  };
  if (const auto field = code.descriptor.find(".amdhsa_next_free_vgpr");
      field != code.descriptor.end())
    lower(field->second.begin, field->second.end, ".amdhsa_next_free_vgpr");
  if (const auto count = code.metadata.find(".vgpr_count"); count != code.metadata.end())
    lower(count->second.begin, count->second.end, ".vgpr_count");
  // clang 22 keeps the number in a symbol.
  const std::string symbol = ".set " + code.name + ".num_vgpr, ";
  const std::string_view text = subject.module.text();
  if (const size_t at = text.find(symbol); at != std::string_view::npos) {
    const size_t begin = at + symbol.size(), end = text.find('\n', begin);
    lower(static_cast<uint32_t>(begin), static_cast<uint32_t>(end), ".num_vgpr");
  }
  return mutants;
}

} // namespace rdna::mutation
