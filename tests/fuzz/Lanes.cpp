// Scalars and everything that crosses lanes.

#include "Body.h"

namespace rdna::fuzz {

void Body::scalars() {
  const unsigned t = r.scratchScalar;
  const std::string a = si(), b = si(), c = si();
  switch (e.below(13)) {
  case 0:
    return e.inst(
        fmt::format("s_{} {}, {}, {}",
                    e.word({"add_i32", "sub_i32", "add_u32", "mul_i32", "mul_hi_u32", "and_b32",
                            "or_b32", "xor_b32", "and_not1_b32", "min_i32", "max_u32"}),
                    a, b, c));
  case 1:
    return e.inst(fmt::format("s_{} {}, {}, {}", e.word({"lshl_b32", "lshr_b32", "ashr_i32"}), a, b,
                              e.below(32)));
  case 2:
    return e.inst(fmt::format(
        "s_{} {}, {}",
        e.word({"not_b32", "brev_b32", "bcnt1_i32_b32", "ctz_i32_b32", "abs_i32", "mov_b32"}), a,
        b));
  case 3:
    e.inst(fmt::format("s_cmp_{} {}, {}", e.word({"lt_i32", "eq_u32", "lg_u32", "ge_u32"}), b, c));
    return e.inst(fmt::format("s_cselect_b32 {}, {}, {}", a, b, e.below(64)));
  case 4:
    e.inst(fmt::format("s_add_u32 {}, {}, {}", s(t), b, c));
    e.inst(fmt::format("s_addc_u32 {}, {}, 0", s(t + 1), a));
    return e.inst(fmt::format("s_xor_b32 {}, {}, {}", a, s(t), s(t + 1)));
  case 5:
    e.inst(fmt::format("s_mov_b32 {}, {}", s(t), b));
    e.inst(fmt::format("s_mov_b32 {}, {}", s(t + 1), c));
    e.inst(fmt::format("s_{} {}, {}, {}", e.word({"lshl_b64", "lshr_b64"}), s(t, 2), s(t, 2),
                       e.below(40)));
    return e.inst(fmt::format("s_mov_b32 {}, {}", a, s(t + e.below(2))));
  case 6:
    return e.inst(fmt::format("s_getreg_b32 {}, hwreg(HW_REG_MODE, {}, {})", a, e.below(4), 4));
  case 7: // A clock, of which nothing is left.
    e.inst(fmt::format("s_getreg_b32 {}, hwreg(HW_REG_SHADER_CYCLES, 0, 20)", s(t)));
    return e.inst(fmt::format("s_and_b32 {}, {}, 0", a, s(t)));
  case 8:
    return e.inst(fmt::format("s_mov_b32 {}, exec_lo", a));
  case 9:
    return e.inst(fmt::format("v_add_nc_u32_e32 {}, {}, {}", vi(), a, vi()));
  case 10:
    return e.inst(fmt::format("s_and_b32 vcc_lo, {}, exec_lo", s(e.pick(r.masks))));
  case 11:
    return e.inst(fmt::format("s_{}_b32 {}, {}, {}", e.word({"and", "or", "and_not1"}),
                              s(e.pick(r.masks)), s(e.pick(r.masks)), s(e.pick(r.masks))));
  default:
    return e.inst(fmt::format("s_addk_i32 {}, 0x{:x}", a, e.below(1000)));
  }
}

/// Inputs only, which nobody writes: the scalar cache does not see the vector stores.
void Body::scalarLoad() {
  const unsigned base = r.inputs[e.below(2)], t = r.scratchScalar;
  const bool ints = e.chance(40);
  const std::string to = ints ? si() : sf();
  const unsigned from = ints ? r.inputInts : base;
  switch (e.below(4)) {
  case 0:
    if (!steps_.empty()) {
      e.inst(fmt::format("s_lshl_b32 {}, {}, 2", s(t), s(e.pick(steps_))));
      return e.memory(
          Queue::Scalar,
          fmt::format("s_load_b32 {}, {}, {} offset:0x{:x}", to, s(from, 2), s(t), 4 * e.below(64)),
          to);
    }
    [[fallthrough]];
  case 1: {
    const std::string pair = s(t + 2, 2);
    e.memory(Queue::Scalar,
             fmt::format("s_load_b64 {}, {}, 0x{:x}", pair, s(from, 2), 4 * e.below(256)), pair);
    return e.inst(fmt::format("s_{} {}, {}", "mov_b32", to, s(t + 2 + e.below(2))));
  }
  default:
    return e.memory(Queue::Scalar,
                    fmt::format("s_load_b32 {}, {}, 0x{:x}{}", to, s(from, 2), 4 * e.below(256),
                                e.chance(5) ? " glc" : ""),
                    to);
  }
}

void Body::dpp() {
  const std::string control =
      e.chance(80)
          ? e.word({"quad_perm:[1,0,3,2]", "quad_perm:[0,0,0,0]", "row_shl:1", "row_shr:3",
                    "row_ror:4", "row_mirror", "row_half_mirror", "row_share:5", "row_xmask:3"}) +
                e.word({" row_mask:0xf bank_mask:0xf", " row_mask:0xf bank_mask:0xf bound_ctrl:1",
                        " row_mask:0x3 bank_mask:0xf", " row_mask:0xf bank_mask:0x5"})
          : std::string("dpp8:[7,6,5,4,3,2,1,0]");
  switch (e.below(5)) {
  case 0:
    return e.inst(fmt::format("v_mov_b32_dpp {}, {} {}", vf(), vf(), control));
  case 1:
    return e.inst(fmt::format("v_add_f32_dpp {}, {}, {} {}", vf(), vf(), vf(), control));
  case 2:
    return e.inst(fmt::format("v_fmac_f32_dpp {}, {}, {} {}", vf(), vf(), vf(), control));
  case 3:
    return e.inst(fmt::format("v_add_nc_u32_dpp {}, {}, {} {}", vi(), vi(), vi(), control));
  default:
    return e.inst(fmt::format("v_mov_b32_dpp {}, {} {}", vi(), vi(), control));
  }
}

void Body::lanes() {
  if (!geometry_.isFull())
    return fmas();
  const bool ints = e.chance(40);
  const std::string a = ints ? vi() : vf(), b = ints ? vi() : vf();
  const std::string scalar = ints ? si() : sf(), t = v(r.temporary);
  switch (e.below(12)) {
  case 8:
    return e.inst(fmt::format("v_permlane64_b32 {}, {}", a, b));
  case 0:
    return e.inst(fmt::format("v_readlane_b32 {}, {}, {}", scalar, a, e.below(32)));
  case 1:
    e.inst(fmt::format("s_and_b32 {}, {}, 31", s(r.scratchScalar), si()));
    return e.inst(fmt::format("v_readlane_b32 {}, {}, {}", scalar, a, s(r.scratchScalar)));
  case 2:
  case 3:
    return e.inst(fmt::format("v_readfirstlane_b32 {}, {}", scalar, a));
  case 4:
    return e.inst(fmt::format("v_writelane_b32 {}, {}, {}", a, scalar, e.below(32)));
  case 5:
    return e.inst(fmt::format("v_permlane{}_b32 {}, {}, {}, {}{}", e.word({"16", "x16"}), a, b,
                              si(), si(), e.word({"", " op_sel:[1,0]", " op_sel:[1,1]"})));
  case 6:
    e.inst(fmt::format("v_lshlrev_b32_e32 {}, 2, {}", t, vi()));
    return e.memory(Queue::Lds, fmt::format("ds_{}_b32 {}, {}, {}", "bpermute", a, t, b), a);
  case 7:
    return e.memory(Queue::Lds,
                    fmt::format("ds_swizzle_b32 {}, {} offset:{}", a, b,
                                e.word({"swizzle(SWAP,8)", "swizzle(REVERSE,16)",
                                        "swizzle(QUAD_PERM,1,0,3,2)", "swizzle(BROADCAST,4,1)"})),
                    a);
  default:
    return dpp();
  }
}

} // namespace rdna::fuzz
