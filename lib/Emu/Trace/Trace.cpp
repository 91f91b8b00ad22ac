//===- Trace.cpp - the listener behind a debugger's options ----------------===//
#include "Emu/Trace.h"

#include "Emu/Trace/Text.h"
#include "Emu/Trace/Watch.h"
#include "Isa/OpTraits.h"

#include <algorithm>
#include <fmt/format.h>

namespace rdna::emu {
namespace {

class TraceListener final : public Listener {
public:
  TraceListener(const TraceOptions &options, const LaunchState &launch)
      : options_(options), launch_(launch), watcher_(options.watches) {}

  void groupBegins(const GroupView &group) override {
    group_ = group.id;
    chosenGroup_ = group.id == options_.workgroup;
  }
  void before(Record &record) override;
  void after(Record &record) override;

private:
  bool chosen(const Wave &w) const {
    return chosenGroup_ && (!options_.wave || *options_.wave == w.number);
  }
  bool stopsAt(const Wave &w, const Inst &i) const;
  std::string where(const Wave &w, uint64_t offset) const;
  std::string accessesText(Wave &w, const InstPlan &plan, std::string_view label);
  void begin(const Record &record);
  void dump(Wave &w, std::string_view why, const Inst &i);
  void print(std::string_view text) {
    if (!text.empty() && options_.print(text) == Verdict::Stop)
      verdict_ = Verdict::Stop;
  }

  const TraceOptions &options_;
  const LaunchState &launch_;
  Watcher watcher_;
  std::array<uint32_t, 3> group_{};
  bool chosenGroup_ = false;
  Verdict verdict_ = Verdict::Continue;
  std::string text_; ///< Of the instruction that executes now.
};

bool TraceListener::stopsAt(const Wave &w, const Inst &i) const {
  return std::find(options_.breakpoints.begin(), options_.breakpoints.end(), i.offset) !=
             options_.breakpoints.end() ||
         (options_.stopAfter && w.executed >= *options_.stopAfter);
}

std::string TraceListener::where(const Wave &w, uint64_t offset) const {
  const std::string place = options_.place ? options_.place(offset) : "";
  return fmt::format("workgroup ({}, {}, {}) wave {} at {}{:#x}", group_[0], group_[1], group_[2],
                     w.number, place.empty() ? "" : place + ", offset ", offset);
}

std::string TraceListener::accessesText(Wave &w, const InstPlan &plan, std::string_view label) {
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

void TraceListener::begin(const Record &record) {
  Wave &w = record.wave();
  const std::string place = options_.place ? options_.place(record.offset()) : "";
  text_ = fmt::format("w{} #{:<5} {}{:#06x}  {}{}\n", w.number, w.executed + 1,
                      place.empty() ? "" : place + "  ", record.offset(),
                      launch_.program->instructionAt(record.offset()),
                      w.exec() == fullExec ? "" : fmt::format("   [exec {:#010x}]", w.exec()));
  if (record.plan())
    text_ += accessesText(w, *record.plan(), "in");
}

void TraceListener::dump(Wave &w, std::string_view why, const Inst &i) {
  print(fmt::format("{}: {}: {}\n", why, where(w, i.offset),
                    launch_.program->instructionAt(i.offset)));
  if (options_.registers == Show::Yes)
    print(registersText(w, launch_));
  if (options_.lds == Show::Yes)
    print("  LDS\n" + ldsText(w));
}

void TraceListener::before(Record &record) {
  Wave &w = record.wave();
  const Inst &i = record.inst();
  const bool isChosen = chosen(w);
  if (verdict_ == Verdict::Stop)
    return record.stop();
  if (isChosen && stopsAt(w, i)) {
    dump(w, "stopped", i);
    return record.stop();
  }
  const InstPlan *plan = record.plan();
  if (isChosen && plan && plan->facts().unit == Unit::End && options_.breakpoints.empty() &&
      !options_.stopAfter && (options_.registers == Show::Yes || options_.lds == Show::Yes))
    dump(w, "end", i);
  watcher_.before(record);
  if (isChosen && options_.instructions == Show::Yes)
    begin(record);
}

/// Prints the instruction with its results.
void TraceListener::after(Record &record) {
  Wave &w = record.wave();
  if (!text_.empty() && record.plan())
    text_ += accessesText(w, *record.plan(), "out");
  print(text_);
  text_.clear();
  const std::string watched = watcher_.after(w);
  if (!watched.empty())
    print(watched + fmt::format("    {}: {}\n", where(w, record.offset()),
                                launch_.program->instructionAt(record.offset())));
  // A wave that stops with an error never begins another instruction.
  const bool failed = w.event != Event::None && w.event != Event::End &&
                      w.event != Event::Barrier && w.event != Event::Yield;
  if (failed && chosen(w) && (options_.registers == Show::Yes || options_.lds == Show::Yes))
    dump(w, "failed", record.inst());
}

class Tracer final : public Observer {
public:
  explicit Tracer(TraceOptions options) : options_(std::move(options)) {}
  Selection selection() const override {
    if (!options_.watches.empty())
      return {};
    Selection chosen{{options_.workgroup}, {}};
    if (options_.wave)
      chosen.waves.insert(*options_.wave);
    return chosen;
  }
  std::unique_ptr<Listener> create(const LaunchState &launch) override {
    return std::make_unique<TraceListener>(options_, launch);
  }
  Threads threads(const Launch &) const override { return Threads::One; }

private:
  const TraceOptions options_;
};

} // namespace

std::unique_ptr<Observer> createTracer(TraceOptions options) {
  return std::make_unique<Tracer>(std::move(options));
}

} // namespace rdna::emu
