#include "Emu/Jit/Compiler.h"

#include "Emu/Handlers.h"
#include "Emu/Jit/Masks.h"
#include "Emu/Jit/Quieting.h"
#include "Emu/Jit/Turn.h"

#include "Support/Diagnostic.h"

#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TargetParser/Host.h"

#include <chrono>
#include <mutex>

// Exported by libLLVM for the host's target.
extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
}

namespace rdna::emu::jit {
namespace {

/// Operations of one unit: LLVM's time per function grows a little faster than its size.
constexpr size_t unitOperations = 3000;

/// The machine schedulers are quadratic on long blocks and undo the order of Values.h; the pass
/// that prepares for code generation would join the small blocks that the emitter makes. LLVM has
/// no other way to turn them off than its command line's options; their value is set again for
/// every compilation, because others that use them (lld) reset all of them.
void disableMachineSchedulers() {
  for (auto [name, value] : {std::pair{"enable-misched", "false"},
                             {"disable-post-ra", "true"},
                             {"disable-cgp", "true"}}) {
    auto &options = llvm::cl::getRegisteredOptions();
    auto it = options.find(name);
    if (it != options.end() && it->second->getNumOccurrences() == 0)
      it->second->addOccurrence(0, name, value);
  }
}

void initialiseTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
}

class NativeKernel final : public CompiledKernel {
public:
  llvm::Error build(std::span<const Inst> code, const std::vector<const Inst *> &roots);

private:
  llvm::Error compile(const llvm::orc::JITTargetMachineBuilder &host,
                      llvm::orc::ThreadSafeModule module, Plan &plan,
                      const std::vector<Unit> &units);

  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

std::vector<Unit> unitsOf(const Plan &plan) {
  std::vector<Unit> units;
  size_t operations = unitOperations;
  for (int32_t n = 0; n < int32_t(plan.blocks.size()); ++n) {
    size_t more = plan.blocks[size_t(n)].operations.size();
    if (operations + more > unitOperations) {
      units.push_back({n, n});
      operations = 0;
    }
    operations += more;
    units.back().end = n + 1;
  }
  return units;
}

llvm::Error optimise(llvm::Module &module, llvm::StringRef pipeline, llvm::TargetMachine *tm) {
  if (!Turn::isWanted())
    return noTurn();
  llvm::LoopAnalysisManager lam;
  llvm::FunctionAnalysisManager fam;
  llvm::CGSCCAnalysisManager cam;
  llvm::ModuleAnalysisManager mam;
  llvm::PassBuilder builder(tm);
  builder.registerModuleAnalyses(mam);
  builder.registerCGSCCAnalyses(cam);
  builder.registerFunctionAnalyses(fam);
  builder.registerLoopAnalyses(lam);
  builder.crossRegisterProxies(lam, fam, cam, mam);
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(passes, pipeline))
    return error;
  passes.run(module, mam);
  return llvm::Error::success();
}

/// One feature set for all functions, and vectors as wide as the host has them.
void setHostTarget(llvm::Module &module, const llvm::TargetMachine &tm) {
  for (llvm::Function &f : module) {
    if (f.isDeclaration())
      continue;
    f.addFnAttr("target-cpu", tm.getTargetCPU());
    f.addFnAttr("target-features", tm.getTargetFeatureString());
    f.addFnAttr("prefer-vector-width", "512");
    f.addFnAttr("min-legal-vector-width", "512");
  }
}

llvm::Error NativeKernel::build(std::span<const Inst> code,
                                const std::vector<const Inst *> &roots) {
  initialiseTarget();
  disableMachineSchedulers();
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return host.takeError();
  host->setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  auto tm = host->createTargetMachine();
  if (!tm)
    return tm.takeError();

  auto context = std::make_unique<llvm::LLVMContext>();
  auto semantics = Semantics::load(*context);
  if (!semantics)
    return semantics.takeError();
  auto module = std::make_unique<llvm::Module>("kernel", *context);
  module->setDataLayout((*tm)->createDataLayout());
  module->setTargetTriple((*tm)->getTargetTriple());

  code_ = code;
  Plan plan = makePlan(code, roots, [&](std::string_view name) { return (*semantics)->has(name); });
  declareRows(plan, **semantics, *module);
  if (llvm::Error error = (*semantics)->link(*module))
    return error;
  setHostTarget(*module, **tm);
  if (llvm::Error error =
          optimise(*module, "always-inline,function(sroa,instcombine,sroa,simplifycfg)", tm->get()))
    return error;
  for (llvm::Function &f : *module)
    simplifyMasks(f);
  // Zero-extended bits that are only compared become comparisons' operands themselves.
  if (llvm::Error error = optimise(*module, "function(instcombine,dce)", tm->get()))
    return error;

  (*semantics)->inlineEverywhere();
  const bool wide = (*tm)->getTargetFeatureString().contains("+avx512f") && handlers().hasAvx512;
  const Target target = wide ? Target{16, 16} : Target{8, 8};
  std::vector<Unit> units = unitsOf(plan);
  std::vector<llvm::Function *> functions;
  for (size_t n = 0; n < units.size(); ++n) {
    EmittedUnit unit =
        emitUnit(plan, units[n], **semantics, target, *module, "rdna_unit" + std::to_string(n));
    functions.push_back(unit.function);
    report_.loopsAtOnce += unit.loopsAtOnce;
  }
  setHostTarget(*module, **tm);
  if (llvm::Error error =
          optimise(*module, "always-inline,function(instsimplify),globaldce", tm->get()))
    return error;
  for (llvm::Function *f : functions)
    simplifyQuieting(*f, wide ? Quieting::Fixup : Quieting::Select);
  if (llvm::Error error = optimise(*module, "function(dce)", tm->get()))
    return error;
#ifndef NDEBUG
  if (llvm::verifyModule(*module, &llvm::errs()))
    return llvm::createStringError("the JIT emitted an invalid module");
#endif

  if (llvm::Error error = compile(
          *host, llvm::orc::ThreadSafeModule(std::move(module), std::move(context)), plan, units))
    return error;
  report_.blocks = plan.blocks.size();
  for (const Block &b : plan.blocks)
    report_.operations += b.operations.size();
  return llvm::Error::success();
}

/// Machine code for the units, and which of them each block enters.
llvm::Error NativeKernel::compile(const llvm::orc::JITTargetMachineBuilder &host,
                                  llvm::orc::ThreadSafeModule module, Plan &plan,
                                  const std::vector<Unit> &units) {
  if (!Turn::isWanted())
    return noTurn();
  auto jit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(host).create();
  if (!jit)
    return jit.takeError();
  jit_ = std::move(*jit);
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit_->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  jit_->getMainJITDylib().addGenerator(std::move(*process));
  if (llvm::Error error = jit_->addIRModule(std::move(module)))
    return error;
  unitOf_.resize(plan.blocks.size());
  for (size_t n = 0; n < units.size(); ++n) {
    auto address = jit_->lookup("rdna_unit" + std::to_string(n));
    if (!address)
      return address.takeError();
    for (int32_t b = units[n].first; b < units[n].end; ++b)
      unitOf_[size_t(b)] = address->toPtr<Entry>();
  }
  blockOf_ = std::move(plan.blockOf);
  // Nothing is gained by entering a block only to leave it again.
  for (int32_t &b : blockOf_)
    if (b >= 0 && plan.blocks[size_t(b)].operations.front().step == Step::Stop)
      b = -1;
  return llvm::Error::success();
}

} // namespace

llvm::Expected<std::unique_ptr<CompiledKernel>>
CompiledKernel::compile(std::span<const Inst> code, const std::vector<const Inst *> &roots) {
  auto start = std::chrono::steady_clock::now();
  const Turn turn; // Behind what an error leaves, too.
  if (!turn)
    return noTurn();
  auto kernel = std::make_unique<NativeKernel>();
  if (llvm::Error error = kernel->build(code, roots))
    return error;
  kernel->report_.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return std::unique_ptr<CompiledKernel>(std::move(kernel));
}

} // namespace rdna::emu::jit
