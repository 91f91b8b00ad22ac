//===- UninitMemory.cpp - definedness of LDS, scratch and buffers ----===//
#include "Emu/Check/Uninit.h"

#include "Emu/GroupRunner.h"
#include "Isa/OpTraits.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace rdna::emu {

using Space = LaneAccess::Space;

GlobalShadow::GlobalShadow(const Launch &launch) {
  for (const MemoryRegion &region : launch.regions)
    if (region.contents == MemoryRegion::Contents::Undefined) {
      const auto begin = reinterpret_cast<uint64_t>(region.data);
      ranges_.push_back({begin, begin + region.bytes, std::vector<bool>(region.bytes, true)});
    }
}

bool GlobalShadow::undefined(uint64_t address) const {
  for (const Range &range : ranges_)
    if (address >= range.begin && address < range.end)
      return range.undefined[address - range.begin];
  return false;
}

void GlobalShadow::define(uint64_t address, unsigned bytes) {
  for (Range &range : ranges_)
    for (unsigned k = 0; k < bytes; ++k)
      if (address + k >= range.begin && address + k < range.end)
        range.undefined[address + k - range.begin] = false;
}

/// The shadow bytes of a lane's access; null outside of what there is, and for global memory.
uint8_t *UninitCheck::bytesOf(const Wave &w, const LaneAccess &access, unsigned lane) {
  const uint64_t at = access.at[lane];
  if (access.space == Space::Lds)
    return at + access.bytes <= lds_.size() ? &lds_[at] : nullptr;
  const uint64_t size = context_.launch.scratchBytes;
  if (access.space == Space::Scratch && at + access.bytes <= size)
    return &scratch_[w.number][lane * size + at];
  return nullptr;
}

void UninitCheck::checkAddress(Wave &w, const InstPlan &plan) {
  WaveShadow &shadow = waves_[w.number];
  const Inst &op = *plan.first;
  if (shadow.clean(plan.reads))
    return;
  for (const RegisterUse &use : registersOf(op, w.s[regM0])) {
    if (use.access != RegisterUse::Access::Read)
      continue;
    const bool vector = use.file == RegisterUse::File::Vector;
    if (vector && use.first != op.addr)
      continue;
    for (unsigned d = 0; d < use.dwords; ++d) {
      const unsigned unit = unitOf(use, d);
      if (unit >= kRegUnits || shadow.clean(unit) || RegUnit{uint16_t(unit)} == kVccLo)
        continue;
      if (!vector) {
        report(w, plan.offset, "undefined-address", unit, std::nullopt, "computes an address");
        shadow.setScalar(unit, 0, 0);
        continue;
      }
      const LaneShadow &lanes = *shadow.vgprIfDirty(unit);
      for (unsigned l = 0; l < laneCount; ++l)
        if (w.exec() >> l & 1 && lanes[l]) {
          report(w, plan.offset, "undefined-address", unit, l, "computes an address");
          RegSet once;
          once.add({RegUnit::vgpr(unit), 1});
          shadow.define(once, w.exec());
          break;
        }
    }
  }
}

/// Whether a lane's access has no undefined byte; most have none, and dwords are compared faster.
static bool allDefined(const uint8_t *bytes, unsigned count) {
  uint32_t any = 0;
  unsigned k = 0;
  for (; k + 4 <= count; k += 4) {
    uint32_t word;
    std::memcpy(&word, bytes + k, 4);
    any |= word;
  }
  for (; k < count; ++k)
    any |= bytes[k];
  return any == 0;
}

bool UninitCheck::loadsDefined(const Wave &w, const AccessList &accesses) {
  for (const LaneAccess &access : accesses.all()) {
    if (access.space == Space::Global) {
      if (!global_.empty())
        return false;
      continue;
    }
    for (unsigned l = 0; l < laneCount; ++l)
      if (access.lanes >> l & 1)
        if (const uint8_t *bytes = bytesOf(w, access, l); bytes && !allDefined(bytes, access.bytes))
          return false;
  }
  return true;
}

void UninitCheck::stepMemory(Wave &w, const InstPlan &plan, const AccessList &accesses) {
  const Inst &op = *plan.first;
  checkAddress(w, plan);
  if (plan.memory == MemoryClass::Scalar)
    return loadScalar(w, plan, accesses.item[0]);
  const bool buffer = plan.memory == MemoryClass::Buffer;
  if (plan.kind == AccessKind::Read) {
    if (!plan.partial && loadsDefined(w, accesses)) [[likely]]
      return waves_[w.number].define(plan.writes, w.exec());
    const unsigned dwords = (plan.bytes + 3u) / 4;
    for (unsigned k = 0; k < accesses.count; ++k)
      load(w, plan, accesses.item[k],
           (buffer ? op.data : op.dst) + (plan.memory == MemoryClass::LdsPair ? k * dwords : 0));
  } else if (plan.kind == AccessKind::Write) {
    for (unsigned k = 0; k < accesses.count; ++k)
      store(w, plan, accesses.item[k],
            plan.memory == MemoryClass::LdsPair && k ? op.data2 : op.data);
  } else {
    for (const LaneAccess &access : accesses.all())
      atomic(w, plan, access);
  }
}

