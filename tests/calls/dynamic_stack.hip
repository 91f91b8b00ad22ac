//===- dynamic_stack.hip - a function whose stack frame grows in a loop -===//
//
// Each round allocates a link of a list on the stack; calls are made while the list exists. Few
// links: the compilers take 32 times the bytes, and clang 16 allows for 4096 in all.
//
//===----------------------------------------------------------------------===//
#include "function.h"

// Links refer to each other by their addresses in scratch memory: clang 16 takes the result of
// alloca, which is one, for a generic pointer.
struct Link {
  float value;
  unsigned before;
};

INLINE __attribute__((address_space(5))) Link *linkAt(unsigned address) {
  return (__attribute__((address_space(5))) Link *)address;
}

FUNCTION float combine(float a, float b) { return a * b + a - 0.5f * b; }

FUNCTION float reversed(const float *x, int count, int stride) {
  constexpr unsigned none = ~0u;
  unsigned last = none;
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    auto address = (unsigned)(unsigned long)__builtin_alloca(sizeof(Link));
    linkAt(address)->value = x[i * stride] * 0.5f + 0.25f;
    linkAt(address)->before = last;
    last = address;
  }
  float state = 1;
#pragma unroll 1
  for (unsigned link = last; link != none; link = linkAt(link)->before)
    state = combine(state, linkAt(link)->value);
  return state;
}

KERNEL void WORKGROUP(64)
    dynamic_stack(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  result[id] = reversed(x + id, rounds, lanes) + reversed(x + id, rounds + 2, lanes);
}
