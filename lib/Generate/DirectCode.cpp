// Kernels without LDS: a wave has its rows of A in SGPRs, and each lane loads its own columns of B.
// Waves that share columns find them in the cache, and no wave waits for another.
#include "Generate/KernelWriter.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::generate {

using S = Scalars;

namespace {

/// Elements of step s are in set s % sets; they are asked for sets - 1 steps ahead, when the step
/// in front has read those that they replace. A is one step ahead.
class DirectPath {
public:
  DirectPath(KernelWriter &w, RegisterPool &pool, Path path)
      : w_(w), path_(path), prefix_(w.label(path)), sets_(setsOf(w.shape.spec)), bk_(w.shape.bk) {
    const Interleave columns = w.shape.columns();
    width_ = path == Path::Narrow ? 1 : columns.group();
    for (unsigned column = 0; column < columns.elements; column += width_) {
      const auto taken = pool.take();
      fits_ &= taken.has_value();
      offsets_.push_back(taken.value_or(Vgpr{}));
    }
  }
  bool fits() const { return fits_; }

  bool write(RegisterPool &pool) {
    w_.out.label(prefix_);
    prepare();
    clearSums(w_);
    if (w_.shape.spec.edges == Edges::Guarded)
      rest();
    wholeSteps();
    w_.out.label(label("store"));
    w_.plan.releaseFragments(pool);
    for (const Vgpr offset : offsets_)
      pool.release(offset);
    return writeResults(w_, pool, path_, prefix_);
  }

private:
  std::string label(std::string_view name) const { return fmt::format("{}_{}", prefix_, name); }
  unsigned loads() const { return static_cast<unsigned>(offsets_.size()); }

  void prepare() {
    w_.out.comment("where a lane's elements of B are in a line");
    const std::array<Vgpr, 4> temps{w_.temp(0), w_.temp(1), w_.temp(2), w_.temp(3)};
    w_.put(Op::v_lshrrev_b32, {temps[0], imm(5), w_.thread});
    w_.divide(temps[2], temps[3], temps[0], w_.shape.waveColumns);
    w_.scalarRows(temps[2]);
    const Vgpr column = offsets_.front(); // Its own offset is made last.
    w_.threadCorner({temps[2], column, temps[2], temps[2]}, temps);
    for (unsigned load = loads(); load-- > 0;) {
      const Vgpr offset = offsets_[load];
      if (const unsigned before = w_.shape.columns().offset(load * width_))
        w_.put(Op::v_add_nc_u32, {offset, imm(before), column});
      else if (load > 0)
        w_.put(Op::v_mov_b32, {offset, column});
      const bool isGuarded = w_.shape.spec.edges == Edges::Guarded;
      if (isGuarded)
        w_.put(Op::v_cmp_gt_u32, {sgpr(S::kColumns), offset});
      w_.put(Op::v_lshlrev_b32, {offset, imm(2), offset});
      if (isGuarded)
        w_.put(Op::v_cndmask_b32, {offset, imm(kOutside), offset});
    }
    w_.out.comment("bytes from a line of B to those behind it, and to the first that has none");
    w_.put(Op::s_lshl_b32, {sgpr(line(1)), sgpr(w_.args.ldb), imm(2)});
    for (unsigned number = 2; number < lines(); ++number)
      w_.put(Op::s_add_u32, {sgpr(line(number)), sgpr(line(number - 1)), sgpr(line(1))});
    w_.put(Op::s_lshl_b32, {sgpr(S::kAdvanceB), sgpr(line(1)), imm(llvm::Log2_32(lines()))});
  }

  /// SGPRs for the distance to a line: of arguments that are not needed any more, and what scalar
  /// elements leave.
  unsigned line(unsigned number) const {
    constexpr unsigned first = S::kStage, count = 7;
    return number <= count ? first + number - 1 : elementsEnd() + number - count - 1;
  }
  unsigned elementsEnd() const { return S::kElements + 2 * scalarsPerSet(w_.plan.spec()); }
  /// Lines that are reached from one base: a power of 2.
  unsigned lines() const {
    const unsigned sgprs = 7 + S::kEnd - elementsEnd();
    return std::min(bk_, llvm::bit_floor(sgprs + 1));
  }

