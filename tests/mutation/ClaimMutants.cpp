#include "mutation/ClaimMutants.h"

#include "Analysis/Cfg.h"

#include <algorithm>
#include <iterator>

namespace rdna::mutation {
namespace {

class Mutator {
public:
  Mutator(const Correspondence &claim, const Module &before, const std::vector<RegUnit> &registers,
          Random &random)
      : claim_(claim), registers_(registers), random_(random) {
    for (uint32_t f = 0; f < before.functions().size(); ++f)
      if (before.functions()[f].name == claim.function) {
        const Cfg cfg = buildCfg(before, f);
        for (const Block &block : cfg.blocks)
          if (block.predecessors.size() >= 2)
            joins_.push_back(block.first);
      }
  }

  ClaimMutant run() {
    using Way = std::string (Mutator::*)();
    static constexpr Way kWays[] = {
        &Mutator::otherLeft,    &Mutator::otherSummand, &Mutator::otherFactor,
        &Mutator::otherSum,     &Mutator::otherLanes,   &Mutator::otherConsequence,
        &Mutator::dropEquation, &Mutator::addCopy,      &Mutator::addHint,
        &Mutator::addSum,       &Mutator::addPointer,   &Mutator::movePoint,
        &Mutator::otherCount,   &Mutator::otherBranches};
    // Not every way applies to every claim, and none to one of code without loops and branches.
    for (int tries = 0; tries < 100; ++tries) {
      const Way way = kWays[random_.below(std::size(kWays))];
      if (std::string what = (this->*way)(); !what.empty())
        return {std::move(what), std::move(claim_)};
    }
    return {"nothing", std::move(claim_)};
  }

private:
  Equation *anyEquation() {
    std::vector<Equation *> all;
    for (auto &[block, point] : claim_.points)
      for (Equation &equation : point.equations)
        all.push_back(&equation);
    return all.empty() ? nullptr : all[random_.below(static_cast<uint32_t>(all.size()))];
  }
  Point *anyPoint() {
    if (joins_.empty())
      return nullptr;
    return &claim_.points[joins_[random_.below(static_cast<uint32_t>(joins_.size()))]];
  }
  RegUnit anyRegister() {
    if (registers_.empty() || random_.below(4) == 0)
      return RegUnit::vgpr(random_.below(256));
    return registers_[random_.below(static_cast<uint32_t>(registers_.size()))];
  }
  Vgpr anyVgpr() {
    for (int tries = 0; tries < 8; ++tries)
      if (const RegUnit unit = anyRegister(); unit.isVgpr())
        return unit.asVgpr();
    return {static_cast<uint8_t>(random_.below(256))};
  }
  RegUnit neighbour(RegUnit unit) {
    return {static_cast<uint16_t>(random_.below(2) == 0 ? unit.index + 1 : unit.index - 1)};
  }

