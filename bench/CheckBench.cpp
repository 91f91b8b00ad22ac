//===- CheckBench.cpp - what --check costs --------------------------------===//
//
// Each check on kernel 5 at N = 128 and on a histogram, one host thread: `times` is the ratio to
// the plain interpreter, measured alternately in one run.
//
//===----------------------------------------------------------------------===//
#include "Emu/Check.h"
#include "Object/CodeObject.h"
#include "Run/Buffers.h"
#include "Run/Kernarg.h"
#include "Support/File.h"

#include <benchmark/benchmark.h>

#include <string>

using namespace rdna;

namespace {

template <typename T> T unwrap(llvm::Expected<T> value) {
  if (!value)
    throw std::runtime_error(llvm::toString(value.takeError()));
  return std::move(*value);
}

/// A compiled kernel with its launch.
struct Subject {
  Subject(const std::string &assembly, const std::string &launchFile)
      : object(unwrap(object::loadCodeObject(assembly))),
        resolved(unwrap(run::resolve(
            unwrap(run::parseLaunchDescription(unwrap(readInput(launchFile)), launchFile)), {}))),
        buffers(unwrap(run::BufferSet::allocate(resolved))) {
    const object::Kernel &kernel = *unwrap(object.kernel(resolved.kernel));
    emu::KernelImage image;
    image.name = kernel.name;
    image.image = object.image;
    image.entryOffset = kernel.entryAddress;
    for (const auto &segment : object.segments)
      if (segment.kind == object::CodeObject::Segment::Kind::Code) {
        image.codeBegin = segment.address;
        image.codeEnd = segment.address + segment.bytes;
      }
    image.rsrc1 = kernel.rsrc1;
    image.rsrc2 = kernel.rsrc2;
    image.rsrc3 = kernel.rsrc3;
    image.codeProperties = kernel.codeProperties;
    image.ldsBytes = kernel.ldsBytes;
    image.scratchBytes = kernel.scratchBytes;
    image.kernargBytes = kernel.kernargBytes;
    image.relativeRelocations = object.addressWords;
    program = unwrap(emu::Program::create(std::move(image)));
    buffers->fill(1);
    std::vector<uint64_t> addresses;
    for (const run::Buffer &buffer : buffers->buffers()) {
      addresses.push_back(reinterpret_cast<uint64_t>(buffer.bytes.data()));
      launch.regions.push_back({buffer.facts.name, buffer.bytes.data(), buffer.bytes.size()});
    }
    kernarg = unwrap(run::packKernarg(kernel, resolved, addresses));
    kernarg.bytes.resize((kernarg.bytes.size() + 15) / 16 * 16);
    launch.kernarg = kernarg.bytes;
    launch.grid = resolved.grid;
    launch.block = resolved.block;
    launch.dynamicLdsBytes = resolved.dynamicLdsBytes;
    launch.threads = 1;
    launch.engine = emu::Engine::Interpreter;
  }
  double seconds(emu::Checker *checker) {
    launch.monitors.clear();
    if (checker)
      launch.monitors.push_back(checker);
    return unwrap(program->run(launch)).seconds;
  }

  object::CodeObject object;
  run::ResolvedLaunch resolved;
  std::unique_ptr<run::BufferSet> buffers;
  run::Kernarg kernarg;
  std::unique_ptr<emu::Program> program;
  emu::Launch launch;
};

void check(benchmark::State &state, const std::string &kernel, const std::string &launch,
           const std::string &checks) {
  try {
    Subject subject(kernel, launch);
    auto checker = emu::createChecker(unwrap(emu::parseChecks(checks)));
    double plain = 0, checked = 0;
    for (auto _ : state) {
      plain += subject.seconds(nullptr);
      checked += subject.seconds(checker.get());
    }
    state.counters["times"] = checked / plain;
  } catch (const std::exception &error) {
    state.SkipWithError(error.what());
  }
}

[[maybe_unused]] const bool registered = [] {
  const std::string kernels = RDNA_KERNEL_DIR;
  const struct {
    std::string name, assembly, launch;
  } subjects[] = {
      {"kernel5", kernels + "/kernel5.clang-22.O3.s", RDNA_SOURCE_DIR "/templates/kernel5.json"},
      {"histogram", kernels + "/corpus/histogram.clang-22.O3.s",
       RDNA_SOURCE_DIR "/tests/corpus/histogram.json"}};
  for (const auto &subject : subjects)
    for (const char *checks : {"waits", "races", "barriers", "bounds", "uninit", "registers",
                               "hazards", "misuse", "all"})
      benchmark::RegisterBenchmark(("check/" + subject.name + "/" + checks).c_str(), check,
                                   subject.assembly, subject.launch, checks)
          ->Unit(benchmark::kMillisecond);
  return true;
}();

} // namespace
