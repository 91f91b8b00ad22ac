// What keeps a region's nodes in order: values by web, scalars by register, the rules of
// Analysis/Dependence, and what code outside of the block counts on.
#include "Transform/RegionBuilder.h"

#include <map>

namespace rdna {

/// It keeps its place among the operations around it, but they may pass it. An s_nop in front of a
/// message (or of what another block begins with) may be there for the message.
bool RegionBuilder::isPassable(uint32_t i) const {
  return isTimingHint(inst(i)) &&
         (inst(i).op != Op::s_nop || (i + 1 < block_.last && inst(i + 1).unit != Unit::Message));
}

namespace {

/// Webs and scalar registers as values of the graph.
DependenceGraph::Value valueOf(WebId web) { return kRegUnits + web; }

} // namespace

/// What a node reads and writes of VGPRs.
void RegionBuilder::linkWebs(uint32_t n, DependenceGraph &graph) {
  const Node &node = region_.nodes[n];
  const auto read = [&](uint32_t reader, WebId web) {
    if (web != kNoWeb)
      graph.read(reader, valueOf(web));
  };
  const auto write = [&](WebId web) {
    if (web == kNoWeb)
      return;
    graph.write(n, valueOf(web));
    // Without a loop, two pinned webs may follow each other in one register.
    if (region_.webs[web].scope != Web::Scope::Pinned)
      return;
    const unsigned home = region_.webs[web].home.number;
    if (const auto it = pinnedAt_.find(home); it != pinnedAt_.end() && it->second != web)
      graph.replace(n, valueOf(it->second));
    pinnedAt_[home] = web;
  };
  if (node.kind == Node::Kind::Lane) {
    const auto isHalf = [&](uint32_t other) {
      return other < region_.nodes.size() && region_.nodes[other].inst == node.inst;
    };
    const auto readSources = [&](uint32_t reader) {
      const WebOp &op = region_.nodes[reader].op;
      for (const WebId w : {op.src0, op.src1, op.addend})
        read(reader, w);
    };
    // Both halves of a VOPD read before either writes: the second half's reads are entered together
    // with the first one's.
    if (n == 0 || !isHalf(n - 1))
      readSources(n);
    if (isHalf(n + 1))
      readSources(n + 1);
    write(node.op.dst);
    return;
  }
  const auto [begin, end] = std::equal_range(
      region_.operandWebs.begin(), region_.operandWebs.end(), OperandWeb{node.inst, 0, 0, 0},
      [](const OperandWeb &a, const OperandWeb &b) { return a.inst < b.inst; });
  const auto isResult = [&](const OperandWeb &entry) {
    return inst(node.inst).operands[entry.operand].cls == Operand::Class::Def;
  };
  for (auto entry = begin; entry != end; ++entry)
    if (!isResult(*entry))
      read(n, entry->web);
  for (auto entry = begin; entry != end; ++entry)
    if (isResult(*entry)) {
      read(n, entry->web); // It may keep something of it.
      write(entry->web);
    }
}

void RegionBuilder::linkNodes() {
  const auto count = static_cast<uint32_t>(region_.nodes.size());
  DependenceGraph graph(count);
  for (WebId w = 0; w < region_.webs.size(); ++w)
    if (region_.webs[w].scope == Web::Scope::Pinned && region_.webs[w].liveIn)
      pinnedAt_[region_.webs[w].home.number] = w;
  for (uint32_t n = 0; n < count; ++n) {
    const Instruction &instruction = inst(region_.nodes[n].inst);
    linkWebs(n, graph);
    for (const RegAccess &access : instruction.accesses)
      for (unsigned d = 0; !access.reg.first.isVgpr() && d < access.reg.dwords; ++d) {
        if (access.reads())
          graph.read(n, access.reg.first.index + d);
        if (access.writes())
          graph.write(n, access.reg.first.index + d);
      }
    graph.access(n, instruction);
    if (isSchedulingBarrier(instruction) || isMemoryFence(instruction) ||
        (isTimingHint(instruction) && !isPassable(region_.nodes[n].inst)))
      graph.barrier(n);
    else
      graph.add(n);
  }
  linkOrder(graph);
  // VMEM and SMEM keep their order among themselves, so that counts outside the block stay true.
  std::optional<uint32_t> lastVmem, lastSmem, lastHint;
  const auto follow = [&](std::optional<uint32_t> &last, uint32_t n) {
    if (last)
      graph.order(*last, n);
    last = n;
  };
  for (uint32_t n = 0; n < count; ++n) {
    const Unit unit = inst(region_.nodes[n].inst).unit;
    if (isPassable(region_.nodes[n].inst))
      follow(lastHint, n);
    if (isVmem(unit))
      follow(lastVmem, n);
    else if (unit == Unit::Smem)
      follow(lastSmem, n);
  }
  for (uint32_t n = 0; n < count; ++n) {
    region_.nodes[n].preds.assign(graph.before()[n].begin(), graph.before()[n].end());
    for (const uint32_t p : graph.before()[n])
      region_.nodes[p].succs.push_back(n);
  }
}

/// Waits that order memory, and loads of one queue that may be acquires.
void RegionBuilder::linkOrder(DependenceGraph &graph) const {
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
        graph.order(nodeOf.at(covered), n);
      if (lastWait)
        graph.order(*lastWait, n);
      lastWait = n;
      (wait->second.orders == OrderWait::Orders::Accesses ? forAccesses : forStores) = n;
      continue;
    }
    if (!isSharedAccess(instruction))
      continue;
    if (forAccesses)
      graph.order(*forAccesses, n);
    if (forStores && instruction.memory != MemoryEffect::Load)
      graph.order(*forStores, n);
    // Vector memory keeps its order anyway.
    if (instruction.unit != Unit::Lds)
      continue;
    if (lastFlag)
      graph.order(*lastFlag, n);
    if (instruction.memory != MemoryEffect::Load || context_.memory.flags[i - first])
      lastFlag = n;
  }
}

} // namespace rdna
