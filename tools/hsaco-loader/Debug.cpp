#include "Debug.h"

#include "Support/File.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

namespace rdna::loader {
namespace {

using llvm::StringRef;

llvm::Error usage(std::string_view message) { return makeError(Failure::BadInput, "", message); }

bool asksForDebugging(const Options &o) {
  return !o.trace.empty() || !o.breakpoints.empty() || !o.watches.empty() || o.stopAfter ||
         o.dumpRegisters || o.dumpLds;
}

llvm::Error checkOptions(const Options &o) {
  if (o.backend != "emulator")
    return usage("debugging needs the emulator");
  if (o.format == Format::Json || o.dump == "-")
    return usage("the debugging options write to standard output; --json and -o - do so too");
  return llvm::Error::success();
}

llvm::Expected<std::array<uint32_t, 3>> parseWorkgroup(const Options &o,
                                                       const run::ResolvedLaunch &launch) {
  std::array<uint32_t, 3> id{};
  llvm::SmallVector<StringRef, 3> parts;
  if (!o.workgroup.empty())
    StringRef(o.workgroup).split(parts, ',');
  bool valid = parts.size() <= 3;
  for (size_t d = 0; valid && d < parts.size(); ++d)
    valid = !parts[d].trim().getAsInteger(0, id[d]);
  if (!valid)
    return usage(fmt::format("--workgroup: '{}' is not of the form X,Y,Z", o.workgroup));
  for (unsigned d = 0; d < 3; ++d)
    if (id[d] >= launch.grid[d])
      return usage(fmt::format("--workgroup: ({}, {}, {}) is outside the grid of {} x {} x {}",
                               id[0], id[1], id[2], launch.grid[0], launch.grid[1],
                               launch.grid[2]));
  return id;
}

/// A LINE of the .s, a LABEL or an offset 0xN.
llvm::Expected<uint64_t> parsePlace(const std::string &text, const object::CodeObject &object) {
  uint64_t number = 0;
  if (StringRef(text).starts_with("0x") && !StringRef(text).getAsInteger(0, number))
    return number;
  if (!StringRef(text).getAsInteger(10, number)) {
    if (const auto address = object.addressOfLine(unsigned(std::min<uint64_t>(number, UINT32_MAX))))
      return *address;
    return usage(fmt::format("--break: no instruction at or behind line {} of {}", number,
                             object.lines.empty() ? "a code object without its .s" : object.file));
  }
  for (const object::SourceLabel &label : object.labels)
    if (label.name == text)
      if (const auto address = object.addressOfLine(label.line))
        return *address;
  for (const object::Kernel &kernel : object.kernels)
    if (kernel.name == text)
      return kernel.entryAddress;
  return usage(fmt::format("--break: no label '{}' in {}", text, object.file));
}

/// The buffer that the launch description calls so ("arg2" if it gives no name), or the metadata
/// the argument that is its address.
const run::Buffer *findBuffer(StringRef name, const object::Kernel &kernel,
                              const run::ResolvedLaunch &launch, const run::BufferSet &buffers) {
  for (const run::Buffer &buffer : buffers.buffers())
    if (buffer.facts.name == name)
      return &buffer;
  for (size_t n = 0; n < std::min(kernel.arguments.size(), launch.arguments.size()); ++n)
    if (kernel.arguments[n].name == name && launch.arguments[n].isAddress())
      return &buffers.buffers()[launch.arguments[n].addresses[0].buffer];
  return nullptr;
}

llvm::Expected<emu::WatchPoint> parseWatch(const std::string &text, const object::Kernel &kernel,
                                           const run::ResolvedLaunch &launch,
                                           const run::BufferSet &buffers) {
  const auto bad = [&](std::string_view why) {
    return usage(fmt::format("--watch: '{}': {}", text, why));
  };
  emu::WatchPoint watch;
  watch.name = text;
  const auto [name, offsetText] = StringRef(text).split('+');
  uint64_t offset = 0;
  if (!offsetText.empty() && offsetText.getAsInteger(0, offset))
    return bad("what follows + is no number");
  if (!name.getAsInteger(0, watch.address)) {
    watch.address += offset;
    for (const run::Buffer &buffer : buffers.buffers()) {
      const uint64_t into = watch.address - reinterpret_cast<uint64_t>(buffer.bytes.data());
      if (into < buffer.bytes.size() && buffer.bytes.size() - into >= emu::watchBytes)
        return watch;
    }
    return bad("this address is in no buffer");
  }
  if (name == "lds") {
    watch.space = emu::WatchPoint::Space::Lds;
    watch.address = offset;
    return watch;
  }
  const run::Buffer *buffer = findBuffer(name, kernel, launch, buffers);
  if (!buffer)
    return bad("no such buffer; they are called arg0, arg1, ... or as the launch description or "
               "the kernel call them");
  if (offset >= buffer->bytes.size() || buffer->bytes.size() - offset < emu::watchBytes)
    return bad(fmt::format("the buffer has only {} bytes", buffer->bytes.size()));
  watch.address = reinterpret_cast<uint64_t>(buffer->bytes.data()) + offset;
  return watch;
}

class DebuggerImpl final : public Debugger {
public:
  explicit DebuggerImpl(emu::TraceOptions options)
      : expectsStop_(!options.breakpoints.empty() || options.stopAfter) {
    options.print = [this](std::string_view text) { return print(text); };
    tracer_ = createTracer(std::move(options));
  }
  emu::Observer &observer() override { return *tracer_; }
  bool expectsStop() const override { return expectsStop_; }
  llvm::Error finish() override {
    flush();
    return std::move(error_);
  }

private:
  emu::Verdict print(std::string_view text) {
    pending_ += text;
    constexpr size_t enough = 1 << 16; // A write for each line would be most of the time.
    if (pending_.size() >= enough)
      flush();
    return failed_ ? emu::Verdict::Stop : emu::Verdict::Continue;
  }
  void flush() {
    if (!failed_ && !pending_.empty())
      if (llvm::Error error = writeOutput("-", pending_)) {
        llvm::consumeError(std::move(error_));
        error_ = std::move(error);
        failed_ = true;
      }
    pending_.clear();
  }

