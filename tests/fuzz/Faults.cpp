#include "Faults.h"

#include "Support/Random.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::fuzz {

using mutation::Mutant;
using mutation::replaceInstruction;
using mutation::Subject;
using Mutants = std::vector<Mutant>;

static bool isText(const Subject &subject, uint32_t i) {
  return i >= subject.code().first && i < subject.code().last &&
         subject.inst(i).origin == Instruction::Origin::Text;
}

template <typename F> static Mutants forEach(const Subject &subject, const F &add) {
  Mutants mutants;
  for (uint32_t i = subject.code().first; i < subject.code().last; ++i)
    if (isText(subject, i))
      add(mutants, i, std::string(subject.text(i)));
  return mutants;
}

static Mutant exchange(const Subject &subject, uint32_t a, uint32_t b) {
  Mutant mutant = replaceInstruction(subject, a, std::string(subject.text(b)));
  const Instruction &other = subject.inst(b);
  mutant.what = fmt::format("lines {} and {} exchanged: {} <-> {}", subject.inst(a).line,
                            other.line, subject.text(a), subject.text(b));
  mutant.instructions.push_back(b);
  mutant.edits.push_back({other.begin, other.end, Code::text(subject.text(a))});
  return mutant;
}

static Mutants dropAny(const Subject &subject) {
  return forEach(subject, [&](Mutants &all, uint32_t i, const std::string &) {
    if (!subject.inst(i).isTerminator())
      all.push_back(replaceInstruction(subject, i, ""));
  });
}

static Mutants doubleAny(const Subject &subject) {
  return forEach(subject, [&](Mutants &all, uint32_t i, const std::string &text) {
    if (!subject.inst(i).isTerminator())
      all.push_back(replaceInstruction(subject, i, text + "\n\t" + text));
  });
}

static Mutants exchangeAny(const Subject &subject) {
  return forEach(subject, [&](Mutants &all, uint32_t i, const std::string &) {
    if (isText(subject, i + 1))
      all.push_back(exchange(subject, i, i + 1));
  });
}

static Mutants moveOverWait(const Subject &subject) {
  return forEach(subject, [&](Mutants &all, uint32_t i, const std::string &text) {
    const bool gate = text.starts_with("s_waitcnt") || text.starts_with("s_barrier") ||
                      text.starts_with("buffer_gl");
    for (uint32_t distance = 1; gate && distance < 4; ++distance)
      for (const uint32_t other : {i - distance, i + distance})
        if (isText(subject, other) && subject.inst(other).memory != MemoryEffect::None)
          all.push_back(exchange(subject, i, other));
  });
}

static Mutants moveOverBranch(const Subject &subject) {
  return forEach(subject, [&](Mutants &all, uint32_t i, const std::string &text) {
    if (!text.starts_with("s_cbranch"))
      return;
    for (const uint32_t other : {i - 1, i + 1})
      if (isText(subject, other) && !subject.inst(other).isTerminator())
        all.push_back(exchange(subject, i, other));
  });
}

static Mutants changeCacheBits(const Subject &subject) {
  return forEach(subject, [&](Mutants &all, uint32_t i, const std::string &text) {
    if (subject.inst(i).memory == MemoryEffect::None || text.starts_with("ds_"))
      return;
    for (const std::string bit : {" glc", " slc", " dlc"})
      if (const size_t at = text.find(bit); at == std::string::npos)
        all.push_back(replaceInstruction(subject, i, text + bit));
      else
        all.push_back(
            replaceInstruction(subject, i, text.substr(0, at) + text.substr(at + bit.size())));
  });
}

/// Sources of VOP3 get a sign, an absolute value or a clamp; op_sel bits turn.
static Mutants changeModifiers(const Subject &subject) {
  return forEach(subject, [&](Mutants &all, uint32_t i, const std::string &text) {
    if (!text.starts_with("v_") || text.find("::") != std::string::npos)
      return;
    if (const size_t at = text.find("clamp"); at != std::string::npos)
      all.push_back(replaceInstruction(subject, i, text.substr(0, at - 1)));
    else if (text.find("_e64") != std::string::npos || text.starts_with("v_fma_f32"))
      all.push_back(replaceInstruction(subject, i, text + " clamp"));
    const size_t comma = text.find(", v");
    if (comma != std::string::npos && text.find("f32") != std::string::npos) {
      all.push_back(
          replaceInstruction(subject, i, text.substr(0, comma + 2) + "-" + text.substr(comma + 2)));
      const size_t end = std::min(text.find(',', comma + 1), text.size());
      all.push_back(replaceInstruction(subject, i,
                                       text.substr(0, comma + 2) + "|" +
                                           text.substr(comma + 2, end - comma - 2) + "|" +
                                           text.substr(end)));
    }
    for (const char *name : {"op_sel_hi:[", "op_sel:[", "neg_lo:[", "row_mask:0x", "bank_mask:0x"})
      if (const size_t at = text.find(name); at != std::string::npos) {
        std::string other = text;
        char &digit = other[at + std::string_view(name).size()];
        digit = digit == '0' || digit == 'f' ? '1' : '0';
        all.push_back(replaceInstruction(subject, i, other));
      }
  });
}

