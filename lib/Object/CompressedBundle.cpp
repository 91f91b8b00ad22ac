#include "Object/CompressedBundle.h"

#include "llvm/Support/Compression.h"
#include "llvm/Support/MD5.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rdna::object {

using Bytes = std::span<const std::byte>;

void storeText(std::vector<std::byte> &bytes, std::string_view text) {
  const size_t old = bytes.size();
  bytes.resize(old + text.size());
  if (!text.empty())
    std::memcpy(&bytes[old], text.data(), text.size());
}

llvm::Expected<CompressedHeader> compressedHeader(const void *data) {
  CompressedHeader header;
  header.method = load<uint16_t>(data, 6);
  header.version = load<uint16_t>(data, 4);
  switch (header.version) {
  case 1:
    header.bytes = 20;
    header.uncompressed = load<uint32_t>(data, 8);
    break;
  case 2:
    header.bytes = 24;
    header.total = load<uint32_t>(data, 8);
    header.uncompressed = load<uint32_t>(data, 12);
    break;
  case 3:
    header.bytes = 32;
    header.total = load<uint64_t>(data, 8);
    header.uncompressed = load<uint64_t>(data, 16);
    break;
  default:
    return badBundle(
        fmt::format("compressed bundle of version {}; known are 1 to 3", load<uint16_t>(data, 4)));
  }
  if (header.uncompressed > mostBundleBytes || header.total > mostBundleBytes ||
      (header.total != 0 && header.total < header.bytes))
    return badBundle("compressed bundle with a size that cannot be");
  return header;
}

llvm::Expected<CompressedHeader> compressedHeader(Bytes bytes) {
  std::array<std::byte, 32> head = {}; // Version 1 may be shorter than the longest header.
  std::copy_n(bytes.begin(), std::min(bytes.size(), head.size()), head.begin());
  return compressedHeader(static_cast<const void *>(head.data()));
}

bool isCompressed(Bytes bundle) {
  return startsWith(bundle, compressedMagic) && bundle.size() >= 20;
}

llvm::Expected<std::vector<std::byte>> compressBundle(Bytes plain, Bytes like) {
  auto header = compressedHeader(like);
  if (!header)
    return header.takeError();
  const uint16_t version = header->version;
  const llvm::ArrayRef<uint8_t> input(reinterpret_cast<const uint8_t *>(plain.data()),
                                      plain.size());
  llvm::SmallVector<uint8_t, 0> body;
  if (header->method == 0 && llvm::compression::zlib::isAvailable())
    llvm::compression::zlib::compress(input, body, llvm::compression::zlib::BestSizeCompression);
  else if (header->method == 1 && llvm::compression::zstd::isAvailable())
    llvm::compression::zstd::compress(input, body, llvm::compression::zstd::BestSizeCompression);
  else
    return badBundle(fmt::format("compression method {} is not known here", header->method));
  std::vector<std::byte> bundle;
  storeText(bundle, compressedMagic);
  store(bundle, version);
  store(bundle, header->method);
  const uint64_t total = header->bytes + body.size();
  if (version == 3)
    store(bundle, total);
  else if (version == 2)
    store(bundle, static_cast<uint32_t>(total));
  if (version == 3)
    store(bundle, uint64_t{plain.size()});
  else
    store(bundle, static_cast<uint32_t>(plain.size()));
  const llvm::MD5::MD5Result hash = llvm::MD5::hash(input);
  store(bundle, hash.low());
  storeText(bundle, {reinterpret_cast<const char *>(body.data()), body.size()});
  return bundle;
}

llvm::Expected<std::vector<std::byte>> decompressBundle(Bytes bytes) {
  if (!isCompressed(bytes))
    return badBundle("no compressed bundle");
  auto header = compressedHeader(bytes);
  if (!header)
    return header.takeError();
  const uint64_t total = header->total == 0 ? bytes.size() : header->total;
  if (total > bytes.size() || total < header->bytes)
    return badBundle("the compressed bundle is not complete");
  const Bytes body = bytes.subspan(header->bytes, total - header->bytes);
  // What a block of four bytes can stand for in zstd; zlib stays far below.
  constexpr uint64_t mostExpansion = 1 << 15;
  if (header->uncompressed / mostExpansion > body.size())
    return badBundle("the compressed bundle says that it is larger than it can be");
  const llvm::ArrayRef<uint8_t> input(reinterpret_cast<const uint8_t *>(body.data()), body.size());
  std::vector<std::byte> out(header->uncompressed);
  size_t produced = out.size();
  auto *output = reinterpret_cast<uint8_t *>(out.data());
  const auto decompress = [&]() -> llvm::Error {
    if (header->method == 0 && llvm::compression::zlib::isAvailable())
      return llvm::compression::zlib::decompress(input, output, produced);
    if (header->method == 1 && llvm::compression::zstd::isAvailable())
      return llvm::compression::zstd::decompress(input, output, produced);
    return badBundle(fmt::format("compression method {} is not known here", header->method));
  };
  if (llvm::Error error = decompress())
    return badBundle(llvm::toString(std::move(error)));
  out.resize(produced);
  return out;
}

} // namespace rdna::object
