// What equations a proof can take: each register of the original has one meaning at most, and
// registers of the rewritten code have none of their own, so they stay free (FunctionProof.h).

#include "Verify/Invariant.h"

#include <fmt/format.h>

#include <bitset>
#include <numeric>

namespace rdna::verify {
namespace {

/// General registers, that nothing else knows a meaning of.
bool areThere(RegUnit first, unsigned dwords) {
  if (dwords < 1 || dwords > 2)
    return false;
  const RegUnit last{static_cast<uint16_t>(first.index + dwords - 1)};
  return (first.isVgpr() && last.isVgpr()) || (first.isSgpr() && last.isSgpr());
}

/// What is wrong with the sum, if something is.
std::optional<std::string> complaintAbout(const Term &term, RegUnit left, unsigned dwords) {
  for (const Term::Summand &summand : term.summands) {
    if (!areThere(summand.reg, summand.read == Term::Read::Pair ? 2 : 1))
      return "the claim names registers that there are not";
    if ((summand.read == Term::Read::Dword) != (dwords == 1))
      return fmt::format("the claim adds {} to a sum of {} bits", toString(summand.reg),
                         32 * dwords);
    if (summand.reg.isVgpr() && !left.isVgpr())
      return fmt::format("the claim makes {} of a VGPR", toString(left));
  }
  return std::nullopt;
}

class Reader {
public:
  explicit Reader(Invariant &result) : result_(result) {}

  std::optional<std::string> add(const Equation &equation) {
    if (!areThere(equation.left, equation.dwords))
      return "the claim names registers that there are not";
    if (equation.isHint())
      return addHint(equation);
    if (equation.text == Equation::Text::Rewritten)
      return fmt::format("the claim says what the rewritten code has in {}",
                         toString(equation.left));
    const auto source = equation.copiedFrom();
    const bool isCopy = source && equation.asked == Equation::Asked::WhereNeeded;
    const bool isActive = equation.lanes != Equation::Lanes::SwitchedOff;
    const bool isInactive = isCopy && equation.lanes != Equation::Lanes::Active;
    if (equation.left.isVgpr() && !isCopy && equation.lanes != Equation::Lanes::Active)
      return fmt::format("the claim computes {} in lanes that are switched off",
                         toString(equation.left));
    if (const auto complaint = complaintAbout(equation.right, equation.left, equation.dwords))
      return complaint;
    for (unsigned d = 0; d < equation.dwords; ++d) {
      const uint16_t unit = static_cast<uint16_t>(equation.left.index + d);
      if ((isActive && active_.test(unit)) || (isInactive && inactive_.test(unit)))
        return fmt::format("the claim says twice where {} is", toString(RegUnit{unit}));
      active_.set(unit, active_.test(unit) || isActive);
      inactive_.set(unit, inactive_.test(unit) || isInactive);
    }
    if (!isCopy)
      result_.computed.push_back(&equation);
    if (isCopy && isActive)
      result_.active[equation.left.index] = source->number;
    if (isInactive)
      result_.inactive[equation.left.index] = source->number;
    return std::nullopt;
  }

private:
  std::optional<std::string> addHint(const Equation &equation) {
    if (!equation.left.isVgpr() || equation.dwords != 1 || !equation.right.summands.empty() ||
        equation.lanes != Equation::Lanes::Active)
      return "the claim has a hint that is no constant of a VGPR's active lanes";
    result_.hints.push_back(&equation);
    return std::nullopt;
  }

  Invariant &result_;
  std::bitset<kRegUnits> active_, inactive_; ///< What has a meaning.
};

} // namespace

Invariant::Invariant() {
  std::iota(active.begin(), active.end(), uint8_t{0});
  inactive = active;
}

std::optional<std::string> readEquations(llvm::ArrayRef<Equation> equations, Invariant &result) {
  Reader reader(result);
  for (const Equation &equation : equations)
    if (auto complaint = reader.add(equation))
      return complaint;
  return std::nullopt;
}

} // namespace rdna::verify
