//===- Metadata.h - the msgpack note of a code object (private) -----------===//
#pragma once

#include "Object/CodeObject.h"

#include <string_view>

namespace rdna::object {

/// Fills in what the metadata says about `object.kernels` (found by their descriptor symbols) and
/// lists kernels without one. Metadata that LLVM's verifier rejects is an error.
llvm::Error readMetadata(std::string_view blob, CodeObject &object);

} // namespace rdna::object
