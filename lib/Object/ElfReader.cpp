#include "Object/Assumptions.h"
#include "Object/CodeObject.h"
#include "Object/Metadata.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/AMDHSAKernelDescriptor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace rdna::object {

namespace {

namespace elf = llvm::ELF;
using Elf = llvm::object::ELFFile<llvm::object::ELF64LE>;
using Symbol = llvm::object::ELF64LE::Sym;

/// Beyond any real code object; a corrupt size must not become an allocation of terabytes.
constexpr uint64_t maxImageBytes = uint64_t{256} << 20;

std::string targetName(uint32_t flags) {
  // What one meets by mistake; LLVM's own function is unreachable() for unknown numbers.
  static constexpr std::pair<unsigned, const char *> kNames[] = {
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX900, "gfx900"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX906, "gfx906"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX908, "gfx908"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX90A, "gfx90a"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX942, "gfx942"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX950, "gfx950"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1010, "gfx1010"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1011, "gfx1011"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1012, "gfx1012"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1030, "gfx1030"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1031, "gfx1031"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1032, "gfx1032"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1033, "gfx1033"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1034, "gfx1034"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1035, "gfx1035"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1036, "gfx1036"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1100, "gfx1100"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1101, "gfx1101"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1102, "gfx1102"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1103, "gfx1103"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX11_GENERIC, "gfx11-generic"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1150, "gfx1150"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1151, "gfx1151"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1152, "gfx1152"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1153, "gfx1153"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1200, "gfx1200"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1201, "gfx1201"},
      {elf::EF_AMDGPU_MACH_AMDGCN_GFX1250, "gfx1250"},
  };
  for (const auto &[machine, name] : kNames)
    if (machine == (flags & elf::EF_AMDGPU_MACH))
      return name;
  return fmt::format("machine {:#x}", flags & elf::EF_AMDGPU_MACH);
}

struct NamedSymbol {
  std::string name;
  uint64_t value = 0;
  uint64_t size = 0;
  unsigned type = 0;
  bool defined = false;
};

class ElfParser {
public:
  ElfParser(CodeObject &object, const Elf &file) : object_(object), file_(file) {}
  llvm::Error run();

private:
  llvm::Error bad(std::string_view what) const {
    return makeError(Failure::BadInput, object_.file, what);
  }
  llvm::Error readSegments();
  llvm::Error readSymbols();
  llvm::Error relocate();
  llvm::Error applyRelocation(const llvm::object::ELF64LE::Rela &rela,
                              llvm::ArrayRef<Symbol> symbols);
  llvm::Error readKernels();
  llvm::Error readNotes();
  llvm::Error readAssumptionSection();
  bool inImage(uint64_t address, uint64_t bytes) const {
    return address <= object_.image.size() && bytes <= object_.image.size() - address;
  }
  bool inCode(uint64_t address) const;

  CodeObject &object_;
  const Elf &file_;
  std::vector<NamedSymbol> symbols_;
};

llvm::Error ElfParser::readSegments() {
  auto headers = file_.program_headers();
  if (!headers)
    return headers.takeError();
  uint64_t end = 0;
  for (const auto &header : *headers) {
    if (header.p_type != elf::PT_LOAD)
      continue;
    if (header.p_filesz > header.p_memsz || header.p_vaddr > maxImageBytes ||
        header.p_memsz > maxImageBytes - header.p_vaddr)
      return bad("a loadable segment has an impossible address or size");
    if ((header.p_flags & elf::PF_X) != 0 && header.p_filesz != header.p_memsz)
      return bad("an executable segment is larger in memory than in the file");
    if (header.p_offset > object_.elf.size() ||
        header.p_filesz > object_.elf.size() - header.p_offset)
      return bad("a loadable segment reaches past the end of the file (truncated?)");
    end = std::max<uint64_t>(end, header.p_vaddr + header.p_memsz);
  }
  object_.image.resize(end);
  for (const auto &header : *headers) {
    if (header.p_type != elf::PT_LOAD)
      continue;
    // A segment without bytes has no data to copy, and memcpy wants a pointer even then.
    if (header.p_filesz != 0)
      std::memcpy(object_.image.data() + header.p_vaddr, object_.elf.data() + header.p_offset,
                  header.p_filesz);
    auto kind = CodeObject::Segment::Kind::ReadOnly;
    if ((header.p_flags & elf::PF_X) != 0)
      kind = CodeObject::Segment::Kind::Code;
    else if ((header.p_flags & elf::PF_W) != 0)
      kind = CodeObject::Segment::Kind::Data;
    object_.segments.push_back({header.p_vaddr, header.p_memsz, kind});
  }
  if (object_.segments.empty())
    return bad("no loadable segment: not a linked code object (a .o must be linked first)");
  return llvm::Error::success();
}

