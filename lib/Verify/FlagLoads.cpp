#include "Verify/FlagLoads.h"

#include "Verify/DecidedWays.h"

#include "Asm/Effects.h"
#include "Asm/Lane.h"
#include "Asm/LaneSets.h"

#include "llvm/ADT/STLExtras.h"

#include <bitset>

namespace rdna::verify {
namespace {

/// Registers whose values are looked at later on.
struct Marks {
  LaneSets vgprs;
  std::bitset<kRegUnits> scalars;
  void add(const Marks &other) {
    vgprs.add(other.vgprs);
    scalars |= other.scalars;
  }
  bool test(unsigned unit) const {
    return unit < RegUnit::kScalarBase ? vgprs.all().test(unit) : scalars.test(unit);
  }
  bool operator==(const Marks &) const = default;
};

struct FlagState {
  Marks raw;     ///< Of values as they were loaded.
  Marks derived; ///< ... and also of products and sums.
  bool operator==(const FlagState &) const = default;
};

class FlagTransfer {
public:
  explicit FlagTransfer(FlagState &state) : state_(state) {}

  void backward(const Instruction &inst) {
    if (inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64 || inst.isSetPc() ||
        isRelative(inst)) {
      for (Marks *marks : {&state_.raw, &state_.derived}) {
        marks->vgprs.active.set();
        marks->vgprs.inactive.set();
        marks->scalars.set();
      }
      return;
    }
    state_.raw.vgprs.stepOverMasks(inst, LaneSets::Within::TwoMasks);
    state_.derived.vgprs.stepOverMasks(inst, LaneSets::Within::TwoMasks);
    if (inst.isVopd())
      pair(inst);
    else if (inst.memory != MemoryEffect::None)
      memory(inst);
    else
      plain(inst);
  }

  /// Is anything that the instruction writes looked at?
  bool isLookedAt(const Instruction &inst) const {
    bool result = false;
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
        result |= mayBeActive(state_.raw, access.reg.first.index + d);
    return result;
  }

private:
  static bool mayBeActive(const Marks &marks, unsigned unit) {
    return unit < RegUnit::kScalarBase ? marks.vgprs.maybeActive().test(unit)
                                       : marks.scalars.test(unit);
  }

  /// How somebody looks at a value.
  struct Wanted {
    bool raw = false, derived = false;
  };
  static constexpr Wanted kLook{true, true};
  enum class Lanes : uint8_t { Active, All };

  void mark(RegRange range, Wanted want, Lanes lanes = Lanes::Active) {
    for (unsigned d = 0; d < range.dwords; ++d) {
      const unsigned i = range.first.index + d;
      for (const auto &[marks, wanted] :
           {std::pair(&state_.raw, want.raw), std::pair(&state_.derived, want.derived)}) {
        if (!wanted)
          continue;
        if (i >= RegUnit::kScalarBase) {
          marks->scalars.set(i);
          continue;
        }
        marks->vgprs.active.set(i);
        if (lanes == Lanes::All)
          marks->vgprs.inactive.set(i);
      }
    }
  }

  void forget(const Instruction &inst) {
    LaneSets::Vgprs written;
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.access == Access::Write && d < access.reg.dwords; ++d) {
        const unsigned i = access.reg.first.index + d;
        if (i < RegUnit::kScalarBase)
          written.set(i);
        else
          for (Marks *marks : {&state_.raw, &state_.derived})
            marks->scalars.reset(i);
      }
    if (written.any())
      for (Marks *marks : {&state_.raw, &state_.derived})
        marks->vgprs.dropActive(written);
  }

  /// How what an instruction writes there is looked at; what other lanes hold, it leaves alone.
  Wanted wanted(RegRange range, Lanes lanes) const {
    Wanted result;
    for (unsigned d = 0; d < range.dwords; ++d) {
      const unsigned unit = range.first.index + d;
      result.raw |= lanes == Lanes::All ? state_.raw.test(unit) : mayBeActive(state_.raw, unit);
      result.derived |=
          lanes == Lanes::All ? state_.derived.test(unit) : mayBeActive(state_.derived, unit);
    }
    return result;
  }

