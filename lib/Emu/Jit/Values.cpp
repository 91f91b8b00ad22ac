#include "Emu/Jit/Values.h"

#include <algorithm>
#include <bitset>
#include <numeric>

namespace rdna::emu::jit {
namespace {

class Analyser {
public:
  Analyser(const Block &block, unsigned iterations) : block_(block), iterations_(iterations) {
    current_.assign(vgprRows, -1);
  }

  DataFlow run() {
    for (unsigned iteration = 0; iteration < iterations_; ++iteration)
      for (const Operation &o : block_.operations)
        add(o, iteration);
    flow_.last = current_;
    defer();
    for (const Item &i : flow_.items)
      for (int32_t v : i.sources)
        ++flow_.versions[size_t(v)].uses;
    return std::move(flow_);
  }

private:
  int32_t fresh(unsigned vgpr, int32_t producer) {
    flow_.versions.push_back({uint16_t(vgpr), producer, producer < 0 ? memoryBorn_ : -1, 0});
    current_[vgpr] = int32_t(flow_.versions.size()) - 1;
    return current_[vgpr];
  }
  int32_t read(unsigned vgpr) { return current_[vgpr] >= 0 ? current_[vgpr] : fresh(vgpr, -1); }

  void add(const Operation &o, unsigned iteration) {
    Item item;
    item.operation = &o;
    item.iteration = iteration;
    auto number = int32_t(flow_.items.size());
    switch (o.step) {
    case Step::Vector:
      addVector(*o.inst, item, number);
      break;
    case Step::LdsLoad:
      addLdsLoad(*o.inst, item, number);
      break;
    case Step::Native:
      addNative(*o.inst, item, number);
      break;
    case Step::Scalar:
      break;
    case Step::Nothing:
    case Step::Branch:
    case Step::Stop:
      return;
    }
    flow_.items.push_back(std::move(item));
  }

  void addVector(const Inst &i, Item &item, int32_t number) {
    const OpInfo &op = *i.op;
    for (unsigned k = 0; k < 3; ++k)
      if (op.src[k] != LaneType::None && i.src[k].kind == SourceKind::Vgpr)
        for (unsigned r = 0; r < rowsOf(op.src[k]); ++r)
          item.sources.push_back(read(i.src[k].index + r));
    if (isHalf(op.dst))
      item.sources.push_back(read(i.dst));
    for (unsigned r = 0; r < rowsOf(op.dst); ++r)
      item.results.push_back(fresh(i.dst + r, number));
  }

  void addLdsLoad(const Inst &i, Item &item, int32_t number) {
    LdsShape shape = *ldsShape(i);
    item.sources.push_back(read(i.addr));
    for (unsigned r = 0; r < shape.dwords * shape.addresses; ++r)
      item.results.push_back(fresh(i.dst + r, number));
  }

  void addNative(const Inst &i, Item &item, int32_t number) {
    auto access = nativeAccess(i);
    std::vector<bool> read(vgprRows, !access), written(vgprRows, !access);
    auto mark = [](std::vector<bool> &set, const std::vector<VgprRange> &ranges) {
      for (VgprRange r : ranges)
        for (unsigned v = r.first; v < std::min<unsigned>(r.first + r.count, vgprRows); ++v)
          set[v] = true;
    };
    if (access) {
      mark(read, access->reads);
      mark(written, access->writes);
    }
    const int32_t before = memoryBorn_;
    memoryBorn_ = number;
    for (unsigned v = 0; v < vgprRows; ++v) {
      // What is written may be merged into, so it must be there as well.
      if ((read[v] || written[v]) && current_[v] >= 0)
        item.sources.push_back(current_[v]);
      if (!written[v])
        continue;
      if (current_[v] >= 0)
        item.lost.push_back(current_[v]);
      if (access)
        item.results.push_back(fresh(v, -1));
      else
        current_[v] = -1;
    }
    if (access) // Registers that are first read later have been there all the time.
      memoryBorn_ = before;
  }

  /// Everything that a step with effects of its own depends on stays in program order.
  void defer() {
    std::vector<Item> &items = flow_.items;
    for (Item &i : items)
      i.deferred = i.operation->step == Step::Vector && !i.operation->inst->op->writesMask;
    for (size_t n = items.size(); n-- > 0;) {
      if (items[n].deferred)
        continue;
      for (int32_t v : items[n].sources)
        if (int32_t p = flow_.versions[size_t(v)].producer; p >= 0)
          items[size_t(p)].deferred = false;
    }
  }

