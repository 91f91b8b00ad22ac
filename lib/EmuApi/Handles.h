//===- Handles.h - what is behind the opaque types of rdna3emu.h ----------===//
#pragma once

#include "rdna3emu.h"

#include "Emu/Session.h"
#include "EmuApi/Guard.h"

#include <cstring>
#include <memory>
#include <string>

struct rdna3emu_kernel {
  std::unique_ptr<rdna::emu::Program> program;
};
struct rdna3emu_report {
  std::string json;
};
struct rdna3emu_session {
  std::unique_ptr<rdna::emu::Session> session;
};

namespace rdna::api {

/// The caller's structure with zeros for what he does not know of; an error if he knows more than
/// this library and uses it.
template <class T> llvm::Expected<T> versioned(const T *given, size_t smallest) {
  if (!given)
    return invalid("a structure is a null pointer");
  uint32_t size;
  std::memcpy(&size, given, sizeof size);
  if (size < smallest)
    return invalid("struct_size is too small; it must be set by the _INIT macro");
  const auto *bytes = reinterpret_cast<const unsigned char *>(given);
  for (size_t k = sizeof(T); k < size; ++k)
    if (bytes[k] != 0)
      return invalid("a structure has members that this version of the library does not know");
  T known{};
  std::memcpy(&known, given, size < sizeof(T) ? size : sizeof(T));
  return known;
}

/// rdna3emu_launch as the emulator wants it; `progress` and `checks` are the caller's business.
llvm::Expected<emu::Launch> launchOf(const rdna3emu_launch &given);

} // namespace rdna::api
