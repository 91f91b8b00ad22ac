#include "Generate/KernelCode.h"

#include "Generate/TileLoader.h"

#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

namespace rdna::generate {

using S = Scalars;

namespace {

/// One way through the kernel: everything behind the decision how wide its accesses are.
class PathWriter {
public:
  PathWriter(KernelWriter &w, std::vector<TileLoader> loaders, Path path)
      : w_(w), loaders_(std::move(loaders)), path_(path), prefix_(w.label(path)) {}

  /// False if registers do not suffice.
  bool write(RegisterPool &pool) {
    w_.out.label(prefix_);
    readAddresses();
    for (const TileLoader &loader : loaders_)
      loader.prepare(w_);
    if (isGuarded())
      guardShort();
    clearSums(w_);
    if (isGuarded())
      rest();
    wholeSteps();
    w_.out.label(label("store"));
    w_.plan.releaseFragments(pool);
    for (const TileLoader &loader : loaders_)
      loader.release(pool);
    return writeResults(w_, pool, path_, prefix_);
  }

private:
  bool isGuarded() const { return w_.shape.spec.edges == Edges::Guarded; }
  bool hasTwoStages() const { return w_.shape.spec.stages == 2; }
  std::string label(std::string_view name) const { return fmt::format("{}_{}", prefix_, name); }

  std::vector<std::pair<Vgpr, unsigned>> readers() const {
    std::vector<std::pair<Vgpr, unsigned>> all;
    for (const LdsSide *side : {&w_.sides.a, &w_.sides.b}) {
      if (w_.shape.isScalar() && side == &w_.sides.a)
        continue;
      all.emplace_back(side->address, side->stride);
      if (side->interleave.hasLast())
        all.emplace_back(side->lastAddress, side->stride);
    }
    return all;
  }

  void readAddresses() {
    const LdsSide &a = w_.sides.a, &b = w_.sides.b;
    w_.out.comment("where a lane's elements of A and B are in LDS");
    const std::array<Vgpr, 4> temps{w_.temp(0), w_.temp(1), w_.temp(2), w_.temp(3)};
    if (w_.shape.isScalar()) {
      w_.put(Op::v_lshrrev_b32, {temps[0], imm(5), w_.thread});
      w_.divide(temps[2], temps[3], temps[0], w_.shape.waveColumns);
      w_.scalarRows(temps[2]);
      w_.threadCorner({temps[2], b.address, temps[2], b.lastAddress}, temps);
    } else {
      w_.threadCorner({a.address, b.address, a.lastAddress, b.lastAddress}, temps);
    }
    for (const auto &[reg, stride] : readers())
      w_.put(Op::v_lshlrev_b32, {reg, imm(2), reg});
    if (w_.shape.b.base == 0)
      return;
    w_.put(Op::v_add_nc_u32, {b.address, imm(w_.shape.b.base), b.address});
    if (b.interleave.hasLast())
      w_.put(Op::v_add_nc_u32, {b.lastAddress, imm(w_.shape.b.base), b.lastAddress});
  }

  /// K below one step: what is loaded ends with it.
  void guardShort() {
    w_.put(Op::s_cmp_lg_u32, {sgpr(S::kSteps), imm(0)});
    w_.branch(Op::s_cbranch_scc1, label("clear"));
    for (const TileLoader &loader : loaders_)
      loader.guardRest(w_);
    w_.out.label(label("clear"));
  }

  void loadTile() {
    for (const TileLoader &loader : loaders_)
      for (unsigned i = 0; i < loader.count(); ++i)
        loader.load(w_, i);
  }

  void storeTile() {
    w_.waitVm();
    for (const TileLoader &loader : loaders_)
      loader.store(w_);
    w_.waitLgkm();
    w_.barrier();
  }

  /// What K is more than a multiple of bk comes first, one k at a time.
  void rest() {
    w_.put(Op::s_cmp_eq_u32, {sgpr(S::kRest), imm(0)});
    w_.branch(Op::s_cbranch_scc1, label("whole"));
    loadTile();
    storeTile();
    w_.put(Op::s_mov_b32, {sgpr(S::kCount), sgpr(S::kRest)});
    w_.out.label(label("rest"));
    loadStep(w_.out, w_.plan, w_.sides, 0, 0);
    w_.waitLgkm();
    for (const TileOp &op : w_.plan.ops(0, 1).own)
      w_.out << instruction(op);
    for (const auto &[reg, stride] : readers())
      w_.put(Op::v_add_nc_u32, {reg, imm(stride), reg});
    w_.put(Op::s_sub_u32, {sgpr(S::kCount), sgpr(S::kCount), imm(1)});
    w_.put(Op::s_cmp_lg_u32, {sgpr(S::kCount), imm(0)});
    w_.branch(Op::s_cbranch_scc1, label("rest"));
    w_.barrier();
    for (const auto &[reg, stride] : readers()) {
      w_.put(Op::s_mul_i32, {sgpr(S::kTemp), sgpr(S::kRest), imm(stride)});
      w_.put(Op::v_subrev_nc_u32, {reg, sgpr(S::kTemp), reg});
    }
    for (const TileLoader &loader : loaders_)
      loader.advanceRest(w_);
    w_.out.label(label("whole"));
  }

  /// The next tile's loads are spread over the steps.
  void loopBody() {
    std::vector<std::pair<const TileLoader *, unsigned>> all;
    for (const TileLoader &loader : loaders_) {
      loader.advance(w_);
      for (unsigned i = 0; i < loader.count(); ++i)
        all.emplace_back(&loader, i);
    }
    const size_t loads = all.size(), bk = w_.shape.bk;
    writeSteps(w_.out, w_.plan, w_.sides, w_.shape.bk, CornerAtEnd::Home,
               [&](Listing &, unsigned step) {
                 for (size_t i = loads * step / bk; i < loads * (step + 1) / bk; ++i)
                   all[i].first->load(w_, all[i].second);
               });
    if (!hasTwoStages())
      w_.barrier();
    storeTile();
    if (hasTwoStages())
      exchangeStages();
  }

