#include "Emu/Jit/Semantics.h"

#include "Emu/Jit/Plan.h"
#include "Emu/Jit/Slice.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

// The linked bitcode, embedded by Semantics.S.
extern "C" const char rdnaSemanticsBegin[], rdnaSemanticsEnd[];

namespace rdna::emu::jit {

llvm::Type *rowType(llvm::LLVMContext &context) {
  return llvm::FixedVectorType::get(llvm::Type::getInt32Ty(context), laneCount);
}

namespace {

/// Mnemonic and function of one row of a handler table: an OpInfo begins with the name (length and
/// pointer) and the handler.
std::pair<std::string, llvm::Function *> tableRow(llvm::Constant *row) {
  auto *fields = llvm::dyn_cast<llvm::ConstantStruct>(row);
  if (!fields || fields->getNumOperands() < 2)
    return {};
  auto *name = llvm::dyn_cast<llvm::ConstantStruct>(fields->getOperand(0));
  auto *function = llvm::dyn_cast<llvm::Function>(fields->getOperand(1));
  if (!name || !function || name->getNumOperands() != 2)
    return {};
  auto *length = llvm::dyn_cast<llvm::ConstantInt>(name->getOperand(0));
  auto *text = llvm::dyn_cast<llvm::GlobalVariable>(name->getOperand(1));
  if (!length || !text || !text->hasInitializer())
    return {};
  auto *bytes = llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer());
  if (!bytes)
    return {};
  return {bytes->getAsString().substr(0, length->getZExtValue()).str(), function};
}

/// A call in an empty module can only be inlined if caller and callee agree on target features, and
/// Wave's alignment and size are no property of what the JIT passes in its place.
void generalise(llvm::Function &f) {
  f.setAttributes(llvm::AttributeList());
  f.addFnAttr(llvm::Attribute::NoUnwind);
}

} // namespace

Semantics::~Semantics() = default;

llvm::Expected<std::unique_ptr<Semantics>> Semantics::load(llvm::LLVMContext &context) {
  llvm::StringRef bytes(rdnaSemanticsBegin, size_t(rdnaSemanticsEnd - rdnaSemanticsBegin));
  auto module = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bytes, "semantics"), context);
  if (!module)
    return module.takeError();
  std::unique_ptr<Semantics> s(new Semantics);
  s->bitcode_ = std::move(*module);
  for (llvm::GlobalVariable &table : s->bitcode_->globals()) {
    if (!table.hasInitializer())
      continue;
    llvm::Constant *initializer = table.getInitializer();
    if (auto *array = llvm::dyn_cast<llvm::ConstantStruct>(initializer);
        array && array->getNumOperands() == 1)
      initializer = array->getOperand(0); // A std::array.
    auto *rows = llvm::dyn_cast<llvm::ConstantArray>(initializer);
    for (unsigned n = 0; rows && n < rows->getNumOperands(); ++n)
      if (auto [name, function] = tableRow(rows->getOperand(n)); function)
        s->rows_.emplace(name, function);
  }
  return s;
}

bool Semantics::has(std::string_view mnemonic) const { return rows_.contains(mnemonic); }

/// The row's function as the destination module sees it: by its mangled name, which is unique.
llvm::Function *Semantics::declareRow(llvm::Module &module, std::string_view mnemonic) {
  llvm::Function *row = rows_.find(mnemonic)->second;
  row->setLinkage(llvm::GlobalValue::ExternalLinkage);
  auto *type = row->getFunctionType();
  return llvm::cast<llvm::Function>(module.getOrInsertFunction(row->getName(), type).getCallee());
}

