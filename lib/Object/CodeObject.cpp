#include "Object/CodeObject.h"

#include "Object/Assembly.h"
#include "Support/File.h"
#include "Support/FileKind.h"
#include "Support/Nearest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFTypes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace rdna::object {

/// Gives every assembled instruction its address in the linked object, through the symbols that
/// both have.
static void placeLines(const std::vector<PlacedInstruction> &instructions, CodeObject &object) {
  using Elf = llvm::object::ELFFile<llvm::object::ELF64LE>;
  const llvm::StringRef bytes(reinterpret_cast<const char *>(object.elf.data()), object.elf.size());
  llvm::Expected<Elf> elf = Elf::create(bytes);
  if (!elf)
    return llvm::consumeError(elf.takeError());
  auto sections = elf->sections();
  if (!sections)
    return llvm::consumeError(sections.takeError());
  std::map<llvm::StringRef, uint64_t> addresses;
  for (const auto &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_SYMTAB)
      continue;
    auto symbols = elf->symbols(&section);
    auto names = elf->getStringTableForSymtab(section);
    if (!symbols || !names) {
      llvm::consumeError(symbols.takeError());
      llvm::consumeError(names.takeError());
      return;
    }
    for (const auto &symbol : *symbols)
      if (llvm::Expected<llvm::StringRef> name = symbol.getName(*names))
        addresses.try_emplace(*name, symbol.st_value);
      else
        llvm::consumeError(name.takeError());
  }
  for (const PlacedInstruction &placed : instructions) {
    const auto anchor = addresses.find(placed.anchor);
    if (anchor != addresses.end() && placed.line != 0)
      object.lines.push_back({anchor->second + static_cast<uint64_t>(placed.offset), placed.line});
  }
  std::sort(object.lines.begin(), object.lines.end(),
            [](const SourceLine &a, const SourceLine &b) { return a.address < b.address; });
}

/// Labels at the beginnings of lines. Macros that make labels are not followed.
static std::vector<SourceLabel> readLabels(llvm::StringRef text) {
  std::vector<SourceLabel> labels;
  unsigned number = 0;
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    ++number;
    line = line.ltrim(" \t");
    const llvm::StringRef name = line.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '@'; });
    if (!name.empty() && line.drop_front(name.size()).starts_with(":"))
      labels.push_back({name.str(), number});
  }
  return labels;
}

std::optional<uint64_t> CodeObject::addressOfLine(unsigned line) const {
  const SourceLine *best = nullptr;
  for (const SourceLine &entry : lines) // By address, so the first of a line stays.
    if (entry.line >= line && (!best || entry.line < best->line))
      best = &entry;
  return best ? std::optional(best->address) : std::nullopt;
}

unsigned CodeObject::lineAt(uint64_t address) const {
  const auto it =
      std::lower_bound(lines.begin(), lines.end(), address,
                       [](const SourceLine &line, uint64_t value) { return line.address < value; });
  return it != lines.end() && it->address == address ? it->line : 0;
}

llvm::Expected<const Kernel *> CodeObject::kernel(std::string_view name) const {
  std::vector<std::string> all;
  for (const Kernel &candidate : kernels) {
    if (candidate.name == name || (name.empty() && kernels.size() == 1))
      return &candidate;
    all.push_back(candidate.name);
  }
  const std::string names = fmt::format("{}", fmt::join(all, ", "));
  if (kernels.empty())
    return makeError(Failure::BadInput, file, "no kernel in the input");
  if (name.empty())
    return makeError(Failure::BadInput, file,
                     fmt::format("several kernels; choose one by --kernel: {}", names));
  return makeError(Failure::BadInput, file,
                   fmt::format("no kernel '{}'{}; there {}: {}", name, didYouMean(name, all),
                               all.size() == 1 ? "is" : "are", names));
}

/// What the file is instead, if that can be seen.
static llvm::Error explained(llvm::Error error, std::string_view bytes, std::string_view file) {
  const std::string what = notAssembly(bytes, file, Wanted::AssemblyOrCodeObject);
  if (what.empty())
    return error;
  llvm::consumeError(std::move(error));
  return makeError(Failure::BadInput, file, what);
}

llvm::Expected<CodeObject> loadCodeObjectBytes(std::string_view bytes, std::string_view file) {
  const auto *begin = reinterpret_cast<const std::byte *>(bytes.data());
  if (bytes.starts_with("\177ELF"))
    return readCodeObject(std::vector<std::byte>(begin, begin + bytes.size()), file);
  if (bytes.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return makeError(Failure::BadInput, file, "the input is empty");
  // MC stops at a NUL as if the text ended there; half a kernel must not pass for the whole.
  if (bytes.find('\0') != std::string_view::npos)
    return explained(
        makeError(Failure::BadInput, file, "neither a code object (ELF) nor assembler text"), bytes,
        file);
  llvm::Expected<Assembly> assembly = assembleWithLines(bytes, file);
  if (!assembly)
    return explained(assembly.takeError(), bytes, file);
  llvm::Expected<std::vector<std::byte>> linked = link(assembly->object);
  if (!linked) // The linker does not know the name of what was assembled.
    return llvm::handleErrors(linked.takeError(), [&](std::unique_ptr<InputError> error) {
      std::vector<Diagnostic> diagnostics = error->diagnostics();
      for (Diagnostic &diagnostic : diagnostics)
        diagnostic.file = std::string(file);
      return llvm::make_error<InputError>(error->failure(), std::move(diagnostics));
    });
  llvm::Expected<CodeObject> object = readCodeObject(std::move(*linked), file);
  if (!object)
    return object.takeError();
  object->warnings = std::move(assembly->warnings);
  placeLines(assembly->instructions, *object);
  object->labels = readLabels(llvm::StringRef(bytes.data(), bytes.size()));
  return object;
}

llvm::Expected<CodeObject> loadCodeObject(const std::string &path) {
  llvm::Expected<std::string> bytes = readInput(path);
  if (!bytes)
    return bytes.takeError();
  return loadCodeObjectBytes(*bytes, displayName(path));
}

} // namespace rdna::object
