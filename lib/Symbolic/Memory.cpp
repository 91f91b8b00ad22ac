// Loads, stores, atomics, fences and waits. Memory is one unknown per space; a store makes a new
// one of the old one, a load is a function of the state, the address and the offset of its dword.

#include "Symbolic/Machine.h"

#include "Asm/LdsOffsets.h"
#include "Isa/OpTraits.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::verify {

static constexpr OperandName kOffsets[] = {OperandName::Offset, OperandName::Offset0,
                                           OperandName::Offset1};

/// The `index`-th offset field, of those that have two.
static int64_t offsetField(const Instruction &inst, unsigned index) {
  if (const Operand *only = inst.named(OperandName::Offset))
    return only->imm;
  return inst.value(index == 0 ? OperandName::Offset0 : OperandName::Offset1);
}

llvm::SmallVector<int64_t, 4> plainLoadOffsets(const Instruction &inst) {
  llvm::SmallVector<int64_t, 4> offsets;
  const MemoryTraits &memory = opTraits(inst.op).memory;
  const bool isPlain = inst.unit == Unit::Lds || inst.unit == Unit::Global ||
                       inst.unit == Unit::Flat || inst.unit == Unit::Scratch;
  if (!isPlain || memory.kind != MemoryKind::Load)
    return offsets;
  const unsigned dwords = memory.bytes / 4;
  const auto run = [&](int64_t base) {
    for (unsigned i = 0; i < dwords; ++i)
      offsets.push_back(base + 4 * static_cast<int64_t>(i));
  };
  switch (memory.address) {
  case AddressForm::Plain:
    run(offsetField(inst, 0));
    break;
  case AddressForm::Pair:
  case AddressForm::PairStride64: {
    const int64_t unit = memory.bytes * (memory.address == AddressForm::Pair ? 1 : 64);
    run(offsetField(inst, 0) * unit);
    run(offsetField(inst, 1) * unit);
    break;
  }
  default:
    break;
  }
  return offsets;
}

/// glc, slc and dlc bits.
static int64_t cachePolicy(const Instruction &inst) { return inst.value(OperandName::CachePolicy); }

static llvm::SmallVector<Space, 3> spacesOf(const Instruction &inst) {
  switch (inst.unit) {
  case Unit::Lds:
    return {Space::Lds};
  case Unit::Scratch:
    return {Space::Scratch};
  case Unit::Flat:
    return {Space::Lds, Space::Global, Space::Scratch};
  default:
    return {Space::Global};
  }
}

/// The first source: the address of an LDS access.
static const Operand *addressOf(const Instruction &inst) {
  for (const Operand &operand : inst.operands)
    if (operand.cls == Operand::Class::Source)
      return &operand;
  return nullptr;
}
static bool isAddress(const Instruction &inst, const RegAccess &access) {
  return access.operand >= 0 &&
         &inst.operands[static_cast<size_t>(access.operand)] == addressOf(inst);
}

void Machine::recordLoad(const Instruction &inst, llvm::ArrayRef<Value> dwords) {
  for (const Value dword : dwords)
    trace_.loads.emplace_back(
        inst.unit == Unit::Smem ? dword : pool_.apply("read", {exec(), dword}), inst.index);
}

Use Machine::useOf(const Instruction &inst) const {
  if (inst.memory == MemoryEffect::None)
    return Use::Exchange;
  if (isSynchronising(inst))
    return Use::Sync;
  if (inst.memory == MemoryEffect::Store)
    return Use::Store;
  // What scalar loads read may not be written by other waves: their cache does not notice.
  if (inst.unit == Unit::Smem)
    return Use::Data;
  if (!observed_ || observed_->flags.empty())
    return Use::Flag;
  return observed_->flags[inst.index - observed_->first] ? Use::Flag : Use::Data;
}

