// Anything as the code of a dispatch, interpreted and compiled: both must give the same bits. A
// target of its own, because compiling takes a hundred times as long as a run does.
#include "Dispatch.h"
#include "EmuApi/RawCode.h"
#include "FuzzTarget.h"

#include "llvm/Support/Error.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

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

constexpr uint32_t endProgram = 0xbfb00000;

/// The input between code that keeps the kernarg pointer and code that shows registers: without it
/// a wrong result is seen only if the input happens to store it. Words as llvm-mc encodes them.
std::vector<std::byte> observed(std::span<const std::byte> code) {
  std::vector<uint32_t> words = {0xbee20100}; // s_mov_b64 s[98:99], s[0:1]
  words.resize(1 + code.size() / 4);
  std::memcpy(words.data() + 1, code.data(), code.size() / 4 * 4);
  if (words.back() == endProgram)
    words.pop_back();
  words.insert(words.end(), {0xbefe00c1,             // s_mov_b32 exec_lo, -1
                             0xd71f00ff, 0x000100c1, // v_mbcnt_lo_u32_b32 v255, -1, 0
                             0x31fffe82});           // v_lshlrev_b32 v255, 2, v255
  uint32_t offset = 0;
  const auto store = [&](uint32_t vgpr) { // global_store_b32 v255, vgpr, s[98:99] offset:...
    words.insert(words.end(), {0xdc6a0000 | offset, 0x006200ff | vgpr << 8});
    offset += 128;
  };
  for (uint32_t vgpr = 0; vgpr < 20; ++vgpr)
    store(vgpr);
  for (uint32_t sgpr : {2, 3, 4, 5, 6, 7, 106, 125}) { // 106 is VCC_LO, 125 is M0.
    words.push_back(0x7ffc0200 | sgpr);                // v_mov_b32 v254, sgpr
    store(254);
  }
  words.push_back(endProgram);
  const auto bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

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
  if (!d || d->code.size() < 4 || d->code.size() > 1 << 12)
    return 0;
  d->code = observed(d->code);
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
