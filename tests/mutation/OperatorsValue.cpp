// Faults in one instruction: its registers, constants, offsets and opcode.

#include "mutation/InstructionText.h"
#include "mutation/Operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>

namespace rdna::mutation {

static bool isWritable(const Instruction &inst) { return inst.origin == Instruction::Origin::Text; }

/// Control instructions compute nothing, branches and waits have operators of their own.
static bool computes(const Instruction &inst) {
  switch (inst.unit) {
  case Unit::Branch:
  case Unit::Barrier:
  case Unit::Wait:
  case Unit::Message:
  case Unit::Control:
  case Unit::End:
    return false;
  default:
    return isWritable(inst);
  }
}

/// How many of the operands of a half are destinations.
static size_t destinations(const Instruction &inst, const TextHalf &half) {
  if (inst.isVopd())
    return 1;
  const auto defs = static_cast<size_t>(
      std::count_if(inst.operands.begin(), inst.operands.end(),
                    [](const Operand &o) { return o.cls == Operand::Class::Def; }));
  // VCC is implicit for LLVM where the text names it.
  const bool namesVcc = !half.operands.empty() && half.operands[0] == "vcc_lo" && defs == 0;
  const bool carries = half.operands.size() > 1 && half.operands[1] == "vcc_lo" && defs == 1 &&
                       half.mnemonic.find("_co_") != std::string::npos;
  return defs + (namesVcc ? 1 : 0) + (carries ? 1 : 0);
}

using OperandChange = std::function<std::vector<std::string>(const std::string &operand)>;
enum class Role { Destination, Source };

/// One mutant for every replacement that `change` offers for an operand of that role.
static std::vector<Mutant> changeOperands(const Subject &subject, Role role,
                                          const OperandChange &change) {
  std::vector<Mutant> mutants;
  for (uint32_t i = subject.code().first; i < subject.code().last; ++i) {
    const Instruction &inst = subject.inst(i);
    if (!computes(inst))
      continue;
    const InstructionText text = splitText(subject.text(i));
    for (size_t h = 0; h < text.halves.size(); ++h) {
      const size_t dsts = destinations(inst, text.halves[h]);
      for (size_t o = 0; o < text.halves[h].operands.size(); ++o) {
        if ((o < dsts) != (role == Role::Destination))
          continue;
        for (std::string &other : change(text.halves[h].operands[o])) {
          InstructionText changed = text;
          changed.halves[h].operands[o] = std::move(other);
          mutants.push_back(replaceInstruction(subject, i, joinText(changed)));
        }
      }
    }
  }
  return mutants;
}

/// The register itself with another number: `distances` away where the file has that many.
static std::vector<std::string> otherRegisters(const Subject &subject, const std::string &operand,
                                               std::initializer_list<unsigned> vectorDistances) {
  std::vector<std::string> others;
  const auto token = findRegister(operand);
  if (!token) {
    if (operand == "vcc_lo")
      others.emplace_back("s0");
    return others;
  }
  const auto add = [&](unsigned distance, unsigned limit) {
    if (token->first + distance + token->dwords <= limit)
      others.push_back(withRegister(operand, *token, token->first + distance));
    else if (token->first >= distance)
      others.push_back(withRegister(operand, *token, token->first - distance));
  };
  if (token->file == 's') // tuples are aligned
    add(token->dwords >= 4 ? 4 : token->dwords, subject.sgprs);
  else
    for (const unsigned distance : vectorDistances)
      add(distance, subject.vgprs);
  return others;
}

std::vector<Mutant> exchangeSources(const Subject &subject) {
  // 4 away is the same bank, so that a legal pair stays legal; 1 away is the usual slip.
  return changeOperands(subject, Role::Source, [&](const std::string &operand) {
    return otherRegisters(subject, operand, {1, 4});
  });
}

std::vector<Mutant> changeDestinations(const Subject &subject) {
  // 2 away is the same parity, which a pair needs.
  return changeOperands(subject, Role::Destination, [&](const std::string &operand) {
    return otherRegisters(subject, operand, {1, 2});
  });
}

std::vector<Mutant> changeConstants(const Subject &subject) {
  return changeOperands(subject, Role::Source, [](const std::string &operand) {
    std::vector<std::string> others;
    if (auto next = nextConstant(operand))
      others.push_back(std::move(*next));
    return others;
  });
}

std::vector<Mutant> exchangeWithinPair(const Subject &subject) {
  std::vector<Mutant> mutants;
  for (uint32_t i = subject.code().first; i < subject.code().last; ++i) {
    const InstructionText text = splitText(subject.text(i));
    if (!isWritable(subject.inst(i)) || !text.isDual())
      continue;
    const size_t count = std::min(text.halves[0].operands.size(), text.halves[1].operands.size());
    for (size_t o = 0; o < count; ++o) {
      InstructionText changed = text;
      std::swap(changed.halves[0].operands[o], changed.halves[1].operands[o]);
      mutants.push_back(replaceInstruction(subject, i, joinText(changed)));
    }
  }
  return mutants;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static std::string withNumberAt(const std::string &text, size_t at, int change) {
  size_t end = at;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
    ++end;
  const int value = std::stoi(text.substr(at, end - at)) + change;
  return text.substr(0, at) + std::to_string(value) + text.substr(end);
}

std::vector<Mutant> changeOffsets(const Subject &subject) {
  std::vector<Mutant> mutants;
  for (uint32_t i = subject.code().first; i < subject.code().last; ++i) {
    const Instruction &inst = subject.inst(i);
    if (!isWritable(inst) || inst.memory == MemoryEffect::None)
      continue;
    const std::string text(subject.text(i));
    bool found = false;
    for (const auto &[key, step] :
         {std::pair("offset:", 4), std::pair("offset0:", 1), std::pair("offset1:", 1)}) {
      const size_t at = text.find(key);
      if (at == std::string::npos)
        continue;
      found = true;
      const size_t number = at + std::string_view(key).size();
      if (text[number] == '-') // further away from zero is as good
        mutants.push_back(replaceInstruction(subject, i, withNumberAt(text, number + 1, step)));
      else
        for (const int change : {step, -step})
          mutants.push_back(replaceInstruction(subject, i, withNumberAt(text, number, change)));
    }
    if (found || inst.unit == Unit::Smem) // (a scalar load's offset is among the constants)
      continue;
    const bool two = text.find("_2addr") != std::string::npos;
    mutants.push_back(replaceInstruction(subject, i, text + (two ? " offset0:1" : " offset:4")));
  }
  return mutants;
}

std::vector<Mutant> changeBases(const Subject &subject) {
  const auto baseOf = [&](uint32_t i) -> std::string {
    if (subject.inst(i).unit != Unit::Global || !isWritable(subject.inst(i)))
      return {};
    const InstructionText text = splitText(subject.text(i));
    const std::string &last = text.halves[0].operands.back();
    return last.starts_with("s[") ? last : std::string();
  };
  // Those of the block: another part of the kernel may have the same pointer in another pair.
  std::vector<Mutant> mutants;
  for (const Block &block : subject.cfg.blocks) {
    std::set<std::string> bases;
    for (uint32_t i = block.first; i < block.last; ++i)
      if (std::string base = baseOf(i); !base.empty())
        bases.insert(std::move(base));
    for (uint32_t i = block.first; i < block.last; ++i)
      for (const std::string &base : bases)
        if (const std::string own = baseOf(i); !own.empty() && own != base) {
          InstructionText changed = splitText(subject.text(i));
          changed.halves[0].operands.back() = base;
          mutants.push_back(replaceInstruction(subject, i, joinText(changed)));
        }
  }
  return mutants;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static const std::vector<std::pair<std::string_view, std::string_view>> kOtherOpcodes = {
    {"v_fmac_f32", "v_mul_f32"},
    {"v_fma_f32", "v_max3_f32"},
    {"v_fmaak_f32", "v_fmamk_f32"},
    {"v_fmamk_f32", "v_fmaak_f32"},
    {"v_mul_f32", "v_add_f32"},
    {"v_add_f32", "v_sub_f32"},
    {"v_sub_f32", "v_subrev_f32"},
    {"v_subrev_f32", "v_sub_f32"},
    {"v_max_f32", "v_min_f32"},
    {"v_min_f32", "v_max_f32"},
    {"v_mov_b32", "v_not_b32"},
    {"v_add_nc_u32", "v_sub_nc_u32"},
    {"v_sub_nc_u32", "v_add_nc_u32"},
    {"v_add_co_u32", "v_sub_co_u32"},
    {"v_add_co_ci_u32", "v_sub_co_ci_u32"},
    {"v_lshlrev_b32", "v_lshrrev_b32"},
    {"v_lshrrev_b32", "v_ashrrev_i32"},
    {"v_ashrrev_i32", "v_lshrrev_b32"},
    {"v_lshlrev_b64", "v_lshrrev_b64"},
    {"v_and_b32", "v_or_b32"},
    {"v_or_b32", "v_xor_b32"},
    {"v_xor_b32", "v_and_b32"},
    {"v_lshl_add_u32", "v_add_lshl_u32"},
    {"v_add_lshl_u32", "v_lshl_add_u32"},
    {"v_lshl_or_b32", "v_lshl_add_u32"},
    {"v_and_or_b32", "v_or3_b32"},
    {"v_or3_b32", "v_and_or_b32"},
    {"v_add3_u32", "v_xad_u32"},
    {"v_mad_u64_u32", "v_mad_i64_i32"},
    {"v_mad_i64_i32", "v_mad_u64_u32"},
    {"v_mad_u32_u24", "v_mad_i32_i24"},
    {"v_mul_u32_u24", "v_mul_i32_i24"},
    {"v_mul_lo_u32", "v_mul_hi_u32"},
    {"v_mul_hi_u32", "v_mul_lo_u32"},
    {"v_bfe_u32", "v_bfe_i32"},
    {"v_rcp_f32", "v_rsq_f32"},
    {"v_rsq_f32", "v_sqrt_f32"},
    {"v_sqrt_f32", "v_rsq_f32"},
    {"v_exp_f32", "v_log_f32"},
    {"v_cmp_gt_u32", "v_cmp_ge_u32"},
    {"v_cmp_lt_u32", "v_cmp_le_u32"},
    {"v_cmp_gt_i32", "v_cmp_ge_i32"},
    {"v_cmp_lt_i32", "v_cmp_le_i32"},
    {"v_cmp_eq_u32", "v_cmp_ne_u32"},
    {"v_cmp_ne_u32", "v_cmp_eq_u32"},
    {"v_cmp_gt_f32", "v_cmp_ge_f32"},
    {"v_cmp_lt_f32", "v_cmp_le_f32"},
    {"v_cmp_nlt_f32", "v_cmp_nle_f32"},
    {"v_cmp_ngt_f32", "v_cmp_nge_f32"},
    {"s_mov_b32", "s_not_b32"},
    {"s_add_i32", "s_sub_i32"},
    {"s_sub_i32", "s_add_i32"},
    {"s_add_u32", "s_sub_u32"},
    {"s_add_u32", "s_addc_u32"},
    {"s_addc_u32", "s_subb_u32"},
    {"s_addc_u32", "s_add_u32"},
    {"s_addk_i32", "s_mulk_i32"},
    {"s_lshl_b32", "s_lshr_b32"},
    {"s_lshr_b32", "s_lshl_b32"},
    {"s_lshl_b64", "s_lshr_b64"},
    {"s_ashr_i32", "s_lshr_b32"},
    {"s_and_b32", "s_or_b32"},
    {"s_or_b32", "s_and_b32"},
    {"s_mul_i32", "s_add_i32"},
    {"s_mul_i32", "s_mul_hi_u32"},
    {"s_mul_hi_u32", "s_mul_hi_i32"},
    {"s_mul_hi_u32", "s_mul_i32"},
    {"s_and_saveexec_b32", "s_or_saveexec_b32"},
    {"s_cmp_eq_u32", "s_cmp_lg_u32"},
    {"s_cmp_lg_u32", "s_cmp_eq_u32"},
    {"s_cmp_lt_i32", "s_cmp_le_i32"},
    {"s_cmp_gt_i32", "s_cmp_ge_i32"},
    {"s_cmp_ge_i32", "s_cmp_gt_i32"},
    {"s_cmp_le_i32", "s_cmp_lt_i32"},
    {"s_cmp_lt_u32", "s_cmp_le_u32"},
    {"s_cmp_gt_u32", "s_cmp_ge_u32"},
    {"s_cmpk_eq_i32", "s_cmpk_lg_i32"},
    {"s_cmpk_lg_i32", "s_cmpk_eq_i32"},
    {"s_load_b32", "s_buffer_load_b32"},
    {"ds_load_b32", "ds_load_u16"},
    {"ds_load_2addr_b32", "ds_load_2addr_stride64_b32"},
    {"ds_load_2addr_b64", "ds_load_2addr_stride64_b64"},
    {"ds_load_2addr_stride64_b32", "ds_load_2addr_b32"},
    {"ds_store_b32", "ds_store_b16"},
    {"ds_store_2addr_b32", "ds_store_2addr_stride64_b32"},
    {"ds_store_2addr_stride64_b32", "ds_store_2addr_b32"},
    {"global_load_b32", "global_load_u16"},
    {"global_store_b32", "global_store_b16"},
    {"scratch_load_b32", "scratch_load_u16"},
    {"scratch_store_b32", "scratch_store_b16"},
};

std::vector<Mutant> changeOpcodes(const Subject &subject) {
  std::vector<Mutant> mutants;
  for (uint32_t i = subject.code().first; i < subject.code().last; ++i) {
    if (!computes(subject.inst(i)))
      continue;
    const InstructionText text = splitText(subject.text(i));
    for (size_t h = 0; h < text.halves.size(); ++h) {
      const MnemonicParts parts = mnemonicParts(text.halves[h].mnemonic);
      for (const auto &[from, to] : kOtherOpcodes) {
        if (parts.base != from)
          continue;
        InstructionText changed = text;
        changed.halves[h].mnemonic =
            parts.prefix + std::string(parts.prefix.empty() ? to : to.substr(2)) + parts.suffix;
        if (from == "v_fmaak_f32" || from == "v_fmamk_f32") // the constant changes its place
          std::swap(changed.halves[h].operands[2], changed.halves[h].operands[3]);
        mutants.push_back(replaceInstruction(subject, i, joinText(changed)));
      }
    }
  }
  return mutants;
}

bool isCommutative(std::string_view base) {
  static const std::set<std::string_view> kNames = {
      "v_fmac_f32",        "v_fma_f32",    "v_fmaak_f32",        "v_mul_f32",
      "v_add_f32",         "v_max_f32",    "v_min_f32",          "v_add_nc_u32",
      "v_and_b32",         "v_or_b32",     "v_xor_b32",          "v_xnor_b32",
      "v_mul_lo_u32",      "v_mul_hi_u32", "v_mul_u32_u24",      "v_add_co_u32",
      "v_max_u32",         "v_min_u32",    "v_max_i32",          "v_min_i32",
      "v_add3_u32",        "v_or3_b32",    "v_add_lshl_u32",     "v_mad_u64_u32",
      "v_mad_i64_i32",     "v_cmp_eq_u32", "v_cmp_ne_u32",       "v_cmp_eq_i32",
      "v_cmp_ne_i32",      "s_add_i32",    "s_add_u32",          "s_addc_u32",
      "s_and_b32",         "s_or_b32",     "s_xor_b32",          "s_and_b64",
      "s_or_b64",          "s_mul_i32",    "s_mul_hi_u32",       "s_cmp_eq_u32",
      "s_cmp_lg_u32",      "s_cmp_eq_i32", "s_cmp_lg_i32",       "s_max_i32",
      "s_min_i32",         "s_max_u32",    "s_min_u32",          "v_add_co_ci_u32",
      "v_dot2acc_f32_f16", "v_and_or_b32", "v_mad_u32_u24",      "v_mad_i32_i24",
      "v_mul_i32_i24",     "s_mul_hi_i32", "v_mul_dx9_zero_f32", "v_fma_f64",
      "v_mul_f64",         "v_add_f64",    "s_xnor_b32"};
  return kNames.count(base) > 0;
}

static std::vector<Mutant> swapWhere(const Subject &subject, bool (*wanted)(std::string_view)) {
  std::vector<Mutant> mutants;
  for (uint32_t i = subject.code().first; i < subject.code().last; ++i) {
    const Instruction &inst = subject.inst(i);
    if (!computes(inst) || (!inst.isValu() && inst.unit != Unit::Salu))
      continue;
    const InstructionText text = splitText(subject.text(i));
    for (size_t h = 0; h < text.halves.size(); ++h) {
      const TextHalf &half = text.halves[h];
      const std::string base = mnemonicParts(half.mnemonic).base;
      const size_t first = destinations(inst, half);
      if (half.operands.size() < first + 2 || !wanted(base) ||
          half.operands[first] == half.operands[first + 1])
        continue;
      InstructionText changed = text;
      auto &operands = changed.halves[h].operands;
      std::swap(operands[first], operands[first + 1]);
      mutants.push_back(replaceInstruction(subject, i, joinText(changed)));
    }
  }
  return mutants;
}

std::vector<Mutant> swapOperands(const Subject &subject) {
  return swapWhere(subject, [](std::string_view base) { return !isCommutative(base); });
}

std::vector<Mutant> swapCommutativeOperands(const Subject &subject) {
  return swapWhere(subject, isCommutative);
}

//===----------------------------------------------------------------------===//
// Missing and doubled work
//===----------------------------------------------------------------------===//

static bool isMove(const TextHalf &half) {
  return mnemonicParts(half.mnemonic).base == "v_mov_b32" || half.mnemonic == "v_swap_b32";
}

std::vector<Mutant> dropMoves(const Subject &subject) {
  std::vector<Mutant> mutants;
  for (uint32_t i = subject.code().first; i < subject.code().last; ++i) {
    if (!computes(subject.inst(i)))
      continue;
    const InstructionText text = splitText(subject.text(i));
    if (!text.isDual()) {
      if (isMove(text.halves[0]))
        mutants.push_back(replaceInstruction(subject, i, ""));
      continue;
    }
    for (size_t h = 0; h < 2; ++h)
      if (isMove(text.halves[h]))
        mutants.push_back(replaceInstruction(subject, i, aloneText(text.halves[1 - h])));
    if (isMove(text.halves[0]) && isMove(text.halves[1]))
      mutants.push_back(replaceInstruction(subject, i, ""));
  }
  return mutants;
}

static bool isStore(const Instruction &inst) {
  return inst.memory == MemoryEffect::Store || inst.memory == MemoryEffect::Atomic;
}

std::vector<Mutant> dropStores(const Subject &subject) {
  std::vector<Mutant> mutants;
  for (uint32_t i = subject.code().first; i < subject.code().last; ++i)
    if (isWritable(subject.inst(i)) && isStore(subject.inst(i)))
      mutants.push_back(replaceInstruction(subject, i, ""));
  return mutants;
}

std::vector<Mutant> dropOthers(const Subject &subject) {
  std::vector<Mutant> mutants;
  for (uint32_t i = subject.code().first; i < subject.code().last; ++i) {
    const Instruction &inst = subject.inst(i);
    const bool other = computes(inst) && !isStore(inst) && !inst.isVopd() &&
                       !isMove(splitText(subject.text(i)).halves[0]);
    if (other || (inst.unit == Unit::Barrier && isWritable(inst)))
      mutants.push_back(replaceInstruction(subject, i, ""));
  }
  return mutants;
}

std::vector<Mutant> dropHalves(const Subject &subject) {
  std::vector<Mutant> mutants;
  for (uint32_t i = subject.code().first; i < subject.code().last; ++i) {
    const InstructionText text = splitText(subject.text(i));
    if (!isWritable(subject.inst(i)) || !text.isDual())
      continue;
    for (size_t h = 0; h < 2; ++h)
      if (!isMove(text.halves[1 - h])) // else it is a dropped move
        mutants.push_back(replaceInstruction(subject, i, aloneText(text.halves[h])));
  }
  return mutants;
}

std::vector<Mutant> duplicateAccumulates(const Subject &subject) {
  std::vector<Mutant> mutants;
  for (uint32_t i = subject.code().first; i < subject.code().last; ++i) {
    if (!computes(subject.inst(i)))
      continue;
    const std::string whole(subject.text(i));
    for (const TextHalf &half : splitText(whole).halves) {
      const std::string base = mnemonicParts(half.mnemonic).base;
      const bool accumulates = base == "v_fmac_f32" || base == "v_dot2acc_f32_f16" ||
                               (base == "v_fma_f32" && half.operands.back() == half.operands[0]);
      if (!accumulates)
        continue;
      const bool dual = subject.inst(i).isVopd();
      mutants.push_back(
          replaceInstruction(subject, i, whole + "\n\t" + (dual ? aloneText(half) : whole)));
    }
  }
  return mutants;
}

} // namespace rdna::mutation
