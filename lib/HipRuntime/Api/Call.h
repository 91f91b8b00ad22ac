//===- Call.h - what every HIP function has around it ---------------------===//
#pragma once

#include "HipRuntime/Launch.h"
#include "HipRuntime/Runtime.h"

#include <exception>
#include <mutex>
#include <new>
#include <utility>

namespace rdna::hip {

/// The process's runtime; made when first asked for and never destroyed, because programs call
/// functions from destructors of their own. The lock is held by whoever uses it.
Runtime &runtime();
std::recursive_mutex &apiLock();

/// Whether the process ends, on another thread.
bool isClosed();

/// Of this thread: what hipGetLastError returns.
int32_t &lastError();

/// hipErrorNotSupported, and the function's name on standard error, once.
int32_t missing(const char *function);

/// Runs a function's body: one thread at a time, no exception gets out, and the result becomes the
/// thread's last error. After a kernel's fault every function returns it, whatever it did.
template <class Body> int32_t call(Body &&body) {
  const std::lock_guard lock(apiLock());
  if (isClosed())
    return lastError() = int32_t(Error::Deinitialized);
  Error result = Error::Unknown;
  try {
    Runtime &shared = runtime();
    result = body(shared);
    if (result == Error::Success)
      result = shared.fault;
  } catch (const std::bad_alloc &) {
    result = Error::OutOfMemory;
  } catch (const std::exception &) {
  }
  return lastError() = int32_t(result);
}

/// For what asks and cannot fail because of a kernel: neither fault nor last error.
template <class Body> auto ask(Body &&body) {
  const std::lock_guard lock(apiLock());
  return body(runtime());
}

} // namespace rdna::hip