  const bool expectsStop_;
  bool failed_ = false;
  std::string pending_;
  llvm::Error error_ = llvm::Error::success();
  std::unique_ptr<emu::Observer> tracer_;
};

llvm::Error chooseWave(const Options &o, emu::TraceOptions &trace) {
  trace.wave = 0;
  if (o.trace.empty())
    return llvm::Error::success();
  trace.instructions = emu::Show::Yes;
  unsigned wave = 0;
  if (o.trace == "all")
    trace.wave = std::nullopt;
  else if (StringRef(o.trace).getAsInteger(10, wave))
    return usage(fmt::format("--trace: '{}' is neither the number of a wave nor all", o.trace));
  else
    trace.wave = wave;
  return llvm::Error::success();
}

} // namespace

llvm::Expected<std::unique_ptr<Debugger>>
createDebugger(const Job &job, const run::ResolvedLaunch &launch, const run::BufferSet &buffers) {
  const Options &o = job.options;
  if (!asksForDebugging(o))
    return nullptr;
  if (llvm::Error error = checkOptions(o))
    return error;
  emu::TraceOptions trace;
  auto workgroup = parseWorkgroup(o, launch);
  if (!workgroup)
    return workgroup.takeError();
  trace.workgroup = *workgroup;
  if (llvm::Error error = chooseWave(o, trace))
    return error;
  const uint32_t waves = (launch.block[0] * launch.block[1] * launch.block[2] + 31) / 32;
  if (trace.wave && *trace.wave >= waves)
    return usage(fmt::format("--trace: a workgroup has only {} waves", waves));
  for (const std::string &text : o.breakpoints) {
    auto place = parsePlace(text, job.object);
    if (!place)
      return place.takeError();
    trace.breakpoints.push_back(*place);
  }
  for (const std::string &text : o.watches) {
    auto watch = parseWatch(text, *job.plan.kernel, launch, buffers);
    if (!watch)
      return watch.takeError();
    trace.watches.push_back(std::move(*watch));
  }
  trace.stopAfter = o.stopAfter;
  // Whoever stops a wave wants to see something.
  const bool stops = o.stopAfter || !o.breakpoints.empty();
  trace.registers = o.dumpRegisters || stops ? emu::Show::Yes : emu::Show::No;
  trace.lds = o.dumpLds ? emu::Show::Yes : emu::Show::No;
  trace.place = [&object = job.object](uint64_t offset) {
    const unsigned line = object.lineAt(offset);
    return line ? fmt::format("{}:{}", object.file, line) : "";
  };
  return std::make_unique<DebuggerImpl>(std::move(trace));
}

} // namespace rdna::loader
