//===- Wave.h - the architectural state of one wave -----------------------===//
//
// Everything a handler touches hangs off `Wave &`, vectors lie in memory and are passed by
// reference only: a 128-byte vector passed by value has a different ABI in g++ and clang once AVX
// is on, and a later JIT compiles these very handlers with clang.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Memory.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rdna::emu {

inline constexpr unsigned laneCount = 32;
inline constexpr uint32_t fullExec = 0xffffffffu;

/// One VGPR, or one operand prepared for a handler.
struct alignas(128) Lanes {
  uint32_t lane[laneCount];
};

/// Register numbers of the scalar file, as operands encode them (ISA section 3, operand table).
enum ScalarRegister : uint16_t {
  regVcc = 106,
  regNull = 124,
  regM0 = 125,
  regExec = 126,
  regScc = 253,
  regDump = 256, ///< Where writes to NULL go; as many slots as the widest scalar load needs.
  /// Constants for mask operands that are no register.
  regZeros = 280,
  regOnes = 281,
  regMask = 282, ///< A constant mask, filled just before its use.
  scalarSlots = 288,
};

/// Why the interpreter loop of a wave was left.
enum class Event : uint32_t {
  None,
  Barrier,
  GridBarrier, ///< Of all workgroups, which are resident together.
  End,
  Yield, ///< A taken branch after a full time slice: lets the other waves of the workgroup run.
  Budget,
  Unimplemented,
  Undecodable,
  BadTarget, ///< A jump to something that is no instruction of the image.
  Trap,
  Halted,    ///< S_SETHALT or S_SENDMSGHALT: nobody is there to resume the wave.
  WouldWait, ///< For waves of other workgroups, which do not run at the same time.
  Deserted,  ///< Waits for waves that have ended or wait elsewhere.
  Stopped,   ///< By a listener.
};

/// The MODE register's fields that results depend on (hardware register 1).
struct Mode {
  uint32_t bits = 0;
  // What FP_ROUND's two fields mean.
  enum Round : unsigned { Nearest, Up, Down, TowardZero };
  constexpr bool clampsNan() const { return bits >> 8 & 1; } ///< DX10_CLAMP.
  constexpr bool ieee() const { return bits >> 9 & 1; }
  constexpr bool keepsHalfFinite() const { return bits >> 23 & 1; } ///< FP16_OVFL.
  constexpr unsigned round32() const { return bits & 3; }
  constexpr unsigned round64() const { return bits >> 2 & 3; }
  // FP_DENORM: bit 0 keeps denormal inputs, bit 1 denormal outputs (LLVM: FLUSH_OUT = 1).
  constexpr bool keepInput32() const { return bits >> 4 & 1; }
  constexpr bool keepOutput32() const { return bits >> 5 & 1; }
  constexpr bool keepInput64() const { return bits >> 6 & 1; }
  constexpr bool keepOutput64() const { return bits >> 7 & 1; }
  // OMOD is ignored in IEEE mode and when denormal results are kept (ISA, output modifiers; LLVM
  // folds a multiplication into it under just these conditions).
  constexpr bool scales32() const { return !ieee() && !keepOutput32(); }
  constexpr bool scales64() const { return !ieee() && !keepOutput64(); }
};

/// Which instructions must take the careful path under the present MODE.
enum FloatCare : uint8_t { careF32 = 1, careF64 = 2 };

struct Inst;
struct Workgroup;
struct GlobalShare;
class CodeMap;

/// Slots that receive operands which are no plain VGPR: three sources of up to four dwords.
inline constexpr unsigned preparedRows = 4;

struct Wave {
  std::array<Lanes, 256> v;
  /// Reading a tuple that runs past v255 is undefined on hardware; here it ends in this padding.
  std::array<Lanes, 16> padding;
  std::array<std::array<Lanes, preparedRows>, 3> prepared;
  std::array<uint32_t, scalarSlots> s;

  uint32_t number = 0; ///< In its workgroup.
  uint32_t wavesOfGroup = 1;
  uint32_t vgprBlocks = 0; ///< As allocated, counted as RSRC1 does: blocks of 8, less one.
  const Inst *next = nullptr;
  Event event = Event::None;
  Mode mode;
  uint8_t care = 0; ///< FloatCare bits that MODE asks for.
  uint64_t executed = 0;
  uint64_t sliceEnd = 0;
  uint64_t budget = 0;
  const Inst *culprit = nullptr; ///< The instruction of an error event.

  Workgroup *group = nullptr;
  MemoryView *memory = nullptr;
  const CodeMap *code = nullptr;
  GlobalShare *globalShare = nullptr;
  std::byte *lds = nullptr;
  uint32_t ldsBytes = 0;
  std::byte *scratch = nullptr; ///< Lane-major: lane l's private segment is at l * scratchStride.
  uint32_t scratchBytes = 0;
  uint32_t scratchStride = 0;

  // Guesses that only cost time when they are wrong, by instruction (see hintSlot).
  std::array<int32_t, 64> ldsWindow{}; ///< Lowest LDS address of the lanes, less that of lane 0.
  std::array<uint64_t, 64> lastLoad{}; ///< Lane 0's address of a global load.

  uint32_t exec() const { return s[regExec]; }
  uint32_t *row(uint32_t offset) {
    return reinterpret_cast<uint32_t *>(reinterpret_cast<std::byte *>(this) + offset);
  }
  void setMode(uint32_t bits);
  Lanes &vgpr(unsigned n);
};

/// Byte offset of a VGPR from the start of the Wave: operands are offsets, so that a decoded
/// instruction holds no pointer into a particular wave.
constexpr uint32_t vgprRow(unsigned vgpr) { return vgpr * sizeof(Lanes); }
constexpr uint32_t preparedRow(unsigned source) {
  return (256 + 16 + source * preparedRows) * sizeof(Lanes);
}

/// A register of a tuple; past v255 it is the padding.
inline Lanes &Wave::vgpr(unsigned n) { return *reinterpret_cast<Lanes *>(row(vgprRow(n))); }

} // namespace rdna::emu
