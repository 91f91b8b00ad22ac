/* Adds two vectors with RDNA3 machine code on the host. C99; build it with
 *
 *     cc -std=c99 run_asm.c -lrdna3emu -o run_asm
 */
#include <rdna3emu.h>

#include <stdio.h>

/* What a loader would find in a code object, assembled for gfx1100. */
static const uint32_t code[] = {
    0xf4080100, 0xf8000000, /* s_load_b128      s[4:7], s[0:1], 0x0   ; a, b            */
    0xf4040200, 0xf8000010, /* s_load_b64       s[8:9], s[0:1], 0x10  ; sum             */
    0x30000082,             /* v_lshlrev_b32    v0, 2, v0             ; 4 * work-item   */
    0x84028802,             /* s_lshl_b32       s2, s2, 8             ; 256 * workgroup */
    0x4a000002,             /* v_add_nc_u32     v0, s2, v0                              */
    0xbf89fc07,             /* s_waitcnt        lgkmcnt(0)                              */
    0xdc520000, 0x01040000, /* global_load_b32  v1, v0, s[4:5]                          */
    0xdc520000, 0x02060000, /* global_load_b32  v2, v0, s[6:7]                          */
    0xbf8903f7,             /* s_waitcnt        vmcnt(0)                                */
    0x06020501,             /* v_add_f32        v1, v1, v2                              */
    0xdc6a0000, 0x00080100, /* global_store_b32 v0, v1, s[8:9]                          */
    0xbfb00000              /* s_endpgm                                                 */
};

enum { workgroups = 4, workItems = 64, elements = workgroups * workItems };

int main(void) {
  static float a[elements], b[elements], sum[elements];
  const void *kernarg[3]; /* As the kernel reads it: three 64-bit addresses. */
  /* COMPUTE_PGM_RSRC2: two user SGPRs (the kernarg pointer), then the workgroup id x. */
  const uint32_t rsrc2 = 2u << 1 | 1u << 7;
  int i;
  for (i = 0; i < elements; ++i) {
    a[i] = (float)i;
    b[i] = 0.5f;
  }
  kernarg[0] = a;
  kernarg[1] = b;
  kernarg[2] = sum;
  if (run_asm(code, sizeof code, workgroups, 1, 1, workItems, 1, 1, kernarg, rsrc2, 0) != 0) {
    fprintf(stderr, "run_asm: %s\n", rdna3emu_last_error());
    return 1;
  }
  for (i = 0; i < elements; ++i)
    if (sum[i] != (float)i + 0.5f) {
      fprintf(stderr, "sum[%d] is %g\n", i, (double)sum[i]);
      return 1;
    }
  printf("%d sums are right, the last is %g\n", elements, (double)sum[elements - 1]);
  return 0;
}
