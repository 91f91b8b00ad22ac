//===- AheadText.h - one of two texts, executed by itself -------------------===//
//
// All waves of one workgroup at once, as in BufferProof, but each text by itself up to the next
// place where they must meet: what registers and LDS hold are terms, so it does not matter when
// something was computed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Asm/Lane.h"
#include "Verify/AccessLog.h"
#include "Verify/Inert.h"
#include "Verify/KnownValues.h"
#include "Verify/SymbolAddress.h"
#include "Verify/Terms.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <bitset>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace rdna::verify {

/// A dword of LDS, or a part of one where some access is smaller.
struct LdsCell {
  static constexpr uint32_t kNoItem = ~0u; ///< The term itself says whose it is.
  TermId term = 0;
  uint32_t item = 0;
  enum class Holds : uint8_t {
    Anything,
    Launch, ///< What it held when the workgroup began. Both texts find the same there.
    Term,   ///< Which work-item's of a term.
  } holds = Holds::Anything;
  bool isCertain() const { return holds == Holds::Term; }
  bool operator==(const LdsCell &) const = default;
};
/// With what the signatures of operations begin (Terms::operation) that are no instructions.
namespace signature {
inline constexpr int64_t kLane = -1, kLoaded = -2, kGather = -3, kLowSum = -4, kSmall = -5,
                         kAddress = -6, kAtLaunch = -7, kOfItem = -8;
}
/// What a cell holds when the workgroup begins, as a term.
TermId ldsAtLaunch(Terms &terms, uint32_t cell);
/// The cell with a term of that work-item, if there is one for it.
LdsCell withTerm(Terms &terms, LdsCell cell, uint32_t index, uint32_t item);
/// A cell with a term as one that says whose it is: on different ways different work-items store
/// there.
LdsCell withItsItem(Terms &terms, LdsCell cell);

/// Where one text is, and what it has done.
struct AheadSide {
  AheadSide(const Function &function, const WorkgroupShape &shape, size_t cells)
      : values(function, shape), lds(cells), at(function.first), last(function.first) {}

  KnownValues values;
  std::array<TermId, kRegUnits> terms{};
  AccessLog log; ///< With every barrier in both texts at once: it is about this one alone.
  std::vector<LdsCell> lds;
  TermId memory = 0;      ///< What other memory holds, as far as this workgroup changes it.
  uint32_t at, last;      ///< The next instruction, and the last one, for messages.
  bool hasStored = false; ///< To other memory.
  /// The branch from which waves may have gone different ways.
  std::optional<uint32_t> parting = std::nullopt;
  /// Where waves without lanes jump over what does nothing without them, all are taken to go
  /// through it (Inert.h): until where, and what those have on their way that jump. One in the
  /// other.
  struct Skipped {
    uint32_t target;
    AccessLog log;
    std::bitset<kRegUnits> scalars; ///< That the others may have written.
    TermId lanes = 0;               ///< Which of them go through.
    void join(const Skipped &other) {
      log.join(other.log);
      scalars |= other.scalars;
    }
    bool operator==(const Skipped &) const = default;
  };
  std::vector<Skipped> skipped;
  /// Accesses to other memory that certainly have no barrier behind them, if they have been made.
  std::vector<TermId> sinceBarrier;
  /// Of each instruction that may be in the log: which access it was last.
  struct Issued {
    TermId term = 0;
    enum class What : uint8_t {
      One,
      Several, ///< Accesses of which not all are known.
      Again,   ///< A load that was made before; nothing depends on what this one returns.
    } what = What::One;
    bool operator==(const Issued &) const = default;
  };
  std::map<uint32_t, Issued> issued;

  /// By mask: lanes that it does not have, because with them the original would access LDS outside
  /// of what it declares.
  std::map<TermId, std::vector<uint32_t>> without;
  bool isImpossible = false; ///< Likewise: whoever goes this way.

  bool isWhole() const { return values.knowsExec() && values.allActive(); }
};

/// What is wrong with a text, at its last instruction.
using TextFault = std::optional<std::string>;

/// Who has come to a term. Whoever moves a value has not made it.
enum class Made : uint8_t { Computed, Moved };
using Producers = std::map<std::pair<TermId, Made>, std::set<uint32_t>>;

/// Accesses to LDS outside of what a text declares: are they a fault, or is it taken for granted
/// that nobody makes them (Assumption::LdsInBounds)?
enum class OutsideLds : uint8_t { Refused, Excluded };

/// Executes instructions of one text.
class AheadText {
public:
  /// `cellBytes`: how fine LDS is taken, 1, 2 or 4.
  AheadText(const Module &module, const Function &function, uint32_t cellBytes, OutsideLds outside,
            Terms &terms, Footprints &places);
  size_t cells() const { return (ldsBytes_ + cellBytes_ - 1) / cellBytes_; }

  const Module &module() const { return module_; }
  const Function &function() const { return function_; }
  const Instruction &instruction(uint32_t index) const { return module_.instructions()[index]; }

  TermId termOf(const AheadSide &side, RegUnit unit) const;
  /// The same as lanes see it that EXEC switches on.
  TermId seenTerm(const AheadSide &side, RegUnit unit) const;
  static void set(AheadSide &side, RegUnit unit, TermId term);

