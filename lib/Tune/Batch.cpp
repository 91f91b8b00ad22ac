#include "Tune/Batch.h"

#include "Analysis/Metrics.h"
#include "Object/CodeObject.h"
#include "Pipeline/Registry.h"
#include "Run/Verify.h"
#include "Support/File.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <numeric>

namespace rdna::tune {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Verdict = BatchResult::Verdict;

std::string_view toString(Verdict verdict) {
  constexpr std::array<std::string_view, 4> names = {"improved", "unchanged", "refused", "WRONG"};
  return names[static_cast<size_t>(verdict)];
}

llvm::Expected<std::vector<std::string>> batchFiles(const std::string &folder) {
  std::error_code failed;
  std::vector<std::string> files;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed))
    if (entry->path().extension() == ".s")
      files.push_back(entry->path().filename().string());
  if (failed)
    return makeError(Failure::BadInput, folder, failed.message());
  if (files.empty())
    return makeError(Failure::BadInput, folder, "there is no .s file in this folder");
  llvm::sort(files);
  return files;
}

//===----------------------------------------------------------------------===//
// Results as files
//===----------------------------------------------------------------------===//

static std::string resultFile(const Batch &batch, const std::string &file) {
  return fmt::format("{}/{}.result.json", batch.out, file);
}

/// That of "gemm.clang-22.O3.s" may be called "gemm.json".
static std::string launchFile(const Batch &batch, const std::string &file) {
  const std::string own = (fs::path(batch.folder) / file).replace_extension(".json").string();
  return fs::exists(own) ? own
                         : fmt::format("{}/{}.json", batch.folder, file.substr(0, file.find('.')));
}

/// Of everything that the result follows from.
static std::string hashOf(const Batch &batch, const std::string &file) {
  std::string all = fmt::format("{} {}\n", batch.version, batch.seed);
  for (const std::string &path : {batch.folder + "/" + file, launchFile(batch, file)})
    if (auto text = readInput(path))
      all += fmt::format("{}\n{}", text->size(), *text);
    else
      llvm::consumeError(text.takeError());
  return llvm::utohexstr(llvm::xxh3_64bits(all), /*LowerCase=*/true);
}

static Json toJson(const BatchCounts &c) {
  return {{"valu", c.valu},
          {"dual_fmac", c.dualFmac},
          {"single_fmac", c.singleFmac},
          {"source_bank_conflicts", c.conflicts},
          {"vgprs", c.vgprs}};
}

static BatchCounts countsFrom(const Json &json) {
  return {json.value("valu", 0u), json.value("dual_fmac", 0u), json.value("single_fmac", 0u),
          json.value("source_bank_conflicts", 0u), json.value("vgprs", 0u)};
}

