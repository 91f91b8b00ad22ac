// `dualfmac-sched tune`: the best generated kernel for sizes, and what was found on the way.
#pragma once

#include "Tune/SlurmEngine.h"
#include "common/Tool.h"

#include <string>
#include <vector>

namespace rdna::dualfmac {

class TuneCommand {
public:
  explicit TuneCommand(tool::Tool &tool);
  TuneCommand(const TuneCommand &) = delete;
  bool parsed() const { return tune_->parsed(); }
  /// Of the subcommand that was given.
  llvm::Expected<int> run();

private:
  struct Words {
    std::vector<std::string> sizes;
    std::string device, layout = "nn", space, database, kernels, chunk, points;
    tune::Stage stage = tune::Stage::Estimate;
    enum class Engine { Threads, Slurm } engine = Engine::Threads;
  };
  void addEngine();
  void addRun(CLI::App &tune);
  void addMerge(CLI::App &tune);
  void addReport(CLI::App &tune);
  llvm::Expected<std::vector<tune::Subject>> subjects() const;
  llvm::Expected<tune::Space> space() const;
  llvm::Expected<tune::SlurmSearch> slurm() const;
  std::vector<std::string> taskWords(const tune::Subject &subject) const;
  llvm::Expected<int> runSearch();
  llvm::Expected<int> runChunk(tune::Store &store, const std::vector<tune::Subject> &subjects,
                               const tune::Space &space);
  llvm::Expected<int> runMerge();
  llvm::Expected<int> runReport();

  tool::Tool &tool_;
  CLI::App *tune_ = nullptr, *run_ = nullptr, *merge_ = nullptr, *report_ = nullptr;
  Words words_;
  generate::KernelSpec base_;
  uint64_t seed_ = 1;
  tune::SearchOptions search_;
  tune::SlurmSearch cluster_;
  std::string into_;
  std::vector<std::string> from_;
  struct Report {
    std::string database, html;
    enum class Form { Text, Csv, Json } form = Form::Text;
  } wanted_;
};

/// The version that results carry: what another one has measured is not taken for ours.
std::string tuneVersion();
/// "3/8".
llvm::Expected<tune::Chunk> parseChunk(const std::string &text);

/// The table of one size: what was cut and why, the ranking, the winner.
std::string searchTable(const tune::SearchResult &result, const tune::Subject &subject);
/// Writes the winner's text and launch description into `folder`.
llvm::Error writeKernel(const tune::Point &point, const std::string &folder);

} // namespace rdna::dualfmac