llvm::Function *Semantics::vector(llvm::Module &module, const OpInfo &op) {
  llvm::Function *&made = made_[std::string(op.name)];
  if (made)
    return made;
  llvm::LLVMContext &context = module.getContext();
  auto *row = rowType(context);
  auto *i32 = llvm::Type::getInt32Ty(context);
  auto *pointer = llvm::PointerType::get(context, 0);
  std::vector<llvm::Type *> parameters, results(rowsOf(op.dst), row);
  unsigned sources = 0;
  for (LaneType t : op.src)
    sources += rowsOf(t);
  parameters.assign(sources + (isHalf(op.dst) ? 1 : 0), row);
  parameters.push_back(i32);
  parameters.push_back(i32);
  results.push_back(i32);
  auto *result = llvm::StructType::get(context, results);
  made = llvm::Function::Create(llvm::FunctionType::get(result, parameters, false),
                                llvm::GlobalValue::ExternalLinkage,
                                "vector." + std::string(op.name), module);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "", made));
  // RowCall of Lane.h: dst, src[3], mask, mode, result.
  auto *call = b.CreateAlloca(
      llvm::StructType::get(context, {pointer, llvm::ArrayType::get(pointer, 3), i32, i32, i32}));
  auto *callType = call->getAllocatedType();
  auto field = [&](llvm::ArrayRef<unsigned> path) {
    std::vector<llvm::Value *> indices{b.getInt32(0)};
    for (unsigned p : path)
      indices.push_back(b.getInt32(p));
    return b.CreateInBoundsGEP(callType, call, indices);
  };
  auto rowsOn = [&](unsigned rows) {
    auto *a = b.CreateAlloca(llvm::ArrayType::get(row, std::max(rows, 1u)));
    a->setAlignment(llvm::Align(128));
    return a;
  };
  auto element = [&](llvm::AllocaInst *a, unsigned r) {
    return b.CreateConstInBoundsGEP2_32(a->getAllocatedType(), a, 0, r);
  };
  auto *dst = rowsOn(rowsOf(op.dst));
  b.CreateStore(dst, field({0}));
  unsigned next = 0;
  for (unsigned k = 0; k < 3; ++k) {
    unsigned rows = rowsOf(op.src[k]);
    if (!rows)
      continue;
    auto *src = rowsOn(rows);
    for (unsigned r = 0; r < rows; ++r)
      b.CreateStore(made->getArg(next++), element(src, r));
    b.CreateStore(src, field({1, k}));
  }
  if (isHalf(op.dst))
    b.CreateStore(made->getArg(next++), element(dst, 0));
  b.CreateStore(made->getArg(next++), field({2}));
  b.CreateStore(made->getArg(next++), field({3}));
  b.CreateCall(declareRow(module, op.name), {call, call});
  llvm::Value *out = llvm::PoisonValue::get(result);
  for (unsigned r = 0; r < rowsOf(op.dst); ++r)
    out = b.CreateInsertValue(out, b.CreateLoad(row, element(dst, r)), r);
  out = b.CreateInsertValue(out, b.CreateLoad(i32, field({4})), rowsOf(op.dst));
  b.CreateRet(out);
  return made;
}

llvm::Function *Semantics::scalar(llvm::Module &module, const OpInfo &op) {
  llvm::Function *&made = made_[std::string(op.name)];
  if (made)
    return made;
  llvm::LLVMContext &context = module.getContext();
  auto *i32 = llvm::Type::getInt32Ty(context);
  auto *i64 = llvm::Type::getInt64Ty(context);
  std::vector<llvm::Type *> parameters;
  for (LaneType t : op.src)
    if (t != LaneType::None)
      parameters.push_back(i64);
  parameters.push_back(i32);
  auto *result = llvm::StructType::get(context, {i64, i32});
  made = llvm::Function::Create(llvm::FunctionType::get(result, parameters, false),
                                llvm::GlobalValue::ExternalLinkage,
                                "scalar." + std::string(op.name), module);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "", made));
  // ScalarCall of Salu.h: src[3], dst, scc.
  auto *call = b.CreateAlloca(llvm::StructType::get(context, {llvm::ArrayType::get(i64, 4), i32}));
  auto word = [&](unsigned n) { return b.CreateConstInBoundsGEP1_32(b.getInt8Ty(), call, 8 * n); };
  unsigned next = 0;
  for (unsigned k = 0; k < 3; ++k)
    if (op.src[k] != LaneType::None)
      b.CreateStore(made->getArg(next++), word(k));
  b.CreateStore(b.getInt64(0), word(3));
  b.CreateStore(made->getArg(next++), word(4));
  b.CreateCall(declareRow(module, op.name), {call, call});
  llvm::Value *out = llvm::PoisonValue::get(result);
  out = b.CreateInsertValue(out, b.CreateLoad(i64, word(3)), 0);
  out = b.CreateInsertValue(out, b.CreateLoad(i32, word(4)), 1);
  b.CreateRet(out);
  return made;
}

llvm::Function *Semantics::slice(llvm::Module &module, const OpInfo &op, unsigned lanes) {
  auto [it, isNew] = slices_.try_emplace({std::string(op.name), lanes}, nullptr);
  if (isNew)
    it->second = sliced(*vector(module, op), lanes);
  return it->second;
}

llvm::Error Semantics::link(llvm::Module &module) {
  if (llvm::Linker::linkModules(module, std::move(bitcode_), llvm::Linker::LinkOnlyNeeded))
    return llvm::createStringError("the semantics' bitcode does not link");
  for (llvm::Function &f : module) {
    if (f.isIntrinsic())
      continue;
    generalise(f);
    for (llvm::BasicBlock &block : f)
      for (llvm::Instruction &i : block)
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&i))
          if (auto *callee = call->getCalledFunction(); callee && !callee->isIntrinsic())
            call->setAttributes(llvm::AttributeList());
    if (!f.isDeclaration() && !isMade(f)) {
      f.setLinkage(llvm::GlobalValue::InternalLinkage);
      f.addFnAttr(llvm::Attribute::AlwaysInline);
    }
  }
  return llvm::Error::success();
}

bool Semantics::isMade(const llvm::Function &f) const {
  return std::any_of(made_.begin(), made_.end(), [&](auto &m) { return m.second == &f; });
}

void Semantics::inlineEverywhere() {
  for (auto &[name, f] : made_) {
    f->setLinkage(llvm::GlobalValue::InternalLinkage);
    f->addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

} // namespace rdna::emu::jit