void Machine::issue(const Instruction &inst, llvm::ArrayRef<Value> parts) {
  const Use use = useOf(inst);
  const bool isSeen = use != Use::Exchange && inst.unit != Unit::Scratch &&
                      (inst.unit != Unit::Smem || use == Use::Sync);
  if (isSeen) {
    AccessEvent &access = trace_.accesses.emplace_back();
    access.parts.assign(parts.begin(), parts.end());
    access.instruction = inst.index;
    access.use = use;
    access.isLds = inst.unit == Unit::Lds;
    for (unsigned cls = 0; cls < kWaitClasses; ++cls)
      access.progress[cls] = {
          static_cast<uint32_t>(trace_.operations[cls].size() - trace_.pending[cls].issued.size()),
          trace_.pending[cls].inherited};
  }
  const CounterEvents events = counterEvents(inst);
  for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
    if (!events.weight[cls])
      continue;
    trace_.pending[cls].issued.push_back({{parts.begin(), parts.end()}, events.weight[cls]});
    trace_.operations[cls].push_back(
        {{parts.begin(), parts.end()}, inst.unit == Unit::Scratch ? Use::Exchange : use});
  }
  trace_.sequence.emplace_back(pool_.apply("issue", parts), inst.index);
}

void Machine::executeWait(const Instruction &inst, const Wait &wait) {
  for (unsigned index = 0; index < kWaitClasses; ++index) {
    const auto cls = static_cast<WaitClass>(index);
    const auto atMost = wait.atMost[static_cast<size_t>(counterOf(cls))];
    if (!atMost)
      continue;
    Pending &pending = trace_.pending[index];
    const bool inOrder = cls != WaitClass::Scalar && cls != WaitClass::Sampler;
    if (!inOrder && *atMost != 0)
      continue; // any of them may be the one that has not arrived
    // While an operation is in flight, so are all later ones of its class: it has arrived if they
    // and it would make the counter exceed the limit.
    unsigned newer = 0;
    size_t keepFrom = pending.issued.size();
    while (keepFrom > 0 && newer + pending.issued[keepFrom - 1].weight <= *atMost)
      newer += pending.issued[--keepFrom].weight;
    const bool reachedStart = keepFrom == 0;
    pending.issued.erase(pending.issued.begin(),
                         pending.issued.begin() + static_cast<std::ptrdiff_t>(keepFrom));
    pending.inherited = std::min(pending.inherited, reachedStart ? *atMost - newer : 0);
  }
  // Compilers wait for stores only where they release them to other waves.
  if (wait.atMost[static_cast<size_t>(WaitCounter::Vs)])
    fence(inst, {});
}

void Machine::fence(const Instruction &inst, llvm::ArrayRef<Value> args) {
  trace_.fences.push_back({inst.index, trace_.pending, trace_.sums.size()});
  llvm::SmallVector<Value, 8> all(args);
  all.append({state_.space(Space::Lds), state_.space(Space::Global), state_.space(Space::System)});
  // A wait may be made stronger, so its count is no part of what happened.
  const std::string text =
      inst.unit == Unit::Wait ? "stores waited for" : "fence " + describe(inst);
  const Value system = pool_.apply(text, all);
  state_.space(Space::System) = system;
  state_.space(Space::Lds) = pool_.apply("LDS after", {system});
  state_.space(Space::Global) = pool_.apply("global memory after", {system});
  trace_.sequence.emplace_back(system, inst.index);
}

Value Machine::globalAddressOf(const Instruction &inst, const GlobalAddress &address) {
  llvm::SmallVector<Value, 2> vector, base;
  readOperand(inst.operands[address.vector], vector);
  Value whole = 0;
  if (address.base) {
    readOperand(inst.operands[*address.base], base);
    whole = pool_.wideSum(pool_.wideOf(base[0], base[1]), pool_.zeroExtended(vector[0]));
  } else {
    whole = pool_.wideOf(vector[0], vector[1]);
  }
  const auto offset = static_cast<uint64_t>(inst.operands[address.offset].imm);
  whole = pool_.wideSum(whole, pool_.wideConstant(offset));
  return pool_.unwrapped(whole, indices_, exec(), facts_);
}

/// Who polls expects that the next look shows something else: two such loads are never the same.
void Machine::letOthersWrite(llvm::ArrayRef<Space> spaces, Value seen) {
  for (const Space s : spaces)
    state_.space(s) = pool_.apply("memory seen again after", {state_.space(s), seen});
}

