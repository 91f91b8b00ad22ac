// From where execution may arrive at each place. A function in which only its own branches arrive
// behind its first instruction can be rewritten by looking at it alone; no other can.

#include "Asm/Builder.h"

#include <algorithm>
#include <map>
#include <set>

namespace rdna {

namespace {

class EntryFinder {
public:
  EntryFinder(const Module &module, std::vector<Label> &labels, std::vector<Function> &functions,
              const EntryFacts &facts)
      : module_(module), labels_(labels), functions_(functions), facts_(facts),
        owner_(module.instructions().size(), kNone) {
    for (uint32_t f = 0; f < functions_.size(); ++f)
      std::fill(owner_.begin() + functions_[f].first, owner_.begin() + functions_[f].last, f);
    for (const Instruction &inst : module.instructions())
      inSection_[inst.section].push_back(inst.index);
    for (uint32_t l = 0; l < labels_.size(); ++l)
      placeOf_.emplace(labels_[l].name, placeOfLabel(l));
  }

  void run() {
    for (Function &function : functions_)
      if (function.isKernel() && function.line != 0)
        function.entry = Function::Entry::Launch;
    for (const Instruction &inst : module_.instructions())
      for (uint32_t n = 1; n <= inst.longBranch; ++n)
        longBranches_.emplace(inst.index - n, inst.index);
    for (const EntryFacts::Use &use : facts_.uses)
      visit(use);
    for (const Instruction &inst : module_.instructions()) {
      visitFallThrough(inst);
      visitNumericBranch(inst);
    }
    for (uint32_t l = 0; l < labels_.size(); ++l)
      labels_[l].isInCode = inSection_.contains(facts_.labelSections[l]);
    for (uint32_t l = 0; l < labels_.size(); ++l)
      if (const uint32_t place = placeOfLabel(l); place < owner_.size() && taken_.count(place))
        labels_[l].isTaken = true;
  }

private:
  static constexpr uint32_t kNone = ~0u;

  /// The instruction that a label stands before, as memory has them: labels of data have none.
  uint32_t placeOfLabel(uint32_t label) const {
    return firstFrom(labels_[label].instruction, facts_.labelSections[label]);
  }

  /// The first instruction of a section from one on; there may be many of other sections between.
  uint32_t firstFrom(uint32_t instruction, uint32_t section) const {
    const auto all = inSection_.find(section);
    if (all == inSection_.end())
      return kNone;
    const auto found = std::lower_bound(all->second.begin(), all->second.end(), instruction);
    return found == all->second.end() ? kNone : *found;
  }

  void take(uint32_t place) {
    if (place >= owner_.size())
      return;
    taken_.insert(place);
    if (owner_[place] == kNone)
      return;
    // Several symbols may stand for one piece of code.
    for (Function &function : functions_) {
      if (place == function.first)
        function.entry = Function::Entry::Unknown;
      else if (place > function.first && place < function.last)
        function.enteredAt = std::min(function.enteredAt.value_or(place), place);
    }
  }

  void takeAll(Function &function) {
    if (function.first == function.last)
      return;
    take(function.first);
    if (function.first + 1 < function.last)
      take(function.first + 1);
  }

  void visit(const EntryFacts::Use &use) {
    const auto found = placeOf_.find(use.symbol);
    if (found == placeOf_.end() || found->second >= owner_.size())
      return;
    const uint32_t place = found->second;
    const uint32_t owner = owner_[place];
    SymbolUse how = use.how;
    if (const auto branch = longBranches_.find(use.instruction); branch != longBranches_.end()) {
      if (module_.branchTarget(module_.instructions()[branch->second]) != use.symbol)
        return; // What the distance is counted from.
      how = SymbolUse::Branch;
    }
    switch (how) {
    case SymbolUse::Branch:
      // A branch to where a kernel starts brings other registers than its launch.
      if (owner_[use.instruction] != owner || owner == kNone || place == functions_[owner].first)
        take(place);
      return;
    case SymbolUse::Export:
      if (owner == kNone || functions_[owner].name != use.symbol)
        take(place);
      return;
    case SymbolUse::Near:
      take(place);
      if (owner != kNone)
        takeAll(functions_[owner]);
      return;
    case SymbolUse::Address:
      take(place);
      return;
    }
  }

  static bool isLast(const Instruction &inst) {
    return inst.unit == Unit::End || inst.op == Op::s_branch || inst.op == Op::s_setpc_b64 ||
           inst.op == Op::s_rfe_b64 || inst.op == Op::s_code_end;
  }

  void visitFallThrough(const Instruction &inst) {
    if (isLast(inst))
      return;
    const uint32_t next = firstFrom(inst.index + 1, inst.section);
    if (next != kNone && owner_[next] != owner_[inst.index])
      take(next);
  }

  /// Is the place so many bytes behind an instruction in the same function? What is no instruction
  /// there (data, padding) can only bring it nearer.
  bool staysInside(const Instruction &inst, int64_t bytes) const {
    const auto &all = module_.instructions();
    const auto isSame = [&](uint32_t i) {
      return owner_[i] == owner_[inst.index] && all[i].section == inst.section;
    };
    if (bytes < 0) {
      for (uint32_t at = inst.index;; --at) {
        bytes += all[at].sizeBytes;
        if (bytes >= 0)
          return true;
        if (at == 0 || !isSame(at - 1))
          return false;
      }
    }
    for (uint32_t at = inst.index + 1; at < all.size() && isSame(at); ++at) {
      if (bytes < int64_t(all[at].sizeBytes))
        return true;
      bytes -= all[at].sizeBytes;
    }
    return false;
  }

  void visitNumericBranch(const Instruction &inst) {
    if (inst.unit != Unit::Branch || owner_.empty())
      return;
    for (const Operand &operand : inst.operands) {
      if (operand.kind != Operand::Kind::Immediate)
        continue;
      const int64_t bytes = 4 * int64_t(static_cast<int16_t>(operand.imm));
      if (owner_[inst.index] != kNone && staysInside(inst, bytes))
        continue;
      // Where it goes depends on padding, which is not known here.
      for (Function &function : functions_)
        if (function.first < function.last &&
            module_.instructions()[function.first].section == inst.section)
          takeAll(function);
    }
  }

  const Module &module_;
  std::vector<Label> &labels_;
  std::vector<Function> &functions_;
  const EntryFacts &facts_;
  std::vector<uint32_t> owner_; ///< By instruction: index of its function, or kNone.
  std::map<uint32_t, std::vector<uint32_t>> inSection_;  ///< Instructions, in order.
  std::map<std::string, uint32_t, std::less<>> placeOf_; ///< Label to instruction.
  std::map<uint32_t, uint32_t> longBranches_; ///< What makes the address, and its s_setpc_b64.
  std::set<uint32_t> taken_;
};

} // namespace

void ModuleBuilder::findEntries() {
  EntryFinder(module, labels(), functions(), parsed().entries).run();
}

} // namespace rdna
