//===- LoopUnroller.h - iterations of a loop, one behind the other ----------------===//
//
// What only counts iterations goes away, and what moves an address by constants becomes the offset
// of the access. A register whose new value is known but not there yet gets it in front of the
// first instruction that needs it there, so no dependence analysis is necessary, and what cannot be
// folded costs what it cost before.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Liveness.h"
#include "Analysis/ScalarFlow.h"
#include "Asm/GlobalAddress.h"
#include "Code/Code.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace rdna {

/// Registers that code behind the copies reads.
struct LiveBehind {
  VgprSet vgprs;
  std::bitset<kRegUnits> scalars;
};

class LoopUnroller {
public:
  /// `atEntry`: scalars that are constants in front of the first iteration. `materialised`: those
  /// that must hold their values at all times.
  LoopUnroller(const Module &module, const Block &body, const KnownScalars &atEntry,
               const std::set<unsigned> &materialised);

  /// Of comments and labels there is one copy.
  enum class Copy : uint8_t { First, Later };
  void copy(uint32_t instruction, Copy copy);
  /// The lines in front of an instruction that is not copied.
  void skip(uint32_t instruction, Copy copy) { keepLinesBefore(instruction, copy); }
  /// Gives the scalars their values, in front of an instruction; from there on they hold them at
  /// all times.
  void materialiseScalars(uint32_t instruction, const LiveBehind &live);
  /// Gives all registers their values.
  void finish(const LiveBehind &live);
  /// A line of its own.
  void line(const Code &code);

  /// The copies, without indentation of the first line and line ending of the last.
  Code take() { return std::move(out_); }
  /// A scalar whose value is only known where SCC is in use, so that nothing can be added: the
  /// copies are of no use, and it must be materialised.
  std::optional<unsigned> conflict() const { return conflict_; }
  unsigned instructions() const { return lines_; }
  unsigned scalarsFolded() const { return scalarsFolded_; }
  unsigned offsetsFolded() const { return offsetsFolded_; }

private:
  /// A VGPR whose new value is only known, not there: what is in `base` now, plus a constant.
  struct Sum {
    unsigned base = 0;
    uint32_t added = 0;
  };
  /// An access's address operand whose register need not be up to date, and the access without it.
  struct Folded {
    unsigned operand = 0;
    Inst access;
  };
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }
  bool isSccDeadBehind(uint32_t instruction) const;
  bool needsScc(uint32_t instruction) const;
  std::optional<uint32_t> constantOf(const Instruction &inst, const Operand &operand) const;
  std::optional<std::pair<unsigned, Sum>> vgprSum(const Instruction &inst) const;
  bool foldScalarSum(const Instruction &inst);
  bool foldPair(const Instruction &inst);
  void materialise(unsigned vgpr);
  void freeBase(unsigned vgpr);
  void materialiseScalar(RegUnit unit);
  bool canAdd(unsigned unit);
  std::optional<Inst> withLdsSum(const Instruction &inst, unsigned address) const;
  std::optional<Folded> foldedScalar(const Instruction &inst, ScalarAddress address) const;
  std::optional<Folded> foldedAddress(const Instruction &inst) const;
  std::optional<Folded> prepare(uint32_t instruction);
  void materialiseWrites(const Instruction &writer);
  void overwrite(const Instruction &inst);
  void keepLinesBefore(uint32_t instruction, Copy copy);
  void printKeptLines();

  const Module &module_;
  const Block &body_;
  std::string_view newline_;
  KnownScalars known_;
  std::bitset<kRegUnits> stale_; ///< Known, but the register does not hold it.
  std::map<unsigned, Sum> sums_;
  std::map<unsigned, uint32_t> scalarSums_; ///< By register: what is to be added to it.
  std::map<unsigned, uint64_t> pairSums_;   ///< By the first register of a pair.
  std::map<uint32_t, uint32_t> pairs_;      ///< Of two additions that make one: second -> first.
  std::optional<uint32_t> leftOut_;         ///< The first one of such a pair, just now.
  std::set<unsigned> materialised_;
  bool isMaterialised_ = false;
  uint32_t at_; ///< The instruction that is being copied.
  std::optional<unsigned> conflict_;
  Code out_, kept_;
  unsigned scalarsFolded_ = 0, offsetsFolded_ = 0, lines_ = 0;
};

} // namespace rdna
