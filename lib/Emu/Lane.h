//===- Lane.h - from a function of one lane to a handler of a wave --------===//
//
// An instruction's semantics is a function of one lane whose signature says everything about its
// operands:
//
//     float v_add_f32(float a, float b);
//     bool v_cmp_lt_u32(uint32_t a, uint32_t b);               // writes a mask
//     WithMask<uint32_t> v_add_co_ci_u32(uint32_t a, uint32_t b, bool carry);
//
// Its name makes it the row of Ops.def that it is the semantics of (definedRow, Defined.h); a
// function whose name is none is unused, and so does not compile. The handler runs the function
// over 32 lanes in a loop that both g++ and clang vectorise: plain arrays, results into the
// destination row, no dependence between lanes. (A loop that subscripts vector types is scalarised
// by clang; intrinsics would tie the semantics to one host.)
//
// Operand modifiers, DPP, clamp, partial EXEC and MODE are not the functions' business: an
// instruction that has any of them goes through prepare() and commit(), which are written once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Defined.h"
#include "Emu/Inst.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#if defined(RDNA_EMU_BITCODE)
// One iteration of 32 lanes: straight-line vector code, which the JIT's light pipeline needs.
#define RDNA_LANE_LOOP _Pragma("clang loop vectorize(assume_safety) vectorize_width(32)")
#elif defined(__clang__)
#define RDNA_LANE_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define RDNA_LANE_LOOP _Pragma("GCC ivdep")
#endif

