//===- Expr.h - symbolic values, shared so that equal means same number ---===//
//
// A value is a dword of all 32 lanes. Two values are equal exactly if they have the same number:
// every node is built once (hash-consing) and operand order is normalised by the builder.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Isa/Register.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <optional>
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
  Junk,     ///< What the rewritten code has in a register that the original's value is not in.
  Memory,   ///< State of a memory space.
};

class ExprPool {
public:
  ExprPool();

  Signature signature(std::string_view text);
  Value unknown(Unknown kind, unsigned index, unsigned scope);
  Value constant(uint32_t bits);
  std::optional<uint32_t> asConstant(Value value) const;
  /// a + b modulo 2^32, in one form however it was put together: terms in order, constants last.
  Value sum(Value a, Value b);
  Value apply(Signature signature, llvm::ArrayRef<Value> args);
  Value apply(std::string_view text, llvm::ArrayRef<Value> args) {
    return apply(signature(text), args);
  }
  /// Two arguments whose order does not matter.
  Value applyCommutative(Signature signature, Value a, Value b, llvm::ArrayRef<Value> rest);
  /// A register after a write of `active` in the lanes of `exec`.
  Value select(Value exec, Value active, Value inactive);

  /// The lanes of `exec` of a value: what an instruction under that mask reads.
  Value within(Value value, Value exec) const;
  /// The lanes outside `exec`: what such a write leaves alone.
  Value outside(Value value, Value exec) const;
  /// Is every lane of mask `a` provably in mask `b`?
  bool isSubset(Value a, Value b) const { return isSubset(a, b, 12); }

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
  /// Drops every value (not the signatures).
  void clear();

private:
  enum class Kind : uint8_t { Unknown, Constant, Apply, Compare, Select };
  struct Node {
    Kind kind;
    uint32_t head;  ///< Signature, constant or unknown's key.
    uint32_t scope; ///< Of an unknown.
    uint32_t first; ///< Arguments in args_.
    uint32_t count;
  };
  Value intern(Kind kind, uint32_t head, uint32_t scope, llvm::ArrayRef<Value> args);
  bool isSubset(Value a, Value b, unsigned depth) const;
  void renderInto(Value value, unsigned depth, std::string &out) const;
  llvm::ArrayRef<Value> args(const Node &node) const {
    return llvm::ArrayRef<Value>(args_).slice(node.first, node.count);
  }
  void grow();

  std::vector<Node> nodes_;
  std::vector<Value> args_;
  std::vector<uint32_t> table_; ///< Open addressing; 0 is empty, else node number + 1.
  llvm::StringMap<Signature> signatures_;
  std::vector<std::string> signatureTexts_;
  Signature and_, or_, xor_, andNot_, sum_;
};

} // namespace rdna::verify
