//===- Handles.h - streams and events as programs hand them in ------------===//
#pragma once

#include "HipRuntime/Runtime.h"

#include <cstring>

namespace rdna::hip {

/// Null, the legacy stream and the thread's own are streams that nobody made.
inline bool isBuiltinStream(const void *stream) { return reinterpret_cast<uintptr_t>(stream) <= 2; }

inline bool isStream(const Runtime &r, void *stream) {
  return isBuiltinStream(stream) || r.streams.contains(static_cast<Stream *>(stream));
}

inline Event *eventOf(const Runtime &r, void *event) {
  auto *known = static_cast<Event *>(event);
  return event && r.events.contains(known) ? known : nullptr;
}

/// Work is done when it is asked for, so an event is when it is recorded.
inline void stamp(const Runtime &r, void *event) {
  if (Event *known = eventOf(r, event))
    known->recorded = r.now();
}

} // namespace rdna::hip
