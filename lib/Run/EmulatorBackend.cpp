#include "Emu/Emulator.h"
#include "EmuLoad/KernelImage.h"
#include "Run/Backend.h"
#include "Run/Kernarg.h"
#include "Support/Diagnostic.h"

#include <algorithm>

namespace rdna::run {

namespace {

class EmulatedKernel : public LoadedKernel {
public:
  EmulatedKernel(const object::CodeObject &object, const object::Kernel &kernel,
                 std::unique_ptr<emu::Program> program)
      : object_(object), kernel_(kernel), program_(std::move(program)) {}

  llvm::Expected<RunOutcome> run(const ResolvedLaunch &launch, BufferSet &buffers,
                                 const RunOptions &options) override;

private:
  BoundsFinding finding(const emu::OutOfBounds &access) const;
  std::vector<CheckFinding> withLines(std::vector<emu::Finding> findings) const;
  llvm::Error withLine(llvm::Error error) const;

  const object::CodeObject &object_;
  const object::Kernel &kernel_;
  std::unique_ptr<emu::Program> program_;
};

BoundsFinding EmulatedKernel::finding(const emu::OutOfBounds &access) const {
  BoundsFinding finding;
  switch (access.kind) {
  case emu::OutOfBounds::Kind::Read:
    finding.kind = BoundsFinding::Kind::Read;
    break;
  case emu::OutOfBounds::Kind::Write:
    finding.kind = BoundsFinding::Kind::Write;
    break;
  case emu::OutOfBounds::Kind::Atomic:
    finding.kind = BoundsFinding::Kind::Atomic;
    break;
  }
  finding.address = access.codeOffset;
  finding.line = object_.lineAt(access.codeOffset);
  finding.instruction = access.instruction;
  finding.lanes = access.lanes;
  finding.firstAddress = access.firstAddress;
  finding.lastAddress = access.lastAddress;
  finding.nearest = access.nearest;
  return finding;
}

std::vector<CheckFinding> EmulatedKernel::withLines(std::vector<emu::Finding> findings) const {
  std::vector<CheckFinding> list;
  for (emu::Finding &finding : findings) {
    CheckFinding out;
    out.line = object_.lineAt(finding.codeOffset);
    out.otherLine = finding.other ? object_.lineAt(finding.other->codeOffset) : 0;
    out.finding = std::move(finding);
    list.push_back(std::move(out));
  }
  return list;
}

/// A kernel that was stopped at an instruction: the line of the .s, if there is one.
llvm::Error EmulatedKernel::withLine(llvm::Error error) const {
  return llvm::handleErrors(
      std::move(error), [&](std::unique_ptr<emu::EmulationError> stopped) -> llvm::Error {
        std::vector<Diagnostic> diagnostics = stopped->diagnostics();
        for (Diagnostic &diagnostic : diagnostics) {
          diagnostic.file = object_.file;
          diagnostic.line = object_.lineAt(stopped->codeOffset());
          diagnostic.column = diagnostic.line == 0 ? 0 : 1;
        }
        return llvm::make_error<InputError>(stopped->failure(), std::move(diagnostics));
      });
}

llvm::Expected<RunOutcome> EmulatedKernel::run(const ResolvedLaunch &launch, BufferSet &buffers,
                                               const RunOptions &options) {
  if (llvm::Error error = checkLaunch(object_, kernel_, launch))
    return error;
  emu::Launch emulated;
  emulated.grid = launch.grid;
  emulated.block = launch.block;
  emulated.dynamicLdsBytes = launch.dynamicLdsBytes;
  emulated.onlyWorkgroups = options.onlyWorkgroups;
  emulated.threads = options.threads;
  emulated.engine = options.engine;
  emulated.delaySeed = options.delaySeed;
  emulated.instructionBudget = options.instructionBudget;
  emulated.progress = options.progress;
  std::vector<uint64_t> addresses;
  for (const Buffer &buffer : buffers.buffers()) {
    addresses.push_back(reinterpret_cast<uint64_t>(buffer.bytes.data()));
    emulated.regions.push_back({buffer.facts.name, buffer.bytes.data(), buffer.bytes.size(),
                                emu::MemoryRegion::Access::ReadWrite,
                                buffer.facts.init == Init::Undefined
                                    ? emu::MemoryRegion::Contents::Undefined
                                    : emu::MemoryRegion::Contents::Defined});
  }
  llvm::Expected<Kernarg> kernarg = packKernarg(kernel_, launch, addresses);
  if (!kernarg)
    return kernarg.takeError();
  // The segment is padded to its alignment of 16 bytes, as a runtime allocates it: compilers rely
  // on that and read three trailing dwords with one s_load_b128.
  kernarg->bytes.resize((kernarg->bytes.size() + 15) / 16 * 16);
  emulated.kernarg = kernarg->bytes;
  std::unique_ptr<emu::Checker> checker;
  if (!options.checks.empty()) {
    checker = emu::createChecker(options.checks);
    emulated.observers.push_back(checker.get());
  }
  for (emu::Observer *observer : options.observers)
    emulated.observers.push_back(observer);
  RunOutcome outcome;
  for (unsigned i = 0; i < options.warmups + std::max(options.repeats, 1u); ++i) {
    llvm::Expected<emu::RunResult> result = program_->run(emulated);
    if (!result)
      return withLine(result.takeError());
    if (i < options.warmups)
      continue;
    outcome.milliseconds.push_back(result->seconds * 1e3);
    outcome.instructions = result->instructions;
    outcome.compiledInstructions = result->compiledInstructions;
    outcome.workgroups = result->workgroups;
    outcome.stopped = result->stopped;
    outcome.bounds.clear();
    for (const emu::OutOfBounds &access : result->outOfBounds)
      outcome.bounds.push_back(finding(access));
  }
  if (checker)
    outcome.findings = withLines(checker->takeFindings());
  return outcome;
}

class EmulatorBackend : public Backend {
public:
  std::string_view name() const override { return "emulator"; }
  std::string device() const override { return "emulated RDNA3 (functional, no timing)"; }
  llvm::Expected<std::unique_ptr<LoadedKernel>> load(const object::CodeObject &object,
                                                     const object::Kernel &kernel) override;
};

llvm::Expected<std::unique_ptr<LoadedKernel>>
EmulatorBackend::load(const object::CodeObject &object, const object::Kernel &kernel) {
  llvm::Expected<std::unique_ptr<emu::Program>> program =
      emu::Program::create(kernelImage(object, kernel));
  if (!program)
    return program.takeError();
  return std::make_unique<EmulatedKernel>(object, kernel, std::move(*program));
}

} // namespace

std::unique_ptr<Backend> createEmulatorBackend() { return std::make_unique<EmulatorBackend>(); }

} // namespace rdna::run
