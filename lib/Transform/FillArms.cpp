#include "Transform/FillArms.h"

#include "Analysis/Dataflow.h"
#include "Analysis/Liveness.h"
#include "Asm/Effects.h"
#include "Asm/Lane.h"
#include "Asm/LdsOffsets.h"
#include "Code/Build.h"
#include "Code/Change.h"
#include "Isa/Branch.h"
#include "Isa/OpTraits.h"
#include "Transform/CodeLines.h"
#include "Transform/CopyCode.h"
#include "Transform/FillNames.h"
#include "Transform/TwoWays.h"
#include "Transform/UnitSet.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace rdna {
namespace {

/// What the second way loads goes to the registers that it has, or to new ones, where those that it
/// has are somebody else's in the lanes of the first.
enum class Names : uint8_t { Kept, New };

/// One `if`.
class Merger {
public:
  Merger(const Module &module, const Cfg &cfg, const Liveness &liveness, const TwoWays &ways,
         Names names, unsigned firstFree)
      : module_(module), cfg_(cfg), liveness_(liveness), ways_(ways), names_(names),
        own_(module, ways, [this](RegUnit unit) { return isLiveBehind(unit); }, firstFree) {}

  /// Nothing if it is made; else why not.
  std::optional<StagesLeft> run(FillArms &result) {
    const bool isMade = findCells() && nameOwn() && findMoves() && checkRegisters() && checkText();
    if (!isMade)
      return std::move(left_);
    edit(result);
    return std::nullopt;
  }
  bool storesTwice() {
    const auto stores = [&](uint32_t i) { return storesToLds(inst(i)); };
    return llvm::any_of(ways_.first, stores) && llvm::any_of(ways_.second, stores);
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }
  bool leave(uint32_t i, std::string reason) {
    left_ = StagesLeft{inst(i).line, std::move(reason)};
    return false;
  }

  //===--------------------------------------------------------------------===//
  // What is stored
  //===--------------------------------------------------------------------===//

  /// A register that is a constant more than another one, outside of all loops.
  FillPlace placeOf(RegUnit address) const {
    std::optional<uint32_t> writer;
    const std::vector<uint32_t> writers = writersOf(address);
    if (writers.size() == 1 && !cfg_.loopOf(cfg_.blockOf(writers.front())))
      writer = writers.front();
    if (!writer || (inst(*writer).op != Op::v_or_b32 && inst(*writer).op != Op::v_add_nc_u32))
      return {address, 0, {}}; // (Of an `or` it may be less: then the proof refuses.)
    const Instruction &sum = inst(*writer);
    for (size_t n = 1; n < 3 && sum.operands.size() == 3; ++n) {
      const Operand &number = sum.operands[n];
      const auto base = dwordOperand(sum, 3 - n);
      if (number.kind == Operand::Kind::Immediate && base && base->isVgpr() &&
          writersOf(*base).size() == 1)
        return {*base, static_cast<uint32_t>(number.imm), {}};
    }
    return {address, 0, {}};
  }
  /// From where the `if` can be reached.
  std::vector<uint32_t> writersOf(RegUnit unit) const {
    std::vector<uint32_t> writers;
    walkFrom(cfg_, {cfg_.blockOf(ways_.opens)}, Direction::Backward, [&](uint32_t b) {
      for (uint32_t i = cfg_.blocks[b].first; i < cfg_.blocks[b].last; ++i)
        if (inst(i).writesUnit(unit))
          writers.push_back(i);
      return Walk::GoOn;
    });
    return writers;
  }

