//===- Fields.cpp - from an encoding to micro-operations (ISA chapter 15) ---===//
#include "Emu/Handlers.h"
#include "Emu/Sources.h"
#include "Isa/OpTraits.h"

namespace rdna::emu {
namespace {

bool scalar(const Encoding &e, Inst &i) {
  const OpInfo &op = *i.op;
  const Format format = i.opcode->format;
  i.imm = int16_t(e.word[0]);
  i.literal = e.word[1];
  if (format == Format::Sopp)
    return true;
  unsigned sdst = e.bits(16, 22);
  i.dst = scalarDestination(sdst);
  if (format == Format::Sopk) {
    bool isUnsigned = opTraits(op.op).shortImmediate == ShortImmediate::Unsigned;
    unsigned next = 0;
    if (op.src[1] != LaneType::None) // Compares and arithmetic read SDST first.
      setSource(i.src[next++], sdst, LaneType::U32, 0);
    i.src[next].kind = SourceKind::Constant;
    i.src[next].constant = isUnsigned ? uint16_t(i.imm) : uint64_t(int64_t(i.imm));
    if (op.op == Op::s_setreg_b32)
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

void ds(const Encoding &e, Inst &i) {
  i.imm = int32_t(e.bits(0, 15));
  i.addr = uint16_t(e.bits(32, 39));
  i.data = uint16_t(e.bits(40, 47));
  i.data2 = uint16_t(e.bits(48, 55));
  i.dst = uint16_t(e.bits(56, 63));
  bool global = e.bits(17, 17), alwaysGlobal = i.op->isAtomic;
  if (global && !alwaysGlobal)
    i.run = handlers().gdsAccess;
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

/// MUBUF and MTBUF.
bool buffer(const Encoding &e, Inst &i) {
  i.imm = int32_t(e.bits(0, 11));
  i.returns = e.bits(14, 14);
  if (i.opcode->format == Format::Mtbuf)
    i.format = uint8_t(e.bits(19, 25));
  i.addr = uint16_t(e.bits(32, 39));
  i.data = uint16_t(e.bits(40, 47));
  i.resource = uint16_t(e.bits(48, 52) * 4);
  i.bufferFlags = uint8_t(e.bits(54, 55) | e.bits(53, 53) * bufferTfe);
  if (i.op->shape != Shape::Buffer) // Cache invalidation has no operands.
    return true;
  Source offset;
  unsigned enc = e.bits(56, 63);
  if (enc == encLiteral || !setSource(offset, enc, LaneType::U32, 0))
    return false;
  i.hasBase = offset.kind == SourceKind::Scalar;
  i.base = offset.index;
  i.literal = uint32_t(offset.constant);
  bool results = !i.op->isAtomic || i.returns;
  for (const Operand &o : i.opcode->operands)
    if (o.direction == Direction::Out && results && (i.bufferFlags & bufferTfe)) {
      i.run = handlers().loadWithStatus;
      i.data2 = uint16_t(i.data + (o.bits + 31) / 32);
    }
  return true;
}

} // namespace

bool directTarget(const Encoding &e, uint32_t &imageOffset) {
  uint32_t w = e.word[0];
  unsigned op = w >> 16 & 0x7f;
  // Not the branches on debug conditions: these are never true here.
  bool sopp = formatOf(w) == Format::Sopp && op >= 32 && op <= 38;
  unsigned opK = w >> 23 & 0x1f;
  bool sopk = formatOf(w) == Format::Sopk && (opK == 20 || opK == 22 || opK == 23);
  imageOffset = e.offset + 4 + uint32_t(int32_t(int16_t(w)) * 4);
  return sopp || sopk;
}

void translate(const Encoding &e, const Opcode &opcode, std::vector<Inst> &out) {
  const OpInfo *op = handlerOf(opcode);
  bool good = op != nullptr;
  Inst i;
  if (good)
    i = started(e, opcode, *op);
  size_t begin = out.size();
  if (good)
    switch (opcode.format) {
    case Format::Vop1:
    case Format::Vop2:
    case Format::Vopc:
      good = vectorShort(e, i);
      break;
    case Format::Vop3:
    case Format::Vop3sd:
      good = vectorLong(e, i, out);
      break;
    case Format::Vop3p:
      good = vectorPacked(e, i);
      break;
    case Format::Vopd:
      if (vectorDual(e, out))
        return;
      good = false;
      break;
    case Format::Sop1:
    case Format::Sop2:
    case Format::Sopc:
    case Format::Sopk:
    case Format::Sopp:
      good = scalar(e, i);
      break;
    case Format::Smem:
      smem(e, i);
      break;
    case Format::Ds:
      ds(e, i);
      break;
    case Format::Flat:
    case Format::Global:
    case Format::Scratch:
      flat(e, i);
      break;
    case Format::Mubuf:
    case Format::Mtbuf:
      good = buffer(e, i);
      break;
    case Format::LdsDir:
      i.dst = uint16_t(e.bits(0, 7));
      break;
    default:
      good = false;
    }
  if (!good) {
    out.resize(begin);
    i = stopping(e, stopUnimplemented);
    i.opcode = &opcode;
  }
  out.push_back(i);
}

} // namespace rdna::emu
