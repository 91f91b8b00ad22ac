#include "Code/Build.h"
#include "Code/Change.h"
#include "Transform/Emitter.h"
#include "Transform/Hints.h"
#include "Transform/Lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace rdna {

std::optional<LeftAlone> Emitter::readTrivia() {
  const std::string_view text = module_.text();
  trivia_.resize(block_.last - block_.first);
  for (uint32_t i = block_.first; i < block_.last; ++i) {
    const Instruction &instruction = inst(i);
    Trivia &trivia = trivia_[i - block_.first];
    const uint32_t lineStart = module_.lineBegin(instruction.line);
    const std::string_view before = text.substr(lineStart, instruction.begin - lineStart);
    if (before.find_first_not_of(" \t") != std::string_view::npos && i > block_.first)
      return LeftAlone{instruction.line, "text stands before an instruction on its line"};
    trivia.indent = before.find_first_not_of(" \t") == std::string_view::npos ? std::string(before)
                                                                              : std::string("\t");
    const uint32_t lineEnd = module_.lineBegin(nextLine(module_, instruction.line));
    std::string_view after =
        text.substr(instruction.end, lineEnd - std::min(lineEnd, instruction.end));
    while (!after.empty() && (after.back() == '\n' || after.back() == '\r' || after.back() == ' ' ||
                              after.back() == '\t'))
      after.remove_suffix(1);
    const size_t comment = after.find_first_not_of(" \t");
    if (comment != std::string_view::npos)
      trivia.trailing = std::string(after);
    if (i == block_.first)
      continue; // what stands before the block stays there
    for (uint32_t l = nextLine(module_, inst(i - 1).line), next; l < instruction.line; l = next) {
      next = nextLine(module_, l);
      const LineKind kind = lineKind(wholeLine(module_, l));
      if (kind == LineKind::Directive)
        return LeftAlone{l, fmt::format("{} stands between the instructions of the block",
                                        whatStands(module_.lineText(l)))};
      (kind == LineKind::Label ? trivia.labels : trivia.leading) +=
          Code::original(module_.lineBegin(l), module_.lineBegin(next));
    }
  }
  return std::nullopt;
}

/// Each instruction's surroundings are written once, with the first of its parts.
void Emitter::line(const Code &code, Trivia *trivia, const Instruction *member) {
  if (trivia)
    out_ += std::exchange(trivia->leading, {});
  const bool inClause = member && clauseMembers_.count(member->index) != 0;
  if (!inClause || clause_.unit != member->unit || clause_.effect != member->memory ||
      clause_.length == kLongestClause)
    closeClause();
  if (inClause && clause_.length++ == 0) {
    clause_.at = out_.pieces().size();
    clause_.unit = member->unit;
    clause_.effect = member->memory;
  }
  out_ += trivia ? std::string_view(trivia->indent) : "\t";
  out_ += code;
  if (trivia)
    out_ += std::exchange(trivia->trailing, {});
  out_ += newline_;
}

/// Instructions that a clause held together are held together again as far as they still stand one
/// behind the other.
void Emitter::closeClause() {
  if (clause_.length > 1) {
    const Code clause = Code::layout("\t") + buildClause(clause_.length) + Code::layout(newline_);
    out_.pieces().insert(out_.pieces().begin() + std::ptrdiff_t(clause_.at),
                         clause.pieces().begin(), clause.pieces().end());
  }
  clause_ = {};
}

/// Debug information takes differences of labels, so they must not change places: each is written
/// when as many instructions have been written as stood before it.
void Emitter::flushLabels(size_t upTo) {
  for (; nextLabel_ < std::min(upTo, trivia_.size()); ++nextLabel_)
    out_ += trivia_[nextLabel_].labels;
}

void Emitter::waitFor(const WaitCounts &counts, Trivia *trivia) {
  if (!counts.any())
    return;
  line(buildWait(counts), trivia);
  if (counts.vm && (*counts.vm == 0 || !state_.hasSamples()))
    vm_.queue.wait(*counts.vm);
  if (counts.lgkm && (*counts.lgkm == 0 || !state_.hasScalarLoads()))
    lgkm_.queue.wait(*counts.lgkm);
  state_.wait(counts);
  drained_.add(counts);
}

void Emitter::issue(const Instruction &instruction, llvm::ArrayRef<RegRange> late) {
  state_.issue(instruction, late);
  const CounterEvents events = counterEvents(instruction);
  if (events[WaitClass::Vector] || events[WaitClass::Sampler])
    vm_.issue(instruction.index);
  if (events[WaitClass::Lds] || events[WaitClass::Scalar])
    lgkm_.issue(instruction.index);
}

