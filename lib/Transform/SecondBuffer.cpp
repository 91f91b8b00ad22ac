#include "Transform/SecondBuffer.h"

#include "Asm/LdsOffsets.h"
#include "Code/Build.h"
#include "Isa/Branch.h"
#include "Transform/CodeLines.h"
#include "Transform/CopyCode.h"
#include "Transform/LdsShift.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace rdna {
namespace {

class Copier {
public:
  Copier(const Module &module, const Cfg &cfg, const StagedLoop &staged, uint32_t ldsBytes)
      : module_(module), cfg_(cfg), staged_(staged),
        gone_(barriersWithInvalidations(module, staged)),
        segments_(segmentsOf(module, cfg, staged.turns)), newline_(lineEnding(module)),
        out_(module) {
    // Offsets of accesses with two addresses count in units.
    unsigned unit = 16;
    for (const Segment &segment : segments_)
      for (uint32_t i = segment.first; i < segment.last; ++i)
        if (const LdsOffsets offsets = ldsOffsets(inst(i)); offsets.fields == 2)
          unit = std::max(unit, offsets.unit);
    rewrite_.distance = static_cast<uint32_t>(llvm::alignTo(ldsBytes, unit));
  }

  SecondBufferOutcome run() {
    order();
    for (size_t n = 0; n < order_.size() && !left_; ++n)
      copy(n);
    for (const uint32_t turn : staged_.turns)
      if (!takesLineBefore(module_, inst(turn)))
        leave(inst(turn).line, "nothing can be put in front of the first store");
    if (left_)
      return {.rewrite = std::nullopt, .left = std::move(left_)};
    insert();
    for (const uint32_t i : gone_)
      rewrite_.edits.push_back(removal(module_, inst(i)));
    return {.rewrite = std::move(rewrite_), .left = std::nullopt};
  }

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }

  void leave(uint32_t line, std::string reason) {
    if (!left_)
      left_ = StagesLeft{line, std::move(reason)};
  }

