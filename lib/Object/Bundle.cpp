#include "Object/Bundle.h"

#include "Object/CompressedBundle.h"
#include "Support/Diagnostic.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace rdna::object {

char NoCodeForProcessor::ID = 0;

void NoCodeForProcessor::log(llvm::raw_ostream &os) const { os << text_; }

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::string_view bundleMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view elfMagic = "\177ELF";
/// A bundle of a library for all processors has some hundred entries.
constexpr uint64_t mostEntries = 4096, longestId = 4096;

/// Reads on from one place to the next, and notices the end.
class BundleReader {
public:
  explicit BundleReader(Bytes bytes) : bytes_(bytes) {}
  bool u64(uint64_t &value) {
    if (bytes_.size() - at_ < 8)
      return false;
    value = load<uint64_t>(bytes_.data(), at_);
    at_ += 8;
    return true;
  }
  bool text(uint64_t length, std::string &value) {
    if (length > longestId || bytes_.size() - at_ < length)
      return false;
    value.assign(reinterpret_cast<const char *>(bytes_.data()) + at_, length);
    at_ += length;
    return true;
  }
  void skip(size_t bytes) { at_ += std::min(bytes, bytes_.size() - at_); }

private:
  Bytes bytes_;
  size_t at_ = 0;
};

llvm::Expected<std::vector<std::byte>> chooseEntry(Bytes bundle, std::string_view processor) {
  auto entries = readBundle(bundle);
  if (!entries)
    return entries.takeError();
  std::string ids;
  for (std::string_view wanted : {processor, std::string_view("gfx11-generic")})
    for (const BundleEntry &entry : *entries)
      if (processorOf(entry.id) == wanted)
        return std::vector<std::byte>(entry.code.begin(), entry.code.end());
  for (const BundleEntry &entry : *entries)
    ids += (ids.empty() ? "" : ", ") + entry.id;
  return llvm::make_error<NoCodeForProcessor>(
      fmt::format("no code for {} in the fat binary, which has {}", processor, ids));
}

} // namespace

std::string_view processorOf(std::string_view id) {
  const bool device = id.starts_with("hipv4-") || id.starts_with("hip-") || id.starts_with("hcc-");
  const size_t triple = id.find("amdgcn-amd-amdhsa");
  if (!device || triple == std::string_view::npos)
    return {};
  std::string_view rest = id.substr(triple + std::string_view("amdgcn-amd-amdhsa").size());
  while (rest.starts_with("-"))
    rest.remove_prefix(1);
  return rest.find(':') == std::string_view::npos ? rest : std::string_view();
}

std::string originalId(std::string_view processor) {
  return fmt::format("rdna-original-amdgcn-amd-amdhsa--{}", processor);
}

llvm::Expected<std::vector<std::byte>> codeWithId(Bytes bytes, std::string_view id) {
  std::vector<std::byte> plain;
  if (isCompressed(bytes)) {
    auto decompressed = decompressBundle(bytes);
    if (!decompressed)
      return decompressed.takeError();
    plain = std::move(*decompressed);
    bytes = plain;
  }
  if (!isBundle(bytes)) // A code object by itself.
    return std::vector<std::byte>();
  auto entries = readBundle(bytes);
  if (!entries)
    return entries.takeError();
  for (const BundleEntry &entry : *entries)
    if (entry.id == id)
      return std::vector<std::byte>(entry.code.begin(), entry.code.end());
  return std::vector<std::byte>();
}

bool isBundle(Bytes bytes) { return isCompressed(bytes) || startsWith(bytes, bundleMagic); }

std::vector<std::byte> writeBundle(std::span<const BundleEntry> entries) {
  constexpr size_t alignment = 4096;
  size_t header = bundleMagic.size() + 8;
  for (const BundleEntry &entry : entries)
    header += 24 + entry.id.size();
  std::vector<std::byte> bundle;
  storeText(bundle, bundleMagic);
  store(bundle, uint64_t{entries.size()});
  uint64_t end = header;
  for (const BundleEntry &entry : entries) {
    const uint64_t offset = llvm::alignTo(end, alignment);
    store(bundle, offset);
    store(bundle, uint64_t{entry.code.size()});
    store(bundle, uint64_t{entry.id.size()});
    storeText(bundle, entry.id);
    end = offset + entry.code.size();
  }
  for (const BundleEntry &entry : entries) {
    bundle.resize(llvm::alignTo(bundle.size(), alignment));
    bundle.insert(bundle.end(), entry.code.begin(), entry.code.end());
  }
  return bundle;
}