static llvm::Error write(const Batch &batch, const BatchResult &r) {
  const Json json = {{"schema", "dualfmac-sched-batch/1"},
                     {"file", r.file},
                     {"hash", hashOf(batch, r.file)},
                     {"verdict", toString(r.verdict)},
                     {"verdict_number", static_cast<unsigned>(r.verdict)},
                     {"reason", r.reason},
                     {"run", r.run},
                     {"kernels", r.kernels},
                     {"steps", r.steps},
                     {"before", toJson(r.before)},
                     {"after", toJson(r.after)},
                     {"seconds", r.seconds}};
  return writeOutput(resultFile(batch, r.file),
                     json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::optional<BatchResult> knownResult(const Batch &batch, const std::string &file) {
  auto text = readInput(resultFile(batch, file));
  if (!text) {
    llvm::consumeError(text.takeError());
    return std::nullopt;
  }
  const Json json = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || json.value("hash", "") != hashOf(batch, file))
    return std::nullopt;
  BatchResult r;
  r.file = file;
  r.verdict = static_cast<Verdict>(std::min(json.value("verdict_number", 0u), 3u));
  r.reason = json.value("reason", "");
  r.run = json.value("run", "");
  r.kernels = json.value("kernels", size_t{0});
  r.steps = json.value("steps", size_t{0});
  r.before = countsFrom(json.value("before", Json::object()));
  r.after = countsFrom(json.value("after", Json::object()));
  r.seconds = json.value("seconds", 0.0);
  return r;
}

//===----------------------------------------------------------------------===//
// One file
//===----------------------------------------------------------------------===//

static BatchCounts countsOf(const Module &module) {
  std::vector<uint32_t> all(module.instructions().size());
  std::iota(all.begin(), all.end(), 0u);
  const LoopMetrics m = measure(module, all);
  return {m.valu, m.dualFmac, m.singleFmac, m.sourceBankConflicts, 0};
}

static std::string messageOf(llvm::Error error) {
  std::string text;
  llvm::handleAllErrors(
      std::move(error),
      [&](const InputError &input) {
        const Diagnostic &first = input.diagnostics().front();
        text =
            first.line == 0 ? first.message : fmt::format("line {}: {}", first.line, first.message);
      },
      [&](const llvm::ErrorInfoBase &other) { text = other.message(); });
  return text;
}

/// Both on the emulator; an empty problem is none.
struct Comparison {
  std::string asked, problem;
};

static llvm::Expected<Comparison> compare(const Batch &batch, const BatchResult &result,
                                          const std::string &before, const std::string &after) {
  const std::string path = launchFile(batch, result.file);
  auto text = readInput(path);
  if (!text) {
    llvm::consumeError(text.takeError());
    return Comparison{"no launch description", ""};
  }
  auto description = run::parseLaunchDescription(*text, path);
  if (!description)
    return description.takeError();
  auto original = object::loadCodeObjectBytes(before, result.file);
  if (!original)
    return original.takeError();
  auto rewritten = object::loadCodeObjectBytes(after, result.file);
  if (!rewritten)
    return rewritten.takeError();
  const std::string &name = description->kernel;
  auto old = original->kernel(name), now = rewritten->kernel(name);
  if (!old || !now)
    return llvm::joinErrors(old.takeError(), now.takeError());
  run::VerifyOptions options;
  options.seed = batch.seed;
  options.run.threads = 1; // Files are worked on side by side.
  const auto backend = run::createEmulatorBackend();
  auto cases =
      run::verify(*backend, *description, {&*rewritten, *now}, {&*original, *old}, options);
  if (!cases)
    return cases.takeError();
  for (const run::VerifyCase &done : *cases)
    if (!done.problems.empty())
      return Comparison{"", done.problems.front()};
  return Comparison{"same bits as before", ""};
}

static llvm::Error rewriteFile(const Batch &batch, BatchResult &result) {
  auto text = readInput(batch.folder + "/" + result.file);
  if (!text)
    return text.takeError();
  auto module = Module::parse(*text, result.file);
  if (!module)
    return module.takeError();
  result.before = countsOf(**module);
  auto done = runPipeline(std::move(*module), {.passes = choosePasses({})});
  if (!done)
    return done.takeError();
  auto after = Module::parse(done->text, result.file);
  if (!after)
    return after.takeError();
  result.after = countsOf(**after);
  result.kernels = done->kernels.size();
  result.steps = done->steps.size();
  for (const KernelChange &kernel : done->kernels) {
    result.before.vgprs = std::max(result.before.vgprs, kernel.before.vgprs);
    result.after.vgprs = std::max(result.after.vgprs, kernel.after.vgprs);
  }
  if (done->text == *text) {
    result.reason = done->remarks.empty() ? "" : done->remarks.front().message;
    result.run = "not needed";
  } else {
    result.verdict = Verdict::Improved;
    auto comparison = compare(batch, result, *text, done->text);
    if (!comparison)
      return comparison.takeError();
    result.run = comparison->asked;
    if (!comparison->problem.empty()) {
      result.verdict = Verdict::Wrong;
      result.reason = comparison->problem;
      return llvm::Error::success(); // Nobody gets that text.
    }
  }
  return writeOutput(batch.out + "/" + result.file, done->text);
}

llvm::Expected<BatchResult> runFile(const Batch &batch, const std::string &file) {
  const auto start = std::chrono::steady_clock::now();
  BatchResult result;
  result.file = file;
  if (llvm::Error error = rewriteFile(batch, result)) {
    result.verdict = Verdict::Refused;
    result.reason = messageOf(std::move(error));
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  result.seconds = took.count();
  if (llvm::Error error = write(batch, result))
    return error;
  return result;
}

llvm::Error runFiles(const Batch &batch, const std::vector<std::string> &files, unsigned threads,
                     const std::function<void(uint64_t done, uint64_t total)> &progress) {
  std::error_code failed;
  fs::create_directories(batch.out, failed);
  if (failed)
    return makeError(Failure::BadInput, batch.out, failed.message());
  tbb::task_arena arena(threads == 0 ? tbb::task_arena::automatic : static_cast<int>(threads));
  std::atomic<uint64_t> done = 0;
  std::atomic<bool> isOver = false;
  std::mutex mutex;
  llvm::Error first = llvm::Error::success();
  arena.execute([&] {
    tbb::parallel_for(size_t{0}, files.size(), [&](size_t n) {
      if (isOver)
        return;
      if (!knownResult(batch, files[n])) {
        auto result = runFile(batch, files[n]);
        if (!result) {
          const std::lock_guard lock(mutex);
          isOver = true;
          first = llvm::joinErrors(std::move(first), result.takeError());
          return;
        }
      }
      const uint64_t now = ++done;
      if (progress)
        progress(now, files.size());
    });
  });
  return first;
}

} // namespace rdna::tune
