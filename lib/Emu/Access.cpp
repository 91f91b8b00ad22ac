//===- Access.cpp - addresses of memory instructions and their checks -----===//
#include "Emu/Access.h"

#include <algorithm>

namespace rdna::emu {
namespace {

/// Gives inactive lanes the address of the first active one, so that minimum and maximum over all
/// lanes are those of the active lanes and the loop needs no test.
template <class T> void fillInactive(T *at, uint32_t active) {
  if (active == fullExec)
    return;
  T first = at[__builtin_ctz(active)];
  for (unsigned l = 0; l < laneCount; ++l)
    at[l] = active >> l & 1 ? at[l] : first;
}

template <class T> std::pair<T, T> range(const T *at) {
  T lo = at[0], hi = at[0];
  for (unsigned l = 0; l < laneCount; ++l) {
    lo = at[l] < lo ? at[l] : lo;
    hi = at[l] > hi ? at[l] : hi;
  }
  return {lo, hi};
}

void report(Wave &w, const Inst &i, AccessKind kind, uint64_t address, unsigned lane) {
  w.memory->log().add(i.offset, kind, address, w.number, lane);
}

/// One lane's piece of private memory.
uint64_t privateLane(Wave &w, const Inst &i, unsigned lane, uint32_t offset, unsigned bytes,
                     AccessKind kind, uint32_t &valid) {
  if (uint64_t(offset) + bytes <= w.scratchBytes) {
    valid |= 1u << lane;
    return reinterpret_cast<uint64_t>(w.scratch + uint64_t(lane) * w.scratchStride + offset);
  }
  report(w, i, kind, privateAperture + offset, lane);
  return 0;
}

void resolveScratch(Wave &w, const Inst &i, unsigned bytes, AccessKind kind, Pointers &out) {
  uint32_t base = (i.hasBase ? w.s[i.base] : 0) + uint32_t(i.imm);
  for (unsigned l = 0; l < laneCount; ++l) {
    if (!(out.active >> l & 1))
      continue;
    uint32_t offset = base + (i.hasAddr ? w.vgpr(i.addr).lane[l] : 0);
    out.at[l] = privateLane(w, i, l, offset, bytes, kind, out.valid);
  }
}

/// Generic addresses: lanes in the LDS or private aperture are translated, the rest is global.
void resolveGeneric(Wave &w, const Inst &i, unsigned bytes, AccessKind kind, Pointers &out) {
  uint32_t active = out.active, special = 0, valid = 0;
  for (unsigned l = 0; l < laneCount; ++l) {
    uint64_t window = out.at[l] >> 32 << 32;
    if (window == sharedAperture || window == privateAperture)
      special |= active & 1u << l;
  }
  if (!special)
    return checkGlobal(w, i, bytes, kind, out);
  for (unsigned l = 0; l < laneCount; ++l) {
    if (!(special >> l & 1))
      continue;
    auto offset = uint32_t(out.at[l]);
    if (out.at[l] >> 32 << 32 == privateAperture) {
      out.at[l] = privateLane(w, i, l, offset, bytes, kind, valid);
    } else if (uint64_t(offset) + bytes <= w.ldsBytes) {
      out.at[l] = reinterpret_cast<uint64_t>(w.lds + offset);
      valid |= 1u << l;
    } else {
      report(w, i, kind, out.at[l], l);
    }
  }
  Pointers rest = out;
  rest.active = active & ~special;
  if (rest.active)
    checkGlobal(w, i, bytes, kind, rest);
  for (unsigned l = 0; l < laneCount; ++l)
    if (rest.active >> l & 1)
      out.at[l] = rest.at[l];
  out.valid = valid | rest.valid;
}

} // namespace

void checkGlobal(Wave &w, const Inst &i, unsigned bytes, AccessKind kind, Pointers &out) {
  fillInactive(out.at, out.active);
  auto [lo, hi] = range(out.at);
  bool write = kind != AccessKind::Read;
  if (hi <= ~uint64_t(0) - bytes && w.memory->covers(lo, hi - lo + bytes, write)) {
    out.valid = out.active;
    return;
  }
  for (unsigned l = 0; l < laneCount; ++l) {
    if (!(out.active >> l & 1))
      continue;
    if (w.memory->covers(out.at[l], bytes, write))
      out.valid |= 1u << l;
    else
      report(w, i, kind, out.at[l], l);
  }
}

void flatAddresses(Wave &w, const Inst &i, uint64_t *at) {
  const uint32_t *lo = w.vgpr(i.addr).lane, *hi = lo + laneCount;
  if (!i.hasBase) {
    for (unsigned l = 0; l < laneCount; ++l)
      at[l] = (lo[l] | uint64_t(hi[l]) << 32) + int64_t(i.imm);
    return;
  }
  uint64_t base = (w.s[i.base] | uint64_t(w.s[i.base + 1]) << 32) + int64_t(i.imm);
  if (i.hasAddr)
    for (unsigned l = 0; l < laneCount; ++l)
      at[l] = base + lo[l];
  else
    std::fill_n(at, laneCount, base);
}

void resolveFlat(Wave &w, const Inst &i, unsigned bytes, AccessKind kind, Pointers &out) {
  out.active = w.exec();
  out.valid = 0;
  if (!out.active)
    return;
  if (i.segment == 1)
    return resolveScratch(w, i, bytes, kind, out);
  flatAddresses(w, i, out.at);
  if (i.segment == 0)
    return resolveGeneric(w, i, bytes, kind, out);
  checkGlobal(w, i, bytes, kind, out);
}

void resolveLds(Wave &w, const Inst &i, uint32_t offset, unsigned bytes, AccessKind kind,
                Pointers &out) {
  out.active = w.exec();
  out.valid = 0;
  if (!out.active)
    return;
  alignas(64) uint32_t at[laneCount];
  const uint32_t *addr = w.vgpr(i.addr).lane;
  for (unsigned l = 0; l < laneCount; ++l)
    at[l] = addr[l] + offset; // Modulo 2^32: LLVM folds negative bases only because this wraps.
  fillInactive(at, out.active);
  auto [lo, hi] = range(at);
  auto base = reinterpret_cast<uint64_t>(w.lds);
  for (unsigned l = 0; l < laneCount; ++l)
    out.at[l] = base + at[l];
  if (uint64_t(hi) + bytes <= w.ldsBytes) {
    out.valid = out.active;
    return;
  }
  for (unsigned l = 0; l < laneCount; ++l) {
    if (!(out.active >> l & 1))
      continue;
    if (uint64_t(at[l]) + bytes <= w.ldsBytes)
      out.valid |= 1u << l;
    else
      report(w, i, kind, sharedAperture + at[l], l);
  }
}

} // namespace rdna::emu
