// Moves on the edges into and out of the loops around a rewritten block.

#include "Code/Build.h"
#include "Transform/Emitter.h"
#include "Transform/Lines.h"

#include <fmt/format.h>

#include <algorithm>

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

Emitter::EdgeMoves Emitter::movesOf(const Edge &edge) {
  const Liveness &liveness = context_.function.liveness;
  const auto &constants = context_.constants.out[edge.from];
  const auto before = placementsAt(context_, code_, edge.from);
  const auto after = placementsAt(context_, code_, edge.to);
  EdgeMoves moves;
  for (size_t i = 0; i < after.size(); ++i) {
    moves.occupied.set(before[i].place.number);
    moves.occupied.set(after[i].place.number);
    if (before[i].place == after[i].place || !liveness.liveIn[edge.to].test(after[i].home.number))
      continue;
    moves.isEntry |= before[i].place == before[i].home;
    const auto known = constants[before[i].home.number];
    if (!moves.isEntry || !known) {
      moves.copies.push_back({after[i].place, before[i].place, std::nullopt});
    } else if (constants[after[i].place.number] == known &&
               liveness.liveIn[edge.to].test(after[i].place.number)) {
      // Only a live register is sure to hold in the new text what it held in the old one.
      ++result_.entryConstants;
    } else {
      moves.copies.push_back({after[i].place, before[i].place, known});
    }
  }
  return moves;
}

/// A VGPR that holds nothing on the edge.
std::optional<Vgpr> Emitter::temporaryOn(const Edge &edge, const VgprSet &occupied) const {
  const Liveness &liveness = context_.function.liveness;
  if (!module_.functions()[context_.function.cfg.functionIndex].isKernel())
    return std::nullopt; // A caller may keep values in any register.
  for (unsigned r = 0; r < context_.budget; ++r)
    if (!occupied.test(r) && !liveness.liveIn[edge.to].test(r) &&
        !liveness.liveOut[edge.from].test(r))
      return Vgpr{static_cast<uint8_t>(r)};
  return std::nullopt;
}

WaitState Emitter::waitStateBehind(uint32_t blockNumber) const {
  if (blockNumber == region_.block)
    return state_;
  const Block &block = context_.function.cfg.blocks[blockNumber];
  WaitState state = context_.waits[blockNumber];
  for (uint32_t i = block.first; i < block.last; ++i)
    state.step(inst(i));
  return state;
}

/// The moves as text, behind the waits that what they touch needs.
Code Emitter::codeOf(const Edge &edge, const EdgeMoves &moves) {
  const std::optional<Vgpr> temporary = temporaryOn(edge, moves.occupied);
  llvm::SmallVector<RegRange, 16> touched;
  for (const Copy &copy : moves.copies) {
    touched.push_back({RegUnit::vgpr(copy.dst.number), 1, Half::Whole});
    touched.push_back({RegUnit::vgpr(copy.src.number), 1, Half::Whole});
  }
  if (temporary)
    touched.push_back({RegUnit::vgpr(temporary->number), 1, Half::Whole});
  Code code;
  const auto add = [&](const Code &line) { ((code += "\t") += line) += newline_; };
  WaitState state = waitStateBehind(edge.from);
  if (const WaitCounts counts = state.needed(touched); counts.any())
    add(buildWait(counts));
  if (readsTransTooSoon(edge.from, moves.copies))
    add(buildVaVdstWait());
  const std::vector<Inst> lines = sequentialise(moves.copies, temporary);
  for (const Inst &move : lines)
    add(move);
  const auto values = static_cast<unsigned>(moves.copies.size());
  (moves.isEntry ? result_.entryMoves : result_.exitMoves) += static_cast<unsigned>(lines.size());
  (moves.isEntry ? result_.entryValues : result_.exitValues) += values;
  return code;
}