llvm::Error ElfParser::readSymbols() {
  auto sections = file_.sections();
  if (!sections)
    return sections.takeError();
  for (const auto &section : *sections) {
    if (section.sh_type != elf::SHT_DYNSYM && section.sh_type != elf::SHT_SYMTAB)
      continue;
    auto symbols = file_.symbols(&section);
    if (!symbols)
      return symbols.takeError();
    auto names = file_.getStringTableForSymtab(section);
    if (!names)
      return names.takeError();
    for (const Symbol &symbol : *symbols) {
      auto name = symbol.getName(*names);
      if (!name)
        return name.takeError();
      if (!name->empty())
        symbols_.push_back({name->str(), symbol.st_value, symbol.st_size, symbol.getType(),
                            symbol.st_shndx != elf::SHN_UNDEF});
    }
  }
  return llvm::Error::success();
}

llvm::Error ElfParser::applyRelocation(const llvm::object::ELF64LE::Rela &rela,
                                       llvm::ArrayRef<Symbol> symbols) {
  const uint32_t type = rela.getType(false);
  if (type == elf::R_AMDGPU_NONE)
    return llvm::Error::success();
  uint64_t value = static_cast<uint64_t>(int64_t{rela.r_addend});
  if (type == elf::R_AMDGPU_ABS64) {
    const uint32_t index = rela.getSymbol(false);
    if (index >= symbols.size() || symbols[index].st_shndx == elf::SHN_UNDEF)
      return bad("a relocation needs a symbol that the code object does not define");
    value += symbols[index].st_value;
  } else if (type != elf::R_AMDGPU_RELATIVE64) {
    return bad(fmt::format("relocation type {} is not supported in a linked code object", type));
  }
  if (!inImage(rela.r_offset, 8))
    return bad("a relocation lies outside the loaded segments");
  std::memcpy(object_.image.data() + rela.r_offset, &value, 8); // Host and target: little-endian.
  object_.addressWords.push_back(rela.r_offset);
  return llvm::Error::success();
}

llvm::Error ElfParser::relocate() {
  auto sections = file_.sections();
  if (!sections)
    return sections.takeError();
  for (const auto &section : *sections) {
    if (section.sh_type != elf::SHT_RELA || (section.sh_flags & elf::SHF_ALLOC) == 0)
      continue;
    auto relas = file_.relas(section);
    if (!relas)
      return relas.takeError();
    auto symbolSection = file_.getSection(section.sh_link);
    if (!symbolSection)
      return symbolSection.takeError();
    llvm::ArrayRef<Symbol> symbols;
    if ((*symbolSection)->sh_type == elf::SHT_DYNSYM) {
      auto read = file_.symbols(*symbolSection);
      if (!read)
        return read.takeError();
      symbols = *read;
    }
    for (const auto &rela : *relas)
      if (llvm::Error error = applyRelocation(rela, symbols))
        return error;
  }
  std::sort(object_.addressWords.begin(), object_.addressWords.end());
  return llvm::Error::success();
}

bool ElfParser::inCode(uint64_t address) const {
  return std::any_of(object_.segments.begin(), object_.segments.end(), [&](const auto &segment) {
    return segment.kind == CodeObject::Segment::Kind::Code && address >= segment.address &&
           address - segment.address < segment.bytes;
  });
}

llvm::Error ElfParser::readKernels() {
  namespace hsa = llvm::amdhsa;
  for (const NamedSymbol &symbol : symbols_) {
    llvm::StringRef name = symbol.name;
    if (!name.consume_back(".kd") || !symbol.defined || name.empty())
      continue;
    const auto same = std::find_if(object_.kernels.begin(), object_.kernels.end(),
                                   [&](const Kernel &k) { return k.name == name; });
    if (same != object_.kernels.end()) {
      // The dynamic and the static table both list it; two descriptors of one name are an error.
      if (same->descriptorAddress != symbol.value)
        object_.duplicateKernels.push_back(name.str());
      continue;
    }
    if (symbol.value % 8 != 0 || !inImage(symbol.value, sizeof(hsa::kernel_descriptor_t)))
      return bad(fmt::format("the descriptor of kernel '{}' lies outside the loaded segments",
                             name.str()));
    hsa::kernel_descriptor_t descriptor;
    std::memcpy(&descriptor, object_.image.data() + symbol.value, sizeof descriptor);
    Kernel kernel;
    kernel.name = name.str();
    kernel.descriptorAddress = symbol.value;
    kernel.entryAddress =
        symbol.value + static_cast<uint64_t>(descriptor.kernel_code_entry_byte_offset);
    if (!inCode(kernel.entryAddress) || kernel.entryAddress % 4 != 0)
      return bad(fmt::format("the descriptor of kernel '{}' does not point to code", kernel.name));
    for (const NamedSymbol &code : symbols_)
      if (code.name == kernel.name && code.defined && code.value == kernel.entryAddress &&
          inImage(code.value, code.size))
        kernel.codeBytes = code.size;
    kernel.ldsBytes = descriptor.group_segment_fixed_size;
    kernel.scratchBytes = descriptor.private_segment_fixed_size;
    kernel.kernargBytes = descriptor.kernarg_size;
    kernel.rsrc1 = descriptor.compute_pgm_rsrc1;
    kernel.rsrc2 = descriptor.compute_pgm_rsrc2;
    kernel.rsrc3 = descriptor.compute_pgm_rsrc3;
    kernel.codeProperties = descriptor.kernel_code_properties;
    kernel.wave32 = AMDHSA_BITS_GET(descriptor.kernel_code_properties,
                                    hsa::KERNEL_CODE_PROPERTY_ENABLE_WAVEFRONT_SIZE32) != 0;
    const unsigned blocks = AMDHSA_BITS_GET(descriptor.compute_pgm_rsrc1,
                                            hsa::COMPUTE_PGM_RSRC1_GRANULATED_WORKITEM_VGPR_COUNT);
    kernel.vgprs = (blocks + 1) * (kernel.wave32 ? 8 : 4); // rdna3 ISA guide 3.3; LLVM AMDGPUUsage.
    kernel.cuMode = AMDHSA_BITS_GET(descriptor.compute_pgm_rsrc1,
                                    hsa::COMPUTE_PGM_RSRC1_GFX10_PLUS_WGP_MODE) == 0;
    object_.kernels.push_back(std::move(kernel));
  }
  std::sort(object_.kernels.begin(), object_.kernels.end(),
            [](const Kernel &a, const Kernel &b) { return a.name < b.name; });
  return llvm::Error::success();
}

