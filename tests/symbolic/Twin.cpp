#include "Twin.h"

#include "diff/RandomCode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace rdna::test {

using verify::Value;

namespace {

constexpr uint32_t kCorners[] = {
    0,          1,          2,          0xffffffff, 0xfffffffe, 0x80000000, 0x7fffffff, 0x80000001,
    0x10000,    0xffff,     0x8000,     0x1000000,  0xffffff,   31,         32,         33,
    0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc00001, 0x00000007,
    0x807fffff, 0x00800000, 0x7f7fffff, 0x3c003c00, 0xfffffff0, 0x4f800000};

uint32_t word(Random &random) {
  switch (random.below(4)) {
  case 0:
    return static_cast<uint32_t>(random.next());
  case 1: // Floats near 1.
    return 0x3f000000u + static_cast<uint32_t>(random.next() >> 40);
  default:
    return kCorners[random.below(std::size(kCorners))];
  }
}

Concrete commonStart(Random &random) {
  Concrete start;
  for (emu::Lanes &row : start.v) {
    const bool isUniform = random.below(6) == 0;
    const uint32_t all = word(random);
    for (uint32_t &x : row.lane)
      x = isUniform ? all : word(random);
  }
  for (uint32_t &x : start.v[RegisterWindow::ldsAddress].lane)
    x = static_cast<uint32_t>(random.next()) & 0x3fc;
  for (uint32_t &x : start.s)
    x = word(random);
  start.s[emu::regNull] = 0;
  start.scc = random.below(2);
  start.mode = 0x3f0;
  start.lds.resize(kLdsBytes / 4);
  for (uint32_t &x : start.lds)
    x = static_cast<uint32_t>(random.next());
  return start;
}

bool isNan(uint32_t x) { return (x & 0x7fffffff) > 0x7f800000; }

} // namespace

Concrete randomStart(Random &random) {
  Concrete start = commonStart(random);
  uint32_t &exec = start.s[emu::regExec];
  const unsigned kind = random.below(8);
  exec = kind < 4 ? emu::fullExec : kind == 4 ? 0 : static_cast<uint32_t>(random.next());
  if (kind == 7)
    exec = 1u << random.below(32);
  if (random.below(8) == 0)
    start.mode = 0x300 | static_cast<uint32_t>(random.next() & 0xff);
  if (random.below(8) == 0)
    start.mode &= 0xff; // no IEEE mode
  return start;
}

Concrete nearbyStart(Random &random) {
  Concrete start = commonStart(random);
  constexpr uint32_t borders[] = {0, 8, 100, 0x7fffffff, 0x80000000, 0xffffffff};
  const uint32_t base = borders[random.below(std::size(borders))];
  for (uint32_t &x : start.s)
    x = (random.below(4) ? base : borders[random.below(std::size(borders))]) + random.below(9) - 4;
  start.s[emu::regNull] = 0;
  start.s[emu::regExec] = emu::fullExec;
  return start;
}

void Twin::forget() {
  values_.clear();
  meaning_.clear();
}

uint32_t Twin::scalar(RegUnit unit) {
  emu::Wave &w = pool_.wave();
  if (unit == kScc)
    return w.s[emu::regScc];
  return unit == kMode ? w.mode.bits : w.s[unit.number()];
}

/// The scalar registers that are looked at.
static const std::vector<RegUnit> &scalars() {
  static const std::vector<RegUnit> all = [] {
    std::vector<RegUnit> units;
    for (unsigned n = 0; n < 108; ++n)
      units.push_back(RegUnit::scalar(n));
    units.insert(units.end(), {kM0, kExecLo, kExecHi, kScc, kMode});
    return units;
  }();
  return all;
}

void Twin::begin(const Concrete &start) {
  emu::Wave &w = pool_.wave();
  std::copy(start.v.begin(), start.v.end(), w.v.begin());
  std::copy(start.s.begin(), start.s.end(), w.s.begin());
  w.s[emu::regScc] = start.scc;
  w.setMode(start.mode);
  std::memcpy(w.lds, start.lds.data(), kLdsBytes);
  trace_ = {};
  for (unsigned i = 0; i < kRegUnits; ++i)
    state_.reg[i] = values_.unknown(verify::Unknown::Register, i, 0);
  for (unsigned i = 0; i < verify::kSpaces; ++i)
    state_.memory[i] = values_.unknown(verify::Unknown::Memory, i, 0);
  before_ = start;
  std::array<uint32_t, kLanes> row;
  for (unsigned n = 0; n < kVgprs; ++n) {
    std::copy(std::begin(start.v[n].lane), std::end(start.v[n].lane), row.begin());
    meaning_.observe(state_.reg[n], row, kAllLanes);
  }
  for (const RegUnit unit : scalars()) {
    row.fill(scalar(unit));
    meaning_.observe(state_[unit], row, kAllLanes);
  }
}

bool Twin::compare(RegUnit unit, Value before, unsigned instruction) {
  std::array<uint32_t, kLanes> found;
  bool hasChanged = false;
  if (unit.isVgpr()) {
    const emu::Lanes &now = pool_.wave().v[unit.index];
    emu::Lanes &old = before_.v[unit.index];
    hasChanged = std::memcmp(&now, &old, sizeof now) != 0;
    if (hasChanged)
      old = now;
    std::copy(std::begin(now.lane), std::end(now.lane), found.begin());
  } else {
    const uint32_t now = scalar(unit);
    uint32_t &old = unit == kScc    ? before_.scc
                    : unit == kMode ? before_.mode
                                    : before_.s[unit.number()];
    hasChanged = now != old;
    old = now;
    found.fill(now);
  }
  if (!hasChanged && state_[unit] == before)
    return true;
  fault_ = meaning_.observe(state_[unit], found, kAllLanes);
  if (!fault_)
    return true;
  difference_ = fmt::format("{}: lane {} of {} is {:#x}, but its value is {:#x}: {}",
                            pool_.line(instruction), fault_->lane, toString(unit), fault_->found,
                            fault_->expected, values_.render(fault_->value));
  return false;
}

/// V_MIN and V_MAX hand one of two NaNs on, and which one depends on the order of the operands,
/// which a rewrite may change.
bool Twin::isChoiceOfNan(unsigned instruction) const {
  const Instruction &inst = pool_.instruction(instruction);
  const auto chooses = [](Op op) { return op == Op::v_min_f32 || op == Op::v_max_f32; };
  return (chooses(inst.op) || (inst.isVopd() && chooses(inst.opY))) && isNan(fault_->expected) &&
         isNan(fault_->found);
}

Twin::Outcome Twin::step(unsigned instruction) {
  const Instruction &inst = pool_.instruction(instruction);
  // With no active lane it would read lane 0 of a register that the proof takes to be of no use
  // (Machine.cpp, readsAllLanes).
  if (inst.op == Op::v_readfirstlane_b32 && scalar(kExecLo) == 0)
    return Outcome::Left;
  const verify::State before = state_;
  verify::Machine(pool_.module(), values_, state_, trace_, verify::Indices::MayWrap).execute(inst);
  if (!pool_.run(instruction))
    return Outcome::Left;
  bool isSame = true;
  for (unsigned n = 0; n < kVgprs && isSame; ++n)
    isSame = compare(RegUnit{static_cast<uint16_t>(n)}, before.reg[n], instruction);
  for (const RegUnit unit : scalars())
    isSame = isSame && compare(unit, before[unit], instruction);
  if (isSame)
    return Outcome::Same;
  if (!isChoiceOfNan(instruction))
    return Outcome::Different;
  ++payloadChoices_;
  return Outcome::Left;
}

} // namespace rdna::test
