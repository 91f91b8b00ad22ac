#include "Code/Excerpt.h"

#include "Asm/Builder.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace rdna {

std::optional<uint32_t> Excerpt::placeHere(uint32_t begin, uint32_t end) const {
  for (const Kept &kept : kept_)
    if (begin >= kept.begin && end <= kept.end)
      return begin - kept.begin + kept.here;
  return std::nullopt;
}

std::optional<std::vector<TextEdit>> Excerpt::editsHere(std::vector<TextEdit> edits) const {
  const auto move = [&](uint32_t &begin, uint32_t &end) {
    const auto here = placeHere(begin, end);
    if (here) {
      end = *here + (end - begin);
      begin = *here;
    }
    return here.has_value();
  };
  for (TextEdit &edit : edits) {
    if (!move(edit.begin, edit.end))
      return std::nullopt;
    for (Code::Piece &piece : edit.replacement.pieces())
      if (auto *original = std::get_if<Code::Original>(&piece))
        if (!move(original->begin, original->end))
          return std::nullopt;
  }
  return edits;
}

class ExcerptMaker {
public:
  ExcerptMaker(const Module &module, uint32_t function)
      : module_(module), function_(module.functions()[function]) {}

  std::optional<Excerpt> run() {
    if (function_.line == 0 || function_.first == function_.last || function_.enteredAt)
      return std::nullopt;
    if (!keepText() || !keepNumbers() || !isByItself())
      return std::nullopt;
    excerpt_.module_ = ModuleBuilder::makeModule();
    ModuleBuilder out{*excerpt_.module_};
    out.create();
    out.file() = module_.file();
    out.parsed().state = module_.parsed().state;
    for (Excerpt::Kept &kept : excerpt_.kept_) {
      kept.here = static_cast<uint32_t>(out.text().size());
      out.text() += module_.text().substr(kept.begin, kept.end - kept.begin);
    }
    out.indexLines();
    copyCode(out);
    copyFunction(out);
    out.layOutFunctions();
    out.findLongBranches();
    out.findEntries();
    const Function &copy = excerpt_.module_->functions().front();
    if (copy.last - copy.first != function_.last - function_.first ||
        copy.entry != function_.entry || copy.enteredAt)
      return std::nullopt;
    return std::move(excerpt_);
  }

private:
  /// From the label's line to that of the next function's.
  bool keepText() {
    const auto &insts = module_.instructions();
    auto end = static_cast<uint32_t>(module_.text().size());
    for (const Function &other : module_.functions()) {
      if (&other == &function_ || other.line == 0)
        continue;
      if (other.first < function_.last && function_.first < other.last)
        return false;
      if (other.line >= function_.line)
        end = std::min(end, module_.lineBegin(other.line));
    }
    begin_ = module_.lineBegin(function_.line);
    end_ = end;
    excerpt_.kept_.push_back({begin_, end_, 0});
    return insts[function_.first].begin >= begin_ && insts[function_.last - 1].end <= end_;
  }

