// C = alpha * accumulators + beta * C, row by row of a thread.
#include "Generate/KernelWriter.h"

#include <fmt/format.h>

namespace rdna::generate {

using S = Scalars;

namespace {

/// Columns of C that one access covers.
struct Access {
  unsigned column, width;
  Vgpr offset; ///< Bytes from C's part to the thread's first row there; outside if the column is.
};

/// An element of C and the sum that belongs to it.
struct Element {
  Vgpr value, sum;
};

class ResultWriter {
public:
  ResultWriter(KernelWriter &w, RegisterPool &pool, Path path) : w_(w), path_(path) {
    const unsigned most = vgprBudget(w.shape.occupancyWith(pool.used()));
    corner_ = {take(pool), take(pool), take(pool), take(pool)};
    row_ = take(pool);
    temps_ = {row_, take(pool), take(pool), take(pool)};
    const auto alpha = pool.take(kBanks);
    fits_ &= alpha.has_value();
    alpha_ = alpha.value_or(Vgpr{});
    const Interleave columns = w.shape.columns();
    for (unsigned column = 0; column < columns.elements;) {
      const bool isLast = columns.hasLast() && column + 1 == columns.elements;
      const unsigned width = path == Path::Narrow || isLast ? 1 : columns.group();
      accesses_.push_back({column, width, take(pool)});
      column += width;
    }
    // As many at once as cost no wave that the loop has; single ones even and odd in turn, so that
    // they pair.
    for (const Access &access : accesses_) {
      const bool isSingle = access.width == 1;
      RegisterPool next = pool;
      const auto value = next.take(access.width, isSingle ? 2 : 1,
                                   isSingle ? static_cast<unsigned>(values_.size() % 2) : 0);
      if (!value || (next.used() > most && !values_.empty()))
        break;
      pool = next;
      values_.push_back(*value);
    }
  }
  bool fits() const { return fits_ && !values_.empty(); }

  void prepare() {
    const bool isGuarded = w_.shape.spec.edges == Edges::Guarded;
    w_.threadCorner(corner_, temps_);
    w_.put(Op::v_mul_lo_u32, {row_, corner_.row, sgpr(S::kRowBytes)});
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
      w_.put(Op::v_add_nc_u32, {access.offset, row_, access.offset});
    }
  }

  enum class Beta { Zero, Other };
  void rows(Beta beta) {
    loadAlpha(beta);
    for (unsigned row = 0; row < w_.shape.threadRows; ++row)
      oneRow(row, beta);
  }

private:
  static constexpr unsigned kBanks = 4;

  Vgpr take(RegisterPool &pool) {
    const auto taken = pool.take();
    fits_ &= taken.has_value();
    return taken.value_or(Vgpr{});
  }

  /// A copy in every bank: a pair of products reads one whose bank none of its sums has.
  void loadAlpha(Beta beta) {
    dropAlphaWithoutSum(w_, beta == Beta::Zero ? kZeroBits : kMinusZeroBits);
    const auto copy = [&](unsigned number) {
      return VopdHalf{Op::v_mov_b32, alpha(number), scalar(w_.args.alpha), {}, std::nullopt};
    };
    for (unsigned number = 0; number < kBanks; number += 2)
      w_.out << buildVopd(copy(number), copy(number + 1));
  }
  Vgpr alpha(unsigned number) const { return {static_cast<uint8_t>(alpha_.number + number)}; }
  static VopdSource scalar(unsigned sgpr) { return {VopdSource::Kind::Scalar, sgpr}; }
  static VopdSource vector(Vgpr vgpr) { return {VopdSource::Kind::Vgpr, vgpr.number}; }

