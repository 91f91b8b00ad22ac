#include "Emu/Check/IndexWrap.h"

#include "Emu/GroupRunner.h"

#include <fmt/format.h>

namespace rdna::emu {
namespace {

constexpr unsigned scalarUnits = 256; ///< Where the scalar file begins (Isa/Register.h).

bool isScalar(const Inst &op) { return op.op->shape == Shape::Salu; }

} // namespace

void IndexWrapCheck::groupBegins(const GroupView &group) {
  if (rules_.empty())
    findRules();
  waves_.clear();
  waves_.resize(group.waves.size());
}

void IndexWrapCheck::findRules() {
  rules_.resize(context_.program.plans().size());
  for (const InstPlan &plan : context_.program.plans())
    for (const Inst *op = plan.first; op->offset == plan.offset && op->op; ++op) {
      // With clamp, op_sel or DPP it is another operation.
      const IndexRule rule = op->simple && !op->clamp ? indexRule(op->op->op) : IndexRule::None;
      if (rule != IndexRule::None)
        rules_[plan.number].push_back({op, rule});
    }
}

IndexTerm IndexWrapCheck::vgpr(Wave &w, const Shadow &shadow, unsigned n, unsigned lane) {
  IndexTerm term{w.vgpr(n).lane[lane], {}};
  if (n < 256 && shadow.dirty.has(n))
    term.cell = (*shadow.vgpr[n])[lane];
  return term;
}

IndexTerm IndexWrapCheck::scalar(const Wave &w, const Shadow &shadow, unsigned n) {
  IndexTerm term{w.s[n], {}};
  if (n < shadow.scalar.size())
    term.cell = shadow.scalar[n];
  return term;
}

IndexTerm IndexWrapCheck::source(Wave &w, const Shadow &shadow, const Source &s, unsigned lane,
                                 unsigned dword) {
  switch (s.kind) {
  case SourceKind::Vgpr:
    return vgpr(w, shadow, s.index + dword, lane);
  case SourceKind::Scalar:
    return scalar(w, shadow, s.index + dword);
  case SourceKind::Constant:
    return constantTerm(uint32_t(s.constant >> 32 * dword));
  case SourceKind::None:
    break;
  }
  return {};
}

IndexOperands IndexWrapCheck::operands(Wave &w, const Shadow &shadow, const Step &step,
                                       unsigned lane) const {
  const Inst &op = *step.op;
  IndexOperands in;
  for (unsigned k = 0; k < 3; ++k)
    in.term[k] = source(w, shadow, op.src[k], lane, 0);
  if (isScalar(op))
    in.carry = w.s[regScc] != 0;
  else if (op.op->readsMask)
    in.carry = w.s[op.maskSrc] >> lane & 1;
  switch (step.rule) {
  case IndexRule::Move64:
  case IndexRule::Shift64:
    in.high = source(w, shadow, op.src[0], lane, 1);
    break;
  case IndexRule::Shift64Rev:
    in.high = source(w, shadow, op.src[1], lane, 1);
    break;
  case IndexRule::Mad64:
  case IndexRule::MadSigned64:
    in.high = source(w, shadow, op.src[2], lane, 1);
    break;
  case IndexRule::Select:
    if (isScalar(op)) // S_CSELECT chooses its first source by SCC, V_CNDMASK its second.
      in.carry ^= 1;
    break;
  case IndexRule::Select64: {
    const Source &chosen = op.src[in.carry ? 0 : 1];
    in.term[0] = source(w, shadow, chosen, lane, 0);
    in.high = source(w, shadow, chosen, lane, 1);
    break;
  }
  default:
    break;
  }
  return in;
}

void IndexWrapCheck::follow(Wave &w, Shadow &shadow, const Step &step) {
  const Inst &op = *step.op;
  const auto lane32 = [&](const Source &s) { return source(w, shadow, s, 0, 0).value & 31; };
  switch (step.rule) {
  case IndexRule::FirstLane: {
    const unsigned lane = w.exec() ? unsigned(__builtin_ctz(w.exec())) : 0;
    return stage(scalarUnits + op.dst, 0, source(w, shadow, op.src[0], lane, 0).cell);
  }
  case IndexRule::ReadLane:
    return stage(scalarUnits + op.dst, 0, source(w, shadow, op.src[0], lane32(op.src[1]), 0).cell);
  case IndexRule::WriteLane: // One lane, whatever EXEC is: a clean cell must replace what is there.
    if (op.dst < 256)
      staged_.push_back({op.dst, lane32(op.src[1]), source(w, shadow, op.src[0], 0, 0).cell});
    return;
  default:
    break;
  }
  const bool scalarResult = isScalar(op);
  const unsigned unit = scalarResult ? scalarUnits + op.dst : op.dst;
  if (!scalarResult && unit >= 256) // A half of a VOPD that waits in a row of its own.
    return;
  for (unsigned lane = 0; lane < (scalarResult ? 1 : laneCount); ++lane) {
    if (!scalarResult && !(w.exec() >> lane & 1))
      continue;
    const IndexResult r = evaluate(step.rule, operands(w, shadow, step, lane));
    stage(unit, lane, r.low);
    if (makesPair(step.rule) && (scalarResult || unit < 255))
      stage(unit + 1, lane, r.high);
  }
}

bool IndexWrapCheck::staysClean(Wave &w, const Step &step) {
  const Inst &op = *step.op;
  struct Reader {
    const uint32_t *lanes = nullptr;
    int64_t uniform = 0;
  };
  std::array<Reader, 3> readers;
  for (unsigned k = 0; k < 3; ++k) {
    const Source &s = op.src[k];
    if (s.kind == SourceKind::Vgpr)
      readers[k].lanes = w.vgpr(s.index).lane;
    else if (s.kind == SourceKind::Scalar)
      readers[k].uniform = w.s[s.index];
    else if (s.kind == SourceKind::Constant)
      readers[k].uniform = int32_t(s.constant);
  }
  const bool salu = isScalar(op);
  const uint32_t mask = !salu && op.op->readsMask ? w.s[op.maskSrc] : 0;
  for (uint32_t left = salu ? 1 : w.exec(); left; left &= left - 1) {
    const auto lane = unsigned(__builtin_ctz(left));
    std::array<int64_t, 3> in;
    for (unsigned k = 0; k < 3; ++k)
      in[k] = readers[k].lanes ? readers[k].lanes[lane] : readers[k].uniform;
    if (!emu::staysClean(step.rule, in, salu ? w.s[regScc] != 0 : mask >> lane & 1))
      return false;
  }
  return true;
}

void IndexWrapCheck::clear(Shadow &shadow, const RegSet &written, uint32_t exec) {
  RegSet left = written;
  for (int found; (found = left.firstCommon(shadow.dirty)) >= 0;) {
    const auto unit = unsigned(found);
    left.remove(unit);
    bool dirty = false;
    if (unit >= scalarUnits)
      shadow.scalar[unit - scalarUnits] = {};
    else
      for (unsigned l = 0; l < laneCount; ++l) {
        IndexCell &cell = (*shadow.vgpr[unit])[l];
        if (exec >> l & 1)
          cell = {};
        dirty |= !cell.clean();
      }
    if (!dirty)
      shadow.dirty.remove(unit);
  }
}

void IndexWrapCheck::put(Shadow &shadow, const Staged &staged) {
  if (staged.unit >= scalarUnits) {
    if (staged.unit - scalarUnits >= shadow.scalar.size())
      return; // NULL and where it goes.
    shadow.scalar[staged.unit - scalarUnits] = staged.cell;
  } else {
    std::unique_ptr<Row> &row = shadow.vgpr[staged.unit];
    if (!row && staged.cell.clean())
      return;
    if (!row)
      row = std::make_unique<Row>();
    (*row)[staged.lane] = staged.cell;
  }
  if (!staged.cell.clean())
    shadow.dirty.add({RegUnit{uint16_t(staged.unit)}, 1});
}

void IndexWrapCheck::before(Record &record) {
  Wave &w = record.wave();
  const InstPlan &plan = *record.plan();
  Shadow &shadow = waves_[w.number];
  if (plan.memory == MemoryClass::Flat || plan.memory == MemoryClass::FlatAddTid)
    for (const LaneAccess &access : record.accesses().all())
      if (access.space == LaneAccess::Space::Global)
        checkAddress(w, shadow, plan, access);
  staged_.clear();
  bool clears = true;
  const bool dirty = plan.reads.intersects(shadow.dirty);
  for (const Step &step : rules_[plan.number]) {
    if (dirty || !staysClean(w, step))
      follow(w, shadow, step);
    clears &= step.rule != IndexRule::WriteLane;
  }
  if (clears && plan.writes.intersects(shadow.dirty))
    clear(shadow, plan.writes, w.exec());
  for (const Staged &staged : staged_)
    put(shadow, staged);
}

static std::string text(int64_t exact) {
  return exact == beyond64 ? "more than 64 bits" : fmt::format("{}", exact);
}

static std::string describe(const char *what, uint32_t value, int64_t meant) {
  if (meant == int64_t(value)) // Only a sign extension makes it wrong.
    return fmt::format("{} is {}, but only those below 2^31 keep their value where the sign is "
                       "extended",
                       what, value);
  return fmt::format("{} is {}, but {} without wrapping", what, value, text(meant));
}

static std::string describe(const IndexTerm &low, const IndexTerm &high, uint64_t address) {
  for (const IndexTerm *half : {&high, &low})
    if (half->cell.namesIndex())
      return describe("an index of the address", half->cell.index, half->cell.meant);
  const int64_t off = exactMul(deviation(low, high), int64_t(1) << 32);
  const int64_t meant = exactSub(int64_t(address), off);
  return meant == beyond64
             ? fmt::format("the address is {:#x}, but beyond 64 bits without wrapping", address)
             : fmt::format("the address is {:#x}, but {}{:#x} without wrapping", address,
                           meant < 0 ? "-" : "", meant < 0 ? 0 - uint64_t(meant) : uint64_t(meant));
}

void IndexWrapCheck::checkAddress(Wave &w, const Shadow &shadow, const InstPlan &plan,
                                  const LaneAccess &access) {
  const Inst &op = *plan.first;
  const unsigned first = access.lanes ? unsigned(__builtin_ctz(access.lanes)) : laneCount;
  if (op.hasBase && first < laneCount) {
    const IndexTerm low = scalar(w, shadow, op.base), high = scalar(w, shadow, op.base + 1u);
    if (deviation(low, high) != 0) {
      const uint64_t base = low.value | uint64_t(high.value) << 32;
      report(w, plan, access, first, "in the scalar base, " + describe(low, high, base));
      return;
    }
  }
  if (plan.memory == MemoryClass::FlatAddTid ||
      (!shadow.dirty.has(op.addr) && (op.hasBase || !shadow.dirty.has(op.addr + 1u))))
    return;
  for (unsigned lane = first; lane < laneCount; ++lane) {
    if (!(access.lanes >> lane & 1))
      continue;
    const IndexTerm low = vgpr(w, shadow, op.addr, lane);
    if (op.hasBase) {
      if (!low.holds())
        report(w, plan, access, lane, describe("the 32-bit offset", low.value, low.exact()));
      continue;
    }
    const IndexTerm high = vgpr(w, shadow, op.addr + 1u, lane);
    if (deviation(low, high) != 0)
      report(w, plan, access, lane, describe(low, high, low.value | uint64_t(high.value) << 32));
  }
}

void IndexWrapCheck::report(const Wave &w, const InstPlan &plan, const LaneAccess &access,
                            unsigned lane, std::string message) {
  Occurrence s{};
  s.check = Check::IndexWrap;
  s.rule = "wrapped-index";
  s.offset = plan.offset;
  s.wave = w.number;
  s.lane = lane;
  s.address = access.at[lane];
  context_.log.add(std::move(s), [&](Occurrence &occurrence) {
    occurrence.place = describePlace(context_.launch, access.space, access.at[lane]);
    occurrence.message = std::move(message);
    occurrence.fix = "a rewrite that assumed no-index-wrap is wrong here; rerun dualfmac-sched "
                     "without --assume";
  });
}

std::unique_ptr<Listener> createIndexWrapCheck(CheckContext &context) {
  return std::make_unique<IndexWrapCheck>(context);
}

} // namespace rdna::emu
