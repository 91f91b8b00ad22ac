#include "Transform/ReadyOps.h"

#include <algorithm>

namespace rdna {

namespace {

/// What two operations can do together, by the banks of their operands.
class BankTable {
public:
  BankTable() : conflicts_(PairKey::kBanks * PairKey::kBanks) {
    for (unsigned a = 0; a < PairKey::kBanks; ++a)
      for (unsigned b = 0; b < PairKey::kBanks; ++b)
        conflicts_[a * PairKey::kBanks + b] = pair(keyOf(a), keyOf(b));
  }
  static constexpr uint8_t kNever = 255;
  /// Source bank conflicts if no operand is shared, or kNever.
  uint8_t of(const PairKey &a, const PairKey &b) const {
    return conflicts_[a.banks() * PairKey::kBanks + b.banks()];
  }

private:
  static PairKey keyOf(unsigned index) {
    return {static_cast<uint8_t>(index / 36), static_cast<uint8_t>(index / 6 % 6),
            static_cast<uint8_t>(index % 6)};
  }
  /// Of two VGPRs in one source slot the parity must differ; what is unknown cannot be promised.
  static bool slotFits(uint8_t a, uint8_t b) {
    if (a == PairKey::kNone || b == PairKey::kNone)
      return true;
    return a != PairKey::kUnknown && b != PairKey::kUnknown && ((a ^ b) & 1) != 0;
  }
  static uint8_t pair(const PairKey &a, const PairKey &b) {
    if (a.dst < PairKey::kNone && b.dst < PairKey::kNone && ((a.dst ^ b.dst) & 1) == 0)
      return kNever;
    if (!(slotFits(a.src0, b.src0) && slotFits(a.src1, b.src1)) &&
        !(slotFits(a.src0, b.src1) && slotFits(a.src1, b.src0)))
      return kNever;
    const std::array<uint8_t, 4> banks{a.src0, a.src1, b.src0, b.src1};
    uint8_t conflicts = 0;
    for (size_t i = 0; i < banks.size(); ++i)
      for (size_t j = i + 1; j < banks.size(); ++j)
        conflicts += banks[i] < PairKey::kNone && banks[i] == banks[j];
    return conflicts;
  }
  std::vector<uint8_t> conflicts_;
};

const BankTable &bankTable() {
  static const BankTable table;
  return table;
}

} // namespace

void ReadyOps::insert(uint32_t node, const PairKey &key, WebId src0, WebId src1) {
  if (known_.size() <= node)
    known_.resize(node + 1);
  known_[node] = {key, src0, src1};
  Bucket &bucket = buckets_[key.index()];
  if (bucket.nodes.empty()) {
    bucket.key = key;
    filled_.insert(std::lower_bound(filled_.begin(), filled_.end(), key.index()), key.index());
  }
  bucket.nodes.insert(node);
  for (const WebId w : {src0, src1})
    if (w != kNoWeb) {
      if (byWeb_.size() <= w)
        byWeb_.resize(w + 1);
      byWeb_[w].insert(node);
    }
  ++time_;
}

void ReadyOps::erase(uint32_t node) {
  const Known &known = known_[node];
  Bucket &bucket = buckets_[known.key.index()];
  bucket.nodes.erase(node);
  if (bucket.nodes.empty())
    filled_.erase(std::lower_bound(filled_.begin(), filled_.end(), known.key.index()));
  for (const WebId w : {known.src0, known.src1})
    if (w != kNoWeb)
      byWeb_[w].erase(node);
  ++time_;
}

void ReadyOps::readers(WebId web, unsigned depth, llvm::SmallVectorImpl<uint32_t> &nodes) const {
  if (web == kNoWeb || web >= byWeb_.size())
    return;
  for (const uint32_t n : byWeb_[web]) {
    if (depth-- == 0)
      break;
    nodes.push_back(n);
  }
}

void ReadyOps::partners(uint32_t node, unsigned depth, Want want,
                        llvm::function_ref<void(uint32_t)> visit) const {
  const BankTable &table = bankTable();
  const Known &known = known_[node];
  for (const unsigned index : filled_) {
    const uint8_t conflicts = table.of(known.key, buckets_[index].key);
    if (conflicts == BankTable::kNever || (conflicts > 0 && want == Want::Clean))
      continue;
    unsigned left = depth;
    for (const uint32_t n : buckets_[index].nodes) {
      if (left-- == 0)
        break;
      if (n != node)
        visit(n);
    }
  }
  // A shared operand is no conflict, though its bank is the same.
  llvm::SmallVector<uint32_t, 16> sharing;
  readers(known.src0, depth, sharing);
  if (known.src1 != known.src0)
    readers(known.src1, depth, sharing);
  for (const uint32_t n : sharing) {
    const uint8_t conflicts = table.of(known.key, known_[n].key);
    if (n != node && conflicts != BankTable::kNever && conflicts > 0)
      visit(n);
  }
}

unsigned ReadyOps::partnerCount(uint32_t node) const {
  const PairKey &key = known_[node].key;
  Count &count = partners_[key.index()];
  if (count.time != time_) {
    const BankTable &table = bankTable();
    count = {time_, 0};
    for (const unsigned index : filled_)
      if (table.of(key, buckets_[index].key) == 0)
        count.count += static_cast<unsigned>(buckets_[index].nodes.size());
  }
  return count.count;
}

} // namespace rdna
