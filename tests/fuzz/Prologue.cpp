// What a random kernel begins with: addresses, and a value for every register that may be read.

#include "Frame.h"

#include <algorithm>

namespace rdna::fuzz {

static void addresses(Emitter &e, const Frame &frame, const Registers &r, Convention convention) {
  const unsigned group = frame.userSgprs;
  e.memory(Queue::Scalar, fmt::format("s_load_b256 {}, s[0:1], 0x0", s(r.inputs[0], 8)),
           s(r.inputs[0], 8));
  e.memory(Queue::Scalar, fmt::format("s_load_b128 {}, s[0:1], 0x20", s(r.outInts, 4)),
           s(r.outInts, 4));
  e.memory(Queue::Scalar, fmt::format("s_load_b64 {}, s[0:1], 0x30", s(r.iterations, 2)),
           s(r.iterations, 2));
  e.memory(Queue::Scalar, fmt::format("s_load_b32 {}, s[0:1], 0x38", s(r.floatScalars[0])),
           s(r.floatScalars[0]));
  if (convention == Convention::Calls)
    e.inst("s_mov_b32 s32, 0");
  e.inst(fmt::format("v_lshlrev_b32_e32 {}, 9, v0", v(r.own)));
  e.inst(fmt::format("s_mul_i32 {}, s{}, {}", s(r.scratchScalar), group,
                     frame.geometry.block * laneBytes));
  e.inst(fmt::format("v_add_nc_u32_e32 {}, {}, {}", v(r.own), s(r.scratchScalar), v(r.own)));
  e.inst(fmt::format("v_lshlrev_b32_e32 {}, 4, v0", v(r.in)));
  e.inst(fmt::format("s_lshl_b32 {}, s{}, 6", s(r.scratchScalar), group));
  e.inst(fmt::format("v_add_nc_u32_e32 {}, {}, {}", v(r.in), s(r.scratchScalar), v(r.in)));
  e.inst(fmt::format("v_lshlrev_b32_e32 {}, 6, v0", v(r.lds)));
  e.inst(fmt::format("v_lshl_add_u32 {}, v0, 2, 0x2000", v(r.planar)));
  e.inst(fmt::format("v_add_co_u32 {}, vcc_lo, {}, {}", v(r.pointer), s(r.inputs[0]), v(r.in)));
  e.inst(fmt::format("v_add_co_ci_u32_e64 {}, null, {}, 0, vcc_lo", v(r.pointer + 1),
                     s(r.inputs[0] + 1)));
  e.inst(fmt::format("s_mov_b64 {}, {}", s(r.descriptor, 2), s(r.inputs[1], 2)));
  e.inst(fmt::format("s_mov_b32 {}, 0x4000", s(r.descriptor + 2)));
  e.inst(fmt::format("s_mov_b32 {}, 0x31004000", s(r.descriptor + 3)));
}

static void values(Emitter &e, const Registers &r) {
  for (const unsigned n : r.tuples)
    e.memory(Queue::Vector,
             fmt::format("global_load_b128 {}, {}, {} offset:{}", v(n, 4), v(r.in),
                         s(r.inputs[e.below(2)], 2), 16 * e.below(64)),
             v(n, 4));
  for (const unsigned n : r.floats) {
    const bool loaded = std::any_of(r.tuples.begin(), r.tuples.end(),
                                    [&](unsigned t) { return n >= t && n < t + 4; });
    if (!loaded && e.chance(50))
      e.memory(Queue::Vector,
               fmt::format("global_load_b32 {}, {}, {} offset:{}", v(n), v(r.in),
                           s(r.inputs[e.below(2)], 2), 4 * e.below(256)),
               v(n));
    else if (!loaded)
      e.inst(fmt::format("v_mov_b32_e32 {}, {}", v(n), e.word({"0", "1.0", "0.5", "0x3e99999a"})));
  }
  for (const unsigned n : r.ints)
    e.memory(Queue::Vector,
             fmt::format("global_load_b32 {}, {}, {} offset:{}", v(n), v(r.in), s(r.inputInts, 2),
                         4 * e.below(256)),
             v(n));
  for (const unsigned n : r.halves) {
    e.inst(fmt::format("v_mov_b32_e32 {}, 0x{:x}", v(n), 0x38003c00 + e.below(0x400)));
  }
  for (size_t n = 1; n < r.floatScalars.size(); ++n)
    e.memory(Queue::Scalar,
             fmt::format("s_load_b32 {}, {}, 0x{:x}", s(r.floatScalars[n]), s(r.inputs[0], 2),
                         4 * e.below(256)),
             s(r.floatScalars[n]));
  for (const unsigned n : r.intScalars)
    e.inst(fmt::format("s_mov_b32 {}, 0x{:x}", s(n), e.below(0x40000000)));
  for (const unsigned n : r.masks)
    e.inst(fmt::format("v_cmp_gt_i32_e64 {}, {}, {}", s(n), v(e.pick(r.ints)), v(e.pick(r.ints))));
}

static void lds(Emitter &e, const Frame &frame, const Registers &r) {
  const unsigned stride = frame.geometry.block > 64 ? 2 : 1, tuple = r.tuples[0];
  for (unsigned n = 0; n < 2; ++n)
    e.memory(Queue::Lds,
             fmt::format("ds_store_b128 {}, {} offset:{}", v(r.lds), v(tuple, 4), 16 * n));
  for (unsigned n = 0; n < 8; ++n)
    e.memory(Queue::Lds,
             fmt::format("ds_store_b32 {}, {} offset:{}", v(r.lds), v(e.pick(r.ints)), 32 + 4 * n));
  for (unsigned n = 0; n < 16; n += 2) {
    const auto &from = n < 8 ? r.floats : r.ints;
    e.memory(Queue::Lds, fmt::format("ds_store_2addr_stride64_b32 {}, {}, {} offset0:{} offset1:{}",
                                     v(r.planar), v(e.pick(from)), v(e.pick(from)), n * stride,
                                     (n + 1) * stride));
  }
}

void writePrologue(Emitter &e, const Frame &frame, const Registers &r, Convention convention) {
  addresses(e, frame, r, convention);
  values(e, r);
  lds(e, frame, r);
}

} // namespace rdna::fuzz
