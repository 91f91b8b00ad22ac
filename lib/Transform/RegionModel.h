//===- RegionModel.h - a basic block as values and operations ------------------===//
//
// The model that the remapping works on. Registers of the old text become webs: everything that
// must stay in one register because it is one value, or a chain of read-modify-write updates of it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Analysis/Liveness.h"
#include "Asm/Lane.h"
#include "Transform/OrderWaits.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rdna {

using WebId = uint32_t;
inline constexpr WebId kNoWeb = ~0u;

struct Web {
  Vgpr home; ///< The register in the old text.
  enum class Scope : uint8_t {
    Internal,    ///< Born and dead in the block: any free register will do.
    Relocatable, ///< Crosses the block's borders, and may live elsewhere throughout `extent`.
    Pinned,      ///< Must stay at home.
  } scope = Scope::Internal;
  bool liveIn = false, liveOut = false;
  /// Relocatable: index (0 = innermost) into RegionModel::loops of the largest loop around the
  /// block in which nothing outside the block touches the home register.
  unsigned extent = 0;
  uint32_t group = 0;      ///< Webs that some operand wants in consecutive registers.
  unsigned offset = 0;     ///< Position inside the group.
  unsigned factorUses = 0; ///< Uses on the SRC0 or SRC1 port of a VOPD-able operation.
};

/// A lane operation whose registers are webs.
struct WebOp {
  LaneOp lane; ///< Op, scalar sources and constants; its VGPR numbers are the old ones.
  WebId dst = kNoWeb, src0 = kNoWeb, src1 = kNoWeb, addend = kNoWeb;
};

/// What is ordered: one half of a split VOPD, a single VALU operation, or a whole instruction.
struct Node {
  enum class Kind : uint8_t {
    Lane,  ///< Can be half of a VOPD.
    Load,  ///< An LDS load that may be split.
    Other, ///< Moves as a whole.
  } kind = Kind::Other;
  uint32_t inst = 0;           ///< Instruction of the module.
  WebOp op;                    ///< Kind::Lane.
  std::vector<uint32_t> preds; ///< Nodes that must come before.
  std::vector<uint32_t> succs;
  unsigned rank = 0; ///< Number of lane operations before it in the old order.
};

/// An operand's dword in the old text: which web it reads or writes.
struct OperandWeb {
  uint32_t inst = 0;
  uint8_t operand = 0;
  uint8_t dword = 0;
  WebId web = kNoWeb;
};

struct RegionModel {
  uint32_t block = 0;
  std::vector<uint32_t> loops;   ///< Loops around the block, innermost first.
  bool isLoopBody = false;       ///< The block is the whole innermost loop.
  std::vector<Node> nodes;       ///< In old order.
  std::vector<uint32_t> dropped; ///< s_waitcnt, s_delay_alu, s_clause: recomputed or left out.
  std::map<uint32_t, OrderWait> orderWaits; ///< s_waitcnt that are nodes, by instruction.
  std::vector<Web> webs;
  std::vector<OperandWeb> operandWebs; ///< Sorted by (inst, operand, dword).
  uint32_t groups = 0;
  bool hasConstantForms = false; ///< Some node is FMAAK or FMAMK where the text has V_FMA.
  VgprSet liveThrough;           ///< Live in and out without being touched in the block.

  WebId webAt(uint32_t inst, unsigned operand, unsigned dword) const;
};

/// Why a block is left as it is.
struct LeftAlone {
  uint32_t line = 0;
  std::string reason;
};

/// Byte offset of every dword that an LDS load fetches, relative to its address register; empty if
/// the load cannot be made of narrower ones.
llvm::SmallVector<unsigned, 4> loadOffsets(const Instruction &inst);

/// Does the instruction touch registers that its operands do not name (v_movrel, ...)? Then nothing
/// is known about the registers of its whole function.
bool touchesUnnamedRegisters(Op op);
/// The first instruction of the function that does.
std::optional<uint32_t> whereUnnamedRegisters(const Module &module, const Function &function);

/// PathConditions about one function that the regions share.
struct FunctionContext {
  const Module &module;
  const Cfg &cfg;
  const Liveness &liveness;
  const MemoryFacts &memory;
  PlainSync plainSync = PlainSync::Possible;
};

/// May V_FMA with a constant addend or factor become FMAAK or FMAMK, which have a literal?
enum class ConstantForms : uint8_t { Literal, AsCompiled };

/// Builds the model of one block, or says why it cannot be.
std::optional<LeftAlone> buildRegion(const FunctionContext &context, uint32_t block,
                                     RegionModel &region,
                                     ConstantForms forms = ConstantForms::Literal);

} // namespace rdna
