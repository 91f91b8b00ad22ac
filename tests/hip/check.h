//===- check.h - what the test programs share -----------------------------===//
#pragma once

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

/// Ends the program where something is not as it must be.
#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                 \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

#define HIP(call)                                                                                  \
  do {                                                                                             \
    const hipError_t hip_result = (call);                                                          \
    if (hip_result != hipSuccess) {                                                                \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                           \
                   hipGetErrorString(hip_result));                                                 \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

/// Device memory of one type.
template <class T> struct Buffer {
  explicit Buffer(size_t count) : count(count) {
    HIP(hipMalloc((void **)&data, count * sizeof(T)));
  }
  explicit Buffer(const std::vector<T> &values) : Buffer(values.size()) {
    HIP(hipMemcpy(data, values.data(), count * sizeof(T), hipMemcpyHostToDevice));
  }
  ~Buffer() { (void)hipFree(data); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  std::vector<T> read() const {
    std::vector<T> values(count);
    HIP(hipMemcpy(values.data(), data, count * sizeof(T), hipMemcpyDeviceToHost));
    return values;
  }
  T *data = nullptr;
  size_t count;
};

/// The same numbers everywhere, from a seed.
inline std::vector<float> someFloats(size_t count, unsigned seed) {
  std::vector<float> values(count);
  for (float &value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = (int(seed >> 9) - (1 << 22)) * (1.0f / (1 << 20));
  }
  return values;
}
