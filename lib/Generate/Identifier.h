//===- Identifier.h - names that get into generated C++ --------------------===//
#pragma once

#include <string>
#include <string_view>

namespace rdna {

/// Why `name` is none of a C++ namespace or function, as a part of a sentence; empty if it is one.
std::string whyNotIdentifier(std::string_view name);

} // namespace rdna
