//===- CollectingStreamer.h - what MC's parser reports (private to lib/Asm) ===//
#pragma once

#include "Asm/Builder.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCSectionELF.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSymbol.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace rdna {

/// Collects what the parser reports instead of assembling it.
class CollectingStreamer final : public llvm::MCStreamer {
public:
  /// Where something stands in the main file; for what comes out of a macro, its invocation.
  struct Place {
    uint32_t offset = 0;
    Instruction::Origin origin = Instruction::Origin::Text;
  };
  struct RawLabel {
    std::string name;
    uint32_t instruction;
    uint32_t section;
    Place place;
  };
  std::vector<llvm::MCInst> insts;
  std::vector<Place> places;
  std::vector<uint32_t> sections;
  std::vector<RawLabel> labels;
  std::vector<std::string> functionSymbols;
  std::vector<CodeGap> gaps;
  std::vector<Assignment> assignments;

  /// Maps a location to its place in the main file.
  std::function<Place(llvm::SMLoc)> placeOf;

  explicit CollectingStreamer(llvm::MCContext &context) : MCStreamer(context) {}
  /// Growing step by step would copy every instruction twice and touch twice the memory.
  void reserve(size_t instructions) {
    insts.reserve(instructions);
    places.reserve(instructions);
    sections.reserve(instructions);
  }
  bool hasRawTextSupport() const override { return true; }
  void emitRawTextImpl(llvm::StringRef) override {}
  void emitInstruction(const llvm::MCInst &inst, const llvm::MCSubtargetInfo &) override {
    insts.push_back(inst);
    places.push_back(placeOf(inst.getLoc().isValid() ? inst.getLoc() : getStartTokLoc()));
    sections.push_back(section_);
    for (const llvm::MCOperand &operand : inst)
      if (operand.isExpr())
        addUse(*operand.getExpr(), static_cast<uint32_t>(insts.size()) - 1);
  }
  void emitLabel(llvm::MCSymbol *symbol, llvm::SMLoc loc) override {
    MCStreamer::emitLabel(symbol, loc);
    labels.push_back({symbol->getName().str(), static_cast<uint32_t>(insts.size()), section_,
                      placeOf(loc.isValid() ? loc : getStartTokLoc())});
  }
  void emitAssignment(llvm::MCSymbol *symbol, const llvm::MCExpr *value) override;
  void changeSection(llvm::MCSection *section, uint32_t subsection) override {
    MCStreamer::changeSection(section, subsection); // sets the current fragment
    const auto it = std::find(known_.begin(), known_.end(), section);
    section_ = static_cast<uint32_t>(it - known_.begin());
    if (it == known_.end())
      known_.push_back(section);
    if (subsection != 0)
      addGap(CodeGap::Kind::Subsection);
  }
  bool emitSymbolAttribute(llvm::MCSymbol *symbol, llvm::MCSymbolAttr attribute) override {
    if (attribute == llvm::MCSA_ELF_TypeFunction)
      functionSymbols.push_back(symbol->getName().str());
    if (attribute == llvm::MCSA_Global || attribute == llvm::MCSA_Weak)
      uses_.push_back({nullptr, symbol, kNoInstruction});
    return true;
  }
  void emitValueImpl(const llvm::MCExpr *value, unsigned size, llvm::SMLoc loc) override {
    MCStreamer::emitValueImpl(value, size, loc);
    addData(*value);
    addGap();
  }
  void emitULEB128Value(const llvm::MCExpr *value) override {
    addData(*value);
    addGap();
  }
  void emitSLEB128Value(const llvm::MCExpr *value) override {
    addData(*value);
    addGap();
  }
  void emitRelocDirective(const llvm::MCExpr &, llvm::StringRef, const llvm::MCExpr *value,
                          llvm::SMLoc) override {
    if (value)
      addData(*value);
    addGap();
  }
  void emitBytes(llvm::StringRef data) override {
    if (!data.empty())
      addGap();
  }
  void emitFill(const llvm::MCExpr &, uint64_t, llvm::SMLoc) override { addGap(); }
  void emitFill(const llvm::MCExpr &, int64_t, int64_t, llvm::SMLoc) override { addGap(); }
  void emitNops(int64_t, int64_t, llvm::SMLoc, const llvm::MCSubtargetInfo &) override { addGap(); }
  void emitValueToOffset(const llvm::MCExpr *, unsigned char, llvm::SMLoc) override { addGap(); }
  /// With a fill that the file names; alignment of code without one is made of s_nop.
  void emitValueToAlignment(llvm::Align, int64_t fill, uint8_t fillBytes, unsigned) override;
  /// What was found of addresses, once every symbol is defined.
  std::vector<EntryFacts::Use> entryUses(const std::vector<llvm::MCInst> &all);
  void visitUsedSymbol(const llvm::MCSymbol &symbol) override { visited_.push_back(&symbol); }
  void emitCommonSymbol(llvm::MCSymbol *, uint64_t, llvm::Align) override {}

private:
  static constexpr uint32_t kNoInstruction = EntryFacts::kNoInstruction;
  /// An expression that names symbols, or a symbol that other files see.
  struct RawUse {
    const llvm::MCExpr *expr;
    const llvm::MCSymbol *exported;
    uint32_t instruction;
  };
  void addGap(CodeGap::Kind kind = CodeGap::Kind::Bytes);
  void addUse(const llvm::MCExpr &expr, uint32_t instruction) {
    if (expr.getKind() != llvm::MCExpr::Constant)
      uses_.push_back({&expr, nullptr, instruction});
  }
  /// Debug information and notes are not in memory when code runs.
  void addData(const llvm::MCExpr &expr) {
    const auto *section = static_cast<const llvm::MCSectionELF *>(getCurrentSectionOnly());
    if (!section || (section->getFlags() & llvm::ELF::SHF_ALLOC) != 0)
      addUse(expr, kNoInstruction);
  }
  /// The labels that an expression names, also through other symbols' values.
  struct Named {
    std::vector<const llvm::MCSymbol *> labels;
    SymbolUse how = SymbolUse::Address;
  };
  Named namedBy(const llvm::MCExpr &expr);

  std::vector<llvm::MCSection *> known_;
  uint32_t section_ = 0;
  std::vector<RawUse> uses_;
  std::vector<const llvm::MCSymbol *> visited_;
};

} // namespace rdna
