#include "Symbolic/Compose.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {
namespace {

using Lanes = Equation::Lanes;
using Read = Term::Read;

/// Scalars have no lanes; what is said of them counts with the active ones.
bool isAbout(const Equation &equation, Lanes lanes) {
  if (equation.isHint())
    return false;
  if (!equation.left.isVgpr())
    return lanes == Lanes::Active;
  return equation.lanes == lanes || equation.lanes == Lanes::All;
}

/// Of the registers of one text at one point, in terms of the next.
class Meaning {
public:
  explicit Meaning(const std::vector<Equation> &equations) : equations_(equations) {}

  /// The equation whose left side these registers are; none: they are where they were.
  const Equation *of(RegUnit first, unsigned dwords, Lanes lanes) const {
    for (const Equation &equation : equations_)
      if (isAbout(equation, lanes) && equation.left == first && equation.dwords == dwords)
        return &equation;
    return nullptr;
  }
  /// Is something said of one of them, alone or with others?
  bool speaksOf(RegUnit first, unsigned dwords, Lanes lanes) const {
    return std::any_of(equations_.begin(), equations_.end(), [&](const Equation &equation) {
      return isAbout(equation, lanes) && equation.left.index < first.index + dwords &&
             first.index < equation.left.index + equation.dwords;
    });
  }

private:
  const std::vector<Equation> &equations_;
};

/// Equations of two rewrites at one point.
class PointComposer {
public:
  PointComposer(const Point &first, const Point &second)
      : first_(first), second_(second), behind_(second.equations) {}

  /// What cannot be said, if something cannot.
  std::optional<std::string> run(std::vector<Equation> &result) {
    for (const Equation &equation : first_.equations)
      if (auto problem = equation.isHint() ? std::nullopt : substitute(equation, result))
        return problem;
    const Meaning before(first_.equations);
    for (const Equation &equation : second_.equations)
      if (!equation.isHint()) // In the first text it is the same only where that needs it.
        for (const Lanes lanes : {Lanes::Active, Lanes::SwitchedOff})
          if (isAbout(equation, lanes) && !before.speaksOf(equation.left, equation.dwords, lanes)) {
            Equation same = equation;
            same.asked = Equation::Asked::WhereNeeded;
            add(std::move(same), lanes, result);
          }
    addHints(result);
    return std::nullopt;
  }

private:
  static void add(Equation equation, Lanes lanes, std::vector<Equation> &result) {
    equation.lanes = lanes;
    result.push_back(std::move(equation));
  }

  std::optional<std::string> substitute(const Equation &equation, std::vector<Equation> &result) {
    for (const Lanes lanes : {Lanes::Active, Lanes::SwitchedOff}) {
      if (!isAbout(equation, lanes))
        continue;
      Equation made = equation;
      made.right.summands.clear();
      for (const Term::Summand &summand : equation.right.summands)
        if (auto problem = substitute(summand, lanes, made))
          return problem;
      add(std::move(made), lanes, result);
    }
    return std::nullopt;
  }

  std::optional<std::string> substitute(const Term::Summand &summand, Lanes lanes,
                                        Equation &made) const {
    const unsigned dwords = summand.read == Read::Pair ? 2 : 1;
    const Equation *next = behind_.of(summand.reg, dwords, lanes);
    if (!next) {
      if (behind_.speaksOf(summand.reg, dwords, lanes))
        return fmt::format("{} is in parts", toString(summand.reg));
      made.right.summands.push_back(summand);
      return std::nullopt;
    }
    const bool isExtended = summand.read != Read::Dword && summand.read != Read::Pair;
    if (isExtended && !next->copiedFrom())
      return fmt::format("{} is extended, and a sum itself", toString(summand.reg));
    for (Term::Summand inner : next->right.summands) {
      if (isExtended)
        inner.read = summand.read;
      inner.factor *= summand.factor;
      made.right.summands.push_back(inner);
    }
    made.right.constant += next->right.constant * summand.factor;
    return std::nullopt;
  }

  /// Of the first text and of the last.
  void addHints(std::vector<Equation> &result) const {
    for (const Equation &hint : first_.equations)
      if (hint.isHint() && hint.text == Equation::Text::Original)
        result.push_back(hint);
    for (const Equation &hint : second_.equations)
      if (hint.isHint() && hint.text == Equation::Text::Rewritten)
        result.push_back(hint);
  }

  const Point &first_, &second_;
  const Meaning behind_;
};

/// Where a block of the first text is in the second; nothing if it has no label there.
std::optional<uint32_t> placeOf(const Module &first, const Module &second, uint32_t at,
                                const Point &point) {
  if (!point.label.empty())
    return second.labelTarget(point.label);
  std::optional<uint32_t> place;
  for (const Label &label : first.labels())
    if (label.instruction == at)
      if (const auto target = second.labelTarget(label.name))
        place = std::max(place.value_or(0), *target);
  return place;
}

const Point &pointAt(const Correspondence &claim, std::optional<uint32_t> at) {
  static const Point plain;
  const auto found = at ? claim.points.find(*at) : claim.points.end();
  return found == claim.points.end() ? plain : found->second;
}

bool copies(const Point &point) { return point.arrivals != 1 || point.ownBranches != 0; }

} // namespace

llvm::Expected<Correspondence> compose(const Module &original, const Cfg &cfg,
                                       const Correspondence &first, const Module &middle,
                                       const Correspondence &second) {
  const auto refuse = [&](uint32_t line, const std::string &message) {
    return makeError(Failure::Refused, original.atLine(line, message, Severity::Error));
  };
  if (first.rebuffered || second.rebuffered)
    return refuse(original.functions()[cfg.functionIndex].line,
                  "LDS that is arranged anew has a proof of its own");
  Correspondence result = first;
  result.points.clear();
  result.assumptions.insert(second.assumptions.begin(), second.assumptions.end());
  if (result.given.said.empty())
    result.given = second.given;
  for (const Block &block : cfg.blocks) {
    const uint32_t line = original.instructions()[block.first].line;
    const Point &was = pointAt(first, block.first);
    const Point &now = pointAt(second, placeOf(original, middle, block.first, was));
    if (copies(was) && copies(now))
      return refuse(line, "code is copied in two steps here");
    Point both = copies(was) ? was : now;
    both.label = now.label.empty() ? was.label : now.label;
    both.equations.clear();
    if (auto problem = PointComposer(was, now).run(both.equations))
      return refuse(line, "in one step " + *problem);
    if (both != Point())
      result.points.emplace(block.first, std::move(both));
  }
  return result;
}

} // namespace rdna
