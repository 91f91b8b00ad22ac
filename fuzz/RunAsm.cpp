// Anything as the code of a dispatch, with memory of its own in place of the host's: called,
// checked, traced or stepped through.
#include "Dispatch.h"
#include "Emu/Check.h"
#include "Emu/Session.h"
#include "Emu/Trace.h"
#include "EmuApi/RawCode.h"
#include "EmuApi/ReportJson.h"
#include "FuzzTarget.h"

#include "llvm/Support/Error.h"

using namespace rdna;
using fuzz::Dispatch;

namespace {

void call(Dispatch &d) {
  const emu::Launch launch = d.launch();
  api::RawDispatch raw;
  raw.code = d.code;
  raw.grid = launch.grid;
  raw.block = launch.block;
  raw.kernarg = launch.kernarg.data();
  raw.rsrc2 = d.header.rsrc2;
  raw.scratchBytes = d.scratchBytes();
  raw.instructionBudget = launch.instructionBudget;
  raw.threads = launch.threads;
  raw.addressing = launch.addressing;
  raw.regions = launch.regions;
  llvm::consumeError(api::dispatch(raw));
}

void check(const emu::Program &program, emu::Launch launch) {
  const auto checker = emu::createChecker(emu::CheckSet::all());
  launch.observers = {checker.get()};
  // Half of the memory is output, which nobody may read before the kernel has written it.
  emu::MemoryRegion output = launch.regions[0];
  launch.regions[0].bytes /= 2;
  output.name = "output";
  output.data += launch.regions[0].bytes;
  output.bytes -= launch.regions[0].bytes;
  output.contents = emu::MemoryRegion::Contents::Undefined;
  launch.regions.push_back(output);
  auto result = program.run(launch);
  const std::vector<emu::Finding> findings = checker->takeFindings();
  if (result)
    api::reportJson(*result, findings);
  else
    llvm::consumeError(result.takeError());
}

void trace(const emu::Program &program, emu::Launch launch, const Dispatch &d) {
  emu::TraceOptions options;
  options.instructions = options.registers = options.lds = emu::Show::Yes;
  options.breakpoints = {d.code.size() / 8 * 4};
  options.watches = {{emu::WatchPoint::Space::Lds, "lds", d.header.scratch},
                     {emu::WatchPoint::Space::Global, "memory",
                      reinterpret_cast<uint64_t>(launch.regions[0].data) + 16 * d.header.scratch}};
  options.print = [](std::string_view) { return emu::Verdict::Continue; };
  const auto tracer = emu::createTracer(options);
  launch.observers = {tracer.get()};
  auto result = program.run(launch);
  if (!result)
    llvm::consumeError(result.takeError());
}

/// Some steps of each wave, jumps where they are possible, and on from breakpoint to breakpoint.
void step(const emu::Program &program, const emu::Launch &launch, const Dispatch &d) {
  auto session = program.debug(launch, {0, 0, 0});
  if (!session)
    return llvm::consumeError(session.takeError());
  for (unsigned n = 0; n < (*session)->waves(); ++n) {
    (*session)->jump(n, 4u * (d.header.scratch % 16));
    if (auto done = (*session)->step(n, d.header.blockX); !done)
      llvm::consumeError(done.takeError());
  }
  for (uint64_t offset = 0; offset < d.code.size(); offset += 24)
    (*session)->breakpoints.insert(offset);
  for (;;) {
    auto stopped = (*session)->resume();
    if (!stopped)
      return llvm::consumeError(stopped.takeError());
    if (!*stopped)
      return;
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto d = Dispatch::read(data, size);
  if (!d)
    return 0;
  const unsigned way = d->header.blockYZ >> 2 & 3;
  if (way == 0 || d->code.size() < 4) {
    call(*d);
    return 0;
  }
  auto program = emu::Program::create(api::rawImage(d->code, d->header.rsrc2, d->scratchBytes()));
  if (!program) {
    llvm::consumeError(program.takeError());
    return 0;
  }
  if (way == 1)
    check(**program, d->launch());
  else if (way == 2)
    trace(**program, d->launch(), *d);
  else
    step(**program, d->launch(), *d);
  return 0;
}
