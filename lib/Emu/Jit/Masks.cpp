#include "Emu/Jit/Masks.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

#include <numeric>

namespace rdna::emu::jit {

using llvm::Value;

namespace {

/// A constant of 32 lanes whose elements are those of a function of the lane.
bool isByLane(const Value *v, uint32_t element(unsigned lane)) {
  auto *c = llvm::dyn_cast<llvm::ConstantDataVector>(v);
  if (!c || c->getNumElements() != 32 || !c->getElementType()->isIntegerTy(32))
    return false;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (c->getElementAsInteger(lane) != element(lane))
      return false;
  return true;
}
bool isOwnBit(const Value *v) {
  return isByLane(v, [](unsigned lane) { return 1u << lane; });
}
bool isLaneNumber(const Value *v) {
  return isByLane(v, [](unsigned lane) { return lane; });
}

// In halves, because rows are split into vectors of 16 and LLVM 22 cannot select some halves of
// what it makes of 32 bits as lanes.

/// One bit of a mask for each lane.
Value *lanesOf(llvm::IRBuilder<> &b, Value *mask) {
  auto *half = llvm::FixedVectorType::get(b.getInt1Ty(), 16);
  Value *low = b.CreateBitCast(b.CreateTrunc(mask, b.getInt16Ty()), half);
  Value *high = b.CreateBitCast(b.CreateTrunc(b.CreateLShr(mask, 16), b.getInt16Ty()), half);
  return llvm::concatenateVectors(b, {low, high});
}

/// The mask that has one bit for each lane.
Value *maskOf(llvm::IRBuilder<> &b, Value *lanes) {
  auto half = [&](int first) {
    std::vector<int> indices(16);
    std::iota(indices.begin(), indices.end(), first);
    Value *bits = b.CreateBitCast(b.CreateShuffleVector(lanes, indices), b.getInt16Ty());
    return b.CreateZExt(bits, b.getInt32Ty());
  };
  return b.CreateOr(half(0), b.CreateShl(half(16), 16));
}

Value *simplified(llvm::Instruction &i) {
  using namespace llvm::PatternMatch;
  llvm::IRBuilder<> b(&i);
  Value *lanes = nullptr, *mask = nullptr, *bits = nullptr;
  if (match(&i, m_Intrinsic<llvm::Intrinsic::vector_reduce_or>(m_Value(bits)))) {
    Value *own = nullptr;
    if (match(bits, m_Select(m_Value(lanes), m_Value(own), m_Zero())) && isOwnBit(own))
      return maskOf(b, lanes);
    if (match(bits, m_Shl(m_Value(lanes), m_Value(own))) && isLaneNumber(own) &&
        match(lanes, m_And(m_Value(), m_One())))
      return maskOf(b, b.CreateIsNotNull(lanes));
    return nullptr;
  }
  auto splatOf = [](Value *v) { return const_cast<Value *>(llvm::getSplatValue(v)); };
  llvm::CmpPredicate predicate;
  if (match(&i, m_ICmp(predicate, m_And(m_Value(mask), m_Value(bits)), m_Zero())) &&
      isOwnBit(bits) && llvm::ICmpInst::isEquality(predicate) && splatOf(mask)) {
    Value *set = lanesOf(b, splatOf(mask));
    return predicate == llvm::ICmpInst::ICMP_NE ? set : b.CreateNot(set);
  }
  if (match(&i, m_And(m_LShr(m_Value(mask), m_Value(bits)), m_One())) && isLaneNumber(bits) &&
      splatOf(mask))
    return b.CreateZExt(lanesOf(b, splatOf(mask)), i.getType());
  return nullptr;
}

} // namespace

void simplifyMasks(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &i : llvm::make_early_inc_range(block))
      if (Value *v = simplified(i)) {
        i.replaceAllUsesWith(v);
        i.eraseFromParent();
      }
}

} // namespace rdna::emu::jit
