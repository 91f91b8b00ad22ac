//===- FieldsDual.cpp - VOPD ----------------------------------------------===//
#include "Emu/Handlers.h"
#include "Emu/Sources.h"

namespace rdna::emu {
namespace {

struct DualHalf {
  const Opcode *opcode;
  unsigned src0, vsrc1, vdst;
};

bool decodeHalf(const Encoding &e, const DualHalf &half, Inst &i) {
  const OpInfo *info = handlerOf(*half.opcode);
  if (!info)
    return false;
  i = started(e, *half.opcode, *info);
  i.dst = uint16_t(half.vdst);
  i.sourceCount = uint8_t(sourceCount(*half.opcode, *info));
  uint32_t literal = e.word[2];
  if (!setSource(i.src[0], half.src0, info->src[0], literal))
    return false;
  unsigned plain = 256 + half.vsrc1;
  if (info->shape == Shape::ValuMulK) {
    setSource(i.src[1], encLiteral, info->src[1], literal);
    setSource(i.src[2], plain, info->src[2], 0);
  } else if (i.sourceCount > 1) {
    setSource(i.src[1], plain, info->src[1], 0);
    if (info->shape == Shape::ValuAddK)
      setSource(i.src[2], encLiteral, info->src[2], literal);
    else if (info->shape == Shape::ValuAcc)
      setSource(i.src[2], 256 + half.vdst, info->src[2], 0);
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

bool isPlainFmac(const Inst &i) { return i.op->op == Op::v_fmac_f32 && !i.scalars; }

} // namespace

/// Both halves read all sources before either writes (ISA 7.6), also in the pairs that assemblers
/// refuse. In sequence that is right if the second does not read what the first has written: the
/// halves change places, or the first result waits in a row of its own.
bool vectorDual(const Encoding &e, std::vector<Inst> &out) {
  unsigned dstX = e.bits(56, 63), dstY = e.bits(49, 55) << 1 | (~dstX & 1);
  Inst x, y;
  if (!decodeHalf(e, {findOpcode(e), e.bits(0, 8), e.bits(9, 16), dstX}, x) ||
      !decodeHalf(e, {findDualY(e), e.bits(32, 40), e.bits(41, 48), dstY}, y))
    return false;
  bool yReadsX = reads(y, dstX), xReadsY = reads(x, dstY);
  if (!yReadsX && isPlainFmac(x) && isPlainFmac(y))
    x.run = handlers().dualFmac;
  if (!yReadsX) {
    y.count = 0;
    out.push_back(x);
    out.push_back(y);
  } else if (!xReadsY) {
    x.count = 0;
    out.push_back(y);
    out.push_back(x);
  } else {
    constexpr unsigned spare = 256; // The first padding row.
    x.dst = spare;
    x.dstRow = vgprRow(spare);
    Inst move = addedMove(e, Format::Vop1);
    setSource(move.src[0], 256 + spare, LaneType::U32, 0);
    move.dst = uint16_t(dstX);
    y.count = 0;
    finishVector(move);
    out.push_back(x);
    out.push_back(y);
    out.push_back(move);
  }
  return true;
}

} // namespace rdna::emu
