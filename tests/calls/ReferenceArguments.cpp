#include "calls/References.h"

#include <array>
#include <cmath>

namespace rdna::calls {

static void inflightArguments(const WorkItem &item) {
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const double a = item.x(round * 4), b = item.x(round * 4 + 1), c = item.x(round * 4 + 2),
                 d = item.x(round * 4 + 3);
    const double s = (a * b + c) * (c * d + a) + b, t = (c * d + a) * s + d;
    item.result() += s * t + a * d;
  }
}

static void ldsArguments(const WorkItem &item) {
  const size_t lane = item.id % 64, group = item.id - lane;
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const auto tile = [&](size_t row, size_t column) {
      return WorkItem{item.arguments, group + column}.x(round * 4 + row);
    };
    const double a = tile(0, (lane + 1) % 64), b = tile(1, (lane + 3) % 64),
                 c = tile(2, (lane + 7) % 64), d = tile(3, lane ^ 32);
    item.result() = item.result() / 2 + (a * d - b * c) * (a * c + b * d) + a * b + c * d;
  }
}

static void scalarArguments(const WorkItem &item) {
  for (size_t round = 0; round < item.arguments["rounds"]; ++round)
    for (size_t k = 0; k < 4; ++k)
      item.result() +=
          item.arguments.buffers[1][round * 4 + k] * std::pow(item.x(0), static_cast<double>(k));
}

static void manyArguments(const WorkItem &item) {
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    std::array<double, 4> sum{};
    for (size_t i = 0; i < 20; ++i)
      sum[i % 4] += item.x(round * 40 + i) * item.x(round * 40 + 39 - i);
    item.result() += (sum[0] + sum[1]) * (sum[2] + sum[3]);
  }
}

static void structReturn(const WorkItem &item) {
  std::array<std::array<double, 2>, 2> m{{{1, 0}, {0, 1}}};
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const auto before = m;
    for (size_t i = 0; i < 2; ++i)
      for (size_t j = 0; j < 2; ++j)
        m[i][j] = before[i][0] * item.x(round * 4 + j) + before[i][1] * item.x(round * 4 + 2 + j);
  }
  for (size_t i = 0; i < 4; ++i)
    item.result(i) = m[i / 2][i % 2];
}

static void vectorReturn(Arguments &a) {
  const size_t lanes = a["lanes"];
  for (size_t id = 0; id < lanes; ++id) {
    std::array<double, 4> sum{};
    for (size_t round = 0; round < a["rounds"]; ++round) {
      const double *v = &a.buffers[0][(round * lanes + id) * 4];
      for (size_t i = 0; i < 4; ++i)
        sum[i] = v[0] * sum[i] + v[i] * v[3 - i];
    }
    for (size_t i = 0; i < 4; ++i)
      a.buffers[1][id * 4 + i] = sum[i];
  }
}

static void bigStructReturn(const WorkItem &item) {
  std::array<std::array<double, 40>, 2> power{};
  for (size_t k = 0; k < 2; ++k) {
    power[k][0] = 1;
    for (size_t i = 1; i < 40; ++i)
      power[k][i] = power[k][i - 1] * item.x(k) + 1.0 / 16;
  }
  for (size_t i = 0; i < 40; ++i)
    item.result() += power[0][i] * power[1][39 - i];
}

static double shared(double a, double b, double c) {
  const double s = a * b + c, t = b * c + a;
  return (s * t + a) / 2 + s * c;
}

static void twoKernelsFirst(const WorkItem &item) {
  const double v = item.x(0), w = item.x(1);
  item.result() = shared(v, w, v * w) + shared(w, v, 0.5);
}

static void twoKernelsSecond(const WorkItem &item) {
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const double v = shared(item.x(round), item.result(0), item.result(1));
    for (size_t i = 0; i < 4; ++i)
      item.result(i) = item.result(i) / 2 + v * item.x(round + i);
  }
}

/// Of the workgroup as well: a lane's number within it is part of the result.
static void idsInCallee(const WorkItem &item) {
  for (size_t round = 0; round < item.arguments["rounds"]; ++round)
    item.result() += (item.x(round) / 2 + 0.25) * (item.x(round + 1) / 2 + 0.25) +
                     static_cast<double>(item.id % 64) / 64;
}

static void unusedResult(const WorkItem &item) {
  const size_t rounds = item.arguments["rounds"];
  double sum = 0;
  const auto store = [&](size_t row, double a, double b) {
    const double s = a * (b + 1);
    item.result(row) = s / 2 + b;
    return s * s - b;
  };
  for (size_t round = 0; round < rounds; ++round) {
    store(1 + round, item.x(round), 0.75);
    if (round % 2 == 0)
      sum += store(1 + rounds + round, item.x(round), sum);
  }
  item.result() = sum;
}

std::map<std::string, Reference> argumentReferences() {
  return {{"inflight_arguments", {forEachItem<inflightArguments>, 2e-6}},
          {"lds_arguments", {forEachItem<ldsArguments>, 2e-6}},
          {"scalar_arguments", {forEachItem<scalarArguments>, 2e-6}},
          {"many_arguments", {forEachItem<manyArguments>, 2e-6}},
          {"struct_return", {forEachItem<structReturn>, 2e-6}},
          {"vector_return", {vectorReturn, 2e-6}},
          {"big_struct_return", {forEachItem<bigStructReturn>, 2e-5}},
          {"two_kernels_first", {forEachItem<twoKernelsFirst>, 2e-6}},
          {"two_kernels_second", {forEachItem<twoKernelsSecond>, 2e-6}},
          {"ids_in_callee", {forEachItem<idsInCallee>, 2e-6}},
          {"unused_result", {forEachItem<unusedResult>, 2e-6}}};
}

} // namespace rdna::calls