  bool addStore(uint32_t store, FillCells &cells) {
    const LdsOffsets offsets = ldsOffsets(inst(store));
    const MemoryTraits &memory = opTraits(inst(store).op).memory;
    const auto address =
        dwordOperand(inst(store), static_cast<size_t>(ldsAddressOperand(inst(store))));
    if (offsets.fields == 0 || memory.d16 != D16::None || memory.bytes % 4 != 0 || !address ||
        inst(store).value(OperandName::Gds) != 0)
      return leave(store, "one of the stores is not of whole dwords");
    FillPlace base = placeOf(*address);
    if (const auto mask = ways_.masks.find(store); mask != ways_.masks.end())
      base.mask = mask->second;
    size_t operand = static_cast<size_t>(ldsAddressOperand(inst(store)));
    for (unsigned field = 0; field < offsets.fields; ++field) {
      const int64_t offset = offsets.fields == 1 ? inst(store).value(OperandName::Offset)
                             : field == 0        ? inst(store).value(OperandName::Offset0)
                                                 : inst(store).value(OperandName::Offset1);
      const Operand &data = inst(store).operands[++operand];
      if (!data.isReg() || data.reg.dwords * 4 != memory.bytes)
        return leave(store, "one of the stores is not of whole dwords");
      for (unsigned d = 0; d < data.reg.dwords; ++d) {
        const uint32_t bytes = base.bytes + static_cast<uint32_t>(offset) * offsets.unit + 4 * d;
        const RegUnit unit{static_cast<uint16_t>(data.reg.first.index + d)};
        if (unit == *address)
          return leave(store, "an address is stored");
        if (!unit.isVgpr() ||
            !cells.try_emplace({base.base, bytes, base.mask}, FillCell{store, unit}).second)
          return leave(store, "a way stores to one place twice");
      }
    }
    addresses_.insert(address->index);
    return true;
  }

  bool findCells() {
    for (const uint32_t i : ways_.first)
      if (storesToLds(inst(i)) && !addStore(i, ofFirst_))
        return false;
    for (size_t n = 0; n < ways_.second.size(); ++n) {
      const uint32_t i = ways_.second[n];
      if (!storesToLds(inst(i)))
        continue;
      if (ways_.depth[n] != 0 && !ways_.masks.contains(i))
        return leave(i, "some of the second way's lanes store by themselves");
      if (!addStore(i, ofSecond_))
        return false;
      stores_.push_back(i);
    }
    for (const auto &[place, stored] : ofSecond_)
      if (!ofFirst_.contains(place))
        return leave(stored.store, "the other way stores nothing there");
    for (const auto &[place, stored] : ofFirst_)
      if (!ofSecond_.contains(place))
        return leave(stored.store, "the other way stores nothing there");
    return true;
  }

  bool nameOwn() {
    if (names_ == Names::New)
      left_ = own_.name(ofSecond_);
    return !left_;
  }

  //===--------------------------------------------------------------------===//
  // What lanes get that load nothing
  //===--------------------------------------------------------------------===//

  /// Back through the first way's moves: to a number, or to what was there before.
  std::optional<VopdSource> valueOf(VopdSource value, uint32_t store) const {
    for (const uint32_t i : llvm::reverse(ways_.first)) {
      if (i >= store)
        continue;
      const auto guard = ways_.masks.find(i), ofStore = ways_.masks.find(store);
      const bool isOfAll = guard == ways_.masks.end() ||
                           (ofStore != ways_.masks.end() && ofStore->second == guard->second);
      if (!isOfAll && writesValue(i, value))
        return std::nullopt;
      if (inst(i).op == Op::s_mov_b32) {
        const auto to = dwordOperand(inst(i), 0);
        if (value.kind != VopdSource::Kind::Scalar || to != RegUnit::scalar(value.value))
          continue;
        const auto from = dwordOperand(inst(i), 1);
        if (!from || from->isVgpr())
          return std::nullopt;
        value.value = from->number();
        continue;
      }
      const auto lanes = laneOps(inst(i));
      const auto lane = llvm::find_if(lanes, [&](const LaneOp &lane) {
        return value.isVgpr() && lane.dst.number == value.value;
      });
      if (lane != lanes.end())
        value = lane->src0;
    }
    return value;
  }

