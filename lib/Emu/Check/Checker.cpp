//===- Check.cpp - the checker of a launch --------------------------------===//
#include "Emu/Check.h"

#include "Emu/Check/Barriers.h"
#include "Emu/Check/Bounds.h"
#include "Emu/Check/Hazards.h"
#include "Emu/Check/IndexWrap.h"
#include "Emu/Check/Misuse.h"
#include "Emu/Check/Races.h"
#include "Emu/Check/Uninit.h"
#include "Emu/Check/Waits.h"
#include "Emu/GroupRunner.h"
#include "Support/Diagnostic.h"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>

namespace rdna::emu {
namespace {

constexpr std::array<std::string_view, checkCount> checkNames = {"waits",   "races",  "barriers",
                                                                 "bounds",  "uninit", "registers",
                                                                 "hazards", "misuse", "index-wrap"};

/// What outlives the monitors: they end with the threads of a run.
struct Findings {
  std::mutex mutex;
  FindingLog log;
  unsigned monitors = 0; ///< Alive.
};

class CheckMonitor final : public Monitor {
public:
  CheckMonitor(CheckSet checks, const LaunchState &launch, const CheckProgram &program,
               GlobalShadow &global, Findings &findings)
      : checks_(checks), context_{launch, program, {}, {}}, races_(context_), barriers_(context_),
        bounds_(context_), hazards_(context_), misuse_(context_), uninit_(context_, global),
        indexWrap_(context_), findings_(findings) {}
  ~CheckMonitor() override {
    const std::lock_guard lock(findings_.mutex);
    findings_.log.merge(std::move(context_.log));
    --findings_.monitors;
  }

  void groupBegins(const GroupView &group) override {
    const auto &grid = context_.launch.launch->grid;
    context_.log.startGroup(group.id[0] +
                                uint64_t(grid[0]) * (group.id[1] + uint64_t(grid[1]) * group.id[2]),
                            group.id);
    context_.queues.resize(group.waves.size());
    for (PendingQueue &queue : context_.queues)
      queue.clear();
    races_.groupBegins(unsigned(group.waves.size()));
    barriers_.groupBegins(group.waves);
    hazards_.groupBegins(unsigned(group.waves.size()));
    misuse_.groupBegins(unsigned(group.waves.size()));
    if (checks_.has(Check::Uninit))
      uninit_.groupBegins(group.waves);
    if (checks_.has(Check::IndexWrap))
      indexWrap_.groupBegins(unsigned(group.waves.size()));
  }

  Verdict before(Wave &w, const Inst &i) override {
    const InstPlan *plan = context_.program.find(i);
    if (!plan)
      return Verdict::Continue;
    if (checks_.has(Check::Waits))
      checkWaits(context_, w, *plan);
    if (checks_.has(Check::Registers))
      hazards_.registers(w, *plan);
    if (checks_.has(Check::Hazards))
      hazards_.step(w, *plan);
    if (checks_.has(Check::Misuse))
      misuse_.step(w, *plan);
    if (plan->wait.any())
      context_.queues[w.number].wait(plan->wait);
    accesses_.count = 0;
    if (plan->counters)
      beforeMemory(w, *plan);
    else if (plan->facts().unit == Unit::Barrier)
      barriers_.arrive(w, *plan);
    if (checks_.has(Check::Uninit))
      uninit_.step(w, *plan, accesses_);
    if (checks_.has(Check::IndexWrap))
      indexWrap_.step(w, *plan, accesses_);
    return Verdict::Continue;
  }

  bool looksAtResults() const override { return false; }
  void barrierPassed(const GroupView &group) override {
    if (checks_.has(Check::Races))
      races_.barrierPassed();
    if (checks_.has(Check::Barriers))
      barriers_.barrierPassed(group.waves);
  }
  void groupEnds(const GroupView &) override {
    if (checks_.has(Check::Races))
      races_.groupEnds();
  }

private:
  void beforeMemory(Wave &w, const InstPlan &plan) {
    findAccesses(w, plan, accesses_);
    if (checks_.has(Check::Bounds))
      bounds_.access(w, plan, accesses_.all());
    if (checks_.has(Check::Races))
      races_.access(w.number, plan, accesses_.all());
    if (checks_.has(Check::Barriers) && plan.facts().unit != Unit::Smem)
      barriers_.lanesActive(w, plan);
    context_.queues[w.number].issue(
        plan, checks_.has(Check::Races) ? accesses_.all() : std::span<const LaneAccess>());
  }

