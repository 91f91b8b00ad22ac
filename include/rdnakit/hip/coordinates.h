//===- coordinates.h - threadIdx, blockIdx, blockDim, gridDim --------------===//
//
// Work-item ids come in a VGPR and workgroup ids in SGPRs, through builtins. Sizes come from
// memory: clang 18 and later read them from the hidden arguments of code object 5 and 6, which are
// their default; older ones from the dispatch packet, which every code object version has.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "qualifiers.h"

struct uint3;

struct dim3 {
  unsigned x, y, z;
  constexpr __host__ __device__ dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1)
      : x(x_), y(y_), z(z_) {}
  constexpr __host__ __device__ dim3(const uint3 &v);
};

namespace rdnakit {

#if __clang_major__ >= 18
RDNAKIT_DEVICE unsigned hiddenDword(unsigned index) {
  typedef const __attribute__((address_space(4))) unsigned *Constant;
  return ((Constant)__builtin_amdgcn_implicitarg_ptr())[index];
}
template <unsigned axis> RDNAKIT_DEVICE unsigned groupCount() { return hiddenDword(axis); }
#else
// hsa_kernel_dispatch_packet_t: grid_size in work-items, from byte 12.
template <unsigned axis> RDNAKIT_DEVICE unsigned groupCount() {
  typedef const __attribute__((address_space(4))) unsigned *Constant;
  unsigned items = ((Constant)__builtin_amdgcn_dispatch_ptr())[3 + axis];
  unsigned size = axis == 0   ? __builtin_amdgcn_workgroup_size_x()
                  : axis == 1 ? __builtin_amdgcn_workgroup_size_y()
                              : __builtin_amdgcn_workgroup_size_z();
  return (items + size - 1) / size;
}
#endif

// Properties, so that threadIdx.x stays an expression without memory behind it.
#define RDNAKIT_COORDINATES(Name, X, Y, Z)                                                         \
  struct Name {                                                                                    \
    __device__ static inline __attribute__((always_inline)) unsigned getX() { return X; }          \
    __device__ static inline __attribute__((always_inline)) unsigned getY() { return Y; }          \
    __device__ static inline __attribute__((always_inline)) unsigned getZ() { return Z; }          \
    __declspec(property(get = getX)) unsigned x;                                                   \
    __declspec(property(get = getY)) unsigned y;                                                   \
    __declspec(property(get = getZ)) unsigned z;                                                   \
    __device__ inline __attribute__((always_inline)) operator dim3() const {                       \
      return dim3(getX(), getY(), getZ());                                                         \
    }                                                                                              \
    __device__ inline __attribute__((always_inline)) operator uint3() const;                       \
  };

RDNAKIT_COORDINATES(ThreadIndex, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
                    __builtin_amdgcn_workitem_id_z())
RDNAKIT_COORDINATES(BlockIndex, __builtin_amdgcn_workgroup_id_x(),
                    __builtin_amdgcn_workgroup_id_y(), __builtin_amdgcn_workgroup_id_z())
RDNAKIT_COORDINATES(BlockSize, __builtin_amdgcn_workgroup_size_x(),
                    __builtin_amdgcn_workgroup_size_y(), __builtin_amdgcn_workgroup_size_z())
RDNAKIT_COORDINATES(GridSize, groupCount<0>(), groupCount<1>(), groupCount<2>())
#undef RDNAKIT_COORDINATES

} // namespace rdnakit

extern const __device__ __attribute__((weak)) rdnakit::ThreadIndex threadIdx;
extern const __device__ __attribute__((weak)) rdnakit::BlockIndex blockIdx;
extern const __device__ __attribute__((weak)) rdnakit::BlockSize blockDim;
extern const __device__ __attribute__((weak)) rdnakit::GridSize gridDim;
static constexpr int warpSize = 32;

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z
