//===- Sources.cpp - source fields, constants, literals -------------------===//
#include "Emu/Sources.h"
#include "Emu/Access.h"
#include "Emu/Half.h"

#include <bit>

namespace rdna::emu {
namespace {

/// 0.5 -0.5 1 -1 2 -2 4 -4 1/(2*pi), in the operand's format.
uint64_t floatConstant(unsigned enc, LaneType type) {
  static constexpr float values[] = {0.5f, -0.5f, 1, -1, 2, -2, 4, -4};
  bool inverse2Pi = enc == 248;
  float f = inverse2Pi ? 0 : values[enc - 240];
  if (type == LaneType::BF16 || type == LaneType::PackedBF16)
    return inverse2Pi ? 0x3e22 : std::bit_cast<uint32_t>(f) >> 16;
  if (isHalf(type) || type == LaneType::PackedF16)
    return inverse2Pi ? 0x3118 : floatToHalf(f).bits;
  if (isWide(type))
    return inverse2Pi ? 0x3fc45f306dc9c882u : std::bit_cast<uint64_t>(double(f));
  return inverse2Pi ? 0x3e22f983u : std::bit_cast<uint32_t>(f);
}

uint64_t literalConstant(uint32_t literal, LaneType type) {
  if (type == LaneType::F64)
    return uint64_t(literal) << 32;
  if (type == LaneType::I64)
    return uint64_t(int64_t(int32_t(literal)));
  return literal;
}

} // namespace

bool setSource(Source &s, unsigned enc, LaneType type, uint32_t literal) {
  s.kind = SourceKind::Constant;
  if (enc >= 256) {
    s.kind = SourceKind::Vgpr;
    s.index = uint16_t(enc - 256);
    s.row = vgprRow(s.index);
  } else if (enc == regNull) {
    s.constant = 0; // Not the register pair: that would take M0 as the high half.
  } else if (enc < 128 || enc == regScc) {
    s.kind = SourceKind::Scalar;
    s.index = uint16_t(enc);
  } else if (enc <= 192) {
    s.constant = enc - 128;
  } else if (enc <= 208) {
    s.constant = uint64_t(int64_t(192) - int64_t(enc));
  } else if (enc >= 235 && enc <= 238) {
    // SHARED_BASE, SHARED_LIMIT, PRIVATE_BASE, PRIVATE_LIMIT. Compilers only read them as 64 bits;
    // that a 32-bit operand gets the low half is a guess.
    constexpr uint64_t window = 0xffffffffu;
    constexpr uint64_t values[] = {sharedAperture, sharedAperture + window, privateAperture,
                                   privateAperture + window};
    s.constant = values[enc - 235];
  } else if (enc >= 240 && enc <= 248) {
    s.constant = floatConstant(enc, type);
  } else if (enc == encLiteral) {
    s.constant = literalConstant(literal, type);
  } else {
    return false;
  }
  return true;
}

uint16_t scalarDestination(unsigned enc) {
  return enc == regNull ? uint16_t(regDump) : uint16_t(enc);
}

Inst stopping(const Encoding &e, Handler why) {
  Inst i;
  i.run = why;
  i.offset = e.offset;
  i.bytes = uint8_t(e.bytes);
  return i;
}

Inst started(const Encoding &e, const Opcode &opcode, const OpInfo &op) {
  Inst i;
  i.opcode = &opcode;
  i.run = op.run;
  i.op = &op;
  i.offset = e.offset;
  i.bytes = uint8_t(e.bytes);
  return i;
}

void finishVector(Inst &i) {
  const OpInfo &op = *i.op;
  i.simple = i.dppKind == DppKind::None && !i.clamp && !i.omod && !i.dstHigh;
  for (unsigned k = 0; k < i.sourceCount; ++k) {
    Source &s = i.src[k];
    uint8_t identity = isPacked(op.src[k]) ? uint8_t(modHighHigh) : uint8_t(0);
    i.simple &= s.modifiers == identity;
    if (s.kind == SourceKind::Vgpr || s.kind == SourceKind::None)
      continue;
    i.scalars |= uint8_t(1u << k);
    s.row = preparedRow(k);
  }
  i.dstRow = vgprRow(i.dst);
}

Inst addedMove(const Encoding &e, Format format) {
  static const Opcode *const vector = findOpcode(Format::Vop1, Op::v_mov_b32);
  static const Opcode *const scalar = findOpcode(Format::Sop1, Op::s_mov_b32);
  const Opcode *opcode = format == Format::Vop1 ? vector : scalar;
  Inst i = started(e, *opcode, *handlerOf(*opcode));
  i.count = 0;
  i.sourceCount = 1;
  return i;
}

unsigned sourceCount(const Opcode &opcode, const OpInfo &op) {
  unsigned fields = 0, typed = 0;
  for (Field f : {Field::Src0, Field::Src1, Field::Src2})
    fields += opcode.operand(f) != nullptr;
  while (typed < 3 && op.src[typed] != LaneType::None)
    ++typed;
  // Rows of lane exchanges type all three slots, whatever the instruction has.
  bool untyped = op.shape == Shape::Raw || op.shape == Shape::LaneScalar;
  return untyped ? fields : typed;
}

} // namespace rdna::emu
