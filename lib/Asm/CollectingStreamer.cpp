// Where the addresses of labels get to: branches, registers, memory and other files.

#include "Asm/CollectingStreamer.h"

#include <cctype>
#include <set>

namespace rdna {

/// Is a number added to a symbol, so that the sum may lie anywhere behind it? The offsets of
/// PC-relative halves are part of how those are written: they are from the instructions' ends.
static bool addsNumber(std::string_view text) {
  for (const std::string_view ending :
       {"@rel32@lo+4", "@rel32@hi+12", "@gotpcrel32@lo+4", "@gotpcrel32@hi+12"})
    if (text.ends_with(ending))
      text.remove_suffix(ending.size());
  for (size_t at = text.find_first_of("+-*|"); at != std::string_view::npos;
       at = text.find_first_of("+-*|", at + 1)) {
    const size_t next = text.find_first_not_of(" (", at + 1);
    if (text[at] != '-' || next == std::string_view::npos ||
        std::isdigit(static_cast<unsigned char>(text[next])))
      return true;
  }
  return false;
}

void CollectingStreamer::emitAssignment(llvm::MCSymbol *symbol, const llvm::MCExpr *value) {
  MCStreamer::emitAssignment(symbol, value);
  const Place place = placeOf(getStartTokLoc());
  if (place.origin != Instruction::Origin::Macro)
    return;
  int64_t number = 0;
  const bool isNumber = value->evaluateAsAbsolute(number);
  assignments.push_back(
      {place.offset, symbol->getName().str(), isNumber ? std::optional(number) : std::nullopt});
}

void CollectingStreamer::addGap(CodeGap::Kind kind) {
  const auto *section = static_cast<const llvm::MCSectionELF *>(getCurrentSectionOnly());
  if (section && (section->getFlags() & llvm::ELF::SHF_EXECINSTR) != 0)
    gaps.push_back(
        {kind, static_cast<uint32_t>(insts.size()), section_, placeOf(getStartTokLoc()).offset});
}

void CollectingStreamer::emitValueToAlignment(llvm::Align, int64_t fill, uint8_t fillBytes,
                                              unsigned) {
  constexpr uint32_t nop = 0xbf80, codeEnd = 0xbf9f0000; // SOPP: the opcode is the upper half
  const auto word = static_cast<uint32_t>(fill);
  if (fillBytes == 4 && word >> 16 == nop)
    return;
  addGap(fillBytes == 4 && word == codeEnd ? CodeGap::Kind::EndPadding : CodeGap::Kind::Bytes);
}

CollectingStreamer::Named CollectingStreamer::namedBy(const llvm::MCExpr &expr) {
  Named named;
  std::set<const llvm::MCSymbol *> seen;
  const auto visit = [&](const llvm::MCExpr &part) {
    std::string text;
    llvm::raw_string_ostream os(text);
    McTarget::get().asmInfo().printExpr(os, part);
    if (addsNumber(text))
      named.how = SymbolUse::Near;
    visitUsedExpr(part);
  };
  visited_.clear();
  visit(expr);
  while (!visited_.empty()) {
    const llvm::MCSymbol *symbol = visited_.back();
    visited_.pop_back();
    if (!seen.insert(symbol).second)
      continue;
    if (symbol->isVariable())
      visit(*symbol->getVariableValue());
    else
      named.labels.push_back(symbol);
  }
  return named;
}

/// The one label that an expression is, also through other symbols' values.
static const llvm::MCSymbol *asLabel(const llvm::MCExpr &expr) {
  const llvm::MCExpr *at = &expr;
  for (unsigned depth = 0; depth < 64; ++depth) { // of symbols that are each other's values
    const auto *ref = llvm::dyn_cast<llvm::MCSymbolRefExpr>(at);
    if (!ref)
      return nullptr;
    if (!ref->getSymbol().isVariable())
      return &ref->getSymbol();
    at = ref->getSymbol().getVariableValue();
  }
  return nullptr;
}

std::vector<EntryFacts::Use> CollectingStreamer::entryUses(const std::vector<llvm::MCInst> &all) {
  std::vector<EntryFacts::Use> result;
  for (const RawUse &use : uses_) {
    const auto add = [&](const llvm::MCSymbol &symbol, SymbolUse how) {
      result.push_back({symbol.getName().str(), how, use.instruction});
    };
    if (use.exported && !use.exported->isVariable()) {
      add(*use.exported, SymbolUse::Export);
      continue;
    }
    if (use.instruction != kNoInstruction) {
      const Op op = McTarget::get().facts(all[use.instruction]).op;
      const llvm::MCSymbol *label = asLabel(*use.expr);
      if (label && opUnit(op) == Unit::Branch && op != Op::s_call_b64) {
        add(*label, SymbolUse::Branch);
        continue;
      }
    }
    // What is exported here is another name of a place.
    const Named named = namedBy(use.exported ? *use.exported->getVariableValue() : *use.expr);
    for (const llvm::MCSymbol *symbol : named.labels)
      add(*symbol, named.how);
  }
  return result;
}

} // namespace rdna