namespace rdna::emu {

/// An f16 value; arithmetic goes through f32 (see Half.h).
struct Half {
  uint16_t bits;
};
/// Two 16-bit values in a dword, of VOP3P operands.
struct PackedHalf {
  uint32_t bits;
};
struct PackedInt {
  uint32_t bits;
};
struct Bfloat {
  uint16_t bits;
};
struct PackedBfloat {
  uint32_t bits;
};
/// A source of V_FMA_MIX*: already widened to f32.
struct MixedFloat {
  float value;
};
struct Quad {
  uint32_t word[4];
};

template <class T> struct WithMask {
  T value;
  bool mask;
};

// Parameters that are no operands.
enum class LaneId : uint32_t {};
/// Whether an integer result saturates (the CLAMP bit).
enum class Saturate : bool { No, Yes };
// Saturation of an exact result to the width of the destination.
template <class T> RDNA_INLINE T narrowed(int64_t exact, Saturate saturate) {
  constexpr int64_t lo = std::numeric_limits<T>::min(), hi = std::numeric_limits<T>::max();
  int64_t bounded = exact < lo ? lo : exact > hi ? hi : exact;
  return T(saturate == Saturate::Yes ? bounded : exact);
}

/// Bits 0..2 of NEG, for instructions that use them as "operand is signed".
enum class NegBits : uint8_t {};

template <class T> constexpr LaneType laneType() {
  if constexpr (std::is_same_v<T, uint16_t>)
    return LaneType::U16;
  else if constexpr (std::is_same_v<T, int16_t>)
    return LaneType::I16;
  else if constexpr (std::is_same_v<T, Half>)
    return LaneType::F16;
  else if constexpr (std::is_same_v<T, uint32_t>)
    return LaneType::U32;
  else if constexpr (std::is_same_v<T, int32_t>)
    return LaneType::I32;
  else if constexpr (std::is_same_v<T, float>)
    return LaneType::F32;
  else if constexpr (std::is_same_v<T, uint64_t>)
    return LaneType::U64;
  else if constexpr (std::is_same_v<T, int64_t>)
    return LaneType::I64;
  else if constexpr (std::is_same_v<T, double>)
    return LaneType::F64;
  else if constexpr (std::is_same_v<T, PackedHalf>)
    return LaneType::PackedF16;
  else if constexpr (std::is_same_v<T, PackedInt>)
    return LaneType::PackedI16;
  else if constexpr (std::is_same_v<T, Bfloat>)
    return LaneType::BF16;
  else if constexpr (std::is_same_v<T, PackedBfloat>)
    return LaneType::PackedBF16;
  else if constexpr (std::is_same_v<T, MixedFloat>)
    return LaneType::Mixed;
  else if constexpr (std::is_same_v<T, Quad>)
    return LaneType::U128;
  else
    return LaneType::None;
}

template <class T> constexpr bool isOperand = laneType<T>() != LaneType::None;

template <class T> RDNA_INLINE T loadLane(const uint32_t *row, unsigned i) {
  if constexpr (std::is_same_v<T, Quad>)
    return {row[i], row[i + laneCount], row[i + 2 * laneCount], row[i + 3 * laneCount]};
  else if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(uint64_t(row[i]) | uint64_t(row[i + laneCount]) << 32);
  else if constexpr (sizeof(T) == 2)
    return std::bit_cast<T>(uint16_t(row[i]));
  else
    return std::bit_cast<T>(row[i]);
}

enum class StoreTo { Register, Prepared };

template <StoreTo to, class T> RDNA_INLINE void storeLane(uint32_t *row, unsigned i, T value) {
  if constexpr (std::is_same_v<T, Quad>) {
    for (unsigned k = 0; k < 4; ++k)
      row[i + k * laneCount] = value.word[k];
  } else if constexpr (sizeof(T) == 8) {
    auto bits = std::bit_cast<uint64_t>(value);
    row[i] = uint32_t(bits);
    row[i + laneCount] = uint32_t(bits >> 32);
  } else if constexpr (sizeof(T) == 2) {
    // A 16-bit result leaves the other half of the register alone.
    uint32_t keep = to == StoreTo::Register ? row[i] & 0xffff0000u : 0;
    row[i] = keep | std::bit_cast<uint16_t>(value);
  } else {
    row[i] = std::bit_cast<uint32_t>(value);
  }
}

/// What a lane function is called with.
struct Frame {
  const uint32_t *src[3];
  uint32_t mask;
  Mode mode;
  Saturate saturate;
  NegBits neg;
};

template <class T, unsigned index> RDNA_INLINE T argument(const Frame &f, unsigned lane) {
  if constexpr (std::is_same_v<T, bool>)
    return f.mask >> lane & 1;
  else if constexpr (std::is_same_v<T, LaneId>)
    return LaneId(lane);
  else if constexpr (std::is_same_v<T, Mode>)
    return f.mode;
  else if constexpr (std::is_same_v<T, Saturate>)
    return f.saturate;
  else if constexpr (std::is_same_v<T, NegBits>)
    return f.neg;
  else
    return loadLane<T>(f.src[index], lane);
}

template <class> struct Signature;
template <class R, class... A> struct Signature<R (*)(A...)> {
  using Result = R;
  static constexpr unsigned parameters = sizeof...(A);
  static constexpr bool readsMask = (std::is_same_v<A, bool> || ...);
  static constexpr bool saturates = (std::is_same_v<A, Saturate> || ...);

  /// Operand number of each parameter: operands count, the others do not.
  static constexpr std::array<unsigned, parameters + 1> operandNumbers() {
    std::array<unsigned, parameters + 1> numbers{};
    unsigned n = 0, p = 0;
    ((numbers[p++] = n, n += isOperand<A>), ...);
    numbers[parameters] = n;
    return numbers;
  }
  static constexpr unsigned operands = operandNumbers()[parameters];

  template <auto fn, unsigned... p>
  RDNA_INLINE static R call(const Frame &f, unsigned lane, std::integer_sequence<unsigned, p...>) {
    constexpr auto numbers = operandNumbers();
    return fn(argument<A, numbers[p]>(f, lane)...);
  }
  template <auto fn> RDNA_INLINE static R call(const Frame &f, unsigned lane) {
    return call<fn>(f, lane, std::make_integer_sequence<unsigned, parameters>());
  }
};

template <class T> struct ResultTraits {
  using Value = T;
  static constexpr bool hasValue = true, hasMask = false;
};
template <> struct ResultTraits<bool> {
  using Value = void;
  static constexpr bool hasValue = false, hasMask = true;
};
template <class T> struct ResultTraits<WithMask<T>> {
  using Value = T;
  static constexpr bool hasValue = true, hasMask = true;
};

/// Runs the lane function over all lanes; returns the mask result. The sources may be the
/// destination itself: each lane reads all its operands before it writes.
template <auto fn, StoreTo to> RDNA_INLINE uint32_t overLanes(uint32_t *dst, const Frame &frame) {
  using S = Signature<decltype(fn)>;
  using T = ResultTraits<typename S::Result>;
  const Frame f = frame; // A local copy: the loop's stores cannot change it.
  uint32_t mask = 0;
  RDNA_LANE_LOOP
  for (unsigned i = 0; i < laneCount; ++i) {
    auto r = S::template call<fn>(f, i);
    if constexpr (!T::hasValue) {
      mask |= uint32_t(r) << i;
    } else if constexpr (T::hasMask) {
      storeLane<to>(dst, i, r.value);
      mask |= uint32_t(r.mask) << i;
    } else {
      storeLane<to>(dst, i, r);
    }
  }
  return mask;
}

#if defined(RDNA_EMU_BITCODE)

/// What the JIT passes to the function of a row: prepared operands and where the results go.
struct RowCall {
  uint32_t *dst;
  const uint32_t *src[3];
  uint32_t mask;   ///< Of operands that are a mask.
  uint32_t mode;   ///< MODE.
  uint32_t result; ///< The mask that the instruction writes.
};

/// In the JIT's bitcode a row names the lane loop alone: no modifiers, all lanes active. The table
/// has one type of handler, so the argument comes in disguise (the bitcode is compiled without
/// type-based alias analysis).
template <auto fn> void valu(Wave &w, const Inst &) {
  auto &call = reinterpret_cast<RowCall &>(w);
  const Frame f{{call.src[0], call.src[1], call.src[2]},
                call.mask,
                Mode{call.mode},
                Saturate::No,
                NegBits(0)};
  call.result = overLanes<fn, StoreTo::Register>(call.dst, f);
}

#else

/// Rows of an operand.
constexpr unsigned rowsOf(LaneType type) {
  return type == LaneType::U128 ? 4 : isWide(type) ? 2 : type == LaneType::None ? 0 : 1;
}

/// One row of a scalar or constant operand, the same in all lanes. Beyond 64 bits a constant is 0
/// (a guess: no assembler writes that).
inline uint32_t scalarRow(const Wave &w, const Source &s, unsigned row) {
  if (s.kind == SourceKind::Scalar)
    return w.s[s.index + row];
  return row < 2 ? uint32_t(s.constant >> 32 * row) : 0;
}

/// Broadcasts the scalar operands of a simple instruction.
inline void broadcastScalars(Wave &w, const Inst &inst) {
  for (unsigned k = 0; k < 3; ++k) {
    if (!(inst.scalars >> k & 1))
      continue;
    for (unsigned r = 0; r < rowsOf(inst.op->src[k]); ++r) {
      const uint32_t value = scalarRow(w, inst.src[k], r);
      for (unsigned i = 0; i < laneCount; ++i)
        w.prepared[k][r].lane[i] = value;
    }
  }
}

/// Fetches all operands with their modifiers into `frame`; returns the lanes that may be written
/// (EXEC, less the lanes that DPP leaves alone).
uint32_t prepare(Wave &w, const Inst &inst, Frame &frame);
/// Applies omod, clamp and flushing to `out` and writes the active lanes to the destination.
void commit(Wave &w, const Inst &inst, uint32_t *out, uint32_t active);

/// The FP_ROUND value that rounds an instruction's result.
unsigned roundingOf(const Wave &w, const Inst &inst);

/// Sets the host's rounding mode to a value of FP_ROUND. Host arithmetic and floatToHalf() then
/// round as MODE asks, so lane functions need not know.
class HostRounding {
public:
  explicit HostRounding(unsigned round);
  ~HostRounding();
  HostRounding(const HostRounding &) = delete;
  HostRounding &operator=(const HostRounding &) = delete;

private:
  int saved_ = -1;
};

/// A function of its own, so that no arithmetic moves across the change of the rounding mode.
template <auto fn> [[gnu::noinline]] uint32_t overLanesPrepared(uint32_t *out, const Frame &frame) {
  return overLanes<fn, StoreTo::Prepared>(out, frame);
}

/// FP16_OVFL: replaces each infinite half of `out` that is finite in `finite`.
void keepHalvesFinite(uint32_t *out, const uint32_t *finite);

template <auto fn> [[gnu::noinline]] void valuCareful(Wave &w, const Inst &inst) {
  using T = ResultTraits<typename Signature<decltype(fn)>::Result>;
  constexpr bool givesHalves =
      std::is_same_v<typename T::Value, Half> || std::is_same_v<typename T::Value, PackedHalf>;
  Frame f;
  uint32_t active = prepare(w, inst, f);
  Lanes out[preparedRows];
  HostRounding rounding(roundingOf(w, inst));
  uint32_t mask = overLanesPrepared<fn>(out[0].lane, f);
  if constexpr (givesHalves) {
    if (w.mode.keepsHalfFinite()) {
      // What overflowed is finite when rounded toward zero; what is infinite by itself is not.
      HostRounding towardZero(Mode::TowardZero);
      Lanes finite;
      f.mode.bits |= 0xf;
      overLanesPrepared<fn>(finite.lane, f);
      keepHalvesFinite(out[0].lane, finite.lane);
    }
  }
  if constexpr (T::hasValue)
    commit(w, inst, out[0].lane, active);
  if constexpr (T::hasMask)
    w.s[inst.maskDst] = mask & active;
}

/// The handler of a lane function. EXEC-full, unmodified instructions take the short way.
template <auto fn> void valu(Wave &w, const Inst &inst) {
  using S = Signature<decltype(fn)>;
  using T = ResultTraits<typename S::Result>;
  if (!inst.simple || w.exec() != fullExec || (w.care & inst.op->care)) [[unlikely]]
    return valuCareful<fn>(w, inst);
  if (inst.scalars)
    broadcastScalars(w, inst);
  Frame f;
  for (unsigned k = 0; k < 3; ++k)
    f.src[k] = k < S::operands ? w.row(inst.src[k].row) : nullptr;
  f.mask = S::readsMask ? w.s[inst.maskSrc] : 0;
  f.mode = w.mode;
  f.saturate = Saturate::No;
  f.neg = NegBits(0);
  uint32_t mask = overLanes<fn, StoreTo::Register>(w.row(inst.dstRow), f);
  if constexpr (T::hasMask)
    w.s[inst.maskDst] = mask;
}

#endif

template <class R, class... A>
constexpr OpInfo valuRow(std::string_view name, Handler run, Shape shape, R (*)(A...)) {
  OpInfo op;
  op.name = name;
  op.run = run;
  op.shape = shape;
  using T = ResultTraits<R>;
  if constexpr (T::hasValue)
    op.dst = laneType<typename T::Value>();
  op.writesMask = T::hasMask;
  op.readsMask = Signature<R (*)(A...)>::readsMask;
  unsigned n = 0;
  ((isOperand<A> ? void(op.src[n++] = laneType<A>()) : void()), ...);
  for (LaneType t : {op.dst, op.src[0], op.src[1], op.src[2]}) {
    if (t == LaneType::F32 || t == LaneType::Mixed)
      op.care |= careF32;
    if (t == LaneType::F64 || t == LaneType::F16 || t == LaneType::PackedF16 ||
        t == LaneType::Mixed)
      op.care |= careF64;
  }
  // LLVM marks exactly these as rounded by the double and half field (FPDPRounding), and lowers
  // llvm.fptrunc.round.f32.f64 to V_CVT_F32_F64 under the same field.
  if (op.dst == LaneType::F64 || op.dst == LaneType::F16 || op.dst == LaneType::PackedF16 ||
      op.src[0] == LaneType::F64)
    op.rounds = OpInfo::DoubleAndHalf;
  return op;
}

/// The row of an approximation: MODE's rounding does not reach it.
constexpr OpInfo approximation(OpInfo op) {
  op.rounds = OpInfo::Nearest;
  return op;
}

/// The row of a lane function; an empty one if there is none (Defined.h).
template <auto fn> constexpr OpInfo definedRow(std::string_view name) {
  if constexpr (isDefined<fn>)
    return valuRow(name, &valu<fn>, Shape::Valu, fn);
  else
    return {};
}

#define VALU_ROW(name) valuRow(#name, &valu<&lane::name>, Shape::Valu, &lane::name),
#define VALU_SHAPED_ROW(name, shape) valuRow(#name, &valu<&lane::name>, Shape::shape, &lane::name),

} // namespace rdna::emu
