//===- CRunAsm.cpp - run_asm() and what every caller of the library needs ---===//
#include "EmuApi/Guard.h"
#include "EmuApi/RawCode.h"

#include <atomic>

using namespace rdna::api;

static std::atomic<uint64_t> runAsmBudget = uint64_t(1) << 30;

extern "C" {

uint32_t rdna3emu_version(void) { return RDNA3EMU_VERSION_MAJOR << 16 | RDNA3EMU_VERSION_MINOR; }

const char *rdna3emu_last_error(void) { return lastError(); }

void rdna3emu_set_run_asm_budget(uint64_t instructions) { runAsmBudget = instructions; }

int32_t run_asm(const void *code, uint32_t codeBytes, uint32_t gx, uint32_t gy, uint32_t gz,
                uint32_t lx, uint32_t ly, uint32_t lz, const void *kernarg, uint32_t rsrc2,
                uint32_t scratchBytes) {
  return guarded([&] {
    RawDispatch d;
    d.code = {static_cast<const std::byte *>(code), codeBytes};
    d.grid = {gx, gy, gz};
    d.block = {lx, ly, lz};
    d.kernarg = static_cast<const std::byte *>(kernarg);
    d.rsrc2 = rsrc2;
    d.scratchBytes = scratchBytes;
    d.instructionBudget = runAsmBudget;
    return dispatch(d);
  });
}
}
