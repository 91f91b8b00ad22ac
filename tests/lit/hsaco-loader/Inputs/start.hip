//===- start.hip - everything a wave finds when it starts -----------------===//
//
// Eight words per work-item: ids, the neighbour's number through dynamic LDS, a private array
// through a generic pointer, an indirect call, recursion on a stack of unknown depth, the sizes
// that the kernel knows only from the dispatch packet or its hidden arguments.
//
//===----------------------------------------------------------------------===//
#include "device.h"

DEVICE __attribute__((noinline)) unsigned twice(unsigned x) { return 2 * x; }
DEVICE __attribute__((noinline)) unsigned plusFive(unsigned x) { return x + 5; }
DEVICE __attribute__((noinline)) unsigned sumTo(unsigned n) {
  volatile unsigned kept = n; // Keeps the recursion from becoming a loop.
  return n == 0 ? 0 : kept + sumTo(n - 1);
}
typedef unsigned (*Function)(unsigned);

extern __attribute__((shared)) unsigned dynamicLds[];

KERNEL void start(unsigned *out, unsigned seven) {
  unsigned x = __builtin_amdgcn_workitem_id_x(), y = __builtin_amdgcn_workitem_id_y(),
           z = __builtin_amdgcn_workitem_id_z();
  unsigned bx = __builtin_amdgcn_workgroup_size_x(), by = __builtin_amdgcn_workgroup_size_y(),
           bz = __builtin_amdgcn_workgroup_size_z();
  unsigned gx = __builtin_amdgcn_workgroup_id_x(), gy = __builtin_amdgcn_workgroup_id_y(),
           gz = __builtin_amdgcn_workgroup_id_z();
  unsigned nx = __builtin_amdgcn_grid_size_x() / bx, ny = __builtin_amdgcn_grid_size_y() / by;
  unsigned flat = (z * by + y) * bx + x, items = bx * by * bz;
  unsigned group = (gz * ny + gy) * nx + gx;

  // Through dynamic LDS, to the neighbour in the workgroup.
  dynamicLds[flat] = group * items + flat;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  unsigned neighbour = dynamicLds[(flat + 1) % items];

  // Through a private array at a changing index and a flat pointer to it.
  unsigned own[8];
  for (unsigned i = 0; i < 8; ++i)
    own[i] = i * i;
  unsigned *generic = own;
  asm volatile("" : "+v"(generic));
  generic[(flat & 7)] += seven;
  unsigned fromPrivate = own[flat & 7];

  Function table[2] = {twice, plusFive};
  Function chosen = table[flat & 1];
  asm volatile("" : "+v"(chosen));

  unsigned *row = out + 8 * (group * items + flat);
  row[0] = flat;
  row[1] = group;
  row[2] = neighbour;
  row[3] = fromPrivate;
  row[4] = chosen(flat);
  row[5] = sumTo(flat & 15);
  row[6] = nx << 16 | ny;
  row[7] = bx << 16 | by << 8 | bz;
}
