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
  RDNA3EMU_FINDINGS = 1,          /* Ran to its end, but the report lists what is wrong. */
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

/*===- Kernels ---------------------------------------------------------------===
 *
 * Structures begin with their size, which RDNA3EMU_..._INIT fills in: a library that knows more
 * members takes those that a caller does not have as 0.
 *===--------------------------------------------------------------------------===*/

/* A decoded kernel. Any number of launches and sessions may use it at the same time. */
typedef struct rdna3emu_kernel rdna3emu_kernel;

/* The kernel called `name` of a linked code object (.hsaco), or its only one if `name` is null. The
 * bytes are copied. `*kernel` is null after a failure. */
RDNA3EMU_API int32_t rdna3emu_kernel_from_code_object(const void *bytes, size_t size,
                                                      const char *name, rdna3emu_kernel **kernel);

/* Code without a code object around it, and what a descriptor would say of it. */
typedef struct rdna3emu_code {
  uint32_t struct_size;
  uint32_t rsrc1; /* COMPUTE_PGM_RSRC1: MODE at the start; 0 for what run_asm() takes. */
  const void *code;
  size_t code_bytes;
  uint64_t entry_offset; /* Of the first instruction, in bytes. */
  uint32_t rsrc2;        /* As in run_asm(), LDS size included. */
  uint32_t scratch_bytes;
  const char *name; /* For reports; may be null. */
} rdna3emu_code;
#define RDNA3EMU_CODE_INIT {sizeof(rdna3emu_code), 0, 0, 0, 0, 0, 0, 0}

RDNA3EMU_API int32_t rdna3emu_kernel_from_code(const rdna3emu_code *code, rdna3emu_kernel **kernel);

/* Null is allowed, here and in the other _free functions. */
RDNA3EMU_API void rdna3emu_kernel_free(rdna3emu_kernel *kernel);

typedef struct rdna3emu_kernel_info {
  uint32_t struct_size;
  uint32_t lds_bytes;
  uint32_t scratch_bytes; /* Per lane. */
  uint32_t kernarg_bytes;
  uint64_t entry_offset; /* Offsets are those that reports, steps and breakpoints speak of. */
  uint64_t code_begin;
  uint64_t code_end;
} rdna3emu_kernel_info;
#define RDNA3EMU_KERNEL_INFO_INIT {sizeof(rdna3emu_kernel_info), 0, 0, 0, 0, 0, 0}

RDNA3EMU_API int32_t rdna3emu_kernel_get_info(const rdna3emu_kernel *kernel,
                                              rdna3emu_kernel_info *info);

/* The text of the instruction at an offset, with a final 0 and cut to `size` bytes. */
RDNA3EMU_API int32_t rdna3emu_kernel_instruction(const rdna3emu_kernel *kernel, uint64_t offset,
                                                 char *text, size_t size);

/*===- Launches --------------------------------------------------------------===*/

typedef enum rdna3emu_access { RDNA3EMU_READ_WRITE = 0, RDNA3EMU_READ_ONLY = 1 } rdna3emu_access;

/* Host memory that a kernel may access. Its address is the address that the kernel sees. */
typedef struct rdna3emu_region {
  const char *name; /* For reports; may be null. */
  void *data;
  uint64_t bytes;
  int32_t access; /* rdna3emu_access */
  uint32_t reserved;
} rdna3emu_region;

typedef enum rdna3emu_memory {
  RDNA3EMU_MEMORY_REGIONS =
      0,                   /* Accesses outside the regions read 0 or are dropped, and reported. */
  RDNA3EMU_MEMORY_HOST = 1 /* Any host address, unchecked, as in run_asm(). */
} rdna3emu_memory;

typedef enum rdna3emu_engine {
  RDNA3EMU_ENGINE_AUTO = 0,
  RDNA3EMU_ENGINE_INTERPRETER = 1,
  RDNA3EMU_ENGINE_JIT = 2
} rdna3emu_engine;

