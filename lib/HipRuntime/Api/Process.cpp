//===- Process.cpp - the runtime of this process, its begin and its end ---===//
#include "Emu/Jit/Turn.h"
#include "HipRuntime/Api/Call.h"
#include "HipRuntime/HostCallers.h"

#include "Support/File.h"

#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <string>
#include <unistd.h>

namespace rdna::hip {

namespace {

Runtime *made = nullptr;

void printToStandardError(const std::string &text) {
  std::fflush(stdout); // So that what kernels printed before stands before.
  std::fwrite(text.data(), 1, text.size(), stderr);
}

Runtime *makeRuntime() {
  auto settings = readSettings([](const char *name) { return std::getenv(name); });
  if (!settings) {
    printToStandardError("rdna-run: error: " + llvm::toString(settings.takeError()) + "\n");
    _exit(1);
  }
  auto *shared = new Runtime(std::move(*settings));
  shared->report.print = printToStandardError;
  // A child of fork() must find the lock free, or its first call waits forever. It cannot unlock:
  // the lock belongs to a thread of another number.
  pthread_atfork([] { apiLock().lock(); }, [] { apiLock().unlock(); },
                 [] { new (&apiLock()) std::recursive_mutex; });
  return shared;
}

void addLeaks(Runtime &shared) {
  for (const auto &[address, allocation] : shared.memory.allocations()) {
    if (allocation.kind == Allocation::Kind::Code || allocation.function.starts_with("__hip"))
      continue;
    KernelFinding finding;
    finding.rule = "leak";
    finding.message = allocation.name() + " was never freed";
    finding.callers = describeStack(allocation.stack);
    if (!finding.callers.empty())
      finding.message += ", made by " + finding.callers.front();
    shared.report.add(std::move(finding));
  }
}

bool ends = false; ///< Guarded by the API's lock.

bool isMainThread() { return getpid() == gettid(); }

/// Destroyed before anything that other threads' calls need, as C++ has it. A call that is under
/// way is waited for.
class EndOfMain {
public:
  ~EndOfMain() {
    const std::lock_guard lock(apiLock());
    ends = isMainThread();
  }
};

/// The main thread ends the process, also where others launch the kernels.
[[gnu::constructor]] void begin() {
  emu::jit::waitWhenThisThreadEnds();
  thread_local EndOfMain end;
  (void)end;
}

/// Behind all destructors and atexit functions of the program.
[[gnu::destructor]] void finish() {
  // A thread that is left may be in a kernel: without its lock there is nothing to say.
  std::unique_lock lock(apiLock(), std::try_to_lock);
  if (!lock || !made)
    return;
  const Settings &settings = made->settings;
  if (settings.leaks)
    addLeaks(*made);
  if ((settings.check || made->report.comparedLaunches) && !settings.quiet)
    printToStandardError(made->report.summary());
  if (!settings.quiet)
    printToStandardError(made->aboutTimes());
  if (!settings.reportFile.empty())
    if (llvm::Error error = writeOutput(settings.reportFile, made->report.json()))
      printToStandardError("rdna-run: error: " + llvm::toString(std::move(error)) + "\n");
}

} // namespace

std::recursive_mutex &apiLock() {
  static auto *lock = new std::recursive_mutex;
  return *lock;
}

Runtime &runtime() {
  if (!made)
    made = makeRuntime();
  return *made;
}

bool isClosed() { return ends && !isMainThread(); }

int32_t &lastError() {
  thread_local int32_t error = 0;
  return error;
}

int32_t missing(const char *function) {
  return call([&](Runtime &r) {
    r.report.missing(function);
    return Error::NotSupported;
  });
}

} // namespace rdna::hip
