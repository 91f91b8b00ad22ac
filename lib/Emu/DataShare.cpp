//===- DataShare.cpp - GDS, ordered count, global wave sync, LDS-direct ---===//
#include "Emu/DataShare.h"
#include "Emu/Access.h"

#include <algorithm>

namespace rdna::emu {

/// The DS handlers work on GDS as if it were the workgroup's LDS: M0 holds base [31:16] and size
/// [15:0] of the window in bytes (ISA, "GDS"), and nothing else for these instructions.
void gdsAccess(Wave &w, const Inst &i) {
  auto &gds = w.globalShare->gds;
  std::byte *lds = w.lds;
  const uint32_t ldsBytes = w.ldsBytes, m0 = w.s[regM0];
  const auto base = uint32_t(std::min<size_t>(m0 >> 16, gds.size()));
  w.lds = gds.data() + base;
  w.ldsBytes = std::min(m0 & 0xffff, uint32_t(gds.size()) - base);
  w.s[regM0] = 0;
  i.op->run(w, i);
  w.lds = lds;
  w.ldsBytes = ldsBytes;
  w.s[regM0] = m0;
}

namespace {

uint32_t offset0(const Inst &i) { return uint32_t(i.imm) & 0xff; }
uint32_t offset1(const Inst &i) { return uint32_t(i.imm) >> 8 & 0xff; }

/// Counters that waves change in the order of their launch: that is the order in which they run
/// here. OFFSET0 [7:2] is the counter, OFFSET1 [5:4] the operation (0 add, 1 exchange), [7:6] the
/// number of counters less one, one for each of the lowest lanes (LLVM, DS_ORDERED_COUNT of
/// llvm.amdgcn.ds.ordered.*); M0 [31:16] is their base. Release and done bits order hardware waves.
void ds_ordered_count(Wave &w, const Inst &i) {
  auto &gds = w.globalShare->gds;
  const uint32_t first = (w.s[regM0] >> 16) + (offset0(i) & 0xfc), count = (offset1(i) >> 6) + 1;
  const bool exchanges = offset1(i) >> 4 & 1;
  const Lanes data = w.vgpr(i.addr);
  for (uint32_t l = 0; l < count; ++l) {
    if (!(w.exec() >> l & 1))
      continue;
    uint32_t at = first + 4 * l, old = 0;
    if (at + 4 <= gds.size()) {
      old = loadFrom<uint32_t>(&gds[at]);
      storeTo(&gds[at], exchanges ? data.lane[l] : old + data.lane[l]);
    }
    w.vgpr(i.dst).lane[l] = old;
  }
}

// Global wave sync (GCN3 guide, "DS_GWS_*"; resource number as in LLVM's AMDGPUUsage). A wave that
// would have to wait for waves of other workgroups is an error: these do not run at the same time.

uint32_t &gwsCounter(Wave &w, const Inst &i) {
  return w.globalShare->gws[((w.s[regM0] >> 16) + offset0(i)) & 63];
}
/// The first active lane's value.
uint32_t gwsValue(Wave &w, const Inst &i) {
  return w.vgpr(i.addr).lane[w.exec() ? __builtin_ctz(w.exec()) : 0];
}
void ds_gws_init(Wave &w, const Inst &i) { gwsCounter(w, i) = gwsValue(w, i); }
void ds_gws_sema_v(Wave &w, const Inst &i) { ++gwsCounter(w, i); }
void ds_gws_sema_br(Wave &w, const Inst &i) { gwsCounter(w, i) += gwsValue(w, i); }
/// Nobody waits here, so there is nobody to release.
void ds_gws_sema_release_all(Wave &, const Inst &) {}
void ds_gws_sema_p(Wave &w, const Inst &i) {
  uint32_t &counter = gwsCounter(w, i);
  if (counter == 0)
    return stopWave(w, i, Event::WouldWait);
  --counter;
}
/// The counter says how many others are still to come; the last one sets it up for the next round.
/// Who counts (waves or workgroups) is the driver's choice, so where all workgroups are resident
/// the barrier is passed when each of their waves is there.
void ds_gws_barrier(Wave &w, const Inst &i) {
  if (w.globalShare->residency == Residency::Together)
    return stopWave(w, i, Event::GridBarrier);
  uint32_t &counter = gwsCounter(w, i);
  if (counter != 0)
    return stopWave(w, i, Event::WouldWait);
  counter = gwsValue(w, i);
}

/// Broadcasts one value of LDS: M0 [15:0] is the byte address, [18:16] the type (ISA 12, "LDS
/// Direct": 0 u8, 1 u16, 2 dword, 4 i8, 5 i16). Only active lanes are written: a guess.
void lds_direct_load(Wave &w, const Inst &i) {
  const uint32_t address = w.s[regM0] & 0xffff, type = w.s[regM0] >> 16 & 7;
  const unsigned bytes = type == 2 ? 4 : 1u << (type & 1);
  uint32_t value = 0;
  if (address + bytes <= w.ldsBytes) {
    std::memcpy(&value, w.lds + address, bytes);
    if (type >= 4)
      value = bytes == 1 ? uint32_t(int8_t(value)) : uint32_t(int16_t(value));
  } else {
    w.memory->log().add(i.offset, AccessKind::Read, sharedAperture + address, w.number, 0);
  }
  uint32_t exec = w.exec();
  for (unsigned l = 0; l < laneCount; ++l)
    w.vgpr(i.dst).lane[l] = exec >> l & 1 ? value : w.vgpr(i.dst).lane[l];
}

} // namespace

std::span<const OpInfo> dataShareTable() {
  static constexpr OpInfo rows[] = {
#define GLOBAL_ROW(mnemonic)                                                                       \
  OpInfo{.name = #mnemonic,                                                                        \
         .run = &mnemonic,                                                                         \
         .shape = Shape::Ds,                                                                       \
         .order = OpInfo::GroupOrder,                                                              \
         .isAtomic = true},
#define LOCAL_ROW(mnemonic) OpInfo{.name = #mnemonic, .run = &mnemonic, .shape = Shape::Raw},
#include "Emu/DataShare.def"
#undef LOCAL_ROW
#undef GLOBAL_ROW
  };
  return rows;
}

} // namespace rdna::emu
