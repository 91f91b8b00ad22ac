// LLVM's tables of operand names are private to it, and a position says nothing: forms of one
// operation have different operands. But LLVM prints each operand with its name, so a change of an
// operand shows its name in the text. That is asked once for each opcode.

#include "Asm/OperandName.h"

#include "Asm/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <set>

namespace rdna {

std::string_view toString(OperandName name) {
  static constexpr std::string_view kNames[] = {
      "",         "offset",    "offset0",    "offset1", "cpol",   "gds",      "clamp",
      "omod",     "op_sel",    "op_sel_hi",  "neg_lo",  "neg_hi", "dpp_ctrl", "dpp8",
      "row_mask", "bank_mask", "bound_ctrl", "fi",      "dmask",  "dim",      "unorm",
      "r128",     "a16",       "tfe",        "lwe",     "d16",    "format",   "swz",
      "wait_exp", "wait_vdst", "attr",       "hwreg",   "exp",    "imm",      "tied",
  };
  static_assert(std::size(kNames) == static_cast<size_t>(OperandName::Tied) + 1);
  return kNames[static_cast<size_t>(name)];
}

/// The name that a word of LLVM's text begins with.
static OperandName nameOfWord(llvm::StringRef word) {
  static constexpr std::pair<llvm::StringLiteral, OperandName> kPrefixes[] = {
      {"offset:", OperandName::Offset},
      {"offset0:", OperandName::Offset0},
      {"offset1:", OperandName::Offset1},
      {"op_sel:", OperandName::OpSel},
      {"op_sel_hi:", OperandName::OpSelHi},
      {"neg_lo:", OperandName::NegLo},
      {"neg_hi:", OperandName::NegHi},
      {"mul:", OperandName::Omod},
      {"div:", OperandName::Omod},
      {"quad_perm:", OperandName::DppCtrl},
      {"dpp8:", OperandName::Dpp8},
      {"row_mask:", OperandName::RowMask},
      {"bank_mask:", OperandName::BankMask},
      {"bound_ctrl:", OperandName::BoundCtrl},
      {"fi:", OperandName::FetchInactive},
      {"dmask:", OperandName::Dmask},
      {"dim:", OperandName::Dim},
      {"format:", OperandName::Format},
      {"wait_exp:", OperandName::WaitExp},
      {"wait_vdst:", OperandName::WaitVdst},
      {"hwreg(", OperandName::HwRegister},
  };
  static constexpr std::pair<llvm::StringLiteral, OperandName> kWords[] = {
      {"glc", OperandName::CachePolicy}, {"slc", OperandName::CachePolicy},
      {"dlc", OperandName::CachePolicy}, {"gds", OperandName::Gds},
      {"clamp", OperandName::Clamp},     {"unorm", OperandName::Unorm},
      {"r128", OperandName::R128},       {"a16", OperandName::A16},
      {"tfe", OperandName::Tfe},         {"lwe", OperandName::Lwe},
      {"d16", OperandName::D16},
  };
  for (const auto &[prefix, name] : kPrefixes)
    if (word.starts_with(prefix))
      return name;
  for (const auto &[whole, name] : kWords)
    if (word == whole)
      return name;
  if (word.starts_with("attr"))
    return OperandName::Attribute;
  return OperandName::Unnamed;
}

namespace {

/// Prints one opcode's instruction with the one or other operand changed.
class OperandProbe {
public:
  OperandProbe(const McTarget &target, const llvm::MCInst &inst)
      : target_(target), desc_(target.instructions().get(inst.getOpcode())), inst_(inst) {
    // The name must not depend on which instruction is seen first.
    for (llvm::MCOperand &operand : inst_)
      if (operand.isExpr())
        operand = llvm::MCOperand::createImm(0);
    for (unsigned i = 0; i < inst_.getNumOperands(); ++i)
      if (isControl(i) || isModifier(i))
        inst_.getOperand(i).setImm(0);
  }
  unsigned type(unsigned i) const {
    return i < desc_.getNumOperands() ? desc_.operands()[i].OperandType : 0u;
  }
  bool isModifier(unsigned i) const {
    return inst_.getOperand(i).isImm() && type(i) == kOperandInputMods;
  }
  /// An immediate that is no value and no neg/abs of one.
  bool isControl(unsigned i) const {
    return inst_.getOperand(i).isImm() && type(i) < llvm::MCOI::OPERAND_FIRST_TARGET;
  }
  /// The words that come or go when the operand does, with several values of it.
  std::set<std::string> changes(unsigned i) {
    std::set<std::string> changed;
    const std::set<std::string> none = words();
    for (const int64_t value : {1, 2}) {
      inst_.getOperand(i).setImm(value);
      const std::set<std::string> some = words();
      std::set_symmetric_difference(none.begin(), none.end(), some.begin(), some.end(),
                                    std::inserter(changed, changed.end()));
    }
    inst_.getOperand(i).setImm(0);
    return changed;
  }

private:
  std::set<std::string> words() const {
    const std::string text = target_.print(inst_);
    llvm::SmallVector<llvm::StringRef, 16> parts;
    llvm::SplitString(text, parts, " ,\t");
    std::set<std::string> all;
    for (const llvm::StringRef part : llvm::drop_begin(parts)) // the mnemonic
      all.insert(part.str());
    return all;
  }

