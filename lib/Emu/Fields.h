//===- Fields.h - operand fields of an encoding, as the handlers want them ---===//
#pragma once

#include "Emu/Inst.h"

#include <array>
#include <vector>

namespace rdna::emu {

/// The bytes of one instruction; three dwords are the longest that the emulator executes.
struct Encoding {
  std::array<uint32_t, 3> word{};
  unsigned bytes = 0;
  uint32_t offset = 0; ///< In the image.
  unsigned bits(unsigned low, unsigned high) const {
    return word[low / 32] >> (low % 32) & ((2u << (high - low)) - 1);
  }
};

/// Appends the micro-operations of an instruction: one, or up to three for a VOPD. A mnemonic
/// without a row or a form without semantics becomes an operation that stops the wave.
void translate(const Encoding &e, std::string_view mnemonic, std::vector<Inst> &out);

/// Whether a SOPP or SOPK instruction is a direct branch, and where it goes.
bool directTarget(const Encoding &e, uint32_t &imageOffset);

void stopUnimplemented(Wave &w, const Inst &i);
void stopUndecodable(Wave &w, const Inst &i);
void stopLeftCode(Wave &w, const Inst &i);
/// Two FMACs of one VOPD in one handler: the inner loop of every SGEMM.
void dualFmac(Wave &w, const Inst &i);

} // namespace rdna::emu
