#include "Emu/Opcodes.h"
#include "Emu/Sources.h"

#include <algorithm>

namespace rdna::emu {
namespace {

// The operand list of a row is an array of its own, so that rows of different length need no
// padding; a template variable gives each its storage.
template <Operand... list> constexpr std::array<Operand, sizeof...(list)> operandList{list...};

constexpr Opcode rows[] = {
#define IN(field, bits)                                                                            \
  Operand { Field::field, Direction::In, bits }
#define OUT(field, bits)                                                                           \
  Operand { Field::field, Direction::Out, bits }
#define IO(field, bits)                                                                            \
  Operand { Field::field, Direction::InOut, bits }
#define IN_HI(field, bits)                                                                         \
  Operand { Field::field, Direction::In, bits, Part::High }
#define OUT_HI(field, bits)                                                                        \
  Operand { Field::field, Direction::Out, bits, Part::High }
#define OPCODE(format, number, name, category, extension, ...)                                     \
  Opcode{                                                                                          \
      Format::format,          number, #name, Op::name, Category::category, Extension::extension,  \
      operandList<__VA_ARGS__>},
#define DUAL(number, name, extension, ...)                                                         \
  Opcode{Format::Vopd,                                                                             \
         number,                                                                                   \
         "v_dual_" #name,                                                                          \
         Op::v_##name,                                                                             \
         Category::Compute,                                                                        \
         Extension::extension,                                                                     \
         operandList<__VA_ARGS__>},
#include "Emu/Opcodes.def"
#undef DUAL
#undef OPCODE
#undef OUT_HI
#undef IN_HI
#undef IO
#undef OUT
#undef IN
};

constexpr unsigned formatCount = unsigned(Format::None);

/// Rows by format and opcode; VOP3SD lies in the space of VOP3.
struct Index {
  // 0 is no row. The widest opcode field, of VOP3, has ten bits.
  std::array<std::array<uint16_t, 1024>, formatCount> row{};
};

const Index &index() {
  static const Index made = [] {
    Index x;
    for (const Opcode &op : rows) {
      Format space = op.format == Format::Vop3sd ? Format::Vop3 : op.format;
      x.row[unsigned(space)][op.number] = uint16_t(&op - rows + 1);
    }
    return x;
  }();
  return made;
}

const Opcode *rowOf(Format format, unsigned number) {
  unsigned n = index().row[unsigned(format)][number];
  return n ? &rows[n - 1] : nullptr;
}

/// The opcode field of each format (ISA chapter 15).
unsigned opcodeField(const Encoding &e, Format format) {
  switch (format) {
  case Format::Sop1:
    return e.bits(8, 15);
  case Format::Sop2:
    return e.bits(23, 29);
  case Format::Sopc:
  case Format::Sopp:
  case Format::Vop3p:
  case Format::Vinterp:
    return e.bits(16, 22);
  case Format::Sopk:
    return e.bits(23, 27);
  case Format::Vop1:
    return e.bits(9, 16);
  case Format::Vop2:
    return e.bits(25, 30);
  case Format::Vopc:
    return e.bits(17, 24);
  case Format::Vop3:
  case Format::Vop3sd:
    return e.bits(16, 25);
  case Format::Vopd:
    return e.bits(22, 25);
  case Format::Flat:
  case Format::Global:
  case Format::Scratch:
    return e.bits(18, 24);
  case Format::Smem:
  case Format::Ds:
  case Format::Mubuf:
  case Format::Mimg:
    return e.bits(18, 25);
  case Format::Mtbuf:
    return e.bits(15, 18);
  case Format::LdsDir:
    return e.bits(20, 21);
  case Format::Exp:
  case Format::None:
    break;
  }
  return 0;
}

/// Whether one of the sources that the instruction has is `wanted`.
template <class F> bool anySource(const Opcode &op, std::span<const unsigned> sources, F wanted) {
  constexpr Field fields[] = {Field::Src0, Field::Src1, Field::Src2};
  for (unsigned k = 0; k < sources.size(); ++k)
    if (op.operand(fields[k]) && wanted(sources[k]))
      return true;
  return false;
}

bool hasExtraDword(const Encoding &e, const Opcode &op) {
  auto literal = [](unsigned source) { return source == encLiteral; };
  switch (op.format) {
  case Format::Sop1:
  case Format::Sop2:
  case Format::Sopc: {
    unsigned sources[] = {e.bits(0, 7), e.bits(8, 15)};
    return anySource(op, std::span(sources).first(op.format == Format::Sop1 ? 1 : 2), literal);
  }
  case Format::Vop1:
  case Format::Vop2:
  case Format::Vopc: {
    unsigned src0 = e.bits(0, 8);
    return op.operand(Field::Src0) &&
           (literal(src0) || (op.extension == Extension::Dpp && isDpp(src0)));
  }
  case Format::Vop3:
  case Format::Vop3sd:
  case Format::Vop3p: {
    unsigned sources[] = {e.bits(32, 40), e.bits(41, 49), e.bits(50, 58)};
    bool dpp = op.extension == Extension::Dpp && isDpp(sources[0]);
    return dpp || anySource(op, sources, literal);
  }
  case Format::Vopd: {
    const Opcode *y = findDualY(e);
    return literal(e.bits(0, 8)) || literal(e.bits(32, 40)) ||
           (y && y->extension == Extension::Literal);
  }
  case Format::Mimg: // Addresses that are no tuple.
    return e.bits(0, 0);
  default:
    return false;
  }
}

unsigned baseBytes(Format format) {
  switch (format) {
  case Format::Sop1:
  case Format::Sop2:
  case Format::Sopc:
  case Format::Sopk:
  case Format::Sopp:
  case Format::Vop1:
  case Format::Vop2:
  case Format::Vopc:
  case Format::LdsDir:
    return 4;
  default:
    return 8;
  }
}

} // namespace

std::string_view formatName(Format format) {
  constexpr std::string_view names[] = {"SOP1",  "SOP2",   "SOPC",    "SOPK",   "SOPP",    "SMEM",
                                        "VOP1",  "VOP2",   "VOPC",    "VOP3",   "VOP3SD",  "VOP3P",
                                        "VOPD",  "DS",     "FLAT",    "GLOBAL", "SCRATCH", "MUBUF",
                                        "MTBUF", "LDSDIR", "VINTERP", "MIMG",   "EXP",     "none"};
  return names[unsigned(format)];
}

const Operand *Opcode::operand(Field field) const {
  auto it = std::find_if(operands.begin(), operands.end(),
                         [field](const Operand &o) { return o.field == field; });
  return it == operands.end() ? nullptr : &*it;
}

std::span<const Opcode> opcodes() { return rows; }

Format formatOf(uint32_t w) {
  if (!(w >> 31))
    return w >> 25 == 0b0111110 ? Format::Vopc : w >> 25 == 0b0111111 ? Format::Vop1 : Format::Vop2;
  if (w >> 30 == 0b10) {
    switch (w >> 23) {
    case 0b101111101:
      return Format::Sop1;
    case 0b101111110:
      return Format::Sopc;
    case 0b101111111:
      return Format::Sopp;
    default:
      return w >> 28 == 0b1011 ? Format::Sopk : Format::Sop2;
    }
  }
  switch (w >> 26) {
  case 0b110010:
    return Format::Vopd;
  case 0b110011:
    switch (w >> 24) {
    case 0b11001100:
      return Format::Vop3p;
    case 0b11001101:
      return Format::Vinterp;
    case 0b11001110:
      return Format::LdsDir;
    default:
      return Format::None;
    }
  case 0b110101:
    return Format::Vop3;
  case 0b110110:
    return Format::Ds;
  case 0b110111:
    switch (w >> 16 & 3) {
    case 0:
      return Format::Flat;
    case 1:
      return Format::Scratch;
    case 2:
      return Format::Global;
    default:
      return Format::None;
    }
  case 0b111000:
    return Format::Mubuf;
  case 0b111010:
    return Format::Mtbuf;
  case 0b111100:
    return Format::Mimg;
  case 0b111101:
    return Format::Smem;
  case 0b111110:
    return Format::Exp;
  default:
    return Format::None;
  }
}

const Opcode *findOpcode(const Encoding &e) {
  Format format = formatOf(e.word[0]);
  if (format == Format::None)
    return nullptr;
  const Opcode *op = rowOf(format, opcodeField(e, format));
  if (format == Format::Vopd && !findDualY(e))
    return nullptr;
  return op;
}

const Opcode *findOpcode(Format format, Op operation) {
  auto it = std::find_if(std::begin(rows), std::end(rows), [&](const Opcode &op) {
    return op.format == format && op.op == operation;
  });
  return it == std::end(rows) ? nullptr : it;
}

const Opcode *findDualY(const Encoding &e) { return rowOf(Format::Vopd, e.bits(17, 21)); }

unsigned encodedBytes(const Encoding &e, const Opcode &op) {
  bool extra = op.extension == Extension::Literal || hasExtraDword(e, op);
  return baseBytes(op.format) + (extra ? 4 : 0);
}

} // namespace rdna::emu