/// What stands around a statement that is written no more, its comment in a line of its own.
Code Emitter::withoutStatement(Trivia &trivia) const {
  Code code = std::exchange(trivia.leading, {});
  const llvm::StringRef comment = llvm::StringRef(trivia.trailing).ltrim(" \t");
  if (!comment.empty())
    code += Code::layout((trivia.indent + comment + newline_).str());
  trivia.trailing.clear();
  return code;
}

/// The wait's counts in the new order; nothing if others have waited for all that it is there for.
void Emitter::emitOrderWait(const Node &node) {
  const OrderWait &order = region_.orderWaits.at(node.inst);
  const auto countOf = [&](const Counted &counted, bool before, bool inOrder) {
    int level = before ? 0 : OperationQueue::kNoLevel;
    for (const uint32_t covered : order.covered)
      if (const auto it = counted.numbers.find(covered); it != counted.numbers.end())
        level = std::max(level, it->second);
    std::optional<unsigned> count;
    if (level > counted.queue.level())
      count = inOrder ? counted.queue.countFor(level) : 0U;
    return count;
  };
  WaitCounts counts;
  counts.vm = countOf(vm_, order.vmBefore, !state_.hasSamples());
  counts.lgkm = countOf(lgkm_, order.lgkmBefore, !state_.hasScalarLoads());
  Trivia &trivia = trivia_[node.inst - block_.first];
  if (counts.any())
    waitFor(counts, &trivia);
  else
    out_ += withoutStatement(trivia);
}

VopdHalf Emitter::half(uint32_t node, Slot::Sources sources) const {
  const WebOp &op = region_.nodes[node].op;
  VopdHalf result;
  result.op = op.lane.op;
  result.dst = reg(op.dst);
  result.src0 = op.lane.src0;
  result.src1 = op.lane.src1;
  result.constant = op.lane.constant;
  if (op.src0 != kNoWeb)
    result.src0.value = reg(op.src0).number;
  if (op.src1 != kNoWeb)
    result.src1.value = reg(op.src1).number;
  if (sources == Slot::Sources::Swapped) {
    std::swap(result.src0, result.src1);
    if (swapKind(result.op) == Swap::OtherOp)
      result.op = result.op == Op::v_sub_f32 ? Op::v_subrev_f32 : Op::v_sub_f32;
  }
  return result;
}

void Emitter::registersOf(const Node &node, llvm::SmallVectorImpl<RegRange> &reads,
                          llvm::SmallVectorImpl<RegRange> &writes) const {
  const Instruction &instruction = inst(node.inst);
  if (node.kind == Node::Kind::Lane) {
    const WebOp &op = node.op;
    for (const WebId w : {op.src0, op.src1, op.addend})
      if (w != kNoWeb)
        reads.push_back({RegUnit::vgpr(reg(w).number), 1, Half::Whole});
    writes.push_back({RegUnit::vgpr(reg(op.dst).number), 1, Half::Whole});
  } else {
    for (const RegAccess &access : instruction.accesses) {
      if (!access.reg.first.isVgpr() || access.operand < 0)
        continue;
      for (unsigned d = 0; d < access.reg.dwords; ++d) {
        const RegRange range{
            RegUnit::vgpr(
                reg(region_.webAt(node.inst, static_cast<unsigned>(access.operand), d)).number),
            1, Half::Whole};
        if (access.reads())
          reads.push_back(range);
        if (access.writes())
          writes.push_back(range);
      }
    }
  }
  for (const RegAccess &access : instruction.accesses) {
    if (access.reg.first.isVgpr())
      continue;
    if (access.reads())
      reads.push_back(access.reg);
    if (access.writes())
      writes.push_back(access.reg);
  }
}

/// A VALU that reads a transcendental result too early reads the old value (docs/hardware.md): at
/// most five VALUs and one transcendental between them need a wait for the VALU pipeline.
void Emitter::keepTransGap(llvm::ArrayRef<RegRange> reads, const Instruction *trans) {
  const auto hit =
      std::any_of(transResults_.begin(), transResults_.end(), [&](const TransResult &t) {
        return t.valu <= 5 && t.trans <= 1 &&
               std::any_of(reads.begin(), reads.end(),
                           [&](const RegRange &r) { return r.overlaps(t.reg); });
      });
  if (hit) {
    line(buildVaVdstWait());
    transResults_.clear();
  }
  for (TransResult &t : transResults_) {
    ++t.valu;
    t.trans += trans != nullptr;
  }
}

