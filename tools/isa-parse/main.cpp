// isa-parse: reads gfx1100 assembly and says where the cycles go.

#include "Options.h"

#include "Support/File.h"
#include "common/Tool.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

using namespace rdna;
using isaparse::Detail;
using isaparse::Input;
using isaparse::Options;
using isaparse::View;

/// The views that are tables about some regions.
static llvm::Expected<std::string> regionText(const tool::Tool &tool, const Module &module,
                                              const Options &options,
                                              const std::vector<uint32_t> &kernels) {
  std::vector<Region> regions;
  if (options.view != View::WhySingle || !options.select.region.empty()) {
    auto selected = isaparse::selectRegions(module, kernels, options.select.region);
    if (!selected)
      return selected.takeError();
    regions = std::move(*selected);
  }
  if (options.view == View::Banks)
    return isaparse::bankReport(module, regions, tool.screenWidth());
  if (options.view == View::WhySingle)
    return isaparse::whySingleReport(module, kernels, regions, tool.screenWidth());
  if (!options.launch.isGiven())
    return makeError(Failure::BadInput, "",
                     "--timing needs a launch: addresses, branches and EXEC come from executing it "
                     "(--launch FILE, see docs/howto-run.md)");
  auto predicted = isaparse::predictKernel(module, options.launch, options.select.kernel,
                                           timing::PredictOptions::Interval::No);
  if (!predicted)
    return predicted.takeError();
  std::string text = isaparse::timingReport(module, regions, *predicted, tool.screenWidth());
  if (options.experiments == Options::Experiments::Yes)
    text += isaparse::experimentsReport(*predicted);
  return text;
}

static llvm::Expected<Input> measureInput(std::unique_ptr<Module> module, const Options &options) {
  auto kernels = isaparse::selectKernels(*module, options.select.kernel);
  if (!kernels)
    return kernels.takeError();
  auto selection = isaparse::measureSelection(*module, std::move(*kernels), options.select);
  if (!selection)
    return selection.takeError();
  Input input{std::move(module), std::move(*selection), std::nullopt};
  if (options.launch.isGiven()) {
    auto predicted = isaparse::predictKernel(*input.module, options.launch, options.select.kernel,
                                             timing::PredictOptions::Interval::Yes);
    if (!predicted)
      return predicted.takeError();
    input.predicted = std::move(*predicted);
  }
  return input;
}

/// The file of --compare; an error if nothing in it can be compared with `after`.
static llvm::Expected<Input> measureBefore(const Options &options, const Input &after) {
  auto module = isaparse::readModule(options.against);
  if (!module)
    return module.takeError();
  llvm::Expected<Input> before = measureInput(std::move(*module), options);
  if (!before)
    return before.takeError();
  const auto namesOf = [](const Input &input) {
    std::vector<std::string> names;
    for (const KernelMetrics &kernel : input.selection.kernels)
      names.push_back(kernel.name);
    return names;
  };
  const std::vector<std::string> old = namesOf(*before), now = namesOf(after);
  if (std::none_of(now.begin(), now.end(), [&](const std::string &name) {
        return std::find(old.begin(), old.end(), name) != old.end();
      }))
    return makeError(Failure::BadInput, before->module->file(),
                     fmt::format("no kernel in common with {}: this file has {}, that one {}",
                                 after.module->file(), fmt::join(old, ", "), fmt::join(now, ", ")));
  return before;
}

/// Exit code 2 where --fail-if finds something.
static llvm::Expected<int> judgeLimits(const tool::Tool &tool, const isaparse::Json &document,
                                       const Options &options) {
  auto broken = isaparse::brokenLimits(document, options.limits);
  if (!broken)
    return broken.takeError();
  for (const std::string &message : *broken)
    tool.report({.severity = Severity::Error,
                 .file = displayName(options.input),
                 .message = message,
                 .sourceLine = {}});
  return broken->empty() ? 0 : static_cast<int>(Failure::Refused);
}

static llvm::Expected<int> runReport(const tool::Tool &tool, std::unique_ptr<Module> module,
                                     const Options &options) {
  llvm::Expected<Input> input = measureInput(std::move(module), options);
  if (!input)
    return input.takeError();
  std::optional<Input> before;
  if (!options.against.empty()) {
    llvm::Expected<Input> measured = measureBefore(options, *input);
    if (!measured)
      return measured.takeError();
    before = std::move(*measured);
  }
  const bool makesPage = !options.html.empty();
  const isaparse::Json document =
      isaparse::documentOf(*input, before ? &*before : nullptr, options.select,
                           makesPage ? Detail::Full : options.detail);
  if (makesPage)
    if (llvm::Error error = writeOutput(options.html, isaparse::htmlPage(document)))
      return error;
  std::string text;
  if (options.view == View::Json)
    text = tool::jsonText(document);
  else if (options.view == View::Markdown)
    text = isaparse::comparisonMarkdown(document);
  else if (makesPage)
    return judgeLimits(tool, document, options);
  else if (before)
    text = isaparse::comparisonText(document);
  else
    text =
        isaparse::textReport(*input->module, input->selection,
                             input->predicted ? &*input->predicted : nullptr, tool.screenWidth());
  if (llvm::Error error = tool.print(text))
    return error;
  return judgeLimits(tool, document, options);
}

static llvm::Expected<int> runTool(const tool::Tool &tool, const Options &options) {
  if (llvm::Error error = isaparse::checkUsage(options))
    return error;
  if (options.lint == Options::Lint::Yes)
    return isaparse::runLint(tool, options);
  auto module = isaparse::readModule(options.input);
  if (!module)
    return module.takeError();
  llvm::Expected<std::string> output = std::string();
  if (options.view == View::Print) {
    output = std::string((*module)->text());
  } else if (options.view == View::RoundTrip) {
    // Any code will do, a kernel is not needed.
    output = isaparse::roundIteration(**module);
  } else if (options.view == View::Report || options.view == View::Json ||
             options.view == View::Markdown) {
    return runReport(tool, std::move(*module), options);
  } else {
    auto kernels = isaparse::selectKernels(**module, options.select.kernel);
    if (!kernels)
      return kernels.takeError();
    output = regionText(tool, **module, options, *kernels);
  }
  if (!output)
    return output.takeError();
  if (llvm::Error error = tool.print(*output))
    return error;
  return 0;
}

int main(int argc, char **argv) {
  tool::Tool tool(
      "isa-parse",
      "Reads RDNA3 (gfx1100 to gfx1103, wave32) assembly: kernels, registers, occupancy, loops, "
      "dual issue and register banks.");
  Options options;
  isaparse::addOptions(tool, options);
  tool.addExample("isa-parse kernel.s",
                  "Registers, occupancy and loops of each kernel, with pairs and bank conflicts");
  tool.addExample("isa-parse --lint kernel.s",
                  "What is wrong with it on gfx1100; exit code 2 if there is anything");
  tool.addExample("isa-parse --why-single --region .LBB0_6 kernel.s",
                  "Why FMAs of a loop are not dual issued");
  tool.addExample("isa-parse --compare old.s new.s", "Two texts side by side");
  return tool.run(argc, argv, [&] { return runTool(tool, options); });
}
