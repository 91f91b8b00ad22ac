#include "Support/File.h"

#include "Support/Diagnostic.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rdna {

std::string displayName(const std::string &path) { return path == "-" ? "<stdin>" : path; }

llvm::Expected<std::string> readInput(const std::string &path) {
  const int fd = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return makeError(Failure::BadInput, path, std::strerror(errno));
  std::string text;
  char buffer[1 << 16];
  int failure = 0;
  for (;;) {
    const ssize_t count = read(fd, buffer, sizeof buffer);
    if (count > 0) {
      text.append(buffer, static_cast<size_t>(count));
      continue;
    }
    if (count < 0 && errno == EINTR)
      continue;
    failure = count < 0 ? errno : 0;
    break;
  }
  if (fd != STDIN_FILENO)
    close(fd);
  if (failure != 0)
    return makeError(Failure::BadInput, displayName(path), std::strerror(failure));
  return text;
}

static int writeAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return errno;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return 0;
}

llvm::Error writeOutput(const std::string &path, std::string_view text) {
  if (path == "-") {
    const int failure = writeAll(STDOUT_FILENO, text);
    // A reader that has enough (`| head`) is no error.
    if (failure != 0 && failure != EPIPE)
      return makeError(Failure::BadInput, "<stdout>", std::strerror(failure));
    return llvm::Error::success();
  }
  // A rename would replace a device or a pipe (such as /dev/null) by a plain file: write to those.
  struct stat status{};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    const int failure = fd < 0 ? errno : writeAll(fd, text);
    if (fd >= 0)
      close(fd);
    return failure == 0 ? llvm::Error::success()
                        : makeError(Failure::BadInput, path, std::strerror(failure));
  }
  // Replacing the name would silently turn a symbolic link into a file; follow it first.
  std::string target = path;
  if (char *resolved = realpath(path.c_str(), nullptr)) {
    target = resolved;
    std::free(resolved);
  }
  std::string temporary = target + ".XXXXXX";
  const int fd = mkstemp(temporary.data());
  if (fd < 0)
    return makeError(Failure::BadInput, path, std::strerror(errno));
  int failure = writeAll(fd, text);
  const mode_t mask = umask(0);
  umask(mask);
  if (failure == 0 && fchmod(fd, exists ? (status.st_mode & 07777) : (0666 & ~mask)) != 0)
    failure = errno;
  if (close(fd) != 0 && failure == 0)
    failure = errno;
  if (failure == 0 && rename(temporary.c_str(), target.c_str()) != 0)
    failure = errno;
  if (failure != 0) {
    unlink(temporary.c_str());
    return makeError(Failure::BadInput, path, std::strerror(failure));
  }
  return llvm::Error::success();
}

} // namespace rdna
