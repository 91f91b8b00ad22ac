//===- Bundle.h - device code in a fat binary -----------------------------===//
//
// What __hipRegisterFatBinary and hipModuleLoadData are given: a code object, a bundle of several
// for different processors, or a compressed bundle ("CCOB", versions 1 to 3). Where files have
// bundles is FatBinary.h.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rdna::object {

struct BundleEntry {
  std::string id; ///< "hipv4-amdgcn-amd-amdhsa--gfx1100".
  std::span<const std::byte> code;
};

/// The entries of an uncompressed bundle. Hostile input is an error, never a crash.
llvm::Expected<std::vector<BundleEntry>> readBundle(std::span<const std::byte> bundle);

/// A bundle of these, as clang's bundler lays it out: each code at a multiple of 4096.
std::vector<std::byte> writeBundle(std::span<const BundleEntry> entries);

/// How many bytes the bundle takes that `bytes` begin with; it is plain or compressed. A compressed
/// one of version 1, which does not say it, takes all.
llvm::Expected<size_t> bundleSize(std::span<const std::byte> bytes);

/// "gfx1100" of "hipv4-amdgcn-amd-amdhsa--gfx1100"; empty for the host and for ids with features,
/// which no processor of RDNA3 has.
std::string_view processorOf(std::string_view id);

/// The id of the code that stood in place of rewritten code before: a loader knows no such kind and
/// passes it by, `rdna-run` compares the two.
std::string originalId(std::string_view processor);
/// The code of exactly that id, out of whatever `bytes` are; empty if there is none.
llvm::Expected<std::vector<std::byte>> codeWithId(std::span<const std::byte> bytes,
                                                  std::string_view id);

bool isCompressed(std::span<const std::byte> bundle);
bool isBundle(std::span<const std::byte> bytes); ///< Plain or compressed.

/// `plain` in the form that `like`, a compressed bundle, has: version and method.
llvm::Expected<std::vector<std::byte>> compressBundle(std::span<const std::byte> plain,
                                                      std::span<const std::byte> like);

/// The uncompressed bundle; nothing may lie behind it that matters.
llvm::Expected<std::vector<std::byte>> decompressBundle(std::span<const std::byte> bytes);

/// How many bytes there are from `data`, by what its headers say: pointers come without a size. An
/// error if it is neither code object nor bundle. Reads headers, so `data` must be real.
llvm::Expected<size_t> imageSize(const void *data);

/// No entry of a bundle is for the processor; the text lists those that there are.
class NoCodeForProcessor : public llvm::ErrorInfo<NoCodeForProcessor> {
public:
  static char ID;
  explicit NoCodeForProcessor(std::string text) : text_(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string text_;
};

/// The code object for `processor` ("gfx1100"), out of whatever `bytes` are: first the entry for it
/// without conditions, then the generic one of its family.
llvm::Expected<std::vector<std::byte>> codeFor(std::span<const std::byte> bytes,
                                               std::string_view processor);

} // namespace rdna::object
