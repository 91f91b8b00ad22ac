// What keeps a region's nodes in order.
#include "Transform/RegionBuilder.h"

#include "Analysis/LoadWait.h"

#include <map>

namespace rdna {

/// Says something about when, not about what: it keeps its place among the operations around it,
/// but they may pass it. An s_nop in front of a message (or of what another block begins with) may
/// be there for the message.
bool RegionBuilder::isTimingHint(uint32_t i) const {
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
void RegionBuilder::linkNodes() {
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
void RegionBuilder::linkOrder(std::vector<std::set<uint32_t>> &preds) const {
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

} // namespace rdna
