#include "corpus/Reference.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rdna::corpus {

static void nbody(Arguments &a) {
  const size_t n = a["n"];
  const std::vector<double> &bodies = a.buffers[0];
  for (size_t i = 0; i < n; ++i) {
    std::array<double, 4> sum{}; // x, y, z, potential
    for (size_t j = 0; j < n; ++j) {
      std::array<double, 3> d{};
      double square = a.floats[0];
      for (size_t axis = 0; axis < 3; ++axis) {
        d[axis] = bodies[4 * j + axis] - bodies[4 * i + axis];
        square += d[axis] * d[axis];
      }
      const double mass = bodies[4 * j + 3];
      for (size_t axis = 0; axis < 3; ++axis)
        sum[axis] += d[axis] * mass * std::pow(square, -1.5);
      sum[3] += mass / std::sqrt(square);
    }
    std::copy(sum.begin(), sum.end(), a.buffers[1].begin() + static_cast<std::ptrdiff_t>(4 * i));
  }
}

static void hornerLiteral(Arguments &a) {
  static constexpr std::array<double, 9> coefficients{1.00000024,    9.99999881e-1, 4.99999999e-1,
                                                      1.66666667e-1, 4.16666667e-2, 8.33333333e-3,
                                                      1.38888889e-3, 1.98412698e-4, 2.48015873e-5};
  for (size_t i = 0; i < a.buffers[0].size(); ++i) {
    double sum = 0;
    for (size_t d = 0; d < coefficients.size(); ++d)
      sum += coefficients[d] * std::pow(a.buffers[0][i], static_cast<double>(d));
    a.buffers[1][i] = sum;
  }
}

static void hornerRegister(Arguments &a) {
  const size_t lanes = a["lanes"];
  for (size_t i = 0; i < a.buffers[1].size(); ++i) {
    double sum = 0;
    for (size_t d = 0; d < 8; ++d)
      sum +=
          a.buffers[0][d * lanes + i % lanes] * std::pow(a.buffers[1][i], static_cast<double>(d));
    a.buffers[2][i] = sum;
  }
}

static void mixedVopd(Arguments &a) {
  const size_t lanes = a["lanes"];
  for (size_t id = 0; id < lanes; ++id)
    for (size_t i = 0; i < 4; ++i) {
      double sum = 0, high = -1, low = 1, product = 1;
      for (size_t round = 0; round < a["rounds"]; ++round) {
        const double v = a.buffers[0][(round * 4 + i) * lanes + id];
        const double next = a.buffers[0][(round * 4 + (i + 1) % 4) * lanes + id];
        sum += v * next;
        high = std::max(high, v - next);
        low = std::min(low, v + next);
        product *= v > next ? 0.5 : v;
      }
      a.buffers[1][i * lanes + id] = sum;
      a.buffers[1][(4 + i) * lanes + id] = high;
      a.buffers[1][(8 + i) * lanes + id] = low;
      a.buffers[1][(12 + i) * lanes + id] = product;
    }
}

/// In single precision: half of what it stores is the rounding error itself.
static void kahan(Arguments &a) {
  const size_t lanes = a["lanes"];
  for (size_t id = 0; id < lanes; ++id)
    for (size_t i = 0; i < 4; ++i) {
      float sum = 0, error = 0;
      for (size_t round = 0; round < a["rounds"]; ++round) {
        const size_t at = (round * 4 + i) * lanes + id;
        const float term = std::fma(static_cast<float>(a.buffers[0][at]),
                                    static_cast<float>(a.buffers[1][at]), -error);
        const volatile float next = sum + term;
        const volatile float grown = next - sum;
        error = grown - term;
        sum = next;
      }
      a.buffers[2][2 * i * lanes + id] = sum;
      a.buffers[2][(2 * i + 1) * lanes + id] = error;
    }
}

static void chebyshev(Arguments &a) {
  for (size_t i = 0; i < a.buffers[0].size(); ++i) {
    double sum = 0;
    for (size_t n = 0; n < a["terms"]; ++n)
      sum += a.buffers[1][n] * std::cos(static_cast<double>(n) * std::acos(a.buffers[0][i]));
    a.buffers[2][i] = sum;
  }
}

