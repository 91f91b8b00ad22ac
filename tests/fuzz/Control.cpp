// Which statement comes next; branches and barriers.

#include "Body.h"

#include <algorithm>

namespace rdna::fuzz {

void Body::statements(unsigned count, unsigned depth) {
  for (unsigned n = 0; n < count; ++n)
    statement(depth);
}

void Body::statement(unsigned depth) {
  struct Choice {
    unsigned weight;
    std::function<void()> write;
  };
  const bool branches = depth > 0;
  const bool uniform = flow_ == Flow::Uniform && geometry_.isPowerOfTwo();
  const std::vector<Choice> choices = {
      {flavour_.fmas, [&] { fmas(); }},
      {flavour_.integers, [&] { integers(); }},
      {flavour_.halves, [&] { halves(); }},
      {flavour_.transcendentals, [&] { transcendental(); }},
      {flavour_.compares, [&] { compare(); }},
      {flavour_.scalars, [&] { scalars(); }},
      {flavour_.lanes, [&] { lanes(); }},
      {flavour_.lds, [&] { ldsAccess(); }},
      {flavour_.loads, [&] { globalLoad(); }},
      {flavour_.stores, [&] { globalStore(); }},
      {flavour_.atomics, [&] { globalAtomic(); }},
      {flavour_.scalarLoads, [&] { scalarLoad(); }},
      {flavour_.moves, [&] { moves(); }},
      {branches ? flavour_.ifs : 0, [&] { divergentIf(depth); }},
      {branches ? flavour_.ifs / 2 : 0, [&] { uniformIf(depth); }},
      {branches ? flavour_.ifs / 3 : 0, [&] { loop(depth); }},
      {uniform ? flavour_.barriers : 0, [&] { exchange(); }},
      {r.wmma && flow_ == Flow::Uniform ? flavour_.wmma : 0, [&] { wmma(); }},
      {call && depth > 0 ? flavour_.calls : 0, [&] { call(); }},
  };
  unsigned total = 0;
  for (const Choice &choice : choices)
    total += choice.weight;
  unsigned at = e.below(std::max(total, 1u));
  for (const Choice &choice : choices) {
    if (at < choice.weight)
      return choice.write();
    at -= choice.weight;
  }
}

void Body::divergentIf(unsigned depth) {
  if (r.counters.size() < 2)
    return fmas();
  const std::string saved = s(r.counters.back());
  const unsigned kept = r.counters.back();
  r.counters.pop_back();
  const Flow outer = flow_;
  flow_ = Flow::Divergent;
  const unsigned count = 1 + e.below(4);
  const std::string condition = e.chance(25) ? fmt::format("{}, {}", s(r.zero), v(r.in)) // Nobody.
                                : e.chance(60)
                                    ? fmt::format("{}, {}", vi(), vi())
                                    : fmt::format("{}, {}", 16 * (1 + e.below(60)), v(r.in));
  const std::string compare = condition.starts_with(s(r.zero) + ",") ? "gt_u32" : "gt_i32";
  const std::string end = e.freshLabel(), other = e.freshLabel();
  const unsigned way = e.below(7);
  if (way < 3) {
    e.inst(fmt::format("v_cmp_{}_e32 vcc_lo, {}", compare, condition));
    e.inst(fmt::format("s_and_saveexec_b32 {}, vcc_lo", saved));
    const bool hasElse = way == 2;
    if (hasElse)
      e.inst(fmt::format("s_xor_b32 {}, exec_lo, {}", saved, saved));
    e.inst("s_cbranch_execz " + (hasElse ? other : end));
    const Pending before = e.pending();
    statements(count, depth - 1);
    e.pending().join(before);
    if (hasElse) {
      e.label(other);
      e.inst(fmt::format("s_and_not1_saveexec_b32 {}, {}", saved, saved));
      e.inst("s_cbranch_execz " + end);
      const Pending middle = e.pending();
      statements(1 + e.below(2), depth - 1);
      e.pending().join(middle);
    }
    e.label(end);
    e.inst(fmt::format("s_or_b32 exec_lo, exec_lo, {}", saved));
  } else {
    e.inst(fmt::format("s_mov_b32 {}, exec_lo", saved));
    if (way < 5) {
      e.inst(fmt::format("v_cmpx_{}_e32 {}", compare, condition));
    } else {
      e.inst(fmt::format("v_cmp_{}_e32 vcc_lo, {}", compare, condition));
      e.inst(fmt::format("s_{}_b32 exec_lo, exec_lo, vcc_lo", e.word({"and", "and_not1"})));
    }
    const Pending before = e.pending();
    const bool jumps = e.chance(50);
    if (jumps)
      e.inst("s_cbranch_execz " + end);
    statements(count, depth - 1);
    if (jumps) {
      e.pending().join(before);
      e.label(end);
    }
    e.inst(e.chance(70) ? fmt::format("s_mov_b32 exec_lo, {}", saved)
                        : fmt::format("s_or_b32 exec_lo, exec_lo, {}", saved));
  }
  flow_ = outer;
  r.counters.push_back(kept);
}

void Body::uniformIf(unsigned depth) {
  const Flow outer = flow_;
  flow_ = Flow::Divergent; // Waves of a workgroup need not agree.
  const std::string end = e.freshLabel();
  if (e.chance(80)) {
    e.inst(fmt::format("s_cmp_{} {}, {}", e.word({"lt_i32", "lg_u32", "eq_u32", "ge_u32"}), si(),
                       e.chance(50) ? si() : std::to_string(e.below(64))));
    e.inst(fmt::format("s_cbranch_scc{} {}", e.below(2), end));
  } else {
    e.inst(fmt::format("v_cmp_{}_i32_e32 vcc_lo, {}, {}", e.word({"lt", "eq"}), vi(), vi()));
    e.inst(fmt::format("s_cbranch_vcc{} {}", e.word({"z", "nz"}), end));
  }
  const Pending before = e.pending();
  statements(1 + e.below(4), depth - 1);
  e.pending().join(before);
  if (e.chance(15)) { // Something that nothing leads to.
    e.inst("s_branch " + end);
    const Pending leaving = e.pending();
    e.inst(fma());
    e.inst(fma());
    e.pending().join(leaving); // Waits that nothing leads to are none.
  }
  e.label(end);
  flow_ = outer;
}

void Body::exchange() {
  const unsigned stride = geometry_.block > 64 ? 512 : 256, count = 1 + e.below(4);
  const auto barrier = [&] {
    e.drain();
    if (e.chance(40))
      e.drainStores();
    e.inst("s_barrier");
    if (e.chance(40))
      e.raw("\tbuffer_gl0_inv");
  };
  ldsPlanar();
  barrier();
  for (unsigned n = 0; n < count; ++n) {
    const std::string t = v(r.temporary + n % 4), to = vf();
    e.inst(fmt::format("v_and_b32_e32 {}, {}, {}", t, geometry_.block - 1, vi()));
    e.inst(fmt::format("v_lshlrev_b32_e32 {}, 2, {}", t, t));
    e.memory(Queue::Lds,
             fmt::format("ds_load_b32 {}, {} offset:{}", to, t, 8192 + e.below(8) * stride), to);
  }
  if (e.chance(60))
    fmas();
  barrier();
}

} // namespace rdna::fuzz
