#include "Emu/Jit/Turn.h"

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <new>
#include <optional>
#include <pthread.h>
#include <thread>
#include <unistd.h>

namespace rdna::emu::jit {

namespace {

struct State {
  std::mutex mutex;
  std::condition_variable changed;
  unsigned waiting = 0; ///< For their turn.
  std::optional<std::thread::id> owner;
  std::atomic<bool> ends = false;
};

/// Never destroyed: threads that are left at the end still use it.
State &state() {
  static auto *shared = new State;
  return *shared;
}

enum class Until {
  Idle, ///< Compilations that wait for their turn are done as well.
  Ever  ///< The one in flight is given up as soon as can be, the others are not made.
};

/// A signal handler may end the process in the middle of this thread's own compilation.
void wait(Until until) {
  State &s = state();
  std::unique_lock lock(s.mutex);
  if (until == Until::Ever)
    s.ends = true;
  s.changed.notify_all();
  s.changed.wait(lock, [&] {
    return s.owner == std::this_thread::get_id() || (!s.owner && (s.ends || s.waiting == 0));
  });
}

/// What is in flight when a process forks stays unfinished in the child, and LLVM locked: the child
/// is left to the interpreter.
void handleForks() {
  pthread_atfork([] { state().mutex.lock(); }, [] { state().mutex.unlock(); },
                 [] {
                   const bool ends = state().ends || state().owner;
                   new (&state()) State;
                   state().ends = ends;
                 });
}

class EndOfThread {
public:
  ~EndOfThread() { wait(getpid() == gettid() ? Until::Ever : Until::Idle); }
};

} // namespace

void waitWhenThisThreadEnds() {
  thread_local EndOfThread end;
  (void)end;
}

Turn::Turn() {
  static std::once_flag once;
  std::call_once(once, handleForks);
  State &s = state();
  std::unique_lock lock(s.mutex);
  ++s.waiting;
  s.changed.wait(lock, [&] { return s.ends || !s.owner; });
  --s.waiting;
  if (!s.ends) {
    s.owner = std::this_thread::get_id();
    mine_ = true;
    // For threads that end the process and never used the emulator. exit() runs what was registered
    // last first, so this comes before the end of what earlier compilations have made.
    std::atexit([] { wait(Until::Ever); });
  }
  s.changed.notify_all();
}

Turn::~Turn() {
  if (!mine_)
    return;
  State &s = state();
  std::lock_guard lock(s.mutex);
  s.owner.reset();
  s.changed.notify_all();
}

bool Turn::isWanted() { return !state().ends; }

llvm::Error noTurn() { return llvm::createStringError("the process ends"); }

} // namespace rdna::emu::jit
