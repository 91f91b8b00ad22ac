//===- Access.h - element types and address resolution of memory instructions ===//
#pragma once

#include "Emu/Inst.h"

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

/// Computes and checks the addresses of a FLAT, GLOBAL or SCRATCH instruction.
void resolveFlat(Wave &w, const Inst &i, unsigned bytes, AccessKind kind, Pointers &out);
/// The same for a buffer instruction: resource, offsets, bounds of the resource itself.
void resolveBuffer(Wave &w, const Inst &i, unsigned bytes, AccessKind kind, Pointers &out);
/// Checks `lanes` addresses that are already in `out.at` against the regions of the launch.
void checkGlobal(Wave &w, const Inst &i, unsigned bytes, AccessKind kind, Pointers &out);
/// Computes and checks LDS addresses; `at` then holds host pointers.
void resolveLds(Wave &w, const Inst &i, uint32_t offset, unsigned bytes, AccessKind kind,
                Pointers &out);

inline constexpr std::byte zeroBytes[16] = {};

/// Loads `E` for all active lanes; a lane that is out of range gets zeros.
template <class E> void loadLanes(Wave &w, unsigned reg, const Pointers &p) {
  if (p.valid == fullExec) {
    if constexpr (std::is_same_v<E, Dwords<1>>) {
      bool contiguous = true;
      for (unsigned l = 0; l < laneCount; ++l)
        contiguous &= p.at[l] == p.at[0] + 4 * l;
      if (contiguous) {
        std::memcpy(w.vgpr(reg).lane, p[0], sizeof(Lanes));
        return;
      }
    }
    for (unsigned l = 0; l < laneCount; ++l)
      E::load(w, reg, l, p[l]);
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