  void pair(const Instruction &inst) {
    const auto lanes = laneOps(inst);
    llvm::SmallVector<std::pair<LaneOp, Wanted>, 2> halves;
    for (const LaneOp &lane : lanes)
      halves.emplace_back(lane,
                          wanted({RegUnit::vgpr(lane.dst.number), 1, Half::Whole}, Lanes::Active));
    forget(inst);
    if (lanes.empty()) {
      for (const RegAccess &access : inst.accesses)
        if (access.reads())
          mark(access.reg, kLook);
      return;
    }
    for (const auto &[lane, want] : halves) {
      const ValueRole role = valueRole(lane.op);
      const auto source = [&](RegRange range) { read(range, role, want); };
      if (lane.src0.isVgpr())
        source({RegUnit::vgpr(lane.src0.value), 1, Half::Whole});
      if (lane.src1.isVgpr())
        source({RegUnit::vgpr(lane.src1.value), 1, Half::Whole});
      if (lane.addend)
        source({RegUnit::vgpr(lane.addend->number), 1, Half::Whole});
      for (const RegAccess &access : inst.accesses)
        if (access.reads() && !access.reg.first.isVgpr())
          source(access.reg);
    }
  }

  void read(RegRange range, ValueRole role, Wanted want, Lanes lanes = Lanes::Active) {
    switch (role) {
    case ValueRole::Move:
      break;
    case ValueRole::Sum:
      want.raw = want.derived;
      break;
    case ValueRole::Look:
      want = kLook;
      break;
    case ValueRole::Other:
      want.raw = true;
      break;
    }
    mark(range, want, lanes);
  }

  void plain(const Instruction &inst) {
    const ValueRole role = valueRole(inst.op);
    Wanted want;
    bool writes = false, masks = false;
    const bool writesAll = ignoresExec(inst.op) || inst.op == Op::v_writelane_b32;
    for (const RegAccess &access : inst.accesses)
      if (access.writes()) {
        const Wanted one = wanted(access.reg, writesAll ? Lanes::All : Lanes::Active);
        want.raw |= one.raw;
        want.derived |= one.derived;
        writes = true;
        // Lane masks and what addresses LDS and registers.
        masks |=
            access.reg.contains(kExecLo) || access.reg.contains(kM0) || access.reg.contains(kMode);
      }
    forget(inst);
    const bool looks = !writes || masks;
    // Of lanes that are off: exchanges, DPP that fetches them, matrices.
    const bool readsAll = crossesLanes(inst.op) || role == ValueRole::Move || readsAllLanes(inst);
    bool isFirst = true;
    for (const Operand &operand : inst.operands) {
      if (operand.cls != Operand::Class::Source || !operand.isReg())
        continue;
      // Of a lane exchange the first source is the value, the others say which lane; with
      // ds_bpermute and ds_permute it is the other way round.
      const bool addressFirst = inst.op == Op::ds_bpermute_b32 || inst.op == Op::ds_permute_b32;
      const bool isValue = !crossesLanes(inst.op) || isFirst != addressFirst;
      const bool isLane = inst.op == Op::v_writelane_b32 && !isFirst && operand.tiedTo < 0;
      isFirst = false;
      read(operand.reg, looks || !isValue || isLane ? ValueRole::Look : role, want,
           readsAll ? Lanes::All : Lanes::Active);
    }
    for (const RegAccess &access : inst.accesses)
      if (access.reads() && access.operand < 0)
        read(access.reg, looks ? ValueRole::Look : role, want);
  }

  void memory(const Instruction &inst) {
    forget(inst);
    const bool stores = inst.memory == MemoryEffect::Store;
    const Operand *data = stores ? storedData(inst) : nullptr;
    for (const RegAccess &access : inst.accesses) {
      if (!access.reads())
        continue;
      const Operand *operand =
          access.operand >= 0 ? &inst.operands[static_cast<size_t>(access.operand)] : nullptr;
      const bool isData = stores && operand && (operand == data || isSecondData(inst, operand));
      mark(access.reg, {true, !isData});
    }
  }

  static const Operand *sourceAt(const Instruction &inst, unsigned index) {
    for (const Operand &operand : inst.operands)
      if (operand.cls == Operand::Class::Source && operand.isReg() && index-- == 0)
        return &operand;
    return nullptr;
  }

