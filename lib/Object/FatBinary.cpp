#include "Object/FatBinary.h"

#include "Support/Diagnostic.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::object {

namespace {

using Bytes = std::span<const std::byte>;
constexpr const char *sectionName = ".hip_fatbin";

llvm::Error bad(std::string_view message) {
  return makeError(Failure::BadInput, "fat binary", message);
}

llvm::StringRef textOf(Bytes bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

llvm::Expected<FatBundle> readOne(Bytes file, size_t offset, size_t end) {
  const Bytes rest = file.subspan(offset, end - offset);
  auto size = bundleSize(rest);
  if (!size)
    return size.takeError();
  FatBundle bundle;
  bundle.offset = offset;
  bundle.bytes = *size;
  bundle.room = rest.size();
  const Bytes stored = rest.first(*size);
  if (isCompressed(stored)) {
    auto plain = decompressBundle(stored);
    if (!plain)
      return plain.takeError();
    bundle.form = FatBundle::Form::Compressed;
    bundle.plain = std::move(*plain);
  } else {
    bundle.plain.assign(stored.begin(), stored.end());
  }
  auto entries = readBundle(bundle.plain);
  if (!entries)
    return entries.takeError();
  bundle.entries = std::move(*entries);
  return bundle;
}

/// Bundle behind bundle, with zeros between them.
llvm::Error readBundles(Bytes file, size_t begin, size_t end, FatFile &fat) {
  if (!fat.bundles.empty())
    return bad("there are two sections .hip_fatbin");
  for (size_t at = begin; at < end;) {
    if (!isBundle(file.subspan(at, end - at))) {
      // Only padding may stand here: anything else would be code that is overlooked.
      if (file[at] != std::byte{0})
        return bad(fmt::format("no bundle at byte {} of its section", at - begin));
      ++at;
      continue;
    }
    auto bundle = readOne(file, at, end);
    if (!bundle)
      return bundle.takeError();
    if (!fat.bundles.empty())
      fat.bundles.back().room = at - fat.bundles.back().offset;
    at += std::max<size_t>(bundle->bytes, 1);
    fat.bundles.push_back(std::move(*bundle));
  }
  return llvm::Error::success();
}

llvm::Expected<FatFile> readHostFile(Bytes file) {
  using Elf = llvm::object::ELFFile<llvm::object::ELF64LE>;
  auto elf = Elf::create(textOf(file));
  if (!elf)
    return bad(llvm::toString(elf.takeError()));
  FatFile fat;
  if (elf->getHeader().e_machine == llvm::ELF::EM_AMDGPU) {
    fat.kind = FatFile::Kind::CodeObject;
    return fat;
  }
  fat.kind = elf->getHeader().e_type == llvm::ELF::ET_REL ? FatFile::Kind::Relocatable
                                                          : FatFile::Kind::Linked;
  auto sections = elf->sections();
  if (!sections)
    return bad(llvm::toString(sections.takeError()));
  for (const auto &section : *sections) {
    auto name = elf->getSectionName(section);
    if (!name)
      return bad(llvm::toString(name.takeError()));
    if (*name != sectionName || section.sh_type == llvm::ELF::SHT_NOBITS)
      continue;
    if (section.sh_offset > file.size() || section.sh_size > file.size() - section.sh_offset)
      return bad("the section .hip_fatbin ends behind the file");
    if (llvm::Error error =
            readBundles(file, section.sh_offset, section.sh_offset + section.sh_size, fat))
      return error;
  }
  if (fat.bundles.empty())
    return bad("the file has no device code: no section .hip_fatbin, or an empty one");
  return fat;
}

/// An object file with another content of the section. Relocations name places in it, so all but
/// the last bundle keep theirs.
llvm::Expected<std::vector<std::byte>> withSection(Bytes file, const std::string &content) {
  auto buffer = llvm::MemoryBuffer::getMemBuffer(textOf(file), "", false);
  auto object = llvm::object::ObjectFile::createELFObjectFile(buffer->getMemBufferRef());
  if (!object)
    return bad(llvm::toString(object.takeError()));
  llvm::objcopy::ConfigManager config;
  config.Common.UpdateSection.push_back(
      {sectionName, llvm::MemoryBuffer::getMemBufferCopy(content)});
  llvm::SmallVector<char, 0> out;
  llvm::raw_svector_ostream stream(out);
  if (llvm::Error error = llvm::objcopy::executeObjcopyOnBinary(config, **object, stream))
    return bad(llvm::toString(std::move(error)));
  const auto *begin = reinterpret_cast<const std::byte *>(out.data());
  return std::vector<std::byte>(begin, begin + out.size());
}

} // namespace

llvm::Expected<FatFile> readFatFile(Bytes file) {
  if (textOf(file).starts_with(llvm::StringRef(llvm::ELF::ElfMagic, 4)))
    return readHostFile(file);
  if (!isBundle(file))
    return bad("neither an ELF file nor a bundle of device code");
  FatFile fat;
  if (llvm::Error error = readBundles(file, 0, file.size(), fat))
    return error;
  return fat;
}

/// The file with another bundle in place of one.
static llvm::Expected<std::vector<std::byte>>
withBundle(Bytes file, const FatFile &fat, size_t number, const std::vector<std::byte> &fresh) {
  const FatBundle &old = fat.bundles[number];
  const bool last = number + 1 == fat.bundles.size();
  std::vector<std::byte> out(file.begin(), file.end());
  const auto place = out.begin() + static_cast<ptrdiff_t>(old.offset);
  if (fresh.size() <= old.room && fat.kind != FatFile::Kind::Bundle) {
    std::fill(place, place + static_cast<ptrdiff_t>(old.room), std::byte{0});
    std::copy(fresh.begin(), fresh.end(), place);
    return out;
  }
  if (fat.kind == FatFile::Kind::Bundle) {
    out.erase(place, place + static_cast<ptrdiff_t>(old.room));
    out.insert(out.begin() + static_cast<ptrdiff_t>(old.offset), fresh.begin(), fresh.end());
    return out;
  }
  if (fat.kind == FatFile::Kind::Relocatable && last) {
    const size_t begin = fat.bundles.front().offset;
    std::string content = textOf(file.subspan(begin, old.offset - begin)).str();
    content += textOf(fresh).str();
    return withSection(file, content);
  }
  return makeError(
      Failure::Refused, "",
      fmt::format("the new bundle has {} bytes and the file room for {}: nothing of a linked file "
                  "can move. Put the code into the object file (.o) and link again",
                  fresh.size(), old.room));
}

llvm::Expected<std::vector<std::byte>> replaceDeviceCode(Bytes file, const FatFile &fat,
                                                         size_t number, size_t entry, Bytes code) {
  const FatBundle &old = fat.bundles[number];
  std::vector<BundleEntry> entries = old.entries;
  entries[entry].code = code;
  std::vector<std::byte> fresh = writeBundle(entries);
  if (old.form == FatBundle::Form::Compressed) {
    auto compressed = compressBundle(fresh, file.subspan(old.offset, old.bytes));
    if (!compressed)
      return compressed.takeError();
    fresh = std::move(*compressed);
  }
  auto out = withBundle(file, fat, number, fresh);
  if (!out)
    return out;
  // A compressed bundle of version 1 does not say where it ends, and not every method ignores what
  // stands behind.
  auto again = readFatFile(*out);
  const bool readable = again && again->bundles.size() == fat.bundles.size() &&
                        std::ranges::equal(again->bundles[number].entries[entry].code, code);
  if (!again)
    llvm::consumeError(again.takeError());
  if (!readable)
    return makeError(Failure::Refused, "",
                     "what came of it cannot be read back (a compressed bundle of version 1 cannot "
                     "become shorter)");
  return out;
}

} // namespace rdna::object
