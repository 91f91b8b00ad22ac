#include "Tune.h"

#include "Words.h"

#include "Run/Backend.h"
#include "Support/File.h"
#include "common/ModelInput.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <filesystem>

namespace rdna::dualfmac {

using namespace tune;

/// To be raised with every change of the generator or of the model that changes a figure.
static constexpr unsigned kMeasures = 3;

std::string tuneVersion() { return fmt::format("{}/{}", RDNA_VERSION, kMeasures); }

TuneCommand::TuneCommand(tool::Tool &tool) : tool_(tool) {
  tune_ = tool_.app().add_subcommand(
      "tune", "The best generated SGEMM kernels for sizes, by estimates and the timing model, "
              "checked on the emulator; results are kept in a database");
  tune_->require_subcommand(1);
  addRun(*tune_);
  addMerge(*tune_);
  addReport(*tune_);
}

void TuneCommand::addRun(CLI::App &tune) {
  run_ = tune.add_subcommand(
      "run", "Estimate every point of the space, give the best to the timing model, check the "
             "winner; what the database has is not measured again");
  tool_.addOutput(*run_);
  run_->add_option("--for", words_.device,
                   "The card (as hsaco-loader bench --device: 7900xtx, ..., or FILE.json)")
      ->required();
  run_->add_option("--size", words_.sizes, "MxNxK; may be given several times")
      ->required()
      ->allow_extra_args(false);
  run_->add_option("--layout", words_.layout, "nn, nt, tn or tt: is A, is B given transposed? (nn)")
      ->check(CLI::IsMember({"nn", "nt", "tn", "tt"}));
  addWord<generate::Order>(*run_, "--order", base_.order,
                           {{"row", generate::Order::Row}, {"col", generate::Order::Column}},
                           "row or col: how matrices lie in memory (row)");
  addWord<generate::Edges>(
      *run_, "--edges", base_.edges,
      {{"guarded", generate::Edges::Guarded}, {"exact", generate::Edges::Exact}},
      "guarded: any M, N and K; exact: multiples of the tile (guarded)");
  run_->add_option("--space", words_.space,
                   "Axes of the space, as JSON (docs/howto-tune.md); without it a few thousand "
                   "points");
  run_->add_option("--best", search_.best,
                   "So many points are given to the timing model, half of them the best by the "
                   "estimate, half the best of each kind; 0: all (32)")
      ->check(CLI::Range(0u, 1000000u));
  run_->add_option("--neighbours", search_.neighbours,
                   "Points beside the best of each kind (where elements come from, is K split) "
                   "that are given to the model as well, from better to better, whether the space "
                   "has them or not (0)")
      ->check(CLI::Range(0u, 1000u));
  run_->add_option("--time", search_.timed,
                   "So many of the best, each found right by the emulator before, are timed on the "
                   "GPU of this machine by HIP, and the fastest is the winner (0)")
      ->check(CLI::Range(0u, 1000u));
  run_->add_option("--threads", search_.threads, "0: as many as there are cores (0)")
      ->check(CLI::Range(0u, 1024u));
  run_->add_option("--seed", seed_, "Of the matrices' contents (1)")
      ->check(CLI::Range(uint64_t{0}, uint64_t{1} << 62));
  run_->add_option("--db", words_.database,
                   "The database: made if it is not there; several runs may use one at once, and "
                   "a run that was killed is continued by the same command. Without it nothing is "
                   "kept");
  run_->add_option("--kernels", words_.kernels,
                   "Write the winners and their launch descriptions into this folder");
  addEngine();
}

void TuneCommand::addEngine() {
  addWord<Words::Engine>(
      *run_, "--engine", words_.engine,
      {{"threads", Words::Engine::Threads}, {"slurm", Words::Engine::Slurm}},
      "threads: of this process; slurm: the tasks of job arrays on a cluster, for which --db is "
      "needed (threads)");
  run_->add_option("--jobs", cluster_.folder,
                   "With slurm: the folder of the tasks' files, which all nodes see (DB.jobs)");
  run_->add_option("--chunks", cluster_.chunks, "With slurm: tasks of a stage, at most (32)")
      ->check(CLI::Range(1u, 1000u));
  run_->add_option("--sbatch", cluster_.options,
                   "With slurm: an option of sbatch (--sbatch=--partition=long); may be given "
                   "several times")
      ->allow_extra_args(false);
  CLI::Option *chunk = run_->add_option(
      "--chunk", words_.chunk,
      "What a task does: of the points in --points every N-th, from the I-th on (0/8)");
  CLI::Option *points =
      run_->add_option("--points", words_.points, "With --chunk: a file with a point in each line");
  addWord<Stage>(*run_, "--stage", words_.stage,
                 {{"estimate", Stage::Estimate}, {"model", Stage::Model}},
                 "With --chunk: estimate or model")
      ->needs(chunk);
  points->needs(chunk);
  chunk->needs(points);
}

llvm::Expected<std::vector<Subject>> TuneCommand::subjects() const {
  auto machine = tool::readDevice(words_.device);
  if (!machine)
    return machine.takeError();
  std::vector<Subject> subjects;
  for (const std::string &size : words_.sizes) {
    auto problem = parseProblem(size, "--size");
    if (!problem)
      return problem.takeError();
    Subject subject{*machine, *problem, base_, seed_};
    subject.base.processor = machine->device().processor;
    const auto transpose = [&](size_t at) {
      return words_.layout[at] == 't' ? generate::Transpose::Yes : generate::Transpose::No;
    };
    subject.base.a = transpose(0);
    subject.base.b = transpose(1);
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

llvm::Expected<Space> TuneCommand::space() const {
  if (words_.space.empty())
    return Space();
  auto text = readInput(words_.space);
  if (!text)
    return text.takeError();
  return readSpace(*text, displayName(words_.space));
}

llvm::Expected<Chunk> parseChunk(const std::string &text) {
  const auto [first, second] = llvm::StringRef(text).split('/');
  Chunk chunk;
  if (first.getAsInteger(10, chunk.index) || second.getAsInteger(10, chunk.count) ||
      chunk.count == 0 || chunk.index >= chunk.count)
    return makeError(Failure::BadInput, "",
                     fmt::format("--chunk: '{}' is not I/N with I from 0 to N - 1", text));
  return chunk;
}

llvm::Expected<int> TuneCommand::runChunk(Store &store, const std::vector<Subject> &subjects,
                                          const Space &space) {
  auto chunk = parseChunk(words_.chunk);
  if (!chunk)
    return chunk.takeError();
  auto text = readInput(words_.points);
  if (!text)
    return text.takeError();
  std::vector<std::string> keys;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(*text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef line : lines)
    keys.push_back(line.str());
  for (const Subject &subject : subjects)
    if (llvm::Error error =
            measureChunk(store, space, subject, tuneVersion(), words_.stage, keys, *chunk, search_))
      return error;
  return 0;
}

/// What a task's command line says of the study; the same on every node.
std::vector<std::string> TuneCommand::taskWords(const Subject &subject) const {
  const auto absolute = [](const std::string &file) {
    return std::filesystem::absolute(file).string();
  };
  std::vector<std::string> words = {
      "--for",    words_.device.ends_with(".json") ? absolute(words_.device) : words_.device,
      "--size",   toString(subject.problem),
      "--layout", words_.layout,
      "--order",  base_.order == generate::Order::Row ? "row" : "col",
      "--edges",  base_.edges == generate::Edges::Exact ? "exact" : "guarded",
      "--seed",   std::to_string(seed_)};
  if (!words_.space.empty())
    words.insert(words.end(), {"--space", absolute(words_.space)});
  return words;
}

llvm::Expected<SlurmSearch> TuneCommand::slurm() const {
  if (words_.database.empty())
    return makeError(Failure::BadInput, "", "--engine slurm: --db is needed");
  if (words_.space == "-")
    return makeError(Failure::BadInput, "", "--engine slurm: the tasks cannot read --space -");
  SlurmSearch cluster = cluster_;
  cluster.folder =
      std::filesystem::absolute(cluster.folder.empty() ? words_.database + ".jobs" : cluster.folder)
          .string();
  std::error_code failed;
  cluster.tool = std::filesystem::read_symlink("/proc/self/exe", failed).string();
  if (failed)
    return makeError(Failure::BadInput, "/proc/self/exe", failed.message());
  cluster.words = [this](const Subject &subject) { return taskWords(subject); };
  cluster.version = tuneVersion();
  return cluster;
}

llvm::Error writeKernel(const tune::Point &point, const std::string &folder) {
  auto kernel = makeKernel(point);
  if (!kernel)
    return kernel.takeError();
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    return makeError(Failure::BadInput, folder, failed.message());
  const std::string path = folder + "/" + kernel->name;
  if (llvm::Error error = writeOutput(path + ".s", kernel->text))
    return error;
  if (llvm::Error error = writeOutput(path + ".json", kernel->launch))
    return error;
  return kernel->sumLaunch.empty() ? llvm::Error::success()
                                   : writeOutput(path + "_sum.json", kernel->sumLaunch);
}

llvm::Expected<int> TuneCommand::runSearch() {
  auto all = subjects();
  if (!all)
    return all.takeError();
  auto points = space();
  if (!points)
    return points.takeError();
  if (search_.timed != 0) // Before hours of work.
    if (auto card = run::createHipBackend(); !card)
      return card.takeError();
  auto store =
      Store::open(words_.database.empty() ? std::string(Store::kInMemory) : words_.database,
                  Store::Missing::IsMade);
  if (!store)
    return store.takeError();
  if (!words_.chunk.empty())
    return runChunk(**store, *all, *points);
  std::string text;
  int code = 0;
  for (const Subject &subject : *all) {
    std::optional<tool::Progress> bar;
    std::optional<Stage> shown;
    std::mutex mutex;
    SearchOptions options = search_;
    options.progress = [&](Stage stage, uint64_t done, uint64_t total) {
      const std::lock_guard lock(mutex);
      if (shown != stage) {
        bar.reset(); // One line for each stage.
        bar.emplace(fmt::format("{} {}", toString(subject.problem), toString(stage)));
        shown = stage;
      }
      bar->update(done, total);
    };
    if (words_.engine == Words::Engine::Slurm) {
      auto cluster = slurm();
      if (!cluster)
        return cluster.takeError();
      cluster->progress = options.progress;
      options.engine = slurmEngine(std::move(*cluster));
    }
    auto result = search(**store, *points, subject, tuneVersion(), options);
    bar.reset();
    if (!result)
      return result.takeError();
    text += searchTable(*result, subject);
    if (!result->winner) {
      code = static_cast<int>(Failure::Refused);
      continue;
    }
    const tune::Point &winner = result->points.legal[result->ranking[*result->winner].point];
    if (!words_.kernels.empty())
      if (llvm::Error error = writeKernel(winner, words_.kernels))
        return error;
  }
  if (llvm::Error error = tool_.print(text))
    return error;
  return code;
}

llvm::Expected<int> TuneCommand::run() {
  return run_->parsed() ? runSearch() : merge_->parsed() ? runMerge() : runReport();
}

} // namespace rdna::dualfmac
