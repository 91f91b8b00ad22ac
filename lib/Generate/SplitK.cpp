// K in parts: each workgroup of the grid's z sums one, in the order of k, into a workspace of its
// own; a second kernel adds the parts' sums in their order. So the result does not depend on which
// workgroup is first.
#include "Generate/KernelCode.h"
#include "Generate/KernelWriter.h"

#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

namespace rdna::generate {

using S = Scalars;

/// A part is so many whole steps that all of them together are enough: the last ones may be shorter
/// or empty.
void splitK(KernelWriter &w) {
  const unsigned steps = S::kTemp, first = S::kTemp + 2, sums = S::kTemp + 6;
  const unsigned bk = w.shape.bk, parts = w.shape.spec.splitK, k = w.args.k;
  w.out.comment("which part of K this is");
  w.put(Op::s_add_u32, {sgpr(steps), sgpr(k), imm(int64_t{bk} * parts - 1)});
  w.put(Op::s_lshr_b32, {sgpr(steps), sgpr(steps), imm(llvm::Log2_32(bk * parts))});
  w.put(Op::s_lshl_b32, {sgpr(steps), sgpr(steps), imm(llvm::Log2_32(bk))});
  w.put(Op::s_mul_i32, {sgpr(first), sgpr(steps), sgpr(S::kGroupZ)});
  w.put(Op::s_min_u32, {sgpr(first), sgpr(first), sgpr(k)});
  w.put(Op::s_sub_u32, {sgpr(k), sgpr(k), sgpr(first)});
  w.put(Op::s_min_u32, {sgpr(k), sgpr(k), sgpr(steps)});
  addElements(w, w.args.a, first, w.shape.a.along == Along::K ? imm(1) : sgpr(w.args.lda));
  addElements(w, w.args.b, first, w.shape.b.along == Along::K ? imm(1) : sgpr(w.args.ldb));
  w.out.comment("its sums lie side by side in the workspace, one part behind the other");
  w.put(Op::s_mul_i32, {sgpr(sums), sgpr(w.args.rows), sgpr(w.args.columns)});
  w.put(Op::s_mul_hi_u32, {sgpr(sums + 1), sgpr(w.args.rows), sgpr(w.args.columns)});
  w.put(Op::s_mov_b64, {sgprPair(w.args.c), sgprPair(Arguments::kWorkspace)});
  addMultiple(w, w.args.c, sums, S::kGroupZ);
  w.put(Op::s_mov_b32, {sgpr(w.args.ldc), sgpr(w.args.columns)});
  w.put(Op::s_mov_b32, {sgpr(w.args.alpha), imm(0x3f800000)});
  w.put(Op::s_mov_b32, {sgpr(w.args.beta), imm(0)});
}

/// A workgroup for 256 columns of a row of C.
KernelCode writeSum(const KernelShape &shape) {
  KernelCode result;
  KernelSpec spec = shape.spec;
  const Vgpr column{0}, offset{1}, sum{2}, before{3};
  const auto part = [](unsigned n) { return Vgpr{static_cast<uint8_t>(4 + n)}; };
  TileSpec tile;
  tile.rows = tile.columns = 2;
  tile.fragments = 1;
  RegisterPool pool(0, 255);
  const TilePlan plan = llvm::cantFail(TilePlan::make(tile, pool)); // Not used.
  KernelWriter w{shape, plan, Arguments::of(spec.order), result.code, column, {}, 0};
  loadArguments(w);
  w.out.comment("the element, if its column is one of C");
  w.put(Op::s_lshl_b32, {sgpr(S::kTemp), sgpr(S::kGroupX), imm(8)});
  w.put(Op::v_add_nc_u32, {column, sgpr(S::kTemp), column});
  w.put(Op::v_lshlrev_b32, {offset, imm(2), column});
  w.put(Op::v_cmp_gt_u32, {sgpr(w.args.columns), column});
  w.put(Op::v_cndmask_b32, {offset, imm(kOutside), offset});
  w.out.comment("the parts' sums");
  addElements(w, Arguments::kWorkspace, S::kGroupY, sgpr(w.args.columns));
  makeResource(w, S::kA, Arguments::kWorkspace);
  addElements(w, w.args.c, S::kGroupY, sgpr(w.args.ldc));
  makeResource(w, S::kC, w.args.c);
  const unsigned stride = S::kTemp;
  w.put(Op::s_mul_i32, {sgpr(stride), sgpr(w.args.rows), sgpr(w.args.columns)});
  w.put(Op::s_mul_hi_u32, {sgpr(stride + 1), sgpr(w.args.rows), sgpr(w.args.columns)});
  w.put(Op::s_lshl_b64, {sgprPair(stride), sgprPair(stride), imm(2)});
  for (unsigned n = 0; n < spec.splitK; ++n) {
    if (n > 0)
      addPair(w, S::kA, stride);
    w.out << buildBufferLoad(part(n), 1, offset, S::kA, 0);
  }
  w.waitVm();
  w.put(Op::v_add_f32, {sum, part(0), part(1)});
  for (unsigned n = 2; n < spec.splitK; ++n)
    w.put(Op::v_add_f32, {sum, sum, part(n)});
  const std::string withC = w.freshLabel();
  w.put(Op::s_lshl_b32, {sgpr(S::kTemp), sgpr(w.args.beta), imm(1)});
  w.put(Op::s_cmp_lg_u32, {sgpr(S::kTemp), imm(0)});
  w.branch(Op::s_cbranch_scc1, withC);
  dropAlphaWithoutSum(w, kZeroBits);
  w.put(Op::v_mul_f32, {sum, sgpr(w.args.alpha), sum});
  w.out << buildBufferStore(sum, 1, offset, S::kC, 0);
  w.put(Op::s_endpgm, {});
  w.out.label(withC);
  w.out << buildBufferLoad(before, 1, offset, S::kC, 0);
  dropAlphaWithoutSum(w, kMinusZeroBits);
  w.waitVm();
  w.put(Op::v_mul_f32, {before, sgpr(w.args.beta), before});
  w.put(Op::v_fmac_f32, {before, sgpr(w.args.alpha), sum});
  w.out << buildBufferStore(before, 1, offset, S::kC, 0);
  w.put(Op::s_endpgm, {});
  result.vgprs = 4 + spec.splitK;
  return result;
}

} // namespace rdna::generate
