#include "Isolate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace rdna::fuzz {

/// A guard against endless loops, not a measure: what ends at all ends in a hundredth of it.
static constexpr unsigned watchdogSeconds = 300;

namespace {
struct Child {
  pid_t pid = 0;
  std::FILE *file = nullptr;
};
} // namespace

static Child start(const std::function<void(const Sink &)> &work) {
  Child child;
  child.file = std::tmpfile();
  if (!child.file)
    throw std::runtime_error("no temporary file");
  std::fflush(nullptr);
  child.pid = fork();
  if (child.pid < 0)
    throw std::runtime_error("no process");
  if (child.pid > 0)
    return child;
  alarm(watchdogSeconds);
  int code = 0;
  try {
    work([&](const std::string &line) {
      std::fputs((line + "\n").c_str(), child.file);
      std::fflush(child.file);
    });
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    code = 1;
  }
  std::fflush(nullptr);
  _exit(code);
}

static Isolated finish(const Child &child, int status) {
  Isolated result;
  std::rewind(child.file);
  char buffer[4096];
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, child.file)) > 0;)
    result.output.append(buffer, n);
  std::fclose(child.file);
  if (WIFSIGNALED(status))
    result.failure =
        WTERMSIG(status) == SIGALRM ? "no end" : fmt::format("signal {}", WTERMSIG(status));
  else if (WEXITSTATUS(status) != 0)
    result.failure = fmt::format("exit code {}", WEXITSTATUS(status));
  return result;
}

void isolateAll(size_t count, unsigned jobs, const std::function<bool()> &goesOn,
                const std::function<void(size_t, const Sink &)> &work,
                const std::function<void(size_t, Isolated)> &done) {
  std::map<size_t, Child> running;
  std::map<size_t, Isolated> finished;
  size_t next = 0, handedOver = 0;
  for (;;) {
    while (next < count && running.size() < std::max(jobs, 1U) && goesOn()) {
      const size_t number = next++;
      running[number] = start([&](const Sink &sink) { work(number, sink); });
    }
    if (running.empty())
      break;
    int status = 0;
    const pid_t pid = waitpid(-1, &status, 0);
    const auto it = std::find_if(running.begin(), running.end(),
                                 [&](const auto &entry) { return entry.second.pid == pid; });
    if (it == running.end())
      continue;
    finished[it->first] = finish(it->second, status);
    running.erase(it);
    for (auto ready = finished.find(handedOver); ready != finished.end();
         ready = finished.find(handedOver)) {
      done(handedOver++, std::move(ready->second));
      finished.erase(ready);
    }
  }
}

Isolated isolate(const std::function<void(const Sink &)> &work) {
  const Child child = start(work);
  int status = 0;
  waitpid(child.pid, &status, 0);
  return finish(child, status);
}

} // namespace rdna::fuzz
