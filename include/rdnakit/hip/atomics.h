//===- atomics.h - atomicAdd and its kin -----------------------------------===//
//
// Relaxed, as in HIP; the plain form is for one device, _system for host and device, _block for one
// workgroup. Sums of floating-point numbers become single instructions with -munsafe-fp-atomics,
// and loops of compare-and-swap without it, as with hipcc: whether the memory can do them is the
// user's knowledge.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "qualifiers.h"

namespace rdnakit {

/// Extrema of floating-point numbers, for which there is no instruction on every kind of memory:
/// exchanged as long as `better` says so.
template <int scope, class T, class Bits, class Better>
RDNAKIT_DEVICE T exchangeWhile(T *address, T value, Better better) {
  Bits *const bits = reinterpret_cast<Bits *>(address);
  Bits wanted = __builtin_bit_cast(Bits, value);
  Bits seen = __hip_atomic_load(bits, __ATOMIC_RELAXED, scope);
  while (better(value, __builtin_bit_cast(T, seen)) &&
         !__hip_atomic_compare_exchange_strong(bits, &seen, wanted, __ATOMIC_RELAXED,
                                               __ATOMIC_RELAXED, scope)) {
  }
  return __builtin_bit_cast(T, seen);
}

/// A sum that is no single instruction, whatever the compiler may take for safe.
template <class T, class Bits> RDNAKIT_DEVICE T addByExchange(T *address, T value) {
  Bits *const bits = reinterpret_cast<Bits *>(address);
  Bits seen = __hip_atomic_load(bits, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  while (!__hip_atomic_compare_exchange_strong(
      bits, &seen, __builtin_bit_cast(Bits, __builtin_bit_cast(T, seen) + value), __ATOMIC_RELAXED,
      __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)) {
  }
  return __builtin_bit_cast(T, seen);
}

} // namespace rdnakit

inline namespace rdnakit_device {

#define RDNAKIT_ATOMIC(Name, T, operation, value, scope)                                           \
  RDNAKIT_DEVICE T Name(T *address, T operand) {                                                   \
    return operation(address, value, __ATOMIC_RELAXED, scope);                                     \
  }
#define RDNAKIT_EXCHANGE(Name, T, scope)                                                           \
  RDNAKIT_DEVICE T Name(T *address, T compare, T value) {                                          \
    __hip_atomic_compare_exchange_strong(address, &compare, value, __ATOMIC_RELAXED,               \
                                         __ATOMIC_RELAXED, scope);                                 \
    return compare;                                                                                \
  }
#define RDNAKIT_EXTREMUM(Name, T, Bits, comparison, scope)                                         \
  RDNAKIT_DEVICE T Name(T *address, T operand) {                                                   \
    return rdnakit::exchangeWhile<scope, T, Bits>(                                                 \
        address, operand,                                                                          \
        [](T mine, T there) __attribute__((device)) { return mine comparison there; });            \
  }
#define RDNAKIT_INTEGER_ATOMICS(T, suffix, scope)                                                  \
  RDNAKIT_ATOMIC(atomicAdd##suffix, T, __hip_atomic_fetch_add, operand, scope)                     \
  RDNAKIT_ATOMIC(atomicSub##suffix, T, __hip_atomic_fetch_add, -operand, scope)                    \
  RDNAKIT_ATOMIC(atomicMin##suffix, T, __hip_atomic_fetch_min, operand, scope)                     \
  RDNAKIT_ATOMIC(atomicMax##suffix, T, __hip_atomic_fetch_max, operand, scope)                     \
  RDNAKIT_ATOMIC(atomicAnd##suffix, T, __hip_atomic_fetch_and, operand, scope)                     \
  RDNAKIT_ATOMIC(atomicOr##suffix, T, __hip_atomic_fetch_or, operand, scope)                       \
  RDNAKIT_ATOMIC(atomicXor##suffix, T, __hip_atomic_fetch_xor, operand, scope)                     \
  RDNAKIT_ATOMIC(atomicExch##suffix, T, __hip_atomic_exchange, operand, scope)                     \
  RDNAKIT_EXCHANGE(atomicCAS##suffix, T, scope)
#define RDNAKIT_FLOAT_ATOMICS(T, Bits, suffix, scope)                                              \
  RDNAKIT_ATOMIC(atomicAdd##suffix, T, __hip_atomic_fetch_add, operand, scope)                     \
  RDNAKIT_ATOMIC(atomicSub##suffix, T, __hip_atomic_fetch_add, -operand, scope)                    \
  RDNAKIT_ATOMIC(atomicExch##suffix, T, __hip_atomic_exchange, operand, scope)                     \
  RDNAKIT_EXTREMUM(atomicMin##suffix, T, Bits, <, scope)                                           \
  RDNAKIT_EXTREMUM(atomicMax##suffix, T, Bits, >, scope)
#define RDNAKIT_ATOMICS(suffix, scope, scopeName)                                                  \
  RDNAKIT_INTEGER_ATOMICS(int, suffix, scope)                                                      \
  RDNAKIT_INTEGER_ATOMICS(unsigned, suffix, scope)                                                 \
  RDNAKIT_INTEGER_ATOMICS(long, suffix, scope)                                                     \
  RDNAKIT_INTEGER_ATOMICS(unsigned long, suffix, scope)                                            \
  RDNAKIT_INTEGER_ATOMICS(long long, suffix, scope)                                                \
  RDNAKIT_INTEGER_ATOMICS(unsigned long long, suffix, scope)                                       \
  RDNAKIT_FLOAT_ATOMICS(float, unsigned, suffix, scope)                                            \
  RDNAKIT_FLOAT_ATOMICS(double, unsigned long long, suffix, scope)                                 \
  RDNAKIT_DEVICE unsigned atomicInc##suffix(unsigned *address, unsigned limit) {                   \
    return __builtin_amdgcn_atomic_inc32(address, limit, __ATOMIC_RELAXED, scopeName);             \
  }                                                                                                \
  RDNAKIT_DEVICE unsigned atomicDec##suffix(unsigned *address, unsigned limit) {                   \
    return __builtin_amdgcn_atomic_dec32(address, limit, __ATOMIC_RELAXED, scopeName);             \
  }

RDNAKIT_ATOMICS(, __HIP_MEMORY_SCOPE_AGENT, "agent")
RDNAKIT_ATOMICS(_system, __HIP_MEMORY_SCOPE_SYSTEM, "")
RDNAKIT_ATOMICS(_block, __HIP_MEMORY_SCOPE_WORKGROUP, "workgroup")

/// One instruction, which memory of the host may not do; a loop with clang 16, which has none for
/// this GPU, and for double, for which there is none.
RDNAKIT_DEVICE float unsafeAtomicAdd(float *address, float operand) {
#if __clang_major__ >= 19
  if (__builtin_amdgcn_is_shared((const __attribute__((address_space(0))) void *)address))
    return __builtin_amdgcn_ds_faddf((__attribute__((address_space(3))) float *)address, operand,
                                     __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT, false);
  return __builtin_amdgcn_global_atomic_fadd_f32((__attribute__((address_space(1))) float *)address,
                                                 operand);
#else
  return atomicAdd(address, operand);
#endif
}
RDNAKIT_DEVICE double unsafeAtomicAdd(double *address, double operand) {
  return atomicAdd(address, operand);
}
RDNAKIT_DEVICE float safeAtomicAdd(float *address, float operand) {
  return rdnakit::addByExchange<float, unsigned>(address, operand);
}
RDNAKIT_DEVICE double safeAtomicAdd(double *address, double operand) {
  return rdnakit::addByExchange<double, unsigned long long>(address, operand);
}
RDNAKIT_DEVICE void atomicAddNoRet(float *address, float operand) {
  unsafeAtomicAdd(address, operand);
}

#undef RDNAKIT_ATOMICS
#undef RDNAKIT_FLOAT_ATOMICS
#undef RDNAKIT_INTEGER_ATOMICS
#undef RDNAKIT_EXTREMUM
#undef RDNAKIT_EXCHANGE
#undef RDNAKIT_ATOMIC

} // namespace rdnakit_device
