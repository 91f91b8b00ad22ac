#include "Transform/RegionModel.h"

#include "Analysis/LoadWait.h"
#include "Asm/LdsOffsets.h"
#include "Isa/OpTraits.h"
#include "Symbolic/Machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

namespace rdna {

WebId RegionModel::webAt(uint32_t inst, unsigned operand, unsigned dword) const {
  const auto it = std::lower_bound(
      operandWebs.begin(), operandWebs.end(), std::tuple(inst, operand, dword),
      [](const OperandWeb &a, const auto &key) {
        return std::tuple<uint32_t, unsigned, unsigned>(a.inst, a.operand, a.dword) < key;
      });
  if (it == operandWebs.end() || it->inst != inst || it->operand != operand || it->dword != dword)
    return kNoWeb;
  return it->web;
}

//===----------------------------------------------------------------------===//
// Webs
//===----------------------------------------------------------------------===//

namespace {

/// Union-find over provisional webs.
struct Unions {
  std::vector<WebId> parent;
  WebId make() {
    parent.push_back(static_cast<WebId>(parent.size()));
    return parent.back();
  }
  WebId find(WebId w) {
    while (parent[w] != w)
      w = parent[w] = parent[parent[w]];
    return w;
  }
  void unite(WebId a, WebId b) {
    a = find(a);
    b = find(b);
    if (a != b)
      parent[std::max(a, b)] = std::min(a, b);
  }
};

class Builder {
public:
  Builder(const FunctionContext &context, uint32_t block, RegionModel &region)
      : context_(context), block_(context.cfg.blocks[block]), region_(region) {
    region_.block = block;
  }
  std::optional<LeftAlone> build();

private:
  const Instruction &inst(uint32_t i) const { return context_.module.instructions()[i]; }
  std::optional<LeftAlone> refuse(const Instruction &at, std::string reason) const {
    return LeftAlone{at.line, std::move(reason)};
  }
  void assignWebs();
  void finishWebs();
  VgprSet readUnderOtherMasks(const Loop &loop) const;
  void pinCrossed();
  void classifyWebs();
  void groupWebs();
  void makeNodes();
  void pinIdleWebs();
  void linkNodes();
  bool isTimingHint(uint32_t i) const;
  void linkOrder(std::vector<std::set<uint32_t>> &preds) const;

