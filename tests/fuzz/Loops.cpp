// Loops of random functions.

#include "Body.h"

#include <algorithm>

namespace rdna::fuzz {

struct Body::Counter {
  enum class Kind : uint8_t { Up, UpInverse, Down, ByFour, Immediate, Vector, Head } kind;
  unsigned sgpr = 0;
  std::string head, end, limit;
  bool advances = false;
  Pending entry;
  std::vector<Emitter::Access> pipelined; ///< Loads that are in flight around the loop.
};

static RegisterSet owed(const Pending &pending) {
  RegisterSet all;
  for (const Pending::Counter *counter : {&pending.vector, &pending.lds}) {
    all.insert(counter->old.begin(), counter->old.end());
    for (const Pending::Operation &op : counter->fresh)
      all.insert(op.registers.begin(), op.registers.end());
  }
  return all;
}

Body::Counter Body::beginLoop() {
  Counter c;
  c.kind = static_cast<Counter::Kind>(e.below(7));
  c.sgpr = r.counters.back();
  r.counters.pop_back();
  const unsigned most = loops_ > 0 ? 3 : 8;
  c.limit = loops_ == 0 && e.chance(50) ? s(r.iterations) : std::to_string(1 + e.below(most));
  if (c.kind == Counter::Kind::Immediate)
    c.limit = std::to_string(2 + e.below(most));
  if (c.kind == Counter::Kind::ByFour)
    c.limit = std::to_string(4 * (1 + e.below(most)));
  if (c.kind == Counter::Kind::Down)
    e.inst(fmt::format("s_mov_b32 {}, {}", s(c.sgpr), c.limit));
  else
    e.inst(fmt::format("s_mov_b32 {}, 0", s(c.sgpr)));
  c.advances = e.chance(25) && r.counters.size() > 2 && loops_ == 0;
  if (e.chance(30)) {
    const unsigned count = 1 + e.below(2);
    for (unsigned n = 0; n < count && n < r.tuples.size(); ++n) {
      const std::string to = v(r.tuples[n], e.chance(50) ? 4 : 1);
      const bool wide = to.find('[') != std::string::npos;
      c.pipelined.push_back({fmt::format("global_load_b{} {}, {}, {} offset:{}", wide ? 128 : 32,
                                         to, v(r.in), s(r.inputs[n % 2], 2), 16 * e.below(16)),
                             to});
    }
    e.memories(Queue::Vector, c.pipelined);
  } else if (e.chance(60)) {
    e.drain();
  }
  if (e.chance(50))
    e.settleTranscendentals();
  Pending &pending = e.pending();
  if (e.chance(30))
    pending.transcendentals.push_back({f()});
  for (Pending::Transcendental &t : pending.transcendentals)
    t.valuSince = t.transSince = 0;
  const Pending entry = pending;
  pending.join(entry);
  c.entry = pending;
  c.head = e.freshLabel();
  c.end = e.freshLabel();
  if (e.chance(15))
    e.raw("\t.p2align 6");
  e.label(c.head);
  if (c.kind == Counter::Kind::Head) {
    e.inst(fmt::format("s_cmp_ge_u32 {}, {}", s(c.sgpr), c.limit));
    e.inst("s_cbranch_scc1 " + c.end);
  }
  return c;
}

void Body::endLoop(const Counter &c) {
  if (c.advances)
    advance();
  if (!c.pipelined.empty())
    e.memories(Queue::Vector, c.pipelined);
  RegisterSet allowed = owed(c.entry);
  const auto order = [](const Pending::Counter &counter) {
    bool mixed = counter.oldOrder == Pending::Operation::Order::OutOfOrder;
    for (const Pending::Operation &op : counter.fresh)
      mixed |= op.order == Pending::Operation::Order::OutOfOrder;
    return mixed;
  };
  Pending &pending = e.pending();
  for (const auto counter : {&Pending::vector, &Pending::lds}) {
    // What the head does not know of must not come around: registers, or another order.
    const bool strange = order(pending.*counter) && !order(c.entry.*counter);
    RegisterSet late;
    Pending one;
    one.*counter = pending.*counter;
    RegisterSet known = (c.entry.*counter).old;
    for (const unsigned n : owed(one))
      if (strange || !known.contains(n))
        late.insert(n);
    e.settle(late);
  }
  const auto isKnown = [&](const Pending::Transcendental &t) {
    return std::any_of(c.entry.transcendentals.begin(), c.entry.transcendentals.end(),
                       [&](const auto &other) { return other.vgpr == t.vgpr; });
  };
  const auto &young = pending.transcendentals;
  if (!std::all_of(young.begin(), young.end(), isKnown))
    e.settleTranscendentals();
  using Kind = Counter::Kind;
  const std::string counter = s(c.sgpr);
  switch (c.kind) {
  case Kind::Up:
    e.inst(fmt::format("s_add_i32 {}, {}, 1", counter, counter));
    e.inst(fmt::format("s_cmp_lg_u32 {}, {}", counter, c.limit));
    break;
  case Kind::UpInverse:
    e.inst(fmt::format("s_add_u32 {}, {}, 1", counter, counter));
    e.inst(fmt::format("s_cmp_ge_u32 {}, {}", counter, c.limit));
    e.inst("s_cbranch_scc0 " + c.head);
    return;
  case Kind::Down:
    e.inst(fmt::format("s_add_i32 {}, {}, -1", counter, counter));
    e.inst(fmt::format("s_cmp_lg_u32 {}, 0", counter));
    break;
  case Kind::ByFour:
    e.inst(fmt::format("s_add_i32 {}, {}, 4", counter, counter));
    e.inst(fmt::format("s_cmp_lt_i32 {}, {}", counter, c.limit));
    break;
  case Kind::Immediate:
    e.inst(fmt::format("s_addk_i32 {}, 0x1", counter));
    e.inst(fmt::format("s_cmpk_lg_u32 {}, 0x{:x}", counter, std::stoi(c.limit)));
    break;
  case Kind::Vector:
    e.inst(fmt::format("s_add_i32 {}, {}, 1", counter, counter));
    e.inst(fmt::format("v_cmp_gt_u32_e64 vcc_lo, {}, {}", c.limit, counter));
    e.inst("s_cbranch_vccnz " + c.head);
    return;
  case Kind::Head:
    e.inst(fmt::format("s_add_i32 {}, {}, 1", counter, counter));
    e.inst("s_branch " + c.head);
    e.label(c.end);
    e.pending() = c.entry;
    return;
  }
  e.inst("s_cbranch_scc1 " + c.head);
}

void Body::loop(unsigned depth) {
  if (r.counters.size() < 2 || loops_ >= 2)
    return fmas();
  const Counter c = beginLoop();
  steps_.push_back(c.sgpr);
  ++loops_;
  // Half of the loops are one block.
  const unsigned inside = depth > 0 && e.chance(45) ? depth - 1 : 0;
  const unsigned count = 1 + e.below(6);
  if (e.chance(85))
    fmas();
  statements(count, inside);
  if (e.chance(50))
    fmas();
  if (e.chance(10))
    transcendental();
  --loops_;
  steps_.pop_back();
  endLoop(c);
  if (c.advances) { // Back, so that it stays in range however often the loop is entered.
    e.inst(fmt::format("v_add_co_u32 {}, vcc_lo, {}, {}", v(r.pointer), s(r.inputs[0]), v(r.in)));
    e.inst(fmt::format("v_add_co_ci_u32_e64 {}, null, {}, 0, vcc_lo", v(r.pointer + 1),
                       s(r.inputs[0] + 1)));
  }
  r.counters.push_back(c.sgpr);
}

} // namespace rdna::fuzz
