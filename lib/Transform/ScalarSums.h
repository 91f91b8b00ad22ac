//===- ScalarSums.h - code for 64-bit sums in scalar registers -------------===//
#pragma once

#include "Code/Build.h"
#include "Symbolic/Machine.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <bitset>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rdna {

/// An SGPR that holds a 32-bit value.
std::optional<unsigned> findScalar(const verify::ExprPool &pool, const verify::State &state,
                                   verify::Value value);
/// Two SGPRs, whichever they are, that hold the halves of a 64-bit value.
std::optional<std::pair<unsigned, unsigned>>
findHalves(verify::ExprPool &pool, const verify::State &state, verify::Value wide);
/// Can a few SALU instructions make the term from what is in SGPRs? Its atoms are zero-extended
/// 32-bit values, or it is one whose halves are there.
bool canMultiply(verify::ExprPool &pool, const verify::State &state,
                 const verify::ExprPool::Term &term);

/// Makes 64-bit values in SGPR pairs, each from the one that leaves the least to be added.
class ScalarSums {
public:
  /// `stable`: SGPRs that keep their values for as long as the sums are needed.
  ScalarSums(verify::ExprPool &pool, const verify::State &state,
             const std::bitset<kRegUnits> &stable);
  /// A pair that was made before.
  void add(verify::Value value, unsigned pair) { known_.push_back({value, pair, Lasts::Yes}); }
  /// First register of the pair that holds each value. Those that cannot be made are left out.
  std::map<verify::Value, unsigned> make(std::vector<verify::Value> values,
                                         llvm::function_ref<std::optional<unsigned>()> takePair,
                                         std::vector<Inst> &lines);
  /// The scalars that the lines of the last make() read.
  const std::bitset<kRegUnits> &reads() const { return reads_; }

private:
  enum class Lasts : uint8_t { No, Yes };
  struct Known {
    verify::Value value;
    unsigned pair;
    Lasts lasts;
  };
  std::optional<unsigned> costOf(verify::Value difference);
  std::optional<unsigned> product(const verify::ExprPool::Term &term,
                                  llvm::function_ref<std::optional<unsigned>()> takePair,
                                  std::vector<Inst> &lines);
  bool makeHalves(llvm::ArrayRef<verify::Value> values,
                  llvm::function_ref<std::optional<unsigned>()> takePair, std::vector<Inst> &lines);
  bool addTo(unsigned target, unsigned from, verify::Value difference,
             llvm::function_ref<std::optional<unsigned>()> takePair, std::vector<Inst> &lines);
  const Known *find(verify::Value value) const;
  Arg scalar(unsigned number);

  verify::ExprPool &pool_;
  const verify::State &state_;
  std::vector<Known> known_;
  std::bitset<kRegUnits> reads_;
};

} // namespace rdna
