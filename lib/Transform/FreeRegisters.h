//===- FreeRegisters.h - registers of a block's values while it is written -===//
//
// Which registers are free behind the instructions that have been placed so far. A value takes one
// when it is written and leaves it at its last use. What crosses the block's borders is at home;
// one that is born there and stays may find its home taken until then, by a value that the old
// order has no use for any more.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/Allocate.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <vector>

namespace rdna {

class FreeRegisters {
public:
  FreeRegisters(const RegionModel &region, const Module &module, const Groups &groups,
                const RegisterSpace &space, const std::vector<int8_t> &preferences);

  enum class Parity : uint8_t { Even, Odd, Any };

  /// Is its register known?
  bool isPlaced(WebId web) const { return register_[web] >= 0; }
  /// Of a web that is placed.
  unsigned of(WebId web) const { return static_cast<unsigned>(register_[web]); }
  /// Do the two have registers of one parity wherever their tuple is?
  bool areAlikeInTuple(WebId a, WebId b) const {
    return groups_.group[a] == groups_.group[b] &&
           ((groups_.offset[a] ^ groups_.offset[b]) & 1) == 0;
  }
  /// The parity that suits a web that has no register yet.
  Parity preferred(WebId web) const;

  /// The webs that a node reads and writes, each once.
  llvm::ArrayRef<WebId> read(uint32_t node) const { return reads_[node]; }
  llvm::ArrayRef<WebId> written(uint32_t node) const { return writes_[node]; }
  /// Registers that become free when these nodes, one instruction, have read their sources.
  VgprSet releasedBy(llvm::ArrayRef<uint32_t> nodes) const;
  /// Could the web be written now, if these registers were free as well?
  bool canPlace(WebId web, Parity parity, const VgprSet &released) const;
  bool canIssue(uint32_t node) const;

  /// Registers for the results; sources that are not needed any more leave theirs. The parities are
  /// those of the nodes' results.
  /// \return false if there are none; then nothing here may be used any longer.
  bool issue(llvm::ArrayRef<uint32_t> nodes, llvm::ArrayRef<Parity> parities);
  unsigned freeCount() const { return static_cast<unsigned>(free_.count()); }

private:
  void countAccesses();
  void placeAtHome();
  bool isFreeFor(WebId web, unsigned reg, const VgprSet &free) const;
  bool place(WebId web, Parity parity);
  bool placeResults(uint32_t node, Parity parity);
  void use(llvm::ArrayRef<WebId> webs);
  bool isEarly(uint32_t node) const;
  int costOf(WebId web, unsigned reg) const;
  template <typename Visit>
  void visitPlaces(WebId web, Parity parity, const VgprSet &free, Visit visit) const;

  const RegionModel &region_;
  const Module &module_;
  const Groups &groups_;
  const std::vector<int8_t> &preferences_;
  const unsigned budget_;
  std::vector<int16_t> register_;                ///< By web; -1 until it is written.
  std::vector<uint8_t> isBorn_;                  ///< By web: it is in its register.
  std::vector<unsigned> left_;                   ///< By web: nodes that still touch it.
  std::vector<uint32_t> first_, last_;           ///< By web: nodes that touch it, in the old order.
  std::array<std::vector<WebId>, 256> expected_; ///< By register: webs that will be born there.
  VgprSet free_;
  std::vector<std::vector<WebId>> reads_, writes_; ///< By node.
  std::vector<std::vector<WebId>> multipliedBy_;   ///< By web: what shares a product with it.
  std::vector<uint8_t> isSum_;                     ///< By web: FMACs add to it.
  std::array<int, 2> sums_{}, factors_{};          ///< Those with a register, by its parity.
};

} // namespace rdna