  void keepLine(uint32_t place) {
    const auto isKept = [&](const Excerpt::Kept &kept) {
      return place >= kept.begin && place < kept.end;
    };
    if (llvm::any_of(excerpt_.kept_, isKept))
      return;
    const std::string_view text = module_.text();
    const size_t begin = text.rfind('\n', place) + 1; // 0 on the first line
    const size_t end = std::min(text.find('\n', place), text.size() - 1) + 1;
    excerpt_.kept_.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end), 0});
  }

  /// Numbers of descriptor and metadata, wherever they stand.
  bool keepNumbers() {
    for (const auto &[name, field] : function_.descriptor) {
      keepLine(field.begin);
      if (!field.query.empty() && (field.begin < begin_ || field.begin >= end_))
        return false;
    }
    for (const auto &[name, number] : function_.metadata)
      keepLine(number.begin);
    llvm::sort(excerpt_.kept_,
               [](const Excerpt::Kept &a, const Excerpt::Kept &b) { return a.begin < b.begin; });
    return true;
  }

  bool isKept(uint32_t place) const { return place >= begin_ && place < end_; }

  /// Does the code name nothing but itself and what lies in other files?
  bool isByItself() {
    const auto &insts = module_.instructions();
    for (uint32_t i = function_.first; i < function_.last; ++i)
      if (insts[i].origin == Instruction::Origin::Macro)
        return false;
    const auto isOwn = [&](std::string_view symbol) {
      const auto target = module_.labelTarget(symbol);
      return !target || (*target >= function_.first && *target < function_.last);
    };
    return llvm::all_of(module_.parsed().entries.uses, [&](const EntryFacts::Use &use) {
      return use.instruction < function_.first || use.instruction >= function_.last ||
             isOwn(use.symbol);
    });
  }

  void copyCode(ModuleBuilder &out) {
    const auto &insts = module_.instructions();
    const auto isBefore = [](const auto &thing, uint32_t at) { return thing.begin < at; };
    const auto from = std::lower_bound(insts.begin(), insts.end(), begin_, isBefore);
    const auto to = std::lower_bound(from, insts.end(), end_, isBefore);
    const auto first = static_cast<uint32_t>(from - insts.begin());
    const uint32_t here = *excerpt_.placeHere(begin_, end_);
    for (auto inst = from; inst != to; ++inst) {
      Instruction &copy = out.instructions().emplace_back(*inst);
      copy.index = inst->index - first;
      copy.begin = inst->begin - begin_ + here;
      copy.end = inst->end - begin_ + here;
      copy.line = out.lineAt(copy.begin);
      out.parsed().insts.push_back(module_.parsed().insts[inst->index]);
    }
    for (const CodeGap &gap : module_.parsed().gaps)
      if (isKept(gap.begin))
        out.parsed().gaps.push_back(
            {gap.kind, gap.instruction - first, gap.section, gap.begin - begin_ + here});
    copyLabels(out, first, here);
    for (const EntryFacts::Use &use : module_.parsed().entries.uses)
      if (use.instruction >= first && use.instruction < first + (to - from))
        out.parsed().entries.uses.push_back({use.symbol, use.how, use.instruction - first});
  }

  /// What arrives from elsewhere comes from an address that nobody knows.
  void copyLabels(ModuleBuilder &out, uint32_t first, uint32_t here) {
    const auto &labels = module_.labels();
    EntryFacts &entries = out.parsed().entries;
    auto label = std::lower_bound(labels.begin(), labels.end(), begin_,
                                  [](const Label &l, uint32_t at) { return l.begin < at; });
    for (; label != labels.end() && label->begin < end_; ++label) {
      const uint32_t begin = label->begin - begin_ + here;
      out.labels().push_back(
          {label->name, label->instruction - first, out.lineAt(begin), false, begin});
      out.labelIndex().emplace(label->name, label->instruction - first);
      entries.labelSections.push_back(
          module_.parsed().entries.labelSections[static_cast<size_t>(label - labels.begin())]);
      if (label->isTaken || (label->name == function_.name && function_.isKernel() &&
                             function_.entry == Function::Entry::Unknown))
        entries.uses.push_back({label->name, SymbolUse::Address, EntryFacts::kNoInstruction});
    }
  }

  void copyFunction(ModuleBuilder &out) {
    Function &copy = out.functions().emplace_back(function_);
    copy.entry = Function::Entry::Unknown;
    for (auto &[name, field] : copy.descriptor) {
      const uint32_t begin = *excerpt_.placeHere(field.begin, field.end);
      field.end = begin + (field.end - field.begin);
      field.begin = begin;
      field.line = out.lineAt(begin);
      field.valueText = std::string_view(out.text()).substr(begin, field.end - begin);
    }
    for (auto &[name, number] : copy.metadata) {
      const uint32_t begin = *excerpt_.placeHere(number.begin, number.end);
      number.end = begin + (number.end - number.begin);
      number.begin = begin;
    }
  }

  const Module &module_;
  const Function &function_;
  uint32_t begin_ = 0, end_ = 0; ///< Of the function's own text.
  Excerpt excerpt_;
};

std::optional<Excerpt> Excerpt::of(const Module &module, uint32_t function) {
  return ExcerptMaker(module, function).run();
}

} // namespace rdna
