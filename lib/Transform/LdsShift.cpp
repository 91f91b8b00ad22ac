#include "Transform/LdsShift.h"

#include "Asm/LdsOffsets.h"
#include "Code/Build.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <vector>

namespace rdna {
namespace {

RegUnit addressOf(const Instruction &access) {
  return access.operands[static_cast<size_t>(ldsAddressOperand(access))].reg.first;
}

class Shifter {
public:
  Shifter(const Module &module, uint32_t first, uint32_t last, const LdsShiftRequest &request)
      : module_(module), first_(first), last_(last), request_(request) {}

  LdsShiftOutcome run() {
    const RaisedRanges raised = raisedAddresses();
    for (uint32_t i = first_; i < last_ && !left_; ++i)
      copy(i, raised);
    if (left_)
      return {.shift = std::nullopt, .left = std::move(left_)};
    return {.shift = std::move(shift_), .left = std::nullopt};
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }

  void leave(uint32_t line, std::string reason) {
    if (!left_)
      left_ = StagesLeft{line, std::move(reason)};
  }

  Vgpr renamed(const Operand &operand, int index, Vgpr old) const {
    return request_.rename ? request_.rename(operand, index, old) : old;
  }

  /// The access in the other buffer; nothing if the offsets do not reach so far.
  std::optional<Inst> moved(const Instruction &access) const {
    const LdsOffsets offsets = ldsOffsets(access);
    if (offsets.fields == 0 || request_.distance % offsets.unit != 0)
      return std::nullopt;
    std::vector<NewValue> values;
    for (unsigned i = 0; i < access.operands.size(); ++i) {
      const Operand &operand = access.operands[i];
      if (operand.name != OperandName::Offset && operand.name != OperandName::Offset0 &&
          operand.name != OperandName::Offset1)
        continue;
      const int64_t value = operand.imm + request_.distance / offsets.unit;
      if (value > offsets.limit)
        return std::nullopt;
      values.push_back({i, value});
    }
    return withValues(module_, access, values, [this](const Operand &operand, int index, Vgpr old) {
      return renamed(operand, index, old);
    });
  }

  /// Where a register is the address of an access whose offset does not reach, it is increased in
  /// front of the first of its accesses and is what it was behind the last; several times where
  /// something else needs it in between.
  struct Raised {
    uint32_t first, last;
    bool isOverwritten = false; ///< By what the last one loads.
  };
  using RaisedRanges = std::map<uint16_t, std::vector<Raised>>;

  RaisedRanges raisedAddresses() {
    RaisedRanges raised;
    std::set<uint16_t> open; // Nothing else has needed them since their last access.
    for (uint32_t i = first_; i < last_ && request_.distance != 0; ++i) {
      const bool isAccess = accessesLds(inst(i));
      const bool isRaised = isAccess && !moved(inst(i));
      if (isRaised) {
        const uint16_t unit = addressOf(inst(i)).index;
        if (open.insert(unit).second)
          raised[unit].push_back({i, i});
        raised[unit].back().last = i;
        raised[unit].back().isOverwritten = inst(i).writesUnit({unit});
        if (readsOtherwise(i, {unit}))
          leave(inst(i).line,
                fmt::format("the offsets of LDS accesses do not reach {} bytes further, and {} is "
                            "stored, too",
                            request_.distance, toString(RegUnit{unit})));
      }
      std::erase_if(open, [&](uint16_t unit) {
        return readsOtherwise(i, {unit}) || inst(i).writesUnit({unit}) ||
               inst(i).writesUnit(kExecLo);
      });
    }
    return raised;
  }
  /// But as an address of LDS.
  bool readsOtherwise(uint32_t i, RegUnit unit) const {
    const bool isAddress = accessesLds(inst(i)) && addressOf(inst(i)) == unit;
    const int own = isAddress ? ldsAddressOperand(inst(i)) : -1;
    return llvm::any_of(inst(i).accesses, [&](const RegAccess &access) {
      return access.reads() && access.reg.contains(unit) && access.operand != own;
    });
  }

  void add(RegUnit unit, int64_t bytes) {
    shift_.lines.emplace_back(build(Op::v_add_nc_u32, {Arg(unit), imm(bytes), Arg(unit)}));
    ++shift_.additions;
  }

  void copy(uint32_t i, const RaisedRanges &raised) {
    if (request_.leaveOut(i))
      return;
    if (auto code = request_.instead ? request_.instead(i) : std::nullopt)
      return shift_.lines.push_back(std::move(*code));
    ++shift_.instructions;
    shift_.bytes += inst(i).sizeBytes;
    const bool isHint = inst(i).op == Op::s_delay_alu || inst(i).op == Op::s_clause;
    if (isHint && (!raised.empty() || request_.hints == LdsShiftRequest::Hints::LeaveOut))
      return;
    for (const auto &[unit, ranges] : raised)
      if (llvm::any_of(ranges, [&](const Raised &range) { return range.first == i; }))
        add({unit}, request_.distance);
    const bool isAccess = accessesLds(inst(i)) && request_.distance != 0;
    const auto ranges = isAccess ? raised.find(addressOf(inst(i)).index) : raised.end();
    const bool isRaised =
        ranges != raised.end() && llvm::any_of(ranges->second, [&](const Raised &range) {
          return range.first <= i && i <= range.last;
        });
    if (isAccess && !isRaised) {
      shift_.lines.emplace_back(*moved(inst(i)));
      ++shift_.offsets;
    } else if (!request_.rename) {
      shift_.lines.push_back(Code::copyOf(inst(i)));
    } else if (auto code = rdna::renamed(module_, inst(i), request_.rename)) {
      shift_.lines.push_back(std::move(*code));
    } else {
      leave(inst(i).line, "registers that belong together cannot be renamed together");
    }
    for (const auto &[unit, ranges] : raised)
      if (llvm::any_of(
              ranges, [&](const Raised &range) { return range.last == i && !range.isOverwritten; }))
        add({unit}, -int64_t(request_.distance));
  }

  const Module &module_;
  const uint32_t first_, last_;
  const LdsShiftRequest &request_;
  LdsShift shift_;
  std::optional<StagesLeft> left_;
};

} // namespace

LdsShiftOutcome shiftLds(const Module &module, uint32_t first, uint32_t last,
                         const LdsShiftRequest &request) {
  return Shifter(module, first, last, request).run();
}

} // namespace rdna
