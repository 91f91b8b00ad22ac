//===- Inst.h - one decoded instruction and the table of handlers ---------===//
#pragma once

#include "Emu/Wave.h"
#include "Isa/Op.h"

#include <cstdint>
#include <span>
#include <string_view>

#define RDNA_INLINE [[gnu::always_inline]] inline

namespace rdna::emu {

struct Opcode;

using Handler = void (*)(Wave &, const Inst &);

/// How a handler interprets an operand: decides modifiers, constants and halves.
enum class LaneType : uint8_t {
  None,
  U16,
  I16,
  F16,
  U32,
  I32,
  F32,
  U64,
  I64,
  F64,
  PackedF16, ///< Two halves in a dword; op_sel and neg work per half.
  PackedI16,
  BF16,
  PackedBF16,
  Mixed, ///< V_FMA_MIX*: op_sel_hi chooses f16 or f32 per source.
  U128,
};

constexpr bool isHalf(LaneType t) {
  return t == LaneType::U16 || t == LaneType::I16 || t == LaneType::F16 || t == LaneType::BF16;
}
constexpr bool isWide(LaneType t) {
  return t == LaneType::U64 || t == LaneType::I64 || t == LaneType::F64;
}

/// What the operand fields of an instruction mean to its handler.
enum class Shape : uint8_t {
  Valu,       ///< Typed sources, typed destination.
  ValuAcc,    ///< The last source is the destination register (FMAC, DOT2ACC).
  ValuMulK,   ///< FMAMK: D = S0 * K + S1.
  ValuAddK,   ///< FMAAK: D = S0 * S1 + K.
  ValuCmp,    ///< Mask to VCC or an SGPR.
  ValuCmpx,   ///< Mask to EXEC.
  Packed,     ///< VOP3P.
  Matrix,     ///< WMMA: lanes of all operands work together, EXEC does not matter.
  PackedAcc,  ///< V_PK_FMAC_F16.
  LaneScalar, ///< V_READLANE and V_READFIRSTLANE: the destination is an SGPR.
  Raw,        ///< The handler reads the register numbers itself.
  Salu,
  Smem,
  Ds,
  Flat,
  Buffer,
  Sopp,
};

/// One row of the handler table, keyed by AMD's mnemonic.
struct OpInfo {
  std::string_view name;
  Handler run = nullptr;
  Shape shape = Shape::Raw;
  LaneType dst = LaneType::None;
  LaneType src[3] = {};
  bool readsMask = false;
  bool writesMask = false;
  uint8_t care = 0; ///< FloatCare bits of its types; 0: MODE does not matter.
  /// Which FP_ROUND field of MODE rounds the result. Nearest: approximations, whose error is not
  /// one of rounding.
  enum Rounds : uint8_t { Single, DoubleAndHalf, Nearest } rounds = Single;
  /// Whether memory after the kernel depends on the order in which workgroups execute this.
  enum Order : uint8_t { AnyOrder, GroupOrder } order = AnyOrder;
  bool isAtomic = false;
  Op op = Op::unknown; ///< By its name, in the rows that findOp gives.
};

/// The rows of one encoding group; one function per handler file.
std::span<const OpInfo> vop1Table();
std::span<const OpInfo> vop2Table();
std::span<const OpInfo> vop3Table();
std::span<const OpInfo> vop3IntTable();
std::span<const OpInfo> vopcTable();
std::span<const OpInfo> vop3pTable();
std::span<const OpInfo> wmmaTable();
std::span<const OpInfo> crossLaneTable();
std::span<const OpInfo> salu32Table();
std::span<const OpInfo> controlTable();
std::span<const OpInfo> smemTable();
std::span<const OpInfo> dsTable();
std::span<const OpInfo> dsAtomicTable();
std::span<const OpInfo> dataShareTable();
std::span<const OpInfo> flatTable();
std::span<const OpInfo> bufferTable();
std::span<const OpInfo> typedBufferTable();
std::span<const OpInfo> globalAtomicTable();

/// Finds the row of AMD's name in lower case; null if the emulator has no semantics for it.
const OpInfo *findOp(std::string_view mnemonic);

enum class SourceKind : uint8_t { None, Vgpr, Scalar, Constant };

enum SourceModifier : uint8_t {
  modNeg = 1,
  modAbs = 2,
  modHigh = 4,     ///< 16-bit operand in the high half; op_sel of packed operands.
  modHighHigh = 8, ///< op_sel_hi of packed operands: which half feeds the high result.
  modNegHigh = 16,
  modSigned = 32, ///< NEG of an integer dot product: the operand is signed.
};

struct Source {
  SourceKind kind = SourceKind::None;
  uint8_t modifiers = 0;
  uint16_t index = 0;    ///< VGPR number, or scalar register number.
  uint32_t row = 0;      ///< Offset of the lanes a fast handler reads.
  uint64_t constant = 0; ///< In the operand's own width.
};

enum BufferFlag : uint8_t { bufferOffen = 1, bufferIdxen = 2, bufferTfe = 4 };

enum class DppKind : uint8_t { None, Dpp16, Dpp8, Dpp8FetchInactive };

struct Inst {
  Handler run = nullptr;
  const OpInfo *op = nullptr;
  const Opcode *opcode = nullptr; ///< Null where the bytes are no instruction.
  Source src[3];
  uint32_t dstRow = 0;
  uint16_t dst = 0;     ///< VGPR or scalar register number of the result.
  uint16_t maskDst = 0; ///< Scalar register of a compare's or carry's mask.
  uint16_t maskSrc = 0; ///< Scalar register of a mask operand.
  uint8_t sourceCount = 0;
  uint8_t scalars = 0; ///< Sources that are broadcast before a fast handler runs.
  bool simple = true;  ///< No modifier, no DPP: the fast path will do.
  bool clamp = false;
  bool dstHigh = false; ///< A 16-bit result goes to the high half.
  uint8_t omod = 0;
  uint8_t count = 1; ///< 0 for the further micro-operations of one instruction.
  DppKind dppKind = DppKind::None;
  uint32_t dpp = 0; ///< The DPP dword.

