#include "Code/Derive.h"

#include "Asm/Builder.h"
#include "Asm/Encode.h"
#include "Code/MadeInst.h"

#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCSymbol.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>

namespace rdna {
namespace {

bool hasText(const std::vector<TextEdit> &edits) {
  for (const TextEdit &edit : edits)
    for (const Code::Piece &piece : edit.replacement.pieces())
      if (std::holds_alternative<Code::Text>(piece))
        return true;
  return false;
}

/// Where bytes of the old text are now, by binary search.
class Places {
public:
  explicit Places(const Module &module, const std::vector<TextEdit> &edits) {
    int64_t shift = 0;
    for (const TextEdit &edit : edits) {
      const auto size = static_cast<int64_t>(edit.replacement.print(module).size());
      edits_.push_back({edit.begin, edit.end, edit.begin + shift, size});
      shift += size - (edit.end - edit.begin);
    }
  }
  /// Of a range that no edit touches, or that one replaces as a whole.
  std::pair<uint32_t, uint32_t> map(uint32_t begin, uint32_t end) const {
    const auto it = std::upper_bound(edits_.begin(), edits_.end(), begin,
                                     [](uint32_t at, const Moved &m) { return at < m.begin; });
    // The last edit that begins here or before; of an insertion and a replacement at one place the
    // replacement comes last.
    if (it == edits_.begin())
      return {begin, end};
    const Moved &moved = *std::prev(it);
    if (moved.begin == begin && moved.end == end)
      return {static_cast<uint32_t>(moved.newBegin),
              static_cast<uint32_t>(moved.newBegin + moved.size)};
    const int64_t shift = moved.newBegin + moved.size - moved.end;
    return {static_cast<uint32_t>(begin + shift), static_cast<uint32_t>(end + shift)};
  }

private:
  struct Moved {
    uint32_t begin, end;
    int64_t newBegin, size;
  };
  std::vector<Moved> edits_;
};

class Deriver {
public:
  Deriver(const Module &old, std::vector<TextEdit> edits)
      : old_(old), edits_(std::move(edits)), module_(ModuleBuilder::makeModule()), out_{*module_},
        sizes_(*old.parsed().state->context) {
    std::stable_sort(edits_.begin(), edits_.end(), [](const TextEdit &a, const TextEdit &b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
    });
    for (const EntryFacts::Use &use : old_.parsed().entries.uses)
      if (use.instruction != EntryFacts::kNoInstruction)
        usesOf_[use.instruction].push_back(&use);
  }

  std::unique_ptr<Module> run() {
    out_.create();
    out_.file() = old_.file();
    ParsedModule &parsed = out_.parsed();
    parsed.state = old_.parsed().state;
    out_.text().reserve(old_.text().size() + 4096);
    out_.instructions().reserve(old_.instructions().size() + 256);
    uint32_t at = 0;
    for (const TextEdit &edit : edits_) {
      assert(edit.begin >= at && edit.end >= edit.begin && edit.end <= old_.text().size());
      copy(at, edit.begin);
      enterSection(edit);
      for (const Code::Piece &piece : edit.replacement.pieces())
        std::visit(*this, piece);
      at = edit.end;
    }
    copy(at, static_cast<uint32_t>(old_.text().size()) + 1);
    finish();
    return std::move(module_);
  }

  void operator()(const Code::Layout &layout) { out_.text() += layout.text; }
  void operator()(const Code::NewLabel &label) {
    out_.labels().push_back({label.name, nextInstruction(), 0, false, size()});
    out_.parsed().entries.labelSections.push_back(section_);
    out_.text() += label.name + ":";
  }
  void operator()(const Code::Original &range) { copy(range.begin, range.end); }
  void operator()(const Code::Number &number) {
    numbers_.emplace(size(), number.value);
    out_.text() += std::to_string(number.value);
  }
  void operator()(const Code::Text &) { assert(false && "has to be parsed"); }
  void operator()(const Inst &inst) {
    Instruction made;
    llvm::MCInst mc = inst.made().mc;
    const std::string &target = inst.made().target;
    if (!target.empty()) {
      llvm::MCContext &context = *out_.parsed().state->context;
      mc.addOperand(llvm::MCOperand::createExpr(
          llvm::MCSymbolRefExpr::create(context.getOrCreateSymbol(target), context)));
      out_.parsed().entries.uses.push_back({target, SymbolUse::Branch, nextInstruction()});
    }
    describeInstruction(mc, *out_.parsed().state, made);
    made.begin = size();
    made.end = static_cast<uint32_t>(made.begin + inst.text().size());
    made.section = section_;
    made.sizeBytes = sizes_.of(mc);
    addInstruction(std::move(made), std::move(mc));
    out_.text() += inst.text();
  }

private:
  uint32_t size() const { return static_cast<uint32_t>(module_->text().size()); }
  uint32_t nextInstruction() const { return static_cast<uint32_t>(module_->instructions().size()); }

  void addInstruction(Instruction inst, llvm::MCInst mc) {
    inst.index = nextInstruction();
    out_.instructions().push_back(std::move(inst));
    out_.parsed().insts.push_back(std::move(mc));
  }

