#include "calls/References.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

namespace rdna::calls {

static double leaf(double x, double y) { return x * (y + 1) * (y - x); }

static void savedVectors(const WorkItem &item) {
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    std::array<double, 6> v{};
    for (size_t i = 0; i < 6; ++i)
      v[i] = item.x(round * 6 + i);
    const auto [a, b, c, d, e, f] = v;
    const double p = a * b + c, q = c * d + e, r = e * f + a, s = b * e + d;
    const double u = leaf(p, q), w = leaf(r, s);
    item.result() = item.result() / 2 + u * (p + r) + w * (q + s) + a * f + b * d;
  }
}

static uint32_t scramble(uint32_t x, uint32_t y) {
  const uint32_t sum = 5 * x + y, folded = sum ^ sum >> 13;
  return 9 * folded + 8 * y;
}

static void savedScalars(const WorkItem &item) {
  auto sum = static_cast<uint32_t>(item.id);
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    std::array<uint32_t, 4> v{};
    for (size_t i = 0; i < 4; ++i)
      v[i] = static_cast<uint32_t>(item.arguments.buffers[0][round * 4 + i]);
    const auto [a, b, c, d] = v;
    uint32_t state = sum;
    for (uint32_t i = 0; i <= a % 8; ++i)
      state = scramble(scramble(state ^ b, a + i * c) + d, b);
    sum += state * a + b * c + d;
  }
  item.result() = sum;
}

static void nestedCalls(const WorkItem &item) {
  const auto inner = [](double x, double y) { return x * x * y + x / 2 + y; };
  const auto middle = [&](double x, double y) {
    const double s = inner(x / 2, y) * x + y;
    return inner(s, x) / 4 + s * y;
  };
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const double x = item.x(round * 2), y = item.x(round * 2 + 1);
    item.result() += middle(x, y) * x + middle(y, x) * y;
  }
}

/// By the explicit polynomials, not by the recurrence.
static void recursion(const WorkItem &item) {
  constexpr std::array<std::array<double, 7>, 7> coefficients{{{1},
                                                               {0, 2},
                                                               {-2, 0, 4},
                                                               {0, -12, 0, 8},
                                                               {12, 0, -48, 0, 16},
                                                               {0, 120, 0, -160, 0, 32},
                                                               {-120, 0, 720, 0, -480, 0, 64}}};
  for (size_t k = 0; k < 7; ++k)
    item.result() += coefficients[item.id % 7][k] * std::pow(item.x(0), static_cast<double>(k));
}

/// Down to the end first, then the products back up.
static void mutualRecursion(const WorkItem &item) {
  const size_t depth = item.id % 9;
  std::vector<double> x{item.x(0)};
  for (size_t i = 0; i < depth; ++i)
    x.push_back(i % 2 == 0 ? x.back() / 2 : x.back() + 0.25);
  double value = depth % 2 == 0 ? x.back() : -x.back();
  for (size_t i = depth; i-- > 0;)
    value = value * x[i] + (i % 2 == 0 ? 1 : -0.5);
  item.result() = value;
}

static double step(size_t which, double x, double y) {
  switch (which % 4) {
  case 0:
    return x / 2 + y;
  case 1:
    return x * y - 0.25;
  case 2:
    return (x * x + y) / 4;
  default:
    return x * y * y + x / 8;
  }
}

static void tableUniform(const WorkItem &item) {
  double state = item.x(0);
  for (size_t round = 0; round < item.arguments["rounds"]; ++round)
    state = step(round * 3, state, item.x(round + 1));
  item.result() = state;
}

static void tableDivergent(const WorkItem &item) {
  double state = item.x(0);
  auto choice = static_cast<size_t>(item.at(1, 0));
  for (size_t round = 0; round < item.arguments["rounds"]; ++round, choice /= 4)
    state = step(choice, state, item.x(round + 1));
  item.result() = state;
}

