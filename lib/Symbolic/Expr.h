//===- Expr.h - symbolic values, shared so that equal means same number ---===//
//
// A value is a dword of all 32 lanes. Two values are equal exactly if they have the same number:
// every node is built once (hash-consing) and operand order is normalised by the builder.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Isa/Register.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rdna::verify {

using Value = uint32_t;
/// An interned function name with its modifiers: "v_bfe_u32(r1,#5,r1)".
using Signature = uint32_t;

/// Where an unknown comes from.
enum class Unknown : uint8_t {
  Register, ///< What the original has in a register at the start of the piece.
  Undef,    ///< What the rewritten code has in a register that the original's value is not in.
  Memory,   ///< State of a memory space.
};

/// What is known of 32-bit values that are extended into global addresses.
enum class Indices : uint8_t {
  MayWrap,
  AssumeUnwrapped, ///< Assumption::NoIndexWrap, which speaks of the original's accesses.
  /// Of values that a rewrite has made: what follows from IndexFacts of the same path and lanes.
  AssumeOriginals,
};

/// Lanes, by bits that masks have in them: all of these hold.
enum class Bit : uint8_t { Clear, Set };
struct LaneFact {
  Value mask;
  Bit isSet;
  bool operator==(const LaneFact &) const = default;
};
using LaneFacts = llvm::SmallVector<LaneFact, 8>;

class ExprPool {
public:
  ExprPool();

  Signature signature(std::string_view text);
  Value unknown(Unknown kind, unsigned index, unsigned scope);
  Value constant(uint32_t bits);
  std::optional<uint32_t> asConstant(Value value) const;

  // Polynomials modulo 2^32, in one form however they were put together (Polynomial.cpp).
  Value sum(Value a, Value b);
  Value product(Value a, Value b);
  Value negated(Value a) { return product(a, constant(~0u)); }
  /// a << amount; amounts count modulo 32.
  Value shifted(Value a, uint32_t amount) { return product(a, constant(1u << (amount & 31))); }

  // 64-bit values are polynomials modulo 2^64, and two registers hold their halves. A half that
  // was made from halves is recognised as one again.
  Value wideConstant(uint64_t bits);
  Value zeroExtended(Value a);
  Value signExtended(Value a);
  Value wideOf(Value low, Value high);
  Value wideNegated(Value a) { return wideProduct(a, wideConstant(~0ull)); }
  Value wideSum(Value a, Value b);
  Value wideProduct(Value a, Value b);
  Value lowOf(Value wide);
  Value highOf(Value wide);
  /// a.high + b.high + carry, where `carry` is the lane mask of an addition of low halves; nothing
  /// if it is of none in all lanes of `exec`.
  std::optional<Value> highOfSum(Value aHigh, Value bHigh, Value carry, Value exec);
  /// The same of scalars: SCC is one bit, and as a lane mask it would be the first lane's.
  std::optional<Value> highOfScalarSum(Value aHigh, Value bHigh, Value scc);
  /// Lanes of `exec` in which a + b >= 2^32. No comparison: what other lanes get is not documented.
  Value carry(Value a, Value b, Value exec);
  Value scalarCarry(Value a, Value b); ///< SCC of the same.
  Value signOf(Value a);               ///< a >> 31, arithmetically.
  struct Term {
    llvm::SmallVector<Value, 2> atoms; ///< Sorted; none for the constant.
    uint64_t factor = 0;
  };
  using Polynomial = llvm::SmallVector<Term, 4>;
  enum class Width : uint8_t { Dword, Qword };
  Polynomial termsOf(Value value, Width width) const;
  /// Of normalised terms.
  Value fromTerms(Polynomial terms, Width width) {
    normalise(terms, width);
    return toValue(std::move(terms), width);
  }
  /// x of zext(x) or sext(x).
  std::optional<Value> extendedIn(Value wideAtom) const;

