// `dualfmac-sched generate`: loops and kernels from a specification.
#pragma once

#include "Generate/KernelText.h"
#include "Generate/LoopText.h"
#include "Library.h"
#include "common/Tool.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace rdna::dualfmac {

class GenerateCommand {
public:
  explicit GenerateCommand(tool::Tool &tool);
  GenerateCommand(const GenerateCommand &) = delete;
  /// Of the subcommand that was given.
  llvm::Expected<int> run();

private:
  struct Words {
    std::string tile, lanes = "4x8", vgprs = "0:255";
    std::optional<unsigned> fragments;
  };
  struct KernelWords {
    std::string blockTile = "128x128", threadTile = "8x16", layout = "nn", launchPath,
                sumLaunchPath, headerPath, device, size;
  };
  void addLoop(CLI::App &generate);
  void addKernel(CLI::App &generate);
  void addShape(std::vector<CLI::Option *> &tile);
  void addFiles(std::vector<CLI::Option *> &tile);
  void addChoice(const std::vector<CLI::Option *> &tile);
  void addLibrary(CLI::App &generate);
  llvm::Expected<generate::KernelText> chosenKernel() const;
  llvm::Expected<int> runLoop();
  llvm::Expected<int> runKernel();

  tool::Tool &tool_;
  CLI::App *loop_ = nullptr, *kernel_ = nullptr, *library_ = nullptr;
  CLI::Option *device_ = nullptr;
  Words loopWords_;
  generate::LoopSpec loopSpec_;
  std::string mapPath_;
  KernelWords kernelWords_;
  generate::KernelSpec kernelSpec_;
  LibraryRequest libraryRequest_;
};

/// `--map`: schema "dualfmac-sched-loop/1".
nlohmann::ordered_json toJson(const generate::LoopMap &map);

} // namespace rdna::dualfmac
