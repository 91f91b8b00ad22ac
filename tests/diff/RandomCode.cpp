#include "RandomCode.h"

#include "Emu/Inst.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace rdna::test {
namespace {

using emu::Field;
using emu::Format;
using emu::Opcode;

constexpr uint32_t literalCode = 255;

/// Instructions that would leave the program, look at addresses of the host, or are nothing that a
/// random operand makes sense for.
bool excluded(const Opcode &op) {
  if (op.category != emu::Category::Compute)
    return true;
  std::string_view n = op.name;
  for (std::string_view prefix :
       {"s_endpgm",   "s_setpc",   "s_swappc",   "s_call",      "s_cbranch",  "s_branch",
        "s_barrier",  "s_trap",    "s_sethalt",  "s_rfe",       "s_sendmsg",  "s_setkill",
        "s_getpc",    "s_getreg",  "s_setreg",   "s_sub",       "s_code",     "s_wait_",
        "s_sleep",    "s_version", "s_ttrace",   "v_pipeflush", "s_atc",      "s_icache",
        "s_dcache",   "s_gl1",     "s_buffer",   "ds_gws",      "ds_ordered", "ds_append",
        "ds_consume", "ds_nop",    "v_swaprel",  "s_inc",       "s_dec",      "s_perf",
        "s_round",    "s_denorm",  "s_set_inst", "v_writelane"})
    if (n.starts_with(prefix) && n != "s_sub_u32" && n != "s_sub_i32" && n != "s_subb_u32")
      return true;
  return n.find("bvh") != std::string_view::npos || n.find("addtid") != std::string_view::npos ||
         n.find("wmma") != std::string_view::npos || n.find("movrel") != std::string_view::npos;
}

/// What the JIT inlines: a lane function that gives a value and no mask.
bool isLaneFunction(const Opcode &op) {
  const emu::OpInfo *info = emu::findOp(op.name);
  if (!info || info->writesMask || info->dst == emu::LaneType::U128)
    return false;
  switch (info->shape) {
  case emu::Shape::Valu:
  case emu::Shape::ValuAcc:
  case emu::Shape::ValuMulK:
  case emu::Shape::ValuAddK:
  case emu::Shape::Packed:
  case emu::Shape::PackedAcc:
    return true;
  default:
    return false;
  }
}

bool accumulates(const Opcode &op) {
  return op.format == Format::Vopd || op.name.find("fmac") != std::string_view::npos ||
         op.name.find("dot2acc") != std::string_view::npos;
}

std::vector<const Opcode *> rowsOf(Kind kind) {
  std::vector<const Opcode *> rows;
  for (const Opcode &op : emu::opcodes()) {
    if (excluded(op))
      continue;
    switch (op.format) {
    case Format::Sop1:
    case Format::Sop2:
    case Format::Sopc:
    case Format::Sopk:
      if (kind == Kind::Loop && op.name.find("exec") != std::string_view::npos)
        continue;
      break;
    case Format::Vopc:
      if (kind == Kind::Loop)
        continue;
      break;
    case Format::Vop1:
    case Format::Vop2:
    case Format::Vop3:
    case Format::Vop3p:
    case Format::Vopd:
      if (kind == Kind::Loop && op.format != Format::Vopd && !isLaneFunction(op))
        continue;
      break;
    case Format::Vop3sd:
    case Format::Ds:
    case Format::Global:
      if (kind == Kind::Loop && op.format != Format::Ds)
        continue;
      if (kind == Kind::Loop && !op.name.starts_with("ds_load_b") &&
          !op.name.starts_with("ds_load_2"))
        continue;
      break;
    default:
      continue;
    }
    rows.push_back(&op);
  }
  return rows;
}

} // namespace

const Opcode &RandomCode::choose(Kind kind) {
  static const std::array<std::vector<const Opcode *>, 2> rows{rowsOf(Kind::Any),
                                                               rowsOf(Kind::Loop)};
  const auto &all = rows[kind == Kind::Loop];
  // Formats equally often: VOP3 has as many rows as all the others together.
  auto wanted = all[next(uint32_t(all.size()))]->format;
  for (;;) {
    const Opcode *op = all[next(uint32_t(all.size()))];
    if (kind == Kind::Loop && !accumulates(*op) && next(2))
      continue; // Chains of accumulations are what the order of compiled loops is about.
    if (op->format == wanted || next(8) == 0)
      return *op;
  }
}

uint32_t RandomCode::vgpr(unsigned bits) {
  unsigned dwords = std::max(1u, bits / 32);
  return next(RegisterWindow::vgprs - dwords + 1);
}

