//===- OpTiming.h - how instructions issue --------------------------------===//
//
// A class for each row of Ops.def. What the element types say (64-bit arithmetic, transcendentals)
// follows from OpTraits; the rest has a row in OpTiming.def. How many clocks a class takes is a
// constant of the machine model, not of the instruction set.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Isa/Op.h"

namespace rdna {

enum class VectorRate : uint8_t {
  Full,
  Half,
  Quarter,
  Transcendental, ///< A unit of its own: other vector instructions may follow at once.
  Double,         ///< 64-bit floating point, on a few lanes at a time.
  Matrix,         ///< WMMA.
};

/// Of a vector instruction; Full for everything else.
VectorRate vectorRate(Op op);

enum class ScalarKind : uint8_t {
  Plain,
  Multiply,    ///< Its result is a clock later.
  ReadsState,  ///< Of the wave's hardware registers: waits for the scalar instructions in front.
  WritesState, ///< The same, and what follows waits for it.
};

/// Of a scalar instruction; Plain for everything else.
ScalarKind scalarKind(Op op);

} // namespace rdna
