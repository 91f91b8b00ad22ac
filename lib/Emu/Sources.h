//===- Sources.h - operand fields that all vector and scalar formats share ---===//
#pragma once

#include "Emu/Fields.h"

namespace rdna::emu {

inline constexpr unsigned encLiteral = 255, encDpp16 = 250, encDpp8 = 233,
                          encDpp8FetchInactive = 234;

constexpr bool isDpp(unsigned source) {
  return source == encDpp16 || source == encDpp8 || source == encDpp8FetchInactive;
}
constexpr bool isPacked(LaneType t) {
  return t == LaneType::PackedF16 || t == LaneType::PackedI16 || t == LaneType::PackedBF16;
}
constexpr int64_t signExtend(uint32_t x, unsigned width) {
  return int64_t(uint64_t(x) << (64 - width)) >> (64 - width);
}

/// Decodes a source field; false if the encoding has no meaning here.
bool setSource(Source &s, unsigned enc, LaneType type, uint32_t literal);
/// Writes to NULL go to a slot of their own.
uint16_t scalarDestination(unsigned enc);

/// An operation with a handler, and no operands yet.
Inst started(const Encoding &e, const Opcode &opcode, const OpInfo &op);
/// A move that the decoder adds: the further operation of an instruction.
Inst addedMove(const Encoding &e, Format format);
/// One that stops the wave when it is reached.
Inst stopping(const Encoding &e, Handler why);
/// After all operands: broadcast rows, and whether the fast path will do.
void finishVector(Inst &i);
/// How many of its typed operands a VALU instruction finds in source fields.
unsigned sourceCount(const Opcode &opcode, const OpInfo &op);

// The vector formats; false: a form without meaning.
bool vectorShort(const Encoding &e, Inst &i);                        ///< VOP1, VOP2, VOPC.
bool vectorLong(const Encoding &e, Inst &i, std::vector<Inst> &out); ///< VOP3, VOP3SD.
bool vectorPacked(const Encoding &e, Inst &i);                       ///< VOP3P.
bool vectorDual(const Encoding &e, std::vector<Inst> &out);          ///< VOPD.

} // namespace rdna::emu
