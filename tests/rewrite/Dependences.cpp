#include "Dependences.h"

#include <algorithm>

namespace rdna::rewrite {

Dependences::Dependences(const Module &module, const Cfg &cfg, uint32_t blockIndex) {
  for (unsigned reg = 0; reg < 256; ++reg) {
    value_[reg] = reg;
    places_.push_back({reg, 0});
  }
  firstWriter_.resize(256);
  readers_.resize(256);
  touchers_.resize(256);
  const std::array<ValueId, 256> entry = value_;
  const Block &block = cfg.blocks[blockIndex];
  for (uint32_t i = block.first; i < block.last; ++i)
    add(module.instructions()[i]);
  if (std::find(block.successors.begin(), block.successors.end(), blockIndex) !=
      block.successors.end())
    joinAroundLoop(entry);
  close();
}

uint32_t Dependences::newNode(const Instruction &inst) {
  nodes_.push_back({inst.index, {}, {}, {}});
  return static_cast<uint32_t>(nodes_.size() - 1);
}

void Dependences::after(uint32_t n, std::optional<uint32_t> p) {
  if (p && *p != n)
    nodes_[n].preds.push_back(*p);
}

/// A lane operation that a VOPD slot can hold in some choice of registers: its addend is its
/// destination or it has a constant factor, and one of its two sources is a VGPR.
static bool fitsSlot(const LaneOp &op) {
  if (op.addend && *op.addend != op.dst)
    return false;
  const auto other = swapped(op);
  return asVopdHalf(op).has_value() || (other && asVopdHalf(*other));
}

void Dependences::add(const Instruction &inst) {
  auto lanes = laneOps(inst);
  const auto negated = asNegatedFmac(inst);
  if (negated)
    lanes.push_back(negated->lane);
  for (LaneOp &lane : lanes)
    if (lane.addend && *lane.addend != lane.dst)
      lane = withConstantFactor(lane).value_or(lane);
  if (lanes.empty() || (lanes.size() == 1 && !fitsSlot(lanes[0])))
    return addWhole(inst);
  // Both halves read before either writes.
  const auto first = static_cast<uint32_t>(nodes_.size());
  for (const LaneOp &lane : lanes) {
    const uint32_t n = newNode(inst);
    Half half{lane};
    if (lane.src0.isVgpr())
      half.src0 = value_[lane.src0.value];
    if (lane.op != Op::v_mov_b32 && lane.src1.isVgpr())
      half.src1 = value_[lane.src1.value];
    if (negated) // It may be negated before, into any register; what that costs is left out.
      (negated->factor == 0 ? half.src0 : half.src1) = kNoValue;
    nodes_[n].half = half;
    readLane(n, lane);
    after(n, fence_);
  }
  for (uint32_t n = first; n < nodes_.size(); ++n) {
    const LaneOp &lane = nodes_[n].half->op;
    if (lane.addend)
      update(n, lane.dst.number);
    else
      define(n, lane.dst.number, {});
    nodes_[n].half->dst = value_[lane.dst.number];
  }
}

void Dependences::readLane(uint32_t n, const LaneOp &lane) {
  for (const VopdSource &source : {lane.src0, lane.src1}) {
    if (source.isVgpr())
      readVgpr(n, source.value);
    if (source.kind == VopdSource::Kind::Scalar)
      readScalar(n, source.value == 253 ? kScc : RegUnit::scalar(source.value));
  }
  if (lane.addend)
    after(n, writer_[lane.addend->number]); // the update itself, no reader of the old contents
  if (lane.op == Op::v_cndmask_b32)
    readScalar(n, kVccLo);
}

void Dependences::addWhole(const Instruction &inst) {
  const uint32_t n = newNode(inst);
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.reads() && d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      if (unit.isVgpr())
        readVgpr(n, unit.index);
      else
        readScalar(n, unit);
    }
  if (inst.isValu() || inst.memory != MemoryEffect::None)
    after(n, fence_);
  if (inst.memory != MemoryEffect::None || inst.unit == Unit::Barrier)
    orderMemory(n, inst);
  // What changes the meaning of all vector instructions stays where it is.
  if (inst.writesUnit(kExecLo) || inst.writesUnit(kExecHi) || inst.writesUnit(kMode) ||
      inst.op == Op::unknown) {
    for (uint32_t p = fence_.value_or(0); p < n; ++p)
      after(n, p);
    fence_ = n;
  }
  writeWhole(n, inst);
}