  const FunctionContext &context_;
  const Block &block_;
  RegionModel &region_;
  Unions unions_;
  std::vector<Vgpr> homes_;
  std::array<WebId, 256> liveInWeb_{};
  std::array<WebId, 256> current_{};
};

} // namespace

bool touchesUnnamedRegisters(Op op) {
  return opTraits(op).is(OpFlag::Relative) || op == Op::s_subvector_loop_begin ||
         op == Op::s_subvector_loop_end;
}

std::optional<uint32_t> whereUnnamedRegisters(const Module &module, const Function &function) {
  for (uint32_t i = function.first; i < function.last; ++i)
    if (touchesUnnamedRegisters(module.instructions()[i].op))
      return i;
  return std::nullopt;
}

void Builder::assignWebs() {
  liveInWeb_.fill(kNoWeb);
  current_.fill(kNoWeb);
  const auto make = [&](unsigned reg) {
    homes_.push_back(Vgpr{static_cast<uint8_t>(reg)});
    return unions_.make();
  };
  const auto reading = [&](unsigned reg) {
    if (current_[reg] == kNoWeb)
      current_[reg] = liveInWeb_[reg] = make(reg);
    return current_[reg];
  };
  std::vector<VgprSet> replaced(block_.last - block_.first);
  LiveWalk walk(context_.liveness, region_.block);
  for (uint32_t i = block_.last; i-- > block_.first;) {
    replaced[i - block_.first] = walk.replacedBy(inst(i));
    walk.stepOver(inst(i));
  }
  for (uint32_t i = block_.first; i < block_.last; ++i) {
    const Instruction &instruction = inst(i);
    std::array<WebId, 256> written{};
    written.fill(kNoWeb);
    // Reads first: the halves of a VOPD, like every instruction, read before they write.
    for (size_t o = 0; o < instruction.operands.size(); ++o) {
      const Operand &operand = instruction.operands[o];
      if (operand.cls == Operand::Class::Def || !operand.isReg() || !operand.reg.first.isVgpr())
        continue;
      for (unsigned d = 0; d < operand.reg.dwords; ++d)
        region_.operandWebs.push_back({i, static_cast<uint8_t>(o), static_cast<uint8_t>(d),
                                       reading(operand.reg.first.index + d)});
    }
    for (const RegAccess &access : instruction.accesses) {
      if (!access.writes() || access.operand < 0 || !access.reg.first.isVgpr())
        continue;
      const auto o = static_cast<uint8_t>(access.operand);
      for (unsigned d = 0; d < access.reg.dwords; ++d) {
        const unsigned reg = access.reg.first.index + d;
        bool keeps = access.access == Access::Partial || !replaced[i - block_.first].test(reg);
        for (const Operand &operand : instruction.operands)
          keeps |= operand.tiedTo == access.operand;
        // An FMA that adds to its own destination is an update as well: it becomes an FMAC.
        if (instruction.op == Op::v_fma_f32 && !instruction.isVopd() && isFmaFamily(instruction))
          keeps = true;
        const WebId web = keeps ? reading(reg) : make(reg);
        written[reg] = web;
        region_.operandWebs.push_back({i, o, static_cast<uint8_t>(d), web});
      }
    }
    for (unsigned reg = 0; reg < 256; ++reg)
      if (written[reg] != kNoWeb)
        current_[reg] = written[reg];
  }
  std::sort(region_.operandWebs.begin(), region_.operandWebs.end(),
            [](const OperandWeb &a, const OperandWeb &b) {
              return std::tuple(a.inst, a.operand, a.dword) <
                     std::tuple(b.inst, b.operand, b.dword);
            });
}

void Builder::finishWebs() {
  // Whoever is returned to may read any result and any register that was to be preserved.
  VgprSet out = context_.liveness.liveOut[region_.block];
  if (inst(block_.last - 1).isSetPc())
    out.set();
  const VgprSet &in = context_.liveness.liveIn[region_.block];
  // Around a loop the value that leaves in a register is the one that comes back in it.
  if (!region_.loops.empty())
    for (unsigned reg = 0; reg < 256; ++reg)
      if (out.test(reg) && current_[reg] != kNoWeb && liveInWeb_[reg] != kNoWeb)
        unions_.unite(current_[reg], liveInWeb_[reg]);
  std::map<WebId, WebId> compact;
  for (WebId w = 0; w < unions_.parent.size(); ++w)
    if (unions_.find(w) == w) {
      compact.emplace(w, static_cast<WebId>(region_.webs.size()));
      Web web;
      web.home = homes_[w];
      region_.webs.push_back(web);
    }
  const auto final = [&](WebId w) { return w == kNoWeb ? kNoWeb : compact.at(unions_.find(w)); };
  for (OperandWeb &entry : region_.operandWebs) {
    entry.web = final(entry.web);
  }
  for (unsigned reg = 0; reg < 256; ++reg) {
    liveInWeb_[reg] = final(liveInWeb_[reg]);
    current_[reg] = final(current_[reg]);
    if (liveInWeb_[reg] != kNoWeb)
      region_.webs[liveInWeb_[reg]].liveIn = true; // also a read of an undefined register
    if (out.test(reg) && current_[reg] != kNoWeb)
      region_.webs[current_[reg]].liveOut = true;
    if (in.test(reg) && out.test(reg) && current_[reg] == kNoWeb)
      region_.liveThrough.set(reg);
  }
}

/// Moves around a loop reach the lanes that are active there. Registers that are read under another
/// EXEC cannot be moved: all of them, if EXEC changes in the loop or at its borders.
VgprSet Builder::readUnderOtherMasks(const Loop &loop) const {
  const Cfg &cfg = context_.cfg;
  const Liveness &liveness = context_.liveness;
  const uint32_t epoch = liveness.epochOf(block_.first);
  const auto all = VgprSet().set();
  const auto changesExec = [&](uint32_t i) {
    return liveness.epochOf(i) != epoch || inst(i).writesUnit(kExecLo) ||
           inst(i).writesUnit(kExecHi);
  };
  VgprSet result;
  for (const uint32_t b : loop.blocks) {
    for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i)
      if (changesExec(i))
        return all;
    result |= liveness.liveOutByLanes[b].switchedOff();
    for (const uint32_t pred : cfg.blocks[b].predecessors)
      if (!loop.contains(pred) && changesExec(cfg.blocks[pred].last - 1))
        return all;
    for (const uint32_t successor : cfg.blocks[b].successors)
      if (!loop.contains(successor) && liveness.epochOf(cfg.blocks[successor].first) != epoch)
        return all;
  }
  return result;
}

