//===- TypedBuffer.cpp - MTBUF, and MUBUF *_FORMAT_* ----------------------===//
//
// A lane's element is in bounds as a whole or not at all (ISA, "Range checking"), however many of
// its components are asked for. Loads that are out of bounds, or whose format is invalid, give 0.
//
//===----------------------------------------------------------------------===//
#include "Emu/Buffer.h"
#include "Emu/BufferFormat.h"

namespace rdna::emu {
namespace {

/// Whole: a register for each component. Packed: two halves in a register, an odd last half is
/// kept. PackedHigh: one component in the high half.
enum class Layout { Whole, Packed, PackedHigh };
/// Where format and component selection come from (ISA table 8.1.4): MTBUF does not select.
enum class FormatFrom { Resource, Instruction };

constexpr RegisterWidth widthOf(Layout layout) {
  return layout == Layout::Whole ? RegisterWidth::Bits32 : RegisterWidth::Bits16;
}

struct Slot {
  unsigned reg, shift;
};
constexpr Slot slotOf(Layout layout, unsigned k) {
  return layout == Layout::Whole        ? Slot{k, 0}
         : layout == Layout::PackedHigh ? Slot{0, 16}
                                        : Slot{k / 2, k % 2 * 16};
}

template <Layout layout>
void setComponent(Wave &w, unsigned reg, unsigned lane, unsigned k, uint32_t value) {
  Slot s = slotOf(layout, k);
  uint32_t &r = w.vgpr(reg + s.reg).lane[lane];
  r = layout == Layout::Whole ? value : (r & ~(0xffffu << s.shift)) | value << s.shift;
}
template <Layout layout> uint32_t componentOf(Wave &w, unsigned reg, unsigned lane, unsigned k) {
  Slot s = slotOf(layout, k);
  uint32_t r = w.vgpr(reg + s.reg).lane[lane];
  return layout == Layout::Whole ? r : r >> s.shift & 0xffff;
}

template <FormatFrom from> const BufferFormat &formatOf(const BufferResource &r, const Inst &i) {
  return bufferFormat(from == FormatFrom::Resource ? r.format() : i.format);
}

template <FormatFrom from, unsigned count, Layout layout> void typedLoad(Wave &w, const Inst &i) {
  const BufferResource resource = BufferResource::of(w, i);
  const BufferFormat &format = formatOf<from>(resource, i);
  Pointers p;
  p.active = w.exec();
  p.valid = 0;
  if (format.isValid())
    resolveBuffer(w, i, {format.bytes(), AccessKind::Read}, p);
  for (unsigned l = 0; l < laneCount; ++l) {
    if (!(p.active >> l & 1))
      continue;
    bool valid = p.valid >> l & 1;
    std::array<uint32_t, 4> value{};
    if (valid)
      unpack(format, p[l], widthOf(layout), value);
    for (unsigned k = 0; k < count; ++k) {
      uint32_t x = value[k];
      if (from == FormatFrom::Resource && valid) {
        unsigned select = resource.select(k);
        x = select >= 4 ? value[select - 4] : select == 1 ? oneOf(format, widthOf(layout)) : 0;
      }
      setComponent<layout>(w, i.data, l, k, x);
    }
  }
}

/// Which of `count` register components goes to each memory component. That a store undoes the
/// selection of a load is a guess; drivers only use the identity.
struct StoreSelection {
  std::array<unsigned, 4> from{0, 1, 2, 3};
  unsigned mask = 0;
};
template <FormatFrom from> StoreSelection selectionOf(const BufferResource &r, unsigned count) {
  StoreSelection s;
  for (unsigned k = count; k-- > 0;) {
    unsigned select = from == FormatFrom::Resource ? r.select(k) : 4 + k;
    if (select < 4)
      continue;
    s.from[select - 4] = k;
    s.mask |= 1u << (select - 4);
  }
  return s;
}

template <FormatFrom from, unsigned count, Layout layout> void typedStore(Wave &w, const Inst &i) {
  const BufferResource resource = BufferResource::of(w, i);
  const BufferFormat &format = formatOf<from>(resource, i);
  if (!format.isValid())
    return;
  const StoreSelection selection = selectionOf<from>(resource, count);
  Pointers p;
  resolveBuffer(w, i, {format.bytes(), AccessKind::Write}, p);
  for (unsigned l = 0; l < laneCount; ++l) {
    if (!(p.valid >> l & 1))
      continue;
    std::array<uint32_t, 4> value{};
    for (unsigned k = 0; k < 4; ++k)
      if (selection.mask >> k & 1)
        value[k] = componentOf<layout>(w, i.data, l, selection.from[k]);
    pack(format, value, widthOf(layout), selection.mask, p[l]);
  }
}

} // namespace

std::span<const OpInfo> typedBufferTable() {
  static constexpr OpInfo rows[] = {
#define ROW(prefix, suffix, from, handler, count, layout)                                          \
  OpInfo{.name = prefix #suffix,                                                                   \
         .run = &handler<FormatFrom::from, count, Layout::layout>,                                 \
         .shape = Shape::Buffer},
#define MUBUF_LOAD(suffix, count, layout) ROW("buffer_", suffix, Resource, typedLoad, count, layout)
#define MUBUF_STORE(suffix, count, layout)                                                         \
  ROW("buffer_", suffix, Resource, typedStore, count, layout)
#define BOTH_LOAD(suffix, count, layout)                                                           \
  MUBUF_LOAD(suffix, count, layout) ROW("tbuffer_", suffix, Instruction, typedLoad, count, layout)
#define BOTH_STORE(suffix, count, layout)                                                          \
  MUBUF_STORE(suffix, count, layout) ROW("tbuffer_", suffix, Instruction, typedStore, count, layout)
#include "Emu/TypedBuffer.def"
#undef BOTH_STORE
#undef BOTH_LOAD
#undef MUBUF_STORE
#undef MUBUF_LOAD
#undef ROW
  };
  return rows;
}

} // namespace rdna::emu
