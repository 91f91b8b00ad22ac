#include "Support/DisassemblyInput.h"

#include "llvm/Support/Endian.h"

#include <algorithm>
#include <cstring>

namespace rdna {

static bool readsFirstLaneIntoNoSgpr(uint32_t word) {
  constexpr uint32_t vop1 = 0b0111111, readFirstLane = 2, sgprs = 128;
  return word >> 25 == vop1 && (word >> 9 & 0xff) == readFirstLane && (word >> 17 & 0xff) >= sgprs;
}

static bool hasConstantLikeTheLiteralCode(uint32_t word, uint32_t constant) {
  constexpr uint32_t fmamkF16 = 55, fmaakF16 = 56, literalCode = 255;
  const uint32_t opcode = word >> 25; // VOP2: bit 31 is clear
  return (opcode == fmamkF16 || opcode == fmaakF16) && constant == literalCode;
}

DisassemblyInput::DisassemblyInput(std::span<const std::byte> code)
    : available_(std::min(code.size(), padded_.size())) {
  if (available_ != 0)
    std::memcpy(padded_.data(), code.data(), available_);
  const uint32_t word = llvm::support::endian::read32le(padded_.data());
  crashes_ =
      readsFirstLaneIntoNoSgpr(word) ||
      hasConstantLikeTheLiteralCode(word, llvm::support::endian::read32le(padded_.data() + 4));
}

} // namespace rdna
