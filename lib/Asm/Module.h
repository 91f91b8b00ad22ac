//===- Module.h - a .s file as a lossless document with meaning -----------===//
//
// A Module owns the user's text and what LLVM MC says about it. It is immutable: a pass computes
// edits (Code/Edit.h), so whatever is not edited comes out byte for byte.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Asm/OperandName.h"
#include "Isa/Op.h"
#include "Isa/Processor.h"
#include "Isa/Register.h"
#include "Support/Diagnostic.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rdna {

/// One operand as LLVM lists it: destinations first, then sources with their modifiers.
struct Operand {
  enum class Kind : uint8_t { Register, Immediate, Expression };
  enum class Class : uint8_t {
    Def,
    Source,   ///< A value: register, inline constant, literal or symbol.
    Modifier, ///< neg/abs/sext bits of the source that follows.
    Control,  ///< Offset, clamp, omod, op_sel, cache policy, counter, ...
  };
  Kind kind = Kind::Immediate;
  Class cls = Class::Control;
  OperandName name = OperandName::Unnamed;     ///< Of a Control.
  SpecialSource special = SpecialSource::None; ///< Kind::Register.
  int8_t tiedTo = -1;      ///< Index of the Def that this Source must equal, or -1.
  RegRange reg;            ///< Kind::Register.
  int64_t imm = 0;         ///< Kind::Immediate.
  std::string_view symbol; ///< Kind::Expression: its text as LLVM prints it.
  bool isReg() const { return kind == Kind::Register; }
};

/// What a register access does to the register.
enum class Access : uint8_t {
  Read,
  Write,   ///< Every bit of the range is replaced (in the active lanes).
  Partial, ///< Some bits are kept: a write that also reads.
};

struct RegAccess {
  RegRange reg;
  Access access = Access::Read;
  int8_t operand = -1; ///< Index into Instruction::operands, or -1 if implicit.
  bool reads() const { return access != Access::Write; }
  bool writes() const { return access != Access::Read; }
};

/// What an instruction does to memory.
enum class MemoryEffect : uint8_t { None, Load, Store, Atomic, AtomicReturn };

struct Instruction {
  Op op = Op::unknown;
  Op opY = Op::unknown; ///< Second half of a VOPD; unknown for everything else.
  Unit unit = Unit::Other;
  MemoryEffect memory = MemoryEffect::None;
  uint32_t index = 0;  ///< In Module::instructions.
  uint32_t line = 0;   ///< 1-based line in the main file (of the invocation for a macro's).
  uint32_t column = 0; ///< 1-based.
  uint32_t begin = 0;  ///< Byte range of `mnemonic operands` in the text, without comment.
  uint32_t end = 0;
  uint32_t sizeBytes = 0; ///< Encoded size.
  uint32_t section = 0;   ///< Which section: instructions of one section are consecutive in memory.
  enum class Origin : uint8_t { Text, Macro } origin = Origin::Text;
  BufferAddress bufferAddress = BufferAddress::None;
  /// Of an s_setpc_b64 that is a branch: so many instructions in front of it make the address.
  uint8_t longBranch = 0;
  llvm::SmallVector<Operand, 6> operands;
  llvm::SmallVector<RegAccess, 6> accesses; ///< Explicit and implicit; EXEC as lane gate left out.

  bool isVopd() const { return opY != Op::unknown; }
  bool isValu() const { return rdna::isValu(unit); }
  bool isTerminator() const { return unit == Unit::Branch || unit == Unit::End; }
  /// An unconditional branch inside its function, near or far: Module::branchTarget() says where.
  bool isJump() const { return op == Op::s_branch || longBranch != 0; }
  /// To an address that only the registers know: a return, or a jump that nothing is known of.
  bool isSetPc() const { return op == Op::s_setpc_b64 && longBranch == 0; }
  /// The operand of that name, if this form of the operation has it.
  const Operand *named(OperandName name) const;
  int64_t value(OperandName name, int64_t fallback = 0) const;
  /// Does it take a source from other lanes, by DPP or DPP8?
  bool isDpp() const {
    return named(OperandName::DppCtrl) != nullptr || named(OperandName::Dpp8) != nullptr;
  }
  /// Fetch-inactive: of the lanes that EXEC switches off it reads what they hold.
  bool readsInactiveLanes() const;
  bool writesUnit(RegUnit unit) const;
  bool readsUnit(RegUnit unit) const;
};

/// What an S_CLAUSE may hold together: all members are of one kind (ISA guide 5, S_CLAUSE). Empty
/// for what it may not hold at all.
std::string_view clauseKind(const Instruction &inst);