  /// A row outside of C switches its lanes off.
  void oneRow(unsigned row, Beta beta) {
    const Interleave rows = w_.shape.rows();
    const bool isLast = rows.hasLast() && row + 1 == rows.elements;
    const bool isGuarded = w_.shape.spec.edges == Edges::Guarded;
    const std::string behind =
        fmt::format("{}_row{}{}", w_.label(path_), row, beta == Beta::Zero ? "" : "_with_c");
    if (isLast)
      goToLastRow();
    if (isGuarded) {
      Vgpr number = isLast ? corner_.lastRow : corner_.row;
      if (const unsigned further = rows.offset(row); further != 0) {
        w_.put(Op::v_add_nc_u32, {row_, imm(further), number});
        number = row_;
      }
      w_.put(Op::v_cmp_gt_u32, {sgpr(S::kRows), number});
      w_.put(Op::s_mov_b32, {Arg(kExecLo), Arg(kVccLo)});
      w_.branch(Op::s_cbranch_execz, behind);
    }
    // How far it is from the first row is the same for all lanes.
    std::optional<unsigned> further;
    if (rows.offset(row) != 0) {
      further = S::kTemp;
      w_.put(Op::s_mul_i32, {sgpr(*further), sgpr(S::kRowBytes), imm(rows.offset(row))});
    }
    for (size_t first = 0; first < accesses_.size(); first += values_.size())
      chunk(row, further, first, beta);
    if (isGuarded) {
      w_.out.label(behind);
      w_.put(Op::s_mov_b32, {Arg(kExecLo), imm(-1)});
    }
  }

  /// The last of an odd number is not as far from the first for every lane.
  void goToLastRow() {
    w_.put(Op::v_sub_nc_u32, {row_, corner_.lastRow, corner_.row});
    w_.put(Op::v_mul_lo_u32, {row_, row_, sgpr(S::kRowBytes)});
    for (const Access &access : accesses_)
      w_.put(Op::v_add_nc_u32, {access.offset, row_, access.offset});
  }

  void chunk(unsigned row, std::optional<unsigned> further, size_t first, Beta beta) {
    // Values are numbered from the first access of a chunk on, and none is narrower than there.
    const size_t count = std::min(values_.size(), accesses_.size() - first);
    std::vector<Element> elements;
    for (size_t i = 0; i < count; ++i) {
      const Access &access = accesses_[first + i];
      for (unsigned e = 0; e < access.width; ++e)
        elements.push_back({{static_cast<uint8_t>(values_[i].number + e)},
                            w_.plan.accumulator(row, access.column + e, 0, 1)});
      if (beta == Beta::Other)
        w_.out << buildBufferLoad(values_[i], access.width, access.offset, S::kC, 0, further);
    }
    if (beta == Beta::Other) {
      w_.waitVm();
      inPairs(elements, [&](const Element &e, unsigned) {
        return VopdHalf{Op::v_mul_f32, e.value, scalar(w_.args.beta), vector(e.value),
                        std::nullopt};
      });
    }
    const Op op = beta == Beta::Zero ? Op::v_mul_f32 : Op::v_fmac_f32;
    // Ways: which copy of alpha, and on which side it is.
    inPairs(elements, [&](const Element &e, unsigned way) {
      VopdSource sum = vector(e.sum), factor = vector(alpha(way / 2));
      if (way % 2 != 0)
        std::swap(sum, factor);
      return VopdHalf{op, e.value, sum, factor, std::nullopt};
    });
    for (size_t i = 0; i < count; ++i)
      w_.out << buildBufferStore(values_[i], accesses_[first + i].width,
                                 accesses_[first + i].offset, S::kC, 0, further);
  }

  /// The operation on every element, on two at once where some way to write both has no conflict.
  template <typename Make> void inPairs(const std::vector<Element> &elements, Make make) {
    constexpr unsigned ways = 2 * kBanks;
    const auto pairOf = [&](const Element &x, const Element &y) {
      for (unsigned way = 0; way < ways * ways; ++way) {
        const VopdHalf first = make(x, way % ways), second = make(y, way / ways);
        if (!whyNotDual(first, second) && !hasParityHazard(first, second) &&
            sourceBankConflicts(first, second) == 0)
          return std::optional(buildVopd(first, second));
      }
      return std::optional<Inst>();
    };
    for (size_t i = 0; i < elements.size(); ++i) {
      if (i + 1 < elements.size())
        if (auto pair = pairOf(elements[i], elements[i + 1])) {
          w_.out << *pair;
          ++i;
          continue;
        }
      const bool isBeside = bankOf(alpha(0)) == bankOf(elements[i].sum);
      const VopdHalf half = make(elements[i], isBeside ? 2 : 0); // Another bank's copy.
      w_.out << buildLane({half.op, half.dst, half.src0, half.src1, half.dst, std::nullopt});
    }
  }

  KernelWriter &w_;
  Path path_;
  bool fits_ = true;
  KernelWriter::Corner corner_{};
  Vgpr row_;
  std::array<Vgpr, 4> temps_{};
  Vgpr alpha_; ///< The first copy.
  std::vector<Access> accesses_;
  std::vector<Vgpr> values_;
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