  const Block &block_;
  unsigned iterations_;
  DataFlow flow_;
  std::vector<int32_t> current_;
  int32_t memoryBorn_ = -1; ///< The last step that may have written any register.
};

} // namespace

DataFlow analyse(const Block &block, unsigned iterations) {
  return Analyser(block, iterations).run();
}

namespace {

using Chain = std::vector<uint32_t>;

/// Only so many chains at a time are looked at for the next one of a group: more than an outer
/// product has accumulators. Looking at all of them takes time with the third power of their
/// number, which in straight code is that of its operations.
constexpr size_t mostLookedAt = 128;

/// Chains in groups of `width` that share operands: of an outer product, its tiles. A group takes
/// chains whose operands it has; when there are none, the one whose new operands give it the most
/// chains.
std::vector<std::vector<size_t>> grouped(const DataFlow &flow, const std::vector<Chain> &chains,
                                         unsigned width) {
  using Registers = std::bitset<vgprRows>;
  std::vector<Registers> operands(chains.size());
  for (size_t c = 0; c < chains.size(); ++c) {
    const Item &first = flow.items[chains[c].front()];
    for (int32_t v : first.sources)
      operands[c].set(flow.versions[size_t(v)].vgpr);
    for (int32_t v : first.results)
      operands[c].reset(flow.versions[size_t(v)].vgpr);
  }
  std::vector<size_t> open(chains.size());
  std::iota(open.begin(), open.end(), size_t(0));
  std::vector<std::vector<size_t>> groups;
  Registers has;
  while (!open.empty()) {
    if (groups.empty() || groups.back().size() == width) {
      groups.emplace_back();
      has.reset();
    }
    const size_t lookedAt = std::min(open.size(), mostLookedAt);
    auto fits = [&](const Registers &given) {
      return std::count_if(open.begin(), open.begin() + ptrdiff_t(lookedAt),
                           [&](size_t c) { return (operands[c] & ~given).none(); });
    };
    // By gain for each new operand; the first in program order of several that are equal.
    size_t best = 0;
    double most = -1;
    for (size_t k = 0; k < lookedAt; ++k) {
      const size_t added = (operands[open[k]] & ~has).count();
      const double gain =
          added ? double(fits(has | operands[open[k]])) / double(added) : double(chains.size() + 1);
      if (gain > most) {
        most = gain;
        best = k;
      }
      if (!added || groups.back().empty())
        break;
    }
    has |= operands[open[best]];
    groups.back().push_back(open[best]);
    open.erase(open.begin() + ptrdiff_t(best));
  }
  return groups;
}

} // namespace

std::vector<Deferred> orderDeferred(const DataFlow &flow, unsigned width) {
  const std::vector<Item> &items = flow.items;
  // A chain is a sequence of items each of which takes the one before as its accumulator.
  std::vector<int32_t> chainOf(items.size(), -1);
  std::vector<Chain> chains;
  for (uint32_t n = 0; n < items.size(); ++n) {
    if (!items[n].deferred)
      continue;
    for (int32_t v : items[n].sources) {
      const Version &source = flow.versions[size_t(v)];
      bool accumulates =
          std::any_of(items[n].results.begin(), items[n].results.end(),
                      [&](int32_t r) { return flow.versions[size_t(r)].vgpr == source.vgpr; });
      if (accumulates && source.producer >= 0 && chainOf[size_t(source.producer)] >= 0)
        chainOf[n] = chainOf[size_t(source.producer)];
    }
    if (chainOf[n] < 0) {
      chainOf[n] = int32_t(chains.size());
      chains.emplace_back();
    }
    chains[size_t(chainOf[n])].push_back(n);
  }

  const std::vector<std::vector<size_t>> groups = grouped(flow, chains, width);
  std::vector<bool> done(items.size());
  auto ready = [&](uint32_t n) {
    return std::all_of(items[n].sources.begin(), items[n].sources.end(), [&](int32_t v) {
      int32_t p = flow.versions[size_t(v)].producer;
      return p < 0 || !items[size_t(p)].deferred || done[size_t(p)];
    });
  };
  std::vector<Deferred> order;
  std::vector<size_t> position(chains.size());
  // The first item in program order that is not done is always ready and first of its chain, so
  // every sweep over the groups makes progress.
  for (bool left = true; left;) {
    left = false;
    for (const std::vector<size_t> &group : groups) {
      for (bool progress = true; progress;) {
        progress = false;
        bool begins = true;
        for (size_t c : group) {
          size_t &at = position[c];
          if (at >= chains[c].size() || !ready(chains[c][at]))
            continue;
          done[chains[c][at]] = true;
          order.push_back({chains[c][at++], begins});
          begins = false;
          progress = true;
        }
      }
      for (size_t c : group)
        left = left || position[c] < chains[c].size();
    }
  }
  return order;
}

} // namespace rdna::emu::jit
