#include "HipRuntime/HostCallers.h"

#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Demangle/Demangle.h"

#include <fmt/format.h>

#include <array>
#include <dlfcn.h>
#include <execinfo.h>

namespace rdna::hip {

namespace {

constexpr int deepest = 64;
constexpr size_t mostCallers = 8;

const void *libraryOf(const void *address) {
  Dl_info info;
  return dladdr(address, &info) ? info.dli_fbase : nullptr;
}

/// The stubs that clang makes of kernels say nothing that the kernel's name does not.
bool isStub(const std::string &function) {
  return function.find("__device_stub__") != std::string::npos;
}

} // namespace

std::vector<void *> hostStack() {
  std::array<void *, deepest> addresses;
  const int count = backtrace(addresses.data(), deepest);
  return std::vector<void *>(addresses.begin(), addresses.begin() + count);
}

std::vector<std::string> describeStack(const std::vector<void *> &stack) {
  const void *self = libraryOf(reinterpret_cast<const void *>(&describeStack));
  std::vector<std::string> callers;
  llvm::symbolize::LLVMSymbolizer symbolizer;
  for (void *returns : stack) {
    Dl_info info;
    if (callers.size() == mostCallers)
      break;
    if (!dladdr(returns, &info) || info.dli_fbase == self || !info.dli_fname)
      continue;
    // A return address is behind its call, which may be the last instruction of its line.
    const auto address = reinterpret_cast<uint64_t>(returns) - 1;
    const uint64_t base = reinterpret_cast<uint64_t>(info.dli_fbase);
    auto place = symbolizer.symbolizeCode(
        info.dli_fname, {address - base, llvm::object::SectionedAddress::UndefSection});
    std::string function = info.dli_sname ? llvm::demangle(info.dli_sname) : "", text;
    if (place) {
      if (place->FunctionName != llvm::DILineInfo::BadString)
        function = place->FunctionName;
      if (place->Line != 0)
        text = fmt::format("{} at {}:{}", function, place->FileName, place->Line);
    } else {
      llvm::consumeError(place.takeError());
    }
    if (isStub(function))
      continue;
    if (text.empty())
      text = fmt::format("{} ({}+{:#x})", function.empty() ? "?" : function, info.dli_fname,
                         address - base);
    const bool isMain = function == "main";
    callers.push_back(std::move(text));
    if (isMain)
      break;
  }
  return callers;
}

} // namespace rdna::hip
