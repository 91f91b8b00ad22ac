/*===- rdna3emu.h - C interface of the gfx1100 emulator -----------------------===
 *
 * Runs wave32 machine code of RDNA3 (gfx1100) on the host. Plain C99; link with -lrdna3emu.
 *
 * Every function may be called from any thread. No function lets an exception out, ends the
 * process, prints, or leaves the caller's floating-point environment changed (rounding mode,
 * FTZ/DAZ, sticky flags). What a function returns is an rdna3emu_status; the words for it are
 * rdna3emu_last_error().
 *
 *===--------------------------------------------------------------------------===*/
#ifndef RDNA3EMU_H
#define RDNA3EMU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RDNA3EMU_API __attribute__((visibility("default")))
#else
#define RDNA3EMU_API
#endif

/* Version of this header. Functions and struct members are only ever added at the end, within one
 * major version; the library's SONAME carries the major version. */
#define RDNA3EMU_VERSION_MAJOR 1
#define RDNA3EMU_VERSION_MINOR 0

/* What a call came to. Negative: it did not do what it was asked. */
typedef enum rdna3emu_status {
  RDNA3EMU_OK = 0,
  RDNA3EMU_INVALID_ARGUMENT = -1, /* Null, out of range, or a code object that cannot be read. */
  RDNA3EMU_UNIMPLEMENTED = -2,    /* A wave reached an instruction without semantics. */
  RDNA3EMU_UNDECODABLE = -3,      /* A wave reached bytes that are no gfx1100 instruction. */
  RDNA3EMU_LEFT_CODE = -4,        /* A wave ran or jumped out of the code. */
  RDNA3EMU_BUDGET = -5,           /* A wave executed more instructions than it was allowed. */
  RDNA3EMU_TRAP = -6,             /* A wave executed a trap. */
  RDNA3EMU_OUT_OF_MEMORY = -7,
  RDNA3EMU_INTERNAL = -8 /* A bug of the emulator. */
} rdna3emu_status;

/* RDNA3EMU_VERSION_MAJOR << 16 | RDNA3EMU_VERSION_MINOR of the library that is loaded. */
RDNA3EMU_API uint32_t rdna3emu_version(void);

/* Why the last call on this thread failed: one or more lines without a final line end, "" if it
 * did not fail. Valid until the next call on this thread. */
RDNA3EMU_API const char *rdna3emu_last_error(void);

/* Runs raw code of one kernel on host memory: the call that a mock driver makes for a dispatch.
 *
 *   code, code_bytes   first instruction, and how many bytes from there may be code. Nothing behind
 *                      them is decoded; an incomplete last dword is ignored. PC-relative addresses
 *                      are those of `code`, so constants behind the code are found.
 *   gx, gy, gz         grid in workgroups, each at least 1
 *   lx, ly, lz         workgroup in work-items, each at least 1, 1024 at most together
 *   kernarg            goes to s[0:1]; may be null. What it points to is the caller's layout.
 *   rsrc2              COMPUTE_PGM_RSRC2 of the dispatch: user SGPR count [5:1] (workgroup ids
 * follow the user SGPRs), workgroup ids x y z [7] [8] [9], workgroup info [10], work-item id
 * dimensions [12:11], LDS in granules of 512 bytes [23:15] scratch_bytes      private memory per
 * lane
 *
 * Addresses that the kernel uses are host addresses and are not checked: a wild one is a wild
 * access of this process. LDS and scratch are checked; accesses outside them read 0 or are dropped.
 * There is no RSRC1 in the call: MODE starts as compilers set it for HIP (round to nearest,
 * denormals kept, DX10_CLAMP and IEEE on). Registers, LDS and scratch that nothing has written hold
 * garbage, the same in every run. Workgroups run on all cores, in order if the kernel uses the
 * value that an atomic returns. Decoded code is kept for the next call with the same bytes.
 *
 * Returns 0, or a negative rdna3emu_status. */
RDNA3EMU_API int32_t run_asm(const void *code, uint32_t code_bytes, uint32_t gx, uint32_t gy,
                             uint32_t gz, uint32_t lx, uint32_t ly, uint32_t lz,
                             const void *kernarg, uint32_t rsrc2, uint32_t scratch_bytes);

/* How many instructions one wave may execute in run_asm(); 0 for no limit. 2^30 at first. For the
 * whole process: calls that start later obey it. */
RDNA3EMU_API void rdna3emu_set_run_asm_budget(uint64_t instructions_per_wave);

#ifdef __cplusplus
}
#endif

#endif
