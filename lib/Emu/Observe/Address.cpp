//===- Address.cpp - addresses of memory instructions ----------------===//
//
// The handlers compute the same addresses, but in forms made for speed; the checkers want them
// before the instruction runs and per space.
//
//===----------------------------------------------------------------------===//
#include "Emu/Observe/Address.h"

#include "Emu/Access.h"
#include "Emu/GroupRunner.h"
#include "Isa/OpTraits.h"

#include <fmt/format.h>

namespace rdna::emu {
namespace {

using Space = LaneAccess::Space;

void findLds(Wave &w, const InstPlan &plan, uint32_t offset, AccessList &out) {
  LaneAccess &access = out.add(Space::Lds, plan);
  access.lanes = w.exec();
  const uint32_t *addr = w.vgpr(plan.first->addr).lane;
  for (unsigned l = 0; l < laneCount; ++l)
    access.at[l] = uint32_t(addr[l] + offset);
}

void findLdsPair(Wave &w, const InstPlan &plan, AccessList &out) {
  const auto imm = uint32_t(plan.first->imm);
  const uint32_t scale = plan.scale;
  findLds(w, plan, (imm & 0xff) * scale, out);
  findLds(w, plan, (imm >> 8 & 0xff) * scale, out);
}

/// The address is M0's, and the lane's number with ADDTID.
void findLdsByM0(Wave &w, const InstPlan &plan, uint32_t laneStride, AccessList &out) {
  LaneAccess &access = out.add(Space::Lds, plan);
  const uint32_t base = (w.s[regM0] & 0xffff) + (uint32_t(plan.first->imm) & 0xffff);
  access.lanes = laneStride || !w.exec() ? w.exec() : w.exec() & (0 - w.exec());
  for (unsigned l = 0; l < laneCount; ++l)
    access.at[l] = base + laneStride * l;
}

void findScratch(Wave &w, const InstPlan &plan, AccessList &out) {
  const Inst &i = *plan.first;
  LaneAccess &access = out.add(Space::Scratch, plan);
  access.lanes = w.exec();
  const uint32_t base = (i.hasBase ? w.s[i.base] : 0) + uint32_t(i.imm);
  for (unsigned l = 0; l < laneCount; ++l)
    access.at[l] = uint32_t(base + (i.hasAddr ? w.vgpr(i.addr).lane[l] : 0));
}

/// Lanes of a generic address that lie in the LDS or private aperture.
void splitGeneric(LaneAccess &global, const InstPlan &plan, AccessList &out) {
  uint32_t shared = 0, own = 0;
  for (unsigned l = 0; l < laneCount; ++l) {
    const uint64_t window = global.at[l] >> 32 << 32;
    shared |= window == sharedAperture ? 1u << l : 0;
    own |= window == privateAperture ? 1u << l : 0;
  }
  const auto take = [&](Space space, uint32_t lanes) {
    lanes &= global.lanes;
    if (!lanes)
      return;
    LaneAccess &access = out.add(space, plan);
    access.lanes = lanes;
    for (unsigned l = 0; l < laneCount; ++l)
      access.at[l] = uint32_t(global.at[l]);
    global.lanes &= ~lanes;
  };
  take(Space::Lds, shared);
  take(Space::Scratch, own);
}

void findFlat(Wave &w, const InstPlan &plan, AccessList &out) {
  const Inst &i = *plan.first;
  if (i.segment == 1)
    return findScratch(w, plan, out);
  LaneAccess &access = out.add(Space::Global, plan);
  access.lanes = w.exec();
  const uint32_t *lo = w.vgpr(i.addr).lane, *hi = lo + laneCount;
  const uint64_t base =
      (i.hasBase ? w.s[i.base] | uint64_t(w.s[i.base + 1]) << 32 : 0) + uint64_t(int64_t(i.imm));
  if (plan.memory == MemoryClass::FlatAddTid) {
    for (unsigned l = 0; l < laneCount; ++l)
      access.at[l] = base + 4 * l;
  } else if (i.hasBase) {
    for (unsigned l = 0; l < laneCount; ++l)
      access.at[l] = base + lo[l];
  } else {
    for (unsigned l = 0; l < laneCount; ++l)
      access.at[l] = base + (lo[l] | uint64_t(hi[l]) << 32);
  }
  if (i.segment == 0)
    splitGeneric(access, plan, out);
}

/// Resource words: see resolveBuffer (Access.cpp).
void findBuffer(Wave &w, const InstPlan &plan, AccessList &out) {
  const Inst &i = *plan.first;
  LaneAccess &access = out.add(Space::Global, plan);
  const uint32_t *r = &w.s[i.resource];
  const uint64_t base = r[0] | uint64_t(r[1] & 0xffff) << 32;
  const uint32_t stride = r[1] >> 16 & 0x3fff, records = r[2], mode = r[3] >> 28 & 3;
  const bool addLane = r[3] >> 23 & 1, indexed = i.bufferFlags & 2, offsetted = i.bufferFlags & 1;
  const uint32_t scalarOffset = i.hasBase ? w.s[i.base] : i.literal;
  for (unsigned l = 0; l < laneCount; ++l) {
    if (!(w.exec() >> l & 1))
      continue;
    const uint32_t index = (indexed ? w.vgpr(i.addr).lane[l] : 0) + (addLane ? l : 0);
    const uint32_t offset = (offsetted ? w.vgpr(i.addr + indexed).lane[l] : 0) + uint32_t(i.imm);
    bool outside = false;
    if (mode == 3 || (stride == 0 && mode != 2))
      outside = uint64_t(offset) + scalarOffset + plan.bytes > records;
    else if (mode == 2)
      outside = records == 0;
    else
      outside = index >= records || (mode == 0 && uint64_t(offset) + plan.bytes > stride);
    access.at[l] = base + uint64_t(index) * stride + offset + scalarOffset;
    access.lanes |= outside ? 0 : 1u << l;
  }
}

void findScalar(Wave &w, const InstPlan &plan, AccessList &out) {
  const Inst &i = *plan.first;
  LaneAccess &access = out.add(Space::Global, plan);
  uint64_t base = w.s[i.resource] | uint64_t(w.s[i.resource + 1]) << 32;
  const uint64_t offset = uint64_t(int64_t(i.imm)) + (i.hasBase ? w.s[i.base] : 0);
  access.lanes = 1;
  if (opTraits(plan.facts().op).memory.address == AddressForm::Resource) {
    const uint32_t *r = &w.s[i.resource];
    const uint32_t stride = r[1] >> 16 & 0x3fff;
    const uint64_t size = uint64_t(r[2]) * (stride ? stride : 1), from = offset & ~uint64_t(3);
    base &= 0xffffffffffffu;
    if (from + plan.bytes > size) {
      access.lanes = from < size ? 1 : 0;
      access.bytes = from < size ? uint8_t((size - from) & ~uint64_t(3)) : 0;
    }
  }
  access.at[0] = (base + offset) & ~uint64_t(3);
}

} // namespace

void findAccesses(Wave &w, const InstPlan &plan, AccessList &out) {
  out.count = 0;
  switch (plan.memory) {
  case MemoryClass::None:
    return;
  case MemoryClass::Lds:
    return findLds(w, plan, uint32_t(plan.first->imm) & 0xffff, out);
  case MemoryClass::LdsPair:
    return findLdsPair(w, plan, out);
  case MemoryClass::LdsCounter:
    return findLdsByM0(w, plan, 0, out);
  case MemoryClass::LdsAddTid:
    return findLdsByM0(w, plan, 4, out);
  case MemoryClass::Flat:
  case MemoryClass::FlatAddTid:
    return findFlat(w, plan, out);
  case MemoryClass::Buffer:
    return findBuffer(w, plan, out);
  case MemoryClass::Scalar:
    return findScalar(w, plan, out);
  }
}

std::string describePlace(const LaunchState &launch, Space space, uint64_t at) {
  if (space == Space::Lds)
    return fmt::format("LDS byte {}", at);
  if (space == Space::Scratch)
    return fmt::format("scratch byte {}", at);
  if (const MemoryRange *range = launch.memory.find(at))
    return fmt::format("byte {} of {}", at - range->begin, range->name);
  return fmt::format("address {:#x}", at);
}

} // namespace rdna::emu
