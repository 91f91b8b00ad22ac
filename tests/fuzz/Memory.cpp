// LDS and global memory of random functions.

#include "Body.h"

#include <algorithm>

namespace rdna::fuzz {

void Body::ldsAccess() {
  switch (e.below(8)) {
  case 0:
  case 1:
    return ldsPlanar();
  case 2:
    return flavour_.atomics ? ldsAtomic() : ldsOwn(0);
  default:
    return ldsOwn(0);
  }
}

/// The lane's own 64 bytes: floats in the lower half, integers in the upper one.
void Body::ldsOwn(unsigned base) {
  const std::string at = v(r.lds);
  const unsigned t = tuple(), word = e.below(8);
  const auto offset = [&](unsigned bytes) { return fmt::format(" offset:{}", base + bytes); };
  switch (e.below(11)) {
  case 9: {
    const std::string to = v(t, 3);
    return e.memory(Queue::Lds,
                    fmt::format("ds_load_b96 {}, {}{}", to, at, offset(16 * (word % 2))), to);
  }
  case 0: {
    const std::string to = vf();
    return e.memory(Queue::Lds, fmt::format("ds_load_b32 {}, {}{}", to, at, offset(4 * word)), to);
  }
  case 1: {
    const std::string to = v(t, 2);
    return e.memory(Queue::Lds, fmt::format("ds_load_b64 {}, {}{}", to, at, offset(8 * (word % 4))),
                    to);
  }
  case 2: {
    const std::string to = v(t, 4);
    return e.memory(Queue::Lds,
                    fmt::format("ds_load_b128 {}, {}{}", to, at, offset(16 * (word % 2))), to);
  }
  case 3: {
    const std::string to = v(t, 2);
    return e.memory(
        Queue::Lds,
        fmt::format("ds_load_2addr_b32 {}, {} offset0:{} offset1:{}", to, at, word, e.below(8)),
        to);
  }
  case 4: {
    const std::string to = v(t, 4);
    return e.memory(
        Queue::Lds,
        fmt::format("ds_load_2addr_b64 {}, {} offset0:{} offset1:{}", to, at, word % 4, e.below(4)),
        to);
  }
  case 5:
    e.memory(Queue::Lds, fmt::format("ds_store_b32 {}, {}{}", at, vf(), offset(4 * word)));
    if (e.chance(60)) // A neighbour that could be merged.
      e.memory(Queue::Lds,
               fmt::format("ds_store_b32 {}, {}{}", at, vf(), offset(4 * ((word + 1) % 8))));
    return;
  case 6:
    return e.memory(Queue::Lds,
                    fmt::format("ds_store_b{} {}, {}{}", 64, at, v(t, 2), offset(8 * (word % 4))));
  case 7:
    return e.memory(Queue::Lds,
                    fmt::format("ds_store_b128 {}, {}{}", at, v(t, 4), offset(16 * (word % 2))));
  case 8: {
    const std::string to = vi();
    return e.memory(Queue::Lds,
                    fmt::format("ds_load_{} {}, {}{}", e.word({"u8", "i16", "b32", "u16"}), to, at,
                                offset(32 + 4 * word)),
                    to);
  }
  default:
    return e.memory(Queue::Lds, fmt::format("ds_store_{} {}, {}{}", e.word({"b8", "b16", "b32"}),
                                            at, vi(), offset(32 + 4 * word)));
  }
}

/// Planes of a dword for each lane: 0 to 7 hold floats, 8 to 15 integers.
void Body::ldsPlanar() {
  const std::string at = v(r.planar);
  const unsigned stride = geometry_.block > 64 ? 2 : 1; // In units of 64 dwords.
  const unsigned t = tuple(), a = e.below(8), b = e.below(8);
  switch (e.below(4)) {
  case 0:
    return e.memory(Queue::Lds,
                    fmt::format("ds_load_2addr_stride64_b32 {}, {} offset0:{} offset1:{}", v(t, 2),
                                at, a * stride, b * stride),
                    v(t, 2));
  case 1:
    return e.memory(Queue::Lds,
                    fmt::format("ds_store_2addr_stride64_b32 {}, {}, {} offset0:{} offset1:{}", at,
                                vf(), vf(), a * stride, b * stride));
  case 2:
    e.memory(Queue::Lds, fmt::format("ds_store_b32 {}, {} offset:{}", at, vf(), a * stride * 256));
    return e.memory(Queue::Lds, fmt::format("ds_store_b32 {}, {} offset:{}", at, vf(),
                                            (a + 1) % 8 * stride * 256));
  default: {
    const std::string to = vi();
    return e.memory(Queue::Lds,
                    fmt::format("ds_load_b32 {}, {} offset:{}", to, at, (8 + a) * stride * 256),
                    to);
  }
  }
}

void Body::ldsAtomic() {
  const std::string at = v(r.lds), value = vi(), to = vi();
  const unsigned offset = 32 + 4 * e.below(8);
  if (e.chance(50))
    return e.memory(Queue::Lds, fmt::format("ds_{} {}, {} offset:{}",
                                            e.word({"add_u32", "max_u32", "min_i32", "xor_b32",
                                                    "or_b32", "inc_u32", "sub_u32"}),
                                            at, value, offset));
  e.memory(Queue::Lds,
           fmt::format("ds_{} {}, {}, {} offset:{}",
                       e.word({"add_rtn_u32", "max_rtn_i32", "storexchg_rtn_b32", "and_rtn_b32"}),
                       to, at, value, offset),
           to);
}

void Body::globalLoad() {
  const unsigned t = r.temporary;
  const bool ints = e.chance(25);
  const unsigned base = ints ? r.inputInts : r.inputs[e.below(2)];
  const unsigned width = ints || e.below(3) ? 1 : 1 + e.below(4);
  const unsigned count = ints || e.chance(50) ? 1 : 1 + e.below(4);
  // Where: the lane's place, one more for each iteration, or anywhere.
  std::string index = v(r.in);
  const unsigned place = e.below(10);
  if (place < 4 && !steps_.empty()) {
    index = v(t);
    e.inst(fmt::format("v_lshl_add_u32 {}, {}, {}, {}", index, s(e.pick(steps_)), 4 + e.below(3),
                       v(r.in)));
  } else if (place == 4) {
    index = v(t);
    e.inst(fmt::format("v_and_b32_e32 {}, 0x3ff, {}", index, vi()));
    e.inst(fmt::format("v_lshlrev_b32_e32 {}, 2, {}", index, index));
  } else if (place == 5) {
    index = v(t);
    e.inst(fmt::format("v_lshrrev_b32_e32 {}, 23, {}", index, vi()));
    e.inst(fmt::format("v_lshl_add_u32 {}, {}, 2, {}", index, index, v(r.in)));
  }
  const unsigned way = e.below(12);
  Queue queue = Queue::Vector;
  std::string prefix = "global_load", where;
  if (way < 5 || (ints && way < 8)) {
    where = fmt::format("{}, {}", index, s(base, 2));
  } else if (way < 7) {
    where = fmt::format("{}, off", v(r.pointer, 2));
  } else if (way < 9) {
    const std::string pair = v(t + 2, 2);
    e.inst(fmt::format("v_add_co_u32 {}, vcc_lo, {}, {}", v(t + 2), s(base), index));
    e.inst(fmt::format("v_add_co_ci_u32_e64 {}, null, {}, 0, vcc_lo", v(t + 3), s(base + 1)));
    where = fmt::format("{}, off", pair);
  } else if (way == 9) {
    const std::string pair = v(t + 2, 2);
    e.inst(fmt::format("v_lshrrev_b32_e32 {}, 2, {}", v(t + 2), index));
    e.inst(e.chance(50) ? fmt::format("v_mov_b32_e32 {}, 0", v(t + 3))
                        : fmt::format("v_ashrrev_i32_e32 {}, 31, {}", v(t + 3), v(t + 2)));
    e.inst(fmt::format("v_lshlrev_b64 {}, 2, {}", pair, pair));
    e.inst(fmt::format("v_add_co_u32 {}, vcc_lo, {}, {}", v(t + 2), s(base), v(t + 2)));
    e.inst(fmt::format("v_add_co_ci_u32_e32 {}, vcc_lo, {}, {}, vcc_lo", v(t + 3), s(base + 1),
                       v(t + 3)));
    where = fmt::format("{}, off", pair);
  } else if (way == 10) {
    prefix = "flat_load";
    queue = Queue::Flat;
    where = v(r.pointer, 2);
  } else if (r.descriptor && !ints) {
    prefix = "buffer_load";
    where = fmt::format("{}, {}, 0 offen", index, s(r.descriptor, 4));
  } else {
    where = fmt::format("{}, {}", index, s(base, 2));
  }
  if (ints && (where.find("off") == std::string::npos || way >= 7)) {
    const std::string to = vi();
    const std::string kind = prefix + e.word({"_b32", "_u8", "_i16", "_b32", "_d16_b16"});
    if (kind.ends_with("d16_b16")) // Real-true16 assemblers want a whole register here.
      return e.memory(queue, fmt::format("{}_b32 {}, {} offset:4", prefix, to, where), to);
    return e.memory(queue, fmt::format("{} {}, {} offset:{}", kind, to, where, 4 * e.below(64)),
                    to);
  }
  std::vector<Emitter::Access> accesses;
  RegisterSet results;
  for (unsigned n = 0; n < count; ++n) {
    const std::string to = width == 1 ? vf() : v(tuple(), width);
    const RegisterSet fresh = registersOf(to);
    if (std::any_of(fresh.begin(), fresh.end(), [&](unsigned x) { return results.contains(x); }))
      continue;
    results.insert(fresh.begin(), fresh.end());
    accesses.push_back({fmt::format("{}_b{} {}, {} offset:{}{}", prefix, 32 * width, to, where,
                                    16 * e.below(32), e.word({"", "", "", "", " slc"})),
                        to});
  }
  e.memories(queue, accesses);
}

void Body::globalStore() {
  const unsigned width = e.below(3) ? 1 : 1 + e.below(4);
  const std::string offset = fmt::format(" offset:{}", 16 * e.below(8));
  if (e.chance(30))
    return e.memory(Queue::Store,
                    fmt::format("global_store_{} {}, {}, {}{}", e.word({"b32", "b8", "b16"}),
                                v(r.own), vi(), s(r.outInts, 2), offset));
  e.memory(Queue::Store,
           fmt::format("global_store_b{} {}, {}, {}{}", 32 * width, v(r.own),
                       width == 1 ? vf() : v(tuple(), width), s(r.outFloats, 2), offset));
  if (!e.chance(15))
    return;
  // Reads it back.
  e.drainStores();
  const std::string to = vf();
  e.memory(Queue::Vector,
           fmt::format("global_load_b32 {}, {}, {}{}", to, v(r.own), s(r.outFloats, 2), offset),
           to);
}

void Body::globalAtomic() {
  const std::string where = fmt::format("{}, {}", v(r.own), s(r.atomics, 2));
  const std::string value = vi(), to = vi();
  const unsigned offset = 4 * e.below(8);
  switch (e.below(4)) {
  case 0: { // All lanes at one place: nobody may see the order.
    const std::string t = v(r.temporary);
    e.inst(fmt::format("v_mov_b32_e32 {}, 64", t));
    return e.memory(Queue::Store, fmt::format("global_atomic_add_u32 {}, {}, {} offset:{}", t,
                                              value, s(r.atomics, 2), offset));
  }
  case 1:
    return e.memory(Queue::Store, fmt::format("global_atomic_{} {}, {}, {} offset:{}",
                                              e.word({"add_u32", "max_u32", "xor_b32", "min_i32"}),
                                              v(r.own), value, s(r.atomics, 2), 128 + offset));
  default:
    return e.memory(Queue::Vector,
                    fmt::format("global_atomic_{} {}, {}, {}, {} offset:{} glc",
                                e.word({"add_u32", "max_i32", "swap_b32", "and_b32", "sub_u32"}),
                                to, v(r.own), value, s(r.atomics, 2), 128 + offset),
                    to);
  }
}

/// A strength-reduced pointer goes on.
void Body::advance() {
  e.inst(fmt::format("v_add_co_u32 {}, vcc_lo, {}, 64", v(r.pointer), v(r.pointer)));
  e.inst(fmt::format("v_add_co_ci_u32_e{}", 64) +
         fmt::format(" {}, null, 0, {}, vcc_lo", v(r.pointer + 1), v(r.pointer + 1)));
}

void Body::storeAll(unsigned offset) {
  const auto store = [&](const std::string &value, unsigned base, unsigned at) {
    e.memory(Queue::Store,
             fmt::format("global_store_b32 {}, {}, {} offset:{}", v(r.own), value, s(base, 2), at));
  };
  const std::string t = v(r.temporary + 4);
  unsigned at = offset;
  for (const unsigned n : r.floats)
    store(v(n), r.outFloats, at), at += 4;
  for (const unsigned n : r.floatScalars) {
    e.inst(fmt::format("v_mov_b32_e32 {}, {}", t, s(n)));
    store(t, r.outFloats, at), at += 4;
  }
  for (const unsigned n : r.halves)
    for (const char *half : {"l", "h"}) {
      e.inst(fmt::format("v_cvt_f32_f16_e32 {}, {}.{}", t, v(n), half));
      store(t, r.outFloats, at), at += 4;
    }
  at = offset;
  for (const unsigned n : r.ints)
    store(v(n), r.outInts, at), at += 4;
  for (const std::vector<unsigned> *scalars : {&r.intScalars, &r.masks})
    for (const unsigned n : *scalars) {
      e.inst(fmt::format("v_mov_b32_e32 {}, {}", t, s(n)));
      store(t, r.outInts, at), at += 4;
    }
}

} // namespace rdna::fuzz
