// A block's values as webs: which are one, what scope each has, which tuples they form.
#include "Transform/RegionBuilder.h"

#include "Asm/LdsOffsets.h"
#include "Isa/OpTraits.h"
#include "Symbolic/Machine.h"

#include <map>
#include <numeric>

namespace rdna {

void RegionBuilder::assignWebs() {
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
        keeps |= addsToItself(instruction);
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

void RegionBuilder::finishWebs() {
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
VgprSet RegionBuilder::readUnderOtherMasks(const Loop &loop) const {
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
void RegionBuilder::pinCrossed() {
  const uint32_t first = context_.cfg.blocks.front().first;
  for (const OperandWeb &entry : region_.operandWebs) {
    const Instruction &instruction = inst(entry.inst);
    const bool hasLane = !context_.memory.mayBeEmpty[entry.inst - first];
    if (readsAllLanes(instruction) && !(instruction.op == Op::v_readfirstlane_b32 && hasLane))
      region_.webs[entry.web].scope = Web::Scope::Pinned;
  }
}

void RegionBuilder::classifyWebs() {
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
      web.scope = Web::Scope::Relocatable;
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
    if (web.scope == Web::Scope::Relocatable && crossing[web.home.number] > 1)
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

/// Tuple operands (a load's result, a store's data, a 64-bit address) want consecutive registers.
void RegionBuilder::groupWebs() {
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

} // namespace rdna
