#include "Support/DisassemblyInput.h"

#include "llvm/Support/Endian.h"

#include <algorithm>
#include <cstring>

namespace rdna {

static bool readsFirstLaneIntoNoSgpr(uint32_t word) {
  constexpr uint32_t vop1 = 0b0111111, readFirstLane = 2, sgprs = 128;
  return word >> 25 == vop1 && (word >> 9 & 0xff) == readFirstLane && (word >> 17 & 0xff) >= sgprs;
}

DisassemblyInput::DisassemblyInput(std::span<const std::byte> code)
    : available_(std::min(code.size(), padded_.size())) {
  if (available_ != 0)
    std::memcpy(padded_.data(), code.data(), available_);
  crashes_ = readsFirstLaneIntoNoSgpr(llvm::support::endian::read32le(padded_.data()));
}

} // namespace rdna
