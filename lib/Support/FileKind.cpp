#include "Support/FileKind.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

namespace rdna {

using llvm::StringRef;

/// Whether some line of the text begins so, blanks left out.
static bool hasLine(StringRef text, std::initializer_list<StringRef> beginnings) {
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    line = line.ltrim();
    if (llvm::any_of(beginnings, [&](StringRef word) { return line.starts_with(word); }))
      return true;
  }
  return false;
}

static std::string compileCommand(std::string_view file) {
  const StringRef input = file.empty() || file.front() == '<' ? StringRef("kernel.hip")
                                                              : StringRef(file.data(), file.size());
  const StringRef stem = input.rsplit('/').second.empty() ? input : input.rsplit('/').second;
  const StringRef base = stem.rsplit('.').first;
  return fmt::format("clang++ -x hip --offload-arch=gfx1100 --cuda-device-only -O3 -S {} -o {}.s",
                     input.str(), base.str());
}

std::string notAssembly(std::string_view contents, std::string_view file, Wanted wanted) {
  const StringRef text(contents.data(), contents.size());
  const StringRef start = text.ltrim();
  if (text.starts_with("\177ELF"))
    return wanted == Wanted::AssemblyOrCodeObject
               ? std::string()
               : "this is a code object or another ELF file, and assembly text is wanted: let the "
                 "compiler write it (clang++ -S, hipcc --save-temps); hsaco-loader reads code "
                 "objects (inspect, run, verify)";
  // An error in assembly must not be taken for another language.
  if (hasLine(text, {".amdhsa_kernel", ".amdgcn_target"}) && !text.contains("OFFLOAD_BUNDLE"))
    return {};
  if (text.starts_with("BC\xC0\xDE") || start.starts_with("; ModuleID") ||
      hasLine(text.take_front(4096), {"target triple ="}))
    return "this is LLVM IR; make assembly of it: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx1100";
  if (text.starts_with("__CLANG_OFFLOAD_BUNDLE__") || text.starts_with("CCOB") ||
      text.contains("__CLANG_OFFLOAD_BUNDLE____START__"))
    return "this is a bundle of code for the host and for GPUs; compile the device's part alone: "
           "clang++ -S --cuda-device-only --offload-arch=gfx1100";
  if (hasLine(text, {"#include", "__global__", "extern \"C\"", "template", "using namespace",
                     "int main", "#pragma"}))
    return "this is HIP or C++ source; compile it first: " + compileCommand(file);
  if (hasLine(text.take_front(4096), {".version"}) && text.contains(".target sm_"))
    return "this is PTX, code for another maker's GPU; compile the HIP source for gfx1100";
  if (text.contains("file format elf") && text.contains("Disassembly of section"))
    return "this is a disassembler's listing, which has no kernel descriptors; use the compiler's "
           "own assembly (clang++ -S, hipcc --save-temps)";
  if (hasLine(text, {"pushq", "movq", ".cfi_startproc", "stp\tx29"}))
    return "this is assembly for the host's processor; compile for the GPU alone: clang++ -S "
           "--cuda-device-only --offload-arch=gfx1100";
  if (start.starts_with("{") || start.starts_with("["))
    return "this looks like JSON; a launch description goes behind --launch";
  if (start.starts_with("<"))
    return "this looks like HTML or XML";
  return {};
}

std::string noKernelIn(std::string_view contents, std::string_view file) {
  const std::string what = notAssembly(contents, file, Wanted::Assembly);
  if (!what.empty())
    return what;
  const StringRef text(contents.data(), contents.size());
  if (text.contains(".amdhsa_kernel"))
    return "no kernel in the input: a macro makes its descriptor, whose numbers change with the "
           "code; write .amdhsa_kernel to .end_amdhsa_kernel out";
  const bool isEmpty = text.trim().empty();
  return isEmpty ? "no kernel in the input: it is empty"
                 : "no kernel in the input (no .amdhsa_kernel)";
}

} // namespace rdna
