#include "HipRuntime/Launch.h"

#include "HipRuntime/Compare.h"
#include "HipRuntime/GridSync.h"
#include "HipRuntime/HostCallers.h"
#include "HipRuntime/Hostcall.h"
#include "HipRuntime/PredictedTime.h"

#include "Support/Diagnostic.h"

#include "llvm/Demangle/Demangle.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>

namespace rdna::hip {

namespace {

bool wants(const object::Kernel &kernel, std::string_view hiddenArgument) {
  return std::any_of(kernel.arguments.begin(), kernel.arguments.end(),
                     [&](const auto &argument) { return argument.valueKind == hiddenArgument; });
}

/// Whose launch it is: the program's, or one beside it whose results are all that is wanted.
enum class Role { Program, Original };

class Launcher {
public:
  Launcher(Runtime &runtime, const LaunchRequest &request, Role role = Role::Program)
      : runtime_(runtime), request_(request), module_(request.kernel->module()), role_(role),
        name_(llvm::demangle(request.kernel->kernel().name)) {}
  Error run();
  /// Runs it and its original.
  Error runBoth(ModuleKernel &original);

private:
  bool isWatched();
  bool mayWaitForGrid() const;
  /// Who looks at the launch? What nobody reports takes no names: with thousands of allocations
  /// they take longer than a small kernel.
  enum class Watch : uint8_t { No, Yes };
  emu::Launch prepare(Watch watch);
  std::unique_ptr<Hostcall> makeHostcall();
  KernelFinding at(uint64_t codeOffset, std::string instruction);
  std::array<uint32_t, 3> threadOf(unsigned wave, unsigned lane) const;
  void addAccess(const emu::OutOfBounds &access);
  void addFinding(const emu::Finding &finding);
  std::optional<std::chrono::nanoseconds> predictedTime(const emu::Program &program,
                                                        const emu::Launch &launch);
  void addStop(llvm::Error error, const Hostcall *hostcall);

