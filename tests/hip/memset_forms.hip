#include "check.h"

int main() {
  Buffer<unsigned> data(64);
  HIP(hipMemset(data.data, 0xab, 256));
  for (unsigned value : data.read())
    EXPECT(value == 0xabababab);
  HIP(hipMemsetD32(data.data, 0x12345678, 64));
  HIP(hipMemsetD16(data.data, 0xbeef, 2));
  HIP(hipMemsetD8(data.data + 1, 1, 1));
  std::vector<unsigned> values = data.read();
  EXPECT(values[0] == 0xbeefbeef && values[1] == 0x12345601 && values[63] == 0x12345678);
  HIP(hipMemset2D(data.data, 64, 0, 8, 4));
  values = data.read();
  for (int i = 0; i < 64; ++i)
    EXPECT((values[i] == 0) == (i % 16 < 2));
  HIP(hipMemsetAsync(data.data, 255, 256, nullptr));
  EXPECT(data.read()[5] == ~0u);
  EXPECT(hipMemsetD32(data.data, 0, 65) == hipErrorInvalidValue);
}
