//===- KnownValues.h - registers of a whole workgroup, as numbers ----------===//
//
// What a register holds in every work-item of a workgroup at once, as far as that follows from the
// launch's shape and constants alone. That is all that addresses of LDS are made of, and numbers
// answer at once what symbols cannot: which bytes do the lanes of all waves touch?
//
// The waves are taken to go through the text together. What differs in time between them is no
// concern here: a value depends on its own wave's instructions only.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Asm/Module.h"
#include "Symbolic/Claim.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace rdna::verify {

/// One register. Immutable, so that states share them.
struct KnownValue {
  std::vector<uint32_t> bits; ///< By work-item of a VGPR, by wave of anything else; may be empty.
  /// How much of each is known.
  enum : uint8_t { kNothing = 0, kAll = 1, kLowHalf = 2, kHighHalf = 4 };
  std::vector<uint8_t> known;
  bool isUniform = false; ///< The same in all of them, known or not.
  /// A half of the launch's kernarg pointer, as the launch gave it.
  enum class Kernarg : uint8_t { No, Low, High } kernarg = Kernarg::No;
  bool operator==(const KnownValue &) const = default;
};
using KnownRef = std::shared_ptr<const KnownValue>;

/// Does it hold in every place, and if it is one number, which?
bool isKnown(const KnownValue &value);
std::optional<uint32_t> asNumber(const KnownValue &value);
/// To be shared; says so if it is the same everywhere.
KnownRef settled(KnownValue value);
/// Do all waves have the one value or the other, or may some have either?
enum class Waves : uint8_t { Together, Apart };
/// What holds of both.
KnownRef joined(const KnownRef &a, const KnownRef &b, Waves waves = Waves::Together);

/// Integer operations of one lane or wave; nothing for others.
std::optional<uint32_t> laneResult(Op op, const std::vector<uint32_t> &sources);
/// The same of 16 bits; sources are halves of registers.
std::optional<uint16_t> halfResult(Op op, const std::vector<uint32_t> &sources);
struct ScalarResult {
  uint32_t value;
  std::optional<bool> scc; ///< Nothing: SCC stays.
};
std::optional<ScalarResult> scalarResult(Op op, const std::vector<uint32_t> &sources, uint32_t scc);
/// Is this an operation of so many operands that laneResult, or scalarResult, knows?
bool isLaneOperation(Op op, size_t sources);
bool isScalarOperation(Op op, size_t sources);
/// An integer comparison of 32 bits.
std::optional<bool> compareResult(Op op, uint32_t a, uint32_t b);

class KnownValues {
public:
  static constexpr unsigned kLanes = 32;
  /// As a launch of full workgroups leaves them. `function` is a kernel that only launches enter,
  /// the number of work-items is a multiple of 32.
  KnownValues(const Function &function, const WorkgroupShape &shape);

  unsigned items() const { return items_; }
  unsigned waves() const { return items_ / kLanes; }
  const KnownValue &operator[](RegUnit unit) const { return *reg_[unit.index]; }
  const KnownRef &ref(RegUnit unit) const { return reg_[unit.index]; }
  void set(RegUnit unit, KnownRef value) {
    reg_[unit.index] = std::move(value);
    ofSome_.erase(unit.index);
  }
  /// A work-item's VGPR, if the work-item is active.
  std::optional<uint32_t> at(RegUnit vgpr, unsigned item) const;

  /// What a VGPR holds in the lanes of a mask, where nobody knows which these are: code in an `if`
  /// computes addresses for whoever is in there. `mask` is the caller's name of it; EXEC is within
  /// the masks of all that are kept.
  struct OfSome {
    KnownRef value;
    uint32_t mask;
    KnownRef others; ///< What the lanes hold that are not in there.
  };
  const std::map<uint16_t, OfSome> &ofSome() const { return ofSome_; }
  void setOfSome(std::map<uint16_t, OfSome> values) { ofSome_ = std::move(values); }
  /// EXEC's name, for what is executed from now on.
  void setMask(uint32_t mask) { mask_ = mask; }
  /// EXEC, if it is known in every wave.
  bool knowsExec() const { return isKnown((*this)[kExecLo]); }
  bool isActive(unsigned item) const; ///< knowsExec() holds.
  bool allActive() const;

  /// Executes what writes nothing but registers. True if all that it does is known to be integer
  /// arithmetic of its operands, as code that only one text has must be.
  bool execute(const Instruction &inst);
  /// Nothing is known any more.
  void forget(RegUnit unit);
  /// A wave's number, the same in all of them, of which nothing else is known.
  void setUniform(RegUnit unit);
  /// This number, in all waves.
  void setNumber(RegUnit unit, uint32_t number);
  /// EXEC wave by wave, if that has been found in another way; one number stands for all waves, and
  /// none says nothing.
  void setLanes(llvm::ArrayRef<uint32_t> bits);
  /// A dword that the launch passes at this byte of its arguments: a number, if it is the
  /// workgroup's size (LLVM's AMDGPUUsage: hidden_group_size_x and _y are two bytes each).
  void setPassed(RegUnit unit, int64_t offset);

private:
  /// What an operand gives: a number, or what a register holds.
  struct Source {
    uint32_t number = 0;
    KnownRef value = nullptr; ///< Nothing: the number.
    bool isVgpr = false;
    Half half = Half::Whole;
    bool isOfSome = false; ///< It holds in the lanes that are on.
    bool isUniform() const { return !value || (value->isUniform && !isOfSome); }
  };
  using Sources = std::vector<Source>;
  std::optional<Source> sourceOf(const Operand &operand) const;
  enum class Width : uint8_t { Dwords, Halves };
  std::optional<Sources> plainSources(const Instruction &inst, Width width = Width::Dwords) const;
  std::optional<uint32_t> read(const Source &source, unsigned item) const;
  std::optional<uint32_t> lowBits(const Sources &sources, unsigned item) const;
  std::optional<std::vector<uint32_t>> readAll(const Sources &sources, unsigned item) const;
  bool isSameInAllLanes(const Instruction &inst) const;
  bool executeVector(const Instruction &inst);
  bool executeLanes(const Instruction &inst);
  KnownRef carriesOf(Op op, const Sources &sources) const;
  bool executeHalf(const Instruction &inst);
  bool executeProduct(const Instruction &inst);
  bool executeCompare(const Instruction &inst, const Sources &sources);
  bool executeFirstLane(const Instruction &inst, const Source &source);
  bool executeScalar(const Instruction &inst);
  std::optional<Sources> scalarSources(const Instruction &inst) const;
  bool readsUniform(const Instruction &inst) const;
  std::optional<ScalarResult> scalarIn(unsigned wave, Op op, const Sources &sources,
                                       const Instruction &inst) const;
  void executeScalarCompare(const Instruction &inst, const Sources &sources);
  KnownRef laneValue(Op op, const KnownRef &old, const Sources &sources) const;
  KnownRef laneValueOfSome(Op op, const Sources &sources) const;
  const KnownRef &seen(RegUnit unit) const;
  void setLane(RegUnit unit, KnownRef value, const KnownRef &ofSome);
  void forgetResults(const Instruction &inst);

  unsigned items_;
  /// Of bytes of the arguments: what each of them is.
  std::shared_ptr<const std::map<int64_t, uint8_t>> passed_;
  std::array<KnownRef, kRegUnits> reg_;
  std::map<uint16_t, OfSome> ofSome_;
  std::optional<uint32_t> mask_;
};

} // namespace rdna::verify
