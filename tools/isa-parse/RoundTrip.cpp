#include "IsaParse.h"

#include "Code/Reprint.h"
#include "Object/CodeObject.h"

#include "llvm/Object/ELFObjectFile.h"

#include <fmt/format.h>

namespace rdna::isaparse {

namespace {
struct CodeSection {
  std::string name;
  std::string bytes;
};
} // namespace

/// The sections of a relocatable object that hold code.
static llvm::Expected<std::vector<CodeSection>> codeSections(const std::vector<std::byte> &elf) {
  const llvm::StringRef bytes(reinterpret_cast<const char *>(elf.data()), elf.size());
  auto object = llvm::object::ObjectFile::createELFObjectFile({bytes, "object"});
  if (!object)
    return object.takeError();
  std::vector<CodeSection> sections;
  for (const llvm::object::SectionRef &section : (*object)->sections()) {
    if (!section.isText())
      continue;
    auto name = section.getName();
    if (!name)
      return name.takeError();
    auto contents = section.getContents();
    if (!contents)
      return contents.takeError();
    sections.push_back({name->str(), contents->str()});
  }
  return sections;
}

static llvm::Expected<std::vector<CodeSection>> assembleText(std::string_view text,
                                                             const std::string &file) {
  auto elf = object::assemble(text, file);
  if (!elf)
    return elf.takeError();
  return codeSections(*elf);
}

/// The instruction that holds a byte of the code of a section, for files with one code section:
/// instructions follow each other there, but for alignment.
static const Instruction *instructionAt(const Module &module, size_t offset) {
  size_t at = 0;
  for (const Instruction &inst : module.instructions()) {
    if (inst.section != module.instructions().front().section)
      return nullptr;
    at += inst.sizeBytes;
    if (offset < at)
      return &inst;
  }
  return nullptr;
}

llvm::Expected<std::string> roundIteration(const Module &module) {
  const std::string printed = reprint(module);
  auto before = assembleText(module.text(), module.file());
  if (!before)
    return before.takeError();
  auto after = assembleText(printed, module.file() + " (printed anew)");
  if (!after)
    return after.takeError();
  const auto refuse = [&](const std::string &message) {
    return makeError(Failure::Refused, module.file(), message);
  };
  if (before->size() != after->size())
    return refuse("round trip: the number of code sections differs");
  size_t bytes = 0;
  for (size_t i = 0; i < before->size(); ++i) {
    const CodeSection &old = (*before)[i], &now = (*after)[i];
    const size_t common = std::min(old.bytes.size(), now.bytes.size());
    size_t at = 0;
    while (at < common && old.bytes[at] == now.bytes[at])
      ++at;
    if (at == old.bytes.size() && at == now.bytes.size()) {
      bytes += at;
      continue;
    }
    const std::string message = fmt::format("round trip: {} differs at byte {} ({} and {} bytes)",
                                            old.name, at, old.bytes.size(), now.bytes.size());
    if (const Instruction *inst = before->size() == 1 ? instructionAt(module, at) : nullptr)
      return makeError(Failure::Refused, module.at(*inst, message));
    return refuse(message);
  }
  size_t macro = 0;
  for (const Instruction &inst : module.instructions())
    macro += inst.origin == Instruction::Origin::Macro ? 1 : 0;
  std::string text = fmt::format("{}: {} instructions printed anew, {} bytes of code are the same",
                                 module.file(), module.instructions().size() - macro, bytes);
  if (macro > 0)
    text += fmt::format(" ({} more come out of macros, which are kept)", macro);
  return text + "\n";
}

} // namespace rdna::isaparse