  std::string otherLeft() {
    Equation *equation = anyEquation();
    if (!equation)
      return "";
    equation->left = random_.below(2) == 0 ? neighbour(equation->left) : anyRegister();
    return "another left side";
  }
  std::string otherSummand() {
    Equation *equation = anyEquation();
    if (!equation || equation->right.summands.empty())
      return "";
    auto &all = equation->right.summands;
    RegUnit &reg = all[random_.below(static_cast<uint32_t>(all.size()))].reg;
    reg = random_.below(2) == 0 ? neighbour(reg) : anyRegister();
    return "another summand";
  }
  std::string otherFactor() {
    Equation *equation = anyEquation();
    if (!equation || equation->right.summands.empty())
      return "";
    auto &all = equation->right.summands;
    all[random_.below(static_cast<uint32_t>(all.size()))].factor += 1 + random_.below(3);
    return "another factor";
  }
  std::string otherSum() {
    Equation *equation = anyEquation();
    if (!equation)
      return "";
    equation->right.constant += 1 + random_.below(4);
    return "another constant";
  }
  std::string otherLanes() {
    Equation *equation = anyEquation();
    if (!equation)
      return "";
    equation->lanes = static_cast<Equation::Lanes>(
        (static_cast<uint32_t>(equation->lanes) + 1 + random_.below(2)) % 3);
    return "other lanes";
  }
  std::string otherConsequence() {
    Equation *equation = anyEquation();
    if (!equation)
      return "";
    equation->asked = static_cast<Equation::Asked>(
        (static_cast<uint32_t>(equation->asked) + 1 + random_.below(2)) % 3);
    return "another consequence";
  }
  std::string dropEquation() {
    for (auto &[block, point] : claim_.points)
      if (!point.equations.empty() && random_.below(2) == 0) {
        point.equations.erase(point.equations.begin() +
                              random_.below(static_cast<uint32_t>(point.equations.size())));
        return "an equation less";
      }
    return "";
  }
  std::string addCopy() {
    Point *point = anyPoint();
    if (!point)
      return "";
    const auto lanes = static_cast<Equation::Lanes>(random_.below(3));
    const Vgpr one = anyVgpr(), other = anyVgpr();
    point->equations.push_back(movedTo(one, other, lanes));
    if (random_.below(2) == 0)
      point->equations.push_back(movedTo(other, one, lanes));
    return "a copy more";
  }
  std::string addHint() {
    static constexpr uint32_t kConstants[] = {0, 1, 4, 0x3f800000, 0xffffffff};
    Point *point = anyPoint();
    if (!point)
      return "";
    const auto text = static_cast<Equation::Text>(random_.below(2));
    point->equations.push_back(
        constantHint(text, anyVgpr(), kConstants[random_.below(std::size(kConstants))]));
    return "a hint more";
  }
  std::string addSum() {
    Point *point = anyPoint();
    if (!point)
      return "";
    Equation equation;
    equation.left = anyRegister();
    equation.right.constant = random_.below(3) * 4;
    for (uint32_t n = random_.below(3); n > 0; --n)
      equation.right.summands.push_back({Term::Read::Dword, anyRegister(), 1 + random_.below(2)});
    equation.asked = static_cast<Equation::Asked>(random_.below(2));
    point->equations.push_back(std::move(equation));
    return "a sum more";
  }
  std::string addPointer() {
    Point *point = anyPoint();
    if (!point)
      return "";
    point->equations.push_back(
        splitPointer(anyVgpr(), RegUnit::scalar(2 * random_.below(20)), anyVgpr()));
    return "a pointer more";
  }
  std::string movePoint() {
    if (claim_.points.empty() || joins_.empty())
      return "";
    auto at = claim_.points.begin();
    std::advance(at, random_.below(static_cast<uint32_t>(claim_.points.size())));
    Point moved = std::move(at->second);
    claim_.points.erase(at);
    claim_.points[joins_[random_.below(static_cast<uint32_t>(joins_.size()))]] = std::move(moved);
    return "a point elsewhere";
  }
  std::string otherCount() {
    Point *point = anyPoint();
    if (!point)
      return "";
    point->arrivals = point->arrivals == Point::kNone ? 1 + random_.below(3)
                      : random_.below(2) == 0         ? Point::kNone
                                                      : point->arrivals + 1 + random_.below(2);
    return "other arrivals";
  }
  std::string otherBranches() {
    Point *point = anyPoint();
    if (!point)
      return "";
    point->ownBranches = (point->ownBranches + 1 + random_.below(2)) % 3;
    return "other branches";
  }

  Correspondence claim_;
  const std::vector<RegUnit> &registers_;
  Random &random_;
  std::vector<uint32_t> joins_; ///< First instructions of blocks where paths meet.
};

} // namespace

ClaimMutant mutateClaim(const Correspondence &claim, const Module &before,
                        const std::vector<RegUnit> &registers, Random &random) {
  return Mutator(claim, before, registers, random).run();
}

std::vector<RegUnit> registersOf(const Module &module, const std::vector<uint32_t> &instructions) {
  std::vector<RegUnit> registers;
  for (const uint32_t i : instructions)
    for (const RegAccess &access : module.instructions()[i].accesses)
      registers.push_back(access.reg.first);
  return registers;
}

} // namespace rdna::mutation
