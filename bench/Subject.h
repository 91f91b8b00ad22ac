//===- Subject.h - a compiled kernel with its launch, ready to run --------===//
#pragma once

#include "Emu/Check.h"
#include "Emu/Emulator.h"
#include "Object/CodeObject.h"
#include "Run/Buffers.h"
#include "Run/Kernarg.h"
#include "Support/File.h"

#include <stdexcept>
#include <string>

namespace rdna::bench {

template <typename T> T unwrap(llvm::Expected<T> value) {
  if (!value)
    throw std::runtime_error(llvm::toString(value.takeError()));
  return std::move(*value);
}

/// A compiled kernel with its launch.
struct Subject {
  Subject(const std::string &assembly, const std::string &launchFile,
          const run::Parameters &parameters = {})
      : object(unwrap(object::loadCodeObject(assembly))),
        resolved(unwrap(run::resolve(
            unwrap(run::parseLaunchDescription(unwrap(readInput(launchFile)), launchFile)),
            parameters))),
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
  }
  double seconds(emu::Engine engine) {
    launch.observers.clear();
    launch.engine = engine;
    return unwrap(program->run(launch)).seconds;
  }
  /// Interpreted, with a checker or without.
  double seconds(emu::Checker *checker) {
    launch.engine = emu::Engine::Interpreter;
    launch.observers.clear();
    if (checker)
      launch.observers.push_back(checker);
    return unwrap(program->run(launch)).seconds;
  }

  object::CodeObject object;
  run::ResolvedLaunch resolved;
  std::unique_ptr<run::BufferSet> buffers;
  run::Kernarg kernarg;
  std::unique_ptr<emu::Program> program;
  emu::Launch launch;
};

} // namespace rdna::bench
