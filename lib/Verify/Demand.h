//===- Demand.h - what the original still needs of each register ----------===//
//
// Liveness for a proof: of each VGPR the lanes that are needed, as a function of lane masks, and
// only through instructions whose result is needed. A register that nobody needs may hold anything
// in the rewritten code.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Verify/LaneFlow.h"

#include <bitset>
#include <vector>

namespace rdna::verify {

struct Needs {
  std::bitset<256> active;   ///< VGPRs needed in the lanes that EXEC selects.
  std::bitset<256> inactive; ///< ... and in the others.
  std::bitset<kRegUnits> scalar;
  /// Of those others only lanes of the masks in these scalar registers, which are needed; 0: all.
  /// The second one is for whoever needs no more than two texts do.
  std::array<std::array<uint16_t, 2>, 256> inactiveIn{};
};

class Demand {
public:
  Demand(const Module &module, const Cfg &cfg);
  Needs atStart(uint32_t block);
  /// Behind an instruction.
  Needs after(uint32_t instruction);
  /// The scalar register whose mask has all lanes of EXEC at a block's start, with as few others as
  /// there is one.
  struct Around {
    enum class Lanes : uint8_t { Unknown, Same, More } lanes = Lanes::Unknown;
    RegUnit mask;
  };
  Around aroundExec(uint32_t block);

private:
  struct State {
    std::array<LaneFlow::Function, 256> lanes{}; ///< By VGPR.
    std::bitset<kRegUnits> scalar;
    bool operator==(const State &) const = default;
  };
  void run();
  State atEnd(uint32_t block);
  void backward(const Instruction &inst, State &state);
  void readAndWrite(const Instruction &inst, State &state);
  bool isUseless(const Instruction &inst, const State &state);
  bool isNeeded(const State &state, unsigned vgpr, LaneFlow::Function exec) {
    return state.lanes[vgpr] != LaneFunctions::kNone &&
           !flow_.functions().isDisjoint(state.lanes[vgpr], exec);
  }
  bool mayBeEmpty(const Instruction &inst);
  void join(State &into, const State &from);
  std::optional<unsigned> tightest(uint32_t block, LaneFlow::Function lanes,
                                   LaneFlow::Function apart);
  bool isCut(uint32_t block) const {
    return cfg_.blocks[block].predecessors.size() > (block == 0 ? 0U : 1U);
  }
  void coarsen(State &state, uint32_t block);
  Needs needsOf(const State &state, LaneFlow::Function exec, std::optional<uint32_t> block);

  const Module &module_;
  const Cfg &cfg_;
  const Function &function_;
  LaneFlow flow_;
  std::vector<State> start_;
  /// By block: scalars that are needed whatever is said of lanes; masks are chosen among them.
  /// Empty until they are known.
  std::vector<std::bitset<kRegUnits>> scalars_;
  std::vector<uint8_t> mayBeEmpty_; ///< Few functions need it.
};

} // namespace rdna::verify
