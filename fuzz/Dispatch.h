//===- Dispatch.h - an input as code and the launch that runs it ----------===//
#pragma once

#include "Emu/Emulator.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace rdna::fuzz {

/// What precedes the code in an input; sizes are kept small, so that a run takes little time.
struct Header {
  uint32_t rsrc2 = 0;
  uint8_t grid = 0; ///< Two bits per dimension.
  uint8_t blockX = 0;
  uint8_t blockYZ = 0; ///< One bit each; who runs the code is in the bits above (RunAsm.cpp).
  uint8_t scratch = 0; ///< In units of 16 bytes.
};

struct Dispatch {
  Header header;
  /// A copy that ends with its allocation, so that a sanitizer sees the first byte read behind it.
  std::vector<std::byte> code;

  /// Empty if the input is too short.
  static std::optional<Dispatch> read(const uint8_t *data, size_t size);
  uint32_t scratchBytes() const { return header.scratch * 16u; }
  std::array<uint32_t, 3> grid() const;
  std::array<uint32_t, 3> block() const;
  /// As run_asm() launches, but on one thread, on freshMemory() and for few instructions.
  emu::Launch launch();
};

constexpr size_t memoryBytes = 1 << 16;

/// Memory that is the same for every input, at the same address; what the last one wrote is gone.
/// It begins with the arguments, pointers into it.
std::byte *freshMemory();

} // namespace rdna::fuzz
