#include "Process.h"

#include "Support/Diagnostic.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

namespace rdna::hipclang {

namespace {

/// A tool of LLVM's that clang could not find is named without a folder.
llvm::Error cannotRun(const std::string &program, int reason) {
  const std::string_view name = llvm::sys::path::filename(program);
  std::string message = std::strerror(reason);
  if (reason == ENOENT && name == "clang-offload-bundler")
    message += "; on Debian it is in clang-tools-22 (of the compiler's version)";
  if (reason == ENOENT && name.starts_with("lld"))
    message += "; on Debian it is in lld-22 (of the compiler's version)";
  if (reason == ENOENT && name.starts_with("clang++"))
    message += "; on Debian: apt-get install clang-22, or say which by --rdna-clang";
  return makeError(Failure::NoBackend, program, message);
}

std::vector<char *> arguments(const std::vector<std::string> &words) {
  std::vector<char *> result;
  for (const std::string &word : words)
    result.push_back(const_cast<char *>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Descriptors are -1 where the child has this process's.
llvm::Expected<int> run(const std::vector<std::string> &words, int out, int err,
                        const std::string &folder) {
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0)
    return makeError(Failure::BadInput, "", fmt::format("pipe: {}", std::strerror(errno)));
  const pid_t child = fork();
  if (child < 0)
    return makeError(Failure::BadInput, "", fmt::format("fork: {}", std::strerror(errno)));
  if (child == 0) {
    std::signal(SIGPIPE, SIG_DFL); // Programs inherit what is ignored.
    if (out >= 0)
      dup2(out, STDOUT_FILENO);
    if (err >= 0)
      dup2(err, STDERR_FILENO);
    if (!folder.empty())
      setenv("TMPDIR", folder.c_str(), 1);
    execvp(words[0].c_str(), arguments(words).data());
    const int reason = errno;
    static_cast<void>(write(failure[1], &reason, sizeof reason));
    _exit(127);
  }
  close(failure[1]);
  int reason = 0;
  const bool failed = read(failure[0], &reason, sizeof reason) == sizeof reason;
  close(failure[0]);
  const int code = waitFor(child);
  if (failed)
    return cannotRun(words[0], reason);
  return code;
}

} // namespace

llvm::Expected<int> runProgram(const std::vector<std::string> &words) {
  return run(words, -1, -1, "");
}

llvm::Expected<Captured> captureProgram(const std::vector<std::string> &words,
                                        const std::string &folder) {
  // Files and no pipes: then nobody waits for the other.
  std::FILE *files[2] = {std::tmpfile(), std::tmpfile()};
  if (files[0] == nullptr || files[1] == nullptr)
    return makeError(Failure::BadInput, "", "no temporary file can be made");
  auto code = run(words, fileno(files[0]), fileno(files[1]), folder);
  Captured captured;
  for (std::string *text : {&captured.out, &captured.err}) {
    std::FILE *file = files[text == &captured.err];
    std::rewind(file);
    char buffer[1 << 14];
    while (const size_t count = std::fread(buffer, 1, sizeof buffer, file))
      text->append(buffer, count);
    std::fclose(file);
  }
  if (!code)
    return code.takeError();
  captured.code = *code;
  return captured;
}

llvm::Error becomeProgram(const std::vector<std::string> &words) {
  std::signal(SIGPIPE, SIG_DFL);
  execvp(words[0].c_str(), arguments(words).data());
  return cannotRun(words[0], errno);
}

llvm::Expected<int> workInFolder(const std::function<int(const std::string &folder)> &work) {
  llvm::SmallString<128> folder;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("rdna-clang", folder))
    return makeError(Failure::BadInput, "", "no temporary folder can be made: " + code.message());
  const std::string path = folder.str().str();
  static pid_t child; // For the handler.
  child = fork();
  if (child == 0)
    _exit(work(path));
  // Ctrl-C goes to all of the process group; what is sent to this process alone is handed on.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, [](int signal) { kill(child, signal); });
  const int code = child < 0 ? 1 : waitFor(child);
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
  return code;
}

} // namespace rdna::hipclang
