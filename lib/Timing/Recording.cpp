#include "Timing/Recording.h"

#include "Emu/GroupRunner.h"
#include "Emu/Observe/Listener.h"
#include "Isa/HwRegister.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace rdna::timing {

unsigned ldsPasses(std::span<const uint64_t> at, uint32_t lanes, unsigned bytes) {
  constexpr unsigned banks = 32;
  const unsigned dwords = std::max(1u, bytes / 4);
  // 32 lanes of a dword make a pass, 16 of two, 8 of four. How lanes of three or four dwords are
  // grouped is not published: neighbours.
  const unsigned together = dwords == 1 ? 32 : dwords == 2 ? 16 : 8;
  unsigned passes = 0;
  for (unsigned begin = 0; begin < 32; begin += together) {
    std::array<std::array<uint64_t, 32>, banks> seen;
    std::array<uint8_t, banks> count{};
    unsigned most = 0;
    for (unsigned lane = begin; lane < begin + together; ++lane) {
      if ((lanes >> lane & 1) == 0)
        continue;
      for (unsigned n = 0; n < dwords; ++n) {
        const uint64_t word = at[lane] / 4 + n;
        const unsigned bank = word % banks;
        const auto end = seen[bank].begin() + count[bank];
        if (std::find(seen[bank].begin(), end, word) == end && count[bank] < 32)
          seen[bank][count[bank]++] = word;
        most = std::max<unsigned>(most, count[bank]);
      }
    }
    passes += most;
  }
  return passes;
}

/// Why the time of a kernel that has this instruction is nobody's to say here.
static std::string refusalFor(const Instruction &inst) {
  if (inst.op == Op::s_getreg_b32)
    for (const Operand &operand : inst.operands)
      if (operand.kind == Operand::Kind::Immediate) {
        const unsigned id = operand.imm & 63;
        if (id == 29)
          return "it reads a clock, so what it does depends on its time";
        if (id == 23 || id == 24)
          return "it reads its hardware id, so what it does depends on where it runs";
      }
  if (inst.op == Op::s_sendmsg_rtn_b32 || inst.op == Op::s_sendmsg_rtn_b64)
    return "it asks the hardware by s_sendmsg_rtn (a clock, a place), which has no known answer";
  return {};
}

class RecordingListener final : public emu::Listener {
public:
  RecordingListener(Recorder &recorder, const emu::LaunchState &state)
      : known_(state.program->plans().plans().size()), recorder_(recorder),
        atomics_(state.program->plans().plans().size()) {
    for (const emu::InstPlan &plan : state.program->plans().plans())
      hasAnsweringAtomics_ |= isAnsweringAtomic(plan);
    constexpr uint64_t apart = uint64_t(1) << 40, page = 4096;
    for (const emu::MemoryRegion &region : state.launch->regions) {
      const auto begin = reinterpret_cast<uint64_t>(region.data);
      places_.push_back({begin, region.bytes, (places_.size() + 1) * apart + begin % page});
    }
  }
  Hears hears() const override { return Hears::Before; }

  void groupBegins(const emu::GroupView &group) override {
    current_ = {};
    current_.id = group.id;
    current_.waves.resize(group.waves.size());
  }

  void before(emu::Record &record) override {
    const emu::InstPlan *plan = record.plan();
    if (!plan)
      return;
    const unsigned number = record.wave().number;
    WaveStream &wave = current_.waves[number];
    truncated_ |= isBeyondLimit(wave.executed + 1);
    if (truncated_) {
      record.stop();
      return;
    }
    // The rest is only counted, by the emulator's fast engines.
    if (wave.executed == recordedSteps && !hasAnsweringAtomics_) {
      if (recorder_.lengths_ == Recorder::Lengths::Recorded && isAllRecorded(record.group()))
        record.stop();
      return record.leave();
    }
    const bool isKept = wave.executed++ < recordedSteps;
    if (isKept)
      wave.steps.push_back(plan->number);
    if (plan->memory == emu::MemoryClass::None || plan->memory == emu::MemoryClass::Scalar) {
      // Not seen where it lies: a line of its own, as if all lanes were neighbours.
      if (isKept && plan->is(emu::traitVectorMemory))
        wave.memory.push_back({static_cast<uint32_t>(wave.lines.size()), 0, 1});
      return;
    }
    noteAtomic(*plan, number);
    if (!isKept)
      return;
    MemoryStep step{static_cast<uint32_t>(wave.lines.size()), 0, 0};
    addAccesses(record.accesses(), plan->number, wave, step);
    wave.memory.push_back(step);
  }

  void groupEnds(const emu::GroupView &group) override {
    const std::lock_guard lock(recorder_.mutex_);
    for (size_t n = 0; n < current_.waves.size(); ++n) {
      WaveStream &wave = current_.waves[n];
      if (wave.executed == recordedSteps)
        wave.executed = std::max<uint64_t>(recordedSteps, group.waves[n]->executed);
      truncated_ |= isBeyondLimit(wave.executed);
      recorder_.recording_.instructions += wave.executed;
    }
    recorder_.recording_.groups.push_back(std::move(current_));
    recorder_.recording_.truncated |= truncated_;
    if (recorder_.recording_.refusal.empty())
      recorder_.recording_.refusal = refusal_;
  }

private:
  bool isAllRecorded(const emu::GroupView &group) const {
    for (size_t n = 0; n < current_.waves.size(); ++n)
      if (current_.waves[n].executed < recordedSteps && group.waves[n]->event != emu::Event::End)
        return false;
    return true;
  }

