#include "Emu/Jit/Runtime.h"

#include "Emu/LdsRows.h"

#include <cstring>

namespace rdna::emu::jit {
namespace {

/// Lanes out of range: the handler reports them and defines the results. It works on the wave's
/// registers, which may hold other versions of these VGPRs that compiled code still needs.
template <unsigned rows>
[[gnu::noinline]] void throughHandler(Wave &w, const Inst &i, const uint32_t *address,
                                      uint32_t *out) {
  Lanes from, savedAddress = w.vgpr(i.addr), saved[rows];
  std::memcpy(&from, address, sizeof from);
  std::memcpy(saved, &w.vgpr(i.dst), sizeof saved);
  w.vgpr(i.addr) = from;
  i.op->run(w, i);
  Lanes results[rows];
  std::memcpy(results, &w.vgpr(i.dst), sizeof results);
  w.vgpr(i.addr) = savedAddress;
  std::memcpy(&w.vgpr(i.dst), saved, sizeof saved);
  std::memcpy(out, results, sizeof results); // Last: it may be the registers themselves.
}

template <unsigned dwords>
void load(Wave &w, const Inst &i, const uint32_t *address, uint32_t *rows) {
  if (!ldsRows<dwords>(w, i, address, uint32_t(i.imm) & 0xffff, rows))
    throughHandler<dwords>(w, i, address, rows);
}

template <unsigned dwords, unsigned scale>
void load2(Wave &w, const Inst &i, const uint32_t *address, uint32_t *rows) {
  uint32_t first = (uint32_t(i.imm) & 0xff) * scale, second = (uint32_t(i.imm) >> 8 & 0xff) * scale;
  // The first result may lie over the addresses.
  alignas(64) uint32_t copy[laneCount];
  std::memcpy(copy, address, sizeof copy);
  if (!ldsRows<dwords>(w, i, copy, first, rows) ||
      !ldsRows<dwords>(w, i, copy, second, rows + dwords * laneCount))
    throughHandler<2 * dwords>(w, i, copy, rows);
}

} // namespace

LdsLoadFunction ldsLoadFunction(LdsShape s) {
  if (s.addresses == 1)
    return s.dwords == 1 ? load<1> : s.dwords == 2 ? load<2> : s.dwords == 3 ? load<3> : load<4>;
  if (s.dwords == 1)
    return s.scale == 4 ? load2<1, 4> : load2<1, 256>;
  return s.scale == 8 ? load2<2, 8> : load2<2, 512>;
}

} // namespace rdna::emu::jit
