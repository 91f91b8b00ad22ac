// Anything as the code of a dispatch, with memory of its own in place of the host's.
#include "EmuApi/RawCode.h"
#include "FuzzTarget.h"

#include "llvm/Support/Error.h"

#include <array>
#include <cstring>
#include <vector>

using namespace rdna;

namespace {

/// What precedes the code in an input; sizes are kept small, so that a run takes little time.
struct Header {
  uint32_t rsrc2 = 0;
  uint8_t grid = 0; ///< Two bits per dimension.
  uint8_t blockX = 0;
  uint8_t blockYZ = 0; ///< One bit each.
  uint8_t scratch = 0; ///< In units of 16 bytes.
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Header header;
  if (size < sizeof header)
    return 0;
  std::memcpy(&header, data, sizeof header);
  const auto *code = reinterpret_cast<const std::byte *>(data) + sizeof header;
  // A copy that ends with its allocation, so that a sanitizer sees the first byte read behind it.
  const std::vector<std::byte> exact(code, code + (size - sizeof header));

  static std::array<std::byte, 1 << 16> memory;
  memory.fill(std::byte(0x3c));
  for (size_t at = 0; at < 64; at += 8) { // Every argument points into the memory.
    const uint64_t address = reinterpret_cast<uint64_t>(memory.data()) + 64 * at;
    std::memcpy(memory.data() + at, &address, sizeof address);
  }
  api::RawDispatch d;
  d.code = exact;
  d.grid = {1u + (header.grid & 3), 1u + (header.grid >> 2 & 3), 1u + (header.grid >> 4 & 3)};
  d.block = {1u + header.blockX % 80, 1u + (header.blockYZ & 1), 1u + (header.blockYZ >> 1 & 1)};
  d.kernarg = memory.data();
  d.rsrc2 = header.rsrc2;
  d.scratchBytes = header.scratch * 16u;
  d.instructionBudget = 2000;
  d.threads = 1;
  d.addressing = emu::Addressing::Regions;
  d.regions = {{"memory", memory.data(), memory.size()}};
  llvm::consumeError(api::dispatch(d));
  return 0;
}
