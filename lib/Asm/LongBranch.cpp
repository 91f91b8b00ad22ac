// Branches to a place that is too far for s_branch: its address is made in a register pair by what
// stands right in front of s_setpc_b64. Where that lies is known, so it is a branch like others.

#include "Asm/Builder.h"

#include <algorithm>
#include <optional>

namespace rdna {

namespace {

/// s_getpc_b64 s[n:n+1], up to three additions, s_setpc_b64 s[n:n+1].
class LongBranchFinder {
public:
  LongBranchFinder(const Module &module, uint32_t setPc)
      : module_(module), all_(module.instructions()), setPc_(setPc) {}

  /// How many instructions in front of s_setpc_b64 make its address; 0 if it is no long branch.
  uint8_t length() {
    const Operand &to = all_[setPc_].operands[0];
    if (!to.isReg() || to.reg.dwords != 2)
      return 0;
    low_ = to.reg.first;
    high_ = RegUnit{static_cast<uint16_t>(low_.index + 1)};
    for (const auto &[count, matches] : {std::pair(3U, &LongBranchFinder::isCompilers),
                                         std::pair(4U, &LongBranchFinder::isForward),
                                         std::pair(5U, &LongBranchFinder::isBackward)}) {
      if (setPc_ < count)
        continue;
      first_ = setPc_ - count;
      const Instruction &getPc = all_[first_];
      if (getPc.op == Op::s_getpc_b64 && getPc.operands[0].reg == to.reg && (this->*matches)() &&
          isStraight())
        return static_cast<uint8_t>(count);
    }
    return 0;
  }

private:
  const Instruction &at(unsigned n) const { return all_[first_ + n]; }

  static bool isRegister(const Operand &operand, RegUnit unit) {
    return operand.isReg() && operand.reg == RegRange{unit, 1, Half::Whole};
  }
  static bool isNumber(const Operand &operand, int64_t value) {
    return operand.kind == Operand::Kind::Immediate && operand.imm == value;
  }
  /// `op unit, unit, ...`: the operand that is added.
  static const Operand *addedTo(const Instruction &inst, Op op, RegUnit unit) {
    const bool is = inst.op == op && inst.operands.size() == 3 &&
                    isRegister(inst.operands[0], unit) && isRegister(inst.operands[1], unit);
    return is ? &inst.operands[2] : nullptr;
  }

  /// LLVM's: the distance from behind s_getpc_b64, in two halves.
  bool isCompilers() {
    const Operand *low = addedTo(at(1), Op::s_add_u32, low_);
    const Operand *high = addedTo(at(2), Op::s_addc_u32, high_);
    if (!low || !high || low->kind != Operand::Kind::Expression ||
        high->kind != Operand::Kind::Expression)
      return false;
    const auto distance = [](std::string_view text, std::string_view ending) {
      return text.starts_with("(") && text.ends_with(ending)
                 ? text.substr(1, text.size() - 1 - ending.size())
                 : std::string_view();
    };
    const std::string_view text = distance(low->symbol, ")&4294967295");
    const size_t minus = text.find('-');
    if (minus == std::string_view::npos || text != distance(high->symbol, ")>>32"))
      return false;
    anchor_ = text.substr(minus + 1);
    return module_.labelTarget(anchor_) == first_ + 1 &&
           module_.labelTarget(text.substr(0, minus)).has_value();
  }

  /// The distance as LLVM gives the name of a label as a literal: from the literal itself, which
  /// is 4 bytes behind what s_getpc_b64 reads.
  std::optional<uint32_t> targetOfDistance(RegUnit &distance) const {
    const Instruction &add = at(1);
    if (add.op != Op::s_add_i32 || add.operands.size() != 3 || !add.operands[0].isReg() ||
        add.operands[0].reg.dwords != 1 || add.sizeBytes != 8 ||
        add.operands[1].kind != Operand::Kind::Expression || !isNumber(add.operands[2], 4))
      return std::nullopt;
    distance = add.operands[0].reg.first;
    if (distance == low_ || distance == high_)
      return std::nullopt;
    return module_.labelTarget(add.operands[1].symbol);
  }

  bool isForward() {
    RegUnit distance;
    const auto target = targetOfDistance(distance);
    const Operand *low = addedTo(at(2), Op::s_add_u32, low_);
    const Operand *high = addedTo(at(3), Op::s_addc_u32, high_);
    return target && *target > setPc_ && low && high && isRegister(*low, distance) &&
           isNumber(*high, 0);
  }

  bool isBackward() {
    RegUnit distance;
    const auto target = targetOfDistance(distance);
    const Instruction &abs = at(2);
    const Operand *low = addedTo(at(3), Op::s_sub_u32, low_);
    const Operand *high = addedTo(at(4), Op::s_subb_u32, high_);
    return target && *target <= first_ && abs.op == Op::s_abs_i32 && abs.operands.size() == 2 &&
           isRegister(abs.operands[0], distance) && isRegister(abs.operands[1], distance) && low &&
           high && isRegister(*low, distance) && isNumber(*high, 0);
  }

  /// All in one section, and nobody arrives in between.
  bool isStraight() const {
    for (uint32_t i = first_; i < setPc_; ++i)
      if (all_[i].section != all_[setPc_].section)
        return false;
    auto label = std::partition_point(module_.labels().begin(), module_.labels().end(),
                                      [&](const Label &l) { return l.instruction <= first_; });
    for (; label != module_.labels().end() && label->instruction <= setPc_; ++label)
      if (label->name != anchor_)
        return false;
    return true;
  }

  const Module &module_;
  const std::vector<Instruction> &all_;
  uint32_t setPc_, first_ = 0;
  RegUnit low_, high_;
  std::string_view anchor_;
};

} // namespace

void ModuleBuilder::findLongBranches() {
  for (Instruction &inst : instructions())
    if (inst.op == Op::s_setpc_b64)
      inst.longBranch = LongBranchFinder(module, inst.index).length();
}

} // namespace rdna
