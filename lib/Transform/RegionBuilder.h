//===- RegionBuilder.h - how a block becomes a RegionModel ----------------===//
#pragma once

#include "Analysis/Dependence.h"
#include "Transform/RegionModel.h"

#include "llvm/ADT/ArrayRef.h"

#include <algorithm>
#include <array>
#include <set>

namespace rdna {

/// Union-find over provisional webs.
struct Unions {
  std::vector<WebId> parent;
  WebId make() {
    parent.push_back(static_cast<WebId>(parent.size()));
    return parent.back();
  }
  WebId find(WebId w) {
    while (parent[w] != w)
      w = parent[w] = parent[parent[w]];
    return w;
  }
  void unite(WebId a, WebId b) {
    a = find(a);
    b = find(b);
    if (a != b)
      parent[std::max(a, b)] = std::min(a, b);
  }
};

inline bool isSplittableLoad(const Instruction &inst) { return !loadOffsets(inst).empty(); }

class RegionBuilder {
public:
  RegionBuilder(const FunctionContext &context, uint32_t block, RegionModel &region,
                ConstantForms forms)
      : context_(context), block_(context.cfg.blocks[block]), region_(region), forms_(forms) {
    region_.block = block;
  }
  std::optional<LeftAlone> build();

private:
  const Instruction &inst(uint32_t i) const { return context_.module.instructions()[i]; }
  std::optional<LeftAlone> refuse(const Instruction &at, std::string reason) const {
    return LeftAlone{at.line, std::move(reason)};
  }
  void assignWebs();
  void finishWebs();
  VgprSet readUnderOtherMasks(const Loop &loop) const;
  void pinCrossed();
  void classifyWebs();
  void groupWebs();
  bool isPlacedAnew(uint32_t i) const;
  std::vector<WebOp> opsOfPair(uint32_t i, llvm::ArrayRef<LaneOp> lanes) const;
  std::optional<WebOp> opOf(uint32_t i, const LaneOp &lane) const;
  std::vector<WebOp> opsOf(uint32_t i);
  void makeNodes();
  void pinIdleWebs();
  void linkNodes();
  void linkWebs(uint32_t n, DependenceGraph &graph);
  bool isPassable(uint32_t i) const;
  void linkOrder(DependenceGraph &graph) const;

  const FunctionContext &context_;
  const Block &block_;
  RegionModel &region_;
  ConstantForms forms_;
  Unions unions_;
  std::vector<Vgpr> homes_;
  std::array<WebId, 256> liveInWeb_{};
  std::array<WebId, 256> current_{};
  std::map<unsigned, WebId> pinnedAt_; ///< By register: the pinned web that was last seen there.
};

} // namespace rdna
