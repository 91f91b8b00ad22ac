//===- LoadRoom.h - are there registers for what a load fetches? ----------===//
#pragma once

#include "Transform/Schedule.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>
#include <cstdint>
#include <vector>

namespace rdna {

/// What of the registers is left for values that are born and die in a block, while the block is
/// scheduled.
class LoadRoom {
public:
  /// `bank`: of every web, as far as it is known; it changes with the schedule.
  LoadRoom(const RegionModel &region, const BankPlan &plan, const std::vector<int8_t> &bank);
  /// The node has been scheduled.
  void retire(uint32_t node);
  /// The web's bank is known now.
  void placed(WebId web);
  bool hasRoomFor(uint32_t node) const;

private:
  int8_t bankOf(WebId web) const { return bank_[web]; }
  void used(WebId web);
  void visit(uint32_t node, llvm::function_ref<void(WebId)> visit) const;

  const RegionModel &region_;
  const std::vector<int8_t> &bank_;
  std::array<int, 4> free_{}; ///< By bank.
  int freeOfAll_ = 0;
  unsigned unplaced_ = 0;           ///< Relocatable webs whose bank is not known yet.
  std::vector<unsigned> readsLeft_; ///< By web.
  std::vector<uint8_t> isLive_;     ///< By web: internal, and written already.
};

} // namespace rdna