bool Machine::executePlainLoad(const Instruction &inst) {
  const auto offsets = plainLoadOffsets(inst);
  if (offsets.empty() || inst.operands.empty() || !inst.operands[0].isReg() ||
      inst.operands[0].reg.dwords != offsets.size())
    return false;
  const auto global = globalAddress(inst);
  llvm::SmallVector<Value, 8> args;
  std::string shape;
  if (global)
    args.push_back(globalAddressOf(inst, *global));
  for (const Operand &operand : inst.operands) {
    if (operand.cls != Operand::Class::Source || global)
      continue;
    if (!operand.isReg())
      return false;
    shape += fmt::format("{}{}", operand.reg.first.isVgpr() ? 'v' : 's', operand.reg.dwords);
    readOperand(operand, args);
  }
  if (inst.unit == Unit::Scratch || inst.unit == Unit::Flat)
    args.push_back(state_[kFlatScratch]);
  const char *space = inst.unit == Unit::Lds      ? "LDS load"
                      : inst.unit == Unit::Global ? "global load"
                      : inst.unit == Unit::Flat   ? "flat load"
                                                  : "scratch load";
  for (const Space s : spacesOf(inst))
    args.push_back(state_.space(s));
  llvm::SmallVector<Value, 4> dwords;
  for (const int64_t offset : offsets) {
    // LDS: the sum of address and offset is what counts, modulo 2^32.
    const bool isLds = inst.unit == Unit::Lds && shape == "v1";
    llvm::SmallVector<Value, 8> at(args);
    if (isLds)
      at[0] = pool_.sum(at[0], pool_.constant(static_cast<uint32_t>(offset)));
    if (global)
      at[0] =
          pool_.wideSum(at[0], pool_.wideConstant(static_cast<uint64_t>(offset - offsets.front())));
    const int64_t apart = isLds || global ? 0 : offset;
    dwords.push_back(
        pool_.apply(fmt::format("{}{:+}[{} {}]", space, apart, shape, cachePolicy(inst)), at));
  }
  recordLoad(inst, dwords);
  if (isSynchronising(inst))
    letOthersWrite(spacesOf(inst), dwords.front());
  issue(inst, dwords);
  for (unsigned d = 0; d < dwords.size(); ++d)
    write({static_cast<uint16_t>(inst.operands[0].reg.first.index + d)}, dwords[d], inst);
  return true;
}

/// s_load_b32 and wider ones of a base and a constant: the sum is what counts.
bool Machine::executeScalarLoad(const Instruction &inst) {
  const auto address = scalarAddress(inst);
  if (!address)
    return false;
  llvm::SmallVector<Value, 2> base;
  readOperand(inst.operands[address->base], base);
  const auto offset = static_cast<uint64_t>(inst.operands[address->offset].imm);
  const Value first = pool_.wideSum(pool_.wideOf(base[0], base[1]), pool_.wideConstant(offset));
  llvm::SmallVector<Value, 16> dwords;
  for (unsigned d = 0; d < inst.operands[0].reg.dwords; ++d)
    dwords.push_back(pool_.apply(
        fmt::format("scalar load[{}]", cachePolicy(inst)),
        {pool_.wideSum(first, pool_.wideConstant(4 * d)), state_.space(Space::Global)}));
  recordLoad(inst, dwords);
  if (isSynchronising(inst))
    letOthersWrite({Space::Global}, dwords.front());
  issue(inst, dwords);
  for (unsigned d = 0; d < dwords.size(); ++d)
    write({static_cast<uint16_t>(inst.operands[0].reg.first.index + d)}, dwords[d], inst);
  return true;
}

static unsigned storedDwords(Op op) {
  const MemoryTraits &memory = opTraits(op).memory;
  const bool stores = opUnit(op) == Unit::Lds && memory.kind == MemoryKind::Store &&
                      memory.address != AddressForm::AddThreadId;
  return stores && (memory.bytes == 4 || memory.bytes == 8) ? memory.bytes / 4U : 0;
}

/// An LDS store with two addresses is two stores, in the order of its fields. Stores are never
/// swapped, although each lane's own may be apart: lane 1 may store by one where lane 0 does by the
/// other.
bool Machine::executeLdsStore(const Instruction &inst) {
  const unsigned dwords = storedDwords(inst.op);
  if (!dwords)
    return false;
  const LdsOffsets fields = ldsOffsets(inst);
  llvm::SmallVector<const Operand *, 3> sources;
  for (const Operand &operand : inst.operands)
    if (operand.cls == Operand::Class::Source)
      sources.push_back(&operand);
  if (sources.size() != fields.fields + 1)
    return false;
  const std::string text =
      fmt::format("ds_store_b{}[{}]", 32 * dwords, inst.value(OperandName::Gds));
  llvm::SmallVector<Value, 2> parts;
  for (unsigned n = 0; n < fields.fields; ++n) {
    const auto offset = static_cast<uint32_t>(offsetField(inst, n) * int64_t(fields.unit));
    llvm::SmallVector<Value, 6> args{
        pool_.sum(readScalarOperand(*sources[0]), pool_.constant(offset))};
    readOperand(*sources[n + 1], args);
    args.append({exec(), state_.space(Space::Lds)});
    state_.space(Space::Lds) = pool_.apply(text, args);
    parts.push_back(state_.space(Space::Lds));
  }
  issue(inst, parts);
  return true;
}