  /// Reads go to the stage that was written, writes to the other one.
  void exchangeStages() {
    for (const auto &[reg, stride] : readers())
      w_.put(Op::v_add_nc_u32, {reg, sgpr(S::kStage), reg});
    for (const TileLoader &loader : loaders_)
      for (const Vgpr reg : loader.ldsAddresses())
        w_.put(Op::v_subrev_nc_u32, {reg, sgpr(S::kStage), reg});
    w_.put(Op::s_sub_u32, {sgpr(S::kStage), imm(0), sgpr(S::kStage)});
  }

  void wholeSteps() {
    w_.put(Op::s_cmp_eq_u32, {sgpr(S::kSteps), imm(0)});
    w_.branch(Op::s_cbranch_scc1, label("store"));
    loadTile();
    storeTile();
    if (hasTwoStages()) {
      w_.put(Op::s_mov_b32, {sgpr(S::kStage), imm(w_.shape.stageBytes)});
      for (const TileLoader &loader : loaders_)
        for (const Vgpr reg : loader.ldsAddresses())
          w_.put(Op::v_add_nc_u32, {reg, sgpr(S::kStage), reg});
    }
    w_.out.comment("all steps but the last load the next one's tiles");
    w_.put(Op::s_sub_u32, {sgpr(S::kCount), sgpr(S::kSteps), imm(2)});
    w_.branch(Op::s_cbranch_scc1, label("last"));
    w_.out.label(label("loop"));
    loopBody();
    w_.put(Op::s_sub_u32, {sgpr(S::kCount), sgpr(S::kCount), imm(1)});
    w_.branch(Op::s_cbranch_scc0, label("loop"));
    w_.out.label(label("last"));
    writeSteps(w_.out, w_.plan, w_.sides, w_.shape.bk, CornerAtEnd::Home, nullptr);
  }

  KernelWriter &w_;
  std::vector<TileLoader> loaders_; ///< Of what is in LDS.
  Path path_;
  std::string prefix_;
};

void placeSide(LdsSide &side, const TileShape &tile, const Interleave &interleave,
               RegisterPool &pool, bool &fits) {
  const auto take = [&] {
    const auto taken = pool.take();
    fits &= taken.has_value();
    return taken.value_or(Vgpr{});
  };
  side.interleave = interleave;
  side.stride = 4 * tile.stride;
  side.address = take();
  if (interleave.hasLast())
    side.lastAddress = take();
}

} // namespace

/// Nothing if registers do not suffice.
static std::optional<KernelCode> tryKernel(const KernelShape &shape) {
  RegisterPool pool(0, 255);
  auto plan = TilePlan::make(shape.tile(), pool);
  if (!plan) {
    llvm::consumeError(plan.takeError());
    return std::nullopt;
  }
  const auto thread = pool.take();
  if (!thread)
    return std::nullopt;
  std::optional<KernelCode> result(std::in_place);
  KernelWriter w{shape, *plan, Arguments::of(shape.spec.order), result->code, *thread, {}, 0};
  bool fits = true;
  if (shape.isScalar())
    w.sides.scalarA = {0, S::kA, ScalarSide::Kind::Buffer, S::kAdvanceA};
  else
    placeSide(w.sides.a, shape.a, shape.rows(), pool, fits);
  if (!shape.isDirect())
    placeSide(w.sides.b, shape.b, shape.columns(), pool, fits);
  if (shape.isScalar() && shape.tile().together == 4)
    w.sides.b.widest = 4;
  w.put(Op::v_mov_b32, {*thread, vgpr(0)});
  writeScalars(w);
  if (shape.hasWidePath())
    choosePath(w);
  for (const Path path : {Path::Wide, Path::Narrow}) {
    if (path == Path::Wide && !shape.hasWidePath())
      continue;
    const bool isWide = path == Path::Wide;
    RegisterPool own = pool;
    if (shape.isDirect()) {
      if (!writeDirect(w, own, path))
        return std::nullopt;
      result->vgprs = std::max(result->vgprs, own.used());
      continue;
    }
    std::vector<TileLoader> loaders;
    const auto add = [&](const TileShape &tile, unsigned wide, const LoaderScalars &scalars) {
      auto loader = TileLoader::make({isWide ? wide : 1, shape.threads(), tile}, scalars, own);
      fits &= loader.has_value();
      if (loader)
        loaders.push_back(std::move(*loader));
    };
    if (!shape.isScalar())
      add(shape.a, shape.wideA, {S::kA, w.args.lda, S::kRows, S::kAdvanceA, S::kPartialA});
    add(shape.b, shape.wideB, {S::kB, w.args.ldb, S::kColumns, S::kAdvanceB, S::kPartialB});
    if (!fits || !PathWriter(w, std::move(loaders), path).write(own))
      return std::nullopt;
    result->vgprs = std::max(result->vgprs, own.used());
  }
  return result;
}

llvm::Expected<KernelCode> writeKernel(const KernelShape &shape) {
  if (auto result = tryKernel(shape))
    return std::move(*result);
  const KernelSpec &spec = shape.spec;
  return makeError(
      Failure::BadInput, "",
      fmt::format("--thread-tile {}x{}: accumulators and elements of A and B take {} VGPRs, and "
                  "with those for what is loaded and for addresses that is more than 256",
                  spec.threadRows, spec.threadColumns, tileVgprs(shape.tile())));
}

} // namespace rdna::generate