llvm::Expected<size_t> bundleSize(Bytes bytes) {
  if (isCompressed(bytes)) {
    auto header = compressedHeader(bytes);
    if (!header)
      return header.takeError();
    if (header->total > bytes.size())
      return badBundle("the compressed bundle is not complete");
    return header->total == 0 ? bytes.size() : header->total;
  }
  auto entries = readBundle(bytes);
  if (!entries)
    return entries.takeError();
  size_t end = bundleMagic.size() + 8;
  for (const BundleEntry &entry : *entries)
    end += 24 + entry.id.size();
  for (const BundleEntry &entry : *entries)
    end = std::max<size_t>(end, entry.code.data() + entry.code.size() - bytes.data());
  return end;
}

llvm::Expected<std::vector<BundleEntry>> readBundle(Bytes bundle) {
  if (!startsWith(bundle, bundleMagic))
    return badBundle("no bundle of device code");
  BundleReader reader(bundle);
  reader.skip(bundleMagic.size());
  uint64_t count = 0;
  if (!reader.u64(count) || count > mostEntries)
    return badBundle("the bundle's number of entries cannot be read");
  std::vector<BundleEntry> entries;
  for (uint64_t n = 0; n < count; ++n) {
    uint64_t offset = 0, size = 0, length = 0;
    BundleEntry entry;
    if (!reader.u64(offset) || !reader.u64(size) || !reader.u64(length) ||
        !reader.text(length, entry.id))
      return badBundle(fmt::format("entry {} of the bundle cannot be read", n));
    if (offset > bundle.size() || size > bundle.size() - offset)
      return badBundle(fmt::format("entry {} of the bundle ends behind it", n));
    entry.code = bundle.subspan(offset, size);
    entries.push_back(std::move(entry));
  }
  return entries;
}

llvm::Expected<size_t> imageSize(const void *data) {
  const Bytes head(static_cast<const std::byte *>(data), 4);
  if (startsWith(head, elfMagic)) {
    const auto header = load<llvm::ELF::Elf64_Ehdr>(data, 0);
    uint64_t end = sizeof header;
    end = std::max<uint64_t>(end, header.e_phoff + uint64_t(header.e_phnum) * header.e_phentsize);
    end = std::max<uint64_t>(end, header.e_shoff + uint64_t(header.e_shnum) * header.e_shentsize);
    for (unsigned n = 0; n < header.e_shnum; ++n) {
      const auto section =
          load<llvm::ELF::Elf64_Shdr>(data, header.e_shoff + uint64_t(n) * header.e_shentsize);
      if (section.sh_type != llvm::ELF::SHT_NOBITS)
        end = std::max<uint64_t>(end, section.sh_offset + section.sh_size);
    }
    return end;
  }
  if (startsWith(head, compressedMagic)) {
    auto header = compressedHeader(data);
    if (!header)
      return header.takeError();
    if (header->total == 0) // Streams end by themselves, and compressing never doubles.
      return badBundle("compressed bundle of version 1, which does not say how long it is");
    return header->total;
  }
  if (std::memcmp(data, bundleMagic.data(), bundleMagic.size()) != 0)
    return badBundle("neither a code object nor a bundle of them");
  uint64_t at = bundleMagic.size() + 8, end = at;
  const auto count = load<uint64_t>(data, bundleMagic.size());
  if (count > mostEntries)
    return badBundle("the bundle's number of entries cannot be read");
  for (uint64_t n = 0; n < count; ++n) {
    const auto offset = load<uint64_t>(data, at), size = load<uint64_t>(data, at + 8),
               length = load<uint64_t>(data, at + 16);
    if (length > longestId || offset > mostBundleBytes || size > mostBundleBytes)
      return badBundle(fmt::format("entry {} of the bundle cannot be read", n));
    at += 24 + length;
    end = std::max({end, at, offset + size});
  }
  return end;
}

llvm::Expected<std::vector<std::byte>> codeFor(Bytes bytes, std::string_view processor) {
  if (startsWith(bytes, elfMagic))
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  if (startsWith(bytes, compressedMagic)) {
    auto plain = decompressBundle(bytes);
    if (!plain)
      return plain.takeError();
    return chooseEntry(*plain, processor);
  }
  if (startsWith(bytes, bundleMagic))
    return chooseEntry(bytes, processor);
  return badBundle("neither a code object nor a bundle of them");
}

} // namespace rdna::object
