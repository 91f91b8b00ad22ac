//===- CKernel.cpp - kernels and launches ---------------------------------===//
#include "Emu/Check.h"
#include "EmuApi/Handles.h"
#include "EmuApi/RawCode.h"
#include "EmuApi/ReportJson.h"
#include "EmuLoad/KernelImage.h"
#include "Isa/Processor.h"

#include <algorithm>

using namespace rdna;
using namespace rdna::api;

static llvm::Error store(llvm::Expected<std::unique_ptr<emu::Program>> program,
                         rdna3emu_kernel **kernel) {
  if (!program)
    return program.takeError();
  *kernel = new rdna3emu_kernel{std::move(*program)};
  return llvm::Error::success();
}

static llvm::Error fromCodeObject(std::span<const std::byte> bytes, const char *name,
                                  rdna3emu_kernel **kernel) {
  auto object = object::readCodeObject({bytes.begin(), bytes.end()}, "code object");
  if (!object)
    return object.takeError();
  auto found = object->kernel(name ? name : "");
  if (!found)
    return found.takeError();
  if (!processorByName(object->target))
    return invalid(whyNotHandled(object->target));
  if (!(*found)->wave32)
    return invalid("kernel '" + (*found)->name + "' is for wave64, which is not emulated");
  return store(emu::Program::create(kernelImage(*object, **found)), kernel);
}

static llvm::Error fromCode(const rdna3emu_code &code, rdna3emu_kernel **kernel) {
  if (!code.code)
    return invalid("code is a null pointer");
  emu::KernelImage image = rawImage({static_cast<const std::byte *>(code.code), code.code_bytes},
                                    code.rsrc2, code.scratch_bytes);
  if (code.rsrc1)
    image.rsrc1 = code.rsrc1;
  if (code.name)
    image.name = code.name;
  image.entryOffset = code.entry_offset;
  return store(emu::Program::create(std::move(image)), kernel);
}

static llvm::Error run(const rdna3emu_kernel &kernel, const rdna3emu_launch &given,
                       rdna3emu_report **report, int32_t &status) {
  auto launch = launchOf(given);
  if (!launch)
    return launch.takeError();
  std::unique_ptr<emu::Checker> checker;
  if (given.checks) {
    auto checks = emu::parseChecks(given.checks);
    if (!checks)
      return checks.takeError();
    checker = emu::createChecker(*checks);
    launch->observers.push_back(checker.get());
  }
  if (given.progress)
    launch->progress = [&given](uint64_t done, uint64_t total) {
      given.progress(given.user, done, total);
    };
  auto result = kernel.program->run(*launch);
  if (!result)
    return result.takeError();
  const std::vector<emu::Finding> findings =
      checker ? checker->takeFindings() : std::vector<emu::Finding>();
  if (!result->outOfBounds.empty() || !findings.empty())
    status = RDNA3EMU_FINDINGS;
  if (report)
    *report = new rdna3emu_report{reportJson(*result, findings)};
  return llvm::Error::success();
}

extern "C" {

int32_t rdna3emu_kernel_from_code_object(const void *bytes, size_t size, const char *name,
                                         rdna3emu_kernel **kernel) {
  return guarded([&]() -> llvm::Error {
    if (!kernel)
      return invalid("kernel is a null pointer");
    *kernel = nullptr;
    if (!bytes)
      return invalid("bytes is a null pointer");
    return fromCodeObject({static_cast<const std::byte *>(bytes), size}, name, kernel);
  });
}

int32_t rdna3emu_kernel_from_code(const rdna3emu_code *code, rdna3emu_kernel **kernel) {
  return guarded([&]() -> llvm::Error {
    if (!kernel)
      return invalid("kernel is a null pointer");
    *kernel = nullptr;
    auto known = versioned(code, offsetof(rdna3emu_code, name) + sizeof(code->name));
    return known ? fromCode(*known, kernel) : known.takeError();
  });
}

void rdna3emu_kernel_free(rdna3emu_kernel *kernel) { delete kernel; }

int32_t rdna3emu_kernel_get_info(const rdna3emu_kernel *kernel, rdna3emu_kernel_info *info) {
  return guarded([&]() -> llvm::Error {
    if (!kernel)
      return invalid("kernel is a null pointer");
    if (!info || info->struct_size < sizeof info->struct_size)
      return invalid("info is a null pointer, or its struct_size is too small");
    const emu::KernelImage &image = kernel->program->image();
    const rdna3emu_kernel_info known = {info->struct_size,  image.ldsBytes,    image.scratchBytes,
                                        image.kernargBytes, image.entryOffset, image.codeBegin,
                                        image.codeEnd};
    std::memcpy(info, &known, std::min<size_t>(info->struct_size, sizeof known));
    return llvm::Error::success();
  });
}

int32_t rdna3emu_kernel_instruction(const rdna3emu_kernel *kernel, uint64_t offset, char *text,
                                    size_t size) {
  return guarded([&]() -> llvm::Error {
    if (!kernel || !text || size == 0)
      return invalid("kernel or text is a null pointer, or there is no room for a text");
    text[0] = 0;
    const emu::KernelImage &image = kernel->program->image();
    if (offset < image.codeBegin || offset >= image.codeEnd || offset % 4 != 0)
      return invalid("no instruction begins at this offset");
    const std::string full = kernel->program->instructionAt(offset);
    const size_t n = std::min(full.size(), size - 1);
    std::memcpy(text, full.data(), n);
    text[n] = 0;
    return llvm::Error::success();
  });
}

int32_t rdna3emu_run(const rdna3emu_kernel *kernel, const rdna3emu_launch *launch,
                     rdna3emu_report **report) {
  int32_t status = RDNA3EMU_OK;
  const int32_t failure = guarded([&]() -> llvm::Error {
    if (report)
      *report = nullptr;
    if (!kernel)
      return invalid("kernel is a null pointer");
    auto known = versioned(launch, offsetof(rdna3emu_launch, user) + sizeof(launch->user));
    return known ? run(*kernel, *known, report, status) : known.takeError();
  });
  return failure ? failure : status;
}

const char *rdna3emu_report_json(const rdna3emu_report *report) {
  return report ? report->json.c_str() : "";
}

void rdna3emu_report_free(rdna3emu_report *report) { delete report; }
}
