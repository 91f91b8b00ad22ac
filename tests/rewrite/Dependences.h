//===- Dependences.h - the operations of a block and what orders them -----===//
#pragma once

#include "Analysis/Cfg.h"
#include "Asm/Lane.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace rdna::rewrite {

/// Values by number. What has to stay in one register has one number: an FMAC updates its addend in
/// place, and what a loop's only block leaves in a register is what comes back in it.
using ValueId = uint32_t;
inline constexpr ValueId kNoValue = ~0u;

/// Half of a VOPD, or a whole instruction that could be one.
struct Half {
  LaneOp op; ///< The register numbers are the old ones.
  ValueId dst = kNoValue, src0 = kNoValue, src1 = kNoValue;
};

struct Node {
  uint32_t instruction = 0;
  std::optional<Half> half;
  std::vector<uint32_t> preds;     ///< Must come earlier.
  std::vector<uint32_t> weakPreds; ///< Must not come later: they read what this one overwrites.
};

/// The dependences that remain if every value may have a register of its own: true ones between
/// VGPR values, all of scalar registers (which keep their places) and of memory.
class Dependences {
public:
  Dependences(const Module &module, const Cfg &cfg, uint32_t block);

  const std::vector<Node> &nodes() const { return nodes_; }
  bool mustPrecede(uint32_t first, uint32_t second) const { return has(ancestors_[second], first); }
  bool mustNotFollow(uint32_t first, uint32_t second) const {
    return has(weakAncestors_[second], first);
  }
  bool independent(uint32_t a, uint32_t b) const {
    return !mustPrecede(a, b) && !mustPrecede(b, a);
  }

  /// Values loaded or computed as one tuple lie in consecutive registers.
  struct Place {
    uint32_t tuple = 0;
    unsigned offset = 0;
  };
  Place place(ValueId value) const { return places_[value]; }

private:
  using NodeSet = std::vector<uint64_t>;
  static bool has(const NodeSet &set, uint32_t n) { return (set[n / 64] >> (n % 64) & 1) != 0; }

  void add(const Instruction &inst);
  void addWhole(const Instruction &inst);
  void writeWhole(uint32_t n, const Instruction &inst);
  void readLane(uint32_t n, const LaneOp &lane);
  void readVgpr(uint32_t n, unsigned reg);
  void define(uint32_t n, unsigned reg, std::optional<Place> place);
  void update(uint32_t n, unsigned reg);
  void readScalar(uint32_t n, RegUnit unit);
  void writeScalar(uint32_t n, RegUnit unit);
  void orderMemory(uint32_t n, const Instruction &inst);
  void joinAroundLoop(const std::array<ValueId, 256> &entry);
  void close();
  uint32_t newNode(const Instruction &inst);
  void after(uint32_t n, std::optional<uint32_t> p);

  std::vector<Node> nodes_;
  std::vector<NodeSet> ancestors_, weakAncestors_;
  std::vector<Place> places_;                        ///< By value, as are the next three.
  std::vector<std::optional<uint32_t>> firstWriter_; ///< Nothing: it comes from outside.
  std::vector<std::vector<uint32_t>> readers_;       ///< Of its present contents.
  std::vector<std::vector<uint32_t>> touchers_;      ///< Readers and in-place updates, all of them.
  std::array<ValueId, 256> value_{};
  std::array<std::optional<uint32_t>, kRegUnits> writer_;
  std::array<std::vector<uint32_t>, kRegUnits> scalarReaders_; ///< Since the last write.
  std::optional<uint32_t> fence_;
  std::array<std::optional<uint32_t>, 2> stores_;
  std::array<std::vector<uint32_t>, 2> loads_;
};

} // namespace rdna::rewrite
