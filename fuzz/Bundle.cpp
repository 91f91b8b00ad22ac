// Anything as a fat binary, and as the content of a kernel's printf.
#include "FuzzTarget.h"
#include "HipRuntime/Hostcall.h"
#include "Object/FatBinary.h"

#include <cstring>

using namespace rdna;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte *>(data), size);
  if (auto code = object::codeFor(bytes, "gfx1100"); !code)
    llvm::consumeError(code.takeError());
  if (auto fat = object::readFatFile(bytes); !fat)
    llvm::consumeError(fat.takeError());
  std::vector<uint64_t> words(size / 8);
  if (!words.empty())
    std::memcpy(words.data(), data, words.size() * 8);
  hip::formatMessage(words);
  return 0;
}
