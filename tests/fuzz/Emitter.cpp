#include "Emitter.h"

#include <algorithm>
#include <cctype>

namespace rdna::fuzz {

static std::string reg(char file, unsigned n, unsigned dwords) {
  return dwords == 1 ? fmt::format("{}{}", file, n)
                     : fmt::format("{}[{}:{}]", file, n, n + dwords - 1);
}
std::string v(unsigned n, unsigned dwords) { return reg('v', n, dwords); }
std::string s(unsigned n, unsigned dwords) { return reg('s', n, dwords); }

static bool isWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

static unsigned number(std::string_view text, size_t &at) {
  unsigned value = 0;
  for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])); ++at)
    value = 10 * value + static_cast<unsigned>(text[at] - '0');
  return value;
}

RegisterSet registersOf(std::string_view text) {
  RegisterSet found;
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    const char file = text[i];
    if ((file != 'v' && file != 's') || (i > 0 && isWordPart(text[i - 1])))
      continue;
    size_t at = i + 1;
    unsigned first = 0, last = 0;
    if (text[at] == '[') {
      first = number(text, ++at);
      last = first;
      if (at < text.size() && text[at] == ':')
        last = number(text, ++at);
    } else if (std::isdigit(static_cast<unsigned char>(text[at]))) {
      first = last = number(text, at);
    } else {
      continue;
    }
    for (unsigned n = first; n <= last; ++n)
      found.insert(file == 'v' ? n : 256 + n);
  }
  return found;
}

static bool overlaps(const RegisterSet &a, const RegisterSet &b) {
  return std::any_of(a.begin(), a.end(), [&](unsigned n) { return b.contains(n); });
}

using Order = Pending::Operation::Order;

static void forget(Pending::Counter &counter) {
  for (const Pending::Operation &op : counter.fresh) {
    counter.old.insert(op.registers.begin(), op.registers.end());
    if (op.order == Order::OutOfOrder)
      counter.oldOrder = Order::OutOfOrder;
  }
  counter.fresh.clear();
}

static void join(Pending::Counter &into, Pending::Counter from) {
  forget(into);
  forget(from);
  into.old.insert(from.old.begin(), from.old.end());
  if (from.oldOrder == Order::OutOfOrder)
    into.oldOrder = Order::OutOfOrder;
}

void Pending::join(const Pending &other) {
  fuzz::join(vector, other.vector);
  fuzz::join(lds, other.lds);
  stores = std::max(stores, other.stores);
  transcendentals.insert(transcendentals.end(), other.transcendentals.begin(),
                         other.transcendentals.end());
}

/// The count that is enough for the registers, or -1 if none of them owes anything.
static int countFor(const Pending::Counter &counter, const RegisterSet &registers) {
  bool mixed = counter.oldOrder == Order::OutOfOrder;
  for (const Pending::Operation &op : counter.fresh)
    mixed |= op.order == Order::OutOfOrder;
  for (size_t i = counter.fresh.size(); i-- > 0;)
    if (overlaps(counter.fresh[i].registers, registers))
      return mixed ? 0 : static_cast<int>(counter.fresh.size() - 1 - i);
  if (overlaps(counter.old, registers))
    return mixed ? 0 : static_cast<int>(counter.fresh.size());
  return -1;
}

static void apply(Pending::Counter &counter, int count) {
  if (count < 0)
    return;
  bool mixed = counter.oldOrder == Order::OutOfOrder;
  for (const Pending::Operation &op : counter.fresh)
    mixed |= op.order == Order::OutOfOrder;
  if (mixed && count > 0)
    return;
  const auto left = static_cast<size_t>(count);
  if (counter.fresh.size() >= left) {
    counter.fresh.erase(counter.fresh.begin(), counter.fresh.end() - static_cast<ptrdiff_t>(left));
    counter.old.clear();
    counter.oldOrder = Order::InOrder;
  }
}

void Emitter::writeWaits(int vector, int lds) {
  if (vector > 0 && chance(25))
    vector = static_cast<int>(below(static_cast<uint32_t>(vector) + 1));
  if (lds > 0 && chance(25))
    lds = static_cast<int>(below(static_cast<uint32_t>(lds) + 1));
  vector = std::min(vector, 63);
  lds = std::min(lds, 63);
  if (vector >= 0 && lds < 0 && chance(10))
    lds = 0;
  if (lds >= 0 && vector < 0 && chance(10))
    vector = 0;
  apply(pending_.vector, vector);
  apply(pending_.lds, lds);
  if (vector >= 0 && chance(12)) {
    raw(fmt::format("\ts_waitcnt_vmcnt null, 0x{:x}", vector));
    vector = -1;
  }
  if (lds >= 0 && chance(12)) {
    raw(fmt::format("\ts_waitcnt_lgkmcnt null, 0x{:x}", lds));
    lds = -1;
  }
  if (vector >= 0 && lds >= 0 && chance(70)) {
    raw(fmt::format("\ts_waitcnt vmcnt({}) lgkmcnt({})", vector, lds));
    return;
  }
  if (vector >= 0)
    raw(fmt::format("\ts_waitcnt vmcnt({})", vector));
  if (lds >= 0)
    raw(fmt::format("\ts_waitcnt lgkmcnt({})", lds));
}

void Emitter::waitFor(const RegisterSet &registers) {
  const int vector = countFor(pending_.vector, registers);
  const int lds = countFor(pending_.lds, registers);
  if (vector >= 0 || lds >= 0)
    writeWaits(vector, lds);
}

void Emitter::settle(const RegisterSet &registers) { waitFor(registers); }

