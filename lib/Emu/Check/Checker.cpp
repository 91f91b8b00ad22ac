//===- Checker.cpp - the chosen checks of a launch, together --------------===//
#include "Emu/Check.h"

#include "Emu/Check/Context.h"
#include "Emu/GroupRunner.h"

#include <algorithm>
#include <mutex>

namespace rdna::emu {
namespace {

/// What outlives the listeners: they end with the threads of a run.
struct Findings {
  std::mutex mutex;
  FindingLog log;
};

class CheckListener final : public Listener {
public:
  CheckListener(CheckSet checks, const LaunchState &launch, Findings &findings)
      : context_{launch, launch.program->plans(), {}, {}}, findings_(findings) {
    for (const CheckRow &row : checkRows())
      if (checks.has(row.check)) {
        checks_.push_back(row.create(context_));
        if (checks_.back()->hears() != Hears::Before)
          after_.push_back(checks_.back().get());
      }
  }
  ~CheckListener() override {
    const std::lock_guard lock(findings_.mutex);
    findings_.log.merge(std::move(context_.log));
  }

  Hears hears() const override { return after_.empty() ? Hears::Before : Hears::Both; }

  void groupBegins(const GroupView &group) override {
    const auto &grid = context_.launch.launch->grid;
    context_.log.startGroup(group.id[0] +
                                uint64_t(grid[0]) * (group.id[1] + uint64_t(grid[1]) * group.id[2]),
                            group.id);
    context_.queues.resize(group.waves.size());
    for (PendingQueue &queue : context_.queues)
      queue.clear();
    for (const auto &check : checks_)
      check->groupBegins(group);
  }

  void before(Record &record) override {
    const InstPlan *plan = record.plan();
    if (!plan)
      return;
    PendingQueue &queue = context_.queues[record.wave().number];
    if (plan->wait.any())
      queue.wait(plan->wait);
    for (const auto &check : checks_)
      check->before(record);
    if (plan->counters)
      queue.issue(*plan, context_.pending == CheckContext::Pending::RegistersAndAccesses
                             ? record.accesses().all()
                             : std::span<const LaneAccess>());
  }
  void after(Record &record) override {
    if (record.plan())
      for (Listener *check : after_)
        check->after(record);
  }

  void barrierPassed(const GroupView &group) override {
    for (const auto &check : checks_)
      check->barrierPassed(group);
  }
  void groupEnds(const GroupView &group) override {
    for (const auto &check : checks_)
      check->groupEnds(group);
  }

private:
  CheckContext context_;
  std::vector<std::unique_ptr<Listener>> checks_; ///< In the order of the rows.
  std::vector<Listener *> after_;                 ///< Those of them that hear after().
  Findings &findings_;
};

/// What one group has left undefined for another one to read is seen in order only.
bool hasUndefined(const Launch &launch) {
  return std::any_of(launch.regions.begin(), launch.regions.end(), [](const MemoryRegion &r) {
    return r.contents == MemoryRegion::Contents::Undefined;
  });
}

class CheckerImpl final : public Checker {
public:
  explicit CheckerImpl(CheckSet checks) : checks_(checks) {}

  std::unique_ptr<Listener> create(const LaunchState &launch) override {
    const std::lock_guard lock(findings_.mutex);
    program_ = launch.program;
    return std::make_unique<CheckListener>(checks_.forKernel(launch.program->image()), launch,
                                           findings_);
  }
  Threads threads(const Launch &launch) const override {
    return checks_.has(Check::Uninit) && hasUndefined(launch) ? Threads::One : Threads::Any;
  }

  std::vector<Finding> takeFindings() override;

private:
  const CheckSet checks_;
  const DecodedProgram *program_ = nullptr; ///< Of the last run.
  Findings findings_;
};

std::vector<Finding> CheckerImpl::takeFindings() {
  std::vector<Finding> list;
  for (const auto &[key, entry] : findings_.log.entries()) {
    const Occurrence &s = entry.first;
    Finding f;
    f.check = s.check;
    f.rule = s.rule;
    f.message = s.message;
    f.fix = s.fix;
    f.codeOffset = s.offset;
    f.instruction = program_->instructionAt(s.offset);
    f.kernel = program_->image().name;
    f.workgroup = entry.workgroup;
    f.wave = s.wave;
    f.lane = s.lane;
    f.address = s.address;
    f.place = s.place;
    if (s.otherOffset)
      f.other =
          Party{*s.otherOffset, program_->instructionAt(*s.otherOffset), s.otherWave, s.otherLane};
    f.count = entry.count;
    list.push_back(std::move(f));
  }
  findings_.log.clear();
  return list;
}

} // namespace

std::unique_ptr<Checker> createChecker(CheckSet checks) {
  return std::make_unique<CheckerImpl>(checks);
}

} // namespace rdna::emu
