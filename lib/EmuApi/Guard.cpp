#include "EmuApi/Guard.h"

#include "Emu/Emulator.h"
#include "Support/Diagnostic.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace rdna::api {
namespace {

/// Of fixed size, so that "not enough memory" can always be said; longer texts are cut.
thread_local std::array<char, 4096> text;

int32_t statusOf(emu::EmulationError::Reason reason) {
  using Reason = emu::EmulationError::Reason;
  switch (reason) {
  case Reason::Unimplemented:
    return RDNA3EMU_UNIMPLEMENTED;
  case Reason::Undecodable:
    return RDNA3EMU_UNDECODABLE;
  case Reason::LeftCode:
    return RDNA3EMU_LEFT_CODE;
  case Reason::Budget:
    return RDNA3EMU_BUDGET;
  case Reason::Trap:
    return RDNA3EMU_TRAP;
  case Reason::Internal:
    break;
  }
  return RDNA3EMU_INTERNAL;
}

std::string messages(const InputError &error) {
  std::string all;
  for (const Diagnostic &d : error.diagnostics()) {
    if (!all.empty())
      all += '\n';
    if (!d.file.empty())
      all += d.file + ": ";
    all += d.message;
  }
  return all;
}

} // namespace

const char *lastError() { return text.data(); }

void setLastError(std::string_view message) {
  const size_t n = std::min(message.size(), text.size() - 1);
  std::copy_n(message.begin(), n, text.begin()); // Not memcpy: an empty view may be null.
  text[n] = 0;
}

int32_t statusOf(llvm::Error error) {
  int32_t status = RDNA3EMU_OK;
  llvm::handleAllErrors(
      std::move(error),
      [&](const emu::EmulationError &e) {
        setLastError(messages(e));
        status = statusOf(e.reason());
      },
      [&](const InputError &e) {
        setLastError(messages(e));
        status = RDNA3EMU_INVALID_ARGUMENT;
      },
      [&](const llvm::ErrorInfoBase &e) {
        setLastError(e.message());
        status = RDNA3EMU_INVALID_ARGUMENT;
      });
  return status;
}

llvm::Error invalid(std::string_view what) { return makeError(Failure::BadInput, "", what); }

} // namespace rdna::api
