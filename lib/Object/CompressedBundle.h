//===- CompressedBundle.h - the header of a compressed bundle --------------===//
//
// And what Bundle.cpp and CompressedBundle.cpp do with bytes. Nobody else includes this.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Object/Bundle.h"
#include "Support/Diagnostic.h"

#include <cstring>

namespace rdna::object {

constexpr std::string_view compressedMagic = "CCOB";
/// A corrupt size must not become an allocation of terabytes.
constexpr uint64_t mostBundleBytes = uint64_t{4} << 30;

inline llvm::Error badBundle(std::string_view message) {
  return makeError(Failure::BadInput, "fat binary", message);
}

inline bool startsWith(std::span<const std::byte> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

template <class T> T load(const void *data, size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + offset, sizeof value);
  return value;
}

void storeText(std::vector<std::byte> &bytes, std::string_view text);

template <class T> void store(std::vector<std::byte> &bytes, T value) {
  storeText(bytes, {reinterpret_cast<const char *>(&value), sizeof value});
}

struct CompressedHeader {
  size_t bytes = 0;   ///< Of the header.
  uint64_t total = 0; ///< With the header; 0 in version 1, which does not say it.
  uint64_t uncompressed = 0;
  uint16_t version = 0, method = 0;
};

/// `data` holds at least the 32 bytes of the longest header.
llvm::Expected<CompressedHeader> compressedHeader(const void *data);
/// The same of bytes that may be fewer.
llvm::Expected<CompressedHeader> compressedHeader(std::span<const std::byte> bytes);

} // namespace rdna::object
