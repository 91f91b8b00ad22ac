//===- Text.h - registers and memory as text -------------------------===//
#pragma once

#include "Emu/GroupRunner.h"
#include "Isa/Register.h"

#include <string>

namespace rdna::emu {

enum class Reading { Bits, Float };

/// A VGPR's value in the lanes of `exec`: one value where they agree, base and step where they rise
/// evenly, else the first lanes.
std::string lanesText(const Lanes &row, uint32_t exec, Reading reading);

/// "s[4:5] = 0x00007f0012345678", "v1 = 0x00000000 + 0x4 per lane"; empty for what a wave does not
/// hold (NULL, MODE, ...).
std::string registerText(Wave &w, const RegRange &range, Reading reading);

/// Everything that differs from what a wave starts with (garbage), EXEC, VCC, SCC, M0 and MODE.
std::string registersText(Wave &w, const LaunchState &launch);

/// Rows of 32 bytes; equal rows are folded.
std::string ldsText(const Wave &w);

} // namespace rdna::emu