  bool isBeyondLimit(uint64_t executed) const {
    return recorder_.limit_ != 0 && executed > recorder_.limit_;
  }

  void addAccesses(const emu::AccessList &list, uint32_t op, WaveStream &wave, MemoryStep &step) {
    for (const emu::LaneAccess &access : list.all()) {
      if (access.space == emu::LaneAccess::Space::Lds) {
        step.passes = static_cast<uint16_t>(step.passes + passesOf(access, op));
        continue;
      }
      if (access.space == emu::LaneAccess::Space::Scratch)
        addScratch(access, wave);
      else
        addLines(access, wave);
    }
    const auto begin = wave.lines.begin() + step.first;
    std::sort(begin, wave.lines.end());
    wave.lines.erase(std::unique(begin, wave.lines.end()), wave.lines.end());
    step.lines = static_cast<uint16_t>(wave.lines.size() - step.first);
  }

  /// Of the pattern: all addresses further by the same dwords only turn the banks.
  unsigned passesOf(const emu::LaneAccess &access, uint32_t op) {
    std::array<uint64_t, 32> pattern{};
    const auto first = static_cast<unsigned>(std::countr_zero(access.lanes | 1u << 31));
    const uint64_t base = access.at[first] & ~uint64_t(3);
    for (unsigned lane = 0; lane < pattern.size(); ++lane)
      pattern[lane] = (access.lanes >> lane & 1) != 0 ? access.at[lane] - base : 0;
    KnownPasses &known = known_[op];
    if (known.lanes != access.lanes || known.bytes != access.bytes || known.pattern != pattern)
      known = {pattern, access.lanes, access.bytes,
               ldsPasses(access.at, access.lanes, access.bytes)};
    return known.passes;
  }

  /// The same number in every run: the host puts buffers elsewhere each time.
  uint64_t fixedAddress(uint64_t address) {
    if (!place_ || address - place_->begin >= place_->bytes) {
      place_ = nullptr;
      for (const Place &place : places_)
        if (address - place.begin < place.bytes)
          place_ = &place;
    }
    return place_ ? address - place_->begin + place_->fixed : address;
  }

  void addLines(const emu::LaneAccess &access, WaveStream &wave) {
    uint64_t last = ~uint64_t(0);
    for (unsigned lane = 0; lane < access.at.size(); ++lane) {
      if ((access.lanes >> lane & 1) == 0)
        continue;
      const uint64_t address = fixedAddress(access.at[lane]);
      const uint64_t begin = address / lineBytes;
      const uint64_t end = (address + access.bytes - 1) / lineBytes;
      for (uint64_t line = begin; line <= end; ++line)
        if (line != last)
          wave.lines.push_back(last = line);
    }
  }

  /// Hardware interleaves the lanes' scratch by dwords, so lanes of one offset are neighbours.
  static void addScratch(const emu::LaneAccess &access, WaveStream &wave) {
    for (unsigned lane = 0; lane < access.at.size(); ++lane)
      if (access.lanes >> lane & 1)
        for (unsigned n = 0; n < std::max<unsigned>(access.bytes / 4, 1); ++n)
          wave.lines.push_back((uint64_t(1) << 56) + access.at[lane] / 4 + n);
  }

  static bool isAnsweringAtomic(const emu::InstPlan &plan) {
    return plan.kind == emu::AccessKind::Atomic &&
           plan.facts().memory == MemoryEffect::AtomicReturn &&
           plan.memory != emu::MemoryClass::Lds && plan.memory != emu::MemoryClass::LdsPair;
  }

  /// An atomic that answers, again and again in one wave: a lock, or a queue of work. What comes of
  /// it depends on the other workgroups, of which most do not run here.
  void noteAtomic(const emu::InstPlan &plan, unsigned wave) {
    if (!isAnsweringAtomic(plan))
      return;
    uint64_t &waves = atomics_[plan.number];
    const uint64_t mine = uint64_t(1) << wave % 64;
    if (waves & mine)
      refusal_ = "it loops over atomics that answer, so its time depends on all other workgroups";
    waves |= mine;
  }

  struct Place {
    uint64_t begin, bytes, fixed;
  };
  struct KnownPasses {
    std::array<uint64_t, 32> pattern{};
    uint32_t lanes = 0;
    unsigned bytes = 0, passes = 0;
  };
  std::vector<KnownPasses> known_; ///< The last pattern of LDS accesses, by op.
  Recorder &recorder_;
  std::vector<Place> places_; ///< The buffers.
  const Place *place_ = nullptr;
  std::vector<uint64_t> atomics_; ///< Which waves have executed it, by op.
  bool hasAnsweringAtomics_ = false;
  GroupStream current_;
  std::string refusal_;
  bool truncated_ = false;
};

std::unique_ptr<emu::Listener> Recorder::create(const emu::LaunchState &state) {
  const std::lock_guard lock(mutex_);
  if (recording_.ops.empty())
    for (const emu::InstPlan &plan : state.program->plans().plans()) {
      recording_.ops.push_back(describe(plan));
      if (recording_.refusal.empty())
        recording_.refusal = refusalFor(plan.facts());
    }
  return std::make_unique<RecordingListener>(*this, state);
}

Recording Recorder::take() {
  std::sort(recording_.groups.begin(), recording_.groups.end(),
            [](const GroupStream &a, const GroupStream &b) {
              return std::tie(a.id[2], a.id[1], a.id[0]) < std::tie(b.id[2], b.id[1], b.id[0]);
            });
  return std::move(recording_);
}

} // namespace rdna::timing
