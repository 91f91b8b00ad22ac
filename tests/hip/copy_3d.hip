#include "check.h"

int main() {
  const size_t w = 20, h = 6, d = 4; // Floats, rows, slices.
  const std::vector<float> in = someFloats(w * h * d, 8);
  hipPitchedPtr device;
  HIP(hipMalloc3D(&device, make_hipExtent(w * 4, h, d)));
  hipMemcpy3DParms copy = {};
  copy.srcPtr = make_hipPitchedPtr((void *)in.data(), w * 4, w, h);
  copy.dstPtr = device;
  copy.extent = make_hipExtent(w * 4, h, d);
  copy.kind = hipMemcpyHostToDevice;
  HIP(hipMemcpy3D(&copy));
  // Back: an inner box, to the corner of another one.
  std::vector<float> out(w * h * d, -1);
  hipMemcpy3DParms back = {};
  back.srcPtr = device;
  back.srcPos = make_hipPos(4 * 4, 1, 2);
  back.dstPtr = make_hipPitchedPtr(out.data(), w * 4, w, h);
  back.extent = make_hipExtent(5 * 4, 3, 2);
  back.kind = hipMemcpyDeviceToHost;
  HIP(hipMemcpy3D(&back));
  for (size_t z = 0; z < d; ++z)
    for (size_t y = 0; y < h; ++y)
      for (size_t x = 0; x < w; ++x) {
        const bool inside = x < 5 && y < 3 && z < 2;
        const float expected = inside ? in[((z + 2) * h + y + 1) * w + x + 4] : -1;
        EXPECT(out[(z * h + y) * w + x] == expected);
      }
  HIP(hipFree(device.ptr));
}
