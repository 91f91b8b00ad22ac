#include "Symbolic/Claim.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace rdna {

std::string toString(const Term &term) {
  std::vector<std::string> parts;
  for (const auto &[read, reg, factor] : term.summands) {
    const std::string name = toString(RegRange{reg, uint8_t(read == Term::Read::Pair ? 2 : 1)});
    const char *form = read == Term::Read::ZeroExtended   ? "zext({})"
                       : read == Term::Read::SignExtended ? "sext({})"
                                                          : "{}";
    parts.push_back(fmt::format(fmt::runtime(form), name));
    if (factor != 1)
      parts.back() += fmt::format(" * {:#x}", factor);
  }
  if (term.constant != 0 || parts.empty())
    parts.push_back(fmt::format("{:#x}", term.constant));
  return fmt::format("{}", fmt::join(parts, " + "));
}

std::optional<Vgpr> Equation::copiedFrom() const {
  if (text != Text::Original || !left.isVgpr() || dwords != 1 || right.constant != 0 ||
      right.summands.size() != 1)
    return std::nullopt;
  const Term::Summand &only = right.summands.front();
  const bool isCopy = only.read == Term::Read::Dword && only.reg.isVgpr() && only.factor == 1;
  return isCopy ? std::optional(only.reg.asVgpr()) : std::nullopt;
}

Equation movedTo(Vgpr old, Vgpr fresh, Equation::Lanes lanes) {
  Equation equation;
  equation.left = RegUnit::vgpr(old.number);
  equation.right.summands = {{Term::Read::Dword, RegUnit::vgpr(fresh.number)}};
  equation.lanes = lanes;
  return equation;
}

Equation constantHint(Equation::Text text, Vgpr vgpr, uint32_t bits) {
  Equation equation;
  equation.text = text;
  equation.left = RegUnit::vgpr(vgpr.number);
  equation.right.constant = bits;
  equation.asked = Equation::Asked::Hint;
  return equation;
}

Equation splitPointer(Vgpr pointer, RegUnit base, Vgpr offset) {
  Equation equation;
  equation.left = RegUnit::vgpr(pointer.number);
  equation.dwords = 2;
  equation.right.summands = {{Term::Read::Pair, base},
                             {Term::Read::ZeroExtended, RegUnit::vgpr(offset.number)}};
  equation.asked = Equation::Asked::Always;
  return equation;
}

bool Correspondence::followsRegisters() const {
  const auto isMore = [](const Equation &equation) {
    return !equation.isHint() && !equation.copiedFrom();
  };
  return copiesCode() || assumptions.contains(Assumption::NoIndexWrap) || !given.said.empty() ||
         std::any_of(points.begin(), points.end(), [&](const auto &at) {
           const std::vector<Equation> &all = at.second.equations;
           return std::any_of(all.begin(), all.end(), isMore);
         });
}

bool Correspondence::copiesCode() const {
  return rebuffered || std::any_of(points.begin(), points.end(), [](const auto &at) {
           return at.second.arrivals != 1 || at.second.ownBranches != 0;
         });
}

const char *toString(Assumption assumption) {
  switch (assumption) {
  case Assumption::NoIndexWrap:
    return "no-index-wrap";
  case Assumption::NoSyncWithoutBarrier:
    return "no-sync-without-barrier";
  case Assumption::LdsInBounds:
    return "lds-in-bounds";
  }
  return "";
}

} // namespace rdna
