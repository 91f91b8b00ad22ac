#include "calls/References.h"

#include <array>
#include <cstdint>

namespace rdna::calls {

static void calleeLoop(const WorkItem &item) {
  const size_t rounds = item.arguments["rounds"];
  const auto column = [&](size_t x, size_t y, size_t count) {
    std::array<double, 4> sum{};
    for (size_t e = 0; e < 4; ++e)
      for (size_t i = 0; i < count; ++i)
        sum[e] += item.x(x + i) * item.x(y + i + e);
    return (sum[0] + sum[1]) * (sum[2] - sum[3]);
  };
  item.result() = column(0, rounds, rounds) + column(rounds, 0, rounds / 2);
}

static void calleeMemory(const WorkItem &item) {
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const double a = item.x(round * 2), b = item.x(round * 2 + 1);
    item.result(0) = 0.75 * a + item.result(0) / 2;
    item.result(1) = 0.75 * b + item.result(1) * a;
    const double first = item.result(1), second = item.result(2);
    item.result(0) = first * -0.5 + item.result(0) / 2;
    item.result(1) = second * -0.5 + first * first;
  }
}

static void calleeLds(const WorkItem &item) {
  const size_t lane = item.id % 64;
  const WorkItem other{item.arguments, item.id - lane + (lane * 5 + 1) % 64};
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const double a = other.x(round * 2), b = other.x(round * 2 + 1);
    const double first = a * b + 0.5, second = a - b * b;
    item.result() = item.result() / 2 + first * (second + 1);
  }
}

static void calleeBarrier(const WorkItem &item) {
  const size_t group = item.id / 64 * 64;
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    double total = 0;
    for (size_t lane = 0; lane < 64; ++lane) {
      const double value = WorkItem{item.arguments, group + lane}.x(round);
      total += value * (value + 0.25);
    }
    item.result() += item.x(round) * total;
  }
}

static void calleeAtomics(Arguments &a) {
  const size_t groups = a["lanes"] / 64;
  for (const double element : a.buffers[0]) {
    const auto value = static_cast<uint32_t>(element);
    a.buffers[1][(value * 9 + (value >> 16)) % 16] += 3;
  }
  for (size_t bin = 0; bin < 16; ++bin)
    a.buffers[1][bin] += static_cast<double>(groups);
}

static void stackPointer(const WorkItem &item) {
  std::array<double, 8> v{};
  for (size_t i = 0; i < 8; ++i)
    v[i] = item.x(i);
  for (const size_t by : {item.id % 5 + 1, size_t{3}})
    for (size_t i = 0; i < 8; ++i)
      v[i] = 0.75 * v[i] + v[(i + by) % 8] / 2;
  for (size_t i = 0; i < 8; ++i)
    item.result(i) = v[i];
}

std::map<std::string, Reference> memoryReferences() {
  return {{"callee_loop", {forEachItem<calleeLoop>, 4e-6}},
          {"callee_memory", {forEachItem<calleeMemory>, 4e-6}},
          {"callee_lds", {forEachItem<calleeLds>, 4e-6}},
          {"callee_barrier", {forEachItem<calleeBarrier>, 4e-6}},
          {"callee_atomics", {calleeAtomics, 0}},
          {"stack_pointer", {forEachItem<stackPointer>, 4e-6}}};
}

} // namespace rdna::calls
