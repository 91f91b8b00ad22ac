#include "Generate.h"

#include "Choose.h"
#include "Words.h"

#include "Generate/Hints.h"
#include "Support/File.h"
#include "common/ModelInput.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <map>

namespace rdna::dualfmac {

using generate::Source;

/// "8x16" or "0:191" as two numbers.
static llvm::Expected<std::pair<unsigned, unsigned>>
twoNumbers(const std::string &option, const std::string &text, char between) {
  const size_t at = text.find(between);
  const auto number = [](const std::string &digits) -> std::optional<unsigned> {
    if (digits.empty() || digits.size() > 6 ||
        digits.find_first_not_of("0123456789") != std::string::npos)
      return std::nullopt;
    return std::stoul(digits);
  };
  const auto first = number(text.substr(0, at));
  const auto second = at == std::string::npos ? std::nullopt : number(text.substr(at + 1));
  if (!first || !second)
    return makeError(Failure::BadInput, "",
                     fmt::format("{}: '{}' is not of the form 8{}16", option, text, between));
  return std::pair(*first, *second);
}

GenerateCommand::GenerateCommand(tool::Tool &tool) : tool_(tool) {
  CLI::App &generate = *tool.app().add_subcommand(
      "generate", "Make a loop of dual FMACs, or a whole SGEMM kernel, from the size of its tile");
  generate.require_subcommand(1);
  addLoop(generate);
  addKernel(generate);
  addLibrary(generate);
}

void GenerateCommand::addLoop(CLI::App &generate) {
  loop_ = generate.add_subcommand("loop", "The steps of an outer product, unrolled, for a kernel "
                                          "of your own; registers are in its comments");
  tool_.addOutput(*loop_);
  loop_->add_option("--tile", loopWords_.tile, "Rows and columns of C a lane: 8x16")->required();
  loop_->add_option("--steps", loopSpec_.tile.steps, "How many steps (8)")
      ->default_val(8)
      ->check(CLI::Range(1u, 256u));
  loop_->add_option("--lanes", loopWords_.lanes, "Rows and columns of lanes of a wave (4x8)");
  addWord<Source>(*loop_, "--a", loopSpec_.tile.a,
                  {{"lds", Source::Lds}, {"scalar", Source::Scalar}, {"vgpr", Source::Vgpr}},
                  "Where the elements of A come from: lds, scalar (SGPRs, for lanes 1x32), vgpr");
  addWord<Source>(*loop_, "--b", loopSpec_.tile.b, {{"lds", Source::Lds}, {"vgpr", Source::Vgpr}},
                  "The same of B: lds, vgpr");
  loop_->add_option("--a-stride", loopSpec_.aStride, "Bytes from step to step (dense)");
  loop_->add_option("--b-stride", loopSpec_.bStride, "The same of B");
  loop_->add_option("--vgprs", loopWords_.vgprs, "Registers to use, FIRST:LAST (0:255)");
  loop_->add_option("--fragments", loopWords_.fragments,
                    "Sets of registers for the elements; with 2 those of the next step are loaded "
                    "while one computes (1, for scalar A 2)");
  addWord<generate::Syntax>(
      *loop_, "--syntax", loopSpec_.syntax,
      {{"block", generate::Syntax::Block}, {"macro", generate::Syntax::Macro}},
      "block: instructions; macro: inside of .macro and .endm");
  loop_->add_option("--map", mapPath_, "Write which register holds what to this file, as JSON");
}

void GenerateCommand::addKernel(CLI::App &generate) {
  kernel_ = generate.add_subcommand(
      "kernel",
      "An SGEMM: C = alpha * op(A) * op(B) + beta * C, with sizes, leading dimensions and "
      "factors as arguments; sums are in the order of k");
  tool_.addOutput(*kernel_);
  std::vector<CLI::Option *> tile;
  addShape(tile);
  addFiles(tile);
  addChoice(tile);
}

/// What cannot be said beside --for goes to `tile`.
void GenerateCommand::addShape(std::vector<CLI::Option *> &tile) {
  generate::KernelSpec &spec = kernelSpec_;
  tile.push_back(kernel_->add_option("--block-tile", kernelWords_.blockTile,
                                     "Rows and columns of C a workgroup (128x128)"));
  tile.push_back(kernel_->add_option("--thread-tile", kernelWords_.threadTile,
                                     "Rows and columns of C a work-item (8x16)"));
  tile.push_back(kernel_->add_option("--bk", spec.bk,
                                     "Steps of K between two barriers: a power of 2 up to 32 (8)"));
  tile.push_back(kernel_->add_option(
      "--waves", spec.waves,
      "Waves of a workgroup; follows from the tiles, and is refused if it does not agree"));
  kernel_
      ->add_option("--layout", kernelWords_.layout,
                   "nn, nt, tn or tt: is A, is B given transposed? (nn)")
      ->check(CLI::IsMember({"nn", "nt", "tn", "tt"}));
  addWord<generate::Order>(*kernel_, "--order", spec.order,
                           {{"row", generate::Order::Row}, {"col", generate::Order::Column}},
                           "row or col: how matrices lie in memory (row)");
  addWord<Source>(*kernel_, "--a", spec.source, {{"lds", Source::Lds}, {"scalar", Source::Scalar}},
                  "Where elements of A come from: lds; scalar: a wave has them in SGPRs, for A "
                  "transposed (lds); with --order col those of B");
  addWord<Source>(*kernel_, "--b", spec.otherSource,
                  {{"lds", Source::Lds}, {"direct", Source::Vgpr}},
                  "Where those of the other matrix come from: lds; direct: each lane loads its own "
                  "from memory, several steps ahead, and nothing is in LDS, for --a scalar (lds)");
  addWord<generate::Hints>(
      *kernel_, "--hints", spec.hints,
      {{"all", generate::Hints::All}, {"none", generate::Hints::None}},
      "all: clauses, priorities and delays as the rewriter sets them; none: fewer bytes of code "
      "(all)");
  tile.push_back(
      kernel_->add_option("--stages", spec.stages,
                          "1 or 2 tiles of A and B in LDS; with 2 one barrier less a step (1)"));
  kernel_
      ->add_option("--fragments", spec.fragments,
                   "1 or 2 sets of registers for elements from LDS; with 2 those of the next "
                   "step are loaded while one computes (1, for scalar A 2); 2, 4 or 8 with "
                   "--b direct (4)")
      ->check(CLI::Range(1u, 8u));
  addWord<generate::Edges>(
      *kernel_, "--edges", spec.edges,
      {{"guarded", generate::Edges::Guarded}, {"exact", generate::Edges::Exact}},
      "guarded: any M, N and K; exact: multiples of the tile (guarded)");
  kernel_->add_flag_callback(
      "--batched", [&spec] { spec.batches = generate::Batches::Strided; },
      "Batches in the grid's z; strides of A, B and C (i64, in elements) are further arguments");
  kernel_->add_option("--swizzle", spec.swizzle,
                      "Rows of blocks that take turns in the order of workgroups, for the caches: "
                      "a power of 2 up to 64 (1); the grid is N times as long and 1/N as high");
  std::vector<std::pair<std::string, Processor>> processors;
  for (const Processor processor : allProcessors)
    processors.emplace_back(toString(processor), processor);
  tile.push_back(addWord(*kernel_, "--target", spec.processor, processors,
                         "The chip: gfx1100 (the default) to gfx1103; with --for the card's"));
}

void GenerateCommand::addFiles(std::vector<CLI::Option *> &tile) {
  kernel_->add_option("--name", kernelSpec_.name, "Of the kernel");
  kernel_->add_option("--launch", kernelWords_.launchPath,
                      "Write a launch description for hsaco-loader to this file");
  kernel_->add_option("--header", kernelWords_.headerPath,
                      "Write a C++ header that launches the kernel over HIP modules to this file");
  CLI::Option *split = kernel_->add_option("--split-k", kernelSpec_.splitK,
                                           "Sum K in N parts, a power of 2 up to 64, for small C "
                                           "and long K; a second kernel in the same "
                                           "file, NAME_sum, adds them in their order");
  kernel_->add_option("--launch-sum", kernelWords_.sumLaunchPath,
                      "Write the launch description of that second kernel to this file");
  tile.push_back(split);
}

void GenerateCommand::addChoice(const std::vector<CLI::Option *> &tile) {
  device_ = kernel_->add_option(
      "--for", kernelWords_.device,
      "Choose the tile for this card (as hsaco-loader bench --device) and --size, by what the "
      "timing model predicts; the table of candidates goes to standard error");
  CLI::Option *size = kernel_->add_option(
      "--size", kernelWords_.size, "MxNxK that the tile is chosen for, each from 1 to 999999");
  device_->needs(size);
  size->needs(device_);
  for (CLI::Option *option : tile)
    device_->excludes(option);
}

void GenerateCommand::addLibrary(CLI::App &generate) {
  library_ = generate.add_subcommand(
      "library", "Column-major SGEMM kernels for a list of sizes, as one code object, a table of "
                 "which is for what, and a C++ header with a function sgemm() that picks");
  LibraryRequest &request = libraryRequest_;
  library_
      ->add_option("--sizes", request.sizes,
                   "File of lines like '4096x4096x4096 nn tn': M, N and K, and is A, is B given "
                   "transposed; without these all four ways")
      ->required();
  library_
      ->add_option("-o,--output", request.folder,
                   "Folder for NAME.s, NAME.hsaco, NAME.json and NAME.h")
      ->required();
  library_->add_option("--name", request.name, "Of the files and the header's namespace (gemm)");
  library_->add_option("--for", request.device,
                       "The card (as hsaco-loader bench --device) whose predicted times choose "
                       "(7900xtx)");
  library_
      ->add_option(
          "--candidates", request.candidates,
          "Tiles of each kind (where A comes from, K whole or in parts) that are simulated for "
          "a size, of twice as many that are estimated, and up to as many neighbours of "
          "the best (4)")
      ->check(CLI::Range(1u, 100u));
}

llvm::Expected<generate::KernelText> GenerateCommand::chosenKernel() const {
  if (device_->count() == 0) {
    auto kernel = generate::generateKernel(kernelSpec_);
    if (!kernel)
      return withHint(kernel.takeError(), kernelSpec_);
    return kernel;
  }
  auto problem = tune::parseProblem(kernelWords_.size, "--size");
  if (!problem)
    return problem.takeError();
  auto machine = tool::readDevice(kernelWords_.device);
  if (!machine)
    return machine.takeError();
  using tune::Elements;
  Freedom freedom;
  if (kernel_->count("--b") != 0)
    freedom.elements = {tune::elementsOf(kernelSpec_)};
  else if (kernel_->count("--a") != 0 && kernelSpec_.source == Source::Scalar)
    freedom.elements = {Elements::Scalar, Elements::Direct};
  else if (kernel_->count("--a") != 0)
    freedom.elements = {Elements::Lds};
  if (kernel_->count("--swizzle") != 0)
    freedom.swizzles = {kernelSpec_.swizzle};
  if (kernel_->count("--hints") != 0)
    freedom.hints = {kernelSpec_.hints};
  auto candidates = chooseTile(kernelSpec_, freedom, *problem, *machine, Effort());
  if (!candidates)
    return candidates.takeError();
  std::fputs(candidateTable(*candidates, *problem).c_str(), stderr);
  generate::KernelSpec best = bestOf(*candidates);
  best.name = kernelSpec_.name;
  return generate::generateKernel(best);
}

/// Files that would overwrite each other are a mistake of the command line.
static llvm::Error checkPaths(const std::vector<std::pair<const char *, std::string>> &outputs) {
  std::map<std::filesystem::path, const char *> known;
  for (const auto &[option, path] : outputs) {
    if (path.empty())
      continue;
    std::error_code failure;
    std::filesystem::path whole = std::filesystem::weakly_canonical(path, failure);
    if (path == "-" || failure)
      whole = path;
    if (const auto [at, isNew] = known.try_emplace(std::move(whole), option); !isNew)
      return makeError(Failure::BadInput, "",
                       fmt::format("{} and {} both write {}", at->second, option,
                                   path == "-" ? "to standard output" : path));
  }
  return llvm::Error::success();
}

llvm::Expected<int> GenerateCommand::run() {
  if (loop_->parsed())
    return runLoop();
  if (kernel_->parsed())
    return runKernel();
  if (llvm::Error error = writeLibrary(libraryRequest_))
    return error;
  return 0;
}

llvm::Expected<int> GenerateCommand::runKernel() {
  auto block = twoNumbers("--block-tile", kernelWords_.blockTile, 'x');
  if (!block)
    return block.takeError();
  auto thread = twoNumbers("--thread-tile", kernelWords_.threadTile, 'x');
  if (!thread)
    return thread.takeError();
  std::tie(kernelSpec_.blockRows, kernelSpec_.blockColumns) = *block;
  std::tie(kernelSpec_.threadRows, kernelSpec_.threadColumns) = *thread;
  const auto transpose = [&](size_t at) {
    return kernelWords_.layout[at] == 't' ? generate::Transpose::Yes : generate::Transpose::No;
  };
  kernelSpec_.a = transpose(0);
  kernelSpec_.b = transpose(1);
  if (llvm::Error error = checkPaths({{"-o", tool_.outputPath()},
                                      {"--launch", kernelWords_.launchPath},
                                      {"--launch-sum", kernelWords_.sumLaunchPath},
                                      {"--header", kernelWords_.headerPath}}))
    return error;
  auto kernel = chosenKernel();
  if (!kernel)
    return kernel.takeError();
  if (!kernelWords_.sumLaunchPath.empty() && kernel->sumLaunch.empty())
    return makeError(Failure::BadInput, "", "--launch-sum: K is in one part: no second kernel");
  for (const auto &[path, text] : {std::pair(&kernelWords_.launchPath, &kernel->launch),
                                   {&kernelWords_.sumLaunchPath, &kernel->sumLaunch},
                                   {&kernelWords_.headerPath, &kernel->header}})
    if (!path->empty())
      if (llvm::Error error = writeOutput(*path, *text))
        return error;
  if (llvm::Error error = tool_.print(kernel->text))
    return error;
  return 0;
}

llvm::Expected<int> GenerateCommand::runLoop() {
  auto tile = twoNumbers("--tile", loopWords_.tile, 'x');
  if (!tile)
    return tile.takeError();
  auto lanes = twoNumbers("--lanes", loopWords_.lanes, 'x');
  if (!lanes)
    return lanes.takeError();
  auto vgprs = twoNumbers("--vgprs", loopWords_.vgprs, ':');
  if (!vgprs)
    return vgprs.takeError();
  std::tie(loopSpec_.tile.rows, loopSpec_.tile.columns) = *tile;
  std::tie(loopSpec_.laneRows, loopSpec_.laneColumns) = *lanes;
  std::tie(loopSpec_.firstVgpr, loopSpec_.lastVgpr) = *vgprs;
  if (loopWords_.fragments) {
    if (*loopWords_.fragments == 0) // Which is "not said" in a specification.
      return makeError(Failure::BadInput, "", "0 sets of fragments: there may be 1 or 2");
    loopSpec_.tile.fragments = *loopWords_.fragments;
  }
  if (llvm::Error error = checkPaths({{"-o", tool_.outputPath()}, {"--map", mapPath_}}))
    return error;
  auto loop = generate::generateLoop(loopSpec_);
  if (!loop)
    return withHint(loop.takeError(), loopSpec_);
  if (!mapPath_.empty())
    if (llvm::Error error = writeOutput(mapPath_, tool::jsonText(toJson(loop->map))))
      return error;
  if (llvm::Error error = tool_.print(loop->text))
    return error;
  return 0;
}

} // namespace rdna::dualfmac