  const CheckSet checks_;
  CheckContext context_;
  AccessList accesses_;
  RaceCheck races_;
  BarrierCheck barriers_;
  BoundsCheck bounds_;
  HazardCheck hazards_;
  MisuseCheck misuse_;
  UninitCheck uninit_;
  IndexWrapCheck indexWrap_;
  Findings &findings_;
};

class CheckerImpl final : public Checker {
public:
  explicit CheckerImpl(CheckSet checks) : checks_(checks) {}

  std::unique_ptr<Monitor> create(const LaunchState &launch) override {
    const std::lock_guard lock(findings_.mutex);
    if (!program_ || &program_->program() != launch.program)
      program_ = std::make_shared<CheckProgram>(*launch.program);
    // A new run. (Where contents are undefined there is one thread, and so one monitor.)
    if (findings_.monitors++ == 0)
      global_ = std::make_unique<GlobalShadow>(*launch.launch);
    return std::make_unique<CheckMonitor>(checks_.forKernel(launch.program->image()), launch,
                                          *program_, *global_, findings_);
  }

  std::vector<Finding> takeFindings() override;

private:
  const CheckSet checks_;
  std::shared_ptr<CheckProgram> program_;
  std::unique_ptr<GlobalShadow> global_;
  Findings findings_;
};

std::vector<Finding> CheckerImpl::takeFindings() {
  std::vector<Finding> list;
  for (const auto &[key, entry] : findings_.log.entries()) {
    const Sighting &s = entry.first;
    const DecodedProgram &program = program_->program();
    Finding f;
    f.check = s.check;
    f.rule = s.rule;
    f.message = s.message;
    f.fix = s.fix;
    f.codeOffset = s.offset;
    f.instruction = program.instructionAt(s.offset);
    f.kernel = program.image().name;
    f.workgroup = entry.workgroup;
    f.wave = s.wave;
    f.lane = s.lane;
    f.address = s.address;
    f.place = s.place;
    if (s.otherOffset)
      f.other =
          Party{*s.otherOffset, program.instructionAt(*s.otherOffset), s.otherWave, s.otherLane};
    f.count = entry.count;
    list.push_back(std::move(f));
  }
  findings_.log.clear();
  return list;
}

} // namespace

std::string_view toString(Check check) { return checkNames[unsigned(check)]; }

CheckSet CheckSet::all() {
  CheckSet set;
  set.bits_ = ((1u << checkCount) - 1) | asDeclared;
  set.bits_ &= ~(1u << unsigned(Check::IndexWrap));
  return set;
}

CheckSet CheckSet::forKernel(const KernelImage &kernel) const {
  CheckSet set = *this;
  if ((bits_ & asDeclared) && kernel.indexWrap == KernelImage::IndexWrap::Excluded)
    set.add(Check::IndexWrap);
  return set;
}

llvm::Expected<CheckSet> parseChecks(std::string_view list) {
  CheckSet set;
  while (true) {
    const std::string_view name = list.substr(0, list.find(','));
    const auto it = std::find(checkNames.begin(), checkNames.end(), name);
    if (name == "all")
      set |= CheckSet::all();
    else if (it != checkNames.end())
      set.add(Check(it - checkNames.begin()));
    else
      return makeError(Failure::BadInput, "",
                       fmt::format("unknown check '{}'; there are {} and all", name,
                                   fmt::join(checkNames, ", ")));
    if (name.size() == list.size())
      return set;
    list.remove_prefix(name.size() + 1);
  }
}

std::unique_ptr<Checker> createChecker(CheckSet checks) {
  return std::make_unique<CheckerImpl>(checks);
}

} // namespace rdna::emu
