//===- StreamsEvents.cpp - order, which is kept trivially -----------------===//
//
// All work is done when the function returns that asks for it, so every stream is always idle.
//
//===----------------------------------------------------------------------===//
#include "HipRuntime/Api/Call.h"
#include "HipRuntime/Api/Handles.h"

#include <algorithm>

using namespace rdna::hip;

namespace {

Error makeStream(Runtime &r, void **out, uint32_t flags, int32_t priority) {
  if (!out || flags > 1)
    return Error::InvalidValue;
  auto *made = new Stream{flags, std::clamp(priority, -1, 1)};
  r.streams.insert(made);
  *out = made;
  return Error::Success;
}

constexpr uint32_t disableTiming = 2, interprocess = 4;
constexpr uint32_t fenceBits = 0x20000000u | 0x40000000u | 0x80000000u;

Error makeEvent(Runtime &r, void **out, uint32_t flags) {
  const uint32_t fences = flags & fenceBits;
  if (!out || flags & ~(7u | fenceBits) || (fences & (fences - 1)) ||
      (flags & interprocess && !(flags & disableTiming)))
    return Error::InvalidValue;
  auto *made = new Event{flags, {}};
  r.events.insert(made);
  *out = made;
  return Error::Success;
}

using Callback = void (*)(void *stream, int32_t status, void *data);
using HostFunctionPointer = void (*)(void *data);

/// A callback may call functions of HIP (though it should not), from this thread: the lock allows.
int32_t checkStream(void *stream) {
  return call(
      [&](Runtime &r) { return isStream(r, stream) ? Error::Success : Error::InvalidHandle; });
}

} // namespace

extern "C" {

int32_t hipStreamCreate(void **stream) {
  return call([&](Runtime &r) { return makeStream(r, stream, 0, 0); });
}
int32_t hipStreamCreateWithFlags(void **stream, unsigned flags) {
  return call([&](Runtime &r) { return makeStream(r, stream, flags, 0); });
}
int32_t hipStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
  return call([&](Runtime &r) { return makeStream(r, stream, flags, priority); });
}
int32_t hipExtStreamCreateWithCUMask(void **stream, uint32_t, const uint32_t *) {
  return call([&](Runtime &r) { return makeStream(r, stream, 0, 0); });
}

int32_t hipStreamDestroy(void *stream) {
  return call([&](Runtime &r) {
    if (isBuiltinStream(stream))
      return Error::InvalidHandle;
    if (r.streams.erase(static_cast<Stream *>(stream)) == 0)
      return Error::ContextIsDestroyed;
    delete static_cast<Stream *>(stream);
    return Error::Success;
  });
}

int32_t hipStreamSynchronize(void *stream) { return checkStream(stream); }
int32_t hipStreamQuery(void *stream) { return checkStream(stream); }

int32_t hipStreamWaitEvent(void *stream, void *event, unsigned flags) {
  return call([&](Runtime &r) {
    if (!eventOf(r, event) || !isStream(r, stream))
      return Error::InvalidHandle;
    return flags == 0 ? Error::Success : Error::InvalidValue;
  });
}

int32_t hipStreamGetFlags(void *stream, unsigned *flags) {
  return call([&](Runtime &r) {
    if (!flags)
      return Error::InvalidValue;
    if (!isStream(r, stream))
      return Error::InvalidHandle;
    *flags = isBuiltinStream(stream) ? 0 : static_cast<Stream *>(stream)->flags;
    return Error::Success;
  });
}

int32_t hipStreamGetPriority(void *stream, int *priority) {
  return call([&](Runtime &r) {
    if (!priority)
      return Error::InvalidValue;
    if (!isStream(r, stream))
      return Error::InvalidHandle;
    *priority = isBuiltinStream(stream) ? 0 : static_cast<Stream *>(stream)->priority;
    return Error::Success;
  });
}

int32_t hipStreamGetDevice(void *stream, int *device) {
  return call([&](Runtime &r) {
    if (!device)
      return Error::InvalidValue;
    *device = 0;
    return isStream(r, stream) ? Error::Success : Error::InvalidHandle;
  });
}

int hipGetStreamDeviceId(void *) { return 0; }

int32_t hipStreamAttachMemAsync(void *, void *, size_t, unsigned) { return checkStream(nullptr); }

int32_t hipStreamIsCapturing(void *stream, int *status) {
  return call([&](Runtime &r) {
    if (!status)
      return Error::InvalidValue;
    *status = 0;
    return isStream(r, stream) ? Error::Success : Error::InvalidHandle;
  });
}

int32_t hipStreamAddCallback(void *stream, Callback callback, void *data, unsigned flags) {
  const int32_t error = call([&](Runtime &r) {
    return !callback || flags || !isStream(r, stream) ? Error::InvalidValue : Error::Success;
  });
  if (error == 0)
    callback(stream, 0, data);
  return error;
}

int32_t hipLaunchHostFunc(void *stream, HostFunctionPointer function, void *data) {
  const int32_t error = call([&](Runtime &r) {
    return !function || !isStream(r, stream) ? Error::InvalidValue : Error::Success;
  });
  if (error == 0)
    function(data);
  return error;
}

int32_t hipEventCreateWithFlags(void **event, unsigned flags) {
  return call([&](Runtime &r) { return makeEvent(r, event, flags); });
}
int32_t hipEventCreate(void **event) { return hipEventCreateWithFlags(event, 0); }

int32_t hipEventDestroy(void *event) {
  return call([&](Runtime &r) {
    if (!event)
      return Error::InvalidHandle;
    if (r.events.erase(static_cast<Event *>(event)) == 0)
      return Error::ContextIsDestroyed;
    delete static_cast<Event *>(event);
    return Error::Success;
  });
}

int32_t hipEventRecord(void *event, void *stream) {
  return call([&](Runtime &r) {
    if (!eventOf(r, event) || !isStream(r, stream))
      return Error::InvalidHandle;
    stamp(r, event);
    return Error::Success;
  });
}
int32_t hipEventRecordWithFlags(void *event, void *stream, unsigned) {
  return hipEventRecord(event, stream);
}

int32_t hipEventSynchronize(void *event) {
  return call(
      [&](Runtime &r) { return eventOf(r, event) ? Error::Success : Error::InvalidHandle; });
}
int32_t hipEventQuery(void *event) { return hipEventSynchronize(event); }

int32_t hipEventElapsedTime(float *milliseconds, void *begin, void *end) {
  return call([&](Runtime &r) {
    if (!milliseconds)
      return Error::InvalidValue;
    const Event *first = eventOf(r, begin), *second = eventOf(r, end);
    if (!first || !second || !first->recorded || !second->recorded ||
        (first->flags | second->flags) & disableTiming)
      return Error::InvalidHandle;
    r.timesAsked = true;
    *milliseconds =
        std::chrono::duration<float, std::milli>(*second->recorded - *first->recorded).count();
    return Error::Success;
  });
}

} // extern "C"
