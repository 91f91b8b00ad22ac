#include "Tune/Slurm.h"

#include "Support/File.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

namespace rdna::tune {

namespace fs = std::filesystem;

std::string doneFile(const std::string &folder, unsigned task) {
  return fmt::format("{}/task-{}.done", folder, task);
}

std::string shellQuoted(const std::string &word) {
  const bool isPlain = !word.empty() && llvm::all_of(word, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("_-+=./:,@%").contains(c);
  });
  if (isPlain)
    return word;
  std::string quoted = "'";
  for (const char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

namespace {

struct Answer {
  int code = 0;
  std::string out, err;
};

llvm::Error fail(std::string_view message) { return makeError(Failure::BadInput, "", message); }

class ArrayRun {
public:
  explicit ArrayRun(const TaskArray &array) : array_(array) {}
  llvm::Error run();

private:
  std::string path(std::string_view name) const {
    return fmt::format("{}/{}", array_.folder, name);
  }
  llvm::Expected<Answer> ask(std::string_view program, const std::vector<std::string> &words);
  std::vector<unsigned> missing() const;
  llvm::Expected<std::string> submit(const std::vector<unsigned> &tasks);
  /// Until the job is over.
  llvm::Error wait(const std::string &job);
  llvm::Expected<bool> isOver(const std::string &job);
  llvm::Error giveUp(const std::vector<unsigned> &tasks) const;

  const TaskArray &array_;
  unsigned unanswered_ = 0; ///< Questions in a row.
};

llvm::Expected<Answer> ArrayRun::ask(std::string_view program,
                                     const std::vector<std::string> &words) {
  auto found = llvm::sys::findProgramByName(llvm::StringRef(program));
  if (!found)
    return makeError(Failure::NoBackend, "",
                     fmt::format("--engine slurm: there is no {} here", program));
  std::vector<llvm::StringRef> arguments{*found};
  arguments.insert(arguments.end(), words.begin(), words.end());
  const std::string out = path(fmt::format("{}.out", program)),
                    err = path(fmt::format("{}.err", program));
  const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), llvm::StringRef(out),
                                                      llvm::StringRef(err)};
  for (const std::string &file : {out, err}) { // What is redirected into them is not cut to length.
    std::error_code ignored;
    fs::remove(file, ignored);
  }
  Answer answer;
  answer.code = llvm::sys::ExecuteAndWait(*found, arguments, std::nullopt, redirects);
  for (const auto &[file, text] : {std::pair(&out, &answer.out), std::pair(&err, &answer.err)}) {
    auto contents = readInput(*file);
    if (!contents)
      return contents.takeError();
    *text = llvm::StringRef(*contents).trim().str();
  }
  return answer;
}

std::vector<unsigned> ArrayRun::missing() const {
  std::vector<unsigned> tasks;
  for (unsigned task = 0; task < array_.tasks; ++task)
    if (!fs::exists(doneFile(array_.folder, task)))
      tasks.push_back(task);
  if (array_.progress)
    array_.progress(array_.tasks - tasks.size(), array_.tasks);
  return tasks;
}

llvm::Expected<std::string> ArrayRun::submit(const std::vector<unsigned> &tasks) {
  const std::string script = path("task.sh");
  if (llvm::Error error = writeOutput(script, fmt::format("#!/bin/sh\n{}\n", array_.command)))
    return error;
  std::vector<std::string> words = {"--parsable",
                                    "--requeue",
                                    fmt::format("--array={}", fmt::join(tasks, ",")),
                                    fmt::format("--output={}", path("task-%a.log")),
                                    fmt::format("--chdir={}", array_.folder),
                                    "--job-name=rdnakit"};
  words.insert(words.end(), array_.options.begin(), array_.options.end());
  words.push_back(script);
  auto answer = ask("sbatch", words);
  if (!answer)
    return answer.takeError();
  // "12", or "12;cluster".
  const std::string job = llvm::StringRef(answer->out).split(';').first.str();
  if (answer->code != 0 || job.empty() || !llvm::all_of(job, llvm::isDigit))
    return fail(
        fmt::format("sbatch refused the job: {}", answer->err.empty() ? answer->out : answer->err));
  if (llvm::Error error = writeOutput(path("job"), job))
    return error;
  return job;
}

llvm::Expected<bool> ArrayRun::isOver(const std::string &job) {
  auto answer = ask("squeue", {"--noheader", "--array", "--jobs=" + job, "--format=%i|%r"});
  if (!answer)
    return answer.takeError();
  if (answer->code != 0) {
    if (llvm::StringRef(answer->err).contains("Invalid job id")) // It is forgotten already.
      return true;
    constexpr unsigned most = 100;
    if (++unanswered_ < most)
      return false;
    return fail(fmt::format("Slurm does not answer: {}. What was finished is kept; run the same "
                            "command again, it goes on from there",
                            answer->err));
  }
  unanswered_ = 0;
  // A task that could not be started waits for an administrator. We start it anew.
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(answer->out).split(lines, '\n', -1, /*KeepEmpty=*/false);
  size_t held = 0;
  for (const llvm::StringRef line : lines)
    if (const auto [task, reason] = line.split('|'); reason.contains("held")) {
      auto cancelled = ask("scancel", {task.str()});
      if (!cancelled)
        return cancelled.takeError();
      ++held;
    }
  return lines.size() == held;
}

llvm::Error ArrayRun::wait(const std::string &job) {
  for (;;) {
    auto over = isOver(job);
    if (!over)
      return over.takeError();
    missing(); // For the progress.
    if (*over)
      return llvm::Error::success();
    std::this_thread::sleep_for(std::chrono::seconds(array_.pollSeconds));
  }
}

llvm::Error ArrayRun::giveUp(const std::vector<unsigned> &tasks) const {
  std::string last;
  if (auto log = readInput(path(fmt::format("task-{}.log", tasks.front()))))
    last = llvm::StringRef(*log).trim().rsplit('\n').second.empty()
               ? llvm::StringRef(*log).trim().str()
               : llvm::StringRef(*log).trim().rsplit('\n').second.str();
  else
    llvm::consumeError(log.takeError());
  return fail(fmt::format("{} of {} tasks did not finish in {} attempts; the first is task {}, "
                          "whose log {} ends: {}",
                          tasks.size(), array_.tasks, array_.attempts, tasks.front(),
                          path(fmt::format("task-{}.log", tasks.front())),
                          last.empty() ? "(nothing)" : last));
}

llvm::Error ArrayRun::run() {
  std::error_code failed;
  fs::create_directories(array_.folder, failed);
  if (failed)
    return makeError(Failure::BadInput, array_.folder, failed.message());
  // Somebody may have submitted it already, and have ended since.
  if (fs::exists(path("job"))) {
    auto job = readInput(path("job"));
    if (!job)
      return job.takeError();
    if (llvm::Error error = wait(llvm::StringRef(*job).trim().str()))
      return error;
  }
  for (unsigned attempt = 0; attempt < array_.attempts; ++attempt) {
    const std::vector<unsigned> tasks = missing();
    if (tasks.empty())
      return llvm::Error::success();
    auto job = submit(tasks);
    if (!job)
      return job.takeError();
    if (llvm::Error error = wait(*job))
      return error;
  }
  const std::vector<unsigned> tasks = missing();
  return tasks.empty() ? llvm::Error::success() : giveUp(tasks);
}

} // namespace

llvm::Error runArray(const TaskArray &array) { return ArrayRun(array).run(); }

} // namespace rdna::tune