/// Moves reach active lanes only, so what an instruction reads or writes in others stays at home.
void Builder::pinCrossed() {
  const uint32_t first = context_.cfg.blocks.front().first;
  for (const OperandWeb &entry : region_.operandWebs) {
    const Instruction &instruction = inst(entry.inst);
    const bool hasLane = !context_.memory.mayBeEmpty[entry.inst - first];
    if (readsAllLanes(instruction) && !(instruction.op == Op::v_readfirstlane_b32 && hasLane))
      region_.webs[entry.web].scope = Web::Scope::Pinned;
  }
}

void Builder::classifyWebs() {
  // A register that other instructions of a loop touch must hold its value at home there.
  const size_t levels = region_.loops.size();
  std::vector<VgprSet> touched(levels);
  for (size_t level = 0; level < levels; ++level) {
    const Loop &loop = context_.cfg.loops[region_.loops[level]];
    touched[level] = readUnderOtherMasks(loop);
    for (const uint32_t b : loop.blocks) {
      if (b == region_.block)
        continue;
      LiveWalk walk(context_.liveness, b);
      for (uint32_t i = context_.cfg.blocks[b].last; i-- > context_.cfg.blocks[b].first;) {
        touched[level] |= vgprWrites(inst(i)) | vgprReadsFor(inst(i), walk.live());
        walk.stepOver(inst(i));
      }
    }
  }
  pinCrossed();
  for (Web &web : region_.webs) {
    if (web.scope == Web::Scope::Pinned || (!web.liveIn && !web.liveOut))
      continue;
    web.scope = Web::Scope::Pinned;
    for (size_t level = 0; level < levels && !touched[level].test(web.home.number); ++level) {
      web.scope = Web::Scope::Movable;
      web.extent = static_cast<unsigned>(level);
    }
  }
  // Two webs that cross the border in one register (one comes in and dies, one leaves) cannot both
  // be moved by one entry of the border's correspondence.
  std::array<unsigned, 256> crossing{};
  for (const Web &web : region_.webs)
    if (web.scope != Web::Scope::Internal)
      ++crossing[web.home.number];
  for (Web &web : region_.webs)
    if (web.scope == Web::Scope::Movable && crossing[web.home.number] > 1)
      web.scope = Web::Scope::Pinned;
}

