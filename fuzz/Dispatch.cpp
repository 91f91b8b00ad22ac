#include "Dispatch.h"

#include <cstring>

namespace rdna::fuzz {

std::optional<Dispatch> Dispatch::read(const uint8_t *data, size_t size) {
  Dispatch d;
  if (size < sizeof d.header)
    return std::nullopt;
  std::memcpy(&d.header, data, sizeof d.header);
  const auto *bytes = reinterpret_cast<const std::byte *>(data);
  d.code.assign(bytes + sizeof d.header, bytes + size);
  return d;
}

std::array<uint32_t, 3> Dispatch::grid() const {
  return {1u + (header.grid & 3), 1u + (header.grid >> 2 & 3), 1u + (header.grid >> 4 & 3)};
}

std::array<uint32_t, 3> Dispatch::block() const {
  return {1u + header.blockX % 80, 1u + (header.blockYZ & 1), 1u + (header.blockYZ >> 1 & 1)};
}

emu::Launch Dispatch::launch() {
  std::byte *memory = freshMemory();
  emu::Launch launch;
  launch.grid = grid();
  launch.block = block();
  launch.kernarg = {memory, size_t(0)};
  launch.regions = {{"memory", memory, memoryBytes}};
  launch.placedImage = code.data();
  launch.threads = 1;
  launch.instructionBudget = 2000;
  return launch;
}

std::byte *freshMemory() {
  static std::array<std::byte, memoryBytes> memory;
  memory.fill(std::byte(0x3c));
  for (size_t at = 0; at < 64; at += 8) {
    const uint64_t address = reinterpret_cast<uint64_t>(memory.data()) + 64 * at;
    std::memcpy(memory.data() + at, &address, sizeof address);
  }
  return memory.data();
}

} // namespace rdna::fuzz
