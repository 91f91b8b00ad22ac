//===- Moves.h - parallel copies as few VALU instructions -----------------===//
#pragma once

#include "Code/Inst.h"
#include "Isa/Register.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace rdna {

/// dst = src, or dst = constant. All copies of a set happen at once.
struct Copy {
  Vgpr dst;
  Vgpr src;
  std::optional<uint32_t> constant; ///< If set, `src` is not read.
};

/// The instructions: dual moves where two copies make a legal pair of opposite
/// parity, single moves elsewhere; a cycle that no dual move can turn is broken through `temporary`
/// if there is one, else with v_swap_b32. Copies onto themselves vanish.
std::vector<Inst> sequentialise(std::vector<Copy> copies, std::optional<Vgpr> temporary);

} // namespace rdna
