#include "Emu/Jit/Quieting.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace rdna::emu::jit {

using llvm::Value;

namespace {

bool isQuietNan(const Value *v) {
  auto *c = llvm::dyn_cast<llvm::Constant>(v);
  if (!c || !c->getType()->isVectorTy())
    return false;
  auto *splat = llvm::dyn_cast_or_null<llvm::ConstantFP>(c->getSplatValue());
  return splat && splat->getValueAPF().isNaN();
}

/// The choice itself: x == x ? x : NaN.
bool isChoice(const llvm::SelectInst &select) {
  auto *compare = llvm::dyn_cast<llvm::FCmpInst>(select.getCondition());
  return compare && compare->getPredicate() == llvm::FCmpInst::FCMP_ORD &&
         compare->getOperand(0) == select.getTrueValue() && isQuietNan(select.getFalseValue());
}

/// Arithmetic whose result is a NaN whenever an operand is one.
bool propagatesNan(const llvm::User *user) {
  if (auto *i = llvm::dyn_cast<llvm::IntrinsicInst>(user))
    return i->getIntrinsicID() == llvm::Intrinsic::fma;
  if (auto *i = llvm::dyn_cast<llvm::Instruction>(user))
    return i->getOpcode() == llvm::Instruction::FAdd || i->getOpcode() == llvm::Instruction::FSub ||
           i->getOpcode() == llvm::Instruction::FMul;
  return false;
}

/// Whether nothing sees which NaN a result is: it is compared, or goes through the choice. (The
/// scaled operand that V_DIV_SCALE returns, for one, does not.)
bool isChosenFrom(const llvm::User *result) {
  return std::all_of(result->user_begin(), result->user_end(), [&](const llvm::User *user) {
    auto *select = llvm::dyn_cast<llvm::SelectInst>(user);
    return llvm::isa<llvm::FCmpInst>(user) ||
           (select && select->getTrueValue() == result && isChoice(*select));
  });
}

/// Floats of one or more whole registers of 16.
bool isOfWholeRegisters(const llvm::Type *type) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector && vector->getElementType()->isFloatTy() && vector->getNumElements() % 16 == 0;
}

/// The same choice by table: both kinds of NaN keep the destination, which is the one NaN, every
/// other class takes the source (Intel SDM, VFIXUPIMMPS: a nibble for each of eight classes).
Value *fixedUp(llvm::SelectInst &select) {
  llvm::IRBuilder<> b(&select);
  auto part = [&](Value *v, int first) {
    std::vector<int> lanes(16);
    std::iota(lanes.begin(), lanes.end(), first);
    return b.CreateShuffleVector(v, lanes);
  };
  Value *table = b.CreateVectorSplat(16, b.getInt32(0x11111100));
  std::vector<Value *> parts;
  const auto lanes = llvm::cast<llvm::FixedVectorType>(select.getType())->getNumElements();
  for (unsigned n = 0; n < lanes; n += 16)
    parts.push_back(b.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_fixupimm_ps_512, {},
                                      {part(select.getFalseValue(), int(n)),
                                       part(select.getTrueValue(), int(n)), table, b.getInt32(0),
                                       b.getInt16(0xffff), b.getInt32(4)}));
  return llvm::concatenateVectors(b, parts);
}

} // namespace

void simplifyQuieting(llvm::Function &function, Quieting how) {
  // Found before anything changes: afterwards results have further uses.
  std::vector<std::pair<llvm::SelectInst *, std::vector<llvm::Use *>>> choices;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &i : block) {
      auto *select = llvm::dyn_cast<llvm::SelectInst>(&i);
      if (!select || !isChoice(*select))
        continue;
      auto &[choice, needless] = choices.emplace_back(select, std::vector<llvm::Use *>());
      for (llvm::Use &use : select->uses())
        if (propagatesNan(use.getUser()) && isChosenFrom(use.getUser()))
          needless.push_back(&use);
    }
  for (auto &[select, needless] : choices) {
    for (llvm::Use *use : needless)
      use->set(select->getTrueValue());
    if (how == Quieting::Fixup && !select->use_empty() && isOfWholeRegisters(select->getType()))
      select->replaceAllUsesWith(fixedUp(*select));
  }
}

} // namespace rdna::emu::jit