void Emitter::emitLoad(const Node &node) {
  const Instruction &instruction = inst(node.inst);
  Trivia &trivia = trivia_[node.inst - block_.first];
  const Vgpr address = reg(region_.webAt(node.inst, 1, 0));
  const auto offsets = loadOffsets(instruction);
  const RegRange addressRange{RegUnit::vgpr(address.number), 1, Half::Whole};
  const auto load = [&](Vgpr first, unsigned dwords, const Code &code) {
    line(code, result_.loads == firstLoad_ ? &trivia : nullptr, &instruction);
    issue(instruction,
          RegRange{RegUnit::vgpr(first.number), static_cast<uint8_t>(dwords), Half::Whole});
    ++result_.loads;
  };
  firstLoad_ = result_.loads;
  unsigned at = 0;
  const auto index = static_cast<uint32_t>(&node - region_.nodes.data());
  for (const unsigned piece : loadPieces(instruction, code_.width.of(index))) {
    const Vgpr first = reg(region_.webAt(node.inst, 0, at));
    touch({RegRange{RegUnit::vgpr(first.number), static_cast<uint8_t>(piece), Half::Whole},
           addressRange});
    if (piece == offsets.size())
      load(first, piece,
           *renamed(module_, instruction, [&](const Operand &operand, int index, Vgpr old) {
             return reg(region_.webAt(node.inst, static_cast<unsigned>(index),
                                      old.number - operand.reg.first.asVgpr().number));
           }));
    else
      load(first, piece, buildDsLoad(first, piece, address, offsets[at]));
    at += piece;
  }
}

std::optional<LeftAlone> Emitter::emitOther(const Node &node) {
  const Instruction &instruction = inst(node.inst);
  if (region_.orderWaits.contains(node.inst)) {
    emitOrderWait(node);
    return std::nullopt;
  }
  Trivia &trivia = trivia_[node.inst - block_.first];
  llvm::SmallVector<RegRange, 8> reads, writes, all;
  registersOf(node, reads, writes);
  all.append(reads.begin(), reads.end());
  all.append(writes.begin(), writes.end());
  WaitCounts counts = state_.needed(all);
  const bool isCacheOperation = instruction.memory == MemoryEffect::None &&
                                (isVmem(instruction.unit) || instruction.unit == Unit::Smem);
  // Waits that order memory for others, not registers for us, stay in front of what they guard.
  if (instruction.unit == Unit::Barrier || instruction.unit == Unit::Message ||
      instruction.unit == Unit::Wait || instruction.unit == Unit::Other || isCacheOperation ||
      instruction.unit == Unit::End || instruction.memory == MemoryEffect::Store ||
      instruction.memory == MemoryEffect::Atomic ||
      instruction.memory == MemoryEffect::AtomicReturn)
    for (uint32_t i = node.inst; i-- > block_.first;) {
      const auto old = loadWait(inst(i));
      if (!old && inst(i).op != Op::s_delay_alu && inst(i).op != Op::s_clause)
        break;
      if (!old)
        continue;
      const auto tighten = [](std::optional<unsigned> &mine,
                              const std::optional<unsigned> &theirs) {
        if (theirs)
          mine = 0; // counts of the old order may mean less in the new one
      };
      if (instruction.unit == Unit::Barrier || instruction.unit == Unit::Message ||
          instruction.unit == Unit::Wait || instruction.unit == Unit::Other ||
          instruction.unit == Unit::End || isCacheOperation) {
        tighten(counts.vm, old->vm);
        tighten(counts.lgkm, old->lgkm);
      }
      if (old->exp)
        counts.exp = old->exp;
    }
  waitFor(counts);
  if (instruction.isValu())
    keepTransGap(reads, instruction.unit == Unit::Trans ? &instruction : nullptr);
  else if (isVmem(instruction.unit) || instruction.unit == Unit::Lds)
    transResults_.clear(); // they wait for the VALU pipeline themselves
  const auto code = renamed(module_, instruction, [&](const Operand &operand, int index, Vgpr old) {
    return reg(region_.webAt(node.inst, static_cast<unsigned>(index),
                             old.number - operand.reg.first.asVgpr().number));
  });
  if (!code)
    return LeftAlone{instruction.line, "an operand would lose its consecutive registers"};
  line(*code, &trivia, &instruction);
  if (instruction.unit == Unit::Trans)
    for (const RegRange &w : writes)
      if (w.first.isVgpr())
        transResults_.push_back({w, 0, 0, node.inst});
  llvm::SmallVector<RegRange, 4> late;
  if (!lateWrites(instruction).empty())
    late.append(writes.begin(), writes.end());
  issue(instruction, late);
  if (instruction.unit == Unit::Lds && instruction.memory == MemoryEffect::Load)
    ++result_.loads;
  return std::nullopt;
}

