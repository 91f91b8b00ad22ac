#include "calls/References.h"

#include <cmath>
#include <cstdint>

namespace rdna::calls {

static void earlyReturn(const WorkItem &item) {
  const auto search = [](double x, double y) {
    if (x < -0.5)
      return x * y;
    double state = x;
    for (size_t i = 0; i < 8; ++i) {
      state = 0.75 * state + y * y;
      if (state > 1)
        return state * x + 2;
    }
    return state * y + x;
  };
  for (size_t round = 0; round < item.arguments["rounds"]; ++round)
    item.result() += search(item.x(round * 2), item.x(round * 2 + 1));
}

static void doubleArithmetic(const WorkItem &item) {
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const double x = item.x(round * 2), a = item.x(round * 2 + 1), b = item.result();
    const double s = a * x * x + b * x - a;
    item.result() = b / 2 + (s * x + a * b) / 2 + x;
  }
}

static void int64Arithmetic(const WorkItem &item) {
  uint64_t state = item.id;
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const uint64_t y = state / 2048;
    uint64_t x = state * 0x9e3779b97f4a7c15u + y;
    x ^= x / (1u << 29);
    state = (x + static_cast<uint64_t>(item.x(round))) * (y | 1) + x * 128;
  }
  item.result(0) = static_cast<double>(state & 0xffffffffu);
  item.result(1) = static_cast<double>(state >> 32);
}

static void divideSqrt(const WorkItem &item) {
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const double v = item.x(round), q = (v * item.result() + 0.5) / (1.5 + v * v);
    item.result() += q * std::sqrt(v * v + q * q + 0.125) / (2 + q * q);
  }
}

static void assemblyWait(const WorkItem &item) {
  double sum = 1;
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const double a = sum * (item.x(round * 2) + 0.5), b = item.x(round * 2 + 1);
    sum = a * (b + 1) * b - a;
  }
  item.result() = sum;
}

std::map<std::string, Reference> arithmeticReferences() {
  return {{"early_return", {forEachItem<earlyReturn>, 4e-6}},
          {"double_arithmetic", {forEachItem<doubleArithmetic>, 1e-14}},
          {"int64_arithmetic", {forEachItem<int64Arithmetic>, 0}},
          {"divide_sqrt", {forEachItem<divideSqrt>, 4e-6}},
          {"assembly_wait", {forEachItem<assemblyWait>, 4e-6}}};
}

} // namespace rdna::calls