llvm::SmallVector<unsigned, 4> loadOffsets(const Instruction &inst) {
  llvm::SmallVector<unsigned, 4> offsets;
  if (inst.unit != Unit::Lds)
    return offsets;
  if (inst.value(OperandName::Gds) != 0)
    return offsets;
  const MemoryTraits &memory = opTraits(inst.op).memory;
  const LdsOffsets fields = ldsOffsets(inst);
  const unsigned dwords = memory.bytes / 4;
  if (memory.kind != MemoryKind::Load)
    return offsets;
  const auto run = [&](OperandName name) {
    for (unsigned d = 0; d < dwords; ++d)
      offsets.push_back(static_cast<unsigned>(inst.value(name)) * fields.unit + 4 * d);
  };
  if (fields.fields == 2) {
    run(OperandName::Offset0);
    run(OperandName::Offset1);
  } else if (fields.fields == 1 && dwords > 1 && inst.named(OperandName::Offset)) {
    run(OperandName::Offset);
  }
  // A narrower load takes 16 bits of offset.
  for (const unsigned offset : offsets)
    if (offset > 65535)
      return {};
  return offsets;
}

static bool isSplittableLoad(const Instruction &inst) { return !loadOffsets(inst).empty(); }

/// Tuple operands (a load's result, a store's data, a 64-bit address) want consecutive registers.
void Builder::groupWebs() {
  struct Link {
    WebId root;
    int offset;
  };
  std::vector<Link> links(region_.webs.size());
  for (WebId w = 0; w < links.size(); ++w)
    links[w] = {w, 0};
  const auto find = [&](WebId w) {
    int offset = 0;
    while (links[w].root != w) {
      offset += links[w].offset;
      w = links[w].root;
    }
    return Link{w, offset};
  };
  std::vector<uint8_t> broken(region_.webs.size(), 0);
  for (size_t e = 0; e + 1 < region_.operandWebs.size(); ++e) {
    const OperandWeb &a = region_.operandWebs[e], &b = region_.operandWebs[e + 1];
    if (a.inst != b.inst || a.operand != b.operand || b.dword != a.dword + 1)
      continue;
    if (a.operand == 0 && isSplittableLoad(inst(a.inst)))
      continue; // decided by the split, see Split.cpp
    const Link la = find(a.web), lb = find(b.web);
    if (la.root == lb.root) {
      broken[la.root] |= la.offset + 1 != lb.offset;
      continue;
    }
    links[lb.root] = {la.root, la.offset + 1 - lb.offset};
    broken[la.root] |= broken[lb.root];
  }
  std::map<WebId, std::vector<std::pair<int, WebId>>> members;
  for (WebId w = 0; w < links.size(); ++w) {
    const Link link = find(w);
    members[link.root].emplace_back(link.offset, w);
  }
  for (auto &[root, list] : members) {
    std::sort(list.begin(), list.end());
    bool distinct = true, internal = true;
    for (size_t i = 0; i + 1 < list.size(); ++i)
      distinct &= list[i].first != list[i + 1].first;
    for (const auto &[offset, web] : list)
      internal &= region_.webs[web].scope == Web::Scope::Internal;
    // Tuples that cross the border, or contradict each other, keep their registers.
    const bool pin = list.size() > 1 && (!internal || !distinct || broken[root]);
    for (const auto &[offset, web] : list) {
      Web &w = region_.webs[web];
      if (pin) {
        w.scope = Web::Scope::Pinned;
        w.group = region_.groups++;
        w.offset = 0;
      } else {
        w.group = region_.groups;
        w.offset = static_cast<unsigned>(offset - list.front().first);
      }
    }
    if (!pin)
      ++region_.groups;
  }
}

/// The compilers' fix for the transcendental hazard, `s_waitcnt_depctr` with only va_vdst = 0; it
/// is placed anew for the new order. Fields: facts sheet 2.1.
static bool isVdstWait(const Instruction &inst) {
  return inst.op == Op::s_waitcnt_depctr && !inst.operands.empty() &&
         inst.operands[0].kind == Operand::Kind::Immediate &&
         (inst.operands[0].imm & 0xff9f) == 0x0f9f;
}