/// The edge of a jump gets a block of its own behind the function, and the jump goes there.
std::optional<LeftAlone> Emitter::emitTrampoline(const Edge &edge, const Code &moves,
                                                 Trampolines &trampolines) {
  const Cfg &cfg = context_.function.cfg;
  const Instruction &last = inst(cfg.blocks[edge.from].last - 1);
  if (last.origin != Instruction::Origin::Text)
    return LeftAlone{last.line, "the branch out of the loop comes out of a macro"};
  std::string &label = trampolines.known[{edge.to, moves.print(module_)}];
  if (label.empty()) {
    const Function &function = module_.functions()[cfg.functionIndex];
    for (unsigned n = 0;
         label.empty() || module_.labelTarget(label) || trampolines.labels.contains(label); ++n)
      label = fmt::format(".Lrdnakit_{}_edge{}", function.name, n);
    trampolines.labels.insert(label);
    (trampolines.code += Code::label(label)) += newline_;
    (trampolines.code += moves) += "\t";
    const std::string target(module_.branchTarget(last));
    (trampolines.code += buildBranch(Op::s_branch, target)) += newline_;
  }
  const Inst fresh = buildBranch(last.op, label);
  if (edge.from != region_.block) {
    result_.edits.push_back(replacement(last, fresh));
    return std::nullopt;
  }
  // The block is being written anew: it has its own branch once.
  const auto isOld = [&](const Code::Piece &piece) {
    const auto *original = std::get_if<Code::Original>(&piece);
    return original && original->begin == last.begin && original->end == last.end;
  };
  const auto it = std::find_if(out_.pieces().begin(), out_.pieces().end(), isOld);
  if (it == out_.pieces().end())
    return LeftAlone{last.line, "the branch out of the loop cannot be found again"};
  *it = fresh;
  return std::nullopt;
}

/// Writes the moves where only this edge passes.
std::optional<LeftAlone> Emitter::placeOnEdge(const Edge &edge, const Code &moves,
                                              Trampolines &trampolines) {
  const Cfg &cfg = context_.function.cfg;
  const Block &from = cfg.blocks[edge.from];
  const Instruction &last = inst(from.last - 1);
  const bool falls = edge.to == edge.from + 1 && last.op != Op::s_branch;
  const auto taken = module_.labelTarget(module_.branchTarget(last));
  if (falls && last.unit == Unit::Branch && taken && *taken == cfg.blocks[edge.to].first)
    return LeftAlone{last.line, "a branch goes to the next instruction either way"};
  if (from.successors.size() == 1 && last.unit == Unit::Branch && edge.from != region_.block) {
    const uint32_t at = module_.lineBegin(last.line);
    if (module_.text().substr(at, last.begin - at).find_first_not_of(" \t") !=
        std::string_view::npos)
      return LeftAlone{last.line, "a label stands on the line of the branch into the loop"};
    result_.edits.push_back({at, at, moves});
    return std::nullopt;
  }
  if (!falls)
    return emitTrampoline(edge, moves, trampolines);
  if (edge.from == region_.block)
    out_ += moves; // behind the block's own text
  else
    insertBehind(last, moves);
  return std::nullopt;
}

/// As lines of their own, even if the instruction's line is the text's last and has no end.
void Emitter::insertBehind(const Instruction &last, const Code &code) {
  const uint32_t at = module_.lineBegin(nextLine(module_, last.line));
  const bool endsOpen = at > 0 && module_.text()[at - 1] != '\n';
  result_.edits.push_back({at, at, Code::layout(endsOpen ? newline_ : "") + code});
}

std::optional<LeftAlone> Emitter::emitEdges() {
  const Cfg &cfg = context_.function.cfg;
  Trampolines trampolines;
  for (uint32_t from = 0; from < cfg.blocks.size(); ++from)
    for (const uint32_t to : cfg.blocks[from].successors) {
      const Edge edge{from, to};
      const EdgeMoves moves = movesOf(edge);
      if (moves.copies.empty())
        continue;
      if (auto obstacle = placeOnEdge(edge, codeOf(edge, moves), trampolines))
        return obstacle;
    }
  if (trampolines.code.empty())
    return std::nullopt;
  const Function &function = module_.functions()[cfg.functionIndex];
  const Instruction &last = inst(function.last - 1);
  if (!last.isTerminator() ||
      (last.op != Op::s_branch && last.unit != Unit::End && last.op != Op::s_setpc_b64))
    return LeftAlone{last.line, "the function does not end in a jump, so nothing can follow it"};
  if (function.last - 1 >= block_.first && function.last - 1 < block_.last)
    out_ += trampolines.code;
  else
    insertBehind(last, trampolines.code);
  return std::nullopt;
}

} // namespace rdna
