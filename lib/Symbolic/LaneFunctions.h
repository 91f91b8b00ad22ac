//===- LaneFunctions.h - lane masks as boolean functions -------------------===//
//
// A lane mask is made of others bit by bit, so in each lane it is a boolean function of theirs, the
// same one in all lanes. Functions are kept as ordered binary decision diagrams whose nodes are
// built once: of one function there is one number, however it was put together. So (E | S) ^ E and
// S & ~E are one mask, and "each lane of a is in b" means that a & ~b is the function that is never
// true. Nothing is known of the variables; what is said of one (a comparison has no lane outside
// of EXEC) is said by the function that stands for it.
//
// What takes more than kMostSteps steps is not made, so that a bad order of variables costs a
// refusal and not the machine.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace rdna::verify {

class LaneFunctions {
public:
  using Function = uint32_t;
  using Result = std::optional<Function>; ///< Nothing: it would be too large.
  static constexpr Function kNone = 0;    ///< No lane.
  static constexpr Function kAll = 1;     ///< Every lane.
  static constexpr unsigned kMostSteps = 4096;

  LaneFunctions() { clear(); }
  void clear();

  /// The mask that is the variable itself.
  Function atom(uint32_t variable) { return node(variable, kAll, kNone); }
  /// In each lane `ifSet` or `ifClear`, as `which` says: (which & ifSet) | (ifClear & ~which). All
  /// of the following are made of it.
  Result choose(Function which, Function ifSet, Function ifClear);
  Result both(Function a, Function b) { return choose(a, b, kNone); }
  Result either(Function a, Function b) { return choose(a, kAll, b); }
  Result butNot(Function a, Function b) { return choose(b, kNone, a); }
  Result complement(Function a) { return choose(a, kNone, kAll); }
  Result differing(Function a, Function b);

  /// Is every lane of `a` one of `b`, whatever the variables are? No also if that is not found out.
  bool isWithin(Function a, Function b) { return a == b || butNot(a, b) == kNone; }
  bool isDisjoint(Function a, Function b) { return both(a, b) == kNone; }

  /// The lanes that `f` has for some value of the variable: all that is sure of them once another
  /// mask has taken its name.
  Result without(Function f, uint32_t variable);
  /// All variables replaced at once; `by` may leave one as it is by its atom.
  Result replaced(Function f, llvm::function_ref<Result(uint32_t)> by);

  /// Variables that it depends on, sorted.
  llvm::SmallVector<uint32_t, 8> variablesOf(Function f) const;
  /// Has it the lanes that no variable has?
  bool holdsOfNone(Function f) const;

  /// How a function other than kNone and kAll is decided.
  struct Decision {
    uint32_t variable;
    Function ifSet, ifClear; ///< Of greater variables.
  };
  Decision decision(Function f) const { return nodes_[f]; }

private:
  static constexpr uint32_t kNoVariable = ~0u;
  Function node(uint32_t variable, Function ifSet, Function ifClear);
  Result chosen(Function which, Function ifSet, Function ifClear, unsigned &steps);
  Result replaced(Function f, llvm::function_ref<Result(uint32_t)> by,
                  llvm::DenseMap<Function, Function> &known, unsigned &steps);
  /// f once the variable is said, if that is its first one.
  Function given(Function f, uint32_t variable, bool isSet) const {
    const Decision &d = nodes_[f];
    return d.variable != variable ? f : isSet ? d.ifSet : d.ifClear;
  }

  using Key = std::tuple<uint32_t, uint32_t, uint32_t>;
  std::vector<Decision> nodes_;
  llvm::DenseMap<Key, Function> unique_; ///< By variable and both ways.
  llvm::DenseMap<Key, Function> chosen_; ///< By the arguments of choose().
};

} // namespace rdna::verify