void UninitCheck::load(Wave &w, const InstPlan &plan, const LaneAccess &access, unsigned first) {
  WaveShadow &shadow = waves_[w.number];
  const unsigned dwords = (access.bytes + 3u) / 4;
  // A load of less than a dword extends to it, or fills one half (D16).
  const rdna::D16 part16 = opTraits(plan.facts().op).memory.d16;
  const bool half = part16 != rdna::D16::None, high = part16 == rdna::D16::High;
  for (unsigned d = 0; d < dwords && first + d < 256; ++d) {
    for (unsigned l = 0; l < laneCount; ++l) {
      if (!(access.lanes >> l & 1))
        continue;
      const uint8_t *bytes = bytesOf(w, access, l);
      uint8_t undefined = 0;
      for (unsigned k = 4 * d; k < std::min<unsigned>(access.bytes, 4 * d + 4); ++k)
        if (bytes ? bytes[k] : access.space == Space::Global && global_.undefined(access.at[l] + k))
          undefined |= uint8_t(1u << k % 4);
      const uint8_t part = half ? (high ? 12 : 3) : 15;
      if (access.bytes < 4 && undefined)
        undefined = part;
      shadow.setLane(first + d, l, part, undefined, plan.offset);
    }
    if (!shadow.clean(first + d))
      shadow.settle(first + d);
  }
}

void UninitCheck::store(Wave &w, const InstPlan &plan, const LaneAccess &access, unsigned first) {
  WaveShadow &shadow = waves_[w.number];
  const bool high = access.bytes < 4 && opTraits(plan.facts().op).memory.d16 == rdna::D16::High;
  const bool global = access.space == Space::Global;
  bool dirty = false;
  for (unsigned d = 0; d < (access.bytes + 3u) / 4; ++d)
    dirty |= !shadow.clean(first + d);
  if (!dirty && global && global_.empty())
    return;
  for (unsigned l = 0; l < laneCount; ++l) {
    if (!(access.lanes >> l & 1))
      continue;
    uint8_t *bytes = bytesOf(w, access, l);
    if (!dirty && bytes) {
      std::fill_n(bytes, access.bytes, uint8_t(0));
      continue;
    }
    if (global)
      global_.define(access.at[l], access.bytes);
    for (unsigned k = 0; dirty && k < access.bytes; ++k) {
      const unsigned n = first + k / 4, byte = k % 4 + (high ? 2 : 0);
      const LaneShadow *lanes = n < 256 ? shadow.vgprIfDirty(n) : nullptr;
      const bool undefined = lanes && (*lanes)[l] >> byte & 1;
      if (bytes) {
        bytes[k] = undefined;
      } else if (undefined && global) {
        report(w, plan.offset, "undefined-store", n, l, "stores to memory");
        break;
      }
    }
  }
}

/// The old value comes back, the new one is undefined if the old one or the operand is.
void UninitCheck::atomic(Wave &w, const InstPlan &plan, const LaneAccess &access) {
  WaveShadow &shadow = waves_[w.number];
  const Inst &op = *plan.first;
  const bool returns = plan.facts().memory == MemoryEffect::AtomicReturn;
  const unsigned first = plan.memory == MemoryClass::Buffer ? op.data : op.dst;
  const unsigned dwords = (access.bytes + 3u) / 4;
  for (unsigned l = 0; l < laneCount; ++l) {
    if (!(access.lanes >> l & 1))
      continue;
    bool operand = false;
    for (unsigned d = 0; d < dwords && op.data + d < 256 && plan.memory == MemoryClass::Lds; ++d)
      if (const LaneShadow *lanes = shadow.vgprIfDirty(op.data + d))
        operand |= (*lanes)[l] != 0;
    uint8_t *bytes = bytesOf(w, access, l);
    bool old = false;
    for (unsigned k = 0; k < access.bytes && bytes; ++k)
      old |= bytes[k] != 0;
    if (bytes)
      std::fill_n(bytes, access.bytes, uint8_t(old || operand));
    else if (access.space == Space::Global)
      global_.define(access.at[l], access.bytes);
    for (unsigned d = 0; returns && d < dwords && first + d < 256; ++d)
      shadow.setLane(first + d, l, 15, old ? 15 : 0, plan.offset);
  }
  for (unsigned d = 0; returns && d < dwords && first + d < 256; ++d)
    if (!shadow.clean(first + d))
      shadow.settle(first + d);
}

void UninitCheck::loadScalar(Wave &w, const InstPlan &plan, const LaneAccess &access) {
  WaveShadow &shadow = waves_[w.number];
  shadow.define(plan.writes, w.exec());
  if (global_.empty() || !access.lanes)
    return;
  unsigned dword = 0;
  for (unsigned unit = 256; unit < kRegUnits; ++unit) {
    if (!plan.writes.has(unit))
      continue;
    uint32_t undefined = 0;
    for (unsigned k = 0; k < 4; ++k)
      undefined |= global_.undefined(access.at[0] + 4 * dword + k) ? 0xffu << 8 * k : 0;
    if (undefined)
      shadow.setScalar(unit, undefined, plan.offset);
    ++dword;
  }
}

} // namespace rdna::emu