  /// From which segments can an access to LDS be reached?
  std::vector<uint8_t> reaching() const {
    std::vector<uint8_t> reaches(segments_.size());
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (uint32_t s = 0; s < segments_.size(); ++s) {
        const Segment &segment = segments_[s];
        bool does = segment.isTurned ||
                    llvm::any_of(segment.next, [&](uint32_t next) { return reaches[next] != 0; });
        for (uint32_t i = segment.first; i < segment.last; ++i)
          does |= accessesLds(inst(i));
        isChanged |= does && !reaches[s];
        reaches[s] |= does;
      }
    }
    return reaches;
  }

  /// The copy stands in front of the first turn, which goes on with it; from the others it is
  /// jumped to.
  void insert() {
    for (size_t n = 0; n < staged_.turns.size(); ++n) {
      const uint32_t turn = staged_.turns[n];
      Code code;
      if (n == 0) {
        code = out_.take();
      } else {
        code += buildBranch(Op::s_branch, labelOfCopy(segmentAt(turn)));
        (code += newline_) += Code::label(labelOfTurn(segmentAt(turn)));
      }
      rewrite_.edits.push_back(lineBefore(module_, inst(turn), std::move(code)));
    }
  }
  /// That begins with a turn.
  uint32_t segmentAt(uint32_t turn) const {
    return static_cast<uint32_t>(
        llvm::find_if(segments_,
                      [&](const Segment &s) { return s.first == turn && s.last > turn; }) -
        segments_.begin());
  }
  /// Of the original, where the copy goes on with it.
  std::string labelOfTurn(uint32_t s) {
    std::string &name = newLabels_[s];
    for (unsigned n = 0; name.empty() || module_.labelTarget(name); ++n)
      name = fmt::format(".L{}_turn{}", module_.functions()[cfg_.functionIndex].name, s + n);
    return name;
  }

  /// What is copied, in text order from the first turn on, so that the last piece is the one in
  /// front of it: there the original goes on.
  void order() {
    const std::vector<uint8_t> reaches = reaching();
    const auto turned = static_cast<uint32_t>(
        llvm::find_if(segments_, [](const Segment &s) { return s.isTurned; }) - segments_.begin());
    std::vector<uint32_t> open;
    for (const uint32_t turn : staged_.turns) {
      open.push_back(segmentAt(turn));
      isCopied_.insert(open.back());
      if (turn != staged_.turns.front())
        isTarget_.insert(open.back());
    }
    while (!open.empty()) {
      const uint32_t s = open.back();
      open.pop_back();
      if (segments_[s].isTurned)
        continue;
      for (const uint32_t next : segments_[s].next)
        if (reaches[next] && isCopied_.insert(next).second)
          open.push_back(next);
    }
    for (uint32_t s = turned + 1; s < segments_.size(); ++s)
      if (isCopied_.contains(s))
        order_.push_back(s);
    for (uint32_t s = 0; s <= turned; ++s)
      if (isCopied_.contains(s))
        order_.push_back(s);
    for (const uint32_t s : order_)
      for (const uint32_t next : segments_[s].next)
        if (!segments_[s].isTurned && isCopied_.contains(next))
          isTarget_.insert(next);
  }

  void line(const Code &code) { out_.line(code); }

  /// Of a copied segment, or of the original's.
  std::string labelOfCopy(uint32_t s) {
    std::string &name = copyLabels_[s];
    if (name.empty()) {
      const auto old = labelOf(module_, cfg_.blocks[segments_[s].block]);
      const std::string base =
          old && old->starts_with(".L")
              ? *old
              : fmt::format(".L{}_{}", module_.functions()[cfg_.functionIndex].name, s);
      // isBufferLabel. A block may begin several segments.
      for (unsigned n = 1; name.empty() || module_.labelTarget(name) || !names_.insert(name).second;
           ++n)
        name = fmt::format("{}.buffer{}", base, n);
    }
    return name;
  }
  std::string labelOfOriginal(uint32_t s) {
    // Through what only jumps on.
    for (unsigned hops = 0; hops < segments_.size(); ++hops) {
      const Segment &segment = segments_[s];
      if (segment.last - segment.first != 1 || inst(segment.first).op != Op::s_branch)
        break;
      s = segment.next.front();
    }
    const Block &block = cfg_.blocks[segments_[s].block];
    if (const auto name = labelOf(module_, block))
      return *name;
    std::string &name = newLabels_[s];
    if (!name.empty())
      return name;
    for (unsigned n = 0; name.empty() || module_.labelTarget(name); ++n)
      name = fmt::format(".L{}_behind{}", module_.functions()[cfg_.functionIndex].name, s + n);
    const Instruction &first = inst(block.first);
    if (!takesLineBefore(module_, first))
      leave(first.line, "the loop is left to a place that cannot get a label");
    else
      rewrite_.edits.push_back(lineBefore(module_, first, Code::label(name)));
    return name;
  }
  std::string labelFor(uint32_t s) {
    return isCopied_.contains(s) ? labelOfCopy(s) : labelOfOriginal(s);
  }

  void copy(size_t place) {
    const uint32_t s = order_[place];
    const Segment &segment = segments_[s];
    if (const auto obstacle = obstacleToCopy(module_, cfg_.blocks[segment.block], Alignment::MayGo))
      return leave(obstacle->line, obstacle->reason);
    if (isTarget_.contains(s)) {
      out_.label(labelOfCopy(s));
    }
    const bool hasTerminator =
        segment.last > segment.first && inst(segment.last - 1).isTerminator();
    copyBody(segment.first, segment.last - (hasTerminator ? 1 : 0));
    const std::optional<uint32_t> next =
        place + 1 < order_.size() ? std::optional(order_[place + 1]) : std::nullopt;
    if (segment.isTurned) { // The original goes on; behind the last one it follows.
      if (next)
        line(buildBranch(Op::s_branch, labelOfTurn(s + 1)));
      return;
    }
    const Instruction *last = hasTerminator ? &inst(segment.last - 1) : nullptr;
    if (last && last->unit == Unit::End) {
      line(Code::copyOf(*last));
      return;
    }
    if (segment.next.size() == 2) {
      if (segment.next[1] == next) {
        line(buildBranch(last->op, labelFor(segment.next[0])));
      } else if (segment.next[0] == next) {
        line(buildBranch(inverseBranch(last->op), labelFor(segment.next[1])));
      } else {
        line(buildBranch(last->op, labelFor(segment.next[0])));
        line(buildBranch(Op::s_branch, labelFor(segment.next[1])));
      }
      return;
    }
    if (segment.next.size() != 1)
      return leave(inst(cfg_.blocks[segment.block].first).line,
                   "a block of it is left by ways that "
                   "are not known");
    if (segment.next[0] != next)
      line(buildBranch(Op::s_branch, labelFor(segment.next[0])));
  }

  void copyBody(uint32_t first, uint32_t last) {
    const auto leaveOut = [&](uint32_t i) { return llvm::is_contained(gone_, i); };
    LdsShiftOutcome copied =
        shiftLds(module_, first, last,
                 {.distance = rewrite_.distance, .leaveOut = leaveOut, .instead = [&](uint32_t i) {
                    return hasHazard(inst(i)) ? std::optional(takenApart(i)) : std::nullopt;
                  }});
    if (copied.left)
      return leave(copied.left->line, std::move(copied.left->reason));
    for (const Code &code : copied.shift->lines)
      line(code);
    rewrite_.instructions += copied.shift->instructions;
    rewrite_.bytes += copied.shift->bytes;
    rewrite_.offsets += copied.shift->offsets;
    rewrite_.additions += copied.shift->additions;
  }

  /// A pair with a parity hazard, which is not copied.
  Code takenApart(uint32_t i) {
    auto code = copyWithoutHazard(module_, inst(i));
    if (!code)
      leave(inst(i).line, std::string(kHazardStays));
    constexpr unsigned bytesOfHalf = 4;
    rewrite_.instructions += 2;
    rewrite_.bytes += inst(i).sizeBytes + bytesOfHalf;
    ++rewrite_.takenApart;
    return code.value_or(Code());
  }

  const Module &module_;
  const Cfg &cfg_;
  const StagedLoop &staged_;
  const std::vector<uint32_t> gone_;
  const std::vector<Segment> segments_;
  const std::string_view newline_;
  std::set<uint32_t> isCopied_, isTarget_;
  std::vector<uint32_t> order_;
  std::map<uint32_t, std::string> copyLabels_, newLabels_;
  std::set<std::string> names_; ///< Of copies.
  CodeLines out_;
  SecondBuffer rewrite_;
  std::optional<StagesLeft> left_;
};

} // namespace

SecondBufferOutcome addBuffer(const Module &module, const Cfg &cfg, const StagedLoop &staged,
                              uint32_t ldsBytes) {
  return Copier(module, cfg, staged, ldsBytes).run();
}

} // namespace rdna
