//===- Control.cpp - branches, EXEC arithmetic, hardware registers, messages ===//
#include "Emu/HwRegister.h"
#include "Emu/Salu.h"

namespace rdna::emu {
namespace handler {
namespace {

uint64_t addressOf(const Wave &w, uint64_t imageOffset) {
  return w.memory->imageBase + imageOffset;
}
uint64_t nextAddress(const Wave &w, const Inst &i) { return addressOf(w, i.offset + i.bytes); }

/// A jump to a computed address: into the image and onto an instruction, or an error.
void jumpToAddress(Wave &w, const Inst &i, uint64_t address) {
  if (const Inst *target = w.code->at(address - w.memory->imageBase))
    return jumpTo(w, target);
  stopWave(w, i, Event::BadTarget);
}
void branch(Wave &w, const Inst &i) {
  if (i.target)
    return jumpTo(w, i.target);
  stopWave(w, i, Event::BadTarget);
}
void branchIf(Wave &w, const Inst &i, uint32_t condition) {
  if (condition)
    branch(w, i);
}

// Functionally nothing: timing, caches (host memory is coherent) and debug support.
void nothing(Wave &, const Inst &) {}

void s_branch(Wave &w, const Inst &i) { branch(w, i); }
void s_cbranch_scc0(Wave &w, const Inst &i) { branchIf(w, i, !w.s[regScc]); }
void s_cbranch_scc1(Wave &w, const Inst &i) { branchIf(w, i, w.s[regScc]); }
void s_cbranch_vccz(Wave &w, const Inst &i) { branchIf(w, i, !w.s[regVcc]); }
void s_cbranch_vccnz(Wave &w, const Inst &i) { branchIf(w, i, w.s[regVcc]); }
void s_cbranch_execz(Wave &w, const Inst &i) { branchIf(w, i, !w.exec()); }
void s_cbranch_execnz(Wave &w, const Inst &i) { branchIf(w, i, w.exec()); }
void s_endpgm(Wave &w, const Inst &i) { stopWave(w, i, Event::End); }
/// For trap handlers that save a wave, and for pixel shaders; the wave ends all the same.
void s_endpgm_saved(Wave &w, const Inst &i) { stopWave(w, i, Event::End); }
void s_endpgm_ordered_ps_done(Wave &w, const Inst &i) { stopWave(w, i, Event::End); }
/// SIMM16[0] kills the wave (a test of the host's kill command).
void s_setkill(Wave &w, const Inst &i) {
  if (i.imm & 1)
    stopWave(w, i, Event::End);
}
void s_barrier(Wave &w, const Inst &i) { stopWave(w, i, Event::Barrier); }
/// The trap handler of ROCm, without a debugger attached (AMDGPUUsage, trap handler ABI): 3 is
/// llvm.debugtrap and returns at once; anything else puts the queue into the error state.
void s_trap(Wave &w, const Inst &i) {
  constexpr unsigned debugTrap = 3;
  if ((unsigned(i.imm) & 0xff) != debugTrap)
    stopWave(w, i, Event::Trap);
}

void s_getpc_b64(Wave &w, const Inst &i) { write64(w, i.dst, nextAddress(w, i)); }
void s_setpc_b64(Wave &w, const Inst &i) { jumpToAddress(w, i, scalar64(w, i.src[0])); }
/// Return from a trap handler: a jump; privilege is not modelled.
void s_rfe_b64(Wave &w, const Inst &i) { jumpToAddress(w, i, scalar64(w, i.src[0])); }
void s_swappc_b64(Wave &w, const Inst &i) {
  uint64_t target = scalar64(w, i.src[0]);
  write64(w, i.dst, nextAddress(w, i));
  jumpToAddress(w, i, target);
}
void s_call_b64(Wave &w, const Inst &i) {
  write64(w, i.dst, nextAddress(w, i));
  branch(w, i);
}

// In wave32 a subvector loop runs its body at most once: BEGIN skips it if no lane is active, END
// falls through (ISA, S_SUBVECTOR_LOOP).
void s_subvector_loop_begin(Wave &w, const Inst &i) {
  if (!w.exec())
    return branch(w, i);
  w.s[i.dst] = 0;
}

// EXEC and a mask. Names: not0 negates S0, not1 negates EXEC; saveexec returns the old EXEC.
#define SAVE_EXEC(name, expression)                                                                \
  void name##_b32(Wave &w, const Inst &i) {                                                        \
    uint32_t s = scalar32(w, i.src[0]), e = w.exec(), r = expression;                              \
    w.s[i.dst] = e;                                                                                \
    w.s[regExec] = r;                                                                              \
    w.s[regScc] = r != 0;                                                                          \
  }                                                                                                \
  void name##_b64(Wave &w, const Inst &i) {                                                        \
    uint64_t s = scalar64(w, i.src[0]), e = w.exec() | uint64_t(w.s[regExec + 1]) << 32,           \
             r = expression;                                                                       \
    write64(w, i.dst, e);                                                                          \
    write64(w, regExec, r);                                                                        \
    w.s[regScc] = r != 0;                                                                          \
  }
SAVE_EXEC(s_and_saveexec, s &e)
SAVE_EXEC(s_or_saveexec, s | e)
SAVE_EXEC(s_xor_saveexec, s ^ e)
SAVE_EXEC(s_nand_saveexec, ~(s &e))
SAVE_EXEC(s_nor_saveexec, ~(s | e))
SAVE_EXEC(s_xnor_saveexec, ~(s ^ e))
SAVE_EXEC(s_and_not0_saveexec, ~s &e)
SAVE_EXEC(s_or_not0_saveexec, ~s | e)
SAVE_EXEC(s_and_not1_saveexec, s & ~e)
SAVE_EXEC(s_or_not1_saveexec, s | ~e)
#undef SAVE_EXEC
#define WRITE_EXEC(name, expression)                                                               \
  void name##_b32(Wave &w, const Inst &i) {                                                        \
    uint32_t s = scalar32(w, i.src[0]), e = w.exec(), r = expression;                              \
    w.s[i.dst] = r;                                                                                \
    w.s[regExec] = r;                                                                              \
    w.s[regScc] = r != 0;                                                                          \
  }                                                                                                \
  void name##_b64(Wave &w, const Inst &i) {                                                        \
    uint64_t s = scalar64(w, i.src[0]), e = w.exec() | uint64_t(w.s[regExec + 1]) << 32,           \
             r = expression;                                                                       \
    write64(w, i.dst, r);                                                                          \
    write64(w, regExec, r);                                                                        \
    w.s[regScc] = r != 0;                                                                          \
  }
