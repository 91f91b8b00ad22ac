//===- ReadyOps.h - lane operations that may be issued next ----------------===//
//
// What could pair with an operation depends on the banks of its operands and on little else. Ready
// operations are kept by these, so that partners are found without looking at every pair.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/RegionModel.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <set>
#include <vector>

namespace rdna {

/// What of an operation decides about its partners.
struct PairKey {
  static constexpr uint8_t kNone = 4, kUnknown = 5;
  uint8_t src0 = kNone, src1 = kNone; ///< Bank, no VGPR, or not known yet.
  uint8_t dst = kUnknown;             ///< Bank, or free to choose.
  uint8_t kind = 0;                   ///< 0..3: whatever else is worth being told apart.
  unsigned banks() const { return (src0 * 6u + src1) * 6u + dst; }
  unsigned index() const { return banks() * 4u + kind; }
  static constexpr unsigned kBanks = 6 * 6 * 6, kCount = kBanks * 4;
};

class ReadyOps {
public:
  ReadyOps() : buckets_(PairKey::kCount), partners_(PairKey::kCount) {}
  void insert(uint32_t node, const PairKey &key, WebId src0, WebId src1);
  void erase(uint32_t node);
  enum class Want : uint8_t { Clean, Any };
  /// Calls `visit` for possible partners of a ready operation, old ones first, at most `depth` of
  /// each kind; and for at most as many that share one of its factors. `Clean` leaves out kinds
  /// that conflict with it.
  void partners(uint32_t node, unsigned depth, Want want,
                llvm::function_ref<void(uint32_t)> visit) const;
  /// Ready operations that read the web as a factor, at most `depth`.
  void readers(WebId web, unsigned depth, llvm::SmallVectorImpl<uint32_t> &nodes) const;
  /// How many ready operations the node's banks allow as its partner.
  unsigned partnerCount(uint32_t node) const;

private:
  struct Bucket {
    PairKey key;
    std::set<uint32_t> nodes;
  };
  struct Known {
    PairKey key;
    WebId src0 = kNoWeb, src1 = kNoWeb;
  };
  struct Count {
    uint64_t time = 0;
    unsigned count = 0;
  };
  std::vector<Bucket> buckets_;           ///< By PairKey::index.
  std::vector<unsigned> filled_;          ///< Those that are not empty, ascending.
  std::vector<std::set<uint32_t>> byWeb_; ///< Readers of a factor.
  std::vector<Known> known_;              ///< By node.
  mutable std::vector<Count> partners_;   ///< By bucket, as of `time`.
  uint64_t time_ = 1;
};

} // namespace rdna
