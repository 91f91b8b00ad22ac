//===- Access.h - element types and address resolution of memory instructions ===//
#pragma once

#include "Emu/Inst.h"

#include <bit>

#include <cstring>

namespace rdna::emu {

// Where generic addresses of LDS and of private memory begin; the choice is free, because kernels
// read it from SRC_SHARED_BASE and SRC_PRIVATE_BASE. Above every host user address.
inline constexpr uint64_t sharedAperture = 0x0001000000000000u;
inline constexpr uint64_t privateAperture = 0x0002000000000000u;

template <class T> T loadFrom(const std::byte *p) {
  T x;
  std::memcpy(&x, p, sizeof x);
  return x;
}
template <class T> void storeTo(std::byte *p, T x) { std::memcpy(p, &x, sizeof x); }

// What an instruction moves per lane.

/// `n` whole dwords, in consecutive registers.
template <unsigned n> struct Dwords {
  static constexpr unsigned bytes = 4 * n;
  static constexpr unsigned dwords = n;
  static void load(Wave &w, unsigned reg, unsigned lane, const std::byte *p) {
    for (unsigned k = 0; k < n; ++k)
      w.vgpr(reg + k).lane[lane] = loadFrom<uint32_t>(p + 4 * k);
  }
  static void store(Wave &w, unsigned reg, unsigned lane, std::byte *p) {
    for (unsigned k = 0; k < n; ++k)
      storeTo(p + 4 * k, w.vgpr(reg + k).lane[lane]);
  }
};

/// A byte or short, extended to 32 bits as its type says.
template <class T> struct Extended {
  static constexpr unsigned bytes = sizeof(T);
  static constexpr unsigned dwords = 1;
  static void load(Wave &w, unsigned reg, unsigned lane, const std::byte *p) {
    w.vgpr(reg).lane[lane] = uint32_t(int32_t(loadFrom<T>(p)));
  }
  static void store(Wave &w, unsigned reg, unsigned lane, std::byte *p) {
    storeTo(p, T(w.vgpr(reg).lane[lane]));
  }
};

/// A byte or short in one half of a register; the other half is kept.
template <class T, unsigned shift> struct D16 {
  static constexpr unsigned bytes = sizeof(T);
  static constexpr unsigned dwords = 1;
  static void load(Wave &w, unsigned reg, unsigned lane, const std::byte *p) {
    uint32_t half = uint16_t(int16_t(loadFrom<T>(p)));
    uint32_t &r = w.vgpr(reg).lane[lane];
    r = (r & ~(0xffffu << shift)) | half << shift;
  }
  static void store(Wave &w, unsigned reg, unsigned lane, std::byte *p) {
    storeTo(p, T(w.vgpr(reg).lane[lane] >> shift));
  }
};

/// Host pointers of the lanes of one access. Lanes outside `valid` were reported.
struct Pointers {
  alignas(64) uint64_t at[laneCount];
  uint32_t active = 0; ///< EXEC.
  uint32_t valid = 0;
  std::byte *operator[](unsigned lane) const { return reinterpret_cast<std::byte *>(at[lane]); }
};

/// The address of every lane of a FLAT or GLOBAL instruction.
void flatAddresses(Wave &w, const Inst &i, uint64_t *at);
/// Computes and checks the addresses of a FLAT, GLOBAL or SCRATCH instruction.
void resolveFlat(Wave &w, const Inst &i, unsigned bytes, AccessKind kind, Pointers &out);
/// Checks `lanes` addresses that are already in `out.at` against the regions of the launch.
void checkGlobal(Wave &w, const Inst &i, unsigned bytes, AccessKind kind, Pointers &out);
/// Computes and checks LDS addresses; `at` then holds host pointers.
void resolveLds(Wave &w, const Inst &i, uint32_t offset, unsigned bytes, AccessKind kind,
                Pointers &out);

inline constexpr std::byte zeroBytes[16] = {};

/// Four dwords; only ever a local of an inlined function, so its ABI does not matter.
using Dword4 = uint32_t __attribute__((vector_size(16)));

RDNA_INLINE Dword4 load4(const std::byte *p) { return loadFrom<Dword4>(p); }
RDNA_INLINE void store4(uint32_t *p, Dword4 x) { std::memcpy(p, &x, sizeof x); }

/// Loads `n` dwords per lane with all lanes in range. Four lanes at a time are loaded whole and
/// transposed in registers: half the time of dword loads, and gathers are no faster. `lanes` is a
/// multiple of four, rows are `stride` dwords apart.
template <unsigned n, class At>
RDNA_INLINE void loadAllLanes(uint32_t *rows, At at, unsigned lanes = laneCount,
                              unsigned stride = laneCount) {
  for (unsigned l = 0; l < lanes; l += 4) {
    if constexpr (n == 4) {
      Dword4 a = load4(at(l)), b = load4(at(l + 1)), c = load4(at(l + 2)), d = load4(at(l + 3));
      Dword4 ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
      Dword4 cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
      store4(rows + l, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
      store4(rows + stride + l, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
      ab = __builtin_shufflevector(a, b, 2, 6, 3, 7);
      cd = __builtin_shufflevector(c, d, 2, 6, 3, 7);
      store4(rows + 2 * stride + l, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
      store4(rows + 3 * stride + l, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
    } else if constexpr (n == 2) {
      using Qword2 = uint64_t __attribute__((vector_size(16)));
      Qword2 x = {loadFrom<uint64_t>(at(l)), loadFrom<uint64_t>(at(l + 1))};
      Qword2 y = {loadFrom<uint64_t>(at(l + 2)), loadFrom<uint64_t>(at(l + 3))};
      Dword4 ab = std::bit_cast<Dword4>(x), cd = std::bit_cast<Dword4>(y);
      store4(rows + l, __builtin_shufflevector(ab, cd, 0, 2, 4, 6));
      store4(rows + stride + l, __builtin_shufflevector(ab, cd, 1, 3, 5, 7));
    } else {
      for (unsigned k = 0; k < n; ++k)
        store4(rows + k * stride + l,
               Dword4{loadFrom<uint32_t>(at(l) + 4 * k), loadFrom<uint32_t>(at(l + 1) + 4 * k),
                      loadFrom<uint32_t>(at(l + 2) + 4 * k),
                      loadFrom<uint32_t>(at(l + 3) + 4 * k)});
    }
  }
}

/// Loads `E` for all active lanes; a lane that is out of range gets zeros.
template <class E> void loadLanes(Wave &w, unsigned reg, const Pointers &p) {
  if (p.valid == fullExec) {
    if constexpr (std::is_same_v<E, Dwords<E::dwords>>) {
      loadAllLanes<E::dwords>(w.vgpr(reg).lane, [&](unsigned l) { return p[l]; });
    } else {
      for (unsigned l = 0; l < laneCount; ++l)
        E::load(w, reg, l, p[l]);
    }
    return;
  }
  for (unsigned l = 0; l < laneCount; ++l)
    if (p.active >> l & 1)
      E::load(w, reg, l, p.valid >> l & 1 ? p[l] : zeroBytes);
}

template <class E> void storeLanes(Wave &w, unsigned reg, const Pointers &p) {
  // In lane order: of two lanes that store to one address, the higher lane's value stays, which
  // hardware does not promise but a deterministic emulator must decide.
  for (unsigned l = 0; l < laneCount; ++l)
    if (p.valid >> l & 1)
      E::store(w, reg, l, p[l]);
}

} // namespace rdna::emu
