#include "HipRuntime/SourcePlaces.h"

#include "llvm/DebugInfo/DIContext.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/Decompressor.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <fmt/format.h>

namespace rdna::hip {

/// LLVM makes room for what a section says that it takes uncompressed, and ends the process where
/// there is none.
static bool hasHugeSection(const llvm::object::ObjectFile &file) {
  constexpr uint64_t most = uint64_t{1} << 30;
  for (const llvm::object::SectionRef &section : file.sections()) {
    if (!section.isCompressed())
      continue;
    auto contents = section.getContents();
    if (!contents) {
      llvm::consumeError(contents.takeError());
      return true;
    }
    auto compressed = llvm::object::Decompressor::create("", *contents, true, true);
    if (!compressed) {
      llvm::consumeError(compressed.takeError());
      return true;
    }
    if (compressed->getDecompressedSize() > most)
      return true;
  }
  return false;
}

SourcePlaces::SourcePlaces(const object::CodeObject &object) : object_(object) {}
SourcePlaces::~SourcePlaces() = default;

void SourcePlaces::read() const {
  wasRead_ = true;
  const llvm::StringRef bytes(reinterpret_cast<const char *>(object_.elf.data()),
                              object_.elf.size());
  auto file = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(bytes, "code"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return;
  }
  if (hasHugeSection(**file))
    return;
  file_ = std::move(*file);
  // Broken debug information costs the lines, nothing else.
  const auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  dwarf_ = llvm::DWARFContext::create(*file_, llvm::DWARFContext::ProcessDebugRelocations::Ignore,
                                      nullptr, "", ignore, ignore);
}

std::string SourcePlaces::at(uint64_t imageOffset) const {
  if (!wasRead_)
    read();
  if (!dwarf_)
    return {};
  using Spec = llvm::DILineInfoSpecifier;
  const llvm::DIInliningInfo frames = dwarf_->getInliningInfoForAddress(
      {imageOffset, llvm::object::SectionedAddress::UndefSection},
      Spec(Spec::FileLineInfoKind::AbsoluteFilePath, Spec::FunctionNameKind::None));
  std::string text;
  for (uint32_t n = 0; n < frames.getNumberOfFrames(); ++n) {
    const llvm::DILineInfo &frame = frames.getFrame(n);
    if (!frame || frame.Line == 0)
      continue;
    text += fmt::format("{}{}:{}", text.empty() ? "" : ", inlined at ", frame.FileName, frame.Line);
  }
  return text;
}

} // namespace rdna::hip
