#include "Verify/KnownValues.h"

#include "Asm/Effects.h"
#include "Asm/Lane.h"
#include "Isa/OpTraits.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <bit>

namespace rdna::verify {

bool isKnown(const KnownValue &value) {
  return !value.bits.empty() &&
         llvm::all_of(value.known, [](uint8_t known) { return known == KnownValue::kAll; });
}

std::optional<uint32_t> asNumber(const KnownValue &value) {
  if (!isKnown(value) || !llvm::all_equal(value.bits))
    return std::nullopt;
  return value.bits.front();
}

static KnownRef made(KnownValue value) {
  return std::make_shared<const KnownValue>(std::move(value));
}

static KnownRef unknown() {
  static const KnownRef value = made({});
  return value;
}

static KnownRef uniform() {
  static const KnownRef value = made({.bits = {}, .known = {}, .isUniform = true});
  return value;
}

KnownRef settled(KnownValue value) {
  if (asNumber(value))
    value.isUniform = true;
  if (llvm::none_of(value.known, [](uint8_t known) { return known != 0; })) {
    value.bits.clear();
    value.known.clear();
  }
  return made(std::move(value));
}

KnownRef joined(const KnownRef &a, const KnownRef &b, Waves waves) {
  if (a == b || *a == *b)
    return a;
  KnownValue result;
  // If the waves go the same way, it is one of the two in all of them.
  result.isUniform = waves == Waves::Together && a->isUniform && b->isUniform;
  result.kernarg = a->kernarg == b->kernarg ? a->kernarg : KnownValue::Kernarg::No;
  if (a->bits.size() == b->bits.size()) {
    result.bits = a->bits;
    result.known = a->known;
    for (size_t i = 0; i < result.bits.size(); ++i)
      result.known[i] = a->known[i] == KnownValue::kAll && b->known[i] == KnownValue::kAll &&
                        a->bits[i] == b->bits[i];
  }
  return settled(std::move(result));
}

/// The bytes of a launch's arguments that hold the workgroup's size.
static std::map<int64_t, uint8_t> sizesPassed(const Function &function,
                                              const WorkgroupShape &shape) {
  std::map<int64_t, uint8_t> bytes;
  for (const ArgumentField &argument : function.arguments)
    for (unsigned d = 0; d < shape.size(); ++d)
      if (argument.size == 2 && argument.valueKind == std::string("hidden_group_size_") + "xyz"[d])
        for (unsigned b = 0; b < argument.size; ++b)
          bytes[argument.offset + b] = static_cast<uint8_t>(shape[d] >> (8 * b));
  return bytes;
}

KnownValues::KnownValues(const Function &function, const WorkgroupShape &shape)
    : items_(shape[0] * shape[1] * shape[2]),
      passed_(std::make_shared<const std::map<int64_t, uint8_t>>(sizesPassed(function, shape))) {
  reg_.fill(unknown());
  const auto launch = launchRegisters(function);
  if (!launch)
    return;
  const auto users = static_cast<unsigned>(
      std::clamp<int64_t>(function.descriptorValue(".amdhsa_user_sgpr_count", 0), 0, 16));
  for (unsigned s = 0; s < users; ++s)
    reg_[RegUnit::scalar(s).index] = uniform();
  for (const auto &sgpr : launch->workgroup)
    if (sgpr)
      reg_[RegUnit::scalar(*sgpr).index] = uniform();
  if (launch->kernarg) {
    using enum KnownValue::Kernarg;
    for (const auto half : {Low, High})
      reg_[RegUnit::scalar(*launch->kernarg + (half == High ? 1 : 0)).index] =
          made({.bits = {}, .known = {}, .isUniform = true, .kernarg = half});
  }
  const std::vector<uint32_t> full(waves(), ~0u);
  reg_[kExecLo.index] = settled({full, std::vector<uint8_t>(waves(), 1)});
  // Ten bits for each dimension; with one it holds nothing else (LLVM's AMDGPUUsage).
  if (launch->workitemDims == 1 && shape[1] * shape[2] != 1)
    return;
  KnownValue ids{std::vector<uint32_t>(items_), std::vector<uint8_t>(items_, 1)};
  for (unsigned i = 0; i < items_; ++i)
    ids.bits[i] = i % shape[0] | i / shape[0] % shape[1] << 10 | i / shape[0] / shape[1] << 20;
  reg_[RegUnit::vgpr(0).index] = settled(std::move(ids));
}

std::optional<uint32_t> KnownValues::at(RegUnit vgpr, unsigned item) const {
  const KnownValue &value = *seen(vgpr);
  return value.bits.empty() || value.known[item] != KnownValue::kAll
             ? std::nullopt
             : std::optional(value.bits[item]);
}

/// By the lanes that are on.
const KnownRef &KnownValues::seen(RegUnit unit) const {
  const auto found = ofSome_.find(unit.index);
  return found == ofSome_.end() ? ref(unit) : found->second.value;
}

bool KnownValues::isActive(unsigned item) const {
  return ((*this)[kExecLo].bits[item / kLanes] >> (item % kLanes) & 1) != 0;
}

bool KnownValues::allActive() const { return asNumber((*this)[kExecLo]) == ~0u; }

void KnownValues::forget(RegUnit unit) { set(unit, unknown()); }
void KnownValues::setUniform(RegUnit unit) { set(unit, uniform()); }

void KnownValues::setLanes(llvm::ArrayRef<uint32_t> bits) {
  std::vector<uint32_t> lanes = bits.vec();
  if (bits.size() == 1)
    lanes.resize(waves(), bits.front());
  if (lanes.size() != waves())
    return;
  set(kExecLo, settled({std::move(lanes), std::vector<uint8_t>(waves(), KnownValue::kAll)}));
}

void KnownValues::setPassed(RegUnit unit, int64_t offset) {
  uint32_t number = 0;
  for (unsigned b = 0; b < 4; ++b) {
    const auto byte = passed_->find(offset + b);
    if (byte == passed_->end())
      return setUniform(unit);
    number |= uint32_t(byte->second) << (8 * b);
  }
  setNumber(unit, number);
}

void KnownValues::setNumber(RegUnit unit, uint32_t number) {
  set(unit, settled({std::vector<uint32_t>(waves(), number), std::vector<uint8_t>(waves(), 1)}));
}

void KnownValues::forgetResults(const Instruction &inst) {
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
      forget({static_cast<uint16_t>(access.reg.first.index + d)});
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

std::optional<KnownValues::Source> KnownValues::sourceOf(const Operand &operand) const {
  switch (operand.kind) {
  case Operand::Kind::Immediate:
    return Source{static_cast<uint32_t>(operand.imm)};
  case Operand::Kind::Register:
    if (operand.reg.dwords != 1 || operand.reg.half != Half::Whole)
      return std::nullopt;
    if (operand.reg.first.isNull())
      return Source{};
    return Source{0, seen(operand.reg.first), operand.reg.first.isVgpr(), Half::Whole,
                  ofSome_.contains(operand.reg.first.index)};
  case Operand::Kind::Expression:
    break;
  }
  return std::nullopt;
}

/// The sources of a VALU instruction, unless something changes what the operation is.
std::optional<KnownValues::Sources> KnownValues::plainSources(const Instruction &inst,
                                                              Width width) const {
  Sources sources;
  if (inst.isVopd() || inst.isDpp())
    return std::nullopt;
  for (const Operand &operand : inst.operands) {
    if (operand.cls == Operand::Class::Def)
      continue;
    if (operand.cls != Operand::Class::Source) {
      if (operand.imm != 0 || operand.isReg())
        return std::nullopt;
      continue;
    }
    if (width == Width::Halves && operand.isReg() && operand.reg.dwords == 1 &&
        operand.reg.half != Half::Whole) {
      sources.push_back({0, ref(operand.reg.first), operand.reg.first.isVgpr(), operand.reg.half});
      continue;
    }
    const auto source = sourceOf(operand);
    if (!source)
      return std::nullopt;
    sources.push_back(*source);
  }
  return sources;
}

std::optional<uint32_t> KnownValues::read(const Source &source, unsigned item) const {
  if (!source.value)
    return source.number;
  const unsigned place = source.isVgpr ? item : item / kLanes;
  if (source.value->bits.empty())
    return std::nullopt;
  const uint8_t known = source.value->known[place];
  const bool isEnough = known == KnownValue::kAll ||
                        (source.half == Half::Low && known == KnownValue::kLowHalf) ||
                        (source.half == Half::High && known == KnownValue::kHighHalf);
  if (!isEnough)
    return std::nullopt;
  const uint32_t bits = source.value->bits[place];
  return source.half == Half::High ? bits >> 16 : source.half == Half::Low ? bits & 0xffff : bits;
}

std::optional<std::vector<uint32_t>> KnownValues::readAll(const Sources &sources,
                                                          unsigned item) const {
  std::vector<uint32_t> values;
  for (const Source &source : sources) {
    const auto value = read(source, item);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

/// What a mask without a high half leaves of a dword of which only the low half is known.
std::optional<uint32_t> KnownValues::lowBits(const Sources &sources, unsigned item) const {
  for (size_t mask = 0; mask < 2; ++mask) {
    Source other = sources[1 - mask];
    if (other.half == Half::Whole && other.value)
      other.half = Half::Low;
    const auto bits = read(sources[mask], item), low = read(other, item);
    if (bits && *bits <= 0xffff && low)
      return *bits & *low;
  }
  return std::nullopt;
}

/// A VGPR behind an operation in the lanes of EXEC.
KnownRef KnownValues::laneValue(Op op, const KnownRef &old, const Sources &sources) const {
  const bool isOurs = isLaneOperation(op, sources.size());
  const bool knowsMask = knowsExec();
  if (!isOurs && knowsMask && allActive())
    return unknown();
  KnownValue result{std::vector<uint32_t>(items_), std::vector<uint8_t>(items_)};
  for (unsigned i = 0; i < items_; ++i) {
    std::optional<uint32_t> was, is;
    if (!old->bits.empty() && old->known[i] == KnownValue::kAll)
      was = old->bits[i];
    if (const auto values = isOurs ? readAll(sources, i) : std::nullopt)
      is = laneResult(op, *values);
    else if (op == Op::v_and_b32 && isOurs)
      is = lowBits(sources, i);
    const bool isSettled = knowsMask || was == is;
    const auto value = knowsMask && !isActive(i) ? was : is;
    if (!isSettled || !value)
      continue;
    result.bits[i] = *value;
    result.known[i] = 1;
  }
  result.isUniform = isOurs && knowsMask && allActive() &&
                     llvm::all_of(sources, [](const Source &s) { return s.isUniform(); });
  return settled(std::move(result));
}

/// What the operation gives in each lane that is on, if it is not known which are; nothing where
/// more is known of all lanes, or nobody has named EXEC.
KnownRef KnownValues::laneValueOfSome(Op op, const Sources &sources) const {
  if (knowsExec() || !mask_ || !isLaneOperation(op, sources.size()))
    return nullptr;
  KnownValue result{std::vector<uint32_t>(items_), std::vector<uint8_t>(items_)};
  for (unsigned i = 0; i < items_; ++i)
    if (const auto values = readAll(sources, i))
      if (const auto value = laneResult(op, *values)) {
        result.bits[i] = *value;
        result.known[i] = KnownValue::kAll;
      }
  return settled(std::move(result));
}

void KnownValues::setLane(RegUnit unit, KnownRef value, const KnownRef &ofSome) {
  const auto known = ofSome_.find(unit.index);
  const KnownRef others = known == ofSome_.end()                  ? ref(unit)
                          : mask_ && known->second.mask == *mask_ ? known->second.others
                                                                  : unknown();
  const bool isOfSome = ofSome && !ofSome->bits.empty();
  if (isOfSome && *ofSome == *others) // An address that was increased for a while.
    value = others;
  set(unit, std::move(value));
  if (isOfSome && !(*ofSome == *ref(unit)))
    ofSome_[unit.index] = {ofSome, *mask_, others};
}

/// Of a sum that also gives a mask of carries, the sum alone.
static std::optional<Op> withoutCarry(Op op) {
  switch (op) {
  case Op::v_add_co_u32:
    return Op::v_add_nc_u32;
  case Op::v_sub_co_u32:
    return Op::v_sub_nc_u32;
  case Op::v_subrev_co_u32:
    return Op::v_subrev_nc_u32;
  default:
    return std::nullopt;
  }
}

/// The mask of carries or borrows, in waves with all of their lanes: what it has for others is
/// not documented.
KnownRef KnownValues::carriesOf(Op op, const Sources &sources) const {
  KnownValue mask{std::vector<uint32_t>(waves()), std::vector<uint8_t>(waves())};
  for (unsigned w = 0; knowsExec() && w < waves(); ++w) {
    bool isWhole = (*this)[kExecLo].bits[w] == ~0u;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const auto values = readAll(sources, w * kLanes + lane);
      isWhole &= values.has_value();
      if (!values)
        continue;
      const uint64_t a = (*values)[0], b = (*values)[1];
      const bool isCarried = op == Op::v_add_co_u32   ? a + b > ~0u
                             : op == Op::v_sub_co_u32 ? a < b
                                                      : b < a;
      mask.bits[w] |= isCarried ? 1u << lane : 0;
    }
    mask.known[w] = isWhole ? KnownValue::kAll : KnownValue::kNothing;
  }
  return settled(std::move(mask));
}

/// Does it read a mask, lane for lane, or where a lane stands?
static bool tellsLanesApart(const Instruction &inst) {
  const auto isOne = [](Op op) {
    switch (op) {
    case Op::v_cndmask_b32:
    case Op::v_cndmask_b16:
    case Op::v_add_co_ci_u32:
    case Op::v_sub_co_ci_u32:
    case Op::v_subrev_co_ci_u32:
    case Op::v_div_fmas_f32:
    case Op::v_div_fmas_f64:
    case Op::v_mbcnt_lo_u32_b32:
    case Op::v_mbcnt_hi_u32_b32:
      return true;
    default:
      return false;
    }
  };
  return isOne(inst.op) || (inst.isVopd() && isOne(inst.opY));
}

/// Are its results the same in all lanes of all waves, whatever it computes? So are the steps of a
/// division of two numbers that are, which the compiler takes by VALU and v_readfirstlane.
bool KnownValues::isSameInAllLanes(const Instruction &inst) const {
  if (opTraits(inst.op).lanes != LanesRead::Own || inst.isDpp() || ignoresExec(inst.op) ||
      inst.op == Op::v_writelane_b32 || keepsDestination(inst.op) || tellsLanesApart(inst) ||
      !knowsExec() || !allActive())
    return false;
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      const bool isPart = access.writes() && writtenHalf(inst, access.reg) != Half::Whole;
      if (isPart || (access.reads() && !unit.isNull() &&
                     (!(*this)[unit].isUniform || ofSome_.contains(unit.index))))
        return false;
    }
  return true;
}

bool KnownValues::executeVector(const Instruction &inst) {
  const bool isSame = isSameInAllLanes(inst);
  const bool isOurs = executeLanes(inst);
  if (isSame)
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.writes() && access.reg.first.isVgpr() && d < access.reg.dwords;
           ++d)
        if (const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
            !(*this)[unit].isUniform && !isKnown((*this)[unit]))
          setUniform(unit);
  return isOurs;
}

/// VOPD, and what else is one operation in each lane.
bool KnownValues::executeLanes(const Instruction &inst) {
  const auto lanes = inst.isDpp() ? llvm::SmallVector<LaneOp, 2>() : laneOps(inst);
  if (!lanes.empty()) {
    const auto operand = [&](const VopdSource &from) {
      if (from.kind == VopdSource::Kind::Vgpr)
        return Source{0, seen(RegUnit::vgpr(from.value)), true, Half::Whole,
                      ofSome_.contains(RegUnit::vgpr(from.value).index)};
      if (from.kind == VopdSource::Kind::Scalar)
        return Source{0, ref(from.value == 253 ? kScc : RegUnit::scalar(from.value))};
      return Source{from.value};
    };
    llvm::SmallVector<std::tuple<RegUnit, KnownRef, KnownRef>, 2> results; // Both read first.
    bool areOurs = true;
    for (const LaneOp &lane : lanes) {
      const RegUnit unit = RegUnit::vgpr(lane.dst.number);
      Sources sources{operand(lane.src0)};
      if (lane.op != Op::v_mov_b32)
        sources.push_back(operand(lane.src1));
      // A product's addend, or the mask of a selection, is one operand more than is known.
      const bool isPlain = !lane.addend && !lane.constant && lane.op != Op::v_cndmask_b32;
      areOurs &= isPlain && isLaneOperation(lane.op, sources.size());
      const Op op = isPlain ? lane.op : Op::unknown;
      results.emplace_back(unit, laneValue(op, ref(unit), sources), laneValueOfSome(op, sources));
    }
    for (auto &[unit, value, ofSome] : results)
      setLane(unit, std::move(value), ofSome);
    return areOurs;
  }
  if (executeHalf(inst))
    return true;
  if (inst.op == Op::v_mad_u64_u32 && !inst.isDpp())
    return executeProduct(inst);
  const auto sources = plainSources(inst);
  // The short forms of comparisons do not name VCC: their first operand is a source.
  if (sources && isVectorCompare(inst.op))
    return executeCompare(inst, *sources);
  if (!sources || inst.operands.empty() || !inst.operands[0].isReg()) {
    forgetResults(inst);
    return false;
  }
  if (inst.op == Op::v_readfirstlane_b32)
    return executeFirstLane(inst, sources->front());
  const RegRange &to = inst.operands[0].reg;
  const auto sum = withoutCarry(inst.op);
  const Op op = sum.value_or(inst.op);
  if (!isLaneOperation(op, sources->size()) || !to.first.isVgpr() || to.dwords != 1 ||
      to.half != Half::Whole) {
    forgetResults(inst);
    return false;
  }
  KnownRef value = laneValue(op, ref(to.first), *sources);
  const KnownRef ofSome = laneValueOfSome(op, *sources);
  if (sum) {
    KnownRef mask = carriesOf(inst.op, *sources);
    for (const RegAccess &access : inst.accesses)
      if (access.writes() && !access.reg.first.isVgpr())
        set(access.reg.first, mask);
  }
  setLane(to.first, std::move(value), ofSome);
  return !sum;
}

/// 16 bits of a register; the others stay.
bool KnownValues::executeHalf(const Instruction &inst) {
  if (inst.isVopd() || inst.operands.empty() || !inst.operands[0].isReg() || !knowsExec())
    return false;
  const RegRange &to = inst.operands[0].reg;
  const auto sources = plainSources(inst, Width::Halves);
  if (!sources || !to.first.isVgpr() || to.dwords != 1 ||
      !halfResult(inst.op, std::vector<uint32_t>(sources->size())))
    return false;
  const unsigned shift = to.half == Half::High ? 16 : 0;
  const KnownRef old = ref(to.first);
  KnownValue result{std::vector<uint32_t>(items_), std::vector<uint8_t>(items_)};
  const uint8_t mine = shift == 0 ? KnownValue::kLowHalf : KnownValue::kHighHalf;
  const uint8_t others = shift == 0 ? KnownValue::kHighHalf : KnownValue::kLowHalf;
  for (unsigned i = 0; i < items_; ++i) {
    const uint8_t was = old->bits.empty() ? uint8_t(KnownValue::kNothing) : old->known[i];
    const uint32_t bits = old->bits.empty() ? 0 : old->bits[i];
    result.known[i] = was;
    result.bits[i] = bits;
    if (!isActive(i))
      continue;
    const auto values = readAll(*sources, i);
    const bool knowsOthers = was == KnownValue::kAll || was == others;
    result.known[i] = !values       ? (knowsOthers ? others : uint8_t(KnownValue::kNothing))
                      : knowsOthers ? uint8_t(KnownValue::kAll)
                                    : mine;
    const uint32_t half = values ? *halfResult(inst.op, *values) : 0;
    const uint32_t kept = knowsOthers ? bits & ~(0xffffu << shift) : 0;
    result.bits[i] = kept | half << shift;
  }
  set(to.first, settled(std::move(result)));
  return true;
}

/// The low half of a product and a sum of 64 bits.
bool KnownValues::executeProduct(const Instruction &inst) {
  Sources sources;
  for (const Operand &operand : inst.operands) {
    if (operand.cls == Operand::Class::Def)
      continue;
    if (operand.cls != Operand::Class::Source) { // Clamp, for one.
      if (operand.imm != 0)
        return forgetResults(inst), false;
      continue;
    }
    if (operand.isReg() && !operand.reg.first.isNull())
      sources.push_back({0, ref(operand.reg.first), operand.reg.first.isVgpr()});
    else
      sources.push_back({static_cast<uint32_t>(operand.imm)});
  }
  const RegRange to = inst.operands[0].reg;
  KnownValue low{std::vector<uint32_t>(items_), std::vector<uint8_t>(items_)};
  for (unsigned i = 0; knowsExec() && sources.size() == 3 && i < items_; ++i) {
    const auto values = readAll(sources, i);
    const auto value =
        isActive(i)
            ? (values ? std::optional((*values)[0] * (*values)[1] + (*values)[2]) : std::nullopt)
            : read({0, ref(to.first), true}, i);
    low.known[i] = value.has_value();
    low.bits[i] = value.value_or(0);
  }
  forgetResults(inst);
  set(to.first, settled(std::move(low)));
  return false; // Of more than the low half nothing is known.
}

/// A mask: 0 in the lanes that EXEC switches off. V_CMPX has EXEC among its results.
bool KnownValues::executeCompare(const Instruction &inst, const Sources &sources) {
  const bool isUniform = (*this)[kExecLo].isUniform &&
                         llvm::all_of(sources, [](const Source &s) { return s.isUniform(); });
  KnownValue mask{std::vector<uint32_t>(waves()), std::vector<uint8_t>(waves(), 0)};
  const bool isOurs = sources.size() == 2 && compareResult(inst.op, 0, 0).has_value();
  for (unsigned w = 0; isOurs && knowsExec() && w < waves(); ++w) {
    mask.known[w] = 1;
    for (unsigned i = w * kLanes; i < (w + 1) * kLanes; ++i) {
      if (!isActive(i))
        continue;
      const auto values = readAll(sources, i);
      const auto truth = values ? compareResult(inst.op, (*values)[0], (*values)[1]) : std::nullopt;
      if (truth && *truth)
        mask.bits[w] |= 1u << (i % kLanes);
      mask.known[w] &= truth.has_value();
    }
  }
  mask.isUniform = isUniform;
  const KnownRef value = settled(std::move(mask));
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
      set({static_cast<uint16_t>(access.reg.first.index + d)}, d == 0 ? value : unknown());
  return isOurs;
}

bool KnownValues::executeFirstLane(const Instruction &inst, const Source &source) {
  const bool isUniform = source.isUniform();
  KnownValue result{std::vector<uint32_t>(waves()), std::vector<uint8_t>(waves(), 0)};
  for (unsigned w = 0; knowsExec() && w < waves(); ++w) {
    const uint32_t exec = (*this)[kExecLo].bits[w];
    if (exec == 0 && source.isOfSome) // The first lane is not on.
      continue;
    const unsigned lane = exec == 0 ? 0 : static_cast<unsigned>(std::countr_zero(exec));
    if (const auto value = read(source, w * kLanes + lane)) {
      result.bits[w] = *value;
      result.known[w] = 1;
    }
  }
  result.isUniform = isUniform;
  forgetResults(inst);
  if (inst.operands[0].reg.dwords == 1 && !inst.operands[0].reg.first.isNull())
    set(inst.operands[0].reg.first, settled(std::move(result)));
  return true;
}

bool KnownValues::execute(const Instruction &inst) {
  return inst.isValu() ? executeVector(inst) : executeScalar(inst);
}

} // namespace rdna::verify
