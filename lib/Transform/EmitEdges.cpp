// Moves on the edges into and out of the loops around a rewritten block.

#include "Analysis/LoadWait.h"
#include "Code/Build.h"
#include "Transform/Emitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace rdna {

std::vector<Placement> placementsAt(const EmitContext &context, const RegionCode &code,
                                    uint32_t block) {
  std::vector<Placement> result;
  for (WebId w = 0; w < code.region.webs.size(); ++w) {
    const Web &web = code.region.webs[w];
    if (web.scope != Web::Scope::Relocatable || code.registers[w] == web.home)
      continue;
    const Loop &loop = context.function.cfg.loops[code.region.loops[web.extent]];
    result.push_back({web.home, loop.contains(block) ? code.registers[w] : web.home});
  }
  return result;
}

/// Do moves behind a block read what a transcendental has written within its last instructions?
bool Emitter::readsTransTooSoon(uint32_t from, llvm::ArrayRef<Copy> copies) const {
  const auto isRead = [&](RegRange range) {
    return std::any_of(copies.begin(), copies.end(), [&](const Copy &copy) {
      return !copy.constant && range.overlaps({RegUnit::vgpr(copy.src.number), 1, Half::Whole});
    });
  };
  if (from == region_.block)
    return std::any_of(transResults_.begin(), transResults_.end(), [&](const TransResult &t) {
      return t.valu <= 5 && t.trans <= 1 && isRead(t.reg);
    });
  const Block &block = context_.function.cfg.blocks[from];
  unsigned valus = 0;
  for (uint32_t i = block.last; i-- > block.first && valus <= 5; valus += inst(i).isValu())
    if (inst(i).unit == Unit::Trans)
      for (const RegAccess &access : inst(i).accesses)
        if (access.writes() && isRead(access.reg))
          return true;
  return false;
}