  /// What an access of the original says of its 32-bit indices, as integers over values that are
  /// zero-extended: each is what it is over the integers, and all together, with their factors, are
  /// the bytes of an offset below 2^32.
  struct IndexFact {
    Polynomial offset;
    struct Index {
      Polynomial integer;
      enum class Extension : uint8_t { Zero, Sign } extension = Extension::Zero;
    };
    llvm::SmallVector<Index, 2> indices;
    Value exec = 0; ///< The lanes that make the access.
  };
  using IndexFacts = std::vector<IndexFact>;
  /// Asked before Indices::AssumeUnwrapped takes a fact for granted: may it? Empty: always.
  void setIndexJudge(std::function<bool(const IndexFact &)> judge) {
    indexJudge_ = std::move(judge);
  }

  /// The wide value with the 32-bit polynomials that are extended in it as integers: those that
  /// cannot leave [0, 2^32) ([0, 2^31) if it is the sign that is extended), or all of them because
  /// that is assumed.
  Value unwrapped(Value wide, Indices indices) {
    IndexFacts none;
    return unwrapped(wide, indices == Indices::AssumeOriginals ? Indices::MayWrap : indices, 0,
                     none);
  }
  /// The same of an address that the lanes of `exec` access: of the original's the facts are
  /// learnt, of a rewrite's they decide.
  Value unwrapped(Value wide, Indices indices, Value exec, IndexFacts &facts);
  /// Has there been an address of which no such fact could be put down? Then all that there are say
  /// nothing of its indices.
  bool hasObscureIndex() const { return hasObscureIndex_; }

  // Truth values, as SCC holds them: 0 or 1 (Conditions.cpp). Comparisons have one form, whichever
  // of the equal instructions made them.
  enum class Order : uint8_t { Unsigned, Signed };
  Value less(Value a, Value b, Order order);
  Value isZero(Value value);
  Value inverse(Value truth);
  Value nonzero(Value value) { return apply(nonzero_, {value}); } ///< SCC of a logical operation.
  Value choose(Value truth, Value ifTrue, Value ifFalse);
  /// The arguments, if the value is made by that operation.
  std::optional<llvm::SmallVector<Value, 3>> madeBy(Signature head, Value value) const;

  /// The address of a symbol, or whatever else an expression stands for.
  Value symbol(std::string_view expression);

  Value apply(Signature signature, llvm::ArrayRef<Value> args);
  Value apply(std::string_view text, llvm::ArrayRef<Value> args) {
    return apply(signature(text), args);
  }
  /// Two arguments whose order does not matter. Results of float operations that are NaN compare
  /// equal to any NaN, so whose NaN it is does not count; the proof does not look at who reads such
  /// a result as an integer.
  Value applyCommutative(Signature signature, Value a, Value b, llvm::ArrayRef<Value> rest);
  /// A register after a write of `active` in the lanes of `exec`.
  Value select(Value exec, Value active, Value inactive);

  /// The lanes of `exec` of a value: what an instruction under that mask reads.
  Value within(Value value, Value exec);
  /// The lanes outside `exec`: what such a write leaves alone.
  Value outside(Value value, Value exec) const;
  // One lane at a time (Lanes.cpp).
  /// Are there provably no such lanes?
  bool areNone(const LaneFacts &lanes) const;
  /// Such lanes of a value.
  Value in(Value value, const LaneFacts &lanes);
  bool areEqual(Value a, Value b, const LaneFacts &lanes);
  /// Is every lane of mask `a` provably in mask `b`?
  bool isSubset(Value a, Value b) const;

  /// Bitwise operations that lane masks are made of; isSubset sees through them.
  Value maskAnd(Value a, Value b) { return applyCommutative(and_, a, b, {}); }
  Value maskOr(Value a, Value b);
  Value maskXor(Value a, Value b) { return applyCommutative(xor_, a, b, {}); }
  Value maskAndNot(Value a, Value b) { return apply(andNot_, {a, b}); } ///< a & ~b
  /// A compare's result: zero in the lanes outside `exec`, which must be the last argument.
  Value compare(std::string_view text, llvm::ArrayRef<Value> args);

