#include "Object/CodeObject.h"

#include "Support/Diagnostic.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

#if LLVM_ADDRESS_SANITIZER_BUILD
// LLVM's bump allocator is a template that poisons its slabs where it is compiled with
// AddressSanitizer. lld's objects are not, and call whichever copy the linker kept: a copy of ours
// poisons what lld then uses. One use of llvm::EquivalenceClasses anywhere is enough for that.
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0"; }
#endif

namespace rdna::object {

/// "ld.lld: error: undefined symbol: f\n>>> referenced by ..." as messages without the program's
/// and the temporary file's names.
static llvm::Error linkError(llvm::StringRef text, llvm::StringRef objectPath) {
  std::vector<Diagnostic> diagnostics;
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    std::string message = line.rtrim().str();
    for (size_t at; (at = message.find(objectPath)) != std::string::npos;)
      message.replace(at, objectPath.size(), "<object>");
    llvm::StringRef rest = message;
    Diagnostic diagnostic;
    diagnostic.severity = Severity::Note;
    if (rest.consume_front("ld.lld: error: "))
      diagnostic.severity = Severity::Error;
    else if (rest.consume_front("ld.lld: warning: "))
      diagnostic.severity = Severity::Warning;
    else
      rest.consume_front(">>> ");
    if (rest.empty())
      continue;
    diagnostic.message = "link: " + rest.str();
    diagnostics.push_back(std::move(diagnostic));
  }
  if (diagnostics.empty())
    return makeError(Failure::BadInput, "", "link: lld failed without a message");
  return llvm::make_error<InputError>(Failure::BadInput, std::move(diagnostics));
}

llvm::Expected<std::vector<std::byte>> link(const std::vector<std::byte> &object) {
  // lld takes its input from a file and renames its output into place, so both are files.
  llvm::SmallString<128> input, output;
  int inputFd = -1;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile("rdnakit", "o", inputFd, input))
    return makeError(Failure::BadInput, "", "cannot create a temporary file: " + code.message());
  llvm::scope_exit removeInput([&] { llvm::sys::fs::remove(input); });
  {
    llvm::raw_fd_ostream stream(inputFd, true);
    stream.write(reinterpret_cast<const char *>(object.data()), object.size());
    stream.flush();
    if (stream.has_error()) {
      const std::string reason = stream.error().message();
      stream.clear_error();
      return makeError(Failure::BadInput, input.str().str(), reason);
    }
  }
  if (std::error_code code = llvm::sys::fs::createTemporaryFile("rdnakit", "hsaco", output))
    return makeError(Failure::BadInput, "", "cannot create a temporary file: " + code.message());
  llvm::scope_exit removeOutput([&] { llvm::sys::fs::remove(output); });

  std::string messages;
  {
    static std::mutex mutex; // Two threads inside lld crash at once.
    static bool usable = true;
    const std::lock_guard lock(mutex);
    if (!usable)
      return makeError(Failure::BadInput, "", "link: lld crashed earlier in this process");
    const char *arguments[] = {"ld.lld",      "-shared", "--no-undefined", "--threads=1",
                               input.c_str(), "-o",      output.c_str()};
    llvm::raw_string_ostream stream(messages);
    const lld::Result result =
        lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
    usable = result.canRunAgain;
    if (result.retCode != 0)
      return linkError(messages, input);
  }
  auto buffer = llvm::MemoryBuffer::getFile(output, false, false);
  if (!buffer)
    return makeError(Failure::BadInput, "", "link: " + buffer.getError().message());
  const auto *begin = reinterpret_cast<const std::byte *>((*buffer)->getBufferStart());
  return std::vector<std::byte>(begin, begin + (*buffer)->getBufferSize());
}

} // namespace rdna::object
