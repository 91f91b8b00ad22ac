#include "Transform/BankEquations.h"

#include <algorithm>
#include <numeric>

namespace rdna {

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

BitEquations::BitEquations(size_t count) : parent_(count), size_(count, 1), difference_(count, 0) {
  std::iota(parent_.begin(), parent_.end(), 0U);
}

BitEquations::Root BitEquations::find(uint32_t a) const {
  unsigned difference = 0;
  while (parent_[a] != a) { // short, because the smaller tree goes below the larger
    difference ^= difference_[a];
    a = parent_[a];
  }
  return {a, difference};
}

std::optional<unsigned> BitEquations::difference(uint32_t a, uint32_t b) const {
  const Root x = find(a), y = find(b);
  if (x.bit != y.bit)
    return std::nullopt;
  return x.difference ^ y.difference;
}

bool BitEquations::add(uint32_t a, uint32_t b, unsigned difference) {
  Root x = find(a), y = find(b);
  const unsigned between = x.difference ^ y.difference ^ difference;
  if (x.bit == y.bit)
    return between == 0;
  if (size_[x.bit] > size_[y.bit])
    std::swap(x, y);
  parent_[x.bit] = y.bit;
  difference_[x.bit] = static_cast<uint8_t>(between);
  size_[y.bit] += size_[x.bit];
  merged_.push_back(x.bit);
  return true;
}

void BitEquations::backTo(size_t mark) {
  for (; merged_.size() > mark; merged_.pop_back()) {
    const uint32_t root = merged_.back();
    size_[parent_[root]] -= size_[root];
    parent_[root] = root;
    difference_[root] = 0;
  }
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

BankEquations::BankEquations(const RegionModel &region, const Groups &groups)
    : region_(region), groups_(groups), parity_(region.webs.size() + 1),
      upper_(region.webs.size() + 1) {
  const auto zero = static_cast<uint32_t>(region.webs.size());
  for (WebId w = 0; w < zero; ++w) {
    const Web &web = region.webs[w];
    if (web.scope != Web::Scope::Internal) {
      parity_.add(w, zero, web.home.number & 1U);
      upper_.add(w, zero, (web.home.number >> 1) & 1U);
      continue;
    }
    // A tuple begins at an even register, so that both bits of its parts follow from its first.
    const std::vector<WebId> &members = groups.members[groups.group[w]];
    if (members.size() < 2)
      continue;
    parity_.add(w, zero, groups.offset[w] & 1U);
    upper_.add(w, members[0], (groups.offset[w] >> 1) & 1U);
  }
}

bool BankEquations::differ(BitEquations &bits, WebId a, WebId b) {
  return a == kNoWeb || b == kNoWeb || bits.add(a, b, 1);
}

/// \param isCrossed whether the sources of one parity are SRC0 of one and SRC1 of the other half.
bool BankEquations::addEquations(const HalfPorts &x, const HalfPorts &y, unsigned isCrossed) {
  if (!differ(parity_, x.dst, y.dst) || !differ(parity_, x.src0, y.src0) ||
      !differ(parity_, x.src1, y.src1) || !differ(parity_, x.src2, y.src2))
    return false;
  const auto tell = [&](WebId a, WebId b, WebId c, WebId d) {
    // a and b have one parity, and so c and d; a and d, b and c have different ones.
    const auto relate = [&](WebId v, WebId w, unsigned difference) {
      return v == kNoWeb || w == kNoWeb || v == w || parity_.add(v, w, difference);
    };
    const auto apart = [&](WebId v, WebId w) {
      return v == kNoWeb || w == kNoWeb || v == w || upper_.add(v, w, 1);
    };
    return relate(a, b, 0) && relate(c, d, 0) && apart(a, b) && apart(c, d);
  };
  return isCrossed ? tell(x.src0, y.src1, y.src0, x.src1) : tell(x.src0, x.src1, y.src0, y.src1);
}

std::optional<BankEquations::Way> BankEquations::search(uint32_t x, uint32_t y, Keep keep) {
  const WebOp &first = region_.nodes[x].op, &second = region_.nodes[y].op;
  const size_t parities = parity_.mark(), uppers = upper_.mark();
  std::optional<Way> best;
  const auto undo = [&] {
    parity_.backTo(parities);
    upper_.backTo(uppers);
  };
  unsigned bestCrossed = 0;
  for (const Slot::Sources sx : {Slot::Sources::AsIs, Slot::Sources::Swapped})
    for (const Slot::Sources sy : {Slot::Sources::AsIs, Slot::Sources::Swapped})
      for (const unsigned crossed : {0U, 1U}) {
        if ((sx == Slot::Sources::Swapped && !canSwap(first)) ||
            (sy == Slot::Sources::Swapped && !canSwap(second)))
          continue;
        if (addEquations(portsOf(first, sx), portsOf(second, sy), crossed)) {
          const auto merges = static_cast<unsigned>(parity_.mark() - parities) +
                              static_cast<unsigned>(upper_.mark() - uppers);
          if (!best || merges < best->merges) {
            best = Way{sx, sy, merges};
            bestCrossed = crossed;
          }
        }
        undo();
      }
  if (best && keep == Keep::Yes)
    addEquations(portsOf(first, best->xSources), portsOf(second, best->ySources), bestCrossed);
  return best;
}

std::optional<BankEquations::Way> BankEquations::wayOf(uint32_t x, uint32_t y) {
  return search(x, y, Keep::No);
}

void BankEquations::addPair(uint32_t x, uint32_t y) { search(x, y, Keep::Yes); }

bool BankEquations::addRun(llvm::ArrayRef<WebId> webs) {
  const size_t parities = parity_.mark(), uppers = upper_.mark();
  const auto zero = static_cast<uint32_t>(region_.webs.size());
  // Where the upper bit changes depends on the parity of the first.
  for (const unsigned first : {0U, 1U}) {
    bool fits = webs.size() == 1 || parity_.add(webs[0], zero, first);
    for (unsigned i = 1; fits && i < webs.size(); ++i)
      fits = parity_.add(webs[0], webs[i], i & 1U) &&
             upper_.add(webs[0], webs[i], ((first + i) >> 1) & 1U);
    if (fits)
      return true;
    parity_.backTo(parities);
    upper_.backTo(uppers);
  }
  return false;
}

void BankEquations::addSingle(uint32_t node) {
  const HalfPorts ports = portsOf(region_.nodes[node].op, Slot::Sources::AsIs);
  if (ports.src0 == kNoWeb || ports.src1 == kNoWeb || ports.src0 == ports.src1)
    return;
  if (!parity_.add(ports.src0, ports.src1, 1))
    upper_.add(ports.src0, ports.src1, 1);
}

std::vector<int8_t> BankEquations::banks() const {
  const auto zero = static_cast<uint32_t>(region_.webs.size());
  std::vector<int8_t> banks(zero, BankPlan::kAny);
  std::vector<int8_t> parityOf(zero + 1, -1), upperOf(zero + 1, -1); // of roots
  parityOf[parity_.find(zero).bit] = static_cast<int8_t>(parity_.find(zero).difference);
  upperOf[upper_.find(zero).bit] = static_cast<int8_t>(upper_.find(zero).difference);
  std::array<unsigned, 4> used{};
  for (WebId w = 0; w < zero; ++w) {
    const auto p = parity_.find(w), u = upper_.find(w);
    const bool isAlone =
        p.bit == w && u.bit == w && parity_.sizeOf(w) == 1 && upper_.sizeOf(w) == 1;
    if (isAlone)
      continue; // nothing is asked of it
    // What is open goes where fewest are.
    const auto fits = [&](unsigned bank) {
      return (parityOf[p.bit] < 0 || ((bank & 1) ^ p.difference) == unsigned(parityOf[p.bit])) &&
             (upperOf[u.bit] < 0 || ((bank >> 1) ^ u.difference) == unsigned(upperOf[u.bit]));
    };
    int best = -1;
    for (unsigned b = 0; b < 4; ++b)
      if (fits(b) && (best < 0 || used[b] < used[static_cast<unsigned>(best)]))
        best = static_cast<int>(b);
    const auto bank = static_cast<unsigned>(best);
    parityOf[p.bit] = static_cast<int8_t>((bank & 1) ^ p.difference);
    upperOf[u.bit] = static_cast<int8_t>((bank >> 1) ^ u.difference);
    ++used[bank];
    banks[w] = static_cast<int8_t>(bank);
  }
  return banks;
}

} // namespace rdna