llvm::Error ElfParser::readNotes() {
  auto headers = file_.program_headers();
  if (!headers)
    return headers.takeError();
  for (const auto &header : *headers) {
    if (header.p_type != elf::PT_NOTE)
      continue;
    llvm::Error error = llvm::Error::success();
    for (const auto &note : file_.notes(header, error)) {
      if (note.getName() != "AMDGPU" || note.getType() != elf::NT_AMDGPU_METADATA)
        continue;
      const llvm::StringRef blob = note.getDescAsStringRef(std::max<size_t>(header.p_align, 4));
      if (llvm::Error bad = readMetadata({blob.data(), blob.size()}, object_)) {
        llvm::consumeError(std::move(error));
        return bad;
      }
    }
    if (error)
      return error;
  }
  return llvm::Error::success();
}

llvm::Error ElfParser::readAssumptionSection() {
  auto sections = file_.sections();
  if (!sections)
    return sections.takeError();
  for (const auto &section : *sections) {
    auto name = file_.getSectionName(section);
    if (!name) { // Whoever looks for no section by its name has no need of the names.
      llvm::consumeError(name.takeError());
      continue;
    }
    if (*name != llvm::StringRef(assumptionSection))
      continue;
    auto contents = file_.getSectionContents(section);
    if (!contents)
      return contents.takeError();
    readAssumptions({reinterpret_cast<const char *>(contents->data()), contents->size()},
                    object_.kernels);
  }
  return llvm::Error::success();
}

llvm::Error ElfParser::run() {
  const auto &header = file_.getHeader();
  if (header.e_machine != elf::EM_AMDGPU)
    return bad(fmt::format("an ELF file for another machine (e_machine {}), not for an AMD GPU",
                           header.e_machine.value()));
  if (header.e_ident[elf::EI_OSABI] != elf::ELFOSABI_AMDGPU_HSA)
    return bad("not an HSA code object (wrong OS ABI)");
  if (header.e_type != elf::ET_DYN)
    return bad("not a linked code object (a .o must be linked first)");
  object_.target = targetName(header.e_flags);
  object_.abiVersion = header.e_ident[elf::EI_ABIVERSION] + 2u; // 2, 3, 4 = code object 4, 5, 6.
  for (auto step :
       {&ElfParser::readSegments, &ElfParser::readSymbols, &ElfParser::relocate,
        &ElfParser::readKernels, &ElfParser::readNotes, &ElfParser::readAssumptionSection})
    if (llvm::Error error = (this->*step)())
      return error;
  return llvm::Error::success();
}

} // namespace

llvm::Expected<CodeObject> readCodeObject(std::vector<std::byte> elf, std::string_view file) {
  CodeObject object;
  object.file = std::string(file);
  object.elf = std::move(elf);
  const llvm::StringRef bytes(reinterpret_cast<const char *>(object.elf.data()), object.elf.size());
  if (!bytes.starts_with("\177ELF"))
    return makeError(Failure::BadInput, file, "not an ELF file");
  if (bytes.size() < sizeof(llvm::object::ELF64LE::Ehdr) || bytes[4] != elf::ELFCLASS64 ||
      bytes[5] != elf::ELFDATA2LSB)
    return makeError(Failure::BadInput, file, "not a 64-bit little-endian ELF file");
  llvm::Expected<Elf> opened = Elf::create(bytes);
  llvm::Error error = opened ? ElfParser(object, *opened).run() : opened.takeError();
  if (!error)
    return object;
  // LLVM's own messages have no file name.
  return llvm::handleErrors(
      std::move(error),
      [](std::unique_ptr<InputError> ours) { return llvm::Error(std::move(ours)); },
      [&](const llvm::ErrorInfoBase &other) {
        return makeError(Failure::BadInput, file, "corrupt code object: " + other.message());
      });
}

} // namespace rdna::object
