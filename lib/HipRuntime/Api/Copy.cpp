//===- Copy.cpp - hipMemcpy and its kin -----------------------------------===//
//
// Copies are done at once, so the asynchronous functions are the others with a stream.
//
//===----------------------------------------------------------------------===//
#include "HipRuntime/Api/Call.h"
#include "HipRuntime/Api/Transfer.h"

using namespace rdna::hip;

namespace {

void *at(const void *base, size_t offset) {
  return static_cast<std::byte *>(const_cast<void *>(base)) + offset;
}

Error copySymbol(Runtime &r, const void *symbol, void *to, const void *from, size_t bytes,
                 size_t offset, int32_t kind) {
  const auto global = r.variable(symbol);
  if (!global)
    return Error::InvalidSymbol;
  if (offset > global->bytes || bytes > global->bytes - offset)
    return Error::InvalidValue;
  void *variable = reinterpret_cast<void *>(global->address + offset);
  return to ? copy(r, to, variable, bytes, kind) : copy(r, variable, from, bytes, kind);
}

Error copy3D(Runtime &r, const Memcpy3DParms *p) {
  if (!p)
    return Error::InvalidValue;
  if (p->srcArray || p->dstArray) {
    r.report.missing("hipMemcpy3D of arrays");
    return Error::NotSupported;
  }
  const auto box = [](const PitchedPtr &ptr, const Pos &pos) {
    return Box{ptr.ptr ? at(ptr.ptr, (pos.z * ptr.ysize + pos.y) * ptr.pitch + pos.x) : nullptr,
               ptr.pitch, ptr.ysize};
  };
  return copyBox(r, box(p->dstPtr, p->dstPos), box(p->srcPtr, p->srcPos), p->extent, p->kind);
}

Error copyParam2D(Runtime &r, const MemcpyParam2D *p) {
  if (!p)
    return Error::InvalidValue;
  if (p->srcArray || p->dstArray) {
    r.report.missing("hipMemcpyParam2D of arrays");
    return Error::NotSupported;
  }
  // The memory types' numbers differ between versions; the pointer that is given says as much.
  const void *from = p->srcDevice ? p->srcDevice : p->srcHost;
  void *to = p->dstDevice ? p->dstDevice : p->dstHost;
  if (!from || !to)
    return Error::InvalidValue;
  return copyBox(r, {at(to, p->dstY * p->dstPitch + p->dstXInBytes), p->dstPitch, p->height},
                 {at(from, p->srcY * p->srcPitch + p->srcXInBytes), p->srcPitch, p->height},
                 {p->widthInBytes, p->height, 1}, CopyDefault);
}

} // namespace

extern "C" {

int32_t hipMemcpy(void *to, const void *from, size_t bytes, int32_t kind) {
  return call([&](Runtime &r) { return copy(r, to, from, bytes, kind); });
}
int32_t hipMemcpyAsync(void *to, const void *from, size_t bytes, int32_t kind, void *) {
  return hipMemcpy(to, from, bytes, kind);
}
int32_t hipMemcpyWithStream(void *to, const void *from, size_t bytes, int32_t kind, void *) {
  return hipMemcpy(to, from, bytes, kind);
}
int32_t hipMemcpyHtoD(void *to, const void *from, size_t bytes) {
  return hipMemcpy(to, from, bytes, HostToDevice);
}
int32_t hipMemcpyHtoDAsync(void *to, const void *from, size_t bytes, void *) {
  return hipMemcpy(to, from, bytes, HostToDevice);
}
int32_t hipMemcpyDtoH(void *to, void *from, size_t bytes) {
  return hipMemcpy(to, from, bytes, DeviceToHost);
}
int32_t hipMemcpyDtoHAsync(void *to, void *from, size_t bytes, void *) {
  return hipMemcpy(to, from, bytes, DeviceToHost);
}
int32_t hipMemcpyDtoD(void *to, void *from, size_t bytes) {
  return hipMemcpy(to, from, bytes, DeviceToDevice);
}
int32_t hipMemcpyDtoDAsync(void *to, void *from, size_t bytes, void *) {
  return hipMemcpy(to, from, bytes, DeviceToDevice);
}

int32_t hipMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t bytes) {
  return call([&](Runtime &r) {
    return toDevice || fromDevice ? Error::InvalidDevice : copy(r, to, from, bytes, DeviceToDevice);
  });
}
int32_t hipMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice, size_t bytes,
                           void *) {
  return hipMemcpyPeer(to, toDevice, from, fromDevice, bytes);
}

int32_t hipMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                    size_t height, int32_t kind) {
  return call([&](Runtime &r) {
    return copyBox(r, {to, toPitch, height}, {const_cast<void *>(from), fromPitch, height},
                   {width, height, 1}, kind);
  });
}
int32_t hipMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                         size_t height, int32_t kind, void *) {
  return hipMemcpy2D(to, toPitch, from, fromPitch, width, height, kind);
}
int32_t hipMemcpyParam2D(const MemcpyParam2D *p) {
  return call([&](Runtime &r) { return copyParam2D(r, p); });
}
int32_t hipMemcpyParam2DAsync(const MemcpyParam2D *p, void *) { return hipMemcpyParam2D(p); }
int32_t hipDrvMemcpy2DUnaligned(const MemcpyParam2D *p) { return hipMemcpyParam2D(p); }
int32_t hipMemcpy3D(const Memcpy3DParms *p) {
  return call([&](Runtime &r) { return copy3D(r, p); });
}
int32_t hipMemcpy3DAsync(const Memcpy3DParms *p, void *) { return hipMemcpy3D(p); }

int32_t hipMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                          int32_t kind) {
  return call([&](Runtime &r) {
    return kind == HostToDevice || kind == DeviceToDevice || kind == CopyDefault
               ? copySymbol(r, symbol, nullptr, from, bytes, offset, kind)
               : Error::InvalidMemcpyDirection;
  });
}
int32_t hipMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                               int32_t kind, void *) {
  return hipMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
int32_t hipMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                            int32_t kind) {
  return call([&](Runtime &r) {
    if (kind != DeviceToHost && kind != DeviceToDevice && kind != CopyDefault)
      return Error::InvalidMemcpyDirection;
    return to ? copySymbol(r, symbol, to, nullptr, bytes, offset, kind) : Error::InvalidValue;
  });
}
int32_t hipMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                 int32_t kind, void *) {
  return hipMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

} // extern "C"
