//===- Fields.cpp - operand fields of the encodings (ISA chapter 15) ------===//
#include "Emu/Fields.h"
#include "Emu/Access.h"
#include "Emu/Half.h"

#include <bit>

namespace rdna::emu {
namespace {

constexpr unsigned encLiteral = 255, encDpp16 = 250, encDpp8 = 233, encDpp8FetchInactive = 234;

enum class Format {
  Vop1,
  Vop2,
  Vopc,
  Vop3,
  Vop3p,
  Vopd,
  Sop1,
  Sop2,
  Sopc,
  Sopk,
  Sopp,
  Smem,
  Ds,
  Flat,
  Mubuf,
  Other
};

Format formatOf(uint32_t w) {
  if (!(w >> 31))
    return w >> 25 == 0b0111110 ? Format::Vopc : w >> 25 == 0b0111111 ? Format::Vop1 : Format::Vop2;
  if (w >> 30 == 0b10) {
    switch (w >> 23) {
    case 0b101111101:
      return Format::Sop1;
    case 0b101111110:
      return Format::Sopc;
    case 0b101111111:
      return Format::Sopp;
    default:
      return w >> 28 == 0b1011 ? Format::Sopk : Format::Sop2;
    }
  }
  if (w >> 24 == 0b11001100)
    return Format::Vop3p;
  switch (w >> 26) {
  case 0b110101:
    return Format::Vop3;
  case 0b110010:
    return Format::Vopd;
  case 0b111101:
    return Format::Smem;
  case 0b110110:
    return Format::Ds;
  case 0b110111:
    return Format::Flat;
  case 0b111000:
    return Format::Mubuf;
  default:
    return Format::Other;
  }
}

bool isPacked(LaneType t) { return t == LaneType::PackedF16 || t == LaneType::PackedI16; }

int64_t signExtend(uint32_t x, unsigned width) {
  return int64_t(uint64_t(x) << (64 - width)) >> (64 - width);
}

/// 0.5 -0.5 1 -1 2 -2 4 -4 1/(2*pi), in the operand's format.
uint64_t floatConstant(unsigned enc, LaneType type) {
  static constexpr float values[] = {0.5f, -0.5f, 1, -1, 2, -2, 4, -4};
  bool inverse2Pi = enc == 248;
  float f = inverse2Pi ? 0 : values[enc - 240];
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

/// Decodes a source field; false if the encoding has no meaning here.
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

unsigned operandCount(const OpInfo &op) {
  unsigned n = 0;
  while (n < 3 && op.src[n] != LaneType::None)
    ++n;
  return n;
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

Inst started(const Encoding &e, const OpInfo &op) {
  Inst i;
  i.run = op.run;
  i.op = &op;
  i.offset = e.offset;
  i.bytes = uint8_t(e.bytes);
  return i;
}

/// Broadcast rows, and whether the fast path will do.
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

/// A VGPR number whose bit 7 selects the high half (16-bit operands of the 32-bit encodings).
unsigned lowVgpr(unsigned enc, LaneType type, uint8_t &modifiers) {
  if (!isHalf(type) || !(enc & 0x80))
    return enc;
  modifiers |= modHigh;
  return enc & 0x7f;
}

void takeDpp(Inst &i, unsigned src0, uint32_t dword, bool modifiersInDword) {
  i.dpp = dword;
  i.dppKind = src0 == encDpp16  ? DppKind::Dpp16
              : src0 == encDpp8 ? DppKind::Dpp8
                                : DppKind::Dpp8FetchInactive;
  if (i.dppKind != DppKind::Dpp16 || !modifiersInDword)
    return;
  i.src[0].modifiers |= uint8_t((dword >> 20 & 1 ? modNeg : 0) | (dword >> 21 & 1 ? modAbs : 0));
  i.src[1].modifiers |= uint8_t((dword >> 22 & 1 ? modNeg : 0) | (dword >> 23 & 1 ? modAbs : 0));
}

bool isDpp(unsigned src0) {
  return src0 == encDpp16 || src0 == encDpp8 || src0 == encDpp8FetchInactive;
}

/// VOP1, VOP2, VOPC.
bool vectorShort(const Encoding &e, Format format, Inst &i) {
  const OpInfo &op = *i.op;
  unsigned src0 = e.bits(0, 8), vsrc1 = e.bits(9, 16), vdst = e.bits(17, 24);
  uint32_t literal = e.word[1];
  LaneType type0 = op.src[0], type1 = op.src[1], type2 = op.src[2];
  i.sourceCount = uint8_t(operandCount(op));
  if (isDpp(src0)) {
    takeDpp(i, src0, e.word[1], true);
    src0 = 256 + (e.word[1] & 0xff);
  }
  if (src0 >= 256)
    src0 = 256 + lowVgpr(src0 - 256, type0, i.src[0].modifiers);
  if (type0 != LaneType::None && !setSource(i.src[0], src0, type0, literal))
    return false;
  if (format == Format::Vop1) {
    if (op.shape == Shape::LaneScalar) {
      i.dst = scalarDestination(vdst);
      return true;
    }
  } else if (op.shape == Shape::ValuMulK) {
    setSource(i.src[1], encLiteral, type1, literal);
    setSource(i.src[2], 256 + lowVgpr(vsrc1, type2, i.src[2].modifiers), type2, 0);
  } else {
    setSource(i.src[1], 256 + lowVgpr(vsrc1, type1, i.src[1].modifiers), type1, 0);
    if (op.shape == Shape::ValuAddK)
      setSource(i.src[2], encLiteral, type2, literal);
  }
  i.maskSrc = regVcc;
  i.maskDst = op.shape == Shape::ValuCmpx ? regExec : regVcc;
  if (format != Format::Vopc) {
    uint8_t high = 0;
    i.dst = uint16_t(lowVgpr(vdst, op.dst, high));
    i.dstHigh = high;
  }
  if (op.shape == Shape::ValuAcc || op.shape == Shape::PackedAcc) {
    setSource(i.src[2], 256u + i.dst, type2, 0);
    i.src[2].modifiers |= i.dstHigh ? modHigh : 0;
  }
  if (op.shape == Shape::PackedAcc) {
    for (Source &s : i.src) {
      s.modifiers |= modHighHigh;
      // LLVM's reading: an inline constant feeds both halves of V_PK_FMAC_F16.
      if (s.kind == SourceKind::Constant && !(s.constant >> 16))
        s.constant |= s.constant << 16;
    }
  }
  finishVector(i);
  return true;
}

/// A mask operand in a source field.
bool setMaskSource(Inst &i, unsigned enc) {
  if (enc < 128 || enc == regScc)
    i.maskSrc = uint16_t(enc);
  else if (enc == 128)
    i.maskSrc = regZeros;
  else if (enc == 193)
    i.maskSrc = regOnes;
  else
    return false;
  return true;
}

/// VOP3 and VOP3SD.
bool vectorLong(const Encoding &e, Inst &i) {
  const OpInfo &op = *i.op;
  unsigned enc[3] = {e.bits(32, 40), 0, 0};
  enc[1] = e.word[1] >> 9 & 0x1ff;
  enc[2] = e.word[1] >> 18 & 0x1ff;
  unsigned neg = e.word[1] >> 29, abs = e.bits(8, 10), opsel = e.bits(11, 14);
  bool carries = op.writesMask && op.dst != LaneType::None;
  if (carries)
    abs = opsel = 0; // VOP3SD has SDST in these bits.
  i.sourceCount = uint8_t(operandCount(op));
  i.clamp = e.bits(15, 15);
  i.omod = uint8_t(e.word[1] >> 27 & 3);
  if (isDpp(enc[0])) {
    takeDpp(i, enc[0], e.word[2], false);
    enc[0] = 256 + (e.word[2] & 0xff);
  }
  bool accumulates = op.shape == Shape::ValuAcc;
  for (unsigned k = 0; k < i.sourceCount; ++k) {
    bool high = (opsel >> k & 1) && (isHalf(op.src[k]) || op.shape == Shape::Raw);
    if (accumulates && k == 2) {
      setSource(i.src[2], 256 + e.bits(0, 7), op.src[2], 0);
      high = (opsel >> 3 & 1) && isHalf(op.src[2]);
    } else if (!setSource(i.src[k], enc[k], op.src[k], e.word[2])) {
      return false;
    }
    Source &s = i.src[k];
    s.modifiers |= uint8_t((neg >> k & 1 ? modNeg : 0) | (abs >> k & 1 ? modAbs : 0) |
                           (high ? modHigh : 0) | (isPacked(op.src[k]) ? modHighHigh : 0));
  }
  if (op.shape == Shape::LaneScalar) {
    i.dst = scalarDestination(e.bits(0, 7));
    return true;
  }
  i.dst = uint16_t(e.bits(0, 7));
  i.dstHigh = (opsel >> 3 & 1) && isHalf(op.dst);
  if (carries)
    i.maskDst = scalarDestination(e.bits(8, 14));
  else if (op.shape == Shape::ValuCmpx)
    i.maskDst = regExec;
  else if (op.writesMask)
    i.maskDst = scalarDestination(e.bits(0, 7));
  if (op.readsMask) {
    // The mask is the operand after the typed ones; DIV_FMAS has three and reads VCC.
    if (i.sourceCount == 3)
      i.maskSrc = regVcc;
    else if (!setMaskSource(i, enc[i.sourceCount]))
      return false;
  }
  finishVector(i);
  return true;
}

bool vectorPacked(const Encoding &e, Inst &i) {
  const OpInfo &op = *i.op;
  unsigned enc[3] = {e.bits(32, 40), e.word[1] >> 9 & 0x1ff, e.word[1] >> 18 & 0x1ff};
  unsigned neg = e.word[1] >> 29, negHigh = e.bits(8, 10), opsel = e.bits(11, 13);
  unsigned opselHigh = (e.word[1] >> 27 & 3) | e.bits(14, 14) << 2;
  i.sourceCount = uint8_t(operandCount(op));
  i.clamp = e.bits(15, 15);
  if (isDpp(enc[0])) {
    takeDpp(i, enc[0], e.word[2], false);
    enc[0] = 256 + (e.word[2] & 0xff);
  }
  for (unsigned k = 0; k < i.sourceCount; ++k) {
    LaneType type = op.src[k];
    if (!setSource(i.src[k], enc[k], type, e.word[2]))
      return false;
    uint8_t m = 0;
    bool n = neg >> k & 1, nh = negHigh >> k & 1, o = opsel >> k & 1, oh = opselHigh >> k & 1;
    if (isPacked(type) || type == LaneType::Mixed)
      m = uint8_t((n ? modNeg : 0) | (nh ? modNegHigh : 0) | (o ? modHigh : 0) |
                  (oh ? modHighHigh : 0));
    else if (type == LaneType::F32)
      m = uint8_t((n ? modNeg : 0) | (nh ? modAbs : 0));
    else
      m = n ? modSigned : 0;
    i.src[k].modifiers = m;
  }
  i.dst = uint16_t(e.bits(0, 7));
  i.dstHigh = op.name == "v_fma_mixhi_f16";
  finishVector(i);
  return true;
}

constexpr std::string_view vopdOps[32] = {
    "v_fmac_f32", "v_fmaak_f32",  "v_fmamk_f32",        "v_mul_f32",          "v_add_f32",
    "v_sub_f32",  "v_subrev_f32", "v_mul_dx9_zero_f32", "v_mov_b32",          "v_cndmask_b32",
    "v_max_f32",  "v_min_f32",    "v_dot2acc_f32_f16",  "v_dot2acc_f32_bf16", "",
    "",           "v_add_nc_u32", "v_lshlrev_b32",      "v_and_b32"};

bool vopdHalf(const Encoding &e, unsigned op, unsigned src0, unsigned vsrc1, unsigned vdst,
              Inst &i) {
  const OpInfo *info = op < 32 && !vopdOps[op].empty() ? findOp(vopdOps[op]) : nullptr;
  if (!info)
    return false;
  i = started(e, *info);
  i.dst = uint16_t(vdst);
  i.sourceCount = uint8_t(operandCount(*info));
  uint32_t literal = e.word[2];
  if (!setSource(i.src[0], src0, info->src[0], literal))
    return false;
  unsigned plain = 256 + vsrc1;
  if (info->shape == Shape::ValuMulK) {
    setSource(i.src[1], encLiteral, info->src[1], literal);
    setSource(i.src[2], plain, info->src[2], 0);
  } else if (i.sourceCount > 1) {
    setSource(i.src[1], plain, info->src[1], 0);
    if (info->shape == Shape::ValuAddK)
      setSource(i.src[2], encLiteral, info->src[2], literal);
    else if (info->shape == Shape::ValuAcc)
      setSource(i.src[2], 256 + vdst, info->src[2], 0);
  }
  for (unsigned k = 0; k < i.sourceCount; ++k)
    if (isPacked(info->src[k]))
      i.src[k].modifiers = modHighHigh;
  i.maskSrc = regVcc;
  finishVector(i);
  return true;
}

bool reads(const Inst &i, unsigned vgpr) {
  for (unsigned k = 0; k < i.sourceCount; ++k)
    if (i.src[k].kind == SourceKind::Vgpr && i.src[k].index == vgpr)
      return true;
  return false;
}

/// Both halves read all sources before either writes (ISA 7.6). In sequence that is right if the
/// second does not read what the first has written: the halves change places, or the first result
/// waits in a row of its own.
void vopd(const Encoding &e, std::vector<Inst> &out) {
  Inst x, y;
  unsigned dstX = e.bits(56, 63), dstY = e.bits(49, 55) << 1 | (~dstX & 1);
  if (!vopdHalf(e, e.bits(22, 25), e.bits(0, 8), e.bits(9, 16), dstX, x) ||
      !vopdHalf(e, e.bits(17, 21), e.bits(32, 40), e.bits(41, 48), dstY, y)) {
    out.push_back(stopping(e, stopUnimplemented));
    return;
  }
  bool yReadsX = reads(y, dstX), xReadsY = reads(x, dstY);
  y.count = 0;
  if (!yReadsX && x.op->name == "v_fmac_f32" && y.op->name == "v_fmac_f32" && !x.scalars &&
      !y.scalars)
    x.run = dualFmac;
  if (!yReadsX) {
    out.push_back(x);
    out.push_back(y);
  } else if (!xReadsY) {
    out.push_back(y);
    out.push_back(x);
  } else {
    constexpr unsigned spare = 256; // The first padding row.
    x.dst = spare;
    x.dstRow = vgprRow(spare);
    Inst move = started(e, *findOp("v_mov_b32"));
    move.sourceCount = 1;
    setSource(move.src[0], 256 + spare, LaneType::U32, 0);
    move.dst = uint16_t(dstX);
    move.count = 0;
    finishVector(move);
    out.push_back(x);
    out.push_back(y);
    out.push_back(move);
  }
}

bool scalar(const Encoding &e, Format format, Inst &i) {
  const OpInfo &op = *i.op;
  i.imm = int16_t(e.word[0]);
  i.literal = e.word[1];
  if (format == Format::Sopp)
    return true;
  unsigned sdst = e.bits(16, 22);
  i.dst = scalarDestination(sdst);
  if (format == Format::Sopk) {
    bool unsignedCompare = op.name.starts_with("s_cmpk") && op.name.ends_with("u32");
    unsigned next = 0;
    if (op.src[1] != LaneType::None) // Compares and arithmetic read SDST first.
      setSource(i.src[next++], sdst, LaneType::U32, 0);
    i.src[next].kind = SourceKind::Constant;
    i.src[next].constant = unsignedCompare ? uint16_t(i.imm) : uint64_t(int64_t(i.imm));
    if (op.name == "s_setreg_b32")
      i.dst = uint16_t(sdst);
    return true;
  }
  if (op.src[0] != LaneType::None && !setSource(i.src[0], e.bits(0, 7), op.src[0], e.word[1]))
    return false;
  if (format != Format::Sop1 && op.src[1] != LaneType::None &&
      !setSource(i.src[1], e.bits(8, 15), op.src[1], e.word[1]))
    return false;
  return true;
}

void smem(const Encoding &e, Inst &i) {
  i.resource = uint16_t(e.bits(0, 5) * 2);
  i.dst = scalarDestination(e.bits(6, 12));
  i.imm = int32_t(signExtend(e.word[1] & 0x1fffff, 21));
  i.base = uint16_t(e.word[1] >> 25 & 0x7f);
  i.hasBase = i.base != regNull;
}

bool ds(const Encoding &e, Inst &i) {
  i.imm = int32_t(e.bits(0, 15));
  i.addr = uint16_t(e.bits(32, 39));
  i.data = uint16_t(e.bits(40, 47));
  i.data2 = uint16_t(e.bits(48, 55));
  i.dst = uint16_t(e.bits(56, 63));
  return !e.bits(17, 17); // GDS
}

void flat(const Encoding &e, Inst &i) {
  i.segment = uint8_t(e.bits(16, 17));
  i.imm = i.segment == 0 ? int32_t(e.bits(0, 11)) : int32_t(signExtend(e.bits(0, 12), 13));
  i.returns = e.bits(14, 14);
  i.addr = uint16_t(e.bits(32, 39));
  i.data = uint16_t(e.bits(40, 47));
  i.base = uint16_t(e.bits(48, 54));
  i.hasBase = i.segment != 0 && i.base != regNull;
  i.hasAddr = i.segment != 1 || e.bits(55, 55);
  i.dst = uint16_t(e.bits(56, 63));
}

bool mubuf(const Encoding &e, Inst &i) {
  i.imm = int32_t(e.bits(0, 11));
  i.returns = e.bits(14, 14);
  i.addr = uint16_t(e.bits(32, 39));
  i.data = uint16_t(e.bits(40, 47));
  i.resource = uint16_t(e.bits(48, 52) * 4);
  i.bufferFlags = uint8_t(e.bits(54, 55));
  Source offset;
  if (e.bits(53, 53) || !setSource(offset, e.bits(56, 63), LaneType::U32, 0))
    return false; // TFE writes a status register: no compiler emits it for compute.
  i.hasBase = offset.kind == SourceKind::Scalar;
  i.base = offset.index;
  i.literal = uint32_t(offset.constant);
  return true;
}

} // namespace

bool directTarget(const Encoding &e, uint32_t &imageOffset) {
  uint32_t w = e.word[0];
  unsigned op = w >> 16 & 0x7f;
  bool sopp = formatOf(w) == Format::Sopp && op >= 32 && op <= 38;
  unsigned opK = w >> 23 & 0x1f;
  bool sopk = formatOf(w) == Format::Sopk && (opK == 20 || opK == 22 || opK == 23);
  imageOffset = e.offset + 4 + uint32_t(int32_t(int16_t(w)) * 4);
  return sopp || sopk;
}

void translate(const Encoding &e, std::string_view mnemonic, std::vector<Inst> &out) {
  Format format = formatOf(e.word[0]);
  if (format == Format::Vopd)
    return vopd(e, out);
  const OpInfo *op = findOp(mnemonic);
  if (!op) {
    out.push_back(stopping(e, stopUnimplemented));
    return;
  }
  Inst i = started(e, *op);
  bool good = true;
  switch (format) {
  case Format::Vop1:
  case Format::Vop2:
  case Format::Vopc:
    good = vectorShort(e, format, i);
    break;
  case Format::Vop3:
    good = vectorLong(e, i);
    break;
  case Format::Vop3p:
    good = vectorPacked(e, i);
    break;
  case Format::Sop1:
  case Format::Sop2:
  case Format::Sopc:
  case Format::Sopk:
  case Format::Sopp:
    good = scalar(e, format, i);
    break;
  case Format::Smem:
    smem(e, i);
    break;
  case Format::Ds:
    good = ds(e, i);
    break;
  case Format::Flat:
    flat(e, i);
    break;
  case Format::Mubuf:
    good = mubuf(e, i);
    break;
  default:
    good = false;
  }
  out.push_back(good ? i : stopping(e, stopUnimplemented));
}

} // namespace rdna::emu