  bool writesValue(uint32_t i, const VopdSource &value) const {
    return (value.isVgpr() && inst(i).writesUnit(RegUnit::vgpr(value.value))) ||
           (value.kind == VopdSource::Kind::Scalar &&
            inst(i).writesUnit(RegUnit::scalar(value.value)));
  }

  bool findMoves() {
    for (const auto &[place, stored] : ofSecond_) {
      const FillCell &other = ofFirst_.at(place);
      const auto value = valueOf({VopdSource::Kind::Vgpr, other.data.number()}, other.store);
      if (!value)
        return leave(other.store, "what the first way stores is not simply a constant");
      const auto to = static_cast<uint8_t>(stored.data.number());
      data_.set(stored.data.index);
      if (value->isVgpr() && value->value == to)
        return leave(other.store, "both ways store the same register");
      if (const auto [move, isNew] = moves_.emplace(to, *value); !isNew && move->second != *value)
        return leave(other.store, "the second way stores one register where the first stores two");
    }
    for (const auto &[to, value] : moves_)
      if (value.isVgpr() && data_.test(RegUnit::vgpr(value.value).index))
        return leave(ways_.opens, "what the first way stores is where the second loads to");
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Who else has these registers
  //===--------------------------------------------------------------------===//

  void readsAndWrites(uint32_t i, Units &reads, Units &writes) const {
    addUnits(inst(i), &reads, &writes);
  }
  bool isReadBehind(RegUnit unit) const {
    bool isRead = false;
    const auto look = [&](uint32_t i, uint32_t last) {
      for (; i < last; ++i) {
        isRead |= inst(i).readsUnit(unit);
        if (isRead || inst(i).writesUnit(unit))
          return Walk::Stop;
      }
      return Walk::GoOn;
    };
    const Block &here = cfg_.blocks[cfg_.blockOf(ways_.join)];
    if (look(ways_.join + 1, here.last) == Walk::GoOn)
      walkFrom(cfg_, here.successors, Direction::Forward,
               [&](uint32_t b) { return look(cfg_.blocks[b].first, cfg_.blocks[b].last); });
    return isRead;
  }

  bool checkRegisters() {
    Units between, second, firstWrites, ignored, condition;
    readsAndWrites(ways_.opens, condition, ignored);
    for (const uint32_t i : ways_.first)
      readsAndWrites(i, ignored, firstWrites);
    for (const uint32_t i : ways_.between) {
      Units reads;
      readsAndWrites(i, reads, between);
      if ((reads & (data_ | firstWrites)).any())
        return leave(i, "between both ways their registers are read");
    }
    if ((between & data_).any() || (condition & (between | data_ | firstWrites)).any())
      return leave(ways_.turns, "between both ways their registers are written");
    for (const auto &[to, value] : moves_)
      if (llvm::any_of(ways_.between, [&](uint32_t i) { return writesValue(i, value); }))
        return leave(ways_.turns, "between both ways their registers are written");
    if (!checkSecond(firstWrites, second))
      return false;
    for (const unsigned address : addresses_)
      if (between.test(address) || second.test(address) || firstWrites.test(address))
        return leave(ways_.turns, "the address changes on the way");
    for (const RegUnit unit : {ways_.all, ways_.rest, ways_.taken})
      if (isReadBehind(unit))
        return leave(ways_.join, fmt::format("{} is needed behind the join", toString(unit)));
    if (const RegUnit kept = lanesBehind(); second.test(kept.index))
      return leave(ways_.join, fmt::format("{} changes on the second way", toString(kept)));
    return checkBehind(firstWrites, between);
  }

  /// Its registers for the stores are written before they are read, and stay as they are behind the
  /// store.
  bool checkSecond(const Units &firstWrites, Units &writes) {
    std::set<uint32_t> stored;
    Units written;
    for (size_t n = 0; n < ways_.second.size(); ++n) {
      const uint32_t i = ways_.second[n];
      Units reads, here;
      readsAndWrites(i, reads, here);
      for (unsigned unit = RegUnit::kScalarBase; unit < kRegUnits; ++unit)
        if (firstWrites.test(unit) && reads.test(unit) && !written.test(unit))
          return leave(i, "the second way reads what the first has written");
      for (const auto &[place, cell] : ofSecond_) {
        const unsigned unit = cell.data.index;
        if (here.test(unit) && stored.contains(cell.store))
          return leave(i,
                       fmt::format("{} has another value behind its store", toString(cell.data)));
        if (reads.test(unit) && !written.test(unit) && !storesToLds(inst(i)))
          return leave(i, fmt::format("{} has a value already", toString(cell.data)));
      }
      if (storesToLds(inst(i)))
        stored.insert(i);
      if (ways_.depth[n] == 0)
        written |= here;
      writes |= here;
    }
    Units missing = data_ & ~written;
    for (unsigned unit = 0; unit < RegUnit::kScalarBase; ++unit)
      if (own_.isNew({static_cast<uint16_t>(unit)}))
        missing.reset(unit);
    if (missing.any())
      return leave(ways_.turns, "some of the second way's lanes store what was there before");
    return true;
  }

  /// What is gone is missed by nobody.
  bool checkBehind(const Units &firstWrites, const Units &between) {
    for (unsigned unit = 0; unit < kRegUnits; ++unit) {
      const RegUnit reg{static_cast<uint16_t>(unit)};
      if (!data_.test(unit) && (!firstWrites.test(unit) || between.test(unit)))
        continue;
      if (isLiveBehind(reg))
        return leave(ways_.join, fmt::format("{} is needed behind the join", toString(reg)));
    }
    return true;
  }

  bool isLiveBehind(RegUnit reg) const {
    if (!reg.isVgpr())
      return reg != kScc && isReadBehind(reg);
    const uint32_t block = cfg_.blockOf(ways_.join);
    LiveWalk walk(liveness_, block);
    for (uint32_t i = cfg_.blocks[block].last; i-- > ways_.join + 1;)
      walk.stepOver(inst(i));
    return walk.live().test(reg.number());
  }

  bool checkText() {
    for (const auto &[store, mask] : ways_.masks) {
      const auto changes = [&](uint32_t i) { return inst(i).writesUnit(mask); };
      if (mask == lanesBehind() || llvm::any_of(ways_.first, changes) ||
          llvm::any_of(ways_.between, changes) || llvm::any_of(ways_.second, changes))
        return leave(store, "the lanes of a store change on the way");
    }
    const std::set<uint32_t> named = own_.renamed();
    for (const uint32_t i : named)
      if (!own_.codeOf(i))
        return leave(i, "registers that belong together cannot have other names");
    for (const uint32_t store : stores_)
      if (!own_.codeOf(store))
        return leave(store, "registers that belong together cannot have other names");
    for (const uint32_t store : stores_)
      if (store > 0 && inst(store - 1).op == Op::s_clause)
        return leave(store, "the stores are in a clause");
    for (const uint32_t i : ways_.second)
      if (const auto counts = waitCounts(inst(i));
          counts && counts->lgkm && *counts->lgkm != 0 && inst(i).unit == Unit::Wait)
        return leave(i, "a wait counts the stores");
    if (!takesLineBefore(module_, inst(ways_.turns)) || !takesLineBehind(module_, inst(ways_.join)))
      return leave(ways_.turns, "nothing can be put between its lines");
    std::vector<uint32_t> changed{ways_.opens, ways_.turns, ways_.join};
    llvm::append_range(changed, ways_.gone);
    llvm::append_range(changed, ways_.first);
    llvm::append_range(changed, stores_);
    llvm::append_range(changed, named);
    for (const uint32_t i : changed)
      if (inst(i).origin == Instruction::Origin::Macro)
        return leave(i, "a part of it is a macro's");
    return true;
  }

  //===--------------------------------------------------------------------===//
  // The text
  //===--------------------------------------------------------------------===//

  bool opensByCompare() const { return isCompareToExec(inst(ways_.opens).op); }
  /// What switches all lanes on again.
  RegUnit lanesBehind() const { return opensByCompare() ? ways_.all : ways_.taken; }

  void edit(FillArms &result) {
    CodeLines front(module_), behind(module_);
    for (const auto &[to, value] : moves_)
      front.line(Code(buildLane({Op::v_mov_b32, Vgpr{to}, value, {}, {}, {}})));
    if (opensByCompare())
      front.line(*copyWithoutHazard(module_, inst(ways_.opens)));
    result.edits.push_back(lineBefore(module_, inst(ways_.turns), front.take()));
    if (opensByCompare()) {
      result.edits.push_back(
          replacement(inst(ways_.turns), build(Op::s_xor_b32, {kExecLo, kExecLo, ways_.all})));
      result.edits.push_back(
          replacement(inst(ways_.join), build(Op::s_or_b32, {kExecLo, kExecLo, ways_.all})));
    } else {
      const RegUnit mask = *dwordOperand(inst(ways_.opens), 1);
      result.edits.push_back(
          replacement(inst(ways_.turns), build(Op::s_and_not0_saveexec_b32, {ways_.taken, mask})));
    }
    for (const uint32_t store : stores_) {
      const auto mask = ways_.masks.find(store);
      if (mask != ways_.masks.end())
        behind.line(build(Op::s_and_saveexec_b32, {lanesBehind(), mask->second}));
      behind.line(*own_.codeOf(store));
      if (mask != ways_.masks.end())
        behind.line(build(Op::s_or_b32, {kExecLo, kExecLo, lanesBehind()}));
      result.edits.push_back(removal(module_, inst(store)));
    }
    for (const uint32_t i : own_.renamed())
      result.edits.push_back(replacement(inst(i), *own_.codeOf(i)));
    result.vgprs = std::max(result.vgprs, own_.vgprs());
    result.edits.push_back(lineBehind(module_, inst(ways_.join), behind.take()));
    result.edits.push_back(removal(module_, inst(ways_.opens)));
    for (const auto *gone : {&ways_.gone, &ways_.first})
      for (const uint32_t i : *gone)
        result.edits.push_back(removal(module_, inst(i)));
    ++result.ifs;
    result.stores += static_cast<unsigned>(stores_.size());
    result.moves += static_cast<unsigned>(moves_.size());
  }

  const Module &module_;
  const Cfg &cfg_;
  const Liveness &liveness_;
  const TwoWays &ways_;
  FillCells ofFirst_, ofSecond_;
  const Names names_;
  FillNames own_;
  std::vector<uint32_t> stores_; ///< Of the second way.
  std::map<uint8_t, VopdSource> moves_;
  Units data_; ///< Registers of the second way that are stored.
  std::set<unsigned> addresses_;
  std::optional<StagesLeft> left_;
};

} // namespace

FillArmsOutcome mergeFillArms(const Module &module, const Cfg &cfg, uint32_t loop,
                              unsigned firstFree) {
  FillArmsOutcome outcome;
  FillArms made;
  const Loop &body = cfg.loops[loop];
  std::optional<Liveness> liveness;
  for (const uint32_t b : body.blocks) {
    if (cfg.loopOf(b) != loop)
      continue;
    for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i) {
      const auto ways = findTwoWays(module, cfg, body, i);
      if (!ways)
        continue;
      if (!liveness)
        liveness = computeLiveness(module, cfg);
      Merger merger(module, cfg, *liveness, *ways, Names::Kept, firstFree);
      if (!merger.storesTwice() || !merger.run(made))
        continue;
      // One `if` is over when the next one begins, so all may have the same new registers.
      if (auto left = Merger(module, cfg, *liveness, *ways, Names::New, firstFree).run(made))
        outcome.left.push_back(std::move(*left));
    }
  }
  if (made.ifs > 0)
    outcome.rewrite = std::move(made);
  return outcome;
}

} // namespace rdna
