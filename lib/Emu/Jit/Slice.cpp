#include "Emu/Jit/Slice.h"

#include "Emu/Wave.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace rdna::emu::jit {
namespace {

using llvm::Type;
using llvm::Value;

class Slicer {
public:
  Slicer(llvm::Function &row, unsigned lanes) : row_(row), lanes_(lanes) {}

  llvm::Function *run() {
    if (row_.size() != 1)
      return nullptr;
    std::vector<Type *> parameters;
    for (Type *t : row_.getFunctionType()->params())
      parameters.push_back(type(t));
    auto *signature = llvm::FunctionType::get(type(row_.getReturnType()), parameters, false);
    auto *made =
        llvm::Function::Create(signature, llvm::GlobalValue::InternalLinkage,
                               row_.getName() + "." + llvm::Twine(lanes_), row_.getParent());
    made->copyAttributesFrom(&row_);
    made->addFnAttr(llvm::Attribute::AlwaysInline);
    for (llvm::Argument &a : row_.args())
      values_[&a] = made->getArg(a.getArgNo());
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(row_.getContext(), "", made));
    for (llvm::Instruction &i : row_.front()) {
      Value *v = slice(i, b);
      if (!v) {
        made->eraseFromParent();
        return nullptr;
      }
      values_[&i] = v;
    }
    return made;
  }

private:
  Type *type(Type *t) const {
    if (auto *v = llvm::dyn_cast<llvm::FixedVectorType>(t))
      return v->getNumElements() % laneCount
                 ? t
                 : llvm::FixedVectorType::get(v->getElementType(),
                                              v->getNumElements() / laneCount * lanes_);
    if (auto *s = llvm::dyn_cast<llvm::StructType>(t)) {
      std::vector<Type *> elements;
      for (Type *e : s->elements())
        elements.push_back(type(e));
      return llvm::StructType::get(s->getContext(), elements);
    }
    return t;
  }

  Value *operand(Value *v) {
    auto *constant = llvm::dyn_cast<llvm::Constant>(v);
    if (!constant)
      return values_.lookup(v);
    Type *t = type(v->getType());
    if (t == v->getType())
      return v;
    if (llvm::isa<llvm::PoisonValue>(v))
      return llvm::PoisonValue::get(t);
    auto *splat = v->getType()->isVectorTy() ? constant->getSplatValue() : nullptr;
    return splat ? llvm::ConstantVector::getSplat(
                       llvm::cast<llvm::FixedVectorType>(t)->getElementCount(), splat)
                 : nullptr;
  }

  /// Null: not lane by lane.
  Value *slice(llvm::Instruction &i, llvm::IRBuilder<> &b) {
    auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
    const bool laneByLane =
        intrinsic ? llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID())
                  : llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst,
                              llvm::CmpInst, llvm::SelectInst, llvm::FreezeInst,
                              llvm::InsertValueInst, llvm::ExtractValueInst, llvm::ReturnInst>(i);
    if (!laneByLane)
      return nullptr;
    std::vector<Value *> operands;
    for (unsigned k = 0; k < (intrinsic ? intrinsic->arg_size() : i.getNumOperands()); ++k) {
      operands.push_back(operand(i.getOperand(k)));
      if (!operands.back())
        return nullptr;
    }
    if (intrinsic)
      return b.CreateIntrinsic(type(i.getType()), intrinsic->getIntrinsicID(), operands);
    llvm::Instruction *copy = i.clone();
    copy->mutateType(type(i.getType()));
    for (unsigned k = 0; k < operands.size(); ++k)
      copy->setOperand(k, operands[k]);
    return b.Insert(copy);
  }

  llvm::Function &row_;
  unsigned lanes_;
  llvm::DenseMap<Value *, Value *> values_;
};

} // namespace

llvm::Function *sliced(llvm::Function &row, unsigned lanes) { return Slicer(row, lanes).run(); }

} // namespace rdna::emu::jit
