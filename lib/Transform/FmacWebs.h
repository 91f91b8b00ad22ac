//===- FmacWebs.h - the values that FMACs multiply and add up --------------===//
#pragma once

#include "Asm/Lane.h"
#include "Transform/FunctionWebs.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <vector>

namespace rdna {

/// Which operations count when factors are given registers. Where products are added up by others
/// than FMACs, as those of complex numbers are, plain products want partners as well; where they
/// are few, they would only be in the way.
enum class Products : uint8_t { OfFmacs, All };

/// A function some of whose values may get other registers, all below `budget`.
struct FactorSite {
  const Module &module;
  const Cfg &cfg;
  const Liveness &liveness;
  const FunctionWebs &webs;
  unsigned budget;
  Products products = Products::OfFmacs;
};

/// An FMAC, or a plain product, and its values; kNoWeb for what is in no VGPR.
struct FmacWebs {
  LaneOp lane;
  uint32_t block = 0;
  WebId sum = kNoWeb, a = kNoWeb, b = kNoWeb;
  bool isProduct() const { return a != kNoWeb && b != kNoWeb && a != b; }
};
/// In the order of the text.
std::vector<FmacWebs> findFmacs(const FactorSite &site);

/// Webs that instructions want beside each other, in the order of their registers, single ones
/// too; not those that something holds where they are.
/// \param isApart says of an operand's dword that it need not follow the one before.
enum class BoundPairs : uint8_t { Stay, MayMove }; ///< Values of VOPDs that cannot be taken apart.
std::vector<std::vector<WebId>> findTuples(const Module &module, const FunctionWebs &webs,
                                           llvm::function_ref<bool(const OperandWeb &)> isApart,
                                           BoundPairs boundPairs = BoundPairs::Stay);
/// Other registers might make it illegal, and it has to stay.
bool isBoundPair(const Instruction &inst);

/// How much two webs, the lower one first, would gain by being a couple.
using CoupleCounts = std::map<std::pair<WebId, WebId>, unsigned>;
/// Couples webs, each once; those that count most come first. Marks who is in a couple.
/// \param take false if it does not want these two.
void takeCouples(const CoupleCounts &counts, std::vector<uint8_t> &isCoupled,
                 llvm::function_ref<bool(WebId, WebId)> take);

} // namespace rdna