std::optional<LeftAlone> Emitter::emitEdges() {
  const Cfg &cfg = context_.function.cfg;
  const Liveness &liveness = context_.function.liveness;
  const Function &function = module_.functions()[cfg.functionIndex];
  Code trampolines;
  std::map<std::pair<uint32_t, std::string>, std::string> known; // target and code -> label
  std::set<std::string> labels;
  for (uint32_t from = 0; from < cfg.blocks.size(); ++from) {
    const auto before = placementsAt(context_, code_, from);
    for (const uint32_t to : cfg.blocks[from].successors) {
      const auto after = placementsAt(context_, code_, to);
      std::vector<Copy> copies;
      VgprSet occupied;
      bool entering = false;
      unsigned values = 0;
      for (size_t i = 0; i < after.size(); ++i) {
        occupied.set(before[i].place.number);
        occupied.set(after[i].place.number);
        if (before[i].place == after[i].place || !liveness.liveIn[to].test(after[i].home.number))
          continue;
        entering |= before[i].place == before[i].home;
        const auto known_value = context_.constants.out[from][before[i].home.number];
        if (entering && known_value) {
          // Only a live register is sure to hold in the new text what it held in the old one.
          if (context_.constants.out[from][after[i].place.number] == known_value &&
              liveness.liveIn[to].test(after[i].place.number)) {
            ++result_.entryConstants;
            continue;
          }
          copies.push_back({after[i].place, before[i].place, known_value});
        } else {
          copies.push_back({after[i].place, before[i].place, std::nullopt});
        }
        ++values;
      }
      if (copies.empty())
        continue;
      std::optional<Vgpr> temporary;
      for (unsigned r = 0; r < context_.budget && !temporary; ++r)
        if (!occupied.test(r) && !liveness.liveIn[to].test(r) && !liveness.liveOut[from].test(r) &&
            function.isKernel())
          temporary = Vgpr{static_cast<uint8_t>(r)};
      WaitState state = from == region_.block ? state_ : context_.waits[from];
      if (from != region_.block)
        for (uint32_t i = cfg.blocks[from].first; i < cfg.blocks[from].last; ++i) {
          state.touch(inst(i));
          if (const auto counts = loadWait(inst(i)))
            state.wait(*counts);
          else if (inst(i).op == Op::s_swappc_b64 || inst(i).op == Op::s_call_b64)
            state = WaitState::unknown();
          else
            state.issue(inst(i), lateWrites(inst(i)));
        }
      llvm::SmallVector<RegRange, 16> touched;
      for (const Copy &copy : copies) {
        touched.push_back({RegUnit::vgpr(copy.dst.number), 1, Half::Whole});
        touched.push_back({RegUnit::vgpr(copy.src.number), 1, Half::Whole});
      }
      if (temporary)
        touched.push_back({RegUnit::vgpr(temporary->number), 1, Half::Whole});
      Code moves;
      const auto add = [&](const Code &code) { ((moves += "\t") += code) += newline_; };
      if (const WaitCounts counts = state.needed(touched); counts.any())
        add(buildWait(counts));
      if (readsTransTooSoon(from, copies))
        add(buildVaVdstWait());
      const std::vector<Inst> lines = sequentialise(copies, temporary);
      for (const Inst &move : lines)
        add(move);
      (entering ? result_.entryMoves : result_.exitMoves) += static_cast<unsigned>(lines.size());
      (entering ? result_.entryValues : result_.exitValues) += values;

      const Instruction &last = inst(cfg.blocks[from].last - 1);
      const bool falls = to == from + 1 && !(last.op == Op::s_branch);
      const auto taken = module_.labelTarget(module_.branchTarget(last));
      const bool both =
          falls && last.unit == Unit::Branch && taken && *taken == cfg.blocks[to].first;
      if (both)
        return LeftAlone{last.line, "a branch goes to the next instruction either way"};
      if (cfg.blocks[from].successors.size() == 1 && last.unit == Unit::Branch &&
          from != region_.block) {
        const uint32_t at = module_.lineBegin(last.line);
        if (module_.text().substr(at, last.begin - at).find_first_not_of(" \t") !=
            std::string_view::npos)
          return LeftAlone{last.line, "a label stands on the line of the branch into the loop"};
        result_.edits.push_back({at, at, moves});
      } else if (falls) {
        const uint32_t at = module_.lineBegin(last.line + 1);
        const bool endsOpen = at > 0 && module_.text()[at - 1] != '\n';
        if (from == region_.block)
          out_ += moves; // behind the block's own text
        else
          result_.edits.push_back({at, at, Code::layout(endsOpen ? newline_ : "") + moves});
      } else {
        if (last.origin != Instruction::Origin::Text)
          return LeftAlone{last.line, "the branch out of the loop comes out of a macro"};
        const std::string target(module_.branchTarget(last));
        auto &label = known[{to, moves.print(module_)}];
        if (label.empty()) {
          for (unsigned n = 0;
               label.empty() || module_.labelTarget(label) || labels.contains(label); ++n)
            label = fmt::format(".Lrdnakit_{}_edge{}", function.name, n);
          labels.insert(label);
          (trampolines += Code::label(label)) += newline_;
          (trampolines += moves) += "\t";
          (trampolines += buildBranch(Op::s_branch, target)) += newline_;
        }
        const Inst fresh = buildBranch(last.op, label);
        if (from == region_.block) {
          // The block is being written anew: it has its own branch once.
          const auto isOld = [&](const Code::Piece &piece) {
            const auto *original = std::get_if<Code::Original>(&piece);
            return original && original->begin == last.begin && original->end == last.end;
          };
          const auto it = std::find_if(out_.pieces().begin(), out_.pieces().end(), isOld);
          if (it == out_.pieces().end())
            return LeftAlone{last.line, "the branch out of the loop cannot be found again"};
          *it = fresh;
        } else {
          result_.edits.push_back(replacement(last, fresh));
        }
      }
    }
  }
  if (!trampolines.empty()) {
    const Instruction &last = inst(function.last - 1);
    if (!last.isTerminator() ||
        (last.op != Op::s_branch && last.unit != Unit::End && last.op != Op::s_setpc_b64))
      return LeftAlone{last.line, "the function does not end in a jump, so nothing can follow it"};
    const uint32_t at = module_.lineBegin(last.line + 1);
    const bool endsOpen = at > 0 && module_.text()[at - 1] != '\n';
    if (function.last - 1 >= block_.first && function.last - 1 < block_.last)
      out_ += trampolines;
    else
      result_.edits.push_back({at, at, Code::layout(endsOpen ? newline_ : "") + trampolines});
  }
  return std::nullopt;
}

} // namespace rdna
