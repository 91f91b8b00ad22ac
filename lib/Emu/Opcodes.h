//===- Opcodes.h - the instructions of gfx1100, by encoding ---------------===//
//
// What an instruction is: its row in Opcodes.def, found from format and opcode field, and the
// registers that it reads and writes. What it does is the business of the handlers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Isa/Op.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace rdna::emu {

struct Inst;

/// Encodings of the ISA guide, chapter 15. VOP3SD shares the opcodes of VOP3.
enum class Format : uint8_t {
  Sop1,
  Sop2,
  Sopc,
  Sopk,
  Sopp,
  Smem,
  Vop1,
  Vop2,
  Vopc,
  Vop3,
  Vop3sd,
  Vop3p,
  Vopd,
  Ds,
  Flat,
  Global,
  Scratch,
  Mubuf,
  Mtbuf,
  LdsDir,
  Vinterp,
  Mimg,
  Exp,
  None,
};
std::string_view formatName(Format format);

/// Where an operand is named. Fields with other names in AMD's tables: VSRC1 is Src1, VADDR is
/// Addr, VDATA is Data0, SDATA is Sdst, SRSRC and SBASE are Resource, SOFFSET is Offset.
enum class Field : uint8_t {
  Vdst, ///< A VGPR.
  Sdst, ///< A scalar register, also where a compare or lane read has it in VDST.
  Src0, ///< A scalar register in scalar instructions, else anything.
  Src1,
  Src2,
  Addr,
  Data0,
  Data1,
  Saddr,
  Resource,
  Offset,
  Scc, ///< This and the rest: named by no field.
  Vcc,
  Exec,
  M0,
};

enum class Direction : uint8_t { In, Out, InOut };

/// Which part of a dword an operand of less than 32 bits occupies. (In VALU instructions op_sel and
/// the register number can say otherwise, see registersOf.)
enum class Part : uint8_t { Low, High };

struct Operand {
  Field field;
  Direction direction;
  uint16_t bits; ///< The rest of the last dword is ignored, or kept.
  Part part = Part::Low;
};

/// What else may follow the encoding, besides a literal that a source asks for.
enum class Extension : uint8_t { None, Dpp, Literal };

enum class Category : uint8_t {
  Compute,
  Graphics,    ///< Images, export, interpolation, geometry: no business of a compute kernel.
  Unencodable, ///< In AMD's table, but LLVM 22 has no encoding for it.
};

struct Opcode {
  Format format;
  uint16_t number;
  std::string_view name;
  Op op; ///< Of a VOPD the operation of its half: v_fmac_f32.
  Category category;
  Extension extension;
  std::span<const Operand> operands;
  const Operand *operand(Field field) const;
};

/// All rows, in the order of Opcodes.def.
std::span<const Opcode> opcodes();

/// The words that may belong to one instruction; three dwords are the longest that executes here.
struct Encoding {
  std::array<uint32_t, 3> word{};
  unsigned bytes = 0;
  uint32_t offset = 0; ///< In the image.
  /// Bits low to high, both in one dword; at most 31.
  unsigned bits(unsigned low, unsigned high) const {
    return word[low / 32] >> (low % 32) & ((2u << (high - low)) - 1);
  }
};

Format formatOf(uint32_t firstWord);
/// The row of an instruction, null if gfx1100 has none. For VOPD that is the row of the X half.
/// Fields that the instruction does not use are ignored, whatever they hold.
const Opcode *findOpcode(const Encoding &e);
/// The row of an operation in a format; for operations that the decoder adds. Slow.
const Opcode *findOpcode(Format format, Op operation);
/// The row of the Y half of a VOPD.
const Opcode *findDualY(const Encoding &e);
/// Size of an instruction that findOpcode has found, with literal or DPP dword.
unsigned encodedBytes(const Encoding &e, const Opcode &op);

/// Registers that one operation reads or writes.
struct RegisterUse {
  enum class File : uint8_t { Vector, Scalar } file = File::Vector;
  enum class Access : uint8_t { Read, Write } access = Access::Read;
  /// Other: DPP and permutes also read what inactive lanes, or other lanes, hold. Matrix
  /// instructions read and write all lanes.
  enum class Lanes : uint8_t { Active, Other } lanes = Lanes::Active;
  uint8_t bytes = 15; ///< Of each dword: bit 0 is the lowest.
  uint16_t first = 0; ///< VGPR number, or scalar register number as operands encode it.
  uint16_t dwords = 1;
};

class RegisterUses {
public:
  void add(const RegisterUse &use) {
    if (size_ < uses_.size())
      uses_[size_++] = use;
  }
  const RegisterUse *begin() const { return uses_.data(); }
  const RegisterUse *end() const { return uses_.data() + size_; }

private:
  std::array<RegisterUse, 16> uses_;
  unsigned size_ = 0;
};

/// What a decoded operation reads and writes, reads first. `m0` is the value of M0: it selects
/// registers of V_MOVREL* and S_MOVREL*. EXEC as lane mask is left out; so are registers past v255
/// and the slots of the emulator's own. Nothing for an operation that stops the wave.
RegisterUses registersOf(const Inst &inst, uint32_t m0);

} // namespace rdna::emu
