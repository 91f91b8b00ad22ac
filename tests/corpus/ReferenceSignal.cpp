#include "corpus/Reference.h"

#include <array>
#include <complex>

namespace rdna::corpus {

using Complex = std::complex<double>;

static Complex complexAt(const std::vector<double> &buffer, size_t index) {
  return {buffer[2 * index], buffer[2 * index + 1]};
}

static void store(std::vector<double> &buffer, size_t index, Complex value) {
  buffer[2 * index] = value.real();
  buffer[2 * index + 1] = value.imag();
}

static void conv1d(Arguments &a) {
  for (size_t i = 0; i < a.buffers[2].size(); ++i) {
    double sum = 0;
    for (size_t tap = 0; tap < a["taps"]; ++tap)
      sum += a.buffers[0][i + tap] * a.buffers[1][tap];
    a.buffers[2][i] = sum;
  }
}

static void conv2d(Arguments &a) {
  const size_t width = a["width"], outputs = width - 4;
  for (size_t y = 0; y < a["height"] - 4; ++y)
    for (size_t x = 0; x < outputs; ++x) {
      double sum = 0;
      for (size_t r = 0; r < 5; ++r)
        for (size_t t = 0; t < 5; ++t)
          sum += a.buffers[0][(y + r) * width + x + t] * a.buffers[1][r * 5 + t];
      a.buffers[2][y * outputs + x] = sum;
    }
}

/// Decimation in frequency with the twiddles of the buffer, recursively: the first of `radix`
/// outputs of each butterfly feeds the first sub-transform, and so on.
static void transform(std::vector<Complex> &data, size_t first, size_t length, size_t radix,
                      const std::vector<double> &twiddles) {
  if (length == 1)
    return;
  const size_t part = length / radix;
  for (size_t k = 0; k < part; ++k) {
    std::array<Complex, 4> in{};
    for (size_t i = 0; i < radix; ++i)
      in[i] = data[first + k + i * part];
    for (size_t out = 0; out < radix; ++out) {
      Complex sum = 0;
      for (size_t i = 0; i < radix; ++i) {
        // exp(-2 pi i * out * in / radix), which is a power of -i for radix 2 and 4.
        static const std::array<Complex, 4> powers{Complex{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
        sum += in[i] * powers[(out * i * (4 / radix)) % 4];
      }
      // The first output has no twiddle factor; for radix 2 the factor is w^k.
      const Complex factor =
          out == 0 ? Complex{1, 0} : complexAt(twiddles, out * k * (data.size() / length));
      data[first + k + out * part] = sum * factor;
    }
  }
  for (size_t out = 0; out < radix; ++out)
    transform(data, first + out * part, part, radix, twiddles);
}

template <size_t Radix> static void fft(Arguments &a) {
  for (size_t t = 0; t < a["transforms"]; ++t) {
    std::vector<Complex> data(256);
    for (size_t i = 0; i < 256; ++i)
      data[i] = complexAt(a.buffers[0], t * 256 + i);
    transform(data, 0, 256, Radix, a.buffers[1]);
    for (size_t i = 0; i < 256; ++i)
      store(a.buffers[2], t * 256 + i, data[i]);
  }
}

static void complexMac(Arguments &a) {
  const size_t lanes = a["lanes"], length = a["length"];
  for (size_t id = 0; id < lanes; ++id)
    for (size_t r = 0; r < 4; ++r) {
      Complex sum = 0;
      for (size_t k = 0; k < length; ++k)
        sum += complexAt(a.buffers[0], k * lanes + id) *
               complexAt(a.buffers[1], (r * length + k) * lanes + id);
      store(a.buffers[2], r * lanes + id, sum);
    }
}

static void iir(Arguments &a) {
  const size_t lanes = a["lanes"];
  const double b0 = a.floats[0], b1 = a.floats[1], b2 = a.floats[2];
  const double a1 = a.floats[3], a2 = a.floats[4];
  for (size_t channel = 0; channel < 4 * lanes; ++channel) {
    // Direct form I, where the kernel has the transposed form II: the same filter.
    std::array<double, 3> x{}, y{}, z{};
    for (size_t n = 0; n < a["samples"]; ++n) {
      x = {a.buffers[0][n * 4 * lanes + channel], x[0], x[1]};
      y = {b0 * x[0] + b1 * x[1] + b2 * x[2] - a1 * y[0] - a2 * y[1], y[0], y[1]};
      z = {b0 * y[0] + b1 * y[1] + b2 * y[2] - a1 * z[0] - a2 * z[1], z[0], z[1]};
      a.buffers[1][n * 4 * lanes + channel] = z[0];
    }
  }
}

static void literalFma(Arguments &a) {
  static constexpr double weights[3][3] = {
      {0.299, 0.587, 0.114}, {-0.168736, -0.331264, 0.5}, {0.5, -0.418688, -0.081312}};
  const size_t lanes = a["lanes"];
  for (size_t id = 0; id < lanes; ++id)
    for (size_t half = 0; half < 2; ++half)
      for (size_t channel = 0; channel < 3; ++channel) {
        double sum = 0;
        for (size_t p = half; p < a["pixels"]; p += 2)
          for (size_t c = 0; c < 3; ++c)
            sum += weights[channel][c] * a.buffers[0][(p * 3 + c) * lanes + id];
        a.buffers[1][(3 * half + channel) * lanes + id] = sum;
      }
}

static void jacobi(Arguments &a) {
  constexpr size_t side = 34;
  a.buffers[1] = a.buffers[0];
  for (size_t patch = 0; patch < a["patches"]; ++patch)
    for (size_t sweep = 0; sweep < a["sweeps"]; ++sweep) {
      const std::vector<double> old = a.buffers[1];
      for (size_t y = 1; y + 1 < side; ++y)
        for (size_t x = 1; x + 1 < side; ++x) {
          const size_t at = patch * side * side + y * side + x;
          a.buffers[1][at] =
              a.floats[0] * old[at] +
              a.floats[1] * (old[at - 1] + old[at + 1] + old[at - side] + old[at + side]);
        }
    }
}

std::map<std::string, Reference> signalReferences() {
  return {
      {"conv1d", {conv1d, 1e-5}},          {"conv2d", {conv2d, 1e-5}},
      {"fft_radix2", {fft<2>, 1e-5}},      {"fft_radix4", {fft<4>, 1e-5}},
      {"complex_mac", {complexMac, 1e-5}}, {"iir", {iir, 1e-5}},
      {"literal_fma", {literalFma, 1e-5}}, {"jacobi", {jacobi, 1e-5}},
  };
}

} // namespace rdna::corpus
