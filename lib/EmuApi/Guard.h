//===- Guard.h - the border between C++ and C callers ---------------------===//
#pragma once

#include "rdna3emu.h"

#include "Emu/HostFloat.h"

#include "llvm/Support/Error.h"

#include <exception>
#include <new>
#include <string_view>

namespace rdna::api {

/// The text behind rdna3emu_last_error(), of this thread.
const char *lastError();
void setLastError(std::string_view text);

/// Keeps the text of `error` and says which status it is.
int32_t statusOf(llvm::Error error);

llvm::Error invalid(std::string_view text);

/// Runs the body of a C function: errors and exceptions become a status and a text, and the
/// caller's floating-point environment is as it was.
template <class Body> int32_t guarded(Body body) noexcept {
  const emu::HostFloat hostFloat;
  setLastError({});
  try {
    return statusOf(body());
  } catch (const std::bad_alloc &) {
    setLastError("not enough memory");
    return RDNA3EMU_OUT_OF_MEMORY;
  } catch (const std::exception &e) {
    setLastError(e.what());
    return RDNA3EMU_INTERNAL;
  } catch (...) {
    setLastError("unknown exception");
    return RDNA3EMU_INTERNAL;
  }
}

} // namespace rdna::api