static void functionArgument(const WorkItem &item) {
  std::array<double, 2> state{item.x(0), item.x(0)};
  for (size_t i = 0; i < 2; ++i)
    for (size_t k = 0; k < item.arguments["rounds"]; ++k)
      state[i] = step(i, state[i], item.x(1 + k)) + state[i] / 8;
  item.result() = state[0] * state[1] + item.x(0);
}

static void tailCall(const WorkItem &item) {
  const auto last = [](double a, double b, double c) { return a * a * b + a * c - b * c; };
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const double a = item.x(round * 3), b = item.x(round * 3 + 1), c = item.x(round * 3 + 2);
    const double t = a * c + b;
    item.result() = item.result() / 2 + (t > 0 ? last(t * a + b, a * b + t, t) : last(t, b, c));
  }
}

static void loopCalls(const WorkItem &item) {
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    std::array<double, 4> x{};
    for (size_t i = 0; i < 4; ++i)
      x[i] = item.x(round * 4 + i);
    const double v = 0.75 * x[0] + x[0] * x[1] * x[1] - 0.25 * x[1];
    const double w = (x[2] - v) * (x[2] * v + 0.5);
    for (size_t i = 0; i < 16; ++i)
      item.result(i) += (i % 2 == 1 ? v : w) * x[i % 4];
  }
}

static void divergentCalls(const WorkItem &item) {
  const auto above = [](double x, double y) { return x * (x + y) + 0.5; };
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const double v = item.x(round * 2), w = item.x(round * 2 + 1);
    item.result() = v > 0 ? item.result() + above(v, w) : item.result() / 2 + w * (w - v / 2);
    if (w > 0.5)
      item.result() -= above(w, v) / 4;
  }
}

static void divergentLoop(const WorkItem &item) {
  double state = item.x(0);
  for (size_t i = 0; i < item.id * 5 % (item.arguments["rounds"] + 1); ++i) {
    const double y = item.x(i + 1);
    state = (state / 2 + y) * (0.75 - state * y / 8);
  }
  item.result() = state;
}

static void emptyFunction(const WorkItem &item) {
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const double v = item.x(round);
    item.result(0) += v * v;
    for (size_t i = 1; i < 3; ++i)
      item.result(i) += v * item.result(i - 1);
    item.result(3) += item.result(2) * item.result(0);
  }
}

static void dynamicStack(const WorkItem &item) {
  const size_t rounds = item.arguments["rounds"];
  for (const size_t count : {rounds, rounds + 2}) {
    double state = 1;
    for (size_t i = count; i-- > 0;) {
      const double value = item.x(i) / 2 + 0.25;
      state = state * (value + 1) - value / 2;
    }
    item.result() += state;
  }
}

std::map<std::string, Reference> nestingReferences() {
  return {{"saved_vectors", {forEachItem<savedVectors>, 4e-6}},
          {"saved_scalars", {forEachItem<savedScalars>, 0}},
          {"nested_calls", {forEachItem<nestedCalls>, 4e-6}},
          {"recursion", {forEachItem<recursion>, 4e-6}},
          {"mutual_recursion", {forEachItem<mutualRecursion>, 4e-6}},
          {"table_uniform", {forEachItem<tableUniform>, 4e-6}},
          {"table_divergent", {forEachItem<tableDivergent>, 4e-6}},
          {"function_argument", {forEachItem<functionArgument>, 4e-6}},
          {"tail_call", {forEachItem<tailCall>, 4e-6}},
          {"loop_calls", {forEachItem<loopCalls>, 4e-6}},
          {"divergent_calls", {forEachItem<divergentCalls>, 4e-6}},
          {"divergent_loop", {forEachItem<divergentLoop>, 4e-6}},
          {"empty_function", {forEachItem<emptyFunction>, 4e-6}},
          {"dynamic_stack", {forEachItem<dynamicStack>, 4e-6}}};
}

} // namespace rdna::calls
