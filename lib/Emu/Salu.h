//===- Salu.h - scalar handlers from functions of scalar values -----------===//
#pragma once

#include "Emu/Inst.h"

#include <type_traits>

namespace rdna::emu {

/// SCC as a lane function's counterpart sees it: in and out.
struct Scc {
  bool value;
};

inline uint32_t scalar32(const Wave &w, const Source &s) {
  return s.kind == SourceKind::Scalar ? w.s[s.index] : uint32_t(s.constant);
}
inline uint64_t scalar64(const Wave &w, const Source &s) {
  return s.kind == SourceKind::Scalar ? w.s[s.index] | uint64_t(w.s[s.index + 1]) << 32
                                      : s.constant;
}
inline void write64(Wave &w, unsigned dst, uint64_t value) {
  w.s[dst] = uint32_t(value);
  w.s[dst + 1] = uint32_t(value >> 32);
}

template <class T> T scalarOperand(const Wave &w, const Source &s) {
  if constexpr (sizeof(T) == 8)
    return T(scalar64(w, s));
  else
    return T(scalar32(w, s));
}

template <class> struct ScalarSignature;
template <class R, class... A> struct ScalarSignature<R (*)(A...)> {
  using Result = R;
  static constexpr bool hasScc = (std::is_same_v<A, Scc &> || ...);
  static constexpr unsigned operands = sizeof...(A) - hasScc;
  static constexpr std::array<LaneType, 3> types() {
    std::array<LaneType, 3> t{};
    unsigned n = 0;
    ((std::is_same_v<A, Scc &> ? void()
                               : void(t[n++] = sizeof(A) == 8 ? LaneType::U64 : LaneType::U32)),
     ...);
    return t;
  }
};

template <class T>
decltype(auto) scalarArgument(const Wave &w, const Inst &i, unsigned k, Scc &scc) {
  if constexpr (std::is_same_v<T, Scc &>)
    return static_cast<Scc &>(scc);
  else
    return scalarOperand<T>(w, i.src[k]);
}

#if defined(RDNA_EMU_BITCODE)

/// What the JIT passes to the function of a scalar row.
struct ScalarCall {
  uint64_t src[3];
  uint64_t dst;
  uint32_t scc; ///< In and out.
};

template <class T>
RDNA_INLINE decltype(auto) scalarArgument(const ScalarCall &call, unsigned k, Scc &scc) {
  if constexpr (std::is_same_v<T, Scc &>)
    return static_cast<Scc &>(scc);
  else
    return T(call.src[k]);
}
template <auto fn, class R, class... A, unsigned... k>
RDNA_INLINE void runSalu(ScalarCall &call, R (*)(A...), std::integer_sequence<unsigned, k...>) {
  Scc scc{call.scc != 0};
  if constexpr (std::is_void_v<R>)
    fn(scalarArgument<A>(call, k, scc)...);
  else
    call.dst = uint64_t(fn(scalarArgument<A>(call, k, scc)...));
  if constexpr (ScalarSignature<R (*)(A...)>::hasScc)
    call.scc = scc.value;
}
/// As for vector rows (Lane.h): the argument comes in disguise.
template <auto fn> void salu(Wave &w, const Inst &) {
  using S = ScalarSignature<decltype(fn)>;
  constexpr unsigned parameters = S::operands + S::hasScc;
  runSalu<fn>(reinterpret_cast<ScalarCall &>(w), fn,
              std::make_integer_sequence<unsigned, parameters>());
}

#else

template <auto fn, class R, class... A, unsigned... k>
void runSalu(Wave &w, const Inst &i, R (*)(A...), std::integer_sequence<unsigned, k...>) {
  Scc scc{w.s[regScc] != 0};
  if constexpr (std::is_void_v<R>) {
    fn(scalarArgument<A>(w, i, k, scc)...);
  } else {
    R r = fn(scalarArgument<A>(w, i, k, scc)...);
    if constexpr (sizeof(R) == 8)
      write64(w, i.dst, uint64_t(r));
    else
      w.s[i.dst] = uint32_t(r);
  }
  if constexpr (ScalarSignature<R (*)(A...)>::hasScc)
    w.s[regScc] = scc.value;
}

/// The handler of a scalar function; operands are its parameters in order, `Scc &` comes last.
template <auto fn> void salu(Wave &w, const Inst &i) {
  using S = ScalarSignature<decltype(fn)>;
  constexpr unsigned parameters = S::operands + S::hasScc;
  runSalu<fn>(w, i, fn, std::make_integer_sequence<unsigned, parameters>());
}

#endif

template <class F> constexpr OpInfo saluRow(std::string_view name, Handler run, F) {
  using S = ScalarSignature<F>;
  OpInfo op;
  op.name = name;
  op.run = run;
  op.shape = Shape::Salu;
  for (unsigned k = 0; k < 3; ++k)
    op.src[k] = S::types()[k];
  if constexpr (!std::is_void_v<typename S::Result>)
    op.dst = sizeof(typename S::Result) == 8 ? LaneType::U64 : LaneType::U32;
  return op;
}

} // namespace rdna::emu
