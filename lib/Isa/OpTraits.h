//===- OpTraits.h - what an instruction is, as data ------------------------===//
//
// One entry for each row of Ops.def. What only a few instructions are is said by flags in the row;
// what AMD's names say of whole families (comparisons, element types, accesses to memory) is taken
// from the name here, when this is compiled. Nothing outside lib/Isa looks at a name.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Isa/Op.h"

namespace rdna {

/// What the row in Ops.def says by itself.
enum class OpFlag : uint16_t {
  /// Keeps part of its destination, by AMD's pseudo-code (V_PERMLANE64 does nothing in wave32). See
  /// keepsDestination.
  Keeps = 1 << 0,
  Accumulates = 1 << 1, ///< The destination is the addend as well: FMAC, DOT2ACC.
  Relative = 1 << 2,    ///< M0 chooses registers that the text does not name.
  SavesExec = 1 << 3,   ///< The old EXEC goes to the destination, the result to EXEC.
  WritesExec = 1 << 4,  ///< The result goes to the destination and to EXEC.
  Permlane = 1 << 5,
  Matrix = 1 << 6,      ///< WMMA: all lanes work together, whatever EXEC is.
  Sampler = 1 << 7,     ///< Returns in the order of samplers and ray queries (ISA guide 8.2).
  NoMemory = 1 << 8,    ///< Uses the path to memory, but touches none.
  Invalidates = 1 << 9, ///< A cache, without an address.
  QuadLanes = 1 << 10,  ///< See LanesRead.
  RowLanes = 1 << 11,
  AllLanes = 1 << 12,
  KeepsHalf = 1 << 13, ///< A VALU result of 16 bits: see keepsUpperHalf.
};

/// What the elements of operands are: f32, i16, b64, iu8.
struct ElementType {
  enum class Kind : uint8_t {
    None,
    Bits,
    Unsigned,
    Signed,
    Either, ///< Each factor says whether it is signed (IU8, IU4).
    Float,
    Bfloat,
  };
  Kind kind = Kind::None;
  uint16_t bits = 0;
  constexpr bool isFloat() const { return kind == Kind::Float || kind == Kind::Bfloat; }
  constexpr bool operator==(const ElementType &) const = default;
};

/// The relations of comparisons; those with Not are true for unordered operands as well.
enum class Relation : uint8_t {
  None,
  False,
  Less,
  Equal,
  LessEqual,
  Greater,
  Unequal, ///< Of integers; "lg" of scalar ones, "ne" of vectors.
  GreaterEqual,
  LessGreater, ///< Of floats: ordered and unequal.
  Ordered,
  Unordered,
  NotGreaterEqual,
  NotLessGreater,
  NotGreater,
  NotLessEqual,
  NotEqual, ///< Of floats: unordered or unequal.
  NotLess,
  True,
  Class, ///< Of one float, by a mask.
};

/// A comparison; the type of what it compares is OpTraits::source.
struct Comparison {
  enum class Result : uint8_t { None, Scc, Mask, Exec };
  Relation relation = Relation::None;
  Result result = Result::None;
};

/// How the 16 bits of a SOPK become a 32-bit operand.
enum class ShortImmediate : uint8_t { None, Signed, Unsigned };

enum class MemoryKind : uint8_t {
  None,
  Load,
  LoadToLds,
  Store,
  Atomic,
  Sample,     ///< Samplers, ray queries and what else computes before it returns.
  Invalidate, ///< No address.
  Other,      ///< Global wave sync, ordered counts, probes.
};

enum class AddressForm : uint8_t {
  None,
  Plain,
  Pair,         ///< Two offsets, in units of what is moved.
  PairStride64, ///< Two offsets, in 64 times that.
  AddThreadId,
  Resource, ///< A buffer resource checks it.
};

/// Which half of the register a 16-bit access uses; loads keep the other one.
enum class D16 : uint8_t { None, Low, High };

struct MemoryTraits {
  MemoryKind kind = MemoryKind::None;
  AddressForm address = AddressForm::None;
  D16 d16 = D16::None;
  bool isFormatted = false; ///< The format says how many bytes there are.
  uint8_t bytes = 0;        ///< Of a lane at each address; 0 if the name does not say it.
};

/// Of which lanes an instruction reads what a VGPR holds, DPP aside.
enum class LanesRead : uint8_t { Own, Quad, Row, All };

struct OpTraits {
  uint16_t flags = 0;
  ElementType result; ///< The first type in the name.
  ElementType source; ///< The last one.
  Comparison comparison;
  ShortImmediate shortImmediate = ShortImmediate::None;
  MemoryTraits memory;
  LanesRead lanes = LanesRead::Own;

  constexpr bool is(OpFlag flag) const { return (flags & static_cast<uint16_t>(flag)) != 0; }
};

extern const OpTraits kOpTraits[];
inline const OpTraits &opTraits(Op op) { return kOpTraits[static_cast<uint16_t>(op)]; }

/// S_CMP and S_CMPK: does nothing but to set SCC.
inline bool isScalarCompare(Op op) {
  return opTraits(op).comparison.result == Comparison::Result::Scc;
}
/// V_CMPX: writes EXEC, and only switches lanes off.
inline bool isCompareToExec(Op op) {
  return opTraits(op).comparison.result == Comparison::Result::Exec;
}
/// V_CMP and V_CMPX.
inline bool isVectorCompare(Op op) {
  return isCompareToExec(op) || opTraits(op).comparison.result == Comparison::Result::Mask;
}
/// Does it keep some bits of its destination, in every form that it has?
inline bool keepsDestination(Op op) {
  const OpTraits &traits = opTraits(op);
  return traits.is(OpFlag::Keeps) || traits.is(OpFlag::KeepsHalf) ||
         (traits.memory.d16 != D16::None && traits.memory.kind == MemoryKind::Load);
}
/// Are its results or its sources floating-point numbers?
inline bool usesFloats(Op op) {
  return opTraits(op).result.isFloat() || opTraits(op).source.isFloat();
}

} // namespace rdna
