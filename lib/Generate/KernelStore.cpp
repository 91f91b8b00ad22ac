// C = alpha * accumulators + beta * C, row by row of a thread.
#include "Generate/KernelWriter.h"

#include <fmt/format.h>

namespace rdna::generate {

using S = Scalars;

namespace {

/// Columns of C that one access covers.
struct Access {
  unsigned column, width;
  Vgpr offset; ///< Bytes from the row's start; outside if the column is.
  Vgpr value;
};

class ResultWriter {
public:
  ResultWriter(KernelWriter &w, RegisterPool &pool, Path path) : w_(w), path_(path) {
    corner_ = {take(pool), take(pool), take(pool), take(pool)};
    row_ = take(pool);
    at_ = take(pool);
    temps_ = {row_, at_, take(pool), take(pool)};
    const Interleave columns = w.shape.columns();
    for (unsigned column = 0; column < columns.elements;) {
      const bool isLast = columns.hasLast() && column + 1 == columns.elements;
      const unsigned width = path == Path::Narrow || isLast ? 1 : columns.group();
      accesses_.push_back({column, width, take(pool), {}});
      column += width;
    }
    // As many at once as registers allow.
    for (const Access &access : accesses_) {
      const auto value = pool.take(access.width);
      if (!value)
        break;
      values_.push_back(*value);
    }
    // What is loaded from an address is stored there, too.
    for (size_t n = 0; n < values_.size(); ++n)
      if (const auto address = pool.take())
        addresses_.push_back(*address);
    if (addresses_.size() < values_.size())
      addresses_.clear();
  }
  bool fits() const { return fits_ && !values_.empty(); }

  void prepare() {
    const bool isGuarded = w_.shape.spec.edges == Edges::Guarded;
    w_.threadCorner(corner_, temps_);
    const Interleave columns = w_.shape.columns();
    for (const Access &access : accesses_) {
      const bool isLast = columns.hasLast() && access.column + 1 == columns.elements;
      w_.put(Op::v_add_nc_u32, {access.offset, imm(columns.offset(access.column)),
                                isLast ? corner_.lastColumn : corner_.column});
      if (isGuarded)
        w_.put(Op::v_cmp_gt_u32, {sgpr(S::kColumns), access.offset});
      w_.put(Op::v_lshlrev_b32, {access.offset, imm(2), access.offset});
      if (isGuarded)
        w_.put(Op::v_cndmask_b32, {access.offset, imm(kOutside), access.offset});
    }
  }

  enum class Beta { Zero, Other };
  void rows(Beta beta) {
    for (unsigned row = 0; row < w_.shape.threadRows; ++row)
      oneRow(row, beta);
  }

private:
  Vgpr take(RegisterPool &pool) {
    const auto taken = pool.take();
    fits_ &= taken.has_value();
    return taken.value_or(Vgpr{});
  }

  /// A row outside of C switches its lanes off.
  void oneRow(unsigned row, Beta beta) {
    const Interleave rows = w_.shape.rows();
    const bool isLast = rows.hasLast() && row + 1 == rows.elements;
    const bool isGuarded = w_.shape.spec.edges == Edges::Guarded;
    const std::string behind =
        fmt::format("{}_row{}{}", w_.label(path_), row, beta == Beta::Zero ? "" : "_with_c");
    w_.put(Op::v_add_nc_u32, {row_, imm(rows.offset(row)), isLast ? corner_.lastRow : corner_.row});
    if (isGuarded) {
      w_.put(Op::v_cmp_gt_u32, {sgpr(S::kRows), row_});
      w_.put(Op::s_mov_b32, {Arg(kExecLo), Arg(kVccLo)});
      w_.branch(Op::s_cbranch_execz, behind);
    }
    w_.put(Op::v_mul_lo_u32, {row_, row_, sgpr(S::kRowBytes)});
    for (size_t first = 0; first < accesses_.size(); first += values_.size())
      chunk(row, first, std::min(values_.size(), accesses_.size() - first), beta);
    if (isGuarded) {
      w_.out.label(behind);
      w_.put(Op::s_mov_b32, {Arg(kExecLo), imm(-1)});
    }
  }

