//===- Races.cpp - races in LDS and in global memory -----------------===//
//
// LDS is small: every wave keeps who touched each dword last, by kind of access, and at a barrier
// the maps of the waves are intersected. That costs one store per lane and dword, and a barrier a
// pass over the touched dwords; records per byte with epochs would cost a load, a comparison and a
// store. Global memory is large: an interval's accesses are listed as ranges, and looked at only if
// somebody writes.
//
//===----------------------------------------------------------------------===//
#include "Emu/Check/Races.h"

#include "Emu/GroupRunner.h"

#include <algorithm>
#include <fmt/format.h>

namespace rdna::emu {
namespace {

using Space = LaneAccess::Space;

bool conflict(AccessKind a, AccessKind b) { return a != b || a == AccessKind::Write; }

const char *verb(AccessKind kind) {
  return kind == AccessKind::Read ? "reads" : kind == AccessKind::Write ? "writes" : "updates";
}

/// RSRC1 bit 29: the waves of a workgroup may run on both CUs of a WGP.
bool wgpMode(const LaunchState &launch) { return launch.program->image().rsrc1 >> 29 & 1; }

} // namespace

void RaceCheck::LdsMap::clear() {
  if (lo < hi)
    std::fill(words.begin() + ptrdiff_t(lo), words.begin() + ptrdiff_t(hi), 0u);
  lo = ~size_t(0);
  hi = 0;
}

void RaceCheck::groupBegins(const GroupView &group) {
  waves_ = unsigned(group.waves.size());
  const size_t words = (context_.launch.ldsBytes + 3) / 4;
  lds_.resize(waves_);
  for (WaveMaps &maps : lds_)
    for (LdsMap &map : maps.by) {
      map.words.resize(words);
      map.clear();
    }
  for (auto &seen : seen_)
    seen.resize(words);
  reads_.clear();
  writes_.clear();
}

void RaceCheck::before(Record &record) {
  if (waves_ < 2)
    return;
  for (const LaneAccess &access : record.accesses().all())
    note(record.wave().number, *record.plan(), access, Carried::No);
}

void RaceCheck::note(unsigned wave, const InstPlan &plan, const LaneAccess &access,
                     Carried carried) {
  if (access.space == Space::Lds)
    mark(wave, plan, access, carried);
  else if (access.space == Space::Global)
    append(wave, plan, access, carried);
}

void RaceCheck::mark(unsigned wave, const InstPlan &plan, const LaneAccess &access,
                     Carried carried) {
  LdsMap &map = lds_[wave].of(access.kind);
  const Mark who = numberOf(plan) << 10 | (carried == Carried::Yes ? 1u << 9 : 0);
  const uint64_t end = context_.launch.ldsBytes;
  const bool dwords = access.bytes % 4 == 0;
  const size_t count = access.bytes / 4;
  size_t lo = map.lo, hi = map.hi;
  for (unsigned l = 0; l < laneCount; ++l) {
    const uint64_t at = access.at[l];
    if (!(access.lanes >> l & 1) || at + access.bytes > end)
      continue;
    const Mark lane = who | l << 4;
    const size_t first = at / 4;
    lo = std::min(lo, first);
    if (dwords && at % 4 == 0) [[likely]] {
      hi = std::max(hi, first + count);
      for (size_t k = 0; k < count; ++k)
        map.words[first + k] = lane | 15;
    } else {
      hi = std::max<size_t>(hi, (at + access.bytes - 1) / 4 + 1);
      for (uint64_t byte = at; byte < at + access.bytes; ++byte)
        map.words[byte / 4] = lane | (map.words[byte / 4] & 15) | 1u << byte % 4;
    }
  }
  map.lo = lo;
  map.hi = hi;
}

void RaceCheck::append(unsigned wave, const InstPlan &plan, const LaneAccess &access,
                       Carried carried) {
  std::vector<Range> &list = access.kind == AccessKind::Read ? reads_ : writes_;
  Range range{0, 0, numberOf(plan), uint8_t(wave), 0, access.bytes, access.kind, carried};
  for (unsigned l = 0; l < laneCount; ++l) {
    if (!(access.lanes >> l & 1))
      continue;
    const uint64_t at = access.at[l];
    if (range.hi && at == range.hi) {
      range.hi += access.bytes;
    } else if (!range.hi || at < range.lo || at + access.bytes > range.hi) {
      if (range.hi)
        list.push_back(range);
      range.lo = at;
      range.hi = at + access.bytes;
      range.lane = uint8_t(l);
    }
  }
  if (range.hi)
    list.push_back(range);
  if (reads_.size() > compactAt_)
    compact();
}

/// An interval without a barrier can be the whole kernel: reads of one instruction are merged.
void RaceCheck::compact() {
  const auto key = [](const Range &r) { return std::tuple(r.wave, r.plan, r.carried, r.lo, r.hi); };
  std::sort(reads_.begin(), reads_.end(),
            [&](const Range &a, const Range &b) { return key(a) < key(b); });
  size_t kept = 0;
  for (const Range &r : reads_) {
    Range *last = kept ? &reads_[kept - 1] : nullptr;
    if (last && last->wave == r.wave && last->plan == r.plan && last->carried == r.carried &&
        r.lo <= last->hi)
      last->hi = std::max(last->hi, r.hi);
    else
      reads_[kept++] = r;
  }
  reads_.resize(kept);
  compactAt_ = std::max(firstCompaction, 2 * kept);
}

void RaceCheck::barrierPassed(const GroupView &) {
  resolve();
  if (waves_ < 2)
    return;
  // In CU mode the waves of a group share one L0, which performs their accesses in the order of
  // issue: a barrier is enough (LLVM's memory model for GFX11 omits vmcnt and vscnt there). LDS
  // operations always need their wait.
  const bool global = wgpMode(context_.launch);
  for (unsigned wave = 0; wave < waves_; ++wave)
    context_.queues[wave].forEach([&](const PendingOp &op) {
      for (const LaneAccess &access : op.accesses)
        if (access.space == Space::Lds || global)
          note(wave, *op.plan, access, Carried::Yes);
    });
}

void RaceCheck::resolve() {
  if (waves_ < 2)
    return;
  resolveLds();
  resolveGlobal();
}

void RaceCheck::resolveLds() {
  size_t lo = ~size_t(0), hi = 0;
  unsigned writers = 0;
  for (WaveMaps &maps : lds_)
    for (LdsMap &map : maps.by) {
      lo = std::min(lo, map.lo);
      hi = std::max(hi, map.hi);
      writers += &map != &maps.of(AccessKind::Read) && map.lo < map.hi;
    }
  if (lo < hi && writers) {
    for (auto &seen : seen_)
      std::fill(seen.begin() + ptrdiff_t(lo), seen.begin() + ptrdiff_t(hi), 0u);
    uint32_t *seenR = seen_[0].data(), *seenW = seen_[1].data(), *seenA = seen_[2].data();
    uint32_t any = 0;
    for (const WaveMaps &maps : lds_) {
      const Mark *r = maps.by[0].words.data(), *w = maps.by[1].words.data(),
                 *a = maps.by[2].words.data();
      for (size_t k = lo; k < hi; ++k) {
        any |= (w[k] & (seenR[k] | seenW[k] | seenA[k])) | (r[k] & (seenW[k] | seenA[k])) |
               (a[k] & (seenR[k] | seenW[k]));
        seenR[k] |= r[k] & 15;
        seenW[k] |= w[k] & 15;
        seenA[k] |= a[k] & 15;
      }
    }
    if (any & 15)
      for (size_t k = lo; k < hi; ++k)
        findLdsPairs(k);
  }
  for (WaveMaps &maps : lds_)
    for (LdsMap &map : maps.by)
      map.clear();
}

/// All racing pairs at a dword: rarely more than a few, and folded by instruction.
void RaceCheck::findLdsPairs(size_t word) {
  const auto side = [&](unsigned wave, AccessKind kind) {
    const Mark mark = lds_[wave].of(kind).words[word];
    return Side{&context_.program.plans()[mark >> 10], wave, mark >> 4 & 31, kind,
                mark >> 9 & 1 ? Carried::Yes : Carried::No};
  };
  constexpr AccessKind kinds[] = {AccessKind::Read, AccessKind::Write, AccessKind::Atomic};
  for (unsigned i = 0; i < waves_; ++i)
    for (unsigned j = i + 1; j < waves_; ++j)
      for (AccessKind a : kinds)
        for (AccessKind b : kinds) {
          const Mark common = lds_[i].of(a).words[word] & lds_[j].of(b).words[word] & 15;
          if (common && conflict(a, b))
            report(side(i, a), side(j, b), Space::Lds, 4 * word + unsigned(__builtin_ctz(common)));
        }
}

RaceCheck::Side RaceCheck::sideOf(const Range &range, uint64_t at) const {
  const uint64_t lane = range.lane + (at - range.lo) / std::max<unsigned>(range.bytes, 1);
  return {&context_.program.plans()[range.plan], range.wave, unsigned(std::min<uint64_t>(lane, 31)),
          range.kind, range.carried};
}

/// A sweep over all ranges by address. Of the earlier ranges, only those that reach furthest can
/// overlap the next one: for every kind the furthest of all, and of the other waves.
void RaceCheck::resolveGlobal() {
  if (!writes_.empty()) {
    uint64_t lo = ~uint64_t(0), hi = 0;
    for (const Range &w : writes_) {
      lo = std::min(lo, w.lo);
      hi = std::max(hi, w.hi);
    }
    std::vector<Range> &all = writes_;
    for (const Range &r : reads_)
      if (r.lo < hi && r.hi > lo)
        all.push_back(r);
    const auto key = [](const Range &r) {
      return std::tuple(r.lo, r.hi, r.wave, r.plan, r.lane, r.carried);
    };
    std::sort(all.begin(), all.end(),
              [&](const Range &a, const Range &b) { return key(a) < key(b); });
    std::array<std::array<const Range *, 2>, 3> furthest{};
    for (const Range &r : all) {
      for (size_t kind = 0; kind < 3; ++kind)
        for (const Range *p : furthest[kind])
          if (p && p->wave != r.wave && p->hi > r.lo && conflict(p->kind, r.kind))
            report(sideOf(*p, r.lo), sideOf(r, r.lo), Space::Global, r.lo);
      auto &[first, second] = furthest[size_t(r.kind)];
      if (!first || r.hi > first->hi) {
        if (first && first->wave != r.wave)
          second = first;
        first = &r;
      } else if (r.wave != first->wave && (!second || r.hi > second->hi)) {
        second = &r;
      }
    }
  }
  reads_.clear();
  writes_.clear();
}

void RaceCheck::report(Side a, Side b, Space space, uint64_t at) {
  // The reader is the one to look at; of two writers, the later instruction.
  if (b.kind == AccessKind::Read || (a.kind != AccessKind::Read && b.plan->offset > a.plan->offset))
    std::swap(a, b);
  Occurrence s{};
  s.check = Check::Races;
  s.rule = space == Space::Lds ? "lds-race" : "global-race";
  s.offset = a.plan->offset;
  s.otherOffset = b.plan->offset;
  s.wave = a.wave;
  s.lane = a.lane;
  s.otherWave = b.wave;
  s.otherLane = b.lane;
  s.address = at;
  context_.log.add(std::move(s), [&](Occurrence &occurrence) {
    occurrence.place = describePlace(context_.launch, space, at);
    occurrence.message = fmt::format("{} {} while wave {} {} it in the same barrier interval",
                                     verb(a.kind), occurrence.place, b.wave, verb(b.kind));
    const char *counter = space == Space::Lds ? "s_waitcnt lgkmcnt(0)" : nullptr;
    const auto waitOf = [&](const Side &side) {
      return counter                         ? counter
             : side.kind == AccessKind::Read ? "s_waitcnt vmcnt(0)"
                                             : "s_waitcnt_vscnt null, 0x0";
    };
    if (a.carried == Carried::Yes || b.carried == Carried::Yes)
      occurrence.fix = fmt::format("{} before the s_barrier between the two",
                                   waitOf(a.carried == Carried::Yes ? a : b));
    else
      occurrence.fix = fmt::format("s_barrier between the two, with {} before it", waitOf(b));
  });
}

std::unique_ptr<Listener> createRacesCheck(CheckContext &context) {
  return std::make_unique<RaceCheck>(context);
}

} // namespace rdna::emu
