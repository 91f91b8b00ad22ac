//===- CodeObject.h - assemble, link and read back gfx1100 code objects ---===//
#pragma once

#include "Support/Diagnostic.h"

#include "llvm/Support/Error.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rdna::object {

/// One entry of the metadata's `.args`.
struct KernelArgument {
  std::string name;
  std::string valueKind; ///< "global_buffer", "by_value", "hidden_block_count_x", ...
  uint32_t offset = 0;
  uint32_t size = 0;
};

/// What a rewrite was proven for: a range of what launches pass. Others are outside of the proof.
struct GivenRange {
  enum class Of : uint8_t { Kernarg, Workgroup, Workitem } of = Of::Kernarg;
  uint32_t index = 0; ///< Offset of a dword of the kernarg segment; dimension.
  uint32_t least = 0, most = 0xffffffff;
  std::string text; ///< "kernarg+24<=32768".
};

/// One kernel of a code object: descriptor (what the hardware sees) and metadata (what the loader
/// sees). Fields that only metadata has are empty when the metadata lacks them.
struct Kernel {
  std::string name;
  uint64_t descriptorAddress = 0;
  uint64_t entryAddress = 0;
  uint64_t codeBytes = 0; ///< Size of the kernel's symbol.
  uint32_t ldsBytes = 0;
  uint32_t scratchBytes = 0;
  uint32_t kernargBytes = 0;
  uint32_t rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;
  uint16_t codeProperties = 0;
  unsigned vgprs = 0; ///< As encoded: a multiple of 8.
  bool wave32 = true;
  bool cuMode = false;
  bool hasMetadata = false;
  /// Excluded: its code declares no-index-wrap (Assumptions.h).
  enum class IndexWrap { Possible, Excluded } indexWrap = IndexWrap::Possible;
  /// Do waves synchronise by plain accesses and waits? Excluded where a rewrite assumed so.
  enum class PlainSync { Possible, Excluded } plainSync = PlainSync::Possible;
  /// Does it access LDS outside of what it declares? Excluded likewise.
  enum class OutsideLds { Possible, Excluded } outsideLds = OutsideLds::Possible;
  std::vector<GivenRange> given; ///< That its code declares (Assumptions.h).
  std::vector<KernelArgument> arguments;
  std::optional<unsigned> metadataVgprs, metadataSgprs;
  std::optional<uint32_t> metadataLdsBytes, metadataScratchBytes, metadataKernargBytes;
  std::optional<unsigned> maxFlatWorkgroupSize, wavefrontSize;
  std::optional<unsigned> vgprSpills, sgprSpills;
  std::optional<std::array<uint32_t, 3>> requiredWorkgroupSize;
  /// Size of the kernarg segment: hardware does not look at the descriptor's, and some libraries'
  /// assemblers leave it 0.
  uint32_t argumentBytes() const {
    return kernargBytes != 0 ? kernargBytes : metadataKernargBytes.value_or(0);
  }
};

/// Which line of the .s an instruction of the image came from.
struct SourceLine {
  uint64_t address = 0;
  unsigned line = 0;
};

/// A label of the .s. Local ones are in no symbol table.
struct SourceLabel {
  std::string name;
  unsigned line = 0;
};

/// A linked code object, as bytes and as what a loader needs of it.
struct CodeObject {
  std::string file; ///< How diagnostics call the input.
  std::vector<std::byte> elf;
  std::string target;           ///< "gfx1100", or what e_flags say.
  unsigned abiVersion = 5;      ///< Code object version 4, 5 or 6.
  std::vector<std::byte> image; ///< Loadable segments by virtual address, relocations applied at 0.
  struct Segment {
    uint64_t address = 0, bytes = 0;
    enum class Kind { Code, ReadOnly, Data } kind = Kind::ReadOnly;
  };
  std::vector<Segment> segments;
  /// Addresses of the 64-bit words of `image` that hold an address: a loader adds its base there.
  std::vector<uint64_t> addressWords;
  std::vector<Kernel> kernels; ///< In symbol-name order.
  /// Kernels that only the metadata names, and names that appear twice: lint reports them.
  std::vector<std::string> missingKernels, duplicateKernels;
  bool hasMetadata = false;
  std::vector<SourceLine> lines;    ///< By address; empty unless the input was a .s.
  std::vector<SourceLabel> labels;  ///< In text order; likewise.
  std::vector<Diagnostic> warnings; ///< The assembler's; likewise.

  /// The line of the instruction at `address`, 0 if unknown.
  unsigned lineAt(uint64_t address) const;
  /// The first instruction of `line`, or of the next line that has one.
  std::optional<uint64_t> addressOfLine(unsigned line) const;
  /// The kernel called `name`; the only one if `name` is empty. The error lists what there is.
  llvm::Expected<const Kernel *> kernel(std::string_view name) const;
};

/// Assembles `text` (LLVM MC, in process) into a relocatable object. Diagnostics carry `file`.
llvm::Expected<std::vector<std::byte>> assemble(std::string_view text, std::string_view file);

/// Links a relocatable object (lld, in process); undefined symbols are errors. Thread-safe: calls
/// are serialised, because lld is not re-entrant.
llvm::Expected<std::vector<std::byte>> link(const std::vector<std::byte> &object);

/// Reads a linked code object. Hostile input is an error, never a crash.
llvm::Expected<CodeObject> readCodeObject(std::vector<std::byte> elf, std::string_view file);

/// `.s` or `.hsaco`, told apart by the ELF magic; "-" is standard input.
llvm::Expected<CodeObject> loadCodeObject(const std::string &path);

/// loadCodeObject for bytes that are already here; `file` is for diagnostics.
llvm::Expected<CodeObject> loadCodeObjectBytes(std::string_view bytes, std::string_view file);

/// One more than the highest VGPR that the instructions of `kernel` name (callees not followed).
unsigned vgprsUsed(const CodeObject &object, const Kernel &kernel);

/// What makes a loader fail on a GPU with an unexplained error, in words; empty if nothing does.
std::vector<std::string> lint(const CodeObject &object);

/// What is missing that loaders do without, in words: libraries ship such kernels.
std::vector<std::string> lintRemarks(const CodeObject &object);

} // namespace rdna::object
