#include "Transform/LoadRoom.h"

#include <algorithm>

namespace rdna {

constexpr int8_t kAnyBank = BankPlan::kAny;

/// The webs that a node reads or writes.
void LoadRoom::visit(uint32_t n, llvm::function_ref<void(WebId)> visit) const {
  const Node &node = region_.nodes[n];
  if (node.kind == Node::Kind::Lane) {
    for (const WebId w : {node.op.dst, node.op.src0, node.op.src1, node.op.addend})
      if (w != kNoWeb)
        visit(w);
    return;
  }
  for (auto it =
           std::lower_bound(region_.operandWebs.begin(), region_.operandWebs.end(), node.inst,
                            [](const OperandWeb &entry, uint32_t key) { return entry.inst < key; });
       it != region_.operandWebs.end() && it->inst == node.inst; ++it)
    visit(it->web);
}

LoadRoom::LoadRoom(const RegionModel &region, const BankPlan &plan, const std::vector<int8_t> &bank)
    : region_(region), bank_(bank), readsLeft_(region.webs.size(), 0),
      isLive_(region.webs.size(), 0) {
  for (uint32_t n = 0; n < region.nodes.size(); ++n)
    visit(n, [&](WebId web) { ++readsLeft_[web]; });
  for (size_t b = 0; b < 4; ++b)
    freeOfAll_ += free_[b] = static_cast<int>(plan.freeRegisters[b]);
  for (WebId w = 0; w < region.webs.size(); ++w)
    if (region.webs[w].scope == Web::Scope::Relocatable) {
      --freeOfAll_;
      if (bankOf(w) != kAnyBank)
        --free_[static_cast<size_t>(bankOf(w))];
      else
        ++unplaced_;
    }
}

/// The web has been read or written once more.
void LoadRoom::used(WebId web) {
  if (region_.webs[web].scope != Web::Scope::Internal)
    return;
  int change = 0;
  if (!isLive_[web]) {
    isLive_[web] = 1;
    --change;
  }
  if (--readsLeft_[web] == 0)
    ++change;
  freeOfAll_ += change;
  if (bankOf(web) != kAnyBank)
    free_[static_cast<size_t>(bankOf(web))] += change;
}

void LoadRoom::retire(uint32_t node) {
  visit(node, [&](WebId web) { used(web); });
}

void LoadRoom::placed(WebId web) {
  const Web::Scope scope = region_.webs[web].scope;
  if (scope == Web::Scope::Relocatable || (scope == Web::Scope::Internal && isLive_[web]))
    --free_[static_cast<size_t>(bankOf(web))];
  if (scope == Web::Scope::Relocatable)
    --unplaced_;
}

bool LoadRoom::hasRoomFor(uint32_t node) const {
  if (region_.nodes[node].kind != Node::Kind::Load)
    return true;
  std::array<int, 4> wanted{};
  int all = 0;
  visit(node, [&](WebId web) {
    if (region_.webs[web].scope != Web::Scope::Internal || isLive_[web])
      return;
    ++all;
    if (bankOf(web) != kAnyBank)
      ++wanted[static_cast<size_t>(bankOf(web))];
  });
  const int kept = static_cast<int>((unplaced_ + 3) / 4); // for those whose bank is not known yet
  for (size_t b = 0; b < 4; ++b)
    if (wanted[b] > 0 && wanted[b] + kept > free_[b])
      return false;
  return all <= freeOfAll_;
}

} // namespace rdna
