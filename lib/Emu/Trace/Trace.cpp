//===- Trace.cpp - the monitor behind a debugger's options ----------------===//
#include "Emu/Trace.h"

#include "Emu/Trace/Text.h"
#include "Emu/Trace/Watch.h"
#include "Isa/OpTraits.h"

#include <algorithm>
#include <fmt/format.h>

namespace rdna::emu {
namespace {

class TraceMonitor final : public Monitor {
public:
  TraceMonitor(const TraceOptions &options, const LaunchState &launch, const CheckProgram &program)
      : options_(options), launch_(launch), program_(program), watcher_(options.watches) {}

  void groupBegins(const GroupView &group) override {
    group_ = group.id;
    chosenGroup_ = group.id == options_.workgroup;
  }
  Verdict before(Wave &w, const Inst &i) override;
  void after(Wave &w, const Inst &) override;
  void barrierPassed(const GroupView &) override { finish(); }
  void groupEnds(const GroupView &) override { finish(); }

private:
  bool chosen(const Wave &w) const {
    return chosenGroup_ && (!options_.wave || *options_.wave == w.number);
  }
  bool stopsAt(const Wave &w, const Inst &i) const;
  std::string where(const Wave &w, uint64_t offset) const;
  std::string accessesText(Wave &w, const InstPlan &plan, std::string_view label);
  void begin(Wave &w, const Inst &i, const InstPlan *plan);
  void finish();
  void dump(Wave &w, std::string_view why, const Inst &i);
  void print(std::string_view text) {
    if (!text.empty() && options_.print(text) == Verdict::Stop)
      verdict_ = Verdict::Stop;
  }

  const TraceOptions &options_;
  const LaunchState &launch_;
  const CheckProgram &program_;
  Watcher watcher_;
  std::array<uint32_t, 3> group_{};
  bool chosenGroup_ = false;
  Verdict verdict_ = Verdict::Continue;
  /// The instruction that executes now: its results are known when the next one begins, because an
  /// instruction may be several operations.
  Wave *current_ = nullptr;
  const InstPlan *plan_ = nullptr;
  uint64_t offset_ = 0;
  std::string text_;
};

bool TraceMonitor::stopsAt(const Wave &w, const Inst &i) const {
  return std::find(options_.breakpoints.begin(), options_.breakpoints.end(), i.offset) !=
             options_.breakpoints.end() ||
         (options_.stopAfter && w.executed >= *options_.stopAfter);
}

std::string TraceMonitor::where(const Wave &w, uint64_t offset) const {
  const std::string place = options_.place ? options_.place(offset) : "";
  return fmt::format("workgroup ({}, {}, {}) wave {} at {}{:#x}", group_[0], group_[1], group_[2],
                     w.number, place.empty() ? "" : place + ", offset ", offset);
}

std::string TraceMonitor::accessesText(Wave &w, const InstPlan &plan, std::string_view label) {
  const OpTraits &traits = opTraits(plan.facts().op);
  constexpr ElementType f32{ElementType::Kind::Float, 32};
  const Reading reading =
      traits.result == f32 || traits.source == f32 ? Reading::Float : Reading::Bits;
  std::string text;
  std::vector<RegRange> seen;
  for (const RegAccess &access : plan.facts().accesses) {
    if (label == "in" ? !access.reads() : !access.writes())
      continue;
    if (std::find(seen.begin(), seen.end(), access.reg) != seen.end())
      continue;
    seen.push_back(access.reg);
    const std::string value = registerText(w, access.reg, reading);
    if (!value.empty())
      text += fmt::format("      {:<4}{}\n", label, value);
  }
  return text;
}

void TraceMonitor::begin(Wave &w, const Inst &i, const InstPlan *plan) {
  const std::string place = options_.place ? options_.place(i.offset) : "";
  text_ = fmt::format("w{} #{:<5} {}{:#06x}  {}{}\n", w.number, w.executed + 1,
                      place.empty() ? "" : place + "  ", i.offset,
                      launch_.program->instructionAt(i.offset),
                      w.exec() == fullExec ? "" : fmt::format("   [exec {:#010x}]", w.exec()));
  if (plan)
    text_ += accessesText(w, *plan, "in");
}

/// Prints the instruction before this point, with its results.
void TraceMonitor::finish() {
  if (!current_)
    return;
  Wave &w = *current_;
  if (!text_.empty() && plan_)
    text_ += accessesText(w, *plan_, "out");
  print(text_);
  const std::string watched = watcher_.after(w);
  if (!watched.empty())
    print(watched +
          fmt::format("    {}: {}\n", where(w, offset_), launch_.program->instructionAt(offset_)));
  text_.clear();
  current_ = nullptr;
}

void TraceMonitor::dump(Wave &w, std::string_view why, const Inst &i) {
  print(fmt::format("{}: {}: {}\n", why, where(w, i.offset),
                    launch_.program->instructionAt(i.offset)));
  if (options_.registers == Show::Yes)
    print(registersText(w, launch_));
  if (options_.lds == Show::Yes)
    print("  LDS\n" + ldsText(w));
}

Monitor::Verdict TraceMonitor::before(Wave &w, const Inst &i) {
  if (i.count == 0)
    return verdict_;
  finish();
  const bool isChosen = chosen(w);
  if (isChosen && stopsAt(w, i)) {
    dump(w, "stopped", i);
    return Verdict::Stop;
  }
  const InstPlan *plan = program_.find(i);
  if (isChosen && plan && plan->facts().unit == Unit::End && options_.breakpoints.empty() &&
      !options_.stopAfter && (options_.registers == Show::Yes || options_.lds == Show::Yes))
    dump(w, "end", i);
  if (plan)
    watcher_.before(w, *plan);
  if (isChosen && options_.instructions == Show::Yes)
    begin(w, i, plan);
  current_ = &w;
  plan_ = plan;
  offset_ = i.offset;
  return verdict_;
}

/// A wave that stops with an error never begins another instruction.
void TraceMonitor::after(Wave &w, const Inst &i) {
  if (w.event == Event::None)
    return;
  finish();
  const bool failed = w.event != Event::End && w.event != Event::Barrier && w.event != Event::Yield;
  if (failed && chosen(w) && (options_.registers == Show::Yes || options_.lds == Show::Yes))
    dump(w, "failed", i);
}

class Tracer final : public MonitorFactory {
public:
  explicit Tracer(TraceOptions options) : options_(std::move(options)) {}
  std::unique_ptr<Monitor> create(const LaunchState &launch) override {
    if (!program_ || &program_->program() != launch.program)
      program_ = std::make_unique<CheckProgram>(*launch.program);
    return std::make_unique<TraceMonitor>(options_, launch, *program_);
  }
  Threads threads() const override { return Threads::One; }

private:
  const TraceOptions options_;
  std::unique_ptr<CheckProgram> program_;
};

} // namespace

std::unique_ptr<MonitorFactory> createTracer(TraceOptions options) {
  return std::make_unique<Tracer>(std::move(options));
}

} // namespace rdna::emu
