#include "check.h"

__global__ void transpose(const float *in, size_t inPitch, float *out, size_t outPitch, int width,
                          int height) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < width && y < height)
    tile[threadIdx.y][threadIdx.x] = *(const float *)((const char *)in + y * inPitch + x * 4);
  __syncthreads();
  const int tx = blockIdx.y * 32 + threadIdx.x, ty = blockIdx.x * 32 + threadIdx.y;
  if (tx < height && ty < width)
    *(float *)((char *)out + ty * outPitch + tx * 4) = tile[threadIdx.x][threadIdx.y];
}

int main() {
  const int width = 45, height = 70;
  const std::vector<float> in = someFloats(width * height, 5);
  float *din, *dout;
  size_t inPitch, outPitch;
  HIP(hipMallocPitch((void **)&din, &inPitch, width * 4, height));
  HIP(hipMallocPitch((void **)&dout, &outPitch, height * 4, width));
  EXPECT(inPitch % 256 == 0 && inPitch >= width * 4);
  HIP(hipMemcpy2D(din, inPitch, in.data(), width * 4, width * 4, height, hipMemcpyHostToDevice));
  transpose<<<dim3(2, 3), dim3(32, 32)>>>(din, inPitch, dout, outPitch, width, height);
  std::vector<float> out(width * height);
  HIP(hipMemcpy2D(out.data(), height * 4, dout, outPitch, height * 4, width,
                  hipMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      EXPECT(out[x * height + y] == in[y * width + x]);
  // A row that is longer than the pitch cannot be.
  EXPECT(hipMemcpy2D(out.data(), 4, dout, outPitch, 8, 2, hipMemcpyDeviceToHost) ==
         hipErrorInvalidPitchValue);
  HIP(hipFree(din));
  HIP(hipFree(dout));
}
