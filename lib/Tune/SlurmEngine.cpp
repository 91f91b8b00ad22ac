#include "Tune/SlurmEngine.h"

#include "Support/Diagnostic.h"
#include "Support/File.h"
#include "Tune/Slurm.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

#include <filesystem>

namespace rdna::tune {

namespace {

class ClusterStage {
public:
  ClusterStage(const SlurmSearch &search, Store &store, Stage stage, const Subject &subject)
      : search_(search), store_(store), stage_(stage), subject_(subject) {}
  llvm::Error run(std::span<const Point> points, std::span<const int64_t> ids);

private:
  llvm::Error submit(const std::vector<std::string> &keys) const;
  llvm::Error collect(const std::string &folder, unsigned tasks,
                      std::span<const int64_t> ids) const;
  std::string command(const std::string &folder, unsigned tasks) const;

  const SlurmSearch &search_;
  Store &store_;
  Stage stage_;
  const Subject &subject_;
  std::vector<int64_t> mine_;
};

std::string ClusterStage::command(const std::string &folder, unsigned tasks) const {
  const std::string task = "$SLURM_ARRAY_TASK_ID";
  std::string text = shellQuoted(search_.tool) + " tune run";
  for (const std::string &word : search_.words(subject_))
    text += ' ' + shellQuoted(word);
  return text + fmt::format(" --stage {} --points {} --chunk {}/{} --db {}/part-{}.db"
                            " --threads ${{SLURM_CPUS_PER_TASK:-1}} && : > {}/task-{}.done",
                            toString(stage_), shellQuoted(folder + "/points"), task, tasks,
                            shellQuoted(folder), task, shellQuoted(folder), task);
}

llvm::Error ClusterStage::submit(const std::vector<std::string> &keys) const {
  std::string list;
  for (const std::string &key : keys)
    list += key + '\n';
  const unsigned tasks = std::min<size_t>(search_.chunks, keys.size());
  const std::string name = fmt::format("{} {} {}\n{}", studyOf(subject_, search_.version).text(),
                                       toString(stage_), tasks, list);
  TaskArray array;
  array.folder = fmt::format("{}/{}-{}", search_.folder, toString(stage_),
                             llvm::utohexstr(llvm::xxh3_64bits(name), /*LowerCase=*/true));
  std::error_code failed;
  std::filesystem::create_directories(array.folder, failed);
  if (failed)
    return makeError(Failure::BadInput, array.folder, failed.message());
  if (llvm::Error error = writeOutput(array.folder + "/points", list))
    return error;
  array.command = command(array.folder, tasks);
  array.tasks = tasks;
  array.options = search_.options;
  array.pollSeconds = search_.pollSeconds;
  array.progress = [this](uint64_t done, uint64_t total) {
    if (search_.progress)
      search_.progress(stage_, done, total);
  };
  if (llvm::Error error = runArray(array))
    return error;
  return collect(array.folder, tasks, mine_);
}

llvm::Error ClusterStage::collect(const std::string &folder, unsigned tasks,
                                  std::span<const int64_t> ids) const {
  for (unsigned task = 0; task < tasks; ++task)
    if (auto merged = store_.merge(fmt::format("{}/part-{}.db", folder, task)); !merged)
      return merged.takeError();
  auto results = store_.results(ids, stage_);
  if (!results)
    return results.takeError();
  for (const auto &result : *results)
    if (!result)
      return makeError(Failure::BadInput, folder,
                       "the tasks' results are of another study: is the program on the nodes of "
                       "another version, or the card's file another one?");
  return llvm::Error::success();
}

llvm::Error ClusterStage::run(std::span<const Point> points, std::span<const int64_t> ids) {
  if (llvm::Error error = store_.releaseDead())
    return error;
  std::vector<std::string> keys;
  for (size_t n = 0; n < points.size(); ++n) {
    auto claim = store_.claim(ids[n], stage_);
    if (!claim)
      return claim.takeError();
    if (*claim != Store::Claim::Mine)
      continue;
    keys.push_back(keyOf(points[n]));
    mine_.push_back(ids[n]);
  }
  return keys.empty() ? llvm::Error::success() : submit(keys);
}

} // namespace

Engine slurmEngine(SlurmSearch search) {
  return [search = std::move(search)](Store &store, std::span<const Point> points,
                                      std::span<const int64_t> ids, Stage stage,
                                      const Subject &subject) -> llvm::Error {
    if (llvm::Error error = ClusterStage(search, store, stage, subject).run(points, ids))
      return error;
    // What another tuner is at is waited for; there is nothing else left.
    return measureAll(store, points, ids, stage, subject, {});
  };
}

} // namespace rdna::tune
