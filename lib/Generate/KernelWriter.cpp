#include "Generate/KernelWriter.h"

#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

namespace rdna::generate {

Arguments Arguments::of(Order order) {
  constexpr unsigned s = Scalars::kArguments, strides = Scalars::kStrides;
  Arguments args{s,      s + 2,  s + 4,  s + 6,  s + 7,   s + 8,       s + 9,
                 s + 10, s + 11, s + 12, s + 13, strides, strides + 2, strides + 4};
  if (order == Order::Row)
    return args;
  std::swap(args.a, args.b);
  std::swap(args.rows, args.columns);
  std::swap(args.lda, args.ldb);
  std::swap(args.strideA, args.strideB);
  return args;
}

std::string KernelWriter::label(Path path) const {
  return fmt::format(".L{}_{}", shape.name, path == Path::Wide ? "wide" : "narrow");
}

std::string KernelWriter::freshLabel() { return fmt::format(".L{}_{}", shape.name, labels++); }

Vgpr KernelWriter::temp(unsigned number) const {
  // A tile has at least four.
  const unsigned columns = shape.threadColumns;
  return plan.accumulator(number / columns, number % columns, 0, 1);
}

void KernelWriter::divide(Vgpr quotient, Vgpr rest, Vgpr value, unsigned divisor) {
  if (llvm::isPowerOf2_32(divisor)) {
    put(Op::v_lshrrev_b32, {quotient, imm(llvm::Log2_32(divisor)), value});
    put(Op::v_and_b32, {rest, imm(divisor - 1), value});
    return;
  }
  // Exact, because the values are below 2^16.
  const uint64_t inverse = ((uint64_t{1} << 32) + divisor - 1) / divisor;
  put(Op::v_mul_hi_u32, {quotient, value, imm(static_cast<int64_t>(inverse))});
  put(Op::v_mul_u32_u24, {rest, imm(divisor), quotient});
  put(Op::v_sub_nc_u32, {rest, value, rest});
}

void KernelWriter::threadCorner(const Corner &to, const std::array<Vgpr, 4> &temps) {
  const auto [wave, lane, waveRow, waveColumn] = temps;
  put(Op::v_lshrrev_b32, {wave, imm(5), thread});
  put(Op::v_and_b32, {lane, imm(31), thread});
  divide(waveRow, waveColumn, wave, shape.waveColumns);
  const Vgpr laneRow = wave;
  const auto side = [&](Vgpr group, Vgpr last, Vgpr wavePlace, Vgpr lanePlace,
                        const Interleave &interleave) {
    put(Op::v_mul_u32_u24, {wavePlace, imm(interleave.elements * interleave.lanes), wavePlace});
    if (interleave.hasLast()) {
      put(Op::v_add_nc_u32, {last, wavePlace, lanePlace});
      put(Op::v_add_nc_u32, {last, imm(interleave.lastBase()), last});
    }
    put(Op::v_lshl_add_u32, {group, lanePlace, imm(llvm::Log2_32(interleave.group())), wavePlace});
  };
  put(Op::v_lshrrev_b32, {laneRow, imm(llvm::Log2_32(shape.laneColumns)), lane});
  side(to.row, to.lastRow, waveRow, laneRow, shape.rows());
  put(Op::v_and_b32, {lane, imm(shape.laneColumns - 1), lane});
  side(to.column, to.lastColumn, waveColumn, lane, shape.columns());
}

void clearSums(KernelWriter &w) {
  std::vector<Vgpr> parities[2];
  for (unsigned row = 0; row < w.shape.threadRows; ++row)
    for (unsigned column = 0; column < w.shape.threadColumns; ++column) {
      const Vgpr sum = w.plan.accumulator(row, column, 0, 1);
      parities[sum.number % 2].push_back(sum);
    }
  const auto &[even, odd] = parities;
  const auto zero = [](Vgpr to) {
    return VopdHalf{Op::v_mov_b32, to, {VopdSource::Kind::Inline, 0}, {}, std::nullopt};
  };
  for (size_t i = 0; i < even.size(); ++i)
    if (i < odd.size())
      w.out << buildVopd(zero(even[i]), zero(odd[i]));
    else
      w.put(Op::v_mov_b32, {even[i], imm(0)});
}

} // namespace rdna::generate