uint32_t RandomCode::sgpr(unsigned bits) {
  if (bits <= 64 && next(8) == 0)
    return 106; // VCC
  unsigned dwords = std::max(1u, bits / 32), align = dwords >= 4 ? 4 : dwords;
  unsigned count = RegisterWindow::lastSgpr + 1 - dwords - RegisterWindow::firstSgpr;
  return RegisterWindow::firstSgpr + next(count) / align * align;
}

uint32_t RandomCode::floatWord() {
  constexpr uint32_t corners[] = {0,          0x80000000, 1,          0x807fffff, 0x7f800000,
                                  0xff800000, 0x7fc00000, 0x7f800001, 0x3f800000, 0xbf800000,
                                  0x7fffffff, 0xffffffff, 0x00007c00, 0x3c003c00, 31};
  return next(3) ? uint32_t(random_()) : corners[next(std::size(corners))];
}

uint32_t RandomCode::scalarSource(unsigned bits, uint32_t &literal) {
  switch (next(6)) {
  case 0:
    return 128 + next(81); // Integers.
  case 1:
    return 240 + next(9); // Floats.
  case 2:
    if (!literal)
      literal = floatWord() | 1;
    return literalCode;
  case 3:
    return bits <= 32 ? 253 : 124; // SCC, NULL.
  default:
    return sgpr(bits);
  }
}

uint32_t RandomCode::source(unsigned bits, uint32_t &literal) {
  return next(4) ? 256 + vgpr(bits) : scalarSource(bits, literal);
}

namespace {

unsigned bitsOf(const Opcode &op, Field f) {
  return op.operand(f) ? unsigned(op.operand(f)->bits) : 32u;
}

} // namespace

uint32_t RandomCode::result(const Opcode &op) {
  return op.operand(Field::Sdst) ? sgpr(bitsOf(op, Field::Sdst)) : vgpr(bitsOf(op, Field::Vdst));
}

/// In the short encodings bit 7 of a VGPR is the half of 16-bit operands.
uint32_t RandomCode::half(const Opcode &op, Field f, Kind kind) {
  return kind == Kind::Any && bitsOf(op, f) == 16 && next(3) == 0 ? 0x80u : 0u;
}

uint32_t RandomCode::shortSource(const Opcode &op, Kind kind, Words &words) {
  if (kind == Kind::Any && op.extension == emu::Extension::Dpp && next(6) == 0) {
    words.dpp = true;
    if (next(3) == 0) {
      words.literal = (uint32_t(random_()) & ~0xffu) | vgpr(32);
      return 233 + next(2);
    }
    constexpr uint32_t controls[] = {0x00e4, 0x1b, 0x101, 0x11f, 0x121, 0x140, 0x141, 0x15a, 0x163};
    words.literal = vgpr(32) | controls[next(std::size(controls))] << 8 | next(4) << 18 |
                    (next(2) ? 0xffu : next(256)) << 24;
    return 250;
  }
  if (!op.operand(Field::Src0))
    return 256;
  const uint32_t s = source(bitsOf(op, Field::Src0), words.literal);
  return s >= 256 ? s | half(op, Field::Src0, kind) : s;
}

void RandomCode::encodeScalar(const Opcode &op, Words &words) {
  const uint32_t n = op.number;
  if (op.format == Format::Sopk) {
    words.w0 = 0xb0000000u | (uint32_t(random_()) & 0xffff) | sgpr(32) << 16 | n << 23;
    return;
  }
  const uint32_t first = scalarSource(bitsOf(op, Field::Src0), words.literal);
  if (op.format == Format::Sop1) {
    words.w0 = 0xbe800000u | first | n << 8 | sgpr(bitsOf(op, Field::Sdst)) << 16;
    return;
  }
  const uint32_t second = scalarSource(bitsOf(op, Field::Src1), words.literal) << 8;
  if (op.format == Format::Sop2)
    words.w0 = 0x80000000u | first | second | sgpr(bitsOf(op, Field::Sdst)) << 16 | n << 23;
  else
    words.w0 = 0xbf000000u | first | second | n << 16;
}