typedef struct rdna3emu_launch {
  uint32_t struct_size;
  uint32_t grid[3];  /* In workgroups. */
  uint32_t block[3]; /* In work-items. */
  uint32_t dynamic_lds_bytes;
  const void *kernarg; /* Explicit and hidden arguments, as the kernel reads them. */
  size_t kernarg_bytes;
  const rdna3emu_region *regions; /* Besides kernarg, scratch and the code object. */
  size_t region_count;
  uint64_t instruction_budget; /* Per wave; 0 = no limit. */
  uint32_t threads;            /* Host threads; 0 = all cores. Results do not depend on it. */
  int32_t memory;              /* rdna3emu_memory */
  int32_t engine;              /* rdna3emu_engine; a launch with checks is interpreted. */
  uint32_t reserved;
  const char *checks; /* Null, "all", or names separated by commas: "waits,races"; see
                         docs/howto-check.md. */
  /* Called now and then with the number of workgroups done; from any thread, one at a time. */
  void (*progress)(void *user, uint64_t done, uint64_t total);
  void *user;
} rdna3emu_launch;
#define RDNA3EMU_LAUNCH_INIT                                                                       \
  {sizeof(rdna3emu_launch), {1, 1, 1}, {1, 1, 1}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/* What a launch came to. */
typedef struct rdna3emu_report rdna3emu_report;

/* Runs a launch to its end. `*report` (if `report` is not null) is to be freed; it is null after a
 * failure. RDNA3EMU_FINDINGS if there were accesses outside the regions, LDS or scratch, or a check
 * found something. */
RDNA3EMU_API int32_t rdna3emu_run(const rdna3emu_kernel *kernel, const rdna3emu_launch *launch,
                                  rdna3emu_report **report);

/* One JSON object, "schema": "rdna3emu/1": instructions, workgroups, seconds, out_of_bounds[],
 * findings[] (as `hsaco-loader run --json` writes them). Lives as long as the report. */
RDNA3EMU_API const char *rdna3emu_report_json(const rdna3emu_report *report);
RDNA3EMU_API void rdna3emu_report_free(rdna3emu_report *report);

/*===- Sessions: one workgroup, step by step ---------------------------------===
 *
 * A session is for one thread at a time. Kernel, kernarg and regions must outlive it. A wave that
 * has reached a barrier goes on when all other waves have reached it or ended.
 *===--------------------------------------------------------------------------===*/

typedef struct rdna3emu_session rdna3emu_session;

/* Stands before the first instruction of every wave. Of `launch`, `checks`, `engine`, `threads` and
 * `progress` do not matter. */
RDNA3EMU_API int32_t rdna3emu_session_create(const rdna3emu_kernel *kernel,
                                             const rdna3emu_launch *launch,
                                             const uint32_t workgroup[3],
                                             rdna3emu_session **session);
RDNA3EMU_API void rdna3emu_session_free(rdna3emu_session *session);

typedef enum rdna3emu_wave_state {
  RDNA3EMU_WAVE_READY = 0,
  RDNA3EMU_WAVE_AT_BARRIER = 1,
  RDNA3EMU_WAVE_ENDED = 2,
  RDNA3EMU_WAVE_FAILED = 3 /* What the failing step returned is why. */
} rdna3emu_wave_state;

RDNA3EMU_API uint32_t rdna3emu_session_waves(const rdna3emu_session *session);
/* An rdna3emu_wave_state, or a negative status. */
RDNA3EMU_API int32_t rdna3emu_session_state(const rdna3emu_session *session, uint32_t wave);

/* Executes up to `count` instructions of one wave: fewer if it ends, waits at a barrier, or comes
 * to a breakpoint after its first instruction. `*executed` (may be null) says how many. */
RDNA3EMU_API int32_t rdna3emu_step(rdna3emu_session *session, uint32_t wave, uint64_t count,
                                   uint64_t *executed);
/* Executes all waves until one stands before a breakpoint, then `*wave` (may be null) is its
 * number, or until all have ended, then it is 0xffffffff. */
RDNA3EMU_API int32_t rdna3emu_continue(rdna3emu_session *session, uint32_t *wave);

/* Offsets of instructions, as rdna3emu_kernel_get_info() counts. */
RDNA3EMU_API int32_t rdna3emu_set_breakpoint(rdna3emu_session *session, uint64_t offset);
RDNA3EMU_API int32_t rdna3emu_clear_breakpoint(rdna3emu_session *session, uint64_t offset);

typedef enum rdna3emu_register {
  RDNA3EMU_PC = 0, /* Offset of the next instruction. */
  RDNA3EMU_EXEC = 1,
  RDNA3EMU_VCC = 2,
  RDNA3EMU_SCC = 3,
  RDNA3EMU_M0 = 4,
  RDNA3EMU_MODE = 5,
  RDNA3EMU_EXECUTED = 6 /* Instructions so far; cannot be written. */
} rdna3emu_register;

RDNA3EMU_API int32_t rdna3emu_read_register(const rdna3emu_session *session, uint32_t wave,
                                            int32_t name, uint64_t *value);
RDNA3EMU_API int32_t rdna3emu_write_register(rdna3emu_session *session, uint32_t wave, int32_t name,
                                             uint64_t value);
/* s0 to s105. */
RDNA3EMU_API int32_t rdna3emu_read_sgpr(const rdna3emu_session *session, uint32_t wave,
                                        uint32_t number, uint32_t *value);
RDNA3EMU_API int32_t rdna3emu_write_sgpr(rdna3emu_session *session, uint32_t wave, uint32_t number,
                                         uint32_t value);
/* v0 to v255, all 32 lanes. */
RDNA3EMU_API int32_t rdna3emu_read_vgpr(const rdna3emu_session *session, uint32_t wave,
                                        uint32_t number, uint32_t lanes[32]);
RDNA3EMU_API int32_t rdna3emu_write_vgpr(rdna3emu_session *session, uint32_t wave, uint32_t number,
                                         const uint32_t lanes[32]);
RDNA3EMU_API int32_t rdna3emu_read_lds(const rdna3emu_session *session, uint32_t offset, void *data,
                                       size_t bytes);
RDNA3EMU_API int32_t rdna3emu_write_lds(rdna3emu_session *session, uint32_t offset,
                                        const void *data, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