/// A label and the instruction that it stands before (== instructions.size() at the end).
struct Label {
  std::string name;
  uint32_t instruction = 0;
  uint32_t line = 0;
  /// Can anything but a plain branch of its own function make execution arrive here: code of
  /// another function, an address in memory or in a register, another file?
  bool isTaken = false;
  uint32_t begin = 0;   ///< In bytes; of a macro's label the invocation.
  bool isInCode = true; ///< Its section has instructions; others stand before none of it.
};

/// One `.amdhsa_*` line of a kernel descriptor.
struct DescriptorField {
  std::string_view valueText;
  uint32_t begin = 0, end = 0; ///< Bytes of the value in the text.
  uint32_t line = 0;
  std::optional<int64_t> value; ///< Evaluated, symbols included.
  std::string query;            ///< Symbol that has the value, if the text is no number.
};

/// A number in the metadata's YAML with its place.
struct MetadataNumber {
  int64_t value = 0;
  uint32_t begin = 0, end = 0;
};

/// An entry of a kernel's `.args`.
struct ArgumentField {
  std::string name; ///< Often empty: only compilers that are asked to write it.
  std::string valueKind;
  uint32_t offset = 0, size = 0;
  bool isHidden() const { return valueKind.starts_with("hidden_"); }
};

/// A function of the file; a kernel if it has a descriptor.
struct Function {
  std::string name;
  uint32_t first = 0; ///< Instruction range [first, last).
  uint32_t last = 0;
  uint32_t line = 0;
  enum class Kind : uint8_t { Device, Kernel } kind = Kind::Device;
  /// By what its first instruction is reached.
  enum class Entry : uint8_t {
    Launch,  ///< Only as a kernel, with the registers that a launch sets.
    Unknown, ///< Calls, addresses, branches or code in front of it.
  } entry = Entry::Unknown;
  /// The first instruction behind the function's own first where execution may arrive from
  /// elsewhere than the function's own branches.
  std::optional<uint32_t> enteredAt;
  Processor processor = Processor::Gfx1100; ///< Of a kernel: by the file's .amdgcn_target.
  std::map<std::string, DescriptorField, std::less<>> descriptor;
  std::map<std::string, MetadataNumber, std::less<>> metadata; ///< ".vgpr_count" -> 187, ...
  std::optional<std::array<uint32_t, 3>> requiredWorkgroupSize;
  std::vector<ArgumentField> arguments; ///< Of the metadata.
  bool isKernel() const { return kind == Kind::Kernel; }
  /// A descriptor directive's value, or `fallback` if the file does not give it.
  int64_t descriptorValue(std::string_view name, int64_t fallback) const;
};

struct ParsedModule; // MC's view; only lib/Asm sees it

class Module {
public:
  /// Parses with LLVM MC for the chip of RDNA3 that the text names, else gfx1100. Every error LLVM
  /// reports comes back with its place.
  static llvm::Expected<std::unique_ptr<Module>> parse(std::string text, std::string file);
  ~Module();

  std::string_view text() const { return text_; }
  const std::string &file() const { return file_; }
  const std::vector<Instruction> &instructions() const { return instructions_; }
  const std::vector<Label> &labels() const { return labels_; }
  const std::vector<Function> &functions() const { return functions_; }
  /// Byte offset of the first character of a 1-based line; lines are one past the end allowed.
  uint32_t lineBegin(uint32_t line) const;
  uint32_t lineCount() const { return static_cast<uint32_t>(lines_.size()); }
  std::string_view lineText(uint32_t line) const; ///< Without its line end.
  std::string_view instructionText(const Instruction &inst) const;
  /// A diagnostic at an instruction (Severity::Error by default).
  Diagnostic at(const Instruction &inst, std::string_view message,
                Severity severity = Severity::Error) const;
  Diagnostic atLine(uint32_t line, std::string_view message, Severity severity) const;
  /// Target label of a direct or long branch; empty for anything else.
  std::string_view branchTarget(const Instruction &inst) const;
  /// Index of the instruction that a label stands before.
  std::optional<uint32_t> labelTarget(std::string_view name) const;
  const ParsedModule &parsed() const { return *parsed_; }

private:
  Module() = default;
  friend struct ModuleBuilder;
  std::string text_, file_;
  std::vector<uint32_t> lines_;
  std::vector<Instruction> instructions_;
  std::vector<Label> labels_;
  std::vector<Function> functions_;
  std::map<std::string, uint32_t, std::less<>> labelIndex_;
  std::unique_ptr<ParsedModule> parsed_;
};

} // namespace rdna