  /// What stands in these bytes of the old text; `end` is one past the text for all that is left.
  void copy(uint32_t begin, uint32_t end) {
    const auto &insts = old_.instructions();
    const auto &labels = old_.labels();
    const int64_t shift = int64_t(size()) - begin;
    auto inst = std::lower_bound(insts.begin(), insts.end(), begin,
                                 [](const Instruction &i, uint32_t at) { return i.begin < at; });
    auto label = std::lower_bound(labels.begin(), labels.end(), begin,
                                  [](const Label &l, uint32_t at) { return l.begin < at; });
    const auto &gaps = old_.parsed().gaps;
    auto gap = std::lower_bound(gaps.begin(), gaps.end(), begin,
                                [](const CodeGap &g, uint32_t at) { return g.begin < at; });
    const auto copyGaps = [&](uint32_t next) {
      for (; gap != gaps.end() && gap->begin < end && gap->instruction <= next; ++gap)
        out_.parsed().gaps.push_back({gap->kind, nextInstruction(), gap->section,
                                      static_cast<uint32_t>(gap->begin + shift)});
    };
    const auto &assignments = old_.parsed().assignments;
    auto assignment =
        std::lower_bound(assignments.begin(), assignments.end(), begin,
                         [](const Assignment &a, uint32_t at) { return a.begin < at; });
    for (; assignment != assignments.end() && assignment->begin < end; ++assignment)
      out_.parsed().assignments.push_back({static_cast<uint32_t>(assignment->begin + shift),
                                           assignment->symbol, assignment->value});
    const auto hasLabel = [&] { return label != labels.end() && label->begin < end; };
    for (; inst != insts.end() && inst->begin < end; ++inst) {
      for (; hasLabel() && label->instruction <= inst->index; ++label)
        copyLabel(*label, shift);
      copyGaps(inst->index);
      copyInstruction(*inst, shift);
    }
    copyGaps(~0u);
    for (; hasLabel(); ++label)
      copyLabel(*label, shift);
    const std::string_view text = old_.text();
    out_.text() += text.substr(begin, std::min<size_t>(end, text.size()) - begin);
  }

  /// What is made in the place of an instruction, or on its line, lies where that lay.
  void enterSection(const TextEdit &edit) {
    const auto &insts = old_.instructions();
    const auto inst =
        std::lower_bound(insts.begin(), insts.end(), edit.begin,
                         [](const Instruction &i, uint32_t at) { return i.begin < at; });
    if (inst != insts.end() && (inst->begin < edit.end || edit.begin >= old_.lineBegin(inst->line)))
      section_ = inst->section;
  }

  void copyLabel(const Label &label, int64_t shift) {
    const auto n = static_cast<size_t>(&label - old_.labels().data());
    out_.labels().push_back(
        {label.name, nextInstruction(), 0, false, static_cast<uint32_t>(label.begin + shift)});
    out_.parsed().entries.labelSections.push_back(old_.parsed().entries.labelSections[n]);
  }

  void copyInstruction(const Instruction &inst, int64_t shift) {
    if (const auto uses = usesOf_.find(inst.index); uses != usesOf_.end())
      for (const EntryFacts::Use *use : uses->second)
        out_.parsed().entries.uses.push_back({use->symbol, use->how, nextInstruction()});
    Instruction copy = inst;
    copy.begin = static_cast<uint32_t>(inst.begin + shift);
    copy.end = static_cast<uint32_t>(inst.end + shift);
    section_ = inst.section;
    addInstruction(std::move(copy), old_.parsed().insts[inst.index]);
  }

  void finish() {
    out_.indexLines();
    for (Instruction &inst : out_.instructions()) {
      inst.line = out_.lineAt(inst.begin);
      inst.column = inst.begin - out_.lines()[inst.line - 1] + 1;
    }
    for (Label &label : out_.labels()) {
      label.line = out_.lineAt(label.begin);
      out_.labelIndex().emplace(label.name, label.instruction);
    }
    for (const EntryFacts::Use &use : old_.parsed().entries.uses)
      if (use.instruction == EntryFacts::kNoInstruction)
        out_.parsed().entries.uses.push_back(use);
    copyFunctions();
    out_.layOutFunctions();
    out_.findLongBranches();
    out_.findEntries();
    if (!numbers_.empty())
      out_.evaluateDescriptor();
    out_.sortFunctions();
  }

  void copyFunctions() {
    const Places places(old_, edits_);
    for (const Function &old : old_.functions()) {
      Function &function = out_.functions().emplace_back(old);
      function.first = function.last = function.line = 0;
      function.entry = Function::Entry::Unknown;
      function.enteredAt.reset();
      for (auto &[name, field] : function.descriptor) {
        std::tie(field.begin, field.end) = places.map(field.begin, field.end);
        field.valueText =
            std::string_view(out_.text()).substr(field.begin, field.end - field.begin);
        field.line = out_.lineAt(field.begin);
        if (const auto number = numbers_.find(field.begin); number != numbers_.end())
          field.value = number->second;
      }
      for (auto &[name, count] : function.metadata) {
        std::tie(count.begin, count.end) = places.map(count.begin, count.end);
        if (const auto number = numbers_.find(count.begin); number != numbers_.end())
          count.value = number->second;
      }
    }
  }

  const Module &old_;
  std::vector<TextEdit> edits_;
  std::unique_ptr<Module> module_;
  ModuleBuilder out_;
  EncodedSizes sizes_;
  std::unordered_map<uint32_t, std::vector<const EntryFacts::Use *>> usesOf_;
  uint32_t section_ = 0;                          ///< Of the instruction before.
  std::unordered_map<uint32_t, int64_t> numbers_; ///< By their place in the new text.
};

} // namespace

llvm::Expected<std::unique_ptr<Module>> derive(const Module &module, std::vector<TextEdit> edits) {
  if (hasText(edits))
    return Module::parse(applyEdits(module, std::move(edits)), module.file());
  return Deriver(module, std::move(edits)).run();
}

} // namespace rdna
