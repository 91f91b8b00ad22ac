//===- OperandName.h - what an operand of an instruction is for -----------===//
#pragma once

#include <cstdint>
#include <string_view>

namespace rdna {

/// What an operand that is no value is for. Forms of one operation (with an SGPR offset, with
/// `idxen`, as DPP ...) have such operands at different places, or not at all.
enum class OperandName : uint8_t {
  Unnamed, ///< Values, and what this list does not know.
  Offset,
  Offset0,
  Offset1,
  CachePolicy, ///< glc 1, slc 2, dlc 4.
  Gds,
  Clamp,
  Omod,
  OpSel,   ///< Of packed operations a copy of what the source modifiers hold,
  OpSelHi, ///< and so are these.
  NegLo,
  NegHi,
  DppCtrl,
  Dpp8,
  RowMask,
  BankMask,
  BoundCtrl,
  FetchInactive,
  Dmask,
  Dim,
  Unorm,
  R128,
  A16,
  Tfe,
  Lwe,
  D16,
  Format,
  Swizzle,
  WaitExp,
  WaitVdst,
  Attribute,
  HwRegister,
  Export,    ///< Target and flags of `exp`.
  Immediate, ///< The number of s_movk_i32, s_nop, s_waitcnt ...
  Tied,      ///< Stands for the destination, which the instruction keeps or updates.
};

std::string_view toString(OperandName name);

/// How a MUBUF or MTBUF instruction gets its address.
enum class BufferAddress : uint8_t { None, Offset, Offen, Idxen, Bothen };

/// A source that is no general register and not a register that code writes, by the machine's
/// name for it.
enum class SpecialSource : uint8_t {
  None,
  Off,  ///< No register at all: `off` of an address.
  Null, ///< Reads zero, ignores writes.
  Vccz,
  Execz,
  Scc,
  SharedBase,
  SharedLimit,
  PrivateBase,
  PrivateLimit,
  PopsExitingWaveId,
  LdsDirect,
  Other, ///< Registers that other machines have.
};

} // namespace rdna
