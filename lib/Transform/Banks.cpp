#include "Transform/Banks.h"

#include "Support/Random.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace rdna {

llvm::SmallVector<unsigned, 4> loadPieces(const Instruction &load, LoadWidth width) {
  const auto offsets = loadOffsets(load);
  const auto dwords = static_cast<unsigned>(offsets.size());
  const unsigned limit = width == LoadWidth::Whole ? dwords : width == LoadWidth::Pairs ? 2 : 1;
  llvm::SmallVector<unsigned, 4> pieces;
  if (limit >= dwords) {
    pieces.push_back(dwords);
    return pieces;
  }
  for (unsigned at = 0; at < dwords;) {
    unsigned size = 1;
    while (size < limit && at + size < dwords && offsets[at + size] == offsets[at] + 4 * size)
      ++size;
    pieces.push_back(size);
    at += size;
  }
  return pieces;
}

Groups groupsOf(const RegionModel &region, const Module &module, const LoadWidths &width) {
  struct Link {
    WebId root;
    int offset;
  };
  std::vector<Link> links(region.webs.size());
  std::vector<WebId> first(region.groups, kNoWeb); // member with offset 0
  for (WebId w = 0; w < links.size(); ++w)
    if (region.webs[w].offset == 0 && first[region.webs[w].group] == kNoWeb)
      first[region.webs[w].group] = w;
  for (WebId w = 0; w < links.size(); ++w) {
    const WebId root = first[region.webs[w].group];
    links[w] = root == kNoWeb || root == w ? Link{w, 0}
                                           : Link{root, static_cast<int>(region.webs[w].offset)};
  }
  const auto find = [&](WebId w) {
    int offset = 0;
    while (links[w].root != w) {
      offset += links[w].offset;
      w = links[w].root;
    }
    return Link{w, offset};
  };
  Groups groups;
  for (uint32_t n = 0; n < region.nodes.size(); ++n) {
    const Node &node = region.nodes[n];
    if (node.kind != Node::Kind::Load)
      continue;
    unsigned at = 0;
    for (const unsigned piece : loadPieces(module.instructions()[node.inst], width.of(n))) {
      for (unsigned d = 1; d < piece; ++d) {
        const Link a = find(region.webAt(node.inst, 0, at + d - 1));
        const Link b = find(region.webAt(node.inst, 0, at + d));
        if (a.root == b.root)
          groups.consistent &= a.offset + 1 == b.offset;
        else
          links[b.root] = {a.root, a.offset + 1 - b.offset};
      }
      at += piece;
    }
  }
  std::vector<std::vector<std::pair<int, WebId>>> byRoot(region.webs.size());
  for (WebId w = 0; w < links.size(); ++w) {
    const Link link = find(w);
    byRoot[link.root].emplace_back(link.offset, w);
  }
  groups.group.resize(region.webs.size());
  groups.offset.resize(region.webs.size());
  for (auto &list : byRoot) {
    if (list.empty())
      continue;
    std::sort(list.begin(), list.end());
    std::vector<WebId> members;
    for (size_t i = 0; i < list.size(); ++i) {
      const auto [offset, web] = list[i];
      groups.consistent &= offset == list.front().first + static_cast<int>(i);
      groups.group[web] = static_cast<uint32_t>(groups.members.size());
      groups.offset[web] = static_cast<unsigned>(i);
      members.push_back(web);
      // A group is moved as a whole or not at all.
      groups.consistent &=
          list.size() == 1 || region.webs[web].scope == Web::Scope::Internal ||
          (region.webs[web].scope == Web::Scope::Pinned &&
           region.webs[web].home.number == region.webs[list[0].second].home.number + i);
    }
    const bool anyPinned = std::any_of(members.begin(), members.end(), [&](WebId w) {
      return region.webs[w].scope == Web::Scope::Pinned;
    });
    const bool allPinned = std::all_of(members.begin(), members.end(), [&](WebId w) {
      return region.webs[w].scope == Web::Scope::Pinned;
    });
    groups.consistent &= anyPinned == allPinned;
    groups.members.push_back(std::move(members));
  }
  return groups;
}