/// In single precision with the kernel's own rounding: the iteration is chaotic.
static void mandelbrot(Arguments &a) {
  const size_t lanes = a["lanes"];
  for (size_t id = 0; id < lanes; ++id)
    for (size_t p = 0; p < 2; ++p) {
      const auto cr = static_cast<float>(a.buffers[0][2 * p * lanes + id]);
      const auto ci = static_cast<float>(a.buffers[0][(2 * p + 1) * lanes + id]);
      float re = 0, im = 0;
      size_t count = 0;
      while (count < a["most"]) {
        const volatile float square = im * im;
        if (std::fma(re, re, static_cast<float>(square)) > 4.0F)
          break;
        const float nextRe = std::fma(re, re, std::fma(-im, im, cr));
        im = std::fma(2 * re, im, ci);
        re = nextRe;
        ++count;
      }
      a.buffers[1][2 * p * lanes + id] = re;
      a.buffers[1][(2 * p + 1) * lanes + id] = im;
      a.buffers[2][p * lanes + id] = static_cast<double>(count);
    }
}

static void quaternion(Arguments &a) {
  const size_t lanes = a["lanes"];
  using Quaternion = std::array<double, 4>; // x, y, z, w
  for (size_t id = 0; id < lanes; ++id)
    for (size_t chain = 0; chain < 2; ++chain) {
      Quaternion p{0, 0, 0, 1};
      for (size_t n = 0; n < a["length"]; ++n) {
        const double *q = a.buffers[0].data() + 4 * ((n * 2 + chain) * lanes + id);
        const Quaternion old = p;
        // Vector part: w v' + w' v + v x v'; scalar part: w w' - v . v'.
        p[3] = old[3] * q[3];
        for (size_t i = 0; i < 3; ++i) {
          const size_t j = (i + 1) % 3, k = (i + 2) % 3;
          p[i] = old[3] * q[i] + old[i] * q[3] + old[j] * q[k] - old[k] * q[j];
          p[3] -= old[i] * q[i];
        }
      }
      for (size_t i = 0; i < 4; ++i)
        a.buffers[1][4 * (chain * lanes + id) + i] = p[i];
    }
}

static void rungeKutta(Arguments &a) {
  const size_t lanes = a["lanes"];
  const double h = a.floats[0];
  using State = std::array<double, 2>; // Position, velocity
  for (size_t id = 0; id < lanes; ++id)
    for (size_t i = 0; i < 2; ++i) {
      const double stiffness = a.buffers[0][2 * i * lanes + id];
      const double damping = a.buffers[0][(2 * i + 1) * lanes + id];
      State s = i == 0 ? State{1, 0} : State{0, 1};
      for (size_t step = 0; step < a["steps"]; ++step) {
        State slope{}, sum{};
        static constexpr std::array<double, 4> advance{0, 0.5, 0.5, 1}, weight{1, 2, 2, 1};
        for (size_t stage = 0; stage < 4; ++stage) {
          const State at{s[0] + advance[stage] * h * slope[0],
                         s[1] + advance[stage] * h * slope[1]};
          slope = {at[1], -stiffness * at[0] - damping * at[1]};
          sum[0] += weight[stage] * slope[0];
          sum[1] += weight[stage] * slope[1];
        }
        s[0] += h / 6 * sum[0];
        s[1] += h / 6 * sum[1];
        a.buffers[1][(step * 4 + 2 * i) * lanes + id] = s[0];
        a.buffers[1][(step * 4 + 2 * i + 1) * lanes + id] = s[1];
      }
    }
}

std::map<std::string, Reference> iterationReferences() {
  return {
      {"nbody", {nbody, 1e-5}},
      {"horner_literal", {hornerLiteral, 1e-5}},
      {"horner_register", {hornerRegister, 1e-5}},
      {"mixed_vopd", {mixedVopd, 1e-5}},
      {"kahan", {kahan, 0}},
      {"chebyshev", {chebyshev, 1e-5}},
      {"mandelbrot", {mandelbrot, 0}},
      {"quaternion", {quaternion, 1e-5}},
      {"runge_kutta", {rungeKutta, 1e-5}},
  };
}

} // namespace rdna::corpus