void Builder::makeNodes() {
  unsigned rank = 0;
  for (uint32_t i = block_.first; i < block_.last; ++i) {
    const Instruction &instruction = inst(i);
    if ((loadWait(instruction) && !region_.orderWaits.contains(i)) ||
        instruction.op == Op::s_delay_alu || instruction.op == Op::s_clause ||
        isVdstWait(instruction)) {
      region_.dropped.push_back(i);
      continue;
    }
    const auto lanes = laneOps(instruction);
    const auto web = [&](unsigned operand) { return region_.webAt(i, operand, 0); };
    std::vector<WebOp> ops;
    if (instruction.isVopd() && lanes.size() == 2) {
      unsigned next = 2;
      for (unsigned half = 0; half < 2; ++half) {
        WebOp op;
        op.lane = lanes[half];
        op.dst = web(half);
        const bool move = op.lane.op == Op::v_mov_b32;
        if (op.lane.src0.isVgpr())
          op.src0 = web(next);
        const unsigned src1 = next + (op.lane.op == Op::v_fmamk_f32 ? 2 : 1);
        if (!move && op.lane.src1.isVgpr())
          op.src1 = web(src1);
        if (op.lane.addend)
          op.addend = web(next + 2);
        next += move ? 1 : (op.lane.addend || op.lane.constant) ? 3 : 2;
        ops.push_back(op);
      }
      // Each half updates what the other reads: only one instruction can do that.
      const auto reads = [](const WebOp &op, WebId w) { return op.src0 == w || op.src1 == w; };
      if (reads(ops[0], ops[1].dst) && reads(ops[1], ops[0].dst))
        ops.clear();
    } else if (lanes.size() == 1) {
      WebOp op;
      op.lane = lanes[0];
      std::vector<unsigned> sources;
      for (unsigned o = 0; o < instruction.operands.size(); ++o) {
        if (instruction.operands[o].cls == Operand::Class::Def)
          op.dst = web(o);
        if (instruction.operands[o].cls == Operand::Class::Source)
          sources.push_back(o);
      }
      const unsigned second = op.lane.op == Op::v_fmamk_f32 ? 2 : 1;
      if (op.lane.src0.isVgpr())
        op.src0 = web(sources[0]);
      if (op.lane.src1.isVgpr() && sources.size() > second)
        op.src1 = web(sources[second]);
      if (op.lane.addend)
        op.addend = web(sources[2]);
      if (op.lane.op != Op::v_mov_b32 && !op.lane.src1.isVgpr()) {
        // src1 must be a VGPR in a VOPD slot; exchange the sources if that helps.
        const Swap kind = swapKind(op.lane.op);
        if (kind != Swap::Never && op.lane.src0.isVgpr()) {
          std::swap(op.lane.src0, op.lane.src1);
          std::swap(op.src0, op.src1);
          if (kind == Swap::OtherOp)
            op.lane.op = op.lane.op == Op::v_sub_f32 ? Op::v_subrev_f32 : Op::v_sub_f32;
          ops.push_back(op);
        }
      } else {
        ops.push_back(op);
      }
      // A fused multiply-add that does not add to its own destination has no VOPD form.
      if (!ops.empty() && op.addend != kNoWeb && op.addend != op.dst)
        ops.clear();
    }
    if (ops.empty()) {
      Node node;
      node.inst = i;
      node.rank = rank;
      node.kind = isSplittableLoad(instruction) ? Node::Kind::Load : Node::Kind::Other;
      region_.nodes.push_back(node);
      continue;
    }
    for (const WebOp &op : ops) {
      Node node;
      node.kind = Node::Kind::Lane;
      node.inst = i;
      node.op = op;
      node.rank = rank++;
      region_.nodes.push_back(node);
      for (const WebId source : {op.src0, op.lane.op == Op::v_fmamk_f32 ? kNoWeb : op.src1})
        if (source != kNoWeb)
          ++region_.webs[source].factorUses;
    }
  }
}

