//===- Plan.h - what is known of an instruction, worked out once ---===//
#pragma once

#include "Asm/Module.h"
#include "Emu/Memory.h"
#include "Emu/Program.h"

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace rdna::emu {

/// A set of register units (Isa/Register.h: VGPRs, the scalar file, SCC, ...).
struct RegSet {
  alignas(64) std::array<uint64_t, 8> word{};

  void add(const RegRange &range) {
    for (unsigned n = range.first.index; n < unsigned(range.first.index) + range.dwords; ++n)
      word[n / 64] |= uint64_t(1) << n % 64;
  }
  bool has(unsigned unit) const { return word[unit / 64] >> unit % 64 & 1; }
  void remove(unsigned unit) { word[unit / 64] &= ~(uint64_t(1) << unit % 64); }
  bool intersects(const RegSet &other) const {
    uint64_t common = 0;
    for (unsigned k = 0; k < word.size(); ++k)
      common |= word[k] & other.word[k];
    return common != 0;
  }
  /// The lowest unit that is in both; -1 if there is none.
  int firstCommon(const RegSet &other) const {
    for (unsigned k = 0; k < word.size(); ++k)
      if (uint64_t common = word[k] & other.word[k])
        return int(64 * k) + __builtin_ctzll(common);
    return -1;
  }
  bool any() const { return intersects(*this); }
  RegSet &operator|=(const RegSet &other) {
    for (unsigned k = 0; k < word.size(); ++k)
      word[k] |= other.word[k];
    return *this;
  }
  RegSet &operator-=(const RegSet &other) {
    for (unsigned k = 0; k < word.size(); ++k)
      word[k] &= ~other.word[k];
    return *this;
  }
};

static_assert(kRegUnits <= 512);

/// The counters that an operation holds until it is done (facts of ISA 5.6).
enum Counter : uint8_t {
  counterVm = 1,   ///< Loads and atomics that return, in order.
  counterVs = 2,   ///< Stores and atomics that do not, in order.
  counterLds = 4,  ///< LGKM's in-order part: LDS, and FLAT's share.
  counterSmem = 8, ///< LGKM's other part, out of order: SMEM and messages with an answer.
};

/// What a wait leaves outstanding; `none` of a counter it does not look at.
struct WaitLimit {
  static constexpr uint8_t none = 255;
  uint8_t vm = none, vs = none, lgkm = none;
  bool any() const { return vm != none || vs != none || lgkm != none; }
};

enum class MemoryClass : uint8_t {
  None,
  Lds,
  LdsPair,
  LdsCounter,
  LdsAddTid,
  Flat,
  FlatAddTid,
  Buffer,
  Scalar,
};

/// What the checks ask of an instruction again and again.
enum Trait : uint16_t {
  traitValu = 1,
  traitTrans = 2,
  traitVopdParity = 4, ///< Sources of one slot of a VOPD are of one parity.
  traitMad64 = 8,      ///< The destination of a 64-bit multiply-add overlaps a source.
  traitPermlane = 16,  ///< Reads EXEC where hardware does not wait for a V_CMPX.
  traitCmpx = 32,
  traitWmma = 64,
  traitDrains = 128,  ///< Waits for all VALU results before it issues.
  traitClause = 256,  ///< S_CLAUSE.
  traitDealloc = 512, ///< The message that gives the VGPRs back.
  traitIdle = 1024,   ///< S_NOP and S_SLEEP: allowed in any clause.
  traitEnd = 2048,
  traitVectorMemory = 4096,
  traitBeyond = 8192, ///< Touches a register that the wave does not have.
};

struct InstPlan {
  RegSet reads, writes; ///< Partial writes are in both.
  RegSet kept;          ///< Read for what a partial write leaves of them, and for nothing else.
  const Inst *first = nullptr;
  WaitLimit wait;
  uint8_t counters = 0; ///< Counter bits.
  MemoryClass memory = MemoryClass::None;
  AccessKind kind = AccessKind::Read;
  uint8_t bytes = 0;    ///< Per lane and access.
  bool partial = false; ///< Keeps bits of its destination.
  uint16_t traits = 0;  ///< Trait bits.
  uint32_t offset = 0;  ///< Of the instruction in the image.
  uint32_t scale = 1;   ///< Of the two offsets of a 2addr.
  uint32_t number = 0;  ///< Among the plans.
  const Instruction *details = nullptr;

  bool is(Trait trait) const { return traits & trait; }
  const Instruction &facts() const { return *details; }

  std::string_view name() const { return opName(details->op); }
};

/// The plans of all instructions of a kernel's code.
class ProgramPlans {
public:
  explicit ProgramPlans(const DecodedProgram &program);
  /// Null for what is no instruction of the text, and for all but the first micro-operation.
  const InstPlan *find(const Inst &i) const {
    uint64_t slot = (uint64_t(i.offset) - begin_) / 4;
    if (slot >= index_.size() || index_[slot] < 0)
      return nullptr;
    const InstPlan &plan = plans_[size_t(index_[slot])];
    return plan.first == &i ? &plan : nullptr;
  }
  const DecodedProgram &program() const { return program_; }
  const std::vector<InstPlan> &plans() const { return plans_; }
  /// That the descriptor declares.
  unsigned vgprs() const { return vgprs_; }
  /// Registers that the wave does not have.
  static RegSet beyond(unsigned vgprs);

private:
  const DecodedProgram &program_;
  uint64_t begin_ = 0;
  std::vector<int32_t> index_;
  std::vector<InstPlan> plans_; ///< By offset.
  std::deque<Instruction> facts_;
  unsigned vgprs_ = 256;
};

} // namespace rdna::emu
