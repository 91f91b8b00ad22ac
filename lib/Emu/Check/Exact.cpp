//===- Exact.cpp - operations whose undefined bits are followed one by one ---===//
#include "Emu/Check/Exact.h"

#include "Emu/Check/Uninit.h"

#include <algorithm>

namespace rdna::emu {
namespace {

Bits shiftLeft(Bits a, Bits n) {
  if (n.undefined & 31)
    return {0, ~0u};
  return {a.value << (n.value & 31), a.undefined << (n.value & 31)};
}
Bits shiftRight(Bits a, Bits n) {
  if (n.undefined & 31)
    return {0, ~0u};
  return {a.value >> (n.value & 31), a.undefined >> (n.value & 31)};
}
Bits select(Bits mask, Bits a, Bits b) { return (mask & a) | (~mask & b); }
Bits extract(Bits a, Bits offset, Bits width) {
  if ((offset.undefined | width.undefined) & 31)
    return {0, ~0u};
  const uint32_t mask = (1u << (width.value & 31)) - 1;
  return {a.value >> (offset.value & 31) & mask, a.undefined >> (offset.value & 31) & mask};
}
/// V_PERM_B32: each byte of the selector picks one of {S0, S1}, or a constant.
Bits permute(Bits a, Bits b, Bits selector) {
  Bits r;
  const uint64_t undefined = a.undefined << 32 | b.undefined;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned pick = selector.value >> 8 * k & 0xff;
    uint32_t byte = 0;
    if (selector.undefined >> 8 * k & 0xff)
      byte = 0xff;
    else if (pick < 8)
      byte = uint32_t(undefined >> 8 * pick) & 0xff;
    else if (pick < 12) // The sign of a half.
      byte = undefined >> (16 * (pick - 8) + 15) & 1 ? 0xff : 0;
    r.undefined |= uint64_t(byte) << 8 * k;
  }
  return r;
}

} // namespace

std::optional<uint32_t> constantOf(const Wave &w, const WaveShadow &shadow, const Source &s) {
  if (s.kind == SourceKind::Constant)
    return uint32_t(s.constant);
  if (s.kind == SourceKind::Scalar && s.index < 256 && s.index != regScc &&
      shadow.scalar(256 + s.index) == 0)
    return w.s[s.index];
  return std::nullopt;
}

uint32_t exactly(const LaneReader &read, Op op, unsigned l) {
  switch (op) {
  case Op::v_mov_b32:
    return uint32_t(read(0, l).undefined);
  case Op::v_not_b32:
    return uint32_t(read(0, l).undefined);
  case Op::v_and_b32:
    return uint32_t((read(0, l) & read(1, l)).undefined);
  case Op::v_or_b32:
    return uint32_t((read(0, l) | read(1, l)).undefined);
  case Op::v_xor_b32:
  case Op::v_xnor_b32:
    return uint32_t((read(0, l) ^ read(1, l)).undefined);
  case Op::v_and_or_b32:
    return uint32_t(((read(0, l) & read(1, l)) | read(2, l)).undefined);
  case Op::v_or3_b32:
    return uint32_t(((read(0, l) | read(1, l)) | read(2, l)).undefined);
  case Op::v_lshlrev_b32:
    return uint32_t(shiftLeft(read(1, l), read(0, l)).undefined);
  case Op::v_lshrrev_b32:
    return uint32_t(shiftRight(read(1, l), read(0, l)).undefined);
  case Op::v_lshl_or_b32:
    return uint32_t((shiftLeft(read(0, l), read(1, l)) | read(2, l)).undefined);
  case Op::v_bfi_b32:
    return uint32_t(select(read(0, l), read(1, l), read(2, l)).undefined);
  case Op::v_bfe_u32:
    return uint32_t(extract(read(0, l), read(1, l), read(2, l)).undefined);
  case Op::v_perm_b32:
    return uint32_t(permute(read(0, l), read(1, l), read(2, l)).undefined);
  default:
    return ~0u;
  }
}

bool isExact(Op op) {
  switch (op) {
  case Op::v_mov_b32:
  case Op::v_not_b32:
  case Op::v_and_b32:
  case Op::v_or_b32:
  case Op::v_xor_b32:
  case Op::v_xnor_b32:
  case Op::v_and_or_b32:
  case Op::v_or3_b32:
  case Op::v_bfi_b32:
  case Op::v_bfe_u32:
  case Op::v_lshlrev_b32:
  case Op::v_lshrrev_b32:
  case Op::v_lshl_or_b32:
  case Op::v_perm_b32:
    return true;
  default:
    return false;
  }
}

/// Operations on 64 bits whose low dword does not depend on the high ones. Compilers leave those
/// undefined: V_MAD_U64_U32 is their multiply-add for 32 bits. False for other operations.
bool UninitCheck::stepWide(Wave &w, const Inst &op) {
  WaveShadow &shadow = waves_[w.number];
  const Op kind = op.op->op;
  const bool mad = kind == Op::v_mad_u64_u32 || kind == Op::v_mad_i64_i32;
  const bool left = kind == Op::v_lshlrev_b64;
  const bool right = kind == Op::v_lshrrev_b64 || kind == Op::v_ashrrev_i64;
  const auto amount = left || right ? constantOf(w, shadow, op.src[0]) : std::nullopt;
  if (op.dppKind != DppKind::None || op.dst > 254 || (!mad && !amount))
    return false;
  // The wide source: the addend of MAD, what is shifted of the others.
  Source low = op.src[mad ? 2 : 1], high = low;
  high.index = uint16_t(low.index + 1);
  high.constant = low.constant >> 32;
  Inst parts = op;
  parts.src[2] = low;
  parts.src[1] = mad ? op.src[1] : high;
  const LaneReader read{w, shadow, parts};
  Inst upper = op;
  upper.src[2] = high;
  const LaneReader readHigh{w, shadow, upper};
  const uint32_t origin = low.kind == SourceKind::Vgpr && low.index < 255
                              ? shadow.origin(shadow.clean(low.index) ? low.index + 1u : low.index)
                              : WaveShadow::neverWritten;
  uint32_t carry = 0;
  for (unsigned l = 0; l < laneCount; ++l) {
    if (!(w.exec() >> l & 1))
      continue;
    uint64_t undefined = read(2, l).undefined | readHigh(2, l).undefined << 32;
    if (mad) {
      const bool factors =
          read(0, l).undefined || op.src[1].kind == SourceKind::None || read(1, l).undefined;
      const bool first = factors || uint32_t(undefined);
      carry |= undefined || first ? 1u << l : 0;
      undefined = (first ? 0xffffffffu : 0) | (first || undefined ? 0xffffffff00000000u : 0);
    } else {
      const unsigned n = *amount & 63;
      const bool sign = kind == Op::v_ashrrev_i64 && undefined >> 63;
      undefined = left ? undefined << n : undefined >> n;
      if (sign && n)
        undefined |= ~uint64_t(0) << (64 - n);
    }
    shadow.setLane(op.dst, l, 15, gather(uint32_t(undefined)), origin);
    shadow.setLane(op.dst + 1u, l, 15, gather(uint32_t(undefined >> 32)), origin);
  }
  for (unsigned n : {op.dst + 0u, op.dst + 1u})
    if (!shadow.clean(n))
      shadow.settle(n);
  if (mad && op.maskDst < 107)
    shadow.setScalar(256 + op.maskDst, carry, origin);
  return true;
}

} // namespace rdna::emu
