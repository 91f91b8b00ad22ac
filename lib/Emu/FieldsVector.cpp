//===- FieldsVector.cpp - VOP1, VOP2, VOPC, VOP3, VOP3SD, VOP3P -----------===//
#include "Emu/Sources.h"

#include <utility>

namespace rdna::emu {
namespace {

/// A VGPR number whose bit 7 selects the high half (16-bit operands of the 32-bit encodings).
unsigned lowVgpr(unsigned enc, LaneType type, uint8_t &modifiers) {
  if (!isHalf(type) || !(enc & 0x80))
    return enc;
  modifiers |= modHigh;
  return enc & 0x7f;
}

bool takesDpp(const Inst &i, unsigned src0) {
  return i.opcode->extension == Extension::Dpp && isDpp(src0);
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

/// A mask operand in a source field. Constants other than none and all go through a slot, which an
/// operation of its own fills.
bool setMaskSource(const Encoding &e, unsigned enc, Inst &i, std::vector<Inst> &out) {
  Source s;
  if (enc >= 256 || !setSource(s, enc, LaneType::U32, e.word[2]))
    return false;
  if (s.kind == SourceKind::Scalar) {
    i.maskSrc = s.index;
    return true;
  }
  auto mask = uint32_t(s.constant);
  i.maskSrc = mask == 0 ? regZeros : mask == fullExec ? regOnes : regMask;
  if (i.maskSrc != regMask)
    return true;
  Inst fill = addedMove(e, Format::Sop1);
  fill.src[0] = s;
  fill.dst = regMask;
  std::swap(fill.count, i.count); // The first operation of an instruction counts.
  out.push_back(fill);
  return true;
}

} // namespace

bool vectorShort(const Encoding &e, Inst &i) {
  const OpInfo &op = *i.op;
  const Format format = i.opcode->format;
  unsigned src0 = e.bits(0, 8), vsrc1 = e.bits(9, 16), vdst = e.bits(17, 24);
  uint32_t literal = e.word[1];
  LaneType type0 = op.src[0], type1 = op.src[1], type2 = op.src[2];
  i.sourceCount = uint8_t(sourceCount(*i.opcode, op));
  if (takesDpp(i, src0)) {
    takeDpp(i, src0, e.word[1], true);
    src0 = 256 + (e.word[1] & 0xff);
  }
  if (src0 >= 256)
    src0 = 256 + lowVgpr(src0 - 256, type0, i.src[0].modifiers);
  if (i.sourceCount > 0 && !setSource(i.src[0], src0, type0, literal))
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
  for (unsigned k = 0; k < 3; ++k)
    i.src[k].modifiers |= isPacked(op.src[k]) ? modHighHigh : 0;
  if (op.shape == Shape::PackedAcc) {
    for (Source &s : i.src) {
      // LLVM's reading: an inline constant feeds both halves of V_PK_FMAC_F16.
      if (s.kind == SourceKind::Constant && !(s.constant >> 16))
        s.constant |= s.constant << 16;
    }
  }
  finishVector(i);
  return true;
}

bool vectorLong(const Encoding &e, Inst &i, std::vector<Inst> &out) {
  const OpInfo &op = *i.op;
  unsigned enc[3] = {e.bits(32, 40), 0, 0};
  enc[1] = e.word[1] >> 9 & 0x1ff;
  enc[2] = e.word[1] >> 18 & 0x1ff;
  unsigned neg = e.word[1] >> 29, abs = e.bits(8, 10), opsel = e.bits(11, 14);
  bool carries = i.opcode->format == Format::Vop3sd;
  if (carries)
    abs = opsel = 0; // VOP3SD has SDST in these bits.
  i.sourceCount = uint8_t(sourceCount(*i.opcode, op));
  i.clamp = e.bits(15, 15);
  i.omod = uint8_t(e.word[1] >> 27 & 3);
  if (takesDpp(i, enc[0])) {
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
    else if (!setMaskSource(e, enc[i.sourceCount], i, out))
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
  i.sourceCount = uint8_t(sourceCount(*i.opcode, op));
  i.clamp = e.bits(15, 15);
  if (takesDpp(i, enc[0])) {
    takeDpp(i, enc[0], e.word[2], false);
    enc[0] = 256 + (e.word[2] & 0xff);
  }
  for (unsigned k = 0; k < i.sourceCount; ++k) {
    LaneType type = op.src[k];
    if (!setSource(i.src[k], enc[k], type, e.word[2]))
      return false;
    uint8_t m = 0;
    const bool isMatrix = op.shape == Shape::Matrix;
    if (isMatrix && k < 2 && i.src[k].kind != SourceKind::Vgpr)
      return false;
    bool n = neg >> k & 1, nh = negHigh >> k & 1, o = opsel >> k & 1, oh = opselHigh >> k & 1;
    if (isPacked(type) || type == LaneType::Mixed)
      m = uint8_t((n ? modNeg : 0) | (nh ? modNegHigh : 0) | (o ? modHigh : 0) |
                  (oh ? modHighHigh : 0));
    else if (isMatrix && k == 2) // C; of integers, NEG and ABS mean nothing.
      m = uint8_t((n ? modNeg : 0) | (nh ? modAbs : 0) | (o ? modHigh : 0));
    else if (type == LaneType::F32)
      m = n ? modNeg : 0; // NEG_HI means nothing here: LLVM sets both bits for -c of a dot product.
    else
      m = n ? modSigned : 0;
    i.src[k].modifiers = m;
  }
  i.dst = uint16_t(e.bits(0, 7));
  i.dstHigh = op.op == Op::v_fma_mixhi_f16;
  finishVector(i);
  return true;
}

} // namespace rdna::emu
