#include "Generate/TileLoader.h"

#include "llvm/Support/MathExtras.h"

namespace rdna::generate {

std::optional<TileLoader> TileLoader::make(const LoadShape &loads, const LoaderScalars &scalars,
                                           RegisterPool &pool) {
  TileLoader loader(loads, scalars);
  const auto take = [&](std::vector<Vgpr> &to, unsigned dwords) {
    const auto taken = pool.take(dwords);
    if (taken)
      to.push_back(*taken);
    return taken.has_value();
  };
  for (unsigned load = 0; load < loads.count(); ++load) {
    if (!take(loader.data_, loads.width) || !take(loader.offsets_, 1))
      return std::nullopt;
    // An address of an earlier load will do if all threads are as far from it.
    std::optional<Place> found;
    for (unsigned earlier = 0; earlier < load && !found; ++earlier) {
      const auto distance = [&](unsigned thread) {
        return int64_t{loads.ldsAddress(thread, load, 0)} -
               int64_t{loads.ldsAddress(thread, earlier, 0)};
      };
      bool isSame = loader.places_[earlier].bytes == 0 && distance(0) >= 0;
      for (unsigned thread = 1; thread < loads.threads; ++thread)
        isSame &= distance(thread) == distance(0);
      if (isSame)
        found = Place{loader.places_[earlier].address, static_cast<unsigned>(distance(0))};
    }
    if (!found) {
      if (!take(loader.addresses_, 1))
        return std::nullopt;
      found = Place{static_cast<unsigned>(loader.addresses_.size() - 1), 0};
    }
    loader.places_.push_back(*found);
  }
  return loader;
}

void TileLoader::release(RegisterPool &pool) const {
  for (const Vgpr data : data_)
    pool.release(data, loads_.width);
  for (const auto *list : {&offsets_, &addresses_})
    for (const Vgpr v : *list)
      pool.release(v);
}

void TileLoader::place(KernelWriter &w, Vgpr line, Vgpr at, unsigned number) const {
  Vgpr index = w.thread;
  if (number > 0) {
    index = w.temp(3);
    w.put(Op::v_add_nc_u32, {index, imm(number * loads_.threads), w.thread});
  }
  w.divide(line, at, index, loads_.perLine());
  if (loads_.width > 1)
    w.put(Op::v_lshlrev_b32, {at, imm(llvm::Log2_32(loads_.width)), at});
}

/// offset = where ? offset : outside, for a condition that is in VCC.
static void keepIf(KernelWriter &w, Vgpr offset) {
  w.put(Op::v_cndmask_b32, {offset, imm(kOutside), offset});
}

void TileLoader::prepare(KernelWriter &w) const {
  const bool alongK = loads_.tile.along == Along::K;
  const Vgpr line = w.temp(0), at = w.temp(1), t = w.temp(2);
  for (unsigned number = 0; number < count(); ++number) {
    place(w, line, at, number);
    const Vgpr offset = offsets_[number];
    w.put(Op::v_mul_lo_u32, {offset, line, sgpr(scalars_.leading)});
    w.put(Op::v_add_nc_u32, {offset, offset, at});
    w.put(Op::v_lshlrev_b32, {offset, imm(2), offset});
    if (w.shape.spec.edges == Edges::Guarded) {
      w.put(Op::v_cmp_gt_u32, {sgpr(scalars_.extent), alongK ? line : at});
      keepIf(w, offset);
    }
    if (loads_.isPartial() && number + 1 == count()) {
      w.put(Op::v_cmp_gt_u32, {imm(loads_.total() - number * loads_.threads), w.thread});
      w.put(Op::s_mov_b32, {sgpr(scalars_.partial), Arg(kVccLo)});
      keepIf(w, offset);
    }
    if (places_[number].bytes != 0)
      continue;
    const Vgpr address = addresses_[places_[number].address];
    w.put(Op::v_mul_u32_u24, {t, imm(loads_.tile.stride), alongK ? at : line});
    w.put(Op::v_add_nc_u32, {t, t, alongK ? line : at});
    w.put(Op::v_lshlrev_b32, {address, imm(2), t});
    if (loads_.tile.base != 0)
      w.put(Op::v_add_nc_u32, {address, imm(loads_.tile.base), address});
  }
}

void TileLoader::guardRest(KernelWriter &w) const {
  const Vgpr line = w.temp(0), at = w.temp(1);
  for (unsigned number = 0; number < count(); ++number) {
    place(w, line, at, number);
    w.put(Op::v_cmp_gt_u32, {sgpr(Scalars::kRest), loads_.tile.along == Along::K ? at : line});
    keepIf(w, offsets_[number]);
  }
}

void TileLoader::load(KernelWriter &w, unsigned number) const {
  w.out << buildBufferLoad(data_[number], loads_.width, offsets_[number], scalars_.resource, 0);
}

void TileLoader::advance(KernelWriter &w) const {
  const unsigned base = scalars_.resource;
  w.put(Op::s_add_u32, {sgpr(base), sgpr(base), sgpr(scalars_.advance)});
  w.put(Op::s_addc_u32, {sgpr(base + 1), sgpr(base + 1), imm(0)});
}

void TileLoader::advanceRest(KernelWriter &w) const {
  const unsigned base = scalars_.resource, bytes = Scalars::kTemp;
  w.put(Op::s_lshl_b32, {sgpr(bytes), sgpr(Scalars::kRest), imm(2)});
  if (loads_.tile.along == Along::Edge)
    w.put(Op::s_mul_i32, {sgpr(bytes), sgpr(bytes), sgpr(scalars_.leading)});
  w.put(Op::s_add_u32, {sgpr(base), sgpr(base), sgpr(bytes)});
  w.put(Op::s_addc_u32, {sgpr(base + 1), sgpr(base + 1), imm(0)});
}

//===----------------------------------------------------------------------===//
// LDS
//===----------------------------------------------------------------------===//

std::vector<TileLoader::Item> TileLoader::items(unsigned first, unsigned last) const {
  std::vector<Item> items;
  const bool alongK = loads_.tile.along == Along::K;
  for (unsigned load = first; load < last; ++load)
    for (unsigned part = 0; part < loads_.stores(); ++part)
      items.push_back({places_[load].address,
                       places_[load].bytes + 4 * part * (alongK ? loads_.tile.stride : 0),
                       Vgpr{static_cast<uint8_t>(data_[load].number + part)},
                       alongK ? 1 : loads_.width});
  return items;
}

/// One instruction for two single dwords, if its offsets reach both.
bool TileLoader::storeTwo(KernelWriter &w, Vgpr address, const Item &x, const Item &y) {
  for (const auto &[stride, unit] :
       {std::pair(Stride::One, 4u), std::pair(Stride::SixtyFour, 256u)}) {
    if (x.bytes % unit != 0 || y.bytes % unit != 0 || std::max(x.bytes, y.bytes) / unit > 255)
      continue;
    w.out << buildDsStore2(
        RegUnit::vgpr(address.number), {RegUnit::vgpr(x.data.number), 1, Half::Whole},
        {RegUnit::vgpr(y.data.number), 1, Half::Whole}, x.bytes / unit, y.bytes / unit, stride);
    return true;
  }
  return false;
}

void TileLoader::storeItems(KernelWriter &w, std::vector<Item> items) const {
  while (!items.empty()) {
    const Item first = items.front();
    items.erase(items.begin());
    const Vgpr address = addresses_[first.address];
    bool isDone = false;
    for (size_t i = 0; i < items.size() && !isDone && first.dwords == 1; ++i)
      if (items[i].address == first.address && storeTwo(w, address, first, items[i])) {
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
        isDone = true;
      }
    if (!isDone)
      w.out << buildDsStore(address, first.data, first.dwords, first.bytes);
  }
}

void TileLoader::store(KernelWriter &w) const {
  const unsigned whole = count() - (loads_.isPartial() ? 1 : 0);
  storeItems(w, items(0, whole));
  if (whole == count())
    return;
  const std::string behind = w.freshLabel();
  w.put(Op::s_mov_b32, {Arg(kExecLo), sgpr(scalars_.partial)});
  w.branch(Op::s_cbranch_execz, behind);
  storeItems(w, items(whole, count()));
  w.out.label(behind);
  w.put(Op::s_mov_b32, {Arg(kExecLo), imm(-1)});
}

} // namespace rdna::generate