/// A value that no operation of both slots touches gains nothing by moving: it stays at home.
void Builder::pinIdleWebs() {
  std::vector<uint8_t> wanted(region_.webs.size(), 0);
  for (const Node &node : region_.nodes)
    if (node.kind == Node::Kind::Lane && vopdOpcodeX(node.op.lane.op) >= 0)
      for (const WebId w : {node.op.dst, node.op.src0, node.op.src1, node.op.addend})
        if (w != kNoWeb)
          wanted[w] = 1;
  for (WebId w = 0; w < region_.webs.size(); ++w)
    if (!wanted[w] && region_.webs[w].scope == Web::Scope::Movable)
      region_.webs[w].scope = Web::Scope::Pinned;
}

/// Says something about when, not about what: it keeps its place among the operations around it,
/// but they may pass it. An s_nop in front of a message (or of what another block begins with) may
/// be there for the message.
bool Builder::isTimingHint(uint32_t i) const {
  switch (inst(i).op) {
  case Op::s_setprio:
  case Op::s_sleep:
  case Op::s_set_inst_prefetch_distance:
    return true;
  case Op::s_nop:
    return i + 1 < block_.last && inst(i + 1).unit != Unit::Message;
  default:
    return false;
  }
}

/// Orders the nodes: values by web, scalars by register, memory by space, and everything around
/// instructions that act on the whole wave.
void Builder::linkNodes() {
  struct History {
    std::vector<uint32_t> writers, readers; ///< Since the last write.
  };
  std::map<WebId, History> webs;
  std::map<RegUnit, History> scalars;
  std::map<unsigned, WebId> pinnedAt; // register -> pinned web last seen there
  std::vector<std::set<uint32_t>> preds(region_.nodes.size());
  std::array<std::vector<uint32_t>, 3> loads, stores; // LDS, vector memory, scratch
  std::vector<uint32_t> sinceFence;
  std::optional<uint32_t> fence;

  const auto read = [&](History &history, uint32_t node) {
    for (const uint32_t w : history.writers)
      preds[node].insert(w);
    history.readers.push_back(node);
  };
  const auto write = [&](History &history, uint32_t node) {
    for (const uint32_t r : history.readers)
      preds[node].insert(r);
    for (const uint32_t w : history.writers)
      preds[node].insert(w);
    history.readers.clear();
    history.writers.assign(1, node);
  };
  const auto webAccess = [&](uint32_t node, WebId web, Access access) {
    if (web == kNoWeb)
      return;
    if (access != Access::Write)
      read(webs[web], node);
    if (access == Access::Read)
      return;
    write(webs[web], node);
    // Without a loop, two pinned webs may follow each other in one register.
    if (region_.webs[web].scope == Web::Scope::Pinned) {
      const unsigned home = region_.webs[web].home.number;
      const auto it = pinnedAt.find(home);
      if (it != pinnedAt.end() && it->second != web)
        for (const auto &list : {webs[it->second].readers, webs[it->second].writers})
          preds[node].insert(list.begin(), list.end());
      pinnedAt[home] = web;
    }
  };
  for (WebId w = 0; w < region_.webs.size(); ++w)
    if (region_.webs[w].scope == Web::Scope::Pinned && region_.webs[w].liveIn)
      pinnedAt[region_.webs[w].home.number] = w;

  for (uint32_t n = 0; n < region_.nodes.size(); ++n) {
    Node &node = region_.nodes[n];
    const Instruction &instruction = inst(node.inst);
    const bool firstOfPair = n + 1 < region_.nodes.size() && node.kind == Node::Kind::Lane &&
                             region_.nodes[n + 1].inst == node.inst;
    const bool secondOfPair =
        n > 0 && node.kind == Node::Kind::Lane && region_.nodes[n - 1].inst == node.inst;
    if (fence)
      preds[n].insert(*fence);
    if (node.kind == Node::Kind::Lane) {
      const WebOp &op = node.op;
      // Both halves of a VOPD read before either writes: the second half's reads are entered
      // together with the first one's.
      if (!secondOfPair)
        for (const WebId w : {op.src0, op.src1, op.addend})
          webAccess(n, w, Access::Read);
      if (firstOfPair) {
        const WebOp &other = region_.nodes[n + 1].op;
        for (const WebId w : {other.src0, other.src1, other.addend})
          webAccess(n + 1, w, Access::Read);
      }
      webAccess(n, op.dst, Access::Write);
      preds[n].erase(n);
    } else {
      const auto [begin, end] = std::equal_range(
          region_.operandWebs.begin(), region_.operandWebs.end(), OperandWeb{node.inst, 0, 0, 0},
          [](const OperandWeb &a, const OperandWeb &b) { return a.inst < b.inst; });
      for (auto entry = begin; entry != end; ++entry)
        if (instruction.operands[entry->operand].cls != Operand::Class::Def)
          webAccess(n, entry->web, Access::Read);
      for (auto entry = begin; entry != end; ++entry)
        if (instruction.operands[entry->operand].cls == Operand::Class::Def)
          webAccess(n, entry->web, Access::Partial);
      preds[n].erase(n);
    }
    for (const RegAccess &access : instruction.accesses) {
      if (access.reg.first.isVgpr())
        continue;
      for (unsigned d = 0; d < access.reg.dwords; ++d) {
        History &history = scalars[RegUnit{static_cast<uint16_t>(access.reg.first.index + d)}];
        if (access.reads())
          read(history, n);
        if (access.writes())
          write(history, n);
      }
    }
    preds[n].erase(n);
    // Memory: loads may pass loads, nothing else passes a store of its space. FLAT is all spaces.
    if (instruction.memory != MemoryEffect::None) {
      const bool load = instruction.memory == MemoryEffect::Load;
      for (size_t space = 0; space < 3; ++space) {
        const bool mine =
            instruction.unit == Unit::Flat || (space == 0) == (instruction.unit == Unit::Lds);
        if (!mine ||
            (space == 2 && instruction.unit != Unit::Scratch && instruction.unit != Unit::Flat))
          continue;
        preds[n].insert(stores[space].begin(), stores[space].end());
        if (!load) {
          preds[n].insert(loads[space].begin(), loads[space].end());
          loads[space].clear();
          stores[space].assign(1, n);
        } else {
          loads[space].push_back(n);
        }
      }
    }
    // VMEM stays in its old order: code behind the block counts on it in its s_waitcnt.
    const bool isOrderWait = loadWait(instruction).has_value();
    const bool wholeWave =
        !isOrderWait &&
        (instruction.unit == Unit::Barrier || instruction.unit == Unit::Message ||
         instruction.unit == Unit::Wait || instruction.unit == Unit::Other ||
         (instruction.unit == Unit::Control && !isTimingHint(node.inst)) ||
         instruction.isTerminator() || instruction.op == Op::unknown ||
         instruction.writesUnit(kExecLo) || instruction.writesUnit(kExecHi) ||
         instruction.writesUnit(kMode) ||
         (instruction.memory == MemoryEffect::None &&
          (isVmem(instruction.unit) || instruction.unit == Unit::Smem)) ||
         instruction.op == Op::s_getpc_b64 || instruction.op == Op::s_getreg_b32 ||
         instruction.op == Op::s_setreg_b32 || instruction.op == Op::s_setreg_imm32_b32);
    if (wholeWave) {
      preds[n].insert(sinceFence.begin(), sinceFence.end());
      sinceFence.clear();
      fence = n;
    }
    sinceFence.push_back(n);
    preds[n].erase(n);
  }
  linkOrder(preds);
  // VMEM and SMEM keep their order among themselves, so that counts outside the block stay true.
  std::optional<uint32_t> lastVmem, lastSmem, lastHint;
  for (uint32_t n = 0; n < region_.nodes.size(); ++n) {
    const Unit unit = inst(region_.nodes[n].inst).unit;
    if (isTimingHint(region_.nodes[n].inst)) {
      if (lastHint)
        preds[n].insert(*lastHint);
      lastHint = n;
    }
    if (isVmem(unit)) {
      if (lastVmem)
        preds[n].insert(*lastVmem);
      lastVmem = n;
    } else if (unit == Unit::Smem) {
      if (lastSmem)
        preds[n].insert(*lastSmem);
      lastSmem = n;
    }
  }
  for (uint32_t n = 0; n < region_.nodes.size(); ++n) {
    region_.nodes[n].preds.assign(preds[n].begin(), preds[n].end());
    for (const uint32_t p : preds[n])
      region_.nodes[p].succs.push_back(n);
  }
}