void RandomCode::encodeShort(const Opcode &op, Kind kind, Words &words) {
  const uint32_t n = op.number, first = shortSource(op, kind, words);
  const auto second = [&] {
    return (vgpr(bitsOf(op, Field::Src1)) | half(op, Field::Src1, kind)) << 9;
  };
  const auto destination = [&] { return (result(op) | half(op, Field::Vdst, kind)) << 17; };
  if (op.format == Format::Vop1) {
    words.w0 = 0x7e000000u | first | n << 9 | destination();
  } else if (op.format == Format::Vopc) {
    words.w0 = 0x7c000000u | first | second() | n << 17;
  } else {
    words.w0 = first | second() | destination() | n << 25;
    if (op.extension == emu::Extension::Literal && !words.literal)
      words.literal = floatWord() | 1;
  }
}

void RandomCode::encodeVop3(const Opcode &op, Kind kind, Words &words) {
  words.wide = true;
  const bool plain = kind == Kind::Loop || next(2), packed = op.format == Format::Vop3p;
  uint32_t &w0 = words.w0, &w1 = words.w1;
  w0 = (packed ? 0xcc000000u : 0xd4000000u) | uint32_t(op.number) << 16;
  w0 |= op.format == Format::Vop3sd ? vgpr(bitsOf(op, Field::Vdst)) | sgpr(32) << 8 : result(op);
  if (!plain)
    w0 |= (op.format == Format::Vop3sd ? next(2) << 15 : uint32_t(random_()) & 0xff00u);
  const bool mask = op.name.find("_ci_") != std::string_view::npos ||
                    op.name.find("cndmask") != std::string_view::npos;
  // Only what is an operand may ask for a literal.
  if (op.operand(Field::Src0))
    w1 |= source(bitsOf(op, Field::Src0), words.literal);
  if (op.operand(Field::Src1))
    w1 |= source(bitsOf(op, Field::Src1), words.literal) << 9;
  if (op.operand(Field::Src2))
    w1 |= (mask ? sgpr(32) : source(bitsOf(op, Field::Src2), words.literal)) << 18;
  if (!plain)
    w1 |= uint32_t(random_()) & 0xf8000000u;
  else if (packed) { // op_sel_hi of plain packed arithmetic.
    w0 |= 1u << 14;
    w1 |= 3u << 27;
  }
}

void RandomCode::encodeVopd(const Opcode &op, Words &words) {
  words.wide = true;
  const uint32_t n = op.number;
  const bool y = n >= 16;
  const uint32_t x = y ? next(14) : n, other = y ? n : next(2) ? n : next(14);
  words.w0 = 0xc8000000u | source(32, words.literal) | vgpr(32) << 9 | other << 17 | x << 22;
  words.w1 = source(32, words.literal) | vgpr(32) << 9 | (vgpr(32) >> 1) << 17 | vgpr(32) << 24;
  const auto hasLiteral = [](uint32_t o) { return o == 1 || o == 2; };
  if ((hasLiteral(x) || hasLiteral(other)) && !words.literal)
    words.literal = floatWord() | 1;
}

void RandomCode::encodeMemory(const Opcode &op, Words &words) {
  words.wide = true;
  const uint32_t n = op.number;
  const bool lds = op.format == Format::Ds;
  if (lds)
    words.w0 = 0xd8000000u | n << 18 | next(120) / 4 * 4;
  else
    words.w0 = 0xdc020000u | n << 18 | next(16) * 4 | next(2) << 14;
  if (lds && op.name.find("2addr") != std::string_view::npos)
    words.w0 = 0xd8000000u | n << 18 | next(8) | next(8) << 8;
  words.w1 = RegisterWindow::ldsAddress | vgpr(bitsOf(op, Field::Data0)) << 8 |
             (lds ? vgpr(bitsOf(op, Field::Data1)) : RegisterWindow::memoryBase) << 16 |
             vgpr(bitsOf(op, Field::Vdst)) << 24;
}

void RandomCode::append(std::vector<uint32_t> &code, Kind kind) {
  const Opcode &op = choose(kind);
  Words words;
  switch (op.format) {
  case Format::Sop1:
  case Format::Sop2:
  case Format::Sopc:
  case Format::Sopk:
    encodeScalar(op, words);
    break;
  case Format::Vop1:
  case Format::Vop2:
  case Format::Vopc:
    encodeShort(op, kind, words);
    break;
  case Format::Vop3:
  case Format::Vop3sd:
  case Format::Vop3p:
    encodeVop3(op, kind, words);
    break;
  case Format::Vopd:
    encodeVopd(op, words);
    break;
  case Format::Ds:
  case Format::Global:
    encodeMemory(op, words);
    break;
  default:
    break;
  }
  code.push_back(words.w0);
  if (words.wide)
    code.push_back(words.w1);
  if (words.literal || words.dpp)
    code.push_back(words.literal);
}

} // namespace rdna::test
