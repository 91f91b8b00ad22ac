//===- Driver.cpp - runs test kernels for the semantics suite -------------===//
//
// Reads kernels and their inputs from standard input, writes what memory holds afterwards to
// standard output. Everything is little-endian 32-bit words; the protocol is that of driver.py:
//
//   kernel: code bytes, LDS bytes, scratch bytes, memory bytes, rsrc1, number of runs; the code;
//           then for each run the memory. A kernel of 0 code bytes ends the input.
//   answer: for each run a status (0 = ran), the length of a message, the message, the memory.
//
// Memory lies at a fixed address, so that whoever makes the test can compute addresses.
//
//===----------------------------------------------------------------------===//
#include "Emu/Emulator.h"

#include <cstdio>
#include <cstring>
#include <sys/mman.h>

using namespace rdna;

namespace {

constexpr uint64_t memoryAddress = 0x200000000000;
constexpr uint64_t memoryCapacity = 1 << 20;

struct Header {
  uint32_t codeBytes, ldsBytes, scratchBytes, memoryBytes, rsrc1, runs;
};

bool receive(void *p, size_t bytes) { return std::fread(p, 1, bytes, stdin) == bytes; }
void send(const void *p, size_t bytes) { std::fwrite(p, 1, bytes, stdout); }

void answer(uint32_t status, const std::string &message) {
  uint32_t words[2] = {status, uint32_t(message.size())};
  send(words, sizeof words);
  send(message.data(), message.size());
}

emu::KernelImage image(const Header &h, std::vector<std::byte> code) {
  emu::KernelImage k;
  k.name = "test";
  k.codeEnd = code.size();
  k.image = std::move(code);
  k.rsrc1 = h.rsrc1;
  k.codeProperties = 1 << 10; // wave32
  k.ldsBytes = h.ldsBytes;
  k.scratchBytes = h.scratchBytes;
  return k;
}

std::string describe(const emu::OutOfBounds &o) {
  return "access outside memory at " + std::to_string(o.firstAddress) + " by " + o.instruction;
}

void run(const llvm::Expected<std::unique_ptr<emu::Program>> &program, const Header &h,
         std::byte *memory, emu::Engine engine) {
  emu::Launch launch;
  launch.block = {32, 1, 1};
  launch.threads = 1;
  launch.engine = engine;
  launch.instructionBudget = 100000;
  launch.regions.push_back({"memory", memory, h.memoryBytes});
  auto result = (*program)->run(launch);
  if (!result)
    answer(2, llvm::toString(result.takeError()));
  else if (!result->outOfBounds.empty())
    answer(3, describe(result->outOfBounds.front()));
  else
    answer(0, "");
}

} // namespace

int main(int argc, char **argv) {
  emu::Engine engine = emu::Engine::Interpreter;
  if (argc == 2 && std::strcmp(argv[1], "--jit") == 0)
    engine = emu::Engine::Jit;
  void *mapped =
      mmap(reinterpret_cast<void *>(memoryAddress), memoryCapacity, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped != reinterpret_cast<void *>(memoryAddress)) {
    std::fprintf(stderr, "the address of the test memory is taken\n");
    return 3;
  }
  auto *memory = static_cast<std::byte *>(mapped);
  Header h;
  while (receive(&h, sizeof h) && h.codeBytes) {
    std::vector<std::byte> code(h.codeBytes);
    if (h.memoryBytes > memoryCapacity || !receive(code.data(), code.size()))
      return 1;
    auto program = emu::Program::create(image(h, std::move(code)));
    std::string error = program ? "" : llvm::toString(program.takeError());
    for (uint32_t n = 0; n < h.runs; ++n) {
      if (!receive(memory, h.memoryBytes))
        return 1;
      if (error.empty())
        run(program, h, memory, engine);
      else
        answer(1, error);
      send(memory, h.memoryBytes);
    }
    std::fflush(stdout);
  }
  return 0;
}