WRITE_EXEC(s_and_not0_wrexec, ~s &e)
WRITE_EXEC(s_and_not1_wrexec, s & ~e)
#undef WRITE_EXEC

// Conditional and partial writes keep the old destination.
void s_cmov_b32(Wave &w, const Inst &i) {
  if (w.s[regScc])
    w.s[i.dst] = scalar32(w, i.src[0]);
}
void s_cmov_b64(Wave &w, const Inst &i) {
  if (w.s[regScc])
    write64(w, i.dst, scalar64(w, i.src[0]));
}
void s_cmovk_i32(Wave &w, const Inst &i) {
  if (w.s[regScc])
    w.s[i.dst] = uint32_t(i.imm);
}
void setBit(Wave &w, const Inst &i, unsigned width, uint64_t value) {
  unsigned bit = scalar32(w, i.src[0]) & (width - 1);
  uint64_t old = w.s[i.dst] | (width == 64 ? uint64_t(w.s[i.dst + 1]) << 32 : 0);
  uint64_t r = (old & ~(uint64_t(1) << bit)) | value << bit;
  w.s[i.dst] = uint32_t(r);
  if (width == 64)
    w.s[i.dst + 1] = uint32_t(r >> 32);
}
void s_bitset0_b32(Wave &w, const Inst &i) { setBit(w, i, 32, 0); }
void s_bitset1_b32(Wave &w, const Inst &i) { setBit(w, i, 32, 1); }
void s_bitset0_b64(Wave &w, const Inst &i) { setBit(w, i, 64, 0); }
void s_bitset1_b64(Wave &w, const Inst &i) { setBit(w, i, 64, 1); }

