#include "Transform/Unroll.h"

#include "Analysis/ScalarFlow.h"
#include "Asm/Lane.h"
#include "Asm/LdsOffsets.h"
#include "Asm/Print.h"
#include "Transform/CopyCode.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace rdna {
namespace {

/// More trips than any code could be unrolled for.
constexpr uint64_t kMostTrips = 65536;

class Unroller {
public:
  Unroller(const Module &module, const Cfg &cfg, const Loop &loop, const UnrollOptions &options)
      : module_(module), cfg_(cfg), loop_(loop), options_(options), body_(cfg.blocks[loop.header]),
        newline_(lineEnding(module)) {}

  UnrollOutcome run() {
    UnrollOutcome outcome;
    outcome.line = inst(body_.first).line;
    if (!canCopy() || !countTrips() || copiesHazard()) {
      outcome.line = line_ ? line_ : outcome.line;
      outcome.reason = reason_;
      return outcome;
    }
    known_ = atEntry_;
    for (uint64_t trip = 0; trip < rewrite_.trips; ++trip) {
      const Copy copy = trip == 0 ? Copy::First : Copy::Later;
      for (uint32_t i = body_.first; i + 1 < body_.last; ++i)
        emit(inst(i), copy);
      keepLinesBefore(inst(body_.last - 1), copy);
    }
    finish();
    const Instruction &branch = inst(body_.last - 1);
    uint32_t end = branch.end;
    while (end < module_.text().size() && module_.text()[end] != '\n' &&
           module_.text()[end] != '\r')
      ++end; // with its comment
    rewrite_.edits.push_back({inst(body_.first).begin, end, out_});
    outcome.rewrite = std::move(rewrite_);
    return outcome;
  }

private:
  enum class Copy : uint8_t { First, Later };
  /// A VGPR whose new value is only known, not there: what is in `base` now, plus a constant.
  struct Sum {
    unsigned base = 0;
    uint32_t added = 0;
  };

  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }
  bool refuse(uint32_t line, std::string reason) {
    line_ = line;
    reason_ = std::move(reason);
    return false;
  }

  bool canCopy() {
    const Instruction &branch = inst(body_.last - 1);
    if (loop_.blocks.size() != 1)
      return refuse(branch.line, "the loop has more than one block");
    if (branch.op != Op::s_cbranch_scc0 && branch.op != Op::s_cbranch_scc1)
      return refuse(branch.line, "the loop does not end with a branch on SCC");
    for (uint32_t i = body_.first; i < body_.last; ++i)
      if (inst(i).writesUnit(kExecLo) || inst(i).writesUnit(kExecHi))
        return refuse(inst(i).line, "the loop changes EXEC");
    const auto obstacle = obstacleToCopy(module_, body_);
    return !obstacle || refuse(obstacle->line, obstacle->reason);
  }

  bool copiesHazard() {
    const auto hazard = hazardToCopy(module_, body_);
    return hazard && !refuse(hazard->line, hazard->reason);
  }

  bool countTrips() {
    atEntry_ = scalarsAtStart(module_, cfg_, loop_.header, OwnEdges::Ignore);
    const Instruction &branch = inst(body_.last - 1);
    KnownScalars state = atEntry_;
    uint64_t bytes = 0;
    for (bool again = true; again;) {
      for (uint32_t i = body_.first; i < body_.last; ++i) {
        foldInto(inst(i), state);
        bytes += inst(i).sizeBytes;
      }
      if (!state[kScc.index])
        return refuse(branch.line, "its number of trips does not follow from constants");
      if (++rewrite_.trips > kMostTrips)
        return refuse(branch.line, fmt::format("it has more than {} trips", kMostTrips));
      again = (branch.op == Op::s_cbranch_scc1) == (*state[kScc.index] != 0);
    }
    if (bytes > options_.mostBytes)
      return refuse(branch.line, fmt::format("its {} trips would be {} bytes of code, more than {} "
                                             "(--max-code-bytes)",
                                             rewrite_.trips, bytes, options_.mostBytes));
    return true;
  }

  void line(const std::string &text) {
    if (!out_.empty()) {
      out_ += newline_;
      out_ += '\t';
    }
    out_ += text;
  }

  /// What stands behind an instruction on its line.
  std::string commentOf(const Instruction &instruction) const {
    const std::string_view whole = module_.lineText(instruction.line);
    const uint32_t from = instruction.end - module_.lineBegin(instruction.line);
    const size_t last = whole.find_last_not_of(" \t\r");
    return last == std::string_view::npos || last < from
               ? std::string()
               : std::string(whole.substr(from, last + 1 - from));
  }

