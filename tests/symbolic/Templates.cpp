// Text of instructions with random operands.

#include "Filler.h"
#include "Pool.h"

#include <fmt/format.h>

namespace rdna::test {
namespace {

using Pattern = std::initializer_list<const char *>;

const char *const kRelations[] = {"eq", "lg", "lt", "le", "gt", "ge"};

void addComparisons(std::vector<std::vector<std::string>> &patterns) {
  for (const char *relation : kRelations)
    for (const char *type : {"i32", "u32"}) {
      patterns.push_back({fmt::format("s_cmp_{}_{} {{c}}, {{d}}", relation, type)});
      patterns.push_back({fmt::format("s_cmp_{}_{} {{d}}, {{c}}", relation, type)});
      patterns.push_back(
          {fmt::format("s_cmpk_{}_{} {{s}}, {}", relation, type, type[0] == 'i' ? "{j}" : "{k}")});
    }
  patterns.push_back({"s_cselect_b32 {s}, {c}, {d}"});
}

const Pattern kScalar[] = {
    {"s_add_u32 {s}, {c}, {d}"},
    {"s_add_i32 {s}, {d}, {c}"},
    {"s_sub_u32 {s}, {c}, {d}"},
    {"s_sub_i32 {s}, {d}, {c}"},
    {"s_addc_u32 {s}, {c}, {d}"},
    {"s_mul_i32 {s}, {c}, {d}"},
    {"s_mul_hi_u32 {s}, {c}, {d}"},
    {"s_mul_hi_i32 {s}, {c}, {d}"},
    {"s_lshl_b32 {s}, {c}, {i}"},
    {"s_lshl_b32 {s}, {c}, {d}"},
    {"s_lshr_b32 {s}, {c}, {i}"},
    {"s_ashr_i32 {s}, {c}, 31"},
    {"s_ashr_i32 {s}, {c}, {i}"},
    {"s_lshl_b64 {S}, {D}, {i}"},
    {"s_lshl_b64 {S}, {D}, {d}"},
    {"s_lshl_b64 null, {S}, {i}"},
    {"s_mov_b64 null, {S}"},
    {"s_lshl1_add_u32 {s}, {c}, {d}"},
    {"s_lshl2_add_u32 {s}, {c}, {d}"},
    {"s_lshl3_add_u32 {s}, {d}, {c}"},
    {"s_lshl4_add_u32 {s}, {c}, {d}"},
    {"s_addk_i32 {s}, {j}"},
    {"s_mulk_i32 {s}, {j}"},
    {"s_movk_i32 {s}, {j}"},
    {"s_cmovk_i32 {s}, {j}"},
    {"s_cmov_b32 {s}, {c}"},
    {"s_mov_b32 {s}, {c}"},
    {"s_mov_b64 {S}, {D}"},
    {"s_mov_b32 m0, {c}"},
    {"s_not_b32 {s}, {c}"},
    {"s_min_u32 {s}, {c}, {d}"},
    {"s_max_u32 {s}, {c}, {d}"},
    {"s_subb_u32 {s}, {c}, {d}"},
    {"s_and_b32 {s}, {c}, {d}"},
    {"s_or_b32 {s}, {c}, {d}"},
    {"s_xor_b32 {s}, {c}, {d}"},
    {"s_and_not1_b32 {s}, {c}, {d}"},
    {"s_cselect_b64 {S}, {D}, {S}"},
    {"s_cmp_eq_u64 {D}, {S}"},
    {"s_cmp_lg_u64 {S}, {S}"},
    {"s_add_u32 {s0}, {s1}, {s2}", "s_addc_u32 {s}, {s}, {s}"},
    {"s_add_u32 s16, s18, s20", "s_addc_u32 s17, s19, s21"},
    {"s_add_u32 s18, s18, 0x80000000", "s_addc_u32 s19, s19, {d}"},
    {"s_add_u32 s20, s18, s16", "s_addc_u32 s21, s19, s17"},
    {"s_mov_b32 s19, 0", "s_lshl_b64 s[18:19], s[18:19], {i}"},
    {"s_ashr_i32 s21, s20, 31", "s_lshl_b64 s[20:21], s[20:21], {i}"},
    {"s_sub_u32 {s0}, {s1}, {c2}", "s_cselect_b32 {s0}, 0, {s0}"},
    {"s_sub_i32 {s0}, {s1}, {c2}", "s_cselect_b32 {s0}, 0x80000000, {s0}"},
    {"s_add_i32 exec_lo, {s}, {c}"},
    {"s_addk_i32 exec_lo, {j}"},
};

const Pattern kMasks[] = {
    {"s_mov_b32 exec_lo, {c}"},
    {"s_and_b32 exec_lo, exec_lo, {c}"},
    {"s_or_b32 exec_lo, exec_lo, {c}"},
    {"s_xor_b32 exec_lo, exec_lo, {c}"},
    {"s_and_not1_b32 exec_lo, exec_lo, {c}"},
    {"s_and_saveexec_b32 {s}, {c}"},
    {"s_or_saveexec_b32 {s}, {c}"},
    {"s_xor_saveexec_b32 {s}, {c}"},
    {"s_nand_saveexec_b32 {s}, {c}"},
    {"s_nor_saveexec_b32 {s}, {c}"},
    {"s_xnor_saveexec_b32 {s}, {c}"},
    {"s_and_not0_saveexec_b32 {s}, {c}"},
    {"s_and_not1_saveexec_b32 {s}, {c}"},
    {"s_or_not0_saveexec_b32 {s}, {c}"},
    {"s_or_not1_saveexec_b32 {s}, {c}"},
    {"s_and_not0_wrexec_b32 {s}, {c}"},
    {"s_and_not1_wrexec_b32 {s}, {c}"},
    {"s_and_saveexec_b32 exec_lo, {c}"},
    {"s_xor_saveexec_b32 {s0}, {s0}"},
    {"s_and_saveexec_b32 {s0}, {m1}", "v_add_nc_u32_e32 {v2}, {a}, {v}",
     "s_or_b32 exec_lo, exec_lo, {s0}"},
    {"s_and_saveexec_b32 {s0}, {m1}", "v_mov_b32_e32 {v2}, {a}", "s_xor_b32 exec_lo, exec_lo, {s0}",
     "v_mov_b32_e32 {v2}, {a}", "s_mov_b32 exec_lo, {s0}"},
    {"v_cmp_lt_u32_e64 {m0}, {b}, {v}", "s_or_b32 {s}, {m0}, exec_lo"},
    {"v_cmp_eq_u32_e64 {m0}, {b}, {v}", "s_and_b32 exec_lo, exec_lo, {m0}"},
    {"v_cmpx_gt_i32_e32 {a}, {v}"},
    {"v_cmpx_ne_u32_e64 {a}, {v}"},
    {"v_cmp_lt_f32_e32 vcc_lo, {a}, {v}"},
    {"v_cmp_class_f32_e64 {m}, {v}, {b}"},
    {"v_cmp_ge_i32_e64 exec_lo, {v}, {b}"},
};

const Pattern kCrossLane[] = {
    {"v_add_nc_u32_e32 {v}, {a}, {v}"},
    {"v_add_nc_u32_e64 {v}, {a}, {b}"},
    {"v_add_nc_u32_e64 {v}, {a}, {b} clamp"},
    {"v_sub_nc_u32_e32 {v}, {a}, {v}"},
    {"v_sub_nc_u32_e64 {v}, {v}, {a}"},
    {"v_subrev_nc_u32_e32 {v}, {a}, {v}"},
    {"v_add3_u32 {v}, {a}, {v}, {b}"},
    {"v_min3_i32 {v}, {a}, {v}, {v}"},
    {"v_med3_i32 {v}, {a}, {v}, {b}"},
    {"v_max3_i32 {v}, {v}, {v}, {b}"},
    {"v_min3_u32 {v}, {v}, {v}, {b}"},
    {"v_med3_u32 {v}, {a}, {v}, {v}"},
    {"v_max3_u32 {v}, {v}, {v}, {v}"},
    {"v_mul_lo_u32 {v}, {a}, {v}"},
    {"v_mad_u32_u24 {v}, {a}, {v}, {b}"},
    {"v_mul_u32_u24_e32 {v}, {a}, {v}"},
    {"v_mul_u32_u24_e64 {v}, {v}, {a}"},
    {"v_mul_i32_i24_e32 {v}, {a}, {v}"},
    {"v_lshlrev_b32_e32 {v}, {i}, {v}"},
    {"v_lshlrev_b32_e32 {v}, {a}, {v}"},
    {"v_lshrrev_b32_e32 {v}, {i}, {v}"},
    {"v_lshrrev_b32_e64 {v}, {v}, {a}"},
    {"v_ashrrev_i32_e32 {v}, 31, {v}"},
    {"v_ashrrev_i32_e32 {v}, {i}, {v}"},
    {"v_lshl_add_u32 {v}, {v}, {i}, {v}"},
    {"v_lshl_add_u32 {v}, {b}, {v}, {v}"},
    {"v_add_lshl_u32 {v}, {a}, {v}, {b}"},
    {"v_add_lshl_u32 {v}, {v}, {v}, {i}"},
    {"v_mul_hi_u32 {v}, {a}, {v}"},
    {"v_mul_hi_i32 {v}, {a}, {v}"},
    {"v_lshlrev_b64 {V}, {i}, {V}"},
    {"v_lshlrev_b64 {V}, {v}, {V}"},
    {"v_lshlrev_b64 {V}, {i}, {D}"},
    {"v_lshrrev_b64 {V}, {b}, {V}"},
    {"v_ashrrev_i64 {V}, {b}, {V}"},
    {"v_mad_u64_u32 {V}, {m}, {v}, {v}, {V}"},
    {"v_mad_u64_u32 {V}, null, {a}, {v}, {V}"},
    {"v_mad_u64_u32 {V}, null, {v}, {b}, {D}"},
    {"v_mad_i64_i32 {V}, {m}, {v}, {v}, {V}"},
    {"v_mad_i64_i32 {V}, null, {v}, {a}, {V}"},
    {"v_mad_i64_i32 {V}, {m}, {v}, {b}, {D}"},
    {"v_mad_u64_u32 {V}, {m}, {v}, {v}, {V} clamp"},
    {"v_add_co_u32 {v}, {m}, {a}, {v}"},
    {"v_add_co_u32 {v}, null, {b}, {v}"},
    {"v_add_co_ci_u32_e32 {v}, vcc_lo, {b}, {v}, vcc_lo"},
    {"v_add_co_ci_u32_e64 {v}, {m}, {b}, {v}, {m}"},
    {"v_sub_co_u32 {v}, {m}, {a}, {v}"},
    {"v_sub_co_ci_u32_e32 {v}, vcc_lo, {b}, {v}, vcc_lo"},
    {"v_add_co_u32 v0, vcc_lo, v2, v4", "v_add_co_ci_u32_e32 v1, vcc_lo, v3, v5, vcc_lo"},
    {"v_add_co_u32 v0, vcc_lo, s16, v0", "v_add_co_ci_u32_e64 v1, null, s17, v1, vcc_lo"},
    {"v_add_co_u32 v2, s16, v0, v4", "v_add_co_ci_u32_e64 v3, s16, v1, v5, s16",
     "v_add_co_ci_u32_e64 v6, s17, v6, v7, s16"},
    {"v_add_co_u32 {v}, s16, {v}, {b}", "s_and_b32 exec_lo, exec_lo, {m}",
     "v_add_co_ci_u32_e64 {v}, null, {v}, {b}, s16"},
    {"s_and_saveexec_b32 s18, {m}", "v_add_co_u32 {v}, s16, {v}, {b}", "s_mov_b32 exec_lo, s18",
     "v_add_co_ci_u32_e64 {v}, null, {v}, {b}, s16"},
    {"v_mov_b32_e32 v1, 0", "v_lshlrev_b64 v[0:1], {i}, v[0:1]"},
    {"v_ashrrev_i32_e32 v3, 31, v2", "v_lshlrev_b64 v[2:3], {i}, v[2:3]"},
    {"v_mad_u64_u32 v[0:1], null, {v0}, {v1}, 0", "v_mul_hi_u32 v2, {v0}, {v1}"},
    {"v_mov_b32_e32 {v}, {a}"},
    {"v_cndmask_b32_e32 {v}, {b}, {v}, vcc_lo"},
    {"v_cndmask_b32_e64 {v}, {b}, {v}, {m}"},
    {"v_and_b32_e32 {v}, {a}, {v}"},
    {"v_or_b32_e32 {v}, {a}, {v}"},
    {"v_swap_b32 {v}, {v}"},
    {"v_readlane_b32 {s}, {v}, {i}"},
    {"v_readlane_b32 {s}, {v}, {s}"},
    {"v_readfirstlane_b32 {s}, {v}"},
    {"v_writelane_b32 {v}, {s}, {i}"},
    {"v_writelane_b32 {v}, {s0}, {s0}"},
    {"v_permlane16_b32 {v}, {v}, {s0}, {s0}"},
    {"v_permlane16_b32 {v}, {v}, {s0}, {s0} op_sel:[1,0]"},
    {"v_permlane16_b32 {v}, {v}, {s0}, {s0} op_sel:[0,1]"},
    {"v_permlanex16_b32 {v}, {v}, {s0}, {s0}"},
    {"v_permlanex16_b32 {v}, {v}, {s0}, {s0} op_sel:[1,1]"},
    {"v_permlane64_b32 {v}, {v}"},
    {"v_mov_b32_dpp {v}, {v} {p}"},
    {"v_add_nc_u32_dpp {v}, {v}, {v} {p}"},
    {"v_mul_u32_u24_dpp {v}, {v}, {v} {p}"},
    {"v_cndmask_b32_dpp {v}, {v}, {v}, vcc_lo {p}"},
    {"v_add_co_ci_u32_dpp {v}, vcc_lo, {v}, {v}, vcc_lo {p}"},
    {"v_add_f32_dpp {v}, {v}, {v} {p}"},
    {"v_fmac_f32_dpp {v}, {v}, {v} {p}"},
    {"v_cmp_lt_i32_dpp vcc_lo, {v}, {v} {p}"},
    {"v_mov_b32_dpp {v}, {v} dpp8:[7,6,5,4,3,2,1,0]"},
    {"v_mov_b32_dpp {v}, {v} dpp8:[1,0,3,2,5,4,7,6] fi:1"},
};

const Pattern kFloats[] = {
    {"v_fma_f32 {v}, {v}, {v}, {v}"},
    {"v_fma_f32 {v}, {b}, {v}, {v}"},
    {"v_fma_f32 {v}, -{v}, {v}, |{v}|"},
    {"v_fma_f32 {v}, -|{v}|, -{v}, -{v}"},
    {"v_fma_f32 {v}, {v}, {v}, {v} clamp"},
    {"v_fma_f32 {v}, {v}, {v}, 1.0 mul:2"},
    {"v_fmac_f32_e32 {v}, {a}, {v}"},
    {"v_fmac_f32_e64 {v}, -{v}, {v}"},
    {"v_fmac_f32_e64 {v}, {v}, |{v}| clamp"},
    {"v_fmaak_f32 {v}, {b}, {v}, 0x40490fdb"},
    {"v_fmamk_f32 {v}, {b}, 0x40490fdb, {v}"},
    {"v_fmaak_f32 {v}, {v}, {v}, 0x7fc00000"},
    {"v_mul_f32_e32 {v}, {a}, {v}"},
    {"v_mul_f32_e64 {v}, {v}, -{v}"},
    {"v_add_f32_e32 {v}, {a}, {v}"},
    {"v_sub_f32_e32 {v}, {a}, {v}"},
    {"v_subrev_f32_e32 {v}, {a}, {v}"},
    {"v_mul_dx9_zero_f32_e32 {v}, {a}, {v}"},
    {"v_max_f32_e32 {v}, {a}, {v}"},
    {"v_min_f32_e32 {v}, {a}, {v}"},
    {"v_max_f32_e64 {v}, {v}, {a}"},
    {"v_dot2acc_f32_f16 {v}, {v}, {v}"},
    {"v_dual_fmac_f32 v0, {a}, v2 :: v_dual_fmac_f32 v1, v3, v5"},
    {"v_dual_mul_f32 v4, v0, v2 :: v_dual_add_f32 v3, v5, v7"},
    {"v_dual_sub_f32 v4, {a}, v2 :: v_dual_subrev_f32 v3, v1, v7"},
    {"v_dual_mov_b32 v4, v1 :: v_dual_mov_b32 v1, v4"},
    {"v_dual_cndmask_b32 v2, v1, v3 :: v_dual_add_nc_u32 v5, {b}, v4"},
    {"v_dual_max_f32 v2, v1, v3 :: v_dual_lshlrev_b32 v5, {i}, v4"},
    {"v_dual_min_f32 v2, v1, v3 :: v_dual_lshlrev_b32 v5, v6, v4"},
    {"v_dual_fmaak_f32 v2, v1, v3, 0x40490fdb :: v_dual_and_b32 v5, v6, v4"},
    {"v_dual_fmamk_f32 v2, v1, 0x40490fdb, v3 :: v_dual_and_b32 v5, {s}, v4"},
    {"v_dual_mul_dx9_zero_f32 v2, v1, v3 :: v_dual_dot2acc_f32_f16 v5, v6, v4"},
    {"v_dual_add_f32 v2, v1, v3 :: v_dual_fmac_f32 v3, v2, v4"},
    {"s_round_mode {i}"},
    {"s_denorm_mode 15"},
};

const Pattern kLdsAccesses[] = {
    {"ds_load_b32 {v}, v24"},
    {"ds_load_b32 {v}, v24 offset:4"},
    {"ds_load_b64 {V}, v24 offset:8"},
    {"ds_load_2addr_b32 {V}, v24 offset0:1 offset1:2"},
    {"ds_load_2addr_stride64_b32 {V}, v24 offset0:1 offset1:0"},
    {"ds_store_b32 v24, {v}"},
    {"ds_store_b32 v24, {v} offset:8"},
    {"ds_store_b64 v24, {V} offset:4"},
    {"ds_store_2addr_b32 v24, {v}, {v} offset0:1 offset1:2"},
    {"ds_store_2addr_b64 v24, {V}, {V} offset0:1 offset1:0"},
    {"v_add_nc_u32_e32 v24, 4, v24"},
    {"v_add_nc_u32_e32 v24, -8, v24"},
};

std::vector<std::vector<std::string>> fillAll(const std::vector<std::vector<std::string>> &patterns,
                                              uint64_t seed, unsigned instances) {
  Filler filler(seed);
  std::vector<std::vector<std::string>> result;
  for (const auto &pattern : patterns)
    for (unsigned n = 0; n < instances; ++n) {
      std::string whole;
      for (const std::string &line : pattern)
        whole += line + "\n";
      whole = filler.fill(whole);
      std::vector<std::string> lines;
      for (size_t at = 0; at < whole.size(); at = whole.find('\n', at) + 1)
        lines.push_back(whole.substr(at, whole.find('\n', at) - at));
      result.push_back(std::move(lines));
    }
  return result;
}

} // namespace

std::vector<std::vector<std::string>> modelledSequences(uint64_t seed, unsigned instances) {
  std::vector<std::vector<std::string>> patterns;
  addComparisons(patterns);
  const auto add = [&](const auto &list) {
    for (const Pattern &pattern : list)
      patterns.emplace_back(pattern.begin(), pattern.end());
  };
  add(kScalar);
  add(kMasks);
  add(kCrossLane);
  add(kFloats);
  add(kLdsAccesses);
  return fillAll(patterns, seed, instances);
}

std::vector<std::vector<std::string>> conditionSequences(uint64_t seed, unsigned instances) {
  std::vector<std::vector<std::string>> patterns;
  addComparisons(patterns);
  for (const char *line : {"s_add_i32 {s}, {s}, {c}", "s_sub_i32 {s}, {s}, {c}",
                           "s_add_u32 {s}, {s}, {i}", "s_addk_i32 {s}, {j}", "s_mov_b32 {s}, {c}",
                           "s_and_b32 {s}, {s}, {s}", "s_and_not1_b32 {s}, {s}, {c}"})
    patterns.push_back({line});
  patterns.push_back({"s_sub_u32 {s0}, {s1}, {c2}", "s_cselect_b32 {s0}, 0, {s0}"});
  patterns.push_back({"s_sub_i32 {s0}, {s1}, {i}", "s_cselect_b32 {s0}, 0x80000000, {s0}"});
  patterns.push_back({"s_cselect_b32 {s}, -1, 0"});
  patterns.push_back({"s_cselect_b32 {s}, 1, 0", "s_cmp_lg_u32 {s}, 0"});
  return fillAll(patterns, seed, instances);
}

} // namespace rdna::test
