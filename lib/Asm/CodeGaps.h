//===- CodeGaps.h - is a function's code what its text shows? --------------===//
#pragma once

#include "Asm/Module.h"

#include <optional>
#include <string_view>

namespace rdna {

/// Why the instructions of a function, one behind the other, are not what is executed.
struct Gap {
  uint32_t line;
  std::string_view reason; ///< "is followed by bytes in the code"
};

/// The first such place: bytes that no instruction of the text stands for, code of another section
/// or subsection in between.
std::optional<Gap> findGap(const Module &module, const Function &function);

} // namespace rdna
