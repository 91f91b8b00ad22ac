//===- Registers.cpp - what an operation reads and writes -----------------===//
#include "Emu/Inst.h"
#include "Emu/Opcodes.h"
#include "Emu/Sources.h"
#include "Isa/OpTraits.h"

#include <optional>

namespace rdna::emu {
namespace {

using File = RegisterUse::File;
using LanesUsed = RegisterUse::Lanes;

bool isVector(Format f) {
  return f == Format::Vop1 || f == Format::Vop2 || f == Format::Vopc || f == Format::Vop3 ||
         f == Format::Vop3sd || f == Format::Vop3p || f == Format::Vopd;
}
bool isBuffer(Format f) { return f == Format::Mubuf || f == Format::Mtbuf; }

/// Bytes of a dword that an operand of `bits` bits covers.
uint8_t byteMask(unsigned bits, Part part) {
  unsigned mask = bits >= 32 ? 15 : bits > 8 ? 3 : 1;
  return uint8_t(part == Part::High ? mask << 2 : mask);
}

RegisterUse scalarUse(unsigned first, unsigned bits) {
  RegisterUse u;
  u.file = File::Scalar;
  u.first = uint16_t(first);
  u.dwords = uint16_t((bits + 31) / 32);
  return u;
}
RegisterUse vectorUse(unsigned first, const Operand &o) {
  RegisterUse u;
  u.first = uint16_t(first);
  u.dwords = uint16_t((o.bits + 31) / 32);
  u.bytes = o.bits < 32 ? byteMask(o.bits, o.part) : 15;
  return u;
}

/// M0-relative register numbers: V_MOVREL*, V_SWAPREL, S_MOVREL* (ISA 3.3).
struct Relative {
  unsigned source = 0, destination = 0;
};
Relative relative(const Opcode &op, uint32_t m0) {
  switch (op.op) {
  case Op::s_movrelsd_2_b32:
  case Op::v_movrelsd_2_b32:
  case Op::v_swaprel_b32:
    return {m0 & 0x3ff, m0 >> 16 & 0x3ff};
  case Op::s_movrels_b32:
  case Op::s_movrels_b64:
  case Op::v_movrels_b32:
    return {m0, 0};
  case Op::s_movreld_b32:
  case Op::s_movreld_b64:
  case Op::v_movreld_b32:
    return {0, m0};
  case Op::v_movrelsd_b32:
    return {m0, m0};
  default:
    return {};
  }
}

/// Which bytes of a VALU source's dword are looked at.
uint8_t sourceBytes(const Source &s, LaneType type, unsigned bits) {
  bool high = s.modifiers & modHigh, second = s.modifiers & modHighHigh;
  if (isHalf(type))
    return high ? 12 : 3;
  if (isPacked(type))
    return uint8_t((high ? 12 : 3) | (second ? 12 : 3));
  if (type == LaneType::Mixed)
    return second ? (high ? 12 : 3) : 15;
  return byteMask(bits, Part::Low);
}

std::optional<RegisterUse> vectorSource(const Inst &i, const Operand &o, unsigned number,
                                        const Relative &relative) {
  // FMAMK: the literal is the middle factor, VSRC1 the addend.
  unsigned k = number == 1 && i.op->shape == Shape::ValuMulK ? 2 : number;
  if (k >= i.sourceCount) // A mask.
    return scalarUse(i.maskSrc, 32);
  const Source &s = i.src[k];
  if (s.kind == SourceKind::Scalar)
    return scalarUse(s.index, o.bits);
  if (s.kind != SourceKind::Vgpr)
    return std::nullopt;
  const uint32_t index = s.index + (k == 0 ? relative.source : 0);
  RegisterUse u = vectorUse(relative.source && index > 255 ? 0 : index, o);
  if (o.bits <= 32)
    u.bytes = sourceBytes(s, i.op->src[k], o.bits);
  bool isMatrix = i.op->shape == Shape::Matrix;
  if (isMatrix)
    u.lanes = LanesUsed::Other;
  bool crosses = i.op->shape == Shape::LaneScalar || opTraits(i.opcode->op).is(OpFlag::Permlane);
  if (k == 0 && (i.dppKind != DppKind::None || crosses))
    u.lanes = LanesUsed::Other;
  return u;
}

/// Registers of the fields that only vector instructions have.
std::optional<RegisterUse> locateVector(const Inst &i, const Operand &o, const Relative &relative) {
  switch (o.field) {
  case Field::Vdst: {
    const uint32_t index = i.dst + relative.destination;
    if (relative.destination && index > 255)
      return std::nullopt;
    RegisterUse u = vectorUse(index, o);
    if (o.bits <= 16 && i.dstHigh)
      u.bytes = 12;
    if (i.op->shape == Shape::Matrix)
      u.lanes = LanesUsed::Other;
    return u;
  }
  case Field::Sdst:
    return scalarUse(i.op->shape == Shape::LaneScalar ? i.dst : i.maskDst, o.bits);
  case Field::Src0:
    return vectorSource(i, o, 0, relative);
  case Field::Src1:
    return vectorSource(i, o, 1, relative);
  case Field::Src2:
    return vectorSource(i, o, 2, relative);
  default:
    return std::nullopt;
  }
}

std::optional<RegisterUse> locateScalar(const Inst &i, const Operand &o, const Relative &relative) {
  if (o.field == Field::Sdst)
    return scalarUse(i.dst + relative.destination, o.bits);
  const Source &s = i.src[o.field == Field::Src0 ? 0 : 1];
  if (s.kind != SourceKind::Scalar)
    return std::nullopt;
  return scalarUse(s.index + (o.field == Field::Src0 ? relative.source : 0), o.bits);
}

std::optional<RegisterUse> memoryAddress(const Inst &i, Operand o) {
  Format f = i.opcode->format;
  if (isBuffer(f))
    o.bits = uint16_t(((i.bufferFlags & 1) + (i.bufferFlags >> 1 & 1)) * 32);
  else if (f == Format::Global && i.hasBase)
    o.bits = 32;
  bool present = f == Format::Ds || isBuffer(f) || i.hasAddr;
  if (!present || o.bits == 0)
    return std::nullopt;
  return vectorUse(i.addr, o);
}

std::optional<RegisterUse> memoryResult(const Inst &i, Operand o, unsigned reg) {
  bool drops = i.op->isAtomic && !i.returns && i.opcode->format != Format::Ds;
  if (drops)
    return std::nullopt;
  if (isBuffer(i.opcode->format) && i.bufferFlags & bufferTfe)
    o.bits = uint16_t((o.bits + 31) / 32 * 32 + 32); // The status dword comes last.
  return vectorUse(reg, o);
}

std::optional<RegisterUse> locateMemory(const Inst &i, const Operand &o) {
  switch (o.field) {
  case Field::Vdst:
    return memoryResult(i, o, i.dst);
  case Field::Data0:
    return o.direction == Direction::Out ? memoryResult(i, o, i.data) : vectorUse(i.data, o);
  case Field::Data1:
    return vectorUse(i.data2, o);
  case Field::Addr: {
    auto u = memoryAddress(i, o);
    // DS_SWIZZLE has its data in the address field.
    if (u && i.opcode->op == Op::ds_swizzle_b32)
      u->lanes = LanesUsed::Other;
    return u;
  }
  case Field::Sdst:
    return scalarUse(i.dst, o.bits);
  case Field::Resource:
    return scalarUse(i.resource, o.bits);
  case Field::Saddr:
  case Field::Offset:
    if (!i.hasBase)
      return std::nullopt;
    return scalarUse(i.base, o.bits);
  default:
    return std::nullopt;
  }
}

std::optional<RegisterUse> locate(const Inst &i, const Operand &o, const Relative &relative) {
  switch (o.field) {
  case Field::Scc:
    return scalarUse(regScc, 32);
  case Field::Vcc:
    return scalarUse(regVcc, 32);
  case Field::Exec:
    return scalarUse(regExec, o.bits);
  case Field::M0:
    return scalarUse(regM0, 32);
  default:
    break;
  }
  Format f = i.opcode->format;
  if (isVector(f))
    return locateVector(i, o, relative);
  if (f == Format::Sop1 || f == Format::Sop2 || f == Format::Sopc || f == Format::Sopk ||
      f == Format::Sopp)
    return locateScalar(i, o, relative);
  auto u = locateMemory(i, o);
  if (u && i.opcode->op == Op::ds_bpermute_b32 && o.field == Field::Data0)
    u->lanes = LanesUsed::Other;
  return u;
}

bool isArchitectural(const RegisterUse &u) {
  return u.first < 256 && !(u.file == File::Scalar && u.first == regNull);
}

} // namespace

RegisterUses registersOf(const Inst &i, uint32_t m0) {
  RegisterUses uses;
  if (!i.op || !i.opcode)
    return uses;
  Relative offsets = relative(*i.opcode, m0);
  auto add = [&](Direction unwanted, RegisterUse::Access access) {
    for (const Operand &o : i.opcode->operands) {
      if (o.direction == unwanted)
        continue;
      auto u = locate(i, o, offsets);
      if (!u || !isArchitectural(*u))
        continue;
      u->access = access;
      uses.add(*u);
    }
  };
  add(Direction::Out, RegisterUse::Access::Read);
  add(Direction::In, RegisterUse::Access::Write);
  return uses;
}

void Wave::setMode(uint32_t bits) {
  mode.bits = bits;
  care = 0;
  if (!mode.keepInput32() || !mode.keepOutput32() || mode.round32() != Mode::Nearest)
    care |= careF32;
  if (!mode.keepInput64() || !mode.keepOutput64() || mode.round64() != Mode::Nearest ||
      mode.keepsHalfFinite())
    care |= careF64;
}

} // namespace rdna::emu