  void loadLine(unsigned step) {
    for (unsigned load = 0; load < loads(); ++load) {
      const unsigned column = load * width_, number = step % lines();
      const Vgpr to{static_cast<uint8_t>(w_.plan.bPair(column / 2, step).number + column % 2)};
      w_.out << buildBufferLoad(to, width_, offsets_[load], S::kB, 0,
                                number == 0 ? std::nullopt : std::optional(line(number)));
    }
  }

  void advance(unsigned bytes) {
    w_.put(Op::s_add_u32, {sgpr(S::kB), sgpr(S::kB), sgpr(bytes)});
    w_.put(Op::s_addc_u32, {sgpr(S::kB + 1), sgpr(S::kB + 1), imm(0)});
  }

  /// Until A's elements are there, and of B's loads but the last `outstanding` lines.
  void wait(unsigned outstanding) {
    w_.out << buildWait({.vm = std::min(outstanding * loads(), 63u), .lgkm = 0, .exp = {}});
  }

  void multiply(unsigned step) {
    for (const TileOp &op : w_.plan.ops(step, bk_).own)
      w_.out << instruction(op);
  }

  /// What K is more than a multiple of bk comes first, one k at a time.
  void rest() {
    w_.put(Op::s_cmp_eq_u32, {sgpr(S::kRest), imm(0)});
    w_.branch(Op::s_cbranch_scc1, label("whole"));
    w_.put(Op::s_mov_b32, {sgpr(S::kCount), sgpr(S::kRest)});
    w_.out.label(label("rest"));
    loadScalars(w_.out, w_.plan, w_.sides.scalarA, 0, 0);
    loadLine(0);
    wait(0);
    multiply(0);
    advance(line(1));
    w_.put(Op::s_sub_u32, {sgpr(S::kCount), sgpr(S::kCount), imm(1)});
    w_.put(Op::s_cmp_lg_u32, {sgpr(S::kCount), imm(0)});
    w_.branch(Op::s_cbranch_scc1, label("rest"));
    w_.out.label(label("whole"));
  }

  /// Behind the last step there is nothing: a buffer without records is not accessed, loads give 0.
  void emptyAtEnd(unsigned resource) {
    w_.put(Op::s_cmp_eq_u32, {sgpr(S::kCount), imm(0)});
    w_.put(Op::s_cselect_b32, {sgpr(resource + 2), imm(0), sgpr(resource + 2)});
  }

  void loopBody() {
    for (unsigned step = 0; step < bk_; ++step) {
      w_.out.comment(fmt::format("step {}", step));
      wait(sets_ - 2);
      if (step + 1 == bk_)
        emptyAtEnd(S::kA);
      loadScalars(w_.out, w_.plan, w_.sides.scalarA, step + 1, 0);
      const unsigned ahead = step + sets_ - 1;
      if (ahead % lines() == 0)
        advance(S::kAdvanceB);
      if (ahead == bk_)
        emptyAtEnd(S::kB);
      loadLine(ahead);
      multiply(step);
    }
  }

  void wholeSteps() {
    w_.put(Op::s_cmp_eq_u32, {sgpr(S::kSteps), imm(0)});
    w_.branch(Op::s_cbranch_scc1, label("store"));
    loadScalars(w_.out, w_.plan, w_.sides.scalarA, 0, 0);
    for (unsigned step = 0; step + 1 < sets_; ++step)
      loadLine(step);
    w_.put(Op::s_sub_u32, {sgpr(S::kCount), sgpr(S::kSteps), imm(1)});
    w_.out.label(label("loop"));
    loopBody();
    w_.put(Op::s_sub_u32, {sgpr(S::kCount), sgpr(S::kCount), imm(1)});
    w_.branch(Op::s_cbranch_scc0, label("loop"));
    wait(0);
  }

  KernelWriter &w_;
  Path path_;
  std::string prefix_;
  unsigned sets_, bk_, width_ = 1;
  bool fits_ = true;
  std::vector<Vgpr> offsets_; ///< In a line, by load.
};

} // namespace

bool writeDirect(KernelWriter &w, RegisterPool &pool, Path path) {
  DirectPath direct(w, pool, path);
  return direct.fits() && direct.write(pool);
}

} // namespace rdna::generate