  /// Of a store the operand that holds what is stored.
  static const Operand *storedData(const Instruction &inst) {
    switch (inst.unit) {
    case Unit::Buffer:
    case Unit::Image:
      return sourceAt(inst, 0);
    case Unit::Scratch: {
      const Operand *second = sourceAt(inst, 1);
      return second && second->reg.first.isVgpr() ? second : sourceAt(inst, 0);
    }
    default:
      return sourceAt(inst, 1);
    }
  }
  static bool isSecondData(const Instruction &inst, const Operand *operand) {
    return inst.unit == Unit::Lds && operand == sourceAt(inst, 2);
  }

  FlagState &state_;
};

/// Goes around the blocks until nothing is new.
class FlagFlow {
public:
  FlagFlow(const Module &module, const Cfg &cfg)
      : module_(module), cfg_(cfg), atStart_(cfg.blocks.size()), isQueued_(cfg.blocks.size(), 1) {
    for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
      work_.push_back(b);
  }

  std::vector<uint8_t> run() {
    const uint32_t first = cfg_.blocks.front().first;
    std::vector<uint8_t> result(cfg_.blocks.back().last - first, 0);
    while (!work_.empty()) {
      const uint32_t b = work_.back();
      work_.pop_back();
      isQueued_[b] = 0;
      FlagState state = atEnd(b, std::nullopt);
      stepOver(b, state, [&](const FlagTransfer &behind, const Instruction &inst) {
        if (inst.memory == MemoryEffect::Load || inst.memory == MemoryEffect::AtomicReturn)
          result[inst.index - first] |= behind.isLookedAt(inst);
      });
      // Only ever more, so that it ends: how many kinds of lanes are told apart is bounded.
      state.raw.add(atStart_[b].raw);
      state.derived.add(atStart_[b].derived);
      if (state == atStart_[b])
        continue;
      atStart_[b] = std::move(state);
      for (const uint32_t predecessor : cfg_.blocks[b].predecessors) {
        queue(predecessor);
        for (const uint32_t from : cfg_.blocks[predecessor].predecessors)
          queue(from); // It may know which way it goes there.
      }
    }
    return result;
  }

private:
  void queue(uint32_t block) {
    if (isQueued_[block])
      return;
    isQueued_[block] = 1;
    work_.push_back(block);
  }

  template <typename Visit> void stepOver(uint32_t block, FlagState &state, Visit visit) const {
    FlagTransfer transfer(state);
    for (uint32_t i = cfg_.blocks[block].last; i-- > cfg_.blocks[block].first;) {
      const Instruction &inst = module_.instructions()[i];
      visit(transfer, inst);
      transfer.backward(inst);
    }
  }

  /// What is so at the end of a block that was come to from `from`, or from anywhere.
  FlagState atEnd(uint32_t block, std::optional<uint32_t> from) const {
    FlagState state;
    for (const uint32_t successor : cfg_.blocks[block].successors) {
      Exit exit = exitOf(module_, cfg_, block, successor, from);
      if (exit == Exit::Closed)
        continue;
      if (goesWithoutLane(module_, cfg_, block, successor))
        exit = Exit::WithoutLane;
      FlagState more = from ? atStart_[successor] : atStartFrom(block, successor);
      if (exit == Exit::WithoutLane) {
        more.raw.vgprs.active.reset();
        more.derived.vgprs.active.reset();
      }
      state.raw.add(more.raw);
      state.derived.add(more.derived);
    }
    return state;
  }

  /// What is so at the start of `block` for whoever comes from `from`.
  FlagState atStartFrom(uint32_t from, uint32_t block) const {
    const auto decides = [&](uint32_t successor) {
      return exitOf(module_, cfg_, block, successor, from) !=
             exitOf(module_, cfg_, block, successor);
    };
    if (llvm::none_of(cfg_.blocks[block].successors, decides))
      return atStart_[block];
    FlagState state = atEnd(block, from);
    stepOver(block, state, [](const FlagTransfer &, const Instruction &) {});
    return state;
  }

  const Module &module_;
  const Cfg &cfg_;
  std::vector<FlagState> atStart_;
  std::vector<uint8_t> isQueued_;
  std::vector<uint32_t> work_;
};

} // namespace

std::vector<uint8_t> flagLoads(const Module &module, const Cfg &cfg) {
  if (cfg.blocks.empty())
    return {};
  return FlagFlow(module, cfg).run();
}

} // namespace rdna::verify
