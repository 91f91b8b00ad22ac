#include "Launch.h"

#include "Support/File.h"
#include "Support/Nearest.h"
#include "common/Sizes.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

namespace rdna::loader {

using llvm::StringRef;

static llvm::Error wrongUsage(std::string_view message) {
  return makeError(Failure::BadInput, "", message);
}

static llvm::Expected<std::vector<int64_t>> parseNumbers(StringRef text, std::string_view option) {
  std::vector<int64_t> numbers;
  llvm::SmallVector<StringRef, 8> parts;
  text.split(parts, ',');
  for (const StringRef part : parts) {
    int64_t number = 0;
    if (part.trim().getAsInteger(0, number))
      return wrongUsage(fmt::format("{}: '{}' is not a number", option, part.str()));
    numbers.push_back(number);
  }
  return numbers;
}

/// Every combination of the lists given for each name, the first name varying slowest.
static void multiply(std::vector<run::Parameters> &sets, const std::string &name,
                     const std::vector<int64_t> &values) {
  std::vector<run::Parameters> out;
  for (const run::Parameters &set : sets)
    for (const int64_t value : values) {
      out.push_back(set);
      out.back()[name] = value;
    }
  sets = std::move(out);
}

static llvm::Error planSgemm(const Options &options, LaunchPlan &plan,
                             const object::CodeObject &object) {
  llvm::Expected<const object::Kernel *> kernel = object.kernel(options.kernel);
  if (!kernel)
    return kernel.takeError();
  plan.kernel = *kernel;
  run::SgemmOptions sgemm;
  if (plan.kernel->requiredWorkgroupSize)
    sgemm.block = *plan.kernel->requiredWorkgroupSize;
  if (!options.block.empty()) {
    auto sizes = tool::parseSizes(options.block, "--block");
    if (!sizes)
      return sizes.takeError();
    sgemm.block = *sizes;
  }
  if (!options.tile.empty()) {
    auto sizes = tool::parseSizes(options.tile, "--tile");
    if (!sizes)
      return sizes.takeError();
    const bool square = options.tile.find('x') == std::string::npos;
    sgemm.tile = {(*sizes)[0], square ? (*sizes)[0] : (*sizes)[1]};
  }
  plan.description = sgemmDescription(sgemm);
  plan.tile = sgemm.tile;
  auto numbers = parseNumbers(options.sgemm, "--sgemm");
  if (!numbers)
    return numbers.takeError();
  for (const int64_t n : *numbers)
    if (n < 1 || n > 65536)
      return wrongUsage(fmt::format("--sgemm: {} must lie in 1..65536", n));
  multiply(plan.parameters, "N", *numbers);
  return llvm::Error::success();
}

static llvm::Error planFile(const Options &options, LaunchPlan &plan,
                            const object::CodeObject &object) {
  if (!options.tile.empty() || !options.block.empty())
    return wrongUsage(
        "--tile and --block belong to --sgemm; the launch description has its own sizes");
  if (options.launchFile == "-" && options.input == "-")
    return wrongUsage("the kernel and the launch description cannot both come from standard input");
  llvm::Expected<std::string> text = readInput(options.launchFile);
  if (!text)
    return text.takeError();
  auto description = run::parseLaunchDescription(*text, displayName(options.launchFile));
  if (!description)
    return description.takeError();
  plan.description = std::move(*description);
  llvm::Expected<const object::Kernel *> kernel =
      object.kernel(options.kernel.empty() ? plan.description.kernel : options.kernel);
  if (!kernel)
    return kernel.takeError();
  plan.kernel = *kernel;
  return llvm::Error::success();
}

static llvm::Error planParameters(const Options &options, LaunchPlan &plan) {
  for (const std::string &assignment : options.parameters) {
    const auto [name, values] = StringRef(assignment).split('=');
    if (name.empty() || values.empty())
      return wrongUsage(
          fmt::format("--param: '{}' is not of the form NAME=value[,value]", assignment));
    auto numbers = parseNumbers(values, "--param");
    if (!numbers)
      return numbers.takeError();
    if (plan.parameters[0].contains(name.str()))
      return wrongUsage(fmt::format("--param: '{}' is set twice", name.str()));
    multiply(plan.parameters, name.str(), *numbers);
  }
  return llvm::Error::success();
}

static llvm::Error planInputs(const Options &options, LaunchPlan &plan) {
  if (options.inputs.empty()) {
    plan.inputs = {std::nullopt};
    return llvm::Error::success();
  }
  llvm::SmallVector<StringRef, 8> names;
  StringRef(options.inputs).split(names, ',');
  for (const StringRef name : names) {
    const std::optional<run::Init> init = run::initByName(std::string_view(name.trim()));
    if (!init)
      return wrongUsage(fmt::format(
          "--inputs: unknown kind '{}'{}; known: random, identity, one-hot, ramp, zero, nan",
          name.str(),
          didYouMean(std::string_view(name.trim()),
                     {"random", "identity", "one-hot", "ramp", "zero", "nan"})));
    plan.inputs.emplace_back(init);
  }
  return llvm::Error::success();
}

llvm::Expected<LaunchPlan> planLaunch(const Options &options, const object::CodeObject &object) {
  if (!options.launchFile.empty() && !options.sgemm.empty())
    return wrongUsage(
        "--launch and --sgemm exclude each other: each says how to launch the kernel");
  if (options.launchFile.empty() && options.sgemm.empty())
    return wrongUsage("say how to launch the kernel: either --launch FILE or --sgemm N");
  LaunchPlan plan;
  plan.parameters = {{}};
  if (llvm::Error error = options.sgemm.empty() ? planFile(options, plan, object)
                                                : planSgemm(options, plan, object))
    return error;
  if (llvm::Error error = planParameters(options, plan))
    return error;
  if (llvm::Error error = planInputs(options, plan))
    return error;
  return plan;
}

std::string unevenTiles(const LaunchPlan &plan) {
  if (!plan.tile)
    return {};
  for (const run::Parameters &parameters : plan.parameters)
    for (const uint32_t side : *plan.tile)
      if (const int64_t n = parameters.at("N"); n % side != 0)
        return fmt::format("N = {} is not a multiple of the tile {} (--tile {}x{}): a kernel that "
                           "does not look where the matrix ends reads and writes behind it; try "
                           "--sgemm {}, or say by --tile what a workgroup of this kernel computes",
                           n, side, (*plan.tile)[0], (*plan.tile)[1], (n / side + 1) * side);
  return {};
}

} // namespace rdna::loader
