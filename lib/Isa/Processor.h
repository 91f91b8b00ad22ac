//===- Processor.h - the chips of RDNA3 and what differs between them ------===//
//
// They run the same code, bit for bit. What differs is how many waves there is room for, and which
// bugs the compiler worked around; the table is LLVM's subtarget features, which a test compares.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rdna {

enum class Processor : uint8_t { Gfx1100, Gfx1101, Gfx1102, Gfx1103 };

inline constexpr std::array allProcessors = {Processor::Gfx1100, Processor::Gfx1101,
                                             Processor::Gfx1102, Processor::Gfx1103};

struct ProcessorFacts {
  std::string_view name;
  unsigned vgprFile;    ///< VGPRs of a SIMD in wave32: 1536 with allocate1_5xvgprs, else 1024.
  unsigned vgprGranule; ///< They are given out in blocks of 24, or 16.
  /// A wave with fewer than 16 user SGPRs may find wrong values in them; compilers ask for more.
  enum class UserSgprInit16 : uint8_t { Works, Bug } userSgprInit16;
};

const ProcessorFacts &factsOf(Processor processor);
inline std::string_view toString(Processor processor) { return factsOf(processor).name; }

std::optional<Processor> processorByName(std::string_view name); ///< "gfx1101"

/// Why code for `name`, which is none of the above, is not handled, and what would be: "code for
/// gfx1030 (RDNA2); this toolchain handles RDNA3, compile with ...".
std::string whyNotHandled(std::string_view name);

/// The processor of an assembly text by its `.amdgcn_target`, which must be outside of comments;
/// gfx1100 if it has none or another one.
Processor processorOf(std::string_view assembly);

} // namespace rdna
