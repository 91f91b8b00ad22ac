#include "corpus/Reference.h"

#include <array>
#include <cmath>
#include <cstdint>

namespace rdna::corpus {

static void severalLoops(Arguments &a) {
  const size_t lanes = a["lanes"], samples = a["samples"];
  for (size_t id = 0; id < lanes; ++id) {
    std::array<double, 16> out{};
    const auto x = [&](size_t k) { return a.buffers[0][k * lanes + id]; };
    for (size_t k = 0; k < samples; ++k) {
      out[k % 4] += std::pow(x(k), 2);
      out[4 + k % 4] += std::pow(x(k), 3);
    }
    for (size_t k = 0; k + 6 < samples; ++k)
      for (size_t i = 0; i < 6; ++i)
        out[8 + i] += x(k) * x(k + 1 + i);
    for (size_t k = samples; k-- > 0;)
      out[14 + k % 2] = 0.75 * out[14 + k % 2] + x(k);
    for (size_t i = 0; i < out.size(); ++i)
      a.buffers[1][i * lanes + id] = out[i];
  }
}

static void nestedLoops(Arguments &a) {
  const size_t lanes = a["lanes"], inner = a["inner"];
  for (size_t id = 0; id < lanes; ++id) {
    std::array<double, 2> total{};
    for (size_t i = 0; i < a["outer"]; ++i) {
      std::array<double, 2> part{};
      for (size_t j = 0; j < a["middle"]; ++j) {
        std::array<double, 4> sum{};
        for (size_t k = 0; k < inner; ++k)
          for (size_t e = 0; e < 4; ++e)
            sum[e] += a.buffers[0][(i * inner + k) * lanes + id] *
                      a.buffers[1][((j * inner + k) * 4 + e) * lanes + id];
        part[0] += sum[0] * sum[1];
        part[1] += sum[2] * sum[3];
      }
      for (size_t e = 0; e < 2; ++e)
        total[e] += part[e] * a.buffers[0][i * lanes + id];
    }
    for (size_t e = 0; e < 2; ++e)
      a.buffers[2][e * lanes + id] = total[e];
  }
}

static void predicated(Arguments &a) {
  const size_t lanes = a["lanes"];
  for (size_t id = 0; id < lanes; ++id) {
    std::array<double, 9> out{};
    for (size_t k = 0; k < a["samples"]; ++k) {
      const double v = a.buffers[0][k * lanes + id];
      if (v > a.floats[0])
        for (size_t i = 0; i < 8; ++i)
          out[i] += v * a.buffers[1][(k * 8 + i) * lanes + id];
      else
        out[8] += 1;
    }
    for (size_t i = 0; i < out.size(); ++i)
      a.buffers[2][i * lanes + id] = out[i];
  }
}

static void call(Arguments &a) {
  const size_t lanes = a["lanes"];
  for (size_t id = 0; id < lanes; ++id)
    for (size_t i = 0; i < 4; ++i) {
      double sum = 0;
      for (size_t round = 0; round < a["rounds"]; ++round) {
        const double x = a.buffers[0][round * lanes + id];
        sum = sum * (x / (1 + x * x)) + a.buffers[0][(round + i) * lanes + id];
      }
      a.buffers[1][i * lanes + id] = sum;
    }
}

static void inlineAssembly(Arguments &a) {
  const size_t lanes = a["lanes"];
  for (size_t id = 0; id < lanes; ++id) {
    std::array<double, 6> out{};
    for (size_t round = 0; round < a["rounds"]; ++round) {
      const double x = a.buffers[0][round * lanes + id], y = a.buffers[1][round * lanes + id];
      for (size_t i = 0; i < 4; ++i)
        out[i] += x * a.buffers[1][(round + i + 1) * lanes + id];
      out[4] += x * y;
      out[5] += y * y;
    }
    for (size_t i = 0; i < out.size(); ++i)
      a.buffers[2][i * lanes + id] = out[i];
  }
}

static void histogram(Arguments &a) {
  const size_t perGroup = a["perGroup"];
  for (size_t i = 0; i < a["groups"] * perGroup; ++i) {
    const auto v = static_cast<uint32_t>(a.buffers[0][i]);
    const uint32_t bin = ((v ^ (v >> 15)) * 0x9E3779B1U) >> 26;
    a.buffers[1][i / perGroup * 64 + bin] += 1;
  }
}

static void prefixSum(Arguments &a) {
  uint32_t sum = 0; // The kernel's sums wrap around.
  for (size_t i = 0; i < a.buffers[0].size(); ++i) {
    if (i % 256 == 0)
      sum = 0;
    sum += static_cast<uint32_t>(static_cast<int64_t>(a.buffers[0][i]));
    a.buffers[1][i] = static_cast<int32_t>(sum);
  }
}

std::map<std::string, Reference> controlFlowReferences() {
  return {
      {"several_loops", {severalLoops, 1e-5}}, {"nested_loops", {nestedLoops, 1e-5}},
      {"predicated", {predicated, 1e-5}},      {"call", {call, 1e-5}},
      {"histogram", {histogram, 0}},           {"inline_assembly", {inlineAssembly, 1e-5}},
      {"prefix_sum", {prefixSum, 0}},
  };
}

} // namespace rdna::corpus