  const McTarget &target_;
  const llvm::MCInstrDesc &desc_;
  llvm::MCInst inst_;
};

} // namespace

/// The operands of a VALU instruction that LLVM prints from the bits of the source modifiers.
static llvm::ArrayRef<OperandName> copiesOfModifiers(size_t count, bool hasNegLo) {
  static constexpr OperandName kAll[] = {OperandName::OpSel, OperandName::OpSelHi,
                                         OperandName::NegLo, OperandName::NegHi};
  const llvm::ArrayRef<OperandName> all(kAll);
  if (count == 2 && hasNegLo)
    return all.drop_front(2);
  return count <= 2 || count == 4 ? all.take_front(count) : llvm::ArrayRef<OperandName>();
}

llvm::SmallVector<OperandName, 8> operandNames(const McTarget &target, const llvm::MCInst &inst,
                                               Op op) {
  const Unit unit = opUnit(op);
  llvm::SmallVector<OperandName, 8> names(inst.getNumOperands(), OperandName::Unnamed);
  OperandProbe probe(target, inst);
  llvm::SmallVector<unsigned, 4> silent;
  bool hasNegLo = false, hasModifiers = false, behindBase = false;
  for (unsigned i = 0; i < inst.getNumOperands(); ++i) {
    behindBase |= inst.getOperand(i).isReg(); // s_atc_probe has a number of its own before it
    hasModifiers |= probe.isModifier(i);
    if (probe.isModifier(i))
      for (const std::string &word : probe.changes(i))
        hasNegLo |= nameOfWord(word) == OperandName::NegLo;
    if (!probe.isControl(i))
      continue;
    if (probe.type(i) == llvm::MCOI::OPERAND_REGISTER) {
      names[i] = OperandName::Tied; // the parser leaves an immediate there
      continue;
    }
    const std::set<std::string> words = probe.changes(i);
    for (const std::string &word : words)
      if (const OperandName name = nameOfWord(word); name != OperandName::Unnamed)
        names[i] = name;
    if (op == Op::exp)
      names[i] = OperandName::Export;
    else if (unit == Unit::Buffer && words.empty())
      names[i] = OperandName::Swizzle;
    else if (words.empty())
      silent.push_back(i);
    else if (names[i] == OperandName::Unnamed) // a number by itself
      names[i] = unit == Unit::Smem && behindBase ? OperandName::Offset : OperandName::Immediate;
  }
  if (isValu(unit) || hasModifiers)
    for (const auto &[i, name] : llvm::zip(silent, copiesOfModifiers(silent.size(), hasNegLo)))
      names[i] = name;
  return names;
}

BufferAddress bufferAddress(llvm::StringRef opcode) {
  if (opcode.contains("_BOTHEN"))
    return BufferAddress::Bothen;
  if (opcode.contains("_IDXEN"))
    return BufferAddress::Idxen;
  if (opcode.contains("_OFFEN"))
    return BufferAddress::Offen;
  return opcode.contains("_OFFSET") ? BufferAddress::Offset : BufferAddress::None;
}

SpecialSource specialSource(llvm::StringRef name) {
  if (!name.consume_back("_gfx11plus"))
    name.consume_back("_gfx9plus");
  static constexpr std::pair<llvm::StringLiteral, SpecialSource> kSources[] = {
      {"SGPR_NULL", SpecialSource::Null},
      {"SGPR_NULL_HI", SpecialSource::Null},
      {"SGPR_NULL64", SpecialSource::Null},
      {"SRC_VCCZ", SpecialSource::Vccz},
      {"SRC_EXECZ", SpecialSource::Execz},
      {"SRC_SCC", SpecialSource::Scc},
      {"SRC_SHARED_BASE", SpecialSource::SharedBase},
      {"SRC_SHARED_BASE_LO", SpecialSource::SharedBase},
      {"SRC_SHARED_LIMIT", SpecialSource::SharedLimit},
      {"SRC_SHARED_LIMIT_LO", SpecialSource::SharedLimit},
      {"SRC_PRIVATE_BASE", SpecialSource::PrivateBase},
      {"SRC_PRIVATE_BASE_LO", SpecialSource::PrivateBase},
      {"SRC_PRIVATE_LIMIT", SpecialSource::PrivateLimit},
      {"SRC_PRIVATE_LIMIT_LO", SpecialSource::PrivateLimit},
      {"SRC_POPS_EXITING_WAVE_ID", SpecialSource::PopsExitingWaveId},
      {"LDS_DIRECT", SpecialSource::LdsDirect},
  };
  for (const auto &[known, source] : kSources)
    if (name == known)
      return source;
  return SpecialSource::None;
}

} // namespace rdna
