//===- Buffer.cpp - buffer resources, untyped buffer loads and stores -----===//
#include "Emu/Buffer.h"

namespace rdna::emu {
namespace {

/// Index and offset of a lane, as they enter the address and the check.
struct BufferPlace {
  uint32_t index, offset;
};

/// Offset behind the resource's base (ISA 9.1.5, "Buffer addressing"). Swizzled buffers keep
/// `element` bytes together and interleave `indexStride` structures.
uint64_t bufferOffset(const BufferResource &r, const BufferPlace &p) {
  uint32_t element = r.elementBytes();
  if (!element)
    return uint64_t(p.index) * r.stride() + p.offset;
  uint32_t group = r.indexStride();
  uint64_t row = uint64_t(p.index / group) * r.stride() + uint64_t(p.offset / element) * element;
  return row * group + uint64_t(p.index % group) * element + p.offset % element;
}

/// ISA table "Out-of-bounds selection". A structured check of a resource without stride would
/// refuse everything; compilers that leave both 0 mean a raw buffer. Whether the scalar offset
/// counts is not clear: GCN's guide checks raw buffers against num_records - sgpr_offset, LLVM's
/// intrinsics call it excluded. It counts here, which finds more errors.
bool isOutside(const BufferResource &r, const BufferPlace &p, uint32_t scalarOffset,
               unsigned bytes) {
  using Bounds = BufferResource::Bounds;
  Bounds bounds = r.bounds();
  uint32_t stride = r.stride();
  if (bounds == Bounds::NoRecords)
    return r.records() == 0;
  if (stride == 0 || (bounds == Bounds::Raw && !r.elementBytes()))
    return uint64_t(p.offset) + scalarOffset + bytes > r.records();
  bool offsetCounts = bounds != Bounds::Index;
  return p.index >= r.records() || (offsetCounts && uint64_t(p.offset) + bytes > stride);
}

/// What all lanes share.
struct BufferBase {
  BufferResource resource;
  const uint32_t *index, *offset;
  uint32_t immediate, scalarOffset;

  BufferBase(const Wave &w, const Inst &i) : resource(BufferResource::of(w, i)) {
    bool indexed = i.bufferFlags & bufferIdxen;
    index = indexed ? lanesOf(w, i.addr) : nullptr;
    offset = i.bufferFlags & bufferOffen ? lanesOf(w, i.addr + indexed) : nullptr;
    immediate = uint32_t(i.imm);
    scalarOffset = i.hasBase ? w.s[i.base] : i.literal;
  }
  BufferPlace place(unsigned lane, unsigned part) const {
    BufferPlace p{index ? index[lane] : 0, immediate + part + (offset ? offset[lane] : 0)};
    p.index += resource.addsLane() ? lane : 0;
    return p;
  }

private:
  static const uint32_t *lanesOf(const Wave &w, unsigned vgpr) {
    return const_cast<Wave &>(w).vgpr(vgpr).lane;
  }
};

} // namespace

BufferResource BufferResource::of(const Wave &w, const Inst &i) {
  const uint32_t *r = &w.s[i.resource];
  return {{r[0], r[1], r[2], r[3]}};
}

void resolveBuffer(Wave &w, const Inst &i, const BufferPiece &piece, Pointers &out) {
  out.active = w.exec();
  out.valid = 0;
  if (!out.active)
    return;
  const BufferBase b(w, i);
  uint32_t outside = 0;
  for (unsigned l = 0; l < laneCount; ++l) {
    BufferPlace p = b.place(l, piece.part);
    out.at[l] = b.resource.base() + b.scalarOffset + bufferOffset(b.resource, p);
    outside |= isOutside(b.resource, p, b.scalarOffset, piece.bytes) ? 1u << l : 0;
  }
  uint32_t active = out.active;
  out.active &= ~outside;
  if (out.active)
    checkGlobal(w, i, piece.bytes, piece.kind, out);
  out.active = active;
}

bool coversAllLanes(const Wave &w, const Inst &i, unsigned bytes) {
  const BufferBase b(w, i);
  if (b.resource.elementBytes())
    return false;
  for (unsigned l = 0; l < laneCount; ++l)
    if ((w.exec() >> l & 1) && isOutside(b.resource, b.place(l, 0), b.scalarOffset, bytes))
      return false;
  return true;
}

namespace {

/// Dwords of one load or store are checked one by one (ISA, "Range checking"), and swizzling may
/// tear them apart.
template <class E> constexpr bool hasPieces = E::dwords > 1 && std::is_same_v<E, Dwords<E::dwords>>;

template <class E> void bufferLoad(Wave &w, const Inst &i) {
  if constexpr (hasPieces<E>) {
    if (!coversAllLanes(w, i, E::bytes)) {
      // All addresses before any result: the destination may hold the address.
      Pointers p[E::dwords];
      for (unsigned k = 0; k < E::dwords; ++k)
        resolveBuffer(w, i, {4, AccessKind::Read, 4 * k}, p[k]);
      for (unsigned k = 0; k < E::dwords; ++k)
        loadLanes<Dwords<1>>(w, i.data + k, p[k]);
      return;
    }
  }
  Pointers p;
  resolveBuffer(w, i, {E::bytes, AccessKind::Read}, p);
  loadLanes<E>(w, i.data, p);
}
template <class E> void bufferStore(Wave &w, const Inst &i) {
  if constexpr (hasPieces<E>) {
    if (!coversAllLanes(w, i, E::bytes)) {
      for (unsigned k = 0; k < E::dwords; ++k) {
        Pointers p;
        resolveBuffer(w, i, {4, AccessKind::Write, 4 * k}, p);
        storeLanes<Dwords<1>>(w, i.data + k, p);
      }
      return;
    }
  }
  Pointers p;
  resolveBuffer(w, i, {E::bytes, AccessKind::Write}, p);
  storeLanes<E>(w, i.data, p);
}

} // namespace

/// TFE: a further dword says which parts were not resident; all memory is (0).
void loadWithStatus(Wave &w, const Inst &i) {
  i.op->run(w, i);
  uint32_t exec = w.exec(), *status = w.vgpr(i.data2).lane;
  for (unsigned l = 0; l < laneCount; ++l)
    status[l] = exec >> l & 1 ? 0 : status[l];
}

std::span<const OpInfo> bufferTable() {
  static constexpr OpInfo rows[] = {
#define LOAD(suffix, ...)                                                                          \
  OpInfo{.name = "buffer_load_" #suffix, .run = &bufferLoad<__VA_ARGS__>, .shape = Shape::Buffer},
#define STORE(suffix, ...)                                                                         \
  OpInfo{.name = "buffer_store_" #suffix, .run = &bufferStore<__VA_ARGS__>, .shape = Shape::Buffer},
#define ROW(mnemonic, handler)
#include "Emu/Flat.def"
#undef ROW
#undef STORE
#undef LOAD
  };
  return rows;
}

} // namespace rdna::emu
