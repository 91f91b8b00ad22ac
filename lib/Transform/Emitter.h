//===- Emitter.h - the writer of one region (private to lib/Transform) ----===//
#pragma once

#include "Analysis/Dataflow.h"
#include "Transform/Emit.h"
#include "Transform/Moves.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace rdna {

/// Text around the instructions of a block: what stands in the lines before each, and its own line
/// split into indentation, statement and trailing comment.
struct Trivia {
  Code leading; ///< Whole lines, with line ends, without labels.
  Code labels;  ///< Debug labels, which keep their order whatever happens to the code.
  std::string indent, trailing;
};

class Emitter {
public:
  Emitter(const EmitContext &context, const RegionCode &code, EmitResult &result)
      : context_(context), module_(context.function.module), code_(code), region_(code.region),
        result_(result), block_(context.function.cfg.blocks[code.region.block]),
        newline_(lineEnding(module_)) {}
  std::optional<LeftAlone> run();

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }
  std::optional<LeftAlone> readTrivia();
  void line(const Code &code, Trivia *trivia = nullptr, const Instruction *member = nullptr);
  void closeClause();
  void flushLabels(size_t upTo);
  void waitFor(const WaitCounts &counts, Trivia *trivia = nullptr);
  void issue(const Instruction &instruction, llvm::ArrayRef<RegRange> late);
  Code withoutStatement(Trivia &trivia) const;
  void emitOrderWait(const Node &node);
  void touch(llvm::ArrayRef<RegRange> registers) { waitFor(state_.needed(registers)); }
  VopdHalf half(uint32_t node, Slot::Sources sources) const;
  Vgpr reg(WebId web) const { return code_.registers[web]; }
  std::optional<LeftAlone> emitSlot(const Slot &slot);
  std::optional<LeftAlone> emitOther(const Node &node);
  void emitLoad(const Node &node);
  void keepTransGap(llvm::ArrayRef<RegRange> reads, const Instruction *trans);
  void finishWaits();
  void keepTransGapBehind();
  /// What has another register at an edge's end than at its start.
  struct EdgeMoves {
    std::vector<Copy> copies;
    VgprSet occupied;     ///< By what has a register of its own at either end.
    bool isEntry = false; ///< Into the loop; else out of it.
  };
  /// Blocks behind the function that hold the moves of jumps.
  struct Trampolines {
    Code code;
    std::map<std::pair<uint32_t, std::string>, std::string> known; ///< Target and moves: label.
    std::set<std::string> labels;
  };
  EdgeMoves movesOf(const Edge &edge);
  std::optional<Vgpr> temporaryOn(const Edge &edge, const VgprSet &occupied) const;
  WaitState waitStateBehind(uint32_t blockNumber) const;
  Code codeOf(const Edge &edge, const EdgeMoves &moves);
  std::optional<LeftAlone> emitTrampoline(const Edge &edge, const Code &moves,
                                          Trampolines &trampolines);
  std::optional<LeftAlone> placeOnEdge(const Edge &edge, const Code &moves,
                                       Trampolines &trampolines);
  void insertBehind(const Instruction &last, const Code &code);
  std::optional<LeftAlone> emitEdges();
  bool readsTransTooSoon(uint32_t from, llvm::ArrayRef<Copy> copies) const;
  void registersOf(const Node &node, llvm::SmallVectorImpl<RegRange> &reads,
                   llvm::SmallVectorImpl<RegRange> &writes) const;

  const EmitContext &context_;
  const Module &module_;
  const RegionCode &code_;
  const RegionModel &region_;
  EmitResult &result_;
  const Block &block_;
  std::string_view newline_;
  std::vector<Trivia> trivia_;
  Code out_;
  WaitState state_;
  /// Counters that were waited down to zero.
  struct Drained {
    bool vm = false, lgkm = false;
    void add(const WaitCounts &counts) {
      vm |= counts.vm == 0U;
      lgkm |= counts.lgkm == 0U;
    }
  };
  Drained drained_;
  /// Operations of one counter that were issued in the block.
  struct Counted {
    OperationQueue queue;
    std::map<uint32_t, int> numbers; ///< The last of an instruction of the old text.
    void issue(uint32_t instruction) {
      queue.issue();
      numbers[instruction] = queue.issued();
    }
  };
  Counted vm_, lgkm_;
  /// Memory instructions written one behind the other, all of which stood in a clause before.
  struct Clause {
    size_t at = 0; ///< The piece of `out_` that its s_clause would stand before.
    unsigned length = 0;
    Unit unit = Unit::Other;
    MemoryEffect effect = MemoryEffect::None;
  };
  Clause clause_;
  std::set<uint32_t> clauseMembers_; ///< Instructions of the old text.
  /// VALU and transcendental instructions since a transcendental one wrote a register.
  struct TransResult {
    RegRange reg;
    unsigned valu = 0, trans = 0;
    uint32_t inst = 0; ///< Of the old text.
  };
  std::vector<TransResult> transResults_;
  size_t nextLabel_ = 0;   ///< Index into trivia_.
  unsigned firstLoad_ = 0; ///< Loads before the one being split.
};

} // namespace rdna