  // Memory, branches, immediates.
  int32_t imm = 0; ///< SIMM16, memory offset, or DS offset1:offset0.
  uint32_t literal = 0;
  uint16_t addr = 0; ///< VGPR of the address.
  uint16_t data = 0; ///< VGPR of the (first) data.
  uint16_t data2 = 0;
  uint16_t base = 0; ///< Scalar register of SADDR, SBASE, SOFFSET.
  bool hasAddr = false;
  bool hasBase = false;
  bool returns = false;         ///< GLC: an atomic returns the old value.
  uint8_t segment = 0;          ///< 0 flat, 1 scratch, 2 global.
  uint8_t bufferFlags = 0;      ///< BufferFlag bits.
  uint8_t format = 0;           ///< Of a typed buffer instruction (BufferFormat.h).
  uint16_t resource = 0;        ///< First scalar register of a buffer resource.
  uint8_t bytes = 4;            ///< Encoded size.
  uint32_t offset = 0;          ///< Of the instruction in the image.
  const Inst *target = nullptr; ///< Of a direct branch.
};

/// Where a wave keeps its guesses about an instruction; two of them may share a slot.
inline unsigned hintSlot(const Inst &inst) { return inst.offset / 8 % 64; }

/// Stops the wave at `inst` with an error event.
inline void stopWave(Wave &w, const Inst &inst, Event event) {
  w.event = event;
  w.culprit = &inst;
}

/// Continues at `target`; the only place where a wave can loop, so the time slice and the budget
/// are checked here and not per instruction.
inline void jumpTo(Wave &w, const Inst *target) {
  w.next = target;
  if (w.executed >= w.sliceEnd && w.event == Event::None)
    w.event = Event::Yield;
}

/// Executes all operations of the instruction that the wave stands before. Operations of `count` 0
/// belong to the one in front of them.
inline void executeInstruction(Wave &w) {
  do {
    const Inst &i = *w.next++;
    w.executed += i.count;
    i.run(w, i);
  } while (w.event == Event::None && w.next->count == 0);
}

/// Maps image offsets and run-time addresses to decoded instructions.
class CodeMap {
public:
  virtual ~CodeMap() = default;
  /// Null if no instruction starts there.
  virtual const Inst *at(uint64_t imageOffset) const = 0;
};

} // namespace rdna::emu