static Mutants changeEncoding(const Subject &subject) {
  return forEach(subject, [&](Mutants &all, uint32_t i, const std::string &text) {
    for (const auto &[from, to] : {std::pair("_e32", "_e64"), std::pair("_e64", "_e32")})
      if (const size_t at = text.find(from); at != std::string::npos) {
        std::string other = text;
        all.push_back(replaceInstruction(subject, i, other.replace(at, 4, to)));
        return;
      }
  });
}

/// Splits, merges and moves waits.
static Mutants changeWaits(const Subject &subject) {
  return forEach(subject, [&](Mutants &all, uint32_t i, const std::string &text) {
    if (!text.starts_with("s_waitcnt"))
      return;
    for (const char *other : {"s_waitcnt vmcnt(1)", "s_waitcnt lgkmcnt(1)", "s_waitcnt vmcnt(0)",
                              "s_waitcnt lgkmcnt(0)", "s_waitcnt_vscnt null, 0x0"})
      all.push_back(replaceInstruction(subject, i, other));
    for (uint32_t distance = 1; distance < 4; ++distance)
      if (isText(subject, i + distance))
        all.push_back(exchange(subject, i, i + distance));
  });
}

static Mutants moveLabels(const Subject &subject) {
  Mutants mutants;
  for (const Label &label : subject.module.labels()) {
    if (!label.name.starts_with(".L") || !isText(subject, label.instruction) ||
        !isText(subject, label.instruction + 1))
      continue;
    const uint32_t begin = subject.module.lineBegin(label.line);
    const Instruction &first = subject.inst(label.instruction);
    Mutant mutant;
    mutant.what = fmt::format("{} behind line {}", label.name, first.line);
    mutant.instructions = {label.instruction};
    mutant.edits = {{begin, begin + static_cast<uint32_t>(label.name.size()) + 1, {}},
                    {first.end, first.end, Code::text("\n" + label.name + ":")}};
    mutants.push_back(std::move(mutant));
  }
  return mutants;
}

/// What nothing leads to, as far as the text shows.
static Mutants changeUnreachable(const Subject &subject) {
  return forEach(subject, [&](Mutants &all, uint32_t i, const std::string &) {
    const bool leaves = i > subject.code().first && subject.inst(i - 1).isTerminator() &&
                        !subject.text(i - 1).starts_with("s_cbranch");
    const auto &labels = subject.module.labels();
    if (leaves && std::none_of(labels.begin(), labels.end(),
                               [&](const Label &label) { return label.instruction == i; }))
      all.push_back(replaceInstruction(subject, i, "v_mov_b32_e32 v0, 0"));
  });
}

const std::vector<mutation::Operator> &allFaults() {
  using Class = mutation::Operator::Class;
  static const std::vector<mutation::Operator> all = [] {
    std::vector<mutation::Operator> list = mutation::operators();
    list.insert(list.end(), {{"drop any", Class::Value, dropAny},
                             {"double any", Class::Value, doubleAny},
                             {"exchange any", Class::Order, exchangeAny},
                             {"move over a wait", Class::Order, moveOverWait},
                             {"move over a branch", Class::Order, moveOverBranch},
                             {"cache bits", Class::Value, changeCacheBits},
                             {"modifiers", Class::Value, changeModifiers},
                             {"encoding", Class::Value, changeEncoding},
                             {"another wait", Class::Wait, changeWaits},
                             {"label", Class::Branch, moveLabels},
                             {"unreachable", Class::Branch, changeUnreachable}});
    return list;
  }();
  return all;
}

std::string withHints(const Module &module, uint64_t seed) {
  Random random(seed);
  std::vector<TextEdit> edits;
  const auto &instructions = module.instructions();
  uint32_t clauseEnd = 0;
  for (uint32_t i = 1; i < instructions.size(); ++i) {
    const Instruction &inst = instructions[i], &above = instructions[i - 1];
    if (inst.op == Op::s_clause && !inst.operands.empty())
      clauseEnd = i + static_cast<uint32_t>(inst.operands[0].imm) + 2;
    // Nothing goes between an s_getpc and what counts from it, or between s_nop and the message
    // that gives the VGPRs back.
    const auto text = module.instructionText(above);
    const bool counted = text.starts_with("s_getpc") || text.find("@rel32") != std::string::npos;
    if (i < clauseEnd + 1 || counted || inst.unit == Unit::End ||
        module.instructionText(inst).starts_with("s_sendmsg") || random.below(6) != 0 ||
        !takesLineBefore(module, inst))
      continue;
    static constexpr const char *hints[] = {"\ts_nop 0", "\ts_setprio 1",
                                            "\ts_delay_alu instid0(VALU_DEP_1)"};
    edits.push_back(lineBefore(module, inst, Code::text(hints[random.below(3)])));
  }
  return applyEdits(module, std::move(edits));
}

} // namespace rdna::fuzz