std::optional<LeftAlone> Emitter::emitSlot(const Slot &slot) {
  const Node &x = region_.nodes[slot.x];
  if (slot.kind == Slot::Kind::Other) {
    if (x.kind == Node::Kind::Load) {
      transResults_.clear();
      emitLoad(x);
      return std::nullopt;
    }
    return emitOther(x);
  }
  llvm::SmallVector<RegRange, 8> reads, writes, all;
  registersOf(x, reads, writes);
  if (slot.kind == Slot::Kind::Pair)
    registersOf(region_.nodes[slot.y], reads, writes);
  all.append(reads.begin(), reads.end());
  all.append(writes.begin(), writes.end());
  touch(all);
  keepTransGap(reads, nullptr);
  Trivia &trivia = trivia_[x.inst - block_.first];
  if (slot.kind == Slot::Kind::Single) {
    const Instruction &instruction = inst(x.inst);
    // Unchanged spelling where nothing changed.
    if (!instruction.isVopd()) {
      const auto code = renamed(module_, instruction, [&](const Operand &, int index, Vgpr) {
        return reg(region_.webAt(x.inst, static_cast<unsigned>(index), 0));
      });
      line(*code, &trivia);
    } else {
      LaneOp lane = x.op.lane;
      const VopdHalf h = half(slot.x, slot.xSources);
      lane.op = h.op;
      lane.dst = h.dst;
      lane.src0 = h.src0;
      lane.src1 = h.src1;
      if (lane.addend)
        lane.addend = h.dst;
      line(buildLane(lane), &trivia);
    }
    return std::nullopt;
  }
  const Node &y = region_.nodes[slot.y];
  const VopdHalf hx = half(slot.x, slot.xSources), hy = half(slot.y, slot.ySources);
  Trivia &other = trivia_[y.inst - block_.first];
  if (&other != &trivia) {
    out_ += std::exchange(other.leading, {});
    if (trivia.trailing.empty())
      trivia.trailing = std::exchange(other.trailing, {});
  }
  line(buildVopd(hx, hy), &trivia);
  return std::nullopt;
}

/// Code behind the block may read a transcendental's result. It is as far behind it as it was, or a
/// wait stands in between.
void Emitter::keepTransGapBehind() {
  const bool isCloser =
      std::any_of(transResults_.begin(), transResults_.end(), [&](const TransResult &t) {
        unsigned valus = 0;
        const bool isOwn = t.inst >= block_.first && t.inst < block_.last;
        for (uint32_t i = isOwn ? t.inst + 1 : block_.first; i < block_.last; ++i)
          valus += inst(i).isValu();
        return t.valu <= 5 && t.trans <= 1 && t.valu < valus;
      });
  if (!isCloser)
    return;
  line(buildVaVdstWait());
  transResults_.clear();
}

/// Code behind the block counts on its end state: whatever had arrived must have arrived.
void Emitter::finishWaits() {
  keepTransGapBehind();
  WaitState old = context_.waits[region_.block];
  old.startHere();
  Drained drained;
  for (uint32_t i = block_.first; i < block_.last; ++i) {
    old.step(inst(i));
    if (const auto counts = loadWait(inst(i)))
      drained.add(*counts);
  }
  std::array<uint16_t, kRegUnits> renamed{};
  for (uint16_t u = 0; u < kRegUnits; ++u)
    renamed[u] = u;
  WaitCounts counts = state_.neededToMatch(old, renamed);
  for (WebId w = 0; w < region_.webs.size(); ++w)
    if (region_.webs[w].scope == Web::Scope::Relocatable)
      renamed[region_.webs[w].home.number] = reg(w).number;
  const WaitCounts more = state_.neededToMatch(old, renamed);
  const auto tighten = [](std::optional<unsigned> &mine, const std::optional<unsigned> &theirs) {
    if (theirs)
      mine = std::min(mine.value_or(*theirs), *theirs);
  };
  tighten(counts.vm, more.vm);
  tighten(counts.lgkm, more.lgkm);
  // Scalar loads and image samples come back in any order, so only a wait for all of them says that
  // none from before the block is left.
  if (drained.lgkm && !drained_.lgkm)
    counts.lgkm = 0;
  if (drained.vm && !drained_.vm)
    counts.vm = 0;
  waitFor(counts);
}

