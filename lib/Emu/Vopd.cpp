//===- Vopd.cpp - the fused pair of FMACs ---------------------------------===//
//
// Every VOPD is decoded into two operations (Fields.cpp); this one pair is worth a handler of its
// own: half the dispatches in the inner loop of a matrix product.
//
//===----------------------------------------------------------------------===//
#include "Emu/Fields.h"
#include "Emu/FloatOps.h"

namespace rdna::emu {
namespace {

RDNA_INLINE void fmacRow(uint32_t *d, const uint32_t *a, const uint32_t *b) {
  RDNA_LANE_LOOP
  for (unsigned l = 0; l < laneCount; ++l)
    d[l] = bits(
        fused(std::bit_cast<float>(a[l]), std::bit_cast<float>(b[l]), std::bit_cast<float>(d[l])));
}

} // namespace

void dualFmac(Wave &w, const Inst &x) {
  const Inst &y = *w.next;
  if (w.exec() != fullExec || (w.care & careF32)) [[unlikely]]
    return x.op->run(w, x); // The second half follows as the next operation.
  fmacRow(w.row(x.dstRow), w.row(x.src[0].row), w.row(x.src[1].row));
  fmacRow(w.row(y.dstRow), w.row(y.src[0].row), w.row(y.src[1].row));
  ++w.next;
}

} // namespace rdna::emu
