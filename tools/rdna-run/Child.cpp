#include "Child.h"

#include "Support/Diagnostic.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

namespace rdna::tool {

namespace {

/// As a shell says it: 127 not found, 126 found but not to be run.
constexpr int notFound = 127, notRunnable = 126;

} // namespace

llvm::Expected<std::string> runtimeFolder() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto prefix = self.parent_path().parent_path();
  for (const char *folder : {"lib/rdnakit/hip", RDNA_LIBDIR "/rdnakit/hip"})
    if (std::filesystem::exists(prefix / folder / "libamdhip64.so.7", error))
      return (prefix / folder).string();
  return makeError(Failure::NoBackend, "",
                   fmt::format("no libamdhip64.so.7 in {}/lib/rdnakit/hip", prefix.string()));
}

void becomeProgram(const std::vector<std::string> &command) {
  std::vector<char *> arguments;
  for (const std::string &argument : command)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  std::signal(SIGPIPE, SIG_DFL); // Programs inherit what is ignored.
  execvp(arguments[0], arguments.data());
  const int reason = errno;
  fmt::print(stderr, "rdna-run: error: {}: {}\n", command[0], std::strerror(reason));
  _exit(reason == ENOENT ? notFound : notRunnable);
}

llvm::Expected<int> runProgram(const std::vector<std::string> &command) {
  const pid_t child = fork();
  if (child < 0)
    return makeError(Failure::BadInput, "", fmt::format("fork: {}", std::strerror(errno)));
  if (child == 0)
    becomeProgram(command);
  // Ctrl-C goes to both; the program decides what it means, and this one still reads the report.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace rdna::tool
