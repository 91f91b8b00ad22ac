#include "HipRuntime/CodeModule.h"

#include "EmuLoad/KernelImage.h"
#include "Isa/Processor.h"
#include "Support/Diagnostic.h"

#include "llvm/Object/ELFObjectFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace rdna::hip {

llvm::Expected<const emu::Program *> ModuleKernel::program() {
  if (!program_) {
    if (!kernel_.wave32)
      return makeError(
          Failure::Refused, "",
          fmt::format("kernel '{}' is for wave64, which is not emulated", kernel_.name));
    auto made = emu::Program::create(kernelImage(module_.object(), kernel_));
    if (!made)
      return made.takeError();
    program_ = std::move(*made);
  }
  return program_.get();
}

llvm::Expected<std::unique_ptr<CodeModule>>
CodeModule::load(std::vector<std::byte> elf, std::string_view name, DeviceMemory &memory) {
  auto object = object::readCodeObject(std::move(elf), name);
  if (!object)
    return object.takeError();
  if (!processorByName(object->target))
    return makeError(Failure::BadInput, name, whyNotHandled(object->target));
  std::unique_ptr<CodeModule> module(new CodeModule(std::move(*object), memory));
  if (llvm::Error error = module->place())
    return error;
  if (llvm::Error error = module->readGlobals())
    return error;
  for (const object::Kernel &kernel : module->object_.kernels)
    module->kernels_[kernel.name] = std::make_unique<ModuleKernel>(*module, kernel);
  return module;
}

CodeModule::~CodeModule() {
  if (image_)
    memory_.release(reinterpret_cast<uint64_t>(image_));
}

llvm::Error CodeModule::place() {
  const Allocation *room = memory_.allocate(std::max<uint64_t>(object_.image.size(), 1),
                                            Allocation::Kind::Code, "code object");
  if (!room)
    return makeError(Failure::Refused, object_.file, "no room for the code object");
  image_ = reinterpret_cast<std::byte *>(room->address);
  std::memcpy(image_, object_.image.data(), object_.image.size());
  for (uint64_t at : object_.addressWords) {
    if (at + 8 > object_.image.size())
      continue;
    uint64_t word = 0;
    std::memcpy(&word, image_ + at, sizeof word);
    word += room->address;
    std::memcpy(image_ + at, &word, sizeof word);
  }
  return llvm::Error::success();
}

llvm::Error CodeModule::readGlobals() {
  const llvm::StringRef bytes(reinterpret_cast<const char *>(object_.elf.data()),
                              object_.elf.size());
  auto file = llvm::object::ELFFile<llvm::object::ELF64LE>::create(bytes);
  if (!file)
    return file.takeError();
  auto sections = file->sections();
  if (!sections)
    return sections.takeError();
  for (const auto &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_DYNSYM && section.sh_type != llvm::ELF::SHT_SYMTAB)
      continue;
    auto symbols = file->symbols(&section);
    auto names = file->getStringTableForSymtab(section);
    if (!symbols)
      return symbols.takeError();
    if (!names)
      return names.takeError();
    for (const auto &symbol : *symbols) {
      if (symbol.getType() != llvm::ELF::STT_OBJECT || symbol.st_shndx == llvm::ELF::SHN_UNDEF)
        continue;
      auto name = symbol.getName(*names);
      if (!name)
        return name.takeError();
      if (symbol.st_value <= object_.image.size() &&
          symbol.st_size <= object_.image.size() - symbol.st_value)
        globals_[name->str()] = {reinterpret_cast<uint64_t>(image_) + symbol.st_value,
                                 symbol.st_size};
    }
  }
  return llvm::Error::success();
}

ModuleKernel *CodeModule::kernel(std::string_view name) {
  const auto found = kernels_.find(name);
  return found == kernels_.end() ? nullptr : found->second.get();
}

bool CodeModule::has(const ModuleKernel *kernel) const {
  return std::any_of(kernels_.begin(), kernels_.end(),
                     [&](const auto &named) { return named.second.get() == kernel; });
}

std::optional<Global> CodeModule::global(std::string_view name) const {
  const auto found = globals_.find(name);
  return found == globals_.end() ? std::nullopt : std::optional(found->second);
}

} // namespace rdna::hip
