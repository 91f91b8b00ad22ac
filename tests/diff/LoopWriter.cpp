#include "LoopWriter.h"

#include <algorithm>
#include <iterator>

namespace rdna::test {

void LoopWriter::placeAddress(unsigned v) {
  // Often such that some iteration reaches the end of LDS.
  const uint32_t somewhere = (next(3) ? next(ldsBytes_ / 2) : ldsBytes_ - 400 + next(300)) / 4 * 4;
  switch (next(9)) {
  case 0:
    return line("v_mov_b32 v{}, {:#x}", v, somewhere);
  case 1: // As the lanes of a tiled product read.
    line("v_and_b32 v{0}, 28, v255\n\tv_lshlrev_b32 v{0}, {1}, v{0}", v, next(3));
    return line("v_add_nc_u32 v{0}, {1:#x}, v{0}", v, somewhere);
  case 2:
    line("v_lshrrev_b32 v{0}, 5, v255\n\tv_lshlrev_b32 v{0}, {1}, v{0}", v, 2 + next(6));
    return line("v_add_nc_u32 v{0}, {1:#x}, v{0}", v, somewhere);
  case 3:
    return line("v_lshlrev_b32 v{}, {}, v255", v, next(3));
  case 4:
    return line("v_sub_nc_u32 v{}, {:#x}, v255", v, 124 + somewhere);
  case 5: // On no boundary.
    return line("v_add_nc_u32 v{}, {}, v255", v, next(8));
  case 6: // Anywhere close together; far apart.
    line("v_and_b32 v{}, {:#x}, v{}", v, next(2) ? 0x3cu : 0x7cu, laneInput);
    return line("v_add_nc_u32 v{0}, {1:#x}, v{0}", v, somewhere);
  case 7:
    return line("v_and_b32 v{}, {:#x}, v{}", v, next(4) ? 0xfcu : 0xffu, laneInput);
  default: // Up to the end of LDS in some iteration.
    return line("v_sub_nc_u32 v{}, {:#x}, v255", v, ldsBytes_ - 4 - 4 * next(8));
  }
}

void LoopWriter::setUp() {
  constexpr uint32_t sizes[] = {1024, 1024, 2048, 2048, 700, 516, 1180, 4096, 65536};
  ldsBytes_ = sizes[next(std::size(sizes))];
  constexpr uint32_t iterations[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 23, 40};
  iterations_ = iterations[next(std::size(iterations))];
  usedAddresses_ = 1 + next(addresses);
  usedSums_ = next(4) ? sums : 4 + 2 * next(8);
  wild_ = next(8) == 0;
  alone_ = next(6) == 0;
  highHalves_ = next(12) == 0;
  line("s_mov_b32 m0, {}", next(4));
  for (unsigned n = 0; n < loaded; ++n)
    line("v_mov_b32 v{}, v{}", firstLoaded + n, 1 + n % 16);
  for (unsigned n = 0; n < constants; ++n)
    line("v_mov_b32 v{}, v{}", firstConstant + n, laneInput + n % floatInputs);
  for (unsigned n = 0; n < sums; ++n)
    line("v_xor_b32 v{}, {}, v{}", firstSum + n, n, 1 + next(16));
  for (unsigned n = 0; n < scalars; ++n)
    line("s_mov_b32 s{}, {:#x}", firstScalar + n, n < 3 ? 4 * next(16) : uint32_t(random_()));
  line("s_mov_b32 vcc_lo, {:#x}", uint32_t(random_()));
  line("s_movk_i32 s34, {}", next(4) ? 1 : 3);
  text_ += ".Lpass:\n"; // Every wave stores what the others read, and other values in every pass.
  for (uint32_t at = 0; at + 128 <= ldsBytes_ && at < 4096; at += 128)
    line("ds_store_b32 v255, v{} offset:{}", 1 + at / 128 % ldsInputs, at);
  line("v_mov_b32 v1, v{}\n\tv_mov_b32 v3, v{}", firstSum, firstSum + 2);
  line("s_waitcnt lgkmcnt(0)\n\ts_barrier");
  for (unsigned n = 0; n < addresses; ++n)
    placeAddress(firstAddress + n);
  line("s_mov_b32 s20, {}", iterations_);
  // MODE other than the usual one and inactive lanes now and then.
  if (next(24) == 0)
    line("s_round_mode {}\n\ts_denorm_mode {}", next(16), next(16));
  if (next(24) == 0)
    line("s_mov_b32 exec_lo, {:#x}", uint32_t(random_()));
}

void LoopWriter::load() {
  const unsigned from = wild_ && !next(40) ? loadedRegister() : address();
  // Over its own address, or over another's.
  auto to = [&](unsigned count) {
    return wild_ && !next(8) ? firstAddress + next(addresses) : loadedRegister(count);
  };
  const uint32_t offset = next(8) ? 4 * next(40) : next(4) ? 8 * next(64) : next(65536);
  const unsigned first = next(next(8) ? 12 : 256), second = next(next(8) ? 12 : 256);
  auto range = [&](unsigned count) {
    const unsigned v = to(count);
    return fmt::format("v[{}:{}]", v, v + count - 1);
  };
  switch (next(8)) {
  case 0:
  case 1:
    return line("ds_load_b32 v{}, v{} offset:{}", to(1), from, offset);
  case 2:
    return line("ds_load_b64 {}, v{} offset:{}", range(2), from, offset);
  case 3:
    return line("ds_load_b96 {}, v{} offset:{}", range(3), from, offset);
  case 4:
    return line("ds_load_b128 {}, v{} offset:{}", range(4), from, offset);
  case 5:
    return line("ds_load_2addr_b32 {}, v{} offset0:{} offset1:{}", range(2), from, first,
                next(4) ? second : first);
  case 6:
    return line("ds_load_2addr_b64 {}, v{} offset0:{} offset1:{}", range(4), from, first / 2,
                next(4) ? second / 2 : first / 2);
  default:
    if (next(2))
      return line("ds_load_2addr_stride64_b32 {}, v{} offset0:{} offset1:{}", range(2), from,
                  next(3), next(3));
    return line("ds_load_2addr_stride64_b64 {}, v{} offset0:{} offset1:{}", range(4), from, next(2),
                next(2));
  }
}

void LoopWriter::moveAddress() {
  const unsigned v = address(), other = address();
  switch (next(wild_ ? 12 : 9)) {
  case 0:
  case 1:
  case 2:
    return line("v_add_nc_u32 v{0}, {1}, v{0}", v,
                oneOf("4", "8", "16", "32", "64", "-4", "-16", "1", "0x80"));
  case 3:
  case 4:
    return line("v_add_nc_u32 v{0}, s{1}, v{0}", v, firstScalar + next(3));
  case 5:
    return line("v_add_nc_u32 v{}, {}, v{}", v, oneOf("4", "-8", "s22"), other);
  case 6:
    return line("v_and_b32 v{0}, {1:#x}, v{0}", v, next(2) ? 0x1fcu : 0x7cu);
  case 7:
    return line("v_mov_b32 v{}, v{}", v, other);
  case 8:
    return line("v_dual_mov_b32 v{}, v{} :: v_dual_add_nc_u32 v{}, {}, v{}", v / 2 * 2, v / 2 * 2,
                v / 2 * 2 + 1, oneOf("4", "12", "s21"), v / 2 * 2 + 1);
  case 9:
    return line("v_add_nc_u32 v{0}, 0x7ffffff0, v{0}", v);
  case 10:
    return line("v_and_b32 v{}, 0xfc, v{}", v, anyRegister());
  default:
    return line("v_sub_nc_u32 v{}, v{}, v{}", v, v, other);
  }
}

void LoopWriter::accumulate() {
  const unsigned a = anyRegister(), b = anyRegister(), v = result();
  switch (next(12)) {
  case 0: { // Two in one instruction: registers of different banks, an even and an odd result.
    const unsigned x = firstSum + 2 * next(usedSums_ / 2);
    const unsigned y = firstSum + 2 * next(usedSums_ / 2) + 1;
    const unsigned first = loadedRegister(2), second = loadedRegister(2);
    return line("v_dual_fmac_f32 v{}, v{}, v{} :: v_dual_fmac_f32 v{}, v{}, v{}", x, first, second,
                y, first + 1, second + 1);
  }
  case 1:
    return line("v_fmac_f16 {}, {}, {}", half(v), half(a), half(b));
  case 2:
    return line("v_pk_fma_f16 v{0}, v{1}, v{2}, v{0}", v, a, b);
  case 3: {
    const unsigned d = sumPair(), x = pair(), y = next(2) ? pair() : sumPair();
    return line("v_fma_f64 v[{0}:{1}], v[{2}:{3}], v[{4}:{5}], v[{0}:{1}]", d, d + 1, x, x + 1, y,
                y + 1);
  }
  case 4:
    return line("v_mad_u32_u24 v{0}, v{1}, v{2}, v{0}", v, a, b);
  case 5:
    return line("v_dot2_f32_f16 v{0}, v{1}, v{2}, v{0}", v, a, b);
  case 6:
    return line("v_add3_u32 v{0}, v{1}, {2}, v{0}", v, a, operand());
  default:
    return line("v_fmac_f32 v{}, {}, v{}", v, operand(), b);
  }
}

void LoopWriter::compute() {
  const unsigned a = anyRegister(), b = anyRegister(), v = result();
  switch (next(20)) {
  case 0:
    return line("v_cndmask_b32 v{}, {}, v{}, {}", v, oneOf("1.0", fmt::format("v{}", a)), b,
                oneOf("vcc_lo", scalar()));
  case 1:
    return line("v_div_fmas_f32 v{}, v{}, v{}, v{}", v, a, b, a);
  case 2:
    return line("v_mbcnt_lo_u32_b32 v{}, {}, v{}", v, scalar(), b);
  case 3: {
    const unsigned d = sumPair(), x = pair();
    return line("v_lshlrev_b64 v[{}:{}], {}, v[{}:{}]", d, d + 1,
                oneOf("3", "35", fmt::format("v{}", a)), x, x + 1);
  }
  case 4:
    return line("v_max3_f32 v{}, v{}, v{}, {}", v, a, b, operand());
  case 5:
    return line("v_perm_b32 v{}, v{}, v{}, {}", v, a, b, operand());
  case 6:
    return line("v_mov_b32 v{}, {}", v, operand());
  case 7:
    return line("v_add_f16 {}, {}, {}", half(v), half(a), half(b));
  case 8:
    return line("v_cvt_f32_f16 v{}, {}", v, half(a));
  case 9:
    return line("v_cvt_f16_f32 {}, v{}", half(v), a);
  case 10:
    return line("v_exp_f32 v{}, v{}", v, a);
  case 11:
    return line("v_pk_add_u16 v{}, v{}, v{}", v, a, b);
  case 12:
    return line("v_rcp_f32 v{}, v{}", v, a);
  case 13:
    return line("v_mul_hi_u32 v{}, v{}, {}", v, a, operand());
  case 14: {
    const unsigned d = sumPair();
    return line("v_cvt_f64_f32 v[{}:{}], v{}", d, d + 1, a);
  }
  case 15: // Exchanges two registers.
    return line("v_dual_mov_b32 v{0}, v{1} :: v_dual_mov_b32 v{1}, v{0}", v / 2 * 2, v / 2 * 2 + 1);
  case 16:
    return line("v_mul_f32 v{}, {}, v{}", v, operand(), b);
  case 17:
    return line("v_min_f32 v{}, {}, v{}", v, operand(), b);
  case 18:
    return line("v_bfe_i32 v{}, v{}, {}, v{}", v, a, oneOf("4", "s25"), b);
  default:
    return line("v_xor_b32 v{}, {}, v{}", v, operand(), b);
  }
}

void LoopWriter::moveScalar() {
  const std::string s = fmt::format("s{}", firstScalar + 3 + next(scalars - 3));
  switch (next(7)) {
  case 0:
    return line("s_add_u32 s{0}, s{0}, {1}", firstScalar + next(3), oneOf("4", "8", "-4"));
  case 1:
    return line("s_lshl_b32 {0}, {0}, 1", s);
  case 2:
    return line("s_xor_b32 vcc_lo, vcc_lo, {}", s);
  case 3:
    return line("s_not_b32 {}, {}", s, scalar());
  case 4:
    return line("s_addc_u32 {}, {}, vcc_lo", s, scalar());
  case 5:
    return line("s_mul_i32 {0}, {0}, 0x41c64e6d", s);
  default:
    return line("s_cselect_b32 {}, {}, {}", s, scalar(), scalar());
  }
}

/// What the interpreter's handlers do between the deferred operations, and masks.
void LoopWriter::stayAlone() {
  const unsigned a = anyRegister(), b = anyRegister(), v = result();
  switch (next(12)) {
  case 0:
    return line("ds_store_b32 v{}, v{} offset:{}", address(), a, 4 * next(16));
  case 1:
    return line("v_cmp_gt_f32 {}, v{}, v{}", oneOf("vcc_lo", "s25"), a, b);
  case 2:
    return line("v_readfirstlane_b32 s{}, v{}", firstScalar + 3 + next(4), a);
  case 3:
    return line("v_fma_f32 v{0}, -v{1}, |v{2}|, v{0} clamp", v, a, b);
  case 4:
    return line("v_add_co_u32 v{}, vcc_lo, v{}, v{}", v, a, b);
  case 5:
    return line("v_sub_co_ci_u32 v{}, vcc_lo, v{}, v{}, vcc_lo", v, a, b);
  case 6:
    return line("v_movrels_b32 v{}, v{}", v, loadedRegister());
  case 7:
    return line("v_movreld_b32 v{}, v{}", loadedRegister(), b);
  case 8:
    return line("ds_load_u16_d16_hi v{}, v{} offset:{}", next(2) ? sum() : loadedRegister(),
                address(), 2 * next(16));
  case 9:
    return line("ds_bpermute_b32 v{}, v{}, v{}", loadedRegister(), address(), b);
  case 10:
    return line("v_swap_b32 v{}, v{}", sum(), loadedRegister());
  default:
    return line("v_div_scale_f32 v{}, vcc_lo, v{}, v{}, v{}", v, a, a, b);
  }
}

void LoopWriter::loop() {
  enum class Part : uint8_t { Load, Address, Compute, Accumulate, Scalar, Alone };
  std::vector<Part> parts;
  auto add = [&](Part part, uint32_t count) { parts.insert(parts.end(), count, part); };
  add(Part::Load, next(8));
  add(Part::Address, next(5));
  add(Part::Compute, next(4) ? next(3) : 10);
  add(Part::Accumulate, 16 + next(next(16) ? 12 : 150));
  add(Part::Scalar, next(5));
  add(Part::Alone, alone_ ? 1 + next(4) : 0);
  std::shuffle(parts.begin(), parts.end(), random_);
  text_ += ".Lloop:\n";
  for (Part part : parts)
    switch (part) {
    case Part::Load:
      load();
      break;
    case Part::Address:
      moveAddress();
      break;
    case Part::Compute:
      compute();
      break;
    case Part::Accumulate:
      accumulate();
      break;
    case Part::Scalar:
      moveScalar();
      break;
    case Part::Alone:
      stayAlone();
      break;
    }
  line("s_sub_u32 s20, s20, 1");
  switch (next(4)) {
  case 0:
    return line("s_cmp_eq_u32 s20, 0\n\ts_cbranch_scc0 .Lloop");
  case 1:
    return line("s_mov_b32 vcc_lo, s20\n\ts_cbranch_vccnz .Lloop");
  default:
    return line("s_cmp_lg_u32 s20, 0\n\ts_cbranch_scc1 .Lloop");
  }
}

Snippet LoopWriter::write() {
  setUp();
  loop();
  line("s_cselect_b32 s31, 1, 0\n\ts_mov_b32 exec_lo, -1\n\ts_round_mode 0\n\ts_denorm_mode 15");
  line("s_barrier\n\ts_sub_u32 s34, s34, 1\n\ts_cmp_lg_u32 s34, 0\n\ts_cbranch_scc1 .Lpass");
  // More results than a snippet stores, four rows at a time.
  unsigned end = firstSum + sums;
  for (unsigned n = 0; n < scalars + 1; ++n)
    line("v_mov_b32 v{}, s{}", end++, firstScalar + n);
  line("v_mov_b32 v{}, vcc_lo", end++);
  const unsigned rows = end - firstAddress;
  static_assert((firstSum + sums + scalars + 2 - firstAddress) % 4 == 0);
  line("v_lshlrev_b32 v255, 2, v255\n\tv_bfe_u32 v252, v0, 5, 5\n"
       "\tv_mul_u32_u24 v252, {}, v252\n\tv_add_nc_u32 v255, v252, v255",
       sizeof(Row) * rows);
  for (unsigned v = firstAddress; v < end; v += 4)
    line("global_store_b128 v255, v[{}:{}], s[4:5]\n\tv_add_nc_u32 v255, {}, v255", v, v + 3,
         4 * sizeof(Row));
  const unsigned waves = next(4) ? 1 : 3;
  Snippet s;
  s.body = text_;
  s.lanes = 32 * waves;
  s.outputs = 0;
  s.ownRows = rows * waves;
  s.directives += fmt::format("\t.amdhsa_group_segment_fixed_size {}\n", ldsBytes_);
  constexpr uint32_t corners[] = {0,          0x80000000, 1,          0x807fffff, 0x7f800000,
                                  0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x7fc12345,
                                  0xbf800000, 0x7fffffff, 0xffffffff, 0x3c007c01, 0x7e017c01};
  for (unsigned n = 0; n < 16; ++n)
    s.inputs.push_back(byLane([&](uint32_t) {
      const auto r = uint32_t(random_());
      return r % 8 == 0  ? corners[r / 8 % std::size(corners)]
             : r % 8 < 6 ? 0x3f000000u + (r >> 8) // Floats near 1.
                         : uint32_t(random_());
    }));
  return s;
}

} // namespace rdna::test
