#include "Analysis/Cfg.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace rdna {

bool Loop::contains(uint32_t block) const {
  return std::binary_search(blocks.begin(), blocks.end(), block);
}

uint32_t Cfg::blockOf(uint32_t instruction) const { return blockOf_[instruction - first_]; }

std::optional<uint32_t> Cfg::loopOf(uint32_t block) const { return loopOf_[block]; }

bool Cfg::dominates(uint32_t a, uint32_t b) const {
  return dominated_[a].first <= dominated_[b].first && dominated_[b].second <= dominated_[a].second;
}

namespace {

enum class Flow { FallThrough, Conditional, Jump, Return, Call, Indirect };

Flow flowOf(const Module &module, const Function &function, const Instruction &inst) {
  if (inst.unit == Unit::End)
    return Flow::Return;
  if (inst.unit != Unit::Branch)
    return Flow::FallThrough;
  switch (inst.op) {
  case Op::s_swappc_b64:
  case Op::s_call_b64:
    return Flow::Call;
  case Op::s_setpc_b64:
    if (inst.isJump())
      return Flow::Jump;
    // Compilers return from device functions so.
    return function.isKernel() ? Flow::Indirect : Flow::Return;
  case Op::s_branch:
    return module.branchTarget(inst).empty() ? Flow::Indirect : Flow::Jump;
  default:
    return module.branchTarget(inst).empty() ? Flow::Indirect : Flow::Conditional;
  }
}

} // namespace

static void computeDominators(Cfg &cfg) {
  // Reverse post-order, then Cooper, Harvey and Kennedy's iteration.
  std::vector<uint32_t> order;
  std::vector<uint8_t> state(cfg.blocks.size(), 0);
  std::vector<std::pair<uint32_t, size_t>> stack;
  stack.emplace_back(0, 0);
  state[0] = 1;
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    if (next < cfg.blocks[block].successors.size()) {
      const uint32_t successor = cfg.blocks[block].successors[next++];
      if (!state[successor]) {
        state[successor] = 1;
        stack.emplace_back(successor, 0);
      }
    } else {
      order.push_back(block);
      stack.pop_back();
    }
  }
  std::reverse(order.begin(), order.end());
  constexpr uint32_t kNone = ~0u;
  std::vector<uint32_t> position(cfg.blocks.size(), kNone), dominator(cfg.blocks.size(), kNone);
  for (uint32_t i = 0; i < order.size(); ++i) {
    position[order[i]] = i;
    cfg.blocks[order[i]].reachable = true;
  }
  dominator[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const uint32_t block : order) {
      if (block == 0)
        continue;
      uint32_t best = kNone;
      for (const uint32_t pred : cfg.blocks[block].predecessors) {
        if (position[pred] == kNone || dominator[pred] == kNone)
          continue;
        if (best == kNone) {
          best = pred;
          continue;
        }
        uint32_t a = pred;
        while (a != best) {
          while (position[a] > position[best])
            a = dominator[a];
          while (position[best] > position[a])
            best = dominator[best];
        }
      }
      if (dominator[block] != best) {
        dominator[block] = best;
        changed = true;
      }
    }
  }
  for (uint32_t block = 0; block < cfg.blocks.size(); ++block)
    cfg.blocks[block].immediateDominator = dominator[block] == kNone ? 0 : dominator[block];
}

std::vector<std::optional<uint32_t>> immediatePostDominators(const Cfg &cfg) {
  // Dominators of the reversed graph, in which block 0 stands for the end.
  Cfg reversed;
  reversed.blocks.resize(cfg.blocks.size() + 1);
  const auto addEdge = [&](uint32_t from, uint32_t to) {
    reversed.blocks[from].successors.push_back(to);
    reversed.blocks[to].predecessors.push_back(from);
  };
  for (uint32_t block = 0; block < cfg.blocks.size(); ++block) {
    for (const uint32_t successor : cfg.blocks[block].successors)
      addEdge(successor + 1, block + 1);
    if (cfg.blocks[block].successors.empty())
      addEdge(0, block + 1);
  }
  computeDominators(reversed);
  std::vector<std::optional<uint32_t>> result(cfg.blocks.size());
  for (uint32_t block = 0; block < cfg.blocks.size(); ++block)
    if (const uint32_t next = reversed.blocks[block + 1].immediateDominator; next != 0)
      result[block] = next - 1;
  return result;
}

