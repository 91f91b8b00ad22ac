#include "Transform/TripCountCheck.h"

#include "Analysis/ScalarFlow.h"
#include "Symbolic/BlockValues.h"
#include "Transform/ScalarSums.h"

#include <fmt/format.h>

#include <limits>

namespace rdna {
namespace {

using verify::ExprPool;
using verify::State;
using verify::Value;
using Order = ExprPool::Order;

/// What must hold so that the loop goes on, after one iteration.
struct Condition {
  enum class Kind : uint8_t { NotZero, Less, NotLess } kind = Kind::NotZero;
  Order order = Order::Unsigned;
  Value left = 0, right = 0; ///< `left` alone for NotZero.
};

class Guard {
public:
  Guard(const Module &module, const Cfg &cfg, const Loop &loop, unsigned iterations)
      : module_(module), cfg_(cfg), loop_(loop), iterations_(iterations),
        values_(module, cfg, pool_) {}

  TripCountCheck run() {
    const auto live = liveScalars(module_, cfg_);
    live_ = live[loop_.header];
    if (live_.test(kScc.index))
      return refuse("the loop reads SCC from before it");
    atStart_ = values_.atStart(loop_.header);
    State state = atStart_;
    const auto first = goRound(state);
    const auto second = first ? goRound(state) : std::nullopt;
    if (!first || !second || first->kind != second->kind || first->order != second->order)
      return refuse("its condition is not one of those that can be looked ahead at");
    switch (first->kind) {
    case Condition::Kind::NotZero:
      guardNotZero(first->left, second->left);
      break;
    case Condition::Kind::Less:
      guardLess(*first, *second);
      break;
    case Condition::Kind::NotLess:
      guardNotLess(*first, *second);
      break;
    }
    return std::move(result_);
  }

private:
  TripCountCheck refuse(std::string reason) {
    result_ = {};
    result_.obstacle = std::move(reason);
    return result_;
  }

  std::optional<Condition> goRound(State &state) {
    const Block &block = cfg_.blocks[loop_.header];
    for (uint32_t i = block.first; i < block.last; ++i)
      values_.execute(state, module_.instructions()[i]);
    Value truth = state[kScc];
    if (module_.instructions()[block.last - 1].op == Op::s_cbranch_scc0)
      truth = pool_.inverse(truth);
    bool isInverse = false;
    if (const auto inner = pool_.madeBy(pool_.signature("not"), truth)) {
      truth = inner->front();
      isInverse = true;
    }
    if (const auto zero = pool_.madeBy(pool_.signature("is-zero"), truth); zero && isInverse)
      return Condition{Condition::Kind::NotZero, Order::Unsigned, zero->front(), 0};
    if (const auto made = pool_.madeBy(pool_.signature("nonzero"), truth); made && !isInverse)
      return Condition{Condition::Kind::NotZero, Order::Unsigned, made->front(), 0};
    for (const Order order : {Order::Unsigned, Order::Signed})
      if (const auto sides = pool_.madeBy(
              pool_.signature(order == Order::Unsigned ? "less-u32" : "less-i32"), truth))
        return Condition{isInverse ? Condition::Kind::NotLess : Condition::Kind::Less, order,
                         (*sides)[0], (*sides)[1]};
    return std::nullopt;
  }

  std::optional<int64_t> stepOf(Value from, Value to) {
    const auto bits = pool_.asConstant(pool_.sum(to, pool_.negated(from)));
    return bits && *bits != 0 ? std::optional<int64_t>(static_cast<int32_t>(*bits)) : std::nullopt;
  }

  /// A value as a sum of at most two registers and a constant.
  struct Sum {
    std::optional<unsigned> plus, minus; ///< SGPRs.
    int64_t added = 0;
  };
  std::optional<Sum> sumOf(Value value) {
    Sum sum;
    for (const ExprPool::Term &term : pool_.termsOf(value, ExprPool::Width::Dword)) {
      if (term.atoms.empty()) {
        sum.added = static_cast<int32_t>(static_cast<uint32_t>(term.factor));
        continue;
      }
      const bool isPlus = term.factor == 1, isMinus = term.factor == 0xffffffff;
      std::optional<unsigned> &side = isPlus ? sum.plus : sum.minus;
      if (term.atoms.size() != 1 || (!isPlus && !isMinus) || side)
        return std::nullopt;
      side = findScalar(pool_, atStart_, term.atoms[0]);
      if (!side)
        return std::nullopt;
    }
    return sum;
  }

  /// An SGPR whose value nobody needs at the head. It may be one that the iterations write anyway.
  std::optional<unsigned> freeScalar() {
    for (unsigned s = 0; s < 106; ++s)
      if (!live_.test(RegUnit::scalar(s).index)) {
        live_.set(RegUnit::scalar(s).index);
        result_.sgprs = std::max(result_.sgprs, s + 1);
        return s;
      }
    return std::nullopt;
  }

  void line(Inst inst) { result_.lines.push_back(std::move(inst)); }