void Machine::executeOtherMemory(const Instruction &inst) {
  // Of LDS accesses the sums of address and offsets are what counts, modulo 2^32.
  const LdsOffsets fields = ldsOffsets(inst);
  const auto global = globalAddress(inst);
  const std::string text = global ? fmt::format("{}[{}]", opName(inst.op), cachePolicy(inst))
                                  : describe(inst, fields.fields ? llvm::ArrayRef(kOffsets)
                                                                 : llvm::ArrayRef<OperandName>());
  llvm::SmallVector<Value, 12> args;
  if (global)
    args.push_back(globalAddressOf(inst, *global));
  const auto isGlobalAddress = [&](const RegAccess &access) {
    return global && (access.operand == int(global->vector) ||
                      (global->base && access.operand == int(*global->base)));
  };
  for (unsigned n = 0; n < fields.fields; ++n)
    if (const Operand *address = addressOf(inst))
      args.push_back(pool_.sum(
          readScalarOperand(*address),
          pool_.constant(static_cast<uint32_t>(offsetField(inst, n) * int64_t(fields.unit)))));
  for (const RegAccess &access : inst.accesses)
    if (access.reads() && !(fields.fields && isAddress(inst, access)) && !isGlobalAddress(access))
      for (unsigned d = 0; d < access.reg.dwords; ++d)
        args.push_back(read({static_cast<uint16_t>(access.reg.first.index + d)}));
  const bool isAtomic =
      inst.memory == MemoryEffect::Atomic || inst.memory == MemoryEffect::AtomicReturn;
  // Lane exchanges return zero for lanes that are switched off, and what a store changes depends on
  // the mask. A load's result in an active lane does not.
  if (inst.unit != Unit::Smem && inst.memory != MemoryEffect::Load)
    args.push_back(exec());
  if (isAtomic)
    args.push_back(state_[kMode]);
  auto spaces = spacesOf(inst);
  bool hasResult = false;
  for (const RegAccess &access : inst.accesses)
    hasResult |= access.writes();
  const bool loadsIntoLds = inst.memory == MemoryEffect::Load && !hasResult;
  if (loadsIntoLds) {
    spaces.push_back(Space::Lds);
    args.push_back(exec());
  }
  if (inst.memory != MemoryEffect::None)
    for (const Space s : spaces)
      args.push_back(state_.space(s));

  llvm::SmallVector<std::pair<RegUnit, Value>, 8> results;
  llvm::SmallVector<Value, 8> parts;
  unsigned index = 0;
  for (const RegAccess &access : inst.accesses)
    if (access.writes())
      for (unsigned d = 0; d < access.reg.dwords; ++d, ++index) {
        parts.push_back(part(text, index, args));
        results.emplace_back(RegUnit{static_cast<uint16_t>(access.reg.first.index + d)},
                             parts.back());
      }
  if (inst.memory == MemoryEffect::Load)
    recordLoad(inst, parts);
  if (isAtomic || loadsIntoLds || inst.memory == MemoryEffect::Store) {
    const Value stored = pool_.apply(text, args);
    for (const Space s : spaces)
      state_.space(s) =
          spaces.size() == 1 ? stored : part("stored", static_cast<unsigned>(s), {stored});
    if (parts.empty())
      parts.push_back(stored);
  } else if (isSynchronising(inst) && !parts.empty()) {
    letOthersWrite(spaces, parts.front());
  }
  issue(inst, parts);
  for (const auto &[unit, value] : results)
    write(unit, value, inst);
}

void Machine::executeMemory(const Instruction &inst) {
  if (inst.memory == MemoryEffect::None && inst.unit != Unit::Lds && inst.unit != Unit::Image) {
    fence(inst, {}); // cache invalidations
    return;
  }
  if (inst.op == Op::ds_nop || executePlainLoad(inst) || executeScalarLoad(inst) ||
      executeLdsStore(inst))
    return;
  executeOtherMemory(inst);
}

} // namespace rdna::verify
