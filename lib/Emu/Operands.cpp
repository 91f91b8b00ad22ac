//===- Operands.cpp - operand modifiers, DPP, result modifiers ------------===//
#include "Emu/Half.h"
#include "Emu/Lane.h"

#include <algorithm>
#include <cfenv>
#include <cstring>

namespace rdna::emu {
namespace {

constexpr uint32_t signF32 = 0x80000000u;

/// The lane that DPP16 control `ctrl` makes lane `i` read, or -1 outside the row.
int dppSource(uint32_t ctrl, int i) {
  int row = i & ~15, in = i & 15;
  if (ctrl <= 0xff)
    return (i & ~3) | (ctrl >> (2 * (i & 3)) & 3);
  int n = ctrl & 15;
  switch (ctrl & 0x1f0) {
  case 0x100: // row_shl: reads the lane n above
    return in + n < 16 ? i + n : -1;
  case 0x110: // row_shr
    return in - n >= 0 ? i - n : -1;
  case 0x120: // row_ror
    return row | ((in - n) & 15);
  case 0x140: // row_mirror, row_half_mirror
    return n == 0 ? (row | (15 - in)) : ((i & ~7) | (7 - (i & 7)));
  case 0x150: // row_share
    return row | n;
  case 0x160: // row_xmask
    return row | (in ^ n);
  default:
    return i;
  }
}

/// Permutes `rows` rows of source 0; returns the lanes that are written.
uint32_t applyDpp(const Inst &inst, uint32_t exec, const uint32_t *from, uint32_t *to,
                  unsigned rows) {
  uint32_t active = exec;
  int source[laneCount];
  bool zero[laneCount];
  if (inst.dppKind == DppKind::Dpp16) {
    uint32_t ctrl = inst.dpp >> 8 & 0x1ff;
    bool fetchInactive = inst.dpp >> 18 & 1, boundCtrl = inst.dpp >> 19 & 1;
    uint32_t bankMask = inst.dpp >> 24 & 15, rowMask = inst.dpp >> 28 & 15;
    for (int i = 0; i < int(laneCount); ++i) {
      int s = dppSource(ctrl, i);
      bool valid = s >= 0 && (fetchInactive || (exec >> s & 1));
      source[i] = valid ? s : i;
      zero[i] = !valid;
      bool enabled = (rowMask >> (i / 16) & 1) && (bankMask >> (i / 4 % 4) & 1);
      if (!enabled || (!valid && !boundCtrl))
        active &= ~(1u << i);
    }
  } else {
    // An inactive source lane without FI reads 0: DPP8 has no bound_ctrl bit (ISA, DPP8).
    for (int i = 0; i < int(laneCount); ++i) {
      int s = (i & ~7) | (inst.dpp >> (8 + 3 * (i & 7)) & 7);
      source[i] = s;
      zero[i] = inst.dppKind == DppKind::Dpp8 && !(exec >> s & 1);
    }
  }
  for (unsigned r = 0; r < rows; ++r)
    for (unsigned i = 0; i < laneCount; ++i)
      to[r * laneCount + i] = zero[i] ? 0 : from[r * laneCount + source[i]];
  return active;
}

template <class F> void eachLane(uint32_t *row, F f) {
  for (unsigned i = 0; i < laneCount; ++i)
    row[i] = f(row[i]);
}

void modifyF32(uint32_t *row, uint8_t modifiers, Mode mode) {
  if (!mode.keepInput32())
    eachLane(row, [](uint32_t x) { return x & 0x7f800000u ? x : x & signF32; });
  if (modifiers & modAbs)
    eachLane(row, [](uint32_t x) { return x & ~signF32; });
  if (modifiers & modNeg)
    eachLane(row, [](uint32_t x) { return x ^ signF32; });
}

void modifyF16(uint32_t *row, uint8_t modifiers, Mode mode) {
  if (!mode.keepInput64())
    eachLane(row, [](uint32_t x) { return x & 0x7c00 ? x : x & 0x8000; });
  if (modifiers & modAbs)
    eachLane(row, [](uint32_t x) { return x & 0x7fff; });
  if (modifiers & modNeg)
    eachLane(row, [](uint32_t x) { return x ^ 0x8000; });
}

void modifyF64(uint32_t *row, uint8_t modifiers, Mode mode) {
  uint32_t *high = row + laneCount;
  if (!mode.keepInput64()) {
    for (unsigned i = 0; i < laneCount; ++i) {
      if (high[i] & 0x7ff00000u)
        continue;
      high[i] &= signF32;
      row[i] = 0;
    }
  }
  if (modifiers & modAbs)
    eachLane(high, [](uint32_t x) { return x & ~signF32; });
  if (modifiers & modNeg)
    eachLane(high, [](uint32_t x) { return x ^ signF32; });
}

/// Flushes the halves that are denormal.
uint32_t flushHalves(uint32_t x) {
  uint32_t keep = (x & 0x7c00 ? 0xffffu : 0x8000u) | (x & 0x7c000000u ? 0xffff0000u : 0x80000000u);
  return x & keep;
}

/// In VOP3P each half has its own NEG bit; in the other encodings NEG is for both halves of a
/// packed operand (LLVM folds fneg of a v2f16 into V_DOT2_F16_F16 so), and ABS is taken likewise.
void modifyPacked(uint32_t *row, uint8_t modifiers, LaneType type, Shape shape, Mode mode) {
  unsigned low = modifiers & modHigh ? 16 : 0, high = modifiers & modHighHigh ? 16 : 0;
  eachLane(row, [=](uint32_t x) { return (x >> low & 0xffff) | (x >> high & 0xffff) << 16; });
  if (type == LaneType::PackedI16)
    return;
  if (type == LaneType::PackedF16 && !mode.keepInput64())
    eachLane(row, flushHalves);
  bool both = shape != Shape::Packed;
  if (both && (modifiers & modAbs))
    eachLane(row, [](uint32_t x) { return x & 0x7fff7fffu; });
  uint32_t flip = (modifiers & modNeg ? 0x8000u : 0) |
                  (modifiers & (both ? modNeg : modNegHigh) ? 0x80000000u : 0);
  eachLane(row, [=](uint32_t x) { return x ^ flip; });
}

/// V_FMA_MIX*: op_sel_hi chooses f16, op_sel its half; neg_hi means absolute value.
void modifyMixed(uint32_t *row, uint8_t modifiers, Mode mode) {
  if (modifiers & modHighHigh) {
    unsigned shift = modifiers & modHigh ? 16 : 0;
    eachLane(row, [=](uint32_t x) { return x >> shift & 0xffff; });
    modifyF16(row, 0, mode);
    eachLane(row,
             [](uint32_t x) { return std::bit_cast<uint32_t>(halfToFloat(Half{uint16_t(x)})); });
    mode.bits |= 0x30; // A widened half is never an f32 denormal.
  }
  uint8_t m = (modifiers & modNeg) | (modifiers & modNegHigh ? modAbs : 0);
  modifyF32(row, m, mode);
}

/// V_CNDMASK: the only operation on plain bits that takes NEG and ABS (LLVM); others ignore them.
bool selects(const OpInfo &op) { return op.readsMask && !op.writesMask; }

void modify(uint32_t *row, const Source &s, LaneType type, const OpInfo &op, Mode mode) {
  switch (type) {
  case LaneType::F32:
    return modifyF32(row, s.modifiers, mode);
  case LaneType::F64:
    return modifyF64(row, s.modifiers, mode);
  case LaneType::U16:
  case LaneType::I16:
  case LaneType::F16:
  case LaneType::BF16:
    if (s.modifiers & modHigh)
      eachLane(row, [](uint32_t x) { return x >> 16; });
    else
      eachLane(row, [](uint32_t x) { return x & 0xffff; });
    if (type != LaneType::F16)
      mode.bits |= 0xc0; // Not flushed.
    if (type == LaneType::F16 || type == LaneType::BF16 || selects(op))
      modifyF16(row, s.modifiers, mode);
    return;
  case LaneType::PackedF16:
  case LaneType::PackedI16:
  case LaneType::PackedBF16:
    return modifyPacked(row, s.modifiers, type, op.shape, mode);
  case LaneType::Mixed:
    return modifyMixed(row, s.modifiers, mode);
  case LaneType::U32:
  case LaneType::I32:
    if (selects(op)) {
      mode.bits |= 0x30;
      modifyF32(row, s.modifiers, mode);
    }
    return;
  default:
    return;
  }
}

/// OMOD: 2, 4 or a half times the result, whose -0 becomes +0 (ISA, output modifiers).
template <class T> T scaledBy(T x, unsigned omod) {
  constexpr T factor[] = {1, 2, 4, T(0.5)};
  return x == 0 ? T(0) : x * factor[omod];
}

/// The clamp of float results: [0, 1], NaN to 0 if MODE.DX10_CLAMP, else it stays. -0 stays (LLVM
/// folds it so).
template <class T> T clampFloat(T x, Mode mode) {
  if (x != x && !mode.clampsNan())
    return x;
  return x >= 0 ? (x > 1 ? T(1) : x) : T(0);
}

void finishF32(const Inst &inst, Mode mode, uint32_t *out) {
  if (inst.omod && mode.scales32())
    eachLane(out, [&](uint32_t x) {
      return std::bit_cast<uint32_t>(scaledBy(std::bit_cast<float>(x), inst.omod));
    });
  if (inst.clamp)
    eachLane(out, [&](uint32_t x) {
      return std::bit_cast<uint32_t>(clampFloat(std::bit_cast<float>(x), mode));
    });
  if (!mode.keepOutput32())
    eachLane(out, [](uint32_t x) { return x & 0x7f800000u ? x : x & signF32; });
}

uint32_t clampHalf(uint32_t x, Mode mode) {
  Half h{uint16_t(x)};
  return floatToHalf(clampFloat(halfToFloat(h), mode)).bits;
}

void finishF16(const Inst &inst, Mode mode, uint32_t *out) {
  if (inst.omod && mode.scales64())
    eachLane(out, [&](uint32_t x) -> uint32_t {
      return floatToHalf(scaledBy(halfToFloat(Half{uint16_t(x)}), inst.omod)).bits;
    });
  if (inst.clamp)
    eachLane(out, [&](uint32_t x) { return clampHalf(x, mode); });
  if (!mode.keepOutput64())
    eachLane(out, [](uint32_t x) { return x & 0x7c00 ? x : x & 0x8000; });
}

void finishPackedF16(const Inst &inst, Mode mode, uint32_t *out) {
  if (inst.clamp)
    eachLane(out, [&](uint32_t x) { return clampHalf(x, mode) | clampHalf(x >> 16, mode) << 16; });
  if (!mode.keepOutput64())
    eachLane(out, flushHalves);
}

void finishF64(const Inst &inst, Mode mode, uint32_t *out) {
  for (unsigned i = 0; i < laneCount; ++i) {
    double x = loadLane<double>(out, i);
    if (inst.omod && mode.scales64())
      x = scaledBy(x, inst.omod);
    if (inst.clamp)
      x = clampFloat(x, mode);
    auto bits = std::bit_cast<uint64_t>(x);
    if (!mode.keepOutput64() && !(bits & 0x7ff0000000000000u))
      bits &= 0x8000000000000000u;
    storeLane<StoreTo::Prepared>(out, i, bits);
  }
}

/// MODE as far as it concerns the instruction: some, such as V_CMP_CLASS, never flush.
Mode floatMode(const Wave &w, const Inst &inst) {
  return inst.op->care ? w.mode : Mode{w.mode.bits | 0xf0};
}

void merge(uint32_t *dst, const uint32_t *out, uint32_t active) {
  for (unsigned i = 0; i < laneCount; ++i)
    dst[i] = active >> i & 1 ? out[i] : dst[i];
}

void mergeHalf(uint32_t *dst, const uint32_t *out, uint32_t active, unsigned shift) {
  uint32_t keep = shift ? 0x0000ffffu : 0xffff0000u;
  for (unsigned i = 0; i < laneCount; ++i) {
    uint32_t x = (dst[i] & keep) | (out[i] & 0xffff) << shift;
    dst[i] = active >> i & 1 ? x : dst[i];
  }
}

} // namespace

uint32_t prepare(Wave &w, const Inst &inst, Frame &frame) {
  Mode mode = floatMode(w, inst);
  uint32_t active = w.exec();
  unsigned neg = 0;
  for (unsigned k = 0; k < std::min<unsigned>(inst.sourceCount, 3); ++k) {
    const Source &s = inst.src[k];
    LaneType type = inst.op->src[k];
    unsigned rows = type == LaneType::U128 ? 4 : isWide(type) ? 2 : 1;
    uint32_t *row = w.prepared[k][0].lane;
    if (s.kind == SourceKind::Vgpr) {
      const uint32_t *from = w.vgpr(s.index).lane;
      if (k == 0 && inst.dppKind != DppKind::None)
        active = applyDpp(inst, w.exec(), from, row, rows);
      else
        std::memcpy(row, from, rows * sizeof(Lanes));
    } else {
      for (unsigned r = 0; r < rows; ++r)
        eachLane(row + r * laneCount, [value = scalarRow(w, s, r)](uint32_t) { return value; });
    }
    modify(row, s, type, *inst.op, mode);
    neg |= (s.modifiers & modSigned ? 1u : 0) << k;
    frame.src[k] = row;
  }
  for (unsigned k = std::min<unsigned>(inst.sourceCount, 3); k < 3; ++k)
    frame.src[k] = nullptr;
  frame.mask = inst.op->readsMask ? w.s[inst.maskSrc] : 0;
  frame.mode = w.mode;
  frame.saturate = inst.clamp ? Saturate::Yes : Saturate::No;
  frame.neg = NegBits(neg);
  return active;
}

void commit(Wave &w, const Inst &inst, uint32_t *out, uint32_t active) {
  LaneType type = inst.op->dst;
  Mode mode = floatMode(w, inst);
  if (type == LaneType::F32)
    finishF32(inst, mode, out);
  else if (type == LaneType::F16)
    finishF16(inst, mode, out);
  else if (type == LaneType::F64)
    finishF64(inst, mode, out);
  else if (type == LaneType::PackedF16)
    finishPackedF16(inst, mode, out);
  uint32_t *dst = w.row(inst.dstRow);
  if (isHalf(type))
    return mergeHalf(dst, out, active, inst.dstHigh ? 16 : 0);
  unsigned rows = type == LaneType::U128 ? 4 : isWide(type) ? 2 : 1;
  for (unsigned r = 0; r < rows; ++r)
    merge(dst + r * laneCount, out + r * laneCount, active);
}

void keepHalvesFinite(uint32_t *out, const uint32_t *finite) {
  for (unsigned i = 0; i < laneCount; ++i)
    for (uint32_t half : {0x0000ffffu, 0xffff0000u}) {
      bool infinite = (out[i] & half & 0x7fff7fffu) == (half & 0x7c007c00u);
      out[i] = infinite ? (out[i] & ~half) | (finite[i] & half) : out[i];
    }
}

unsigned roundingOf(const Wave &w, const Inst &inst) {
  switch (inst.op->rounds) {
  case OpInfo::Single:
    return w.mode.round32();
  case OpInfo::DoubleAndHalf:
    return w.mode.round64();
  case OpInfo::Nearest:
    break;
  }
  return Mode::Nearest;
}

HostRounding::HostRounding(unsigned round) {
  if (round == Mode::Nearest) // As every thread that emulates has it (HostFloat).
    return;
  constexpr int host[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  saved_ = std::fegetround();
  std::fesetround(host[round]);
}

HostRounding::~HostRounding() {
  if (saved_ >= 0)
    std::fesetround(saved_);
}

} // namespace rdna::emu