  /// Two values that differ, followed into the one argument that makes the difference as long as
  /// there is only one.
  std::pair<Value, Value> narrowed(Value a, Value b) const;
  /// A short text for messages.
  std::string render(Value value) const;

  /// How a value is made, for whoever gives it a meaning (tests/symbolic).
  enum class Kind : uint8_t { Unknown, Constant, Apply, Compare, Select };
  struct Made {
    Kind kind;
    std::string_view head; ///< Of Apply and Compare.
    llvm::ArrayRef<Value> args;
  };
  Made made(Value value) const;
  /// Which unknown it is.
  struct Origin {
    Unknown kind;
    unsigned index, scope;
  };
  std::optional<Origin> asUnknown(Value value) const {
    const Node &node = nodes_[value];
    if (node.kind != Kind::Unknown)
      return std::nullopt;
    return Origin{static_cast<Unknown>(node.head >> 16), node.head & 0xffff, node.scope};
  }
  /// Drops every value (not the signatures).
  void clear();

private:
  struct Node {
    Kind kind;
    uint32_t head;  ///< Signature, constant or unknown's key.
    uint32_t scope; ///< Of an unknown.
    uint32_t first; ///< Arguments in args_.
    uint32_t count;
  };
  Value intern(Kind kind, uint32_t head, uint32_t scope, llvm::ArrayRef<Value> args);
  bool isSubset(Value a, Value b, unsigned depth) const;
  // Lanes.cpp
  using LaneWay = llvm::SmallVector<LaneFact, 2>;
  llvm::SmallVector<LaneWay, 2> waysOf(const LaneFact &fact) const;
  std::optional<uint32_t> constantLanes(const LaneFact &fact) const;
  bool isRefuted(const LaneFact &fact, llvm::ArrayRef<LaneFact> known) const;
  class Ways;
  bool contradict(const LaneFacts &lanes) const;
  bool areEqual(Value a, Value b, const LaneFacts &lanes, unsigned conditions);
  // Polynomial.cpp
  Value toValue(Polynomial terms, Width width);
  static void normalise(Polynomial &terms, Width width);
  Value highOfParts(Value aLow, Value aHigh, Value bLow, Value bHigh);
  static Polynomial multiply(const Polynomial &a, const Polynomial &b, Width width);
  Polynomial unwrappedAtom(Value atom, Indices indices, Value exec, const IndexFacts &facts);
  Polynomial integerOf(const Polynomial &terms);
  bool follows(const Polynomial &integer, IndexFact::Index::Extension extension, Value exec,
               const IndexFacts &facts) const;
  uint64_t least(Value value, unsigned depth) const;
  /// The greatest unsigned value that a 32-bit one can have.
  uint64_t greatest(Value value, unsigned depth) const;
  uint64_t greatestSum(const Polynomial &terms, unsigned depth) const;
  bool isApply(Value value, Signature head) const {
    return nodes_[value].kind == Kind::Apply && nodes_[value].head == head;
  }
  void renderInto(Value value, unsigned depth, std::string &out) const;
  llvm::ArrayRef<Value> args(const Node &node) const {
    return llvm::ArrayRef<Value>(args_).slice(node.first, node.count);
  }
  void grow();

  std::function<bool(const IndexFact &)> indexJudge_;
  bool hasObscureIndex_ = false;
  std::vector<Node> nodes_;
  std::vector<Value> args_;
  std::vector<uint32_t> table_; ///< Open addressing; 0 is empty, else node number + 1.
  /// What areNone and isSubset have said. A function has few masks, and each register that is
  /// written under them asks the same of them.
  mutable llvm::StringMap<bool> noLanes_;
  mutable llvm::DenseMap<std::pair<Value, Value>, bool> subsets_;
  llvm::StringMap<Signature> signatures_;
  std::vector<std::string> signatureTexts_;
  Signature and_, or_, xor_, andNot_;
  Signature sum_, term_, wideSum_, wideTerm_, wideConstant_, zext_, sext_, pair_, high_, sign_,
      carry_, scalarCarry_, andBits_, orBits_, shiftRight_, product24_, nonzero_;
};

} // namespace rdna::verify