void Dependences::writeWhole(uint32_t n, const Instruction &inst) {
  for (const RegAccess &access : inst.accesses) {
    if (!access.writes())
      continue;
    const bool tied =
        std::any_of(inst.operands.begin(), inst.operands.end(), [&](const Operand &operand) {
          return access.operand >= 0 && operand.tiedTo == access.operand;
        });
    // An LDS load can be made of narrower ones, everything else writes its tuple as a whole.
    const bool tuple = access.reg.dwords > 1 && inst.unit != Unit::Lds;
    const auto base = static_cast<uint32_t>(places_.size());
    for (unsigned d = 0; d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      if (unit.isNull())
        continue;
      if (!unit.isVgpr())
        writeScalar(n, unit);
      else if (access.access == Access::Partial || tied)
        update(n, unit.index);
      else
        define(n, unit.index, tuple ? std::optional(Place{base, d}) : std::nullopt);
    }
  }
}

void Dependences::readVgpr(uint32_t n, unsigned reg) {
  after(n, writer_[reg]);
  readers_[value_[reg]].push_back(n);
  touchers_[value_[reg]].push_back(n);
}

void Dependences::define(uint32_t n, unsigned reg, std::optional<Place> place) {
  value_[reg] = static_cast<ValueId>(places_.size());
  places_.push_back(place.value_or(Place{value_[reg], 0}));
  firstWriter_.emplace_back(n);
  readers_.emplace_back();
  touchers_.emplace_back();
  writer_[reg] = n;
}

void Dependences::update(uint32_t n, unsigned reg) {
  std::vector<uint32_t> &readers = readers_[value_[reg]];
  for (const uint32_t reader : readers)
    if (reader != n)
      nodes_[n].weakPreds.push_back(reader);
  readers.clear();
  touchers_[value_[reg]].push_back(n);
  writer_[reg] = n;
}

/// Scalar registers are not renamed: a write waits for the readers of the old value.
void Dependences::readScalar(uint32_t n, RegUnit unit) {
  after(n, writer_[unit.index]);
  scalarReaders_[unit.index].push_back(n);
}

void Dependences::writeScalar(uint32_t n, RegUnit unit) {
  after(n, writer_[unit.index]);
  for (const uint32_t reader : scalarReaders_[unit.index])
    after(n, reader);
  scalarReaders_[unit.index].clear();
  writer_[unit.index] = n;
}

/// Loads may pass loads; nothing else passes a store, an atomic or a barrier. One memory for all
/// address spaces but LDS: FLAT is both.
void Dependences::orderMemory(uint32_t n, const Instruction &inst) {
  const bool both = inst.unit == Unit::Barrier || inst.unit == Unit::Flat;
  for (const size_t space : {0, 1}) {
    if (!both && (space == 0) != (inst.unit == Unit::Lds))
      continue;
    after(n, stores_[space]);
    if (inst.memory == MemoryEffect::Load) {
      loads_[space].push_back(n);
      continue;
    }
    for (const uint32_t load : loads_[space])
      after(n, load);
    loads_[space].clear();
    stores_[space] = n;
  }
}

/// A value that comes in and is used, and the one that leaves in its register, share a register
/// (another one would take a move): the second is born when the first is done with.
void Dependences::joinAroundLoop(const std::array<ValueId, 256> &entry) {
  for (unsigned reg = 0; reg < 256; ++reg) {
    const ValueId in = entry[reg], out = value_[reg];
    if (in == out || touchers_[in].empty())
      continue;
    places_[in] = places_[out];
    Node &birth = nodes_[*firstWriter_[out]];
    for (const uint32_t toucher : touchers_[in])
      if (toucher != *firstWriter_[out])
        birth.weakPreds.push_back(toucher);
  }
}

void Dependences::close() {
  const size_t words = (nodes_.size() + 63) / 64;
  ancestors_.assign(nodes_.size(), NodeSet(words, 0));
  weakAncestors_ = ancestors_;
  const auto merge = [](NodeSet &into, const NodeSet &from) {
    for (size_t w = 0; w < into.size(); ++w)
      into[w] |= from[w];
  };
  const auto insert = [](NodeSet &into, uint32_t n) { into[n / 64] |= uint64_t{1} << (n % 64); };
  // The halves of one VOPD may weakly precede each other both ways: until nothing changes.
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      NodeSet strict = ancestors_[n], weak = weakAncestors_[n];
      for (const uint32_t p : nodes_[n].preds) {
        insert(strict, p);
        merge(strict, ancestors_[p]);
        merge(strict, weakAncestors_[p]);
      }
      for (const uint32_t p : nodes_[n].weakPreds) {
        insert(weak, p);
        merge(weak, weakAncestors_[p]);
        merge(strict, ancestors_[p]);
      }
      changed |= strict != ancestors_[n] || weak != weakAncestors_[n];
      ancestors_[n] = std::move(strict);
      weakAncestors_[n] = std::move(weak);
    }
  }
}

} // namespace rdna::rewrite
