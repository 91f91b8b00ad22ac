// `dualfmac-sched batch`: many kernels rewritten, proven and run, with a table at the end.
#pragma once

#include "Tune/Batch.h"
#include "common/Tool.h"

#include <string>
#include <vector>

namespace rdna::dualfmac {

class BatchCommand {
public:
  explicit BatchCommand(tool::Tool &tool);
  BatchCommand(const BatchCommand &) = delete;
  bool parsed() const { return batch_->parsed(); }
  llvm::Expected<int> run();

private:
  llvm::Error runHere(const std::vector<std::string> &files);
  llvm::Error runOnCluster(const std::vector<std::string> &files);
  llvm::Expected<std::vector<std::string>> ofChunk(const std::vector<std::string> &files) const;

  tool::Tool &tool_;
  CLI::App *batch_ = nullptr;
  tune::Batch wanted_;
  enum class Engine { Threads, Slurm } engine_ = Engine::Threads;
  unsigned threads_ = 0, chunks_ = 32;
  std::string jobs_, chunk_;
  std::vector<std::string> sbatch_;
};

} // namespace rdna::dualfmac
