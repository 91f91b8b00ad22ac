//===- Fields.h - from encodings to micro-operations ----------------------===//
#pragma once

#include "Emu/Inst.h"
#include "Emu/Opcodes.h"

#include <vector>

namespace rdna::emu {

/// Appends the micro-operations of an instruction: one, or up to three for a VOPD. `e.bytes` is
/// set. An instruction without handler or a form without semantics becomes an operation that stops
/// the wave.
void translate(const Encoding &e, const Opcode &opcode, std::vector<Inst> &out);

/// What executes a row; null if the emulator has no semantics for it. A half of a VOPD is executed
/// by the plain instruction.
const OpInfo *handlerOf(const Opcode &opcode);

/// Whether a SOPP or SOPK instruction is a direct branch, and where it goes.
bool directTarget(const Encoding &e, uint32_t &imageOffset);

void stopUnimplemented(Wave &w, const Inst &i);
void stopUndecodable(Wave &w, const Inst &i);
void stopLeftCode(Wave &w, const Inst &i);
/// A buffer load with TFE; `data2` is the register of the status.
void loadWithStatus(Wave &w, const Inst &i);
/// Two FMACs of one VOPD in one handler: the inner loop of every SGEMM.
void dualFmac(Wave &w, const Inst &i);

} // namespace rdna::emu