  /// The add of a VGPR and something that is known, if the instruction is one.
  std::optional<std::pair<unsigned, Sum>> knownSum(const Instruction &instruction) const {
    const auto lanes = laneOps(instruction);
    if (instruction.isVopd() || lanes.size() != 1 || lanes[0].op != Op::v_add_nc_u32)
      return std::nullopt;
    std::optional<unsigned> base;
    std::optional<uint32_t> added;
    for (const VopdSource &source : {lanes[0].src0, lanes[0].src1}) {
      if (source.isVgpr()) {
        if (base)
          return std::nullopt;
        base = source.value;
      } else {
        added = source.kind == VopdSource::Kind::Scalar
                    ? known_[RegUnit::scalar(source.value).index]
                    : std::optional(source.value);
        if (!added || source.value == 253) // SCC
          return std::nullopt;
      }
    }
    if (!base || !added)
      return std::nullopt;
    Sum sum{*base, *added};
    if (const auto it = sums_.find(*base); it != sums_.end())
      sum = {it->second.base, it->second.added + *added};
    return std::pair(unsigned(lanes[0].dst.number), sum);
  }

  /// Writes a VGPR's value where it belongs.
  void materialise(unsigned vgpr) {
    const auto it = sums_.find(vgpr);
    if (it == sums_.end())
      return;
    const Sum sum = it->second;
    sums_.erase(it);
    if (sum.base != vgpr)
      freeBase(vgpr);
    else
      for (auto &[other, s] : sums_)
        if (s.base == vgpr)
          s.added -= sum.added;
    LaneOp add;
    add.op = Op::v_add_nc_u32;
    add.dst = Vgpr{static_cast<uint8_t>(vgpr)};
    add.src0 = {VopdSource::Kind::Literal, sum.added};
    add.src1 = {VopdSource::Kind::Vgpr, sum.base};
    line(printLane(add));
  }

  /// Before `vgpr` changes: values that are relative to what is in it.
  void freeBase(unsigned vgpr) {
    std::vector<unsigned> relative;
    for (const auto &[other, sum] : sums_)
      if (sum.base == vgpr && other != vgpr)
        relative.push_back(other);
    for (const unsigned other : relative)
      materialise(other);
  }

  void materialiseScalar(RegUnit unit) {
    if (!stale_.test(unit.index))
      return;
    stale_.reset(unit.index);
    const uint32_t value = *known_[unit.index];
    if (unit == kScc)
      line(value ? "s_cmp_eq_u32 0, 0" : "s_cmp_lg_u32 0, 0");
    else
      line(fmt::format("s_mov_b32 {}, 0x{:x}", toString(unit), value));
  }

  /// The access with its address's addition in its offsets, if they have room for it.
  std::optional<std::string> withOffset(const Instruction &instruction, int addressOperand,
                                        const Sum &sum) const {
    const LdsOffsets fields = ldsOffsets(instruction);
    std::vector<int64_t> offsets;
    for (const Operand &operand : instruction.operands)
      if (operand.cls == Operand::Class::Control && offsets.size() < fields.fields)
        offsets.push_back(operand.kind == Operand::Kind::Immediate ? operand.imm : -1);
    if (fields.fields == 0 || offsets.size() != fields.fields || sum.added % fields.unit != 0)
      return std::nullopt;
    for (int64_t &offset : offsets) {
      if (offset < 0)
        return std::nullopt;
      // Modulo 2^32, as the address is: an addition may be one of a negative number.
      offset = static_cast<uint32_t>(offset * fields.unit + sum.added) / fields.unit;
      if (offset > int64_t(fields.limit))
        return std::nullopt;
    }
    auto text = printRenamed(module_, instruction, [&](const Operand &, int index, Vgpr old) {
      return index == addressOperand ? Vgpr{static_cast<uint8_t>(sum.base)} : old;
    });
    if (!text)
      return std::nullopt;
    for (const std::string_view word : {"offset:", "offset0:", "offset1:"})
      if (const size_t at = text->find(word); at != std::string::npos) {
        const size_t end = std::min(text->find_first_of(" \t", at), text->size());
        const size_t from = text->find_last_not_of(" \t", at - 1) + 1;
        text->erase(from, end - from);
      }
    const size_t gds = text->find(" gds");
    std::string shown;
    for (unsigned n = 0; n < offsets.size(); ++n)
      if (offsets[n] != 0)
        shown += fmt::format(" offset{}:{}",
                             fields.fields == 1 ? ""
                             : n == 0           ? "0"
                                                : "1",
                             offsets[n]);
    text->insert(gds == std::string::npos ? text->size() : gds, shown);
    return text;
  }

