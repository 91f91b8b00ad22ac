#include "BatchCommand.h"

#include "Tune.h"
#include "Words.h"

#include "Tune/Slurm.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

#include <filesystem>

namespace rdna::dualfmac {

using namespace tune;
using Verdict = BatchResult::Verdict;

BatchCommand::BatchCommand(tool::Tool &tool) : tool_(tool) {
  batch_ = tool.app().add_subcommand(
      "batch", "Rewrite every .s file of a folder with all passes, prove each step, and run the "
               "result against the original on the emulator where NAME.json describes a launch; "
               "what is done is not done again");
  batch_->add_option("FOLDER", wanted_.folder, "With the files")->required();
  tool.addOutput(*batch_);
  batch_->add_option("--out", wanted_.out, "The folder for rewritten files and their results")
      ->required();
  batch_->add_option("--seed", wanted_.seed, "Of the launches' inputs (1)")
      ->check(CLI::Range(uint64_t{0}, uint64_t{1} << 62));
  batch_->add_option("--threads", threads_, "0: as many as there are cores (0)")
      ->check(CLI::Range(0u, 1024u));
  addWord<Engine>(*batch_, "--engine", engine_,
                  {{"threads", Engine::Threads}, {"slurm", Engine::Slurm}},
                  "threads: of this process; slurm: the tasks of a job array (threads)");
  batch_->add_option("--jobs", jobs_,
                     "With slurm: the folder of the tasks' files, which all nodes "
                     "see (OUT/jobs)");
  batch_->add_option("--chunks", chunks_, "With slurm: tasks, at most (32)")
      ->check(CLI::Range(1u, 1000u));
  batch_->add_option("--sbatch", sbatch_, "With slurm: an option of sbatch")
      ->allow_extra_args(false);
  batch_->add_option("--chunk", chunk_, "What a task does: every N-th file from the I-th on (0/8)");
}

llvm::Expected<std::vector<std::string>>
BatchCommand::ofChunk(const std::vector<std::string> &files) const {
  auto chunk = parseChunk(chunk_);
  if (!chunk)
    return chunk.takeError();
  std::vector<std::string> mine;
  for (size_t n = chunk->index; n < files.size(); n += chunk->count)
    mine.push_back(files[n]);
  return mine;
}

llvm::Error BatchCommand::runHere(const std::vector<std::string> &files) {
  tool::Progress bar("files");
  return runFiles(wanted_, files, threads_,
                  [&](uint64_t done, uint64_t total) { bar.update(done, total); });
}

llvm::Error BatchCommand::runOnCluster(const std::vector<std::string> &files) {
  std::vector<std::string> missing;
  for (const std::string &file : files)
    if (!knownResult(wanted_, file))
      missing.push_back(file);
  if (missing.empty())
    return llvm::Error::success();
  const auto absolute = [](const std::string &path) {
    return shellQuoted(std::filesystem::absolute(path).string());
  };
  std::error_code failed;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", failed).string();
  if (failed)
    return makeError(Failure::BadInput, "/proc/self/exe", failed.message());
  TaskArray array;
  array.tasks = std::min<size_t>(chunks_, files.size());
  // By what there is to be done, so that whoever comes later finds the same tasks.
  const std::string what =
      fmt::format("{} {} {}", array.tasks, wanted_.version, fmt::join(missing, "\n"));
  const std::string jobs = jobs_.empty() ? wanted_.out + "/jobs" : jobs_;
  array.folder = std::filesystem::absolute(jobs).string() + "/batch-" +
                 llvm::utohexstr(llvm::xxh3_64bits(what), /*LowerCase=*/true);
  array.command = fmt::format(
      "{} batch {} --out {} --seed {} --chunk $SLURM_ARRAY_TASK_ID/{} --threads "
      "${{SLURM_CPUS_PER_TASK:-1}} -o /dev/null && : > {}/task-$SLURM_ARRAY_TASK_ID.done",
      shellQuoted(program), absolute(wanted_.folder), absolute(wanted_.out), wanted_.seed,
      array.tasks, shellQuoted(array.folder));
  array.options = sbatch_;
  tool::Progress bar("tasks");
  array.progress = [&](uint64_t done, uint64_t total) { bar.update(done, total); };
  return runArray(array);
}

static std::string line(const BatchResult &r) {
  const auto change = [](unsigned before, unsigned after) {
    return before == after ? fmt::format("{}", before) : fmt::format("{} -> {}", before, after);
  };
  std::string text = fmt::format(
      "{:<36} {:<9} {:>7} {:>14} {:>14} {:>14} {:>12}  {}", r.file, toString(r.verdict), r.kernels,
      change(r.before.valu, r.after.valu), change(r.before.dualFmac, r.after.dualFmac),
      change(r.before.conflicts, r.after.conflicts), change(r.before.vgprs, r.after.vgprs), r.run);
  const bool saysWhy = r.verdict == Verdict::Refused || r.verdict == Verdict::Wrong;
  return text + (saysWhy ? fmt::format("\n    {}\n", r.reason) : "\n");
}

llvm::Expected<int> BatchCommand::run() {
  wanted_.version = tuneVersion();
  auto files = batchFiles(wanted_.folder);
  if (!files)
    return files.takeError();
  std::error_code ignored;
  if (std::filesystem::equivalent(wanted_.folder, wanted_.out, ignored))
    return makeError(Failure::BadInput, wanted_.out,
                     "--out is the folder of the originals, which would be overwritten");
  if (!chunk_.empty()) {
    auto mine = ofChunk(*files);
    if (!mine)
      return mine.takeError();
    *files = std::move(*mine);
  }
  if (llvm::Error error = engine_ == Engine::Slurm ? runOnCluster(*files) : runHere(*files))
    return error;
  std::string text =
      fmt::format("{:<36} {:<9} {:>7} {:>14} {:>14} {:>14} {:>12}  {}\n", "file", "verdict",
                  "kernels", "VALU", "dual FMACs", "conflicts", "VGPRs", "on the emulator");
  std::map<Verdict, size_t> counts;
  for (const std::string &file : *files) {
    const auto result = knownResult(wanted_, file);
    if (!result)
      return makeError(Failure::BadInput, file, "no task has left a result of this file");
    ++counts[result->verdict];
    text += line(*result);
  }
  text += fmt::format("{} files:", files->size());
  for (const auto &[verdict, count] : counts)
    text += fmt::format(" {} {}", count, toString(verdict));
  if (llvm::Error error = tool_.print(text + '\n'))
    return error;
  // A task has done its work when every file has its result, whatever it says.
  return counts.contains(Verdict::Wrong) && chunk_.empty() ? static_cast<int>(Failure::Refused) : 0;
}

} // namespace rdna::dualfmac