/// Every line ends with a piece of its own.
static bool endsWithNewline(const Code &code, std::string_view newline) {
  const auto *last = code.empty() ? nullptr : std::get_if<Code::Layout>(&code.pieces().back());
  return last && last->text == newline;
}

std::optional<LeftAlone> Emitter::run() {
  if (auto left = readTrivia())
    return left;
  for (uint32_t i = block_.first; i < block_.last; ++i)
    if (inst(i).op == Op::s_clause && !inst(i).operands.empty())
      for (uint32_t m = 1; m <= clauseLength(inst(i)); ++m)
        clauseMembers_.insert(i + m);
  state_ = context_.waits[region_.block];
  state_.startHere();
  // What the original touches before it has waited for whoever called has come back.
  WaitState early = state_;
  for (uint32_t i = block_.first; i < block_.last && early.isOpen(); ++i) {
    if (const auto counts = loadWait(inst(i)))
      early.wait(*counts);
    else if (early.isOpen())
      state_.touch(inst(i));
    early.touch(inst(i));
  }
  // A transcendental at the end of a predecessor may still be in flight: assume every result of
  // the last few instructions of each one is.
  for (const uint32_t pred : context_.function.cfg.blocks[region_.block].predecessors) {
    unsigned valus = 0;
    for (uint32_t i = context_.function.cfg.blocks[pred].last;
         i-- > context_.function.cfg.blocks[pred].first && valus <= 5;) {
      valus += inst(i).isValu();
      if (inst(i).unit == Unit::Trans)
        for (const RegAccess &access : inst(i).accesses)
          if (access.writes() && access.reg.first.isVgpr() && pred != region_.block)
            transResults_.push_back({access.reg, 0, 0, i});
    }
  }
  if (region_.isLoopBody)
    for (const Node &node : region_.nodes)
      if (inst(node.inst).unit == Unit::Trans) {
        llvm::SmallVector<RegRange, 8> reads, writes;
        registersOf(node, reads, writes);
        for (const RegRange &w : writes)
          transResults_.push_back({w, 0, 0, node.inst});
      }
  const std::vector<Slot> &slots = code_.schedule.slots;
  // Comments and .loc of what is dropped (waits, clauses) go with the instruction behind it, or end
  // the block.
  Code atEnd;
  for (const uint32_t dropped : region_.dropped) {
    const Code before = withoutStatement(trivia_[dropped - block_.first]);
    if (dropped + 1 < block_.last) {
      Code &next = trivia_[dropped + 1 - block_.first].leading;
      next = before + next;
    } else {
      atEnd += before;
    }
  }
  for (size_t s = 0; s < slots.size(); ++s) {
    flushLabels(s * trivia_.size() / slots.size() + 1);
    const bool last = s + 1 == slots.size();
    if (last && slots[s].kind == Slot::Kind::Other &&
        inst(region_.nodes[slots[s].x].inst).isTerminator())
      finishWaits();
    if (auto left = emitSlot(slots[s]))
      return left;
  }
  flushLabels(trivia_.size());
  if (!inst(block_.last - 1).isTerminator())
    finishWaits();
  closeClause();
  out_ += atEnd;
  if (auto left = emitEdges())
    return left;
  // Replace from the first statement to the end of the last line.
  const Instruction &first = inst(block_.first), &final = inst(block_.last - 1);
  const uint32_t end = module_.lineBegin(nextLine(module_, final.line));
  uint32_t begin = module_.lineBegin(first.line);
  const std::string_view before = module_.text().substr(begin, first.begin - begin);
  if (before.find_first_not_of(" \t") != std::string_view::npos) {
    begin = first.begin; // a label on the same line stays
    out_ = Code::layout(newline_) + out_;
  }
  // The file had no final newline.
  if (end > 0 && module_.text()[end - 1] != '\n' && endsWithNewline(out_, newline_))
    out_.pieces().pop_back();
  result_.edits.push_back({begin, end, std::move(out_)});
  return std::nullopt;
}

std::optional<LeftAlone> emitRegion(const EmitContext &context, const RegionCode &code,
                                    EmitResult &result) {
  return Emitter(context, code, result).run();
}

} // namespace rdna
