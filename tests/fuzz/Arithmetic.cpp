// Vector arithmetic of random functions.

#include "Body.h"

namespace rdna::fuzz {

std::string Body::floatConstant() {
  return e.word({"1.0", "0.5", "-2.0", "4.0", "0x3fc00000", "0xbe99999a", "0x3eaaaaab", "0"});
}

std::string Body::floatSource() {
  switch (e.below(10)) {
  case 0:
    return sf();
  case 1:
    return floatConstant();
  default:
    return vf();
  }
}

std::string Body::fma() {
  const std::string a = vf(), b = vf(), c = vf(), d = vf();
  const auto inlineSource = [&] { return e.chance(80) ? vf() : e.chance(50) ? sf() : "0.5"; };
  switch (e.below(16)) {
  case 0:
    return fmt::format("v_fma_f32 {}, {}, {}, {}", a, inlineSource(), b, a);
  case 1:
    return fmt::format("v_fma_f32 {}, {}, {}, {}", a, b, c, d);
  case 2:
    return fmt::format("v_fma_f32 {}, -{}, |{}|, {}{}", a, b, c, d, e.chance(30) ? " clamp" : "");
  case 3:
    return fmt::format("v_fmaak_f32 {}, {}, {}, 0x3f19999a", a, vf(), b);
  case 4:
    return fmt::format("v_fmamk_f32 {}, {}, 0x3f333333, {}", a, vf(), b);
  case 5:
    return fmt::format("v_mul_f32_e32 {}, {}, {}", a, floatSource(), b);
  case 6:
    return fmt::format("v_{}_f32_e32 {}, {}, {}", e.word({"add", "sub", "subrev", "max", "min"}), a,
                       floatSource(), b);
  case 7:
    return fmt::format("v_fmac_f32_e64 {}, {}, -{}", a, inlineSource(), b);
  case 8:
    return fmt::format("v_mul_f32_e64 {}, {}, {}{}", a, b, sf(),
                       e.word({"", " mul:2", " div:2", " clamp"}));
  default:
    return fmt::format("v_fmac_f32_e32 {}, {}, {}", a, e.chance(85) ? vf() : floatSource(), b);
  }
}

/// A legal pair, as an assembler and a careful compiler see it.
std::optional<std::string> Body::dual() {
  struct Half {
    std::string name;
    unsigned destination = 0, first = 0, second = 0;
    enum class Third : uint8_t { None, Destination, Second } third = Third::None;
    bool hasSecond = true, isLiteral = false;
  };
  const auto half = [&] {
    Half x;
    x.destination = f(), x.first = f(), x.second = f();
    const unsigned kind = e.below(12);
    if (kind < 7)
      x.name = "fmac_f32", x.third = Half::Third::Destination;
    else if (kind == 7)
      x.name = "mov_b32", x.hasSecond = false;
    else if (kind == 8)
      x.name = "fmaak_f32", x.isLiteral = true;
    else
      x.name = e.word({"mul_f32", "add_f32", "sub_f32", "max_f32", "min_f32"});
    return x;
  };
  for (unsigned attempt = 0; attempt < 40; ++attempt) {
    const Half x = half(), y = half();
    const auto reads = [](const Half &h, unsigned n) {
      return h.first == n || (h.hasSecond && h.second == n) ||
             (h.third == Half::Third::Destination && h.destination == n);
    };
    const bool clash = (x.destination + y.destination) % 2 == 0 || x.first % 4 == y.first % 4 ||
                       (x.first + y.first) % 2 == 0 ||
                       (x.hasSecond && y.hasSecond && (x.second + y.second) % 2 == 0) ||
                       reads(y, x.destination) || reads(x, y.destination) ||
                       (x.isLiteral && y.isLiteral);
    if (clash)
      continue;
    const auto text = [&](const Half &h) {
      return fmt::format("v_dual_{} {}, {}{}{}", h.name, v(h.destination), v(h.first),
                         h.hasSecond ? ", " + v(h.second) : "", h.isLiteral ? ", 0x3f19999a" : "");
    };
    return text(x) + " :: " + text(y);
  }
  return std::nullopt;
}

void Body::fmas() {
  const unsigned count = 2 + e.below(9);
  const bool outer = e.chance(40) && r.floats.size() >= 8; // A tile, as in a matrix product.
  if (outer) {
    const unsigned a = e.below(4), rows = 2 + e.below(3), columns = 2 + e.below(2);
    for (unsigned y = 0; y < rows; ++y)
      for (unsigned x = 0; x < columns; ++x) {
        const size_t n = r.floats.size();
        e.inst(fmt::format("v_fmac_f32_e32 {}, {}, {}", v(r.floats[(a + y * columns + x) % n]),
                           v(r.tuples[0] + y % 4), v(r.tuples.back() + x)));
      }
    return;
  }
  const bool pairs = e.chance(25);
  for (unsigned n = 0; n < count; ++n)
    if (const auto pair = pairs && e.chance(60) ? dual() : std::nullopt)
      e.inst(*pair);
    else
      e.inst(fma());
}

void Body::integers() {
  const std::string a = vi(), b = vi(), c = vi(), d = vi();
  switch (e.below(14)) {
  case 0:
    return e.inst(fmt::format("v_add_nc_u32_e32 {}, {}, {}", a, e.chance(30) ? si() : b, c));
  case 1:
    return e.inst(fmt::format("v_sub_nc_u32_e32 {}, {}, {}", a, b, c));
  case 2:
    return e.inst(
        fmt::format("v_{}_b32_e32 {}, {}, {}", e.word({"and", "or", "xor", "xnor"}), a, b, c));
  case 3:
    return e.inst(fmt::format(
        "v_{} {}, {}, {}, {}",
        e.word({"and_or_b32", "or3_b32", "xor3_b32", "add3_u32", "xad_u32", "bfi_b32", "perm_b32",
                "alignbit_b32", "sad_u32", "med3_i32", "mad_u32_u24", "mad_i32_i24", "max3_u32"}),
        a, b, c, d));
  case 4:
    return e.inst(fmt::format("v_lshl_add_u32 {}, {}, {}, {}", a, b, e.below(8), c));
  case 5:
    return e.inst(fmt::format("v_bfe_u32 {}, {}, {}, {}", a, b, e.below(16), 1 + e.below(16)));
  case 6:
    return e.inst(fmt::format("v_{}_u32 {}, {}, {}", e.word({"mul_lo", "mul_hi"}), a, b, c));
  case 7:
    return e.inst(fmt::format("v_{}_e32 {}, {}, {}",
                              e.word({"lshlrev_b32", "lshrrev_b32", "ashrrev_i32"}), a, e.below(32),
                              b));
  case 8:
    return e.inst(fmt::format(
        "v_{}_e32 {}, {}", e.word({"not_b32", "bfrev_b32", "clz_i32_u32", "ctz_i32_b32"}), a, b));
  case 9:
    return e.inst(fmt::format("v_cvt_{}_f32_e32 {}, {}", e.word({"u32", "i32"}), a, vf()));
  case 10:
    return e.inst(fmt::format("v_cvt_f32_{}_e32 {}, {}", e.word({"u32", "i32", "ubyte0", "ubyte3"}),
                              vf(), b));
  case 11:
    return e.inst(fmt::format("v_pk_{} {}, {}, {}",
                              e.word({"add_u16", "mul_lo_u16", "max_i16", "lshlrev_b16"}), a, b,
                              c));
  case 12:
    return e.inst(
        fmt::format("v_{}_e32 {}, {}, {}", e.word({"min_u32", "max_i32", "mul_u32_u24"}), a, b, c));
  default:
    return wideIntegers();
  }
}

void Body::wideIntegers() {
  const unsigned t = r.temporary, u = t + 2;
  const std::string a = vi(), b = vi(), c = vi();
  switch (e.below(4)) {
  case 0:
    e.inst(fmt::format("v_add_co_u32 {}, vcc_lo, {}, {}", a, b, c));
    return e.inst(fmt::format("v_add_co_ci_u32_e32 {}, vcc_lo, 0, {}, vcc_lo", c, b));
  case 1: {
    const std::string mask = s(e.pick(r.masks));
    e.inst(fmt::format("v_sub_co_u32 {}, {}, {}, {}", a, mask, b, c));
    return e.inst(fmt::format("v_sub_co_ci_u32_e64 {}, {}, {}, {}, {}", b, mask, c, b, mask));
  }
  case 2:
    e.inst(fmt::format("v_mov_b32_e32 {}, {}", v(u), a));
    e.inst(fmt::format("v_mov_b32_e32 {}, 0", v(u + 1)));
    e.inst(fmt::format("v_mad_u64_u32 {}, {}, {}, {}, {}", v(t, 2), e.word({"null", "vcc_lo"}), b,
                       c, v(u, 2)));
    e.inst(fmt::format("v_mov_b32_e32 {}, {}", a, v(t)));
    return e.inst(fmt::format("v_xor_b32_e32 {}, {}, {}", b, v(t + 1), b));
  default:
    e.inst(fmt::format("v_mov_b32_e32 {}, {}", v(u), a));
    e.inst(fmt::format("v_mov_b32_e32 {}, {}", v(u + 1), b));
    e.inst(fmt::format("v_lshlrev_b64 {}, {}, {}", v(t, 2), e.below(20), v(u, 2)));
    return e.inst(fmt::format("v_xor_b32_e32 {}, {}, {}", c, v(t), v(t + 1)));
  }
}

void Body::halves() {
  const std::string a = vh(), b = vh(), c = vh();
  switch (e.below(7)) {
  case 0:
    return e.inst(
        fmt::format("v_pk_{}_f16 {}, {}, {}", e.word({"add", "mul", "max", "min"}), a, b, c));
  case 1:
    return e.inst(fmt::format("v_pk_fma_f16 {}, {}, {}, {}{}", a, b, c, a,
                              e.word({"", " op_sel_hi:[0,1,1]", " neg_lo:[1,0,0]"})));
  case 2:
    return e.inst(fmt::format("v_{}_f16_e32 {}.{}, {}.l, {}.h", e.word({"add", "mul", "max"}), a,
                              e.word({"l", "h"}), b, c));
  case 3:
    return e.inst(fmt::format("v_cvt_f16_f32_e32 {}.{}, {}", a, e.word({"l", "h"}), vf()));
  case 4:
    return e.inst(fmt::format("v_cvt_f32_f16_e32 {}, {}.{}", vf(), b, e.word({"l", "h"})));
  case 5:
    return e.inst(fmt::format("v_dot2_f32_f16 {}, {}, {}, {}", vf(), b, c, vf()));
  default:
    return e.inst(fmt::format("v_fma_mix_f32 {}, {}, {}, {} op_sel_hi:[1,1,0]", vf(), b, c, vf()));
  }
}

void Body::transcendental() {
  e.inst(fmt::format("v_{}_f32_e32 {}, {}",
                     e.word({"rcp", "rsq", "sqrt", "exp", "log", "sin", "cos"}), vf(), vf()));
  if (e.chance(30))
    e.inst(fma());
}

void Body::compare() {
  const std::string mask = s(e.pick(r.masks));
  const std::string what = e.word({"lt", "gt", "le", "ge", "eq", "lg", "nlt", "u"});
  switch (e.below(5)) {
  case 0:
    e.inst(fmt::format("v_cmp_{}_f32_e32 vcc_lo, {}, {}", what, floatSource(), vf()));
    return e.inst(fmt::format("v_cndmask_b32_e32 {}, {}, {}, vcc_lo", vf(), vf(), vf()));
  case 1:
    e.inst(fmt::format("v_cmp_{}_f32_e64 {}, {}, {}", what, mask, vf(), vf()));
    if (e.chance(50))
      e.inst(fma());
    return e.inst(fmt::format("v_cndmask_b32_e64 {}, {}, {}, {}", vf(), vf(), vf(), mask));
  case 2:
    e.inst(fmt::format("v_cmp_{}_u32_e32 vcc_lo, {}, {}", e.word({"lt", "ne", "gt"}), vi(), vi()));
    return e.inst(fmt::format("v_cndmask_b32_e32 {}, {}, {}, vcc_lo", vi(), vi(), vi()));
  case 3:
    e.inst(
        fmt::format("v_cmp_{}_i32_e64 {}, {}, {}", e.word({"lt", "ne", "ge"}), mask, vi(), vi()));
    return e.inst(fmt::format("v_cndmask_b32_e64 {}, 0, 1, {}", vi(), mask));
  default: // A mask that is read later, perhaps by nobody.
    return e.inst(
        fmt::format("v_cmp_{}_i32_e64 {}, {}, {}", e.word({"lt", "ne", "ge"}), mask, vi(), vi()));
  }
}

void Body::moves() {
  switch (e.below(4)) {
  case 0:
    return e.inst(fmt::format("v_mov_b32_e32 {}, {}", vf(), floatSource()));
  case 1:
    return e.inst(fmt::format("v_mov_b32_e32 {}, {}", vi(), vi()));
  case 2: {
    const unsigned a = f(), b = f();
    return e.inst(a == b ? fmt::format("v_mov_b32_e32 {}, 0", v(a))
                         : fmt::format("v_swap_b32 {}, {}", v(a), v(b)));
  }
  default:
    return e.inst(fmt::format("v_mov_b32_e32 {}, 0x{:x}", vi(), e.below(0x7fffffff)));
  }
}

void Body::wmma() {
  const unsigned a = r.wmma, c = r.wmma + 8;
  for (unsigned n = 0; n < 8; ++n)
    e.inst(fmt::format("v_mov_b32_e32 {}, {}", v(a + n), vh()));
  for (unsigned n = 0; n < 8; ++n)
    e.inst(fmt::format("v_mov_b32_e32 {}, {}", v(c + n), vf()));
  e.inst(fmt::format("v_wmma_f32_16x16x16_f16 {}, {}, {}, {}", v(c, 8), v(a, 8), v(a, 8), v(c, 8)));
  e.inst("v_nop");
  for (unsigned n = 0; n < 8; ++n)
    e.inst(fmt::format("v_add_f32_e32 {}, {}, {}", vf(), v(c + n), vf()));
}

} // namespace rdna::fuzz
