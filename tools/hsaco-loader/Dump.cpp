#include "Dump.h"

#include "Run/Npy.h"
#include "Support/Diagnostic.h"
#include "Support/File.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

namespace rdna::loader {

/// One file for each output, called as the launch description calls it.
enum class DumpAs { Bytes, Npy };
static llvm::Error dumpOutputs(const std::string &folder, const run::BufferSet &buffers,
                               DumpAs as) {
  if (const std::error_code error = llvm::sys::fs::create_directories(folder))
    return makeError(Failure::BadInput, folder, "cannot make the folder: " + error.message());
  for (const run::Buffer &buffer : buffers.buffers()) {
    if (!buffer.facts.isOutput())
      continue;
    const std::string_view bytes = {reinterpret_cast<const char *>(buffer.bytes.data()),
                                    buffer.bytes.size()};
    // numpy has no bfloat16: its bits are 16-bit numbers there.
    const std::string path =
        fmt::format("{}/{}.{}", folder, buffer.facts.name, as == DumpAs::Npy ? "npy" : "bin");
    if (llvm::Error error = writeOutput(
            path, as == DumpAs::Npy ? run::npyText(buffer.facts.type, bytes) : std::string(bytes)))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error dumpOutputs(const Options &options, const run::BufferSet &buffers,
                        const std::string &number) {
  for (const auto &[folder, as] :
       {std::pair(&options.dumpOutputs, DumpAs::Bytes), std::pair(&options.dumpNpy, DumpAs::Npy)})
    if (!folder->empty())
      if (llvm::Error error =
              dumpOutputs(number.empty() ? *folder : *folder + "/" + number, buffers, as))
        return error;
  return llvm::Error::success();
}

} // namespace rdna::loader
