// Anything as the code of a dispatch, interpreted and compiled: both must give the same bits. A
// target of its own, because compiling takes a hundred times as long as a run does.
#include "Dispatch.h"
#include "EmuApi/RawCode.h"
#include "FuzzTarget.h"

#include "llvm/Support/Error.h"

#include <cstdio>
#include <cstdlib>

using namespace rdna;
using fuzz::Dispatch;

namespace {

struct Outcome {
  std::optional<emu::EmulationError::Reason> failure;
  uint64_t failureAt = 0;
  uint64_t instructions = 0;
  std::vector<std::byte> memory;
  std::vector<emu::OutOfBounds> outOfBounds;
};

/// Empty if the launch is refused before it starts.
std::optional<Outcome> run(const emu::Program &program, Dispatch d, emu::Engine engine) {
  emu::Launch launch = d.launch();
  launch.engine = engine;
  // Full waves, one per workgroup: only those run compiled code, and only of one wave it is certain
  // in which order it does things.
  launch.block = {32, 1, 1};
  // Not the dispatch's own copy: the code's address is visible to the kernel.
  static std::vector<std::byte> placed;
  placed.reserve(1 << 16);
  placed.assign(d.code.begin(), d.code.end());
  launch.placedImage = placed.data();
  Outcome outcome;
  auto result = program.run(launch);
  if (result) {
    outcome.instructions = result->instructions;
    outcome.outOfBounds = std::move(result->outOfBounds);
  } else if (llvm::Error rest =
                 llvm::handleErrors(result.takeError(), [&](const emu::EmulationError &e) {
                   outcome.failure = e.reason();
                   outcome.failureAt = e.codeOffset();
                 })) {
    llvm::consumeError(std::move(rest));
    return std::nullopt;
  }
  const std::byte *memory = launch.regions[0].data;
  outcome.memory.assign(memory, memory + fuzz::memoryBytes);
  return outcome;
}

const char *difference(const Outcome &a, const Outcome &b) {
  using Reason = emu::EmulationError::Reason;
  // Compiled code looks at the budget less often.
  if (a.failure == Reason::Budget || b.failure == Reason::Budget)
    return nullptr;
  if (a.failure != b.failure || a.failureAt != b.failureAt)
    return "failures";
  if (a.memory != b.memory)
    return "memory";
  if (a.instructions != b.instructions)
    return "number of instructions";
  const bool sameBounds =
      std::equal(a.outOfBounds.begin(), a.outOfBounds.end(), b.outOfBounds.begin(),
                 b.outOfBounds.end(), [](const emu::OutOfBounds &x, const emu::OutOfBounds &y) {
                   return x.kind == y.kind && x.codeOffset == y.codeOffset && x.lanes == y.lanes &&
                          x.firstAddress == y.firstAddress && x.lastAddress == y.lastAddress;
                 });
  return sameBounds ? nullptr : "accesses out of bounds";
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto d = Dispatch::read(data, size);
  if (!d || d->code.size() < 4 || d->code.size() > 1 << 16)
    return 0;
  // No scratch: its address differs from run to run, and kernels can read it (S_GETREG).
  auto program = emu::Program::create(api::rawImage(d->code, d->header.rsrc2, 0));
  if (!program) {
    llvm::consumeError(program.takeError());
    return 0;
  }
  const auto interpreted = run(**program, *d, emu::Engine::Interpreter);
  const auto compiled = run(**program, *d, emu::Engine::Jit);
  if (!interpreted || !compiled)
    return 0;
  if (const char *what = difference(*interpreted, *compiled)) {
    std::fprintf(stderr, "interpreter and compiled code disagree: %s\n", what);
    std::abort();
  }
  return 0;
}