namespace {

/// The two colours' banks under one scheme, in the order in which values get them.
struct Scheme {
  LoadWidth width;
  std::array<std::array<int8_t, 2>, 2> banks;
};

/// What a factor is multiplied into. The steps of an unrolled loop are copies of each other: their
/// factors differ, but those that play one part go into the same accumulators. In small blocks
/// every factor is by itself.
std::vector<uint64_t> partsOf(const RegionModel &region) {
  std::vector<uint64_t> parts(region.webs.size());
  for (WebId w = 0; w < parts.size(); ++w)
    parts[w] = w;
  const auto lanes = std::count_if(region.nodes.begin(), region.nodes.end(),
                                   [](const Node &node) { return node.kind == Node::Kind::Lane; });
  if (lanes <= kSmallBlock)
    return parts;
  std::vector<uint64_t> sums(parts.size(), 0);
  for (const Node &node : region.nodes) {
    if (node.kind != Node::Kind::Lane || node.op.addend == kNoWeb)
      continue;
    const HalfPorts ports = portsOf(node.op, Slot::Sources::AsIs);
    for (const WebId w : {ports.src0, ports.src1})
      if (w != kNoWeb)
        sums[w] += Random(node.op.dst).next();
  }
  for (WebId w = 0; w < parts.size(); ++w)
    if (sums[w] != 0)
      parts[w] = sums[w];
  return parts;
}

/// 2-colouring of the operand graph by breadth-first search; an odd cycle leaves some edges within
/// one colour, which the search over banks may still repair.
std::vector<int> colourWebs(const RegionModel &region, const std::vector<uint64_t> &parts) {
  std::unordered_map<uint64_t, int> colourOf; // of a part
  std::vector<std::vector<WebId>> edges(region.webs.size());
  std::vector<WebId> order;
  std::vector<uint8_t> listed(region.webs.size(), 0);
  for (const Node &node : region.nodes) {
    if (node.kind != Node::Kind::Lane)
      continue;
    const HalfPorts ports = portsOf(node.op, Slot::Sources::AsIs);
    for (const WebId w : {ports.src0, ports.src1})
      if (w != kNoWeb && !listed[w]) {
        listed[w] = 1;
        order.push_back(w);
      }
    if (ports.src0 != kNoWeb && ports.src1 != kNoWeb && ports.src0 != ports.src1) {
      edges[ports.src0].push_back(ports.src1);
      edges[ports.src1].push_back(ports.src0);
    }
  }
  std::vector<int> colour(region.webs.size(), -1);
  for (const WebId start : order) {
    if (colour[start] >= 0)
      continue;
    const auto known = colourOf.find(parts[start]);
    colour[start] = known == colourOf.end() ? 0 : known->second;
    std::deque<WebId> queue{start};
    while (!queue.empty()) {
      const WebId at = queue.front();
      queue.pop_front();
      colourOf.emplace(parts[at], colour[at]);
      for (const WebId next : edges[at])
        if (colour[next] < 0) {
          colour[next] = 1 - colour[at];
          queue.push_back(next);
        }
    }
  }
  return colour;
}

bool hasSplittableLoads(const RegionModel &region) {
  return std::any_of(region.nodes.begin(), region.nodes.end(),
                     [](const Node &node) { return node.kind == Node::Kind::Load; });
}

BankPlan planFor(const RegionModel &region, const Module &module, const Scheme &scheme,
                 const std::vector<int> &colour, const std::vector<uint64_t> &parts) {
  BankPlan plan;
  plan.width = scheme.width;
  plan.bank.assign(region.webs.size(), BankPlan::kAny);
  const Groups groups = groupsOf(region, module, scheme.width);
  std::array<unsigned, 2> next{};
  std::unordered_map<uint64_t, int8_t> bankOf; // of a part
  for (const std::vector<WebId> &members : groups.members) {
    if (region.webs[members[0]].scope == Web::Scope::Pinned) {
      for (const WebId w : members)
        plan.bank[w] = static_cast<int8_t>(region.webs[w].home.number & 3);
      continue;
    }
    const auto coloured =
        std::find_if(members.begin(), members.end(), [&](WebId w) { return colour[w] >= 0; });
    if (coloured == members.end())
      continue; // nobody reads it on SRC0 or SRC1
    const auto c = static_cast<size_t>(colour[*coloured]);
    const auto at = static_cast<unsigned>(coloured - members.begin());
    // A run of two fills the colour's two banks; a single value takes the next one in turn.
    const auto known = bankOf.find(parts[*coloured]);
    const int8_t bank = members.size() > 1      ? scheme.banks[c][at & 1]
                        : known != bankOf.end() ? known->second
                                                : scheme.banks[c][next[c]++ & 1];
    for (size_t i = 0; i < members.size(); ++i)
      plan.bank[members[i]] =
          static_cast<int8_t>((bank + 4 * 64 + static_cast<int>(i) - static_cast<int>(at)) & 3);
    for (const WebId w : members)
      bankOf.emplace(parts[w], plan.bank[w]);
  }
  return plan;
}

} // namespace

std::vector<BankPlan> bankPlans(const RegionModel &region, const Module &module, SplitLoads split) {
  std::vector<BankPlan> plans;
  BankPlan home;
  for (const Web &web : region.webs)
    home.bank.push_back(static_cast<int8_t>(web.home.number & 3));
  const std::vector<uint64_t> parts = partsOf(region);
  const std::vector<int> colour = colourWebs(region, parts);
  std::vector<LoadWidth> widths;
  if (!hasSplittableLoads(region))
    widths = {LoadWidth::Whole};
  else if (split == SplitLoads::Never)
    widths = {LoadWidth::Whole};
  else if (split == SplitLoads::Always)
    widths = {LoadWidth::Pairs, LoadWidth::Singles};
  else
    widths = {LoadWidth::Whole, LoadWidth::Pairs, LoadWidth::Singles};
  if (split != SplitLoads::Always || !hasSplittableLoads(region))
    plans.push_back(home);
  static constexpr std::array<std::array<std::array<int8_t, 2>, 2>, 6> kSchemes = {{
      {{{2, 3}, {0, 1}}},
      {{{0, 1}, {2, 3}}},
      {{{1, 2}, {3, 0}}},
      {{{3, 0}, {1, 2}}},
      {{{0, 2}, {1, 3}}},
      {{{1, 3}, {0, 2}}},
  }};
  for (const LoadWidth width : widths)
    for (const auto &banks : kSchemes)
      if (groupsOf(region, module, width).consistent)
        plans.push_back(planFor(region, module, {width, banks}, colour, parts));
  return plans;
}

} // namespace rdna