  /// An operation on registers.
  TextFault compute(AheadSide &side, const Instruction &inst);
  /// A term that is not zero where the branch's unit is not.
  TermId conditionOf(const AheadSide &side, RegUnit unit);
  /// At a branch of waves without lanes, where all may go one way.
  void skip(AheadSide &side, const LaneGuard &guard) const;
  const std::optional<LaneGuard> &guardAt(const Instruction &branch);
  /// Where those go on that have jumped.
  void endSkipped(AheadSide &side);
  void wait(AheadSide &side, const Instruction &inst) const;
  TextFault barrier(AheadSide &side, const Instruction &inst) const;

  // Memory other than LDS.
  /// A load of what the launch passes; false if it is none.
  bool loadArguments(AheadSide &side, const Instruction &inst);
  /// The access as a term: of a load what it loads, of a store what memory holds behind it.
  TermId accessOf(AheadSide &side, const Instruction &inst);
  /// What lanes give each other by LDS's unit.
  TermId exchangeOf(const AheadSide &side, const Instruction &inst);
  void load(AheadSide &side, const Instruction &inst, TermId access);
  void issue(AheadSide &side, const Instruction &inst, AheadSide::Issued issued) const;

  // LDS (AheadLds.cpp).
  TextFault storeLds(AheadSide &side, const Instruction &inst);
  TermId ofItem(TermId term, uint32_t item) const;
  bool isUncertain(TermId term) const;
  /// What each dword of the destination gets.
  TextFault loadLds(AheadSide &side, const Instruction &inst, std::vector<TermId> &results);
  /// Puts it there, in the lanes that are on.
  void takeLds(AheadSide &side, const Instruction &inst, std::vector<TermId> results);
  /// Of a load: the destination's registers.
  void take(AheadSide &side, const Instruction &inst, llvm::ArrayRef<TermId> results);

  /// Everything of an instruction but the registers it names, and the place in LDS of an access.
  uint32_t operationOf(const Instruction &inst);
  /// What it computes with, as terms.
  std::vector<TermId> operandsOf(const AheadSide &side, const Instruction &inst);
  /// By whom each term was made, for broken rules that the original breaks as well.
  const Producers &producers() const { return producers_; }

private:
  std::optional<TermId> bitwiseTerm(Op op, TermId a, TermId b);
  std::optional<TermId> scalarTerm(const AheadSide &side, const Instruction &inst);
  std::optional<TermId> lanesBehindSave(const AheadSide &side, const Instruction &inst);
  std::optional<TermId> pairTerm(const AheadSide &side, const Instruction &inst, unsigned dword);
  std::optional<TermId> lowSum(const AheadSide &side, const Instruction &inst);
  std::optional<TermId> operandTerm(const AheadSide &side, const Instruction &inst, size_t source);
  TermId lanesOf(const AheadSide &side, const Instruction &inst, size_t source);
  void makeAddress(AheadSide &side, const Instruction &inst, const SymbolAddress &address);
  void computeLanes(AheadSide &side, const Instruction &inst, llvm::ArrayRef<LaneOp> lanes,
                    RegUnit mask);
  void execute(AheadSide &side, const Instruction &inst) const;
  /// What is known of lanes of masks that EXEC is not within is of no use any more.
  void dropOthersLanes(AheadSide &side) const;
  TermId bothMasks(TermId a, TermId b);
  /// What a register holds behind a write of one of its halves.
  TermId withHalf(TermId was, Half half, TermId now);
  /// Of the bytes of a register that an access stores; those of a cell, in order.
  std::vector<TermId> storedPieces(const AheadSide &side, const Instruction &inst,
                                   const Operand &data, uint32_t bytes);
  /// Of dword `d` of what is loaded there.
  std::variant<TermId, std::string> gathered(const AheadSide &side, const Footprint &footprint,
                                             unsigned d);
  void setResult(AheadSide &side, const Instruction &inst, RegUnit unit, TermId term,
                 Made made = Made::Computed);
  TextFault placesOf(AheadSide &side, const Instruction &inst, std::vector<uint32_t> &places);
  std::vector<uint32_t> lanesThatMay(const AheadSide &side) const;
  TextFault exclude(AheadSide &side, const Instruction &inst);
  TextFault checkRaces(const AheadSide &side, const Instruction &inst,
                       llvm::ArrayRef<uint32_t> places) const;
  void issueLds(AheadSide &side, const Instruction &inst, llvm::ArrayRef<uint32_t> places) const;

  const Module &module_;
  const Function &function_;
  const uint32_t ldsBytes_, cellBytes_;
  const OutsideLds outside_;
  Terms &terms_;
  Footprints &places_;
  Producers producers_;
  std::set<uint32_t> inside_; ///< Accesses to LDS that have been followed inside of it.
  std::map<uint32_t, std::optional<LaneGuard>> guards_; ///< By branch.
  std::set<TermId> uncertain_; ///< What cells hold of which nothing is known.
};

/// Does it do in each lane that is on what it would do with all others off?
bool isOfActiveLanes(const Instruction &inst);
/// Is it a plain load or store of LDS that is followed?
bool isPlainLds(const Instruction &inst);
/// The smallest access to LDS of a function has so many bytes, or none is smaller than a dword: 4.
uint32_t ldsCellBytes(const Module &module, const Function &function);

} // namespace rdna::verify