// Register numbers relative to M0; past s105 reads give s0 and writes are dropped (ISA 3.3).
constexpr unsigned lastSgpr = 105;
uint32_t readIndexed(const Wave &w, unsigned n) { return w.s[n <= lastSgpr ? n : 0]; }
void writeIndexed(Wave &w, unsigned n, uint32_t value) {
  if (n <= lastSgpr)
    w.s[n] = value;
}
void s_movrels_b32(Wave &w, const Inst &i) {
  w.s[i.dst] = readIndexed(w, i.src[0].index + w.s[regM0]);
}
void s_movrels_b64(Wave &w, const Inst &i) {
  unsigned n = i.src[0].index + w.s[regM0];
  write64(w, i.dst, readIndexed(w, n) | uint64_t(readIndexed(w, n + 1)) << 32);
}
void s_movreld_b32(Wave &w, const Inst &i) {
  writeIndexed(w, i.dst + w.s[regM0], scalar32(w, i.src[0]));
}
void s_movreld_b64(Wave &w, const Inst &i) {
  uint64_t value = scalar64(w, i.src[0]);
  unsigned n = i.dst + w.s[regM0];
  writeIndexed(w, n, uint32_t(value));
  writeIndexed(w, n + 1, uint32_t(value >> 32));
}
void s_movrelsd_2_b32(Wave &w, const Inst &i) {
  uint32_t m0 = w.s[regM0];
  writeIndexed(w, i.dst + (m0 >> 16 & 0x3ff), readIndexed(w, i.src[0].index + (m0 & 0x3ff)));
}

struct HardwareField {
  unsigned id, offset;
  uint32_t mask;
};
HardwareField hardwareField(const Inst &i) {
  unsigned size = (unsigned(i.imm) >> 11 & 31) + 1;
  return {unsigned(i.imm) & 63, unsigned(i.imm) >> 6 & 31, size == 32 ? ~0u : (1u << size) - 1};
}
void s_getreg_b32(Wave &w, const Inst &i) {
  HardwareField f = hardwareField(i);
  w.s[i.dst] = readHardware(w, i, f.id) >> f.offset & f.mask;
}
void setHardware(Wave &w, const Inst &i, uint32_t value) {
  HardwareField f = hardwareField(i);
  writeHardware(w, f.id, value << f.offset, f.mask << f.offset);
}
void s_setreg_b32(Wave &w, const Inst &i) { setHardware(w, i, w.s[i.dst]); }
void s_setreg_imm32_b32(Wave &w, const Inst &i) { setHardware(w, i, i.literal); }
void s_round_mode(Wave &w, const Inst &i) {
  w.setMode((w.mode.bits & ~0xfu) | (unsigned(i.imm) & 15));
}
void s_denorm_mode(Wave &w, const Inst &i) {
  w.setMode((w.mode.bits & ~0xf0u) | (unsigned(i.imm) & 15) << 4);
}
// Messages that return a value: the id is the number in the source field, no operand. The real-time
// counter counts instructions; doorbell, draw id, trap memory and trap base are all 0.
constexpr unsigned messageRealTime = 131;
uint64_t answer(const Wave &w, const Inst &i) {
  return (unsigned(i.imm) & 0xff) == messageRealTime ? w.executed : 0;
}
void s_sendmsg_rtn_b32(Wave &w, const Inst &i) { w.s[i.dst] = uint32_t(answer(w, i)); }
void s_sendmsg_rtn_b64(Wave &w, const Inst &i) { write64(w, i.dst, answer(w, i)); }
void s_sendmsghalt(Wave &w, const Inst &i) { stopWave(w, i, Event::Halted); }
/// Bit 0 halts; a wave that is not halted needs no resumption.
void s_sethalt(Wave &w, const Inst &i) {
  if (i.imm & 1)
    stopWave(w, i, Event::Halted);
}
/// The wave has nothing to do: the next branch lets the others of its group run.
void s_sleep(Wave &w, const Inst &) { w.sliceEnd = w.executed; }
/// Raises an illegal-instruction interrupt (ISA, S_CODE_END).
void s_code_end(Wave &w, const Inst &i) { stopWave(w, i, Event::BadTarget); }
/// The emulated device is version 0 of itself.
void s_version(Wave &, const Inst &) {}

} // namespace
} // namespace handler

std::span<const OpInfo> controlTable() {
  static constexpr OpInfo rows[] = {
#define TYPED_ROW(mnemonic, rowShape, type)                                                        \
  OpInfo{.name = #mnemonic,                                                                        \
         .run = &handler::mnemonic,                                                                \
         .shape = Shape::rowShape,                                                                 \
         .dst = LaneType::type,                                                                    \
         .src = {LaneType::type}},
#define NOTHING_ROW(mnemonic, rowShape)                                                            \
  OpInfo{.name = #mnemonic, .run = &handler::nothing, .shape = Shape::rowShape},
#include "Emu/Control.def"
#undef NOTHING_ROW
#undef TYPED_ROW
  };
  return rows;
}

} // namespace rdna::emu
