//===- Terms.h - what registers hold, as terms over unknowns ---------------===//
//
// Two texts that do the same at different times: what each of them computes gets a term, and equal
// terms are one. Whatever either text computes from the same values is the same, however far ahead
// of the other it is.
//
// Where ways meet, what both have in common is kept (anti-unification): a loop's counter becomes an
// unknown, and the counter of a text that is one step ahead becomes that unknown minus one.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseMap.h"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace rdna::verify {

using TermId = uint32_t;

struct Term {
  enum class Kind : uint8_t {
    Unknown,  ///< Anything: `number` tells them apart.
    Known,    ///< Numbers (Terms::known).
    Argument, ///< A dword of what the launch passes, `number` bytes behind its start.
    Plus,     ///< args[0] + number, modulo 2^32, in each lane.
    Masked,   ///< args[0] & number, of a dword that is the same in all lanes.
    IsEqual,  ///< Of dwords that are the same in all lanes; 1 or 0.
    IsBelow,  ///< The same, of unsigned ones.
    IsBelowSigned,
    IsZero,
    Not, ///< Of one of these.
    /// args[0] ? args[1] : args[2]
    Select,
    And,     ///< Of the bits of two dwords that are the same in all lanes: masks of lanes.
    Without, ///< args[0] & ~args[1], of such dwords.
    Piece,   ///< Bytes of args[0], the rest 0: `number` is 4 x the first one + how many.
    Pair,    ///< args[0] in the low half, args[1] in the high one, each of 16 bits.
    Lanes,   ///< In the lanes of mask args[0] args[1], which is about these alone, else args[2].
    Result,  ///< Of an operation with these operands; `number` says which (Terms::operation).
  } kind = Kind::Unknown;
  uint32_t number = 0;
  std::vector<TermId> args;
  auto operator<=>(const Term &) const = default;
};

/// All terms of a proof, each once.
class Terms {
public:
  /// The reference stays good whatever other terms are made.
  const Term &operator[](TermId id) const { return *all_[id]; }
  size_t size() const { return all_.size(); }
  /// How often a term was made or looked at, as a measure of what a proof takes.
  uint64_t work() const { return work_; }
  void count(uint64_t terms = 1) { work_ += terms; }
  /// Numbers come last, so that what states have in common of a comparison with one is another.
  TermId equal(TermId a, TermId b);
  TermId make(Term term);
  TermId unknown() { return make({Term::Kind::Unknown, nextUnknown_++, {}}); }
  /// By work-item or by wave; a number that is the same everywhere is the same for both.
  TermId known(std::vector<uint32_t> bits);
  TermId constant(uint32_t number) { return known({number}); }
  /// If it is one number everywhere, which?
  std::optional<uint32_t> asNumber(TermId id) const;
  /// Of a mask that is known: by wave, or one number for all; none for others.
  std::vector<uint32_t> asLanes(TermId id) const;
  /// The same of a mask that all of its lanes are in; none if there is no such mask.
  std::vector<uint32_t> mostLanes(TermId mask) const;
  TermId plus(TermId term, uint32_t number);
  TermId masked(TermId term, uint32_t mask);
  TermId isZero(TermId term);
  TermId negated(TermId condition);
  TermId select(TermId condition, TermId a, TermId b);
  TermId both(TermId a, TermId b); ///< And
  TermId without(TermId mask, TermId part);
  /// The lanes of either mask, if there is a term for them: of one within the other, and of some
  /// lanes and the rest of them.
  std::optional<TermId> united(TermId a, TermId b);
  /// What a register holds that had `was`, behind an operation of some lanes.
  TermId lanes(TermId mask, TermId now, TermId was);
  /// So many bytes of a term, with zeros above them.
  TermId piece(TermId term, unsigned offset, unsigned bytes);
  /// Both halves of a register, each with zeros above it.
  TermId pair(TermId low, TermId high);
  /// What an operation of these lanes alone can read of a term.
  TermId seenBy(TermId mask, TermId term);
  /// Has `mask` no lanes but those of `outer`, as it is written?
  bool isWithin(TermId mask, TermId outer) const;
  /// Has no lane both, as they are written?
  bool areApart(TermId a, TermId b) const;
  /// A term whose operands may have become other ones, written in the one way that there is.
  TermId rewritten(Term term);
  /// What operations have apart from their operands, each once.
  uint32_t operation(std::vector<int64_t> signature);

  /// A term as a sum: what is added to, and the number.
  struct Sum {
    TermId base;
    uint32_t number;
    auto operator<=>(const Sum &) const = default;
  };
  Sum sumOf(TermId term);

  /// If all that a condition is about is numbers and one Masked term: that one.
  std::optional<TermId> maskedOf(TermId condition) const;
  /// What a term is where that one has a value, if it is made of nothing else.
  std::optional<uint32_t> valueWhere(TermId term, TermId masked, uint32_t value) const;

private:
  TermId intern(Term term);

  struct Hash {
    size_t operator()(const Term &term) const;
  };

  std::unordered_map<Term, TermId, Hash> ids_;
  std::vector<const Term *> all_;
  std::map<std::vector<uint32_t>, uint32_t> knownIds_;
  std::vector<std::vector<uint32_t>> knowns_;
  std::map<std::vector<int64_t>, uint32_t> operations_;
  uint32_t nextUnknown_ = 0;
  uint64_t work_ = 0;
};

/// Is one state an instance of another: is there for each unknown of the other a term that makes it
/// this one?
class Instance {
public:
  explicit Instance(Terms &terms) : terms_(terms) {}
  bool match(TermId pattern, TermId term);
  /// The pattern with its unknowns replaced; nothing if one of them stands for nothing yet.
  std::optional<TermId> replaced(TermId pattern);

private:
  Terms &terms_;
  llvm::DenseMap<TermId, TermId> bound_; ///< By unknown.
  llvm::DenseMap<TermId, TermId> matched_;
  llvm::DenseMap<TermId, std::optional<TermId>> replaced_;
};

/// What two states have in common: a state that both are instances of.
class Common {
public:
  explicit Common(Terms &terms) : terms_(terms) {}
  TermId of(TermId a, TermId b);
  /// The same if no new unknown is needed: what is said of terms that the states have anyway.
  std::optional<TermId> ifExpressed(TermId a, TermId b);

private:
  enum class Fresh : uint8_t { Allowed, Refused };
  std::optional<TermId> common(TermId a, TermId b, Fresh fresh);

  Terms &terms_;
  /// By both bases and how much more is added in the second state.
  std::map<std::tuple<TermId, TermId, uint32_t>, TermId> unknowns_;
  llvm::DenseMap<std::pair<TermId, TermId>, TermId> found_;
  std::set<std::pair<TermId, TermId>> refused_;
};

} // namespace rdna::verify
