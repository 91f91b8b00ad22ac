//===- LoopText.h - a loop's steps for somebody else's kernel --------------===//
#pragma once

#include "Generate/Specification.h"
#include "Isa/Register.h"

#include <string>
#include <vector>

namespace rdna::generate {

/// Where an element is. Elements of A and B have a step, those of the last row or column of an odd
/// number of them two registers.
struct ElementPlace {
  unsigned step = 0, row = 0, column = 0;
  std::vector<RegUnit> registers;
};

struct LoopMap {
  std::vector<ElementPlace> a, b;           ///< While a step computes.
  std::vector<ElementPlace> before, behind; ///< Of C.
  struct Address {
    std::string what;
    RegRange reg;
  };
  std::vector<Address> addresses; ///< Inputs.
  std::vector<RegUnit> clobbers;  ///< Everything that is written and not in `behind`.
  unsigned instructions = 0, fmacs = 0, pairs = 0, singles = 0, moves = 0, loads = 0;
};

struct LoopText {
  std::string text;
  LoopMap map;
};

llvm::Expected<LoopText> generateLoop(const LoopSpec &spec);

} // namespace rdna::generate