/// Numbers the dominator tree so that dominance is a comparison of intervals: walking up the tree
/// instead is quadratic in the length of a chain of blocks.
static std::vector<std::pair<uint32_t, uint32_t>> dominatorIntervals(const Cfg &cfg) {
  std::vector<std::vector<uint32_t>> children(cfg.blocks.size());
  for (uint32_t block = 1; block < cfg.blocks.size(); ++block)
    children[cfg.blocks[block].immediateDominator].push_back(block);
  std::vector<std::pair<uint32_t, uint32_t>> interval(cfg.blocks.size());
  std::vector<std::pair<uint32_t, size_t>> stack{{0, 0}};
  uint32_t time = 0;
  interval[0].first = time++;
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    if (next < children[block].size()) {
      const uint32_t child = children[block][next++];
      interval[child].first = time++;
      stack.emplace_back(child, 0);
    } else {
      interval[block].second = time++;
      stack.pop_back();
    }
  }
  return interval;
}

/// The name under which a loop is known: the label that a branch to the header names, from inside
/// the loop if there is one. Debug information and the compiler's temporaries may put more labels
/// in front of the same instruction. Without any branch (the loop is closed by falling through) it
/// is the first label there.
static std::string headerLabel(const Module &module, const Cfg &cfg, uint32_t header) {
  const uint32_t first = cfg.blocks[header].first;
  std::string_view fromOutside;
  for (const uint32_t pred : cfg.blocks[header].predecessors) {
    const Instruction &last = module.instructions()[cfg.blocks[pred].last - 1];
    const std::string_view target = module.branchTarget(last);
    if (target.empty() || module.labelTarget(target) != first)
      continue;
    if (cfg.dominates(header, pred))
      return std::string(target);
    fromOutside = target;
  }
  if (!fromOutside.empty())
    return std::string(fromOutside);
  // Labels are in text order.
  const auto label = std::partition_point(module.labels().begin(), module.labels().end(),
                                          [&](const Label &l) { return l.instruction < first; });
  return label != module.labels().end() && label->instruction == first ? label->name
                                                                       : std::string();
}

/// Fills cfg.loops, and the innermost loop of each block.
static void findLoops(const Module &module, Cfg &cfg,
                      std::vector<std::optional<uint32_t>> &loopOf) {
  std::map<uint32_t, std::set<uint32_t>> bodies; // header -> blocks
  for (uint32_t block = 0; block < cfg.blocks.size(); ++block) {
    if (!cfg.blocks[block].reachable)
      continue;
    for (const uint32_t header : cfg.blocks[block].successors) {
      if (!cfg.dominates(header, block))
        continue;
      std::set<uint32_t> &body = bodies[header];
      body.insert(header);
      std::vector<uint32_t> work{block};
      while (!work.empty()) {
        const uint32_t at = work.back();
        work.pop_back();
        if (!body.insert(at).second)
          continue;
        for (const uint32_t pred : cfg.blocks[at].predecessors)
          if (cfg.blocks[pred].reachable)
            work.push_back(pred);
      }
    }
  }
  for (auto &[header, body] : bodies) {
    Loop loop;
    loop.header = header;
    loop.blocks.assign(body.begin(), body.end());
    loop.label = headerLabel(module, cfg, header);
    cfg.loops.push_back(std::move(loop));
  }
  // An outer loop strictly contains its inner ones, so more blocks come first.
  std::stable_sort(cfg.loops.begin(), cfg.loops.end(),
                   [](const Loop &a, const Loop &b) { return a.blocks.size() > b.blocks.size(); });
  for (uint32_t i = 0; i < cfg.loops.size(); ++i) {
    cfg.loops[i].parent = loopOf[cfg.loops[i].header]; // the smallest larger one
    for (const uint32_t block : cfg.loops[i].blocks)
      loopOf[block] = i;
  }
  for (uint32_t i = 0; i < cfg.loops.size(); ++i)
    if (const auto parent = cfg.loops[i].parent) {
      cfg.loops[i].depth = cfg.loops[*parent].depth + 1;
      cfg.loops[*parent].children.push_back(i);
    }
}