  /// Puts everything that an instruction reads where it reads it. An LDS access whose address is a
  /// sum gets a text of its own instead, if there is one.
  std::optional<std::string> prepare(const Instruction &instruction) {
    // The address of an LDS access is its first source.
    int address = -1;
    std::optional<std::string> text;
    for (int k = 0; k < int(instruction.operands.size()) && address < 0; ++k)
      if (instruction.operands[size_t(k)].cls == Operand::Class::Source)
        address = k;
    if (address >= 0 && instruction.unit == Unit::Lds &&
        instruction.operands[size_t(address)].isReg())
      if (const auto it = sums_.find(instruction.operands[size_t(address)].reg.first.index);
          it != sums_.end())
        text = withOffset(instruction, address, it->second);
    for (const RegAccess &access : instruction.accesses)
      for (unsigned d = 0; d < access.reg.dwords; ++d) {
        const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
        if (!access.reads() || (text && access.operand == address))
          continue;
        if (unit.isVgpr())
          materialise(unit.index);
        else
          materialiseScalar(unit);
      }
    return text;
  }

  /// What stands between instructions: comments and labels once, debug locations in each trip.
  void keepLinesBefore(const Instruction &instruction, Copy copy) {
    for (uint32_t l = instruction.index == body_.first ? instruction.line
                                                       : inst(instruction.index - 1).line + 1;
         l < instruction.line; ++l)
      if (const std::string_view text = module_.lineText(l);
          copy == Copy::First || text.find(".loc") != std::string_view::npos)
        leading_ += (leading_.empty() ? "" : std::string(newline_)) + std::string(text);
  }
  void printKeptLines() {
    if (!leading_.empty())
      out_ += (out_.empty() ? "" : std::string(newline_)) + leading_;
    leading_.clear();
  }

  void emit(const Instruction &instruction, Copy copy) {
    keepLinesBefore(instruction, copy);
    if (instruction.op == Op::s_delay_alu) // A hint about neighbours that it no longer has.
      return;
    if (const auto writes =
            foldScalar(instruction, [&](RegUnit unit) { return known_[unit.index]; })) {
      for (const auto &[unit, value] : *writes) {
        known_[unit.index] = value;
        stale_.set(unit.index);
      }
      ++rewrite_.scalarsFolded;
      return;
    }
    if (const auto sum = knownSum(instruction)) {
      sums_[sum->first] = sum->second;
      return;
    }
    if (instruction.op == Op::s_clause) // Nothing may come between its members.
      for (uint32_t k = 0; k <= uint32_t(instruction.operands[0].imm & 63); ++k)
        if (instruction.index + 1 + k < body_.last)
          prepare(inst(instruction.index + 1 + k));
    const std::optional<std::string> text = prepare(instruction);
    for (const RegAccess &access : instruction.accesses)
      for (unsigned d = 0; d < access.reg.dwords && access.writes(); ++d)
        if (const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)}; unit.isVgpr()) {
          sums_.erase(unit.index);
          freeBase(unit.index);
        } else {
          stale_.reset(unit.index);
        }
    foldInto(instruction, known_);
    printKeptLines();
    rewrite_.offsetsFolded += text.has_value();
    line((text ? *text : std::string(module_.instructionText(instruction))) +
         (copy == Copy::First ? commentOf(instruction) : std::string()));
  }

  /// What code behind the loop still reads.
  void finish() {
    printKeptLines();
    const Liveness liveness = computeLiveness(module_, cfg_);
    const auto scalars = liveScalars(module_, cfg_);
    for (const uint32_t s : body_.successors) {
      if (s == loop_.header)
        continue;
      for (unsigned v = 0; v < 256; ++v)
        if (liveness.liveIn[s].test(v))
          materialise(v);
      for (unsigned u = 0; u < kRegUnits; ++u)
        if (u != kScc.index && scalars[s].test(u))
          materialiseScalar({static_cast<uint16_t>(u)});
      if (scalars[s].test(kScc.index)) // Last: it is the only one that the others might change.
        materialiseScalar(kScc);
    }
    if (out_.empty()) // An empty loop, entered by a label that must stand before something.
      line("s_nop 0");
  }

  const Module &module_;
  const Cfg &cfg_;
  const Loop &loop_;
  const UnrollOptions &options_;
  const Block &body_;
  std::string_view newline_;
  KnownScalars atEntry_, known_;
  std::bitset<kRegUnits> stale_; ///< Known, but the register does not hold it.
  std::map<unsigned, Sum> sums_;
  std::string out_, leading_, reason_;
  uint32_t line_ = 0;
  UnrollRewrite rewrite_;
};

} // namespace

UnrollOutcome unrollLoop(const Module &module, const Cfg &cfg, const Loop &loop,
                         const UnrollOptions &options) {
  return Unroller(module, cfg, loop, options).run();
}

} // namespace rdna