/// Waits that order memory, and loads of one queue that may be acquires.
void Builder::linkOrder(std::vector<std::set<uint32_t>> &preds) const {
  const uint32_t first = context_.cfg.blocks.front().first;
  std::map<uint32_t, uint32_t> nodeOf; // The last of an instruction's.
  std::optional<uint32_t> lastWait, lastFlag;
  std::optional<uint32_t> forAccesses, forStores;
  for (uint32_t n = 0; n < region_.nodes.size(); ++n) {
    const uint32_t i = region_.nodes[n].inst;
    const Instruction &instruction = inst(i);
    nodeOf[i] = n;
    if (const auto wait = region_.orderWaits.find(i); wait != region_.orderWaits.end()) {
      for (const uint32_t covered : wait->second.covered)
        preds[n].insert(nodeOf.at(covered));
      if (lastWait)
        preds[n].insert(*lastWait);
      lastWait = n;
      (wait->second.orders == OrderWait::Orders::Accesses ? forAccesses : forStores) = n;
      continue;
    }
    if (!isSharedAccess(instruction))
      continue;
    if (forAccesses)
      preds[n].insert(*forAccesses);
    if (forStores && instruction.memory != MemoryEffect::Load)
      preds[n].insert(*forStores);
    // Vector memory keeps its order anyway.
    if (instruction.unit != Unit::Lds)
      continue;
    if (lastFlag)
      preds[n].insert(*lastFlag);
    if (instruction.memory != MemoryEffect::Load || context_.memory.flags[i - first])
      lastFlag = n;
  }
}