  void chunk(unsigned row, size_t first, size_t count, Beta beta) {
    // Values are numbered from the first access of a chunk on, and none is narrower than there.
    const auto addressOf = [&](size_t i) { return addresses_.empty() ? at_ : addresses_[i]; };
    const auto makeAddress = [&](size_t i) {
      w_.put(Op::v_add_nc_u32, {addressOf(i), row_, accesses_[first + i].offset});
    };
    if (beta == Beta::Other) {
      for (size_t i = 0; i < count; ++i) {
        makeAddress(i);
        w_.out << buildBufferLoad(values_[i], accesses_[first + i].width, addressOf(i), S::kC, 0);
      }
      w_.waitVm();
    }
    for (size_t i = 0; i < count; ++i) {
      const Access &access = accesses_[first + i];
      results(row, access, values_[i], beta);
      if (beta == Beta::Zero || addresses_.empty())
        makeAddress(i);
      w_.out << buildBufferStore(values_[i], access.width, addressOf(i), S::kC, 0);
    }
  }

  /// Neighbours of C are scaled together; their sums cannot be added so, because the accumulators
  /// of a row have one parity.
  void results(unsigned row, const Access &access, Vgpr first, Beta beta) {
    const auto scaled = [&](unsigned e) {
      const Vgpr value{static_cast<uint8_t>(first.number + e)};
      return VopdHalf{Op::v_mul_f32,
                      value,
                      {VopdSource::Kind::Scalar, w_.args.beta},
                      {VopdSource::Kind::Vgpr, value.number},
                      std::nullopt};
    };
    if (beta == Beta::Other) {
      for (unsigned e = 0; e + 1 < access.width; e += 2)
        w_.out << buildVopd(scaled(e), scaled(e + 1));
      if (access.width % 2 != 0)
        w_.put(Op::v_mul_f32, {vgpr(first.number + access.width - 1), sgpr(w_.args.beta),
                               vgpr(first.number + access.width - 1)});
    }
    for (unsigned e = 0; e < access.width; ++e) {
      const Arg sum = w_.plan.accumulator(row, access.column + e, 0, 1);
      w_.put(beta == Beta::Zero ? Op::v_mul_f32 : Op::v_fmac_f32,
             {vgpr(first.number + e), sgpr(w_.args.alpha), sum});
    }
  }

  KernelWriter &w_;
  Path path_;
  bool fits_ = true;
  KernelWriter::Corner corner_{};
  Vgpr row_, at_;
  std::array<Vgpr, 4> temps_{};
  std::vector<Access> accesses_;
  std::vector<Vgpr> values_;
  std::vector<Vgpr> addresses_; ///< Of the values of a chunk, if there is room.
};

} // namespace

bool writeResults(KernelWriter &w, RegisterPool &pool, Path path, std::string_view prefix) {
  ResultWriter results(w, pool, path);
  if (!results.fits())
    return false;
  const std::string withC = fmt::format("{}_with_c", prefix);
  results.prepare();
  w.out.comment("beta = 0, of either sign: C is not read");
  w.put(Op::s_lshl_b32, {sgpr(S::kTemp), sgpr(w.args.beta), imm(1)});
  w.put(Op::s_cmp_lg_u32, {sgpr(S::kTemp), imm(0)});
  w.branch(Op::s_cbranch_scc1, withC);
  results.rows(ResultWriter::Beta::Zero);
  w.put(Op::s_endpgm, {});
  w.out.label(withC);
  results.rows(ResultWriter::Beta::Other);
  w.put(Op::s_endpgm, {});
  return true;
}

} // namespace rdna::generate