  Runtime &runtime_;
  const LaunchRequest &request_;
  CodeModule &module_;
  Role role_;
  std::string name_;
  std::vector<std::string> callers_;
};

/// What the settings choose of all launches.
bool Launcher::isWatched() {
  const Settings &settings = runtime_.settings;
  if (role_ == Role::Original || settings.checks.empty())
    return false;
  if (settings.kernels && !std::regex_search(name_, *settings.kernels))
    return false;
  if (mayWaitForGrid()) {
    if (runtime_.uncheckedKernels.insert(name_).second)
      runtime_.report.warn(fmt::format(
          "kernel {} is not checked: in a cooperative launch blocks may wait for each other, and "
          "checks see one block at a time",
          name_));
    return false;
  }
  const uint64_t number = runtime_.watched++;
  return number >= settings.launchSkip && number - settings.launchSkip < settings.launchCount;
}

/// By grid.sync(), or in a way of its own.
bool Launcher::mayWaitForGrid() const {
  return request_.cooperation == LaunchRequest::Cooperation::Grid;
}

std::unique_ptr<Hostcall> Launcher::makeHostcall() {
  if (!wants(request_.kernel->kernel(), "hidden_hostcall_buffer"))
    return nullptr;
  constexpr unsigned packets = 1024; // More waves than there are host threads never push at once.
  return std::make_unique<Hostcall>(
      runtime_.memory, packets, [this](Hostcall::Target target, const std::string &text) {
        if (role_ == Role::Original)
          return;
        std::FILE *file = target == Hostcall::Target::Error ? stderr : stdout;
        std::fwrite(text.data(), 1, text.size(), file);
      });
}

emu::Launch Launcher::prepare(Watch watch) {
  emu::Launch launch;
  launch.regions.reserve(runtime_.memory.allocations().size());
  launch.grid = {request_.grid.x, request_.grid.y, request_.grid.z};
  launch.block = {request_.block.x, request_.block.y, request_.block.z};
  launch.dynamicLdsBytes = uint32_t(request_.dynamicLds);
  launch.placedImage = module_.image();
  launch.threads = runtime_.settings.threads;
  launch.engine = runtime_.settings.engine;
  launch.instructionBudget = runtime_.settings.budget;
  for (const auto &[address, allocation] : runtime_.memory.allocations()) {
    auto *data = reinterpret_cast<std::byte *>(address);
    if (data == module_.image()) // The emulator adds it itself.
      continue;
    launch.regions.push_back({watch == Watch::Yes ? allocation.name() : std::string(), data,
                              allocation.bytes, emu::MemoryRegion::Access::ReadWrite,
                              allocation.contents == Allocation::Contents::Undefined
                                  ? emu::MemoryRegion::Contents::Undefined
                                  : emu::MemoryRegion::Contents::Defined});
  }
  return launch;
}

KernelFinding Launcher::at(uint64_t codeOffset, std::string instruction) {
  if (callers_.empty())
    callers_ = describeStack(hostStack());
  KernelFinding finding;
  finding.kernel = name_;
  finding.source = module_.places().at(codeOffset);
  finding.instruction = std::move(instruction);
  finding.launch = runtime_.report.launches;
  finding.callers = callers_;
  return finding;
}

std::array<uint32_t, 3> Launcher::threadOf(unsigned wave, unsigned lane) const {
  const unsigned item = wave * 32 + lane;
  const Dim3 &block = request_.block;
  return {item % block.x, item / block.x % block.y, item / block.x / block.y};
}

void Launcher::addAccess(const emu::OutOfBounds &access) {
  using Kind = emu::OutOfBounds::Kind;
  KernelFinding finding = at(access.codeOffset, access.instruction);
  const char *what = access.kind == Kind::Read    ? "read"
                     : access.kind == Kind::Write ? "write"
                                                  : "atomic";
  if (access.nearest.starts_with("LDS") || access.nearest.starts_with("scratch")) {
    // Hardware reads 0 there or drops the store: wrong, but no fault.
    finding.rule = access.nearest.starts_with("LDS") ? "lds-bounds" : "scratch-bounds";
    finding.message = fmt::format("{} of {}", what, access.nearest);
  } else {
    finding.rule = "illegal-address";
    finding.message = fmt::format("{} of address {:#x}: {}", what, access.firstAddress,
                                  runtime_.memory.describe(access.firstAddress));
    runtime_.fault = Error::IllegalAddress;
  }
  finding.block = access.workgroup;
  finding.thread = threadOf(access.wave, access.lane);
  finding.count = access.lanes;
  runtime_.report.add(std::move(finding));
}

void Launcher::addFinding(const emu::Finding &found) {
  // What the run itself reports, with the allocation's name and history.
  if (found.check == emu::Check::Bounds)
    return;
  // Waves share the hostcall buffer without barriers, as its protocol has it.
  if (found.address)
    if (const Allocation *memory = runtime_.memory.find(*found.address);
        memory && memory->function == hostcallName)
      return;
  KernelFinding finding = at(found.codeOffset, found.instruction);
  finding.rule = found.rule;
  finding.message = found.message;
  if (!found.place.empty() && found.message.find(found.place) == std::string::npos)
    finding.message += fmt::format(" ({})", found.place);
  finding.block = found.workgroup;
  if (found.lane)
    finding.thread = threadOf(found.wave, *found.lane);
  if (found.other) {
    const std::string source = module_.places().at(found.other->codeOffset);
    finding.other =
        fmt::format("{}{}{}", found.other->instruction, source.empty() ? "" : " at ", source);
    if (found.other->wave && found.other->lane) {
      const auto thread = threadOf(*found.other->wave, *found.other->lane);
      finding.other += fmt::format(", thread ({}, {}, {})", thread[0], thread[1], thread[2]);
    }
  }
  finding.count = found.count;
  runtime_.report.add(std::move(finding));
}

/// A run that did not come to its end: a trap, or what the emulator cannot do.
void Launcher::addStop(llvm::Error error, const Hostcall *hostcall) {
  Error fault = Error::LaunchFailure;
  llvm::handleAllErrors(
      std::move(error),
      [&](const emu::EmulationError &stop) {
        KernelFinding finding = at(stop.codeOffset(), stop.instruction());
        const bool asserted = hostcall && hostcall->sawAssertion();
        const bool trap = stop.reason() == emu::EmulationError::Reason::Trap;
        finding.rule = trap ? (asserted ? "assert" : "trap") : "stopped";
        finding.message = stop.diagnostics().empty() ? "" : stop.diagnostics().front().message;
        if (hostcall && !hostcall->refused().empty())
          finding.message +=
              fmt::format("; it asked for {}, which is not offered", hostcall->refused());
        if (asserted)
          fault = Error::Assert;
        if (stop.reason() == emu::EmulationError::Reason::Budget)
          fault = Error::LaunchTimeOut;
        runtime_.report.add(std::move(finding));
      },
      [&](const llvm::ErrorInfoBase &other) {
        KernelFinding finding = at(0, "");
        finding.rule = "stopped";
        finding.source.clear();
        finding.message = other.message();
        runtime_.report.add(std::move(finding));
      });
  runtime_.fault = fault;
}

/// Nothing if no prediction is wanted, or the model has none.
std::optional<std::chrono::nanoseconds> Launcher::predictedTime(const emu::Program &program,
                                                                const emu::Launch &launch) {
  if (runtime_.settings.times != Times::Predicted || role_ == Role::Original)
    return std::nullopt;
  const auto refuse = [](std::string_view why) -> llvm::Expected<std::chrono::nanoseconds> {
    return makeError(Failure::Refused, "", why);
  };
  auto time = wants(request_.kernel->kernel(), "hidden_hostcall_buffer")
                  ? refuse("it may wait for the host")
              : mayWaitForGrid() ? refuse("its blocks may wait for each other")
                                 : predictTime(runtime_, *request_.kernel, program, launch);
  if (time)
    return *time;
  std::string why;
  llvm::handleAllErrors(
      time.takeError(),
      [&](const InputError &refusal) { why = refusal.diagnostics().front().message; },
      [&](const llvm::ErrorInfoBase &other) { why = other.message(); });
  if (runtime_.predicted.refusedKernels.insert(name_).second)
    runtime_.report.warn(fmt::format("no predicted time for kernel {}: {}", name_, why));
  return std::nullopt;
}

Error Launcher::run() {
  auto program = request_.kernel->program();
  if (!program) {
    runtime_.report.warn(llvm::toString(program.takeError()));
    return Error::InvalidKernelFile;
  }
  const std::unique_ptr<Hostcall> hostcall = makeHostcall();
  std::optional<GridSync> gridSync;
  if (mayWaitForGrid() && wants(request_.kernel->kernel(), "hidden_multigrid_sync_arg")) {
    gridSync.emplace(runtime_.memory, request_.grid, request_.block);
    if (!gridSync->address())
      return Error::OutOfMemory;
  }
  const Segment segment = packArguments(
      request_, {hostcall ? hostcall->address() : 0, gridSync ? gridSync->address() : 0});
  if (segment.error != Error::Success)
    return segment.error;
  const Watch watch = isWatched() ? Watch::Yes : Watch::No;
  emu::Launch launch = prepare(watch);
  launch.kernarg = segment.bytes;
  if (role_ == Role::Program)
    ++runtime_.report.launches;
  std::unique_ptr<emu::Checker> checker;
  if (watch == Watch::Yes) {
    ++runtime_.report.watchedLaunches;
    checker = emu::createChecker(runtime_.settings.checks.forKernel((*program)->image()));
    launch.observers.push_back(checker.get());
  } else if (mayWaitForGrid()) {
    launch.residency = emu::Residency::Together;
  }
  const auto predicted = predictedTime(**program, launch); // Of memory as the launch finds it.
  if (hostcall)
    hostcall->start();
  const auto begin = std::chrono::steady_clock::now();
  auto result = (*program)->run(launch);
  const auto taken = std::chrono::steady_clock::now() - begin;
  if (hostcall)
    hostcall->stop();
  if (role_ == Role::Original) { // What is wrong with it is not the program's business.
    const bool ended = bool(result);
    llvm::consumeError(result.takeError());
    return ended ? Error::Success : Error::LaunchFailure;
  }
  ++(predicted ? runtime_.predicted.launches : runtime_.predicted.refused);
  runtime_.predicted.sum += predicted.value_or(taken);
  // Whatever the kernel can reach may have been written.
  for (auto &[address, allocation] : runtime_.memory.allocations())
    allocation.contents = Allocation::Contents::Defined;
  if (checker)
    for (const emu::Finding &finding : checker->takeFindings())
      addFinding(finding);
  if (!result) {
    addStop(result.takeError(), hostcall.get());
    return Error::Success;
  }
  runtime_.report.instructions += result->instructions;
  for (const emu::OutOfBounds &access : result->outOfBounds)
    addAccess(access);
  return Error::Success;
}

Error Launcher::runBoth(ModuleKernel &original) {
  const CodeModule &first = original.module();
  const MemoryCopy before(runtime_.memory);
  const VariablesCopy variables(module_);
  variables.copyTo(first);
  LaunchRequest request = request_;
  request.kernel = &original;
  const Error ended = Launcher(runtime_, request, Role::Original).run();
  if (ended != Error::Success) { // Then there is nothing to compare with.
    before.restore();
    return run();
  }
  const MemoryCopy wanted(runtime_.memory);
  const VariablesCopy wantedVariables(first);
  before.restore();
  if (const Error error = run(); error != Error::Success || runtime_.fault == Error::LaunchFailure)
    return error;
  ++runtime_.report.comparedLaunches;
  auto difference = wanted.compare(runtime_.memory);
  if (!difference)
    difference = wantedVariables.compare(module_);
  if (difference) {
    KernelFinding finding = at(0, "");
    finding.source.clear();
    finding.rule = "rewrite-differs";
    finding.message = difference->text;
    finding.count = difference->dwords;
    runtime_.report.add(std::move(finding));
  }
  return Error::Success;
}

} // namespace

Error launch(Runtime &runtime, const LaunchRequest &request) {
  if (const Error error = validate(request); error != Error::Success)
    return error;
  Launcher launcher(runtime, request);
  ModuleKernel *original = originalOf(*request.kernel);
  return original ? launcher.runBoth(*original) : launcher.run();
}

} // namespace rdna::hip