std::optional<LeftAlone> Builder::build() {
  for (auto loop = context_.cfg.loopOf(region_.block); loop;
       loop = context_.cfg.loops[*loop].parent)
    region_.loops.push_back(*loop);
  region_.isLoopBody =
      !region_.loops.empty() && context_.cfg.loops[region_.loops[0]].blocks.size() == 1;
  for (uint32_t i = block_.first; i < block_.last; ++i) {
    const Instruction &instruction = inst(i);
    if (instruction.origin == Instruction::Origin::Macro)
      return refuse(instruction, "the block holds instructions that a macro makes");
    if (instruction.op == Op::unknown)
      return refuse(instruction, "the block holds an instruction that is not in the op table");
    if (instruction.op == Op::s_swappc_b64 || instruction.op == Op::s_call_b64)
      return refuse(instruction, "the block calls a function");
    if (instruction.op == Op::s_getpc_b64)
      return refuse(instruction, "the block computes a code address");
    if (instruction.op == Op::v_swap_b32 || instruction.op == Op::v_swap_b16)
      return refuse(instruction, "the block swaps registers in place");
    if (instruction.unit == Unit::Wait && !loadWait(instruction) &&
        instruction.op != Op::s_waitcnt_vscnt && !isVdstWait(instruction))
      return refuse(instruction, fmt::format("the block waits with {}", opName(instruction.op)));
  }
  region_.orderWaits =
      orderWaits(context_.module, context_.cfg, region_.block, context_.memory, context_.plainSync);
  assignWebs();
  finishWebs();
  classifyWebs();
  groupWebs();
  makeNodes();
  pinIdleWebs();
  linkNodes();
  return std::nullopt;
}

std::optional<LeftAlone> buildRegion(const FunctionContext &context, uint32_t block,
                                     RegionModel &region) {
  return Builder(context, block, region).build();
}

} // namespace rdna
