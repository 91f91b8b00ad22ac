//===- Levels.cpp - which level's handlers this machine gets --------------===//
#include "Emu/Handlers.h"

// The tables of Handlers.cpp.
extern "C" {
#if defined(RDNA_EMULATOR_LEVELS)
extern const rdna::emu::Handlers rdnaEmuHandlersV2, rdnaEmuHandlersV3, rdnaEmuHandlersV4;
#else
extern const rdna::emu::Handlers rdnaEmuHandlers;
#endif
}

namespace rdna::emu {

const Handlers &handlers() {
#if defined(RDNA_EMULATOR_LEVELS)
  static const Handlers &best = []() -> const Handlers & {
    __builtin_cpu_init();
    return __builtin_cpu_supports("x86-64-v4")   ? rdnaEmuHandlersV4
           : __builtin_cpu_supports("x86-64-v3") ? rdnaEmuHandlersV3
                                                 : rdnaEmuHandlersV2;
  }();
  return best;
#else
  return rdnaEmuHandlers;
#endif
}

} // namespace rdna::emu
