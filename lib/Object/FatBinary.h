//===- FatBinary.h - the device code inside of a file ---------------------===//
//
// A file with device code is a code object, a bundle, or a host's ELF file (object, library,
// program) whose section .hip_fatbin has a bundle for each translation unit.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Object/Bundle.h"

namespace rdna::object {

/// One bundle of a file.
struct FatBundle {
  size_t offset = 0; ///< In the file.
  size_t bytes = 0;
  size_t room = 0; ///< To the next bundle or the end of what holds it.
  enum class Form : uint8_t { Plain, Compressed } form = Form::Plain;
  std::vector<std::byte> plain; ///< Uncompressed.
  std::vector<BundleEntry> entries;
};

struct FatFile {
  enum class Kind : uint8_t { CodeObject, Bundle, Relocatable, Linked } kind = Kind::Bundle;
  std::vector<FatBundle> bundles; ///< A code object has none.
};

/// The device code of a file. The entries' code stays valid as long as the result does. Hostile
/// input is an error, never a crash; so is a file without device code.
llvm::Expected<FatFile> readFatFile(std::span<const std::byte> file);

/// The file with `code` in place of that entry. Nothing of a linked file may move, so there the new
/// bundle has to fit in the room of the old one; the error says what is missing (Failure::Refused).
llvm::Expected<std::vector<std::byte>> replaceDeviceCode(std::span<const std::byte> file,
                                                         const FatFile &fat, size_t bundle,
                                                         size_t entry,
                                                         std::span<const std::byte> code);

} // namespace rdna::object
