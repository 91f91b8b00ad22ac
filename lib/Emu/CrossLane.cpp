//===- CrossLane.cpp - instructions that move data between lanes or by index ===//
#include "Emu/Lane.h"

#include <cstring>

namespace rdna::emu {
namespace handler {
namespace {

uint32_t scalarOperand(const Wave &w, const Source &s) {
  return s.kind == SourceKind::Scalar ? w.s[s.index] : uint32_t(s.constant);
}
uint32_t laneOperand(Wave &w, const Source &s, unsigned lane) {
  return s.kind == SourceKind::Vgpr ? w.vgpr(s.index).lane[lane] : scalarOperand(w, s);
}

void v_nop(Wave &, const Inst &) {}
void v_pipeflush(Wave &, const Inst &) {}
/// Exchanges the halves of a wave64; a NOP in wave32.
void v_permlane64_b32(Wave &, const Inst &) {}

void v_readfirstlane_b32(Wave &w, const Inst &i) {
  unsigned lane = w.exec() ? unsigned(__builtin_ctz(w.exec())) : 0;
  w.s[i.dst] = laneOperand(w, i.src[0], lane);
}
void v_readlane_b32(Wave &w, const Inst &i) {
  w.s[i.dst] = laneOperand(w, i.src[0], scalarOperand(w, i.src[1]) & 31);
}
void v_writelane_b32(Wave &w, const Inst &i) {
  w.vgpr(i.dst).lane[scalarOperand(w, i.src[1]) & 31] = scalarOperand(w, i.src[0]);
}

void permlane(Wave &w, const Inst &i, unsigned rowFlip) {
  // op_sel[0] is FI, op_sel[1] BOUND_CTRL: without FI an inactive source lane is invalid and gives
  // 0 or leaves the destination alone, as in DPP16.
  bool fetchInactive = i.src[0].modifiers & modHigh, boundCtrl = i.src[1].modifiers & modHigh;
  uint64_t select = uint64_t(scalarOperand(w, i.src[2])) << 32 | scalarOperand(w, i.src[1]);
  Lanes from = w.vgpr(i.src[0].index);
  uint32_t exec = w.exec();
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    unsigned source = ((lane & 16) ^ rowFlip) | unsigned(select >> (lane & 15) * 4 & 15);
    if (fetchInactive || (exec >> source & 1))
      w.vgpr(i.dst).lane[lane] = from.lane[source];
    else if (boundCtrl)
      w.vgpr(i.dst).lane[lane] = 0;
  }
}
void v_permlane16_b32(Wave &w, const Inst &i) { permlane(w, i, 0); }
void v_permlanex16_b32(Wave &w, const Inst &i) { permlane(w, i, 16); }

void swapRows(Wave &w, unsigned a, unsigned b) {
  uint32_t exec = w.exec();
  for (unsigned lane = 0; lane < laneCount; ++lane)
    if (exec >> lane & 1)
      std::swap(w.vgpr(a & 255).lane[lane], w.vgpr(b & 255).lane[lane]);
}
void v_swap_b32(Wave &w, const Inst &i) { swapRows(w, i.dst, i.src[0].index); }
void v_swap_b16(Wave &w, const Inst &i) {
  uint32_t exec = w.exec();
  unsigned shiftA = i.dstHigh ? 16 : 0, shiftB = i.src[0].modifiers & modHigh ? 16 : 0;
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    // Both halves may lie in one register: read both before writing either.
    uint32_t &a = w.vgpr(i.dst).lane[lane], &b = w.vgpr(i.src[0].index).lane[lane];
    uint32_t x = a >> shiftA & 0xffff, y = b >> shiftB & 0xffff;
    a = (a & ~(0xffffu << shiftA)) | y << shiftA;
    b = (b & ~(0xffffu << shiftB)) | x << shiftB;
  }
}

// Register numbers relative to M0. An index past the file reads v0 and drops writes (ISA 3.3). DPP
// and modifiers are those of V_MOV_B32: the instruction is executed as one with other registers.
uint32_t move(uint32_t a) { return a; }
constexpr OpInfo moveOp = valuRow("v_mov_b32", &valu<&move>, Shape::Valu, &move);

void moveRelative(Wave &w, const Inst &i, uint32_t addToDestination, uint32_t addToSource) {
  const uint32_t to = i.dst + addToDestination, from = i.src[0].index + addToSource;
  if (to > 255)
    return;
  Inst m = i;
  m.op = &moveOp;
  m.simple = false;
  m.dst = uint16_t(to);
  m.dstRow = vgprRow(to);
  if (m.src[0].kind == SourceKind::Vgpr)
    m.src[0].index = uint16_t(from < 256 ? from : 0);
  valu<&move>(w, m);
}
void v_movrels_b32(Wave &w, const Inst &i) { moveRelative(w, i, 0, w.s[regM0]); }
void v_movreld_b32(Wave &w, const Inst &i) { moveRelative(w, i, w.s[regM0], 0); }
void v_movrelsd_b32(Wave &w, const Inst &i) { moveRelative(w, i, w.s[regM0], w.s[regM0]); }
void v_movrelsd_2_b32(Wave &w, const Inst &i) {
  moveRelative(w, i, w.s[regM0] >> 16 & 0x3ff, w.s[regM0] & 0x3ff);
}
void v_swaprel_b32(Wave &w, const Inst &i) {
  unsigned a = i.dst + (w.s[regM0] >> 16 & 0x3ff), b = i.src[0].index + (w.s[regM0] & 0x3ff);
  if (a < 256 && b < 256)
    swapRows(w, a, b);
}

} // namespace
} // namespace handler

std::span<const OpInfo> crossLaneTable() {
  static constexpr OpInfo rows[] = {
#define ROW(mnemonic, rowShape)                                                                    \
  OpInfo{.name = #mnemonic,                                                                        \
         .run = &handler::mnemonic,                                                                \
         .shape = Shape::rowShape,                                                                 \
         .src = {LaneType::U32, LaneType::U32, LaneType::U32}},
#define HALF_ROW(mnemonic)                                                                         \
  OpInfo{.name = #mnemonic,                                                                        \
         .run = &handler::mnemonic,                                                                \
         .shape = Shape::Raw,                                                                      \
         .dst = LaneType::U16,                                                                     \
         .src = {LaneType::U16}},
#include "Emu/CrossLane.def"
#undef HALF_ROW
#undef ROW
  };
  return rows;
}

} // namespace rdna::emu
