// What is the same for all threads of a workgroup, and computed once.
#include "Generate/KernelWriter.h"

#include "llvm/Support/MathExtras.h"

namespace rdna::generate {

using S = Scalars;

void addPair(KernelWriter &w, unsigned pair, unsigned bytes) {
  w.put(Op::s_add_u32, {sgpr(pair), sgpr(pair), sgpr(bytes)});
  w.put(Op::s_addc_u32, {sgpr(pair + 1), sgpr(pair + 1), sgpr(bytes + 1)});
}

void addElements(KernelWriter &w, unsigned pair, unsigned x, const Arg &y) {
  const unsigned t = S::kTemp;
  w.put(Op::s_mul_i32, {sgpr(t), sgpr(x), y});
  w.put(Op::s_mul_hi_u32, {sgpr(t + 1), sgpr(x), y});
  w.put(Op::s_lshl_b64, {sgprPair(t), sgprPair(t), imm(2)});
  addPair(w, pair, t);
}

void loadArguments(KernelWriter &w) {
  w.out << buildScalarLoad(S::kArguments, 8, S::kKernarg, 0)
        << buildScalarLoad(S::kArguments + 8, 4, S::kKernarg, 32)
        << buildScalarLoad(S::kArguments + 12, 2, S::kKernarg, 48);
  if (w.shape.spec.batches == Batches::Strided)
    w.out << buildScalarLoad(S::kStrides, 4, S::kKernarg, 56)
          << buildScalarLoad(S::kStrides + 4, 2, S::kKernarg, 72);
  if (w.shape.isSplit())
    w.out << buildScalarLoad(Arguments::kWorkspace, 2, S::kKernarg, 56);
  w.waitLgkm();
}

void addMultiple(KernelWriter &w, unsigned pair, unsigned elements, unsigned times) {
  const unsigned t = S::kTemp;
  w.put(Op::s_mul_i32, {sgpr(t), sgpr(elements), sgpr(times)});
  w.put(Op::s_mul_hi_u32, {sgpr(t + 1), sgpr(elements), sgpr(times)});
  w.put(Op::s_mul_i32, {sgpr(t + 2), sgpr(elements + 1), sgpr(times)});
  w.put(Op::s_add_u32, {sgpr(t + 1), sgpr(t + 1), sgpr(t + 2)});
  w.put(Op::s_lshl_b64, {sgprPair(t), sgprPair(t), imm(2)});
  addPair(w, pair, t);
}

/// Each matrix of the batch: its stride has 64 bits.
static void addBatch(KernelWriter &w) {
  addMultiple(w, w.args.a, w.args.strideA, S::kGroupZ);
  addMultiple(w, w.args.b, w.args.strideB, S::kGroupZ);
  addMultiple(w, w.args.c, w.args.strideC, S::kGroupZ);
}

void makeResource(KernelWriter &w, unsigned resource, unsigned base) {
  w.put(Op::s_mov_b32, {sgpr(resource), sgpr(base)});
  w.put(Op::s_and_b32, {sgpr(resource + 1), sgpr(base + 1), imm(0xffff)});
  w.put(Op::s_mov_b32, {sgpr(resource + 2), imm(kOutside)});
  w.put(Op::s_mov_b32, {sgpr(resource + 3), imm(0x31004000)}); // raw, 32-bit elements
}

/// Blocks are started along x. So that blocks that share rows of A and columns of B run together,
/// x counts `swizzle` rows in turn. The last ones may be no rows of C.
static void exchangeBlocks(KernelWriter &w) {
  const unsigned swizzle = w.shape.spec.swizzle, turn = llvm::Log2_32(swizzle), t = S::kTemp;
  w.out.comment("which block this is");
  w.put(Op::s_and_b32, {sgpr(t), sgpr(S::kGroupX), imm(swizzle - 1)});
  w.put(Op::s_lshl_b32, {sgpr(S::kGroupY), sgpr(S::kGroupY), imm(turn)});
  w.put(Op::s_add_u32, {sgpr(S::kGroupY), sgpr(S::kGroupY), sgpr(t)});
  w.put(Op::s_lshr_b32, {sgpr(S::kGroupX), sgpr(S::kGroupX), imm(turn)});
  w.put(Op::s_mul_i32, {sgpr(t), sgpr(S::kGroupY), imm(w.shape.blockRows)});
  w.put(Op::s_cmp_lt_u32, {sgpr(t), sgpr(w.args.rows)});
  const std::string inside = w.freshLabel();
  w.branch(Op::s_cbranch_scc1, inside);
  w.put(Op::s_endpgm, {});
  w.out.label(inside);
}

/// Offsets have 31 bits: a trap is better than the wrong elements where what one block accesses of
/// a matrix at once is not below 2 GiB.
static void trapIfTooLarge(KernelWriter &w) {
  const KernelShape &shape = w.shape;
  const unsigned all = S::kTemp, lines = S::kTemp + 1, high = S::kTemp + 2;
  w.out.comment("do offsets within the block reach everything?");
  w.put(Op::s_mov_b32, {sgpr(all), imm(0)});
  const auto add = [&](unsigned extent, unsigned most, unsigned leading) {
    w.put(Op::s_min_u32, {sgpr(lines), sgpr(extent), imm(most)});
    w.put(Op::s_mul_hi_u32, {sgpr(high), sgpr(lines), sgpr(leading)});
    w.put(Op::s_mul_i32, {sgpr(lines), sgpr(lines), sgpr(leading)});
    w.put(Op::s_lshr_b32, {sgpr(lines), sgpr(lines), imm(29)}); // Of elements.
    w.put(Op::s_or_b32, {sgpr(all), sgpr(all), sgpr(high)});
    w.put(Op::s_or_b32, {sgpr(all), sgpr(all), sgpr(lines)});
  };
  const auto addTile = [&](const TileShape &tile, unsigned extent, unsigned leading) {
    if (tile.along == Along::K)
      add(extent, tile.extent, leading);
    else
      add(w.args.k, shape.bk, leading);
  };
  addTile(shape.a, S::kRows, w.args.lda);
  addTile(shape.b, S::kColumns, w.args.ldb);
  add(S::kRows, shape.blockRows, w.args.ldc);
  const std::string below = w.freshLabel();
  w.put(Op::s_cmp_eq_u32, {sgpr(all), imm(0)});
  w.branch(Op::s_cbranch_scc1, below);
  w.put(Op::s_trap, {imm(2)});
  w.put(Op::s_endpgm, {});
  w.out.label(below);
}

void dropAlphaWithoutSum(KernelWriter &w, int64_t bits) {
  w.put(Op::s_cmp_eq_u32, {sgpr(w.args.k), imm(0)});
  w.put(Op::s_cselect_b32, {sgpr(w.args.alpha), imm(bits), sgpr(w.args.alpha)});
}

void writeScalars(KernelWriter &w) {
  const KernelShape &shape = w.shape;
  const unsigned row = S::kTemp + 4, column = S::kTemp + 5;
  loadArguments(w);
  if (shape.spec.swizzle > 1)
    exchangeBlocks(w);
  w.out.comment("the block's first row and column");
  w.put(Op::s_mul_i32, {sgpr(row), sgpr(S::kGroupY), imm(shape.blockRows)});
  w.put(Op::s_mul_i32, {sgpr(column), sgpr(S::kGroupX), imm(shape.blockColumns)});
  w.put(Op::s_sub_u32, {sgpr(S::kRows), sgpr(w.args.rows), sgpr(row)});
  w.put(Op::s_sub_u32, {sgpr(S::kColumns), sgpr(w.args.columns), sgpr(column)});
  if (shape.spec.batches == Batches::Strided)
    addBatch(w);
  if (shape.isSplit())
    splitK(w);
  trapIfTooLarge(w);
  w.out.comment("where its part of A, B and C begins");
  addElements(w, w.args.a, row, shape.a.along == Along::K ? sgpr(w.args.lda) : imm(1));
  addElements(w, w.args.b, column, shape.b.along == Along::K ? sgpr(w.args.ldb) : imm(1));
  addElements(w, w.args.c, row, sgpr(w.args.ldc));
  addElements(w, w.args.c, column, imm(1));
  makeResource(w, S::kA, w.args.a);
  makeResource(w, S::kB, w.args.b);
  makeResource(w, S::kC, w.args.c);
  w.out.comment("bytes from step to step; steps of K");
  const auto advance = [&](unsigned to, const TileShape &tile, unsigned leading) {
    if (tile.along == Along::K)
      w.put(Op::s_mov_b32, {sgpr(to), imm(4 * shape.bk)});
    else
      w.put(Op::s_mul_i32, {sgpr(to), sgpr(leading), imm(4 * shape.bk)});
  };
  if (shape.isScalar()) // It advances with every k.
    w.put(Op::s_lshl_b32, {sgpr(S::kAdvanceA), sgpr(w.args.lda), imm(2)});
  else
    advance(S::kAdvanceA, shape.a, w.args.lda);
  advance(S::kAdvanceB, shape.b, w.args.ldb);
  w.put(Op::s_lshr_b32, {sgpr(S::kSteps), sgpr(w.args.k), imm(llvm::Log2_32(shape.bk))});
  w.put(Op::s_and_b32, {sgpr(S::kRest), sgpr(w.args.k), imm(shape.bk - 1)});
  w.put(Op::s_lshl_b32, {sgpr(S::kRowBytes), sgpr(w.args.ldc), imm(2)});
}

/// Both kinds of accesses are possible if whatever they depend on is a multiple of 4 elements.
void choosePath(KernelWriter &w) {
  const Arguments &args = w.args;
  const unsigned bytes = S::kTemp, elements = S::kTemp + 1;
  w.out.comment("are wide loads and stores possible?");
  w.put(Op::s_or_b32, {sgpr(bytes), sgpr(S::kA), sgpr(S::kB)});
  w.put(Op::s_or_b32, {sgpr(bytes), sgpr(bytes), sgpr(S::kC)});
  w.put(Op::s_and_b32, {sgpr(bytes), sgpr(bytes), imm(15)});
  w.put(Op::s_or_b32, {sgpr(elements), sgpr(args.lda), sgpr(args.ldb)});
  w.put(Op::s_or_b32, {sgpr(elements), sgpr(elements), sgpr(args.ldc)});
  w.put(Op::s_or_b32, {sgpr(elements), sgpr(elements), sgpr(args.columns)});
  const auto line = [&](const TileShape &tile, unsigned edge) {
    return tile.along == Along::K ? args.k : edge;
  };
  w.put(Op::s_or_b32, {sgpr(elements), sgpr(elements), sgpr(line(w.shape.a, args.rows))});
  w.put(Op::s_or_b32, {sgpr(elements), sgpr(elements), sgpr(line(w.shape.b, args.columns))});
  w.put(Op::s_and_b32, {sgpr(elements), sgpr(elements), imm(3)});
  w.put(Op::s_or_b32, {sgpr(bytes), sgpr(bytes), sgpr(elements)});
  w.put(Op::s_cmp_lg_u32, {sgpr(bytes), imm(0)});
  w.branch(Op::s_cbranch_scc1, w.label(Path::Narrow));
}

void KernelWriter::scalarRows(Vgpr waveRow) {
  const unsigned row = S::kTemp, left = S::kTemp + 1;
  out.comment("the wave's rows of A");
  put(Op::v_readfirstlane_b32, {sgpr(row), waveRow});
  put(Op::s_mul_i32, {sgpr(row), sgpr(row), imm(shape.threadRows)});
  // Rows that C does not have read 0: the buffer ends with C's last one.
  put(Op::s_sub_u32, {sgpr(left), sgpr(S::kRows), sgpr(row)});
  put(Op::s_cselect_b32, {sgpr(left), imm(0), sgpr(left)}); // if that borrows
  put(Op::s_min_u32, {sgpr(left), sgpr(left), imm(shape.threadRows)});
  put(Op::s_lshl_b32, {sgpr(S::kA + 2), sgpr(left), imm(2)});
  put(Op::s_lshl_b32, {sgpr(row), sgpr(row), imm(2)});
  put(Op::s_add_u32, {sgpr(S::kA), sgpr(S::kA), sgpr(row)});
  put(Op::s_addc_u32, {sgpr(S::kA + 1), sgpr(S::kA + 1), imm(0)});
}

} // namespace rdna::generate
