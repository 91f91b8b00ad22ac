//===- Slurm.h - tasks on a cluster, as arrays of jobs ---------------------===//
//
// A task is a command with the task's number in it, that leaves a file behind when it is done. What
// has left none when its job is over is submitted again; what has is never run twice. The number of
// the job is kept in the folder, so that who comes later waits for it and does not submit another.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Support/Diagnostic.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace rdna::tune {

struct TaskArray {
  std::string folder; ///< All nodes must see it under this name. Made if it is not there.
  /// A shell command that makes doneFile as its last deed; $SLURM_ARRAY_TASK_ID is the task's
  /// number.
  std::string command;
  unsigned tasks = 0;
  std::vector<std::string> options; ///< Of sbatch: "--partition=long".
  unsigned attempts = 3;            ///< Of each task.
  unsigned pollSeconds = 2;
  std::function<void(uint64_t done, uint64_t total)> progress;
};

/// FOLDER/task-N.done: what a task leaves behind when it is done.
std::string doneFile(const std::string &folder, unsigned task);
/// Returns when every task is done. Failure::NoBackend where there is no Slurm.
llvm::Error runArray(const TaskArray &array);

/// A word of a shell command.
std::string shellQuoted(const std::string &word);

} // namespace rdna::tune
