// Anything as a code object: read, judged as a loader would, decoded for the emulator.
#include "Object/CodeObject.h"
#include "EmuLoad/KernelImage.h"
#include "FuzzTarget.h"

using namespace rdna;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto *bytes = reinterpret_cast<const std::byte *>(data);
  auto object = object::readCodeObject({bytes, bytes + size}, "fuzz");
  if (!object) {
    llvm::consumeError(object.takeError());
    return 0;
  }
  lint(*object);
  for (const object::Kernel &kernel : object->kernels) {
    vgprsUsed(*object, kernel);
    if (auto program = emu::Program::create(kernelImage(*object, kernel)))
      (*program)->instructionAt(kernel.entryAddress);
    else
      llvm::consumeError(program.takeError());
  }
  return 0;
}