Cfg buildCfg(const Module &module, uint32_t functionIndex) {
  const Function &function = module.functions()[functionIndex];
  Cfg cfg;
  cfg.functionIndex = functionIndex;
  cfg.enteredAt = function.enteredAt;
  cfg.first_ = function.first;
  std::set<uint32_t> starts{function.first};
  const auto inside = [&](uint32_t i) { return i >= function.first && i < function.last; };
  for (uint32_t i = function.first; i < function.last; ++i) {
    const Instruction &inst = module.instructions()[i];
    const Flow flow = flowOf(module, function, inst);
    if (flow == Flow::Call)
      cfg.calls.push_back(i);
    if (flow == Flow::FallThrough || flow == Flow::Call)
      continue;
    if (i + 1 < function.last)
      starts.insert(i + 1);
    if (flow == Flow::Indirect && !cfg.indirectJump)
      cfg.indirectJump = i;
    if (flow == Flow::Jump || flow == Flow::Conditional) {
      const auto target = module.labelTarget(module.branchTarget(inst));
      if (target && inside(*target))
        starts.insert(*target);
      else if (!cfg.indirectJump)
        cfg.indirectJump = i; // leaves the function, or goes to label arithmetic
    }
  }
  cfg.blockOf_.resize(function.last - function.first);
  for (auto it = starts.begin(); it != starts.end() && function.first < function.last; ++it) {
    Block block;
    block.first = *it;
    block.last = std::next(it) == starts.end() ? function.last : *std::next(it);
    for (uint32_t i = block.first; i < block.last; ++i)
      cfg.blockOf_[i - function.first] = static_cast<uint32_t>(cfg.blocks.size());
    cfg.blocks.push_back(block);
  }
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    const Instruction &last = module.instructions()[cfg.blocks[b].last - 1];
    const Flow flow = flowOf(module, function, last);
    const auto link = [&](uint32_t to) {
      auto &successors = cfg.blocks[b].successors;
      if (std::find(successors.begin(), successors.end(), to) == successors.end()) {
        successors.push_back(to);
        cfg.blocks[to].predecessors.push_back(b);
      }
    };
    if (flow == Flow::Jump || flow == Flow::Conditional) {
      const auto target = module.labelTarget(module.branchTarget(last));
      if (target && inside(*target))
        link(cfg.blockOf(*target));
    }
    const bool falls = flow == Flow::FallThrough || flow == Flow::Conditional || flow == Flow::Call;
    if (falls && b + 1 < cfg.blocks.size())
      link(b + 1);
  }
  cfg.loopOf_.resize(cfg.blocks.size());
  if (cfg.blocks.empty())
    return cfg;
  computeDominators(cfg);
  cfg.dominated_ = dominatorIntervals(cfg);
  findLoops(module, cfg, cfg.loopOf_);
  return cfg;
}

bool goesWithoutLane(const Module &module, const Cfg &cfg, uint32_t block, uint32_t successor) {
  const Instruction &last = module.instructions()[cfg.blocks[block].last - 1];
  const bool ifEmpty = last.op == Op::s_cbranch_execz;
  if (!ifEmpty && last.op != Op::s_cbranch_execnz)
    return false;
  const bool isTarget =
      module.labelTarget(module.branchTarget(last)) == cfg.blocks[successor].first;
  const bool isNext = cfg.blocks[block].last == cfg.blocks[successor].first;
  return isTarget != isNext && isTarget == ifEmpty;
}

std::string howEntered(const Module &module, uint32_t instruction) {
  for (const Label &label : module.labels())
    if (label.instruction == instruction && label.isTaken)
      return fmt::format("may be entered at label '{}' from elsewhere", label.name);
  return fmt::format("may be entered at line {} from elsewhere",
                     module.instructions()[instruction].line);
}

std::vector<uint32_t> loopInstructions(const Cfg &cfg, const Loop &loop) {
  std::vector<uint32_t> result;
  for (const uint32_t block : loop.blocks)
    for (uint32_t i = cfg.blocks[block].first; i < cfg.blocks[block].last; ++i)
      result.push_back(i);
  return result;
}

} // namespace rdna