  /// d, d - step, d - 2 step, ...: none of those that are tested is zero if d is large enough.
  void guardNotZero(Value first, Value second) {
    // x - y and y - x have one form: the one that goes down.
    std::optional<int64_t> step = stepOf(first, second);
    if (!step) {
      second = pool_.negated(second);
      step = stepOf(first, second);
    }
    if (step && *step > 0) {
      first = pool_.negated(first);
      step = -*step;
    }
    auto distance = step ? sumOf(first) : std::nullopt;
    if (!distance || (!distance->plus && !distance->minus)) {
      refuse("its counter does not move by a constant");
      return;
    }
    unsigned counter = 0;
    if (distance->minus) {
      const auto difference = freeScalar();
      if (!difference) {
        refuse("no SGPR is free at its head");
        return;
      }
      counter = *difference;
      line(build(Op::s_sub_u32, {sgpr(counter), distance->plus ? sgpr(*distance->plus) : imm(0),
                                 sgpr(*distance->minus)}));
    } else {
      counter = *distance->plus;
    }
    if (distance->added > 0) {
      const auto sum = distance->minus ? std::nullopt : freeScalar();
      if (!distance->minus && !sum) {
        refuse("no SGPR is free at its head");
        return;
      }
      const unsigned target = sum.value_or(counter);
      line(build(Op::s_add_i32, {sgpr(target), sgpr(counter), imm(distance->added)}));
      counter = target;
      distance->added = 0;
    }
    // counter + added - j * step is not zero for j = 0 to iterations - 2.
    compare(Op::s_cmp_ge_u32, counter, -distance->added + int64_t(iterations_ - 2) * -*step + 1,
            Order::Unsigned);
  }

  void compare(Op op, unsigned counter, int64_t bound, Order order) {
    const int64_t greatest = order == Order::Unsigned ? int64_t(~0u) : int64_t(0x7fffffff);
    const int64_t least = order == Order::Unsigned ? 0 : -int64_t(0x80000000);
    if (bound < least || bound > greatest) {
      refuse(fmt::format("it never makes {} iterations", iterations_));
      return;
    }
    line(build(op, {sgpr(counter), imm(bound)}));
    result_.branch = Op::s_cbranch_scc0;
  }

  /// left + j * step < right for j = 0 to iterations - 2, if the register that left is made of is
  /// below right minus all that, provided that this is no number beyond the least.
  void guardLess(const Condition &first, const Condition &second) {
    const auto step = stepOf(first.left, second.left);
    const auto counter = sumOf(first.left);
    if (!step || *step < 0 || first.right != second.right || !counter || !counter->plus ||
        counter->minus || counter->added < 0) {
      refuse("its counter does not move by a constant to a bound that stays");
      return;
    }
    const int64_t ahead = counter->added + int64_t(iterations_ - 2) * *step;
    if (ahead > std::numeric_limits<int32_t>::max()) {
      refuse(fmt::format("it never makes {} iterations", iterations_));
      return;
    }
    const bool isSigned = first.order == Order::Signed;
    const Op isLess = isSigned ? Op::s_cmp_lt_i32 : Op::s_cmp_lt_u32;
    if (const auto bound = pool_.asConstant(first.right)) {
      compare(isLess, *counter->plus,
              (isSigned ? int64_t(static_cast<int32_t>(*bound)) : int64_t(*bound)) - ahead,
              first.order);
      return;
    }
    const auto bound = findScalar(pool_, atStart_, first.right);
    const auto limit = bound ? freeScalar() : std::nullopt;
    if (!limit) {
      refuse(bound ? "no SGPR is free at its head" : "its bound is in no SGPR");
      return;
    }
    const Arg end = sgpr(*limit);
    line(build(isSigned ? Op::s_sub_i32 : Op::s_sub_u32, {end, sgpr(*bound), imm(ahead)}));
    line(build(Op::s_cselect_b32, {end, imm(isSigned ? 0x80000000 : 0), end}));
    line(build(isLess, {sgpr(*counter->plus), end}));
    result_.branch = Op::s_cbranch_scc0;
  }

  /// left - j * step >= right, a constant.
  void guardNotLess(const Condition &first, const Condition &second) {
    const auto step = stepOf(first.left, second.left);
    const auto counter = sumOf(first.left);
    const auto bound = pool_.asConstant(first.right);
    if (!step || *step > 0 || !bound || first.right != second.right || !counter || !counter->plus ||
        counter->minus || counter->added > 0) {
      refuse("its counter does not move by a constant to a bound that stays");
      return;
    }
    const bool isSigned = first.order == Order::Signed;
    compare(isSigned ? Op::s_cmp_ge_i32 : Op::s_cmp_ge_u32, *counter->plus,
            (isSigned ? int64_t(static_cast<int32_t>(*bound)) : int64_t(*bound)) - counter->added +
                int64_t(iterations_ - 2) * -*step,
            first.order);
  }

  const Module &module_;
  const Cfg &cfg_;
  const Loop &loop_;
  const unsigned iterations_;
  ExprPool pool_;
  verify::BlockValues values_;
  State atStart_;
  std::bitset<kRegUnits> live_;
  TripCountCheck result_;
};

} // namespace

TripCountCheck checkTripCount(const Module &module, const Cfg &cfg, const Loop &loop,
                              unsigned iterations) {
  return Guard(module, cfg, loop, iterations).run();
}

} // namespace rdna
