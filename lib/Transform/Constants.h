//===- Constants.h - VGPRs with a known value at block borders ------------===//
#pragma once

#include "Transform/RegionModel.h"

#include <array>
#include <optional>
#include <vector>

namespace rdna {

using KnownVgprs = std::array<std::optional<uint32_t>, 256>;

struct ConstantFacts {
  std::vector<KnownVgprs> in;  ///< By block, at its start.
  std::vector<KnownVgprs> out; ///< At its end.
};

/// Forward analysis of v_mov_b32 with a constant and of copies of such registers, in the old text.
ConstantFacts findConstants(const FunctionContext &context);

} // namespace rdna