void Emitter::drain() {
  if (!pending_.vector.empty() || !pending_.lds.empty())
    writeWaits(pending_.vector.empty() ? -1 : 0, pending_.lds.empty() ? -1 : 0);
}

void Emitter::drainStores() {
  raw("\ts_waitcnt_vscnt null, 0x0");
  pending_.stores = 0;
}

void Emitter::settleAllBut(const RegisterSet &registers) {
  RegisterSet owed;
  for (Pending::Counter *counter : {&pending_.vector, &pending_.lds}) {
    Pending::Counter all = *counter;
    forget(all);
    for (const unsigned n : all.old)
      if (!registers.contains(n))
        owed.insert(n);
  }
  waitFor(owed);
}

void Emitter::settleTranscendentals() {
  if (!pending_.transcendentals.empty())
    raw("\ts_waitcnt_depctr 0xfff");
  pending_.transcendentals.clear();
}

void Emitter::decorate() {
  if (chance(superfluousWaits))
    switch (below(6)) {
    case 0:
      writeWaits(0, -1);
      break;
    case 1:
      writeWaits(-1, 0);
      break;
    case 2:
      raw("\ts_waitcnt_vscnt null, 0x0");
      pending_.stores = 0;
      break;
    case 3:
      raw("\ts_waitcnt_expcnt null, 0x0");
      break;
    case 4:
      raw("\ts_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)");
      apply(pending_.vector, 0);
      apply(pending_.lds, 0);
      break;
    default:
      raw("\ts_waitcnt_depctr 0xfff");
      pending_.transcendentals.clear();
    }
  if (!chance(hints))
    return;
  switch (below(8)) {
  case 0:
    raw(fmt::format("\ts_nop {}", below(8)));
    break;
  case 1:
    raw(fmt::format("\ts_setprio {}", below(4)));
    break;
  case 2:
    raw(fmt::format("\ts_sleep {}", below(3)));
    break;
  case 3:
    raw(fmt::format("\ts_delay_alu instid0(VALU_DEP_{}) | instskip(NEXT) | instid1(VALU_DEP_{})",
                    1 + below(4), 1 + below(4)));
    break;
  default:
    raw(fmt::format("\ts_delay_alu instid0({})",
                    word({"VALU_DEP_1", "VALU_DEP_2", "SALU_CYCLE_1", "TRANS32_DEP_1"})));
  }
}

static bool isTranscendental(std::string_view text) {
  for (const char *name : {"v_rcp_", "v_rsq_", "v_sqrt_", "v_exp_", "v_log_", "v_sin_", "v_cos_"})
    if (text.starts_with(name))
      return true;
  return false;
}

void Emitter::beforeValu(const RegisterSet &touched) {
  for (const Pending::Transcendental &t : pending_.transcendentals)
    if (touched.contains(t.vgpr)) {
      settleTranscendentals();
      return;
    }
}

void Emitter::afterValu(const std::string &text) {
  const bool trans = isTranscendental(text);
  auto &all = pending_.transcendentals;
  for (Pending::Transcendental &t : all) {
    ++t.valuSince;
    t.transSince += trans;
  }
  std::erase_if(all, [](const auto &t) { return t.valuSince >= 6 || t.transSince >= 2; });
  if (trans) {
    const size_t comma = text.find(',');
    for (const unsigned n : registersOf(text.substr(0, comma)))
      if (n < 256)
        all.push_back({n});
  }
}

void Emitter::inst(const std::string &text) {
  const RegisterSet touched = registersOf(text);
  waitFor(touched);
  const bool valu = text.starts_with("v_");
  if (valu && gate_ == Gate::Cmpx && text.find("permlane") != std::string::npos)
    inst("v_mov_b32_e32 v255, v255");
  decorate();
  if (valu)
    beforeValu(touched);
  raw("\t" + text);
  if (valu)
    afterValu(text);
  if (valu)
    gate_ = text.starts_with("v_cmpx") ? Gate::Cmpx : Gate::Other;
}

void Emitter::memory(Queue queue, const std::string &text, const std::string &results) {
  waitFor(registersOf(text));
  decorate();
  raw("\t" + text);
  if (queue != Queue::Scalar)
    pending_.transcendentals.clear(); // They wait for the VALU.
  const RegisterSet owed = registersOf(results);
  if (queue == Queue::Vector)
    pending_.vector.fresh.push_back({owed});
  if (queue == Queue::Flat) {
    pending_.vector.fresh.push_back({owed, Order::OutOfOrder});
    pending_.lds.fresh.push_back({owed, Order::OutOfOrder});
  }
  if (queue == Queue::Lds)
    pending_.lds.fresh.push_back({owed});
  if (queue == Queue::Scalar) // Two of the counter if more than a dword: only "all" is used.
    pending_.lds.fresh.push_back({owed, Order::OutOfOrder});
  pending_.stores += queue == Queue::Store;
}

void Emitter::memories(Queue queue, const std::vector<Access> &accesses) {
  if (accesses.size() < 2 || accesses.size() > 32 || !chance(clauses)) {
    for (const Access &access : accesses)
      memory(queue, access.text, access.results);
    return;
  }
  RegisterSet all;
  for (const Access &access : accesses)
    all.merge(registersOf(access.text));
  waitFor(all);
  // An access of the clause that touches what an earlier one brings would need a wait in it.
  raw(fmt::format("\ts_clause 0x{:x}", accesses.size() - 1));
  const unsigned oldHints = hints, oldWaits = superfluousWaits;
  hints = superfluousWaits = 0;
  for (const Access &access : accesses)
    memory(queue, access.text, access.results);
  hints = oldHints;
  superfluousWaits = oldWaits;
}

} // namespace rdna::fuzz
