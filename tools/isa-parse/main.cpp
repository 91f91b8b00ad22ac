// isa-parse: reads gfx1100 assembly and says where the cycles go.

#include "IsaParse.h"

#include "Support/File.h"
#include "common/Tool.h"

#ifdef RDNA_HAS_VERIFY
#include "Verify/Verify.h"
#endif

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

using namespace rdna;

namespace {
enum class View { Report, Json, Banks, WhySingle, Lint, RoundTrip, Print };

struct Options {
  std::string input, kernel, region;
  std::optional<unsigned> block;
  View view = View::Report;
};
} // namespace

static void addOptions(tool::Tool &tool, Options &options) {
  CLI::App &app = tool.app();
  tool.addInput(options.input);
  tool.addOutput();
  app.add_option("--kernel", options.kernel, "Only the kernel of this name");
  app.add_option("--region", options.region,
                 "Only the loop with this label at its header, or the lines between "
                 "'; RDNA-BEGIN name' and '; RDNA-END name'");
  app.add_option("--block", options.block,
                 "Workgroup size where the file gives none (for the occupancy)")
      ->check(CLI::Range(1u, 1024u));
  CLI::Option_group *views = app.add_option_group("views", "What to print (default: a report)");
  const auto view = [&](const char *flag, View value, const char *help) {
    views->add_flag_callback(flag, [&options, value] { options.view = value; }, help);
  };
  view("--json", View::Json, "The report as JSON");
  view("--banks", View::Banks,
       "Register banks that every instruction of the innermost loops reads and writes");
  view("--why-single", View::WhySingle,
       "Why each F32 FMA outside a dual-issued pair is single, and what would free it");
  view("--lint", View::Lint, "What the assembler accepts although it is wrong (exit code 2)");
  view("--roundtrip", View::RoundTrip,
       "Print every instruction anew, assemble both texts and compare the code");
  view("--print", View::Print, "The document as it was read, byte for byte");
  views->require_option(0, 1);
}

/// The kernels with code; --kernel picks one.
static llvm::Expected<std::vector<uint32_t>> selectKernels(const Module &module,
                                                           const std::string &name) {
  std::vector<uint32_t> kernels;
  std::vector<std::string> names;
  for (uint32_t i = 0; i < module.functions().size(); ++i) {
    const Function &function = module.functions()[i];
    if (!function.isKernel())
      continue;
    if (function.line == 0)
      return makeError(Failure::BadInput, module.file(),
                       fmt::format("kernel '{}' has a descriptor but no code: label '{}:' missing",
                                   function.name, function.name));
    names.push_back(function.name);
    if (name.empty() || function.name == name)
      kernels.push_back(i);
  }
  if (names.empty())
    return makeError(Failure::BadInput, module.file(),
                     "no kernel in the input (no .amdhsa_kernel)");
  if (kernels.empty())
    return makeError(Failure::BadInput, module.file(),
                     fmt::format("no kernel '{}'; there are: {}", name, fmt::join(names, ", ")));
  return kernels;
}

static llvm::Expected<isaparse::Selection>
measureSelection(const Module &module, std::vector<uint32_t> functions, const Options &options) {
  isaparse::Selection selection;
  for (const uint32_t function : functions)
    selection.kernels.push_back(measureKernel(module, function, options.block));
  llvm::Expected<std::vector<Region>> regions =
      options.region.empty() ? markedRegions(module)
                             : findRegions(module, functions, options.region);
  if (!regions)
    return regions.takeError();
  for (Region &region : *regions) {
    LoopMetrics metrics = measure(module, region.instructions);
    if (region.loop) {
      const Cfg cfg = buildCfg(module, region.functionIndex);
      metrics = measureLoop(module, cfg, cfg.loops[*region.loop]);
    }
    selection.regions.push_back({std::move(region), std::move(metrics)});
  }
  // A named loop is one of the loops already: --region leaves only it.
  if (!options.region.empty()) {
    for (KernelMetrics &kernel : selection.kernels)
      std::erase_if(kernel.loops, [&](const LoopMetrics &loop) {
        return std::none_of(
            selection.regions.begin(), selection.regions.end(), [&](const auto &region) {
              return region.region.loop && region.metrics.firstLine == loop.firstLine &&
                     region.metrics.header == loop.header;
            });
      });
    std::erase_if(selection.regions, [](const auto &region) { return region.region.loop; });
  }
  selection.functions = std::move(functions);
  return selection;
}

static llvm::Expected<std::vector<Region>> selectRegions(const Module &module,
                                                         const std::vector<uint32_t> &functions,
                                                         const std::string &name) {
  if (!name.empty())
    return findRegions(module, functions, name);
  std::vector<Region> regions;
  for (const uint32_t function : functions)
    for (Region &region : defaultRegions(module, function))
      regions.push_back(std::move(region));
  return regions;
}

/// Is a finding about this function: its code, its descriptor or its metadata?
static bool isAbout(const Module &module, const Function &function, uint32_t line) {
  if (function.first < function.last && line >= function.line &&
      line <= module.instructions()[function.last - 1].line)
    return true;
  for (const auto &[name, field] : function.descriptor)
    if (field.line == line)
      return true;
  for (const auto &[name, number] : function.metadata)
    if (number.begin >= module.lineBegin(line) && number.begin < module.lineBegin(line + 1))
      return true;
  return false;
}

/// Findings about kernels and device functions alike, unless --kernel names one.
static std::vector<Diagnostic> lintAll(const Module &module, const Options &options,
                                       const std::vector<uint32_t> &kernels) {
#ifdef RDNA_HAS_VERIFY
  std::vector<Diagnostic> findings = checkStructure(module); // lintFunction() included
#else
  std::vector<Diagnostic> findings;
  for (uint32_t i = 0; i < module.functions().size(); ++i)
    for (LintFinding &finding : lintFunction(module, buildCfg(module, i)))
      findings.push_back(std::move(finding.diagnostic));
#endif
  if (!options.kernel.empty())
    std::erase_if(findings, [&](const Diagnostic &finding) {
      return std::none_of(kernels.begin(), kernels.end(), [&](uint32_t kernel) {
        return isAbout(module, module.functions()[kernel], finding.line);
      });
    });
  for (Diagnostic &finding : findings)
    finding.severity = Severity::Warning;
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Diagnostic &a, const Diagnostic &b) { return a.line < b.line; });
  return findings;
}

static llvm::Expected<int> runLint(const tool::Tool &tool, const Module &module,
                                   const Options &options, const std::vector<uint32_t> &kernels) {
  const std::vector<Diagnostic> findings = lintAll(module, options, kernels);
  std::string text;
  for (const Diagnostic &finding : findings)
    text += render(finding);
  if (!findings.empty())
    text += fmt::format("{}: {} finding{}\n", module.file(), findings.size(),
                        findings.size() == 1 ? "" : "s");
  if (llvm::Error error = tool.print(text))
    return error;
  return findings.empty() ? 0 : static_cast<int>(Failure::Refused);
}

static llvm::Expected<std::string> viewText(const Module &module, const Options &options,
                                            std::vector<uint32_t> kernels) {
  if (options.view == View::Banks || options.view == View::WhySingle) {
    const bool all = options.view == View::WhySingle && options.region.empty();
    std::vector<Region> regions;
    if (!all) {
      auto selected = selectRegions(module, kernels, options.region);
      if (!selected)
        return selected.takeError();
      regions = std::move(*selected);
    }
    return options.view == View::Banks ? isaparse::bankReport(module, regions)
                                       : isaparse::whySingleReport(module, kernels, regions);
  }
  auto selection = measureSelection(module, std::move(kernels), options);
  if (!selection)
    return selection.takeError();
  return options.view == View::Json ? isaparse::jsonReport(module, *selection)
                                    : isaparse::textReport(module, *selection);
}

static llvm::Expected<int> runTool(const tool::Tool &tool, const Options &options) {
  auto text = readInput(options.input);
  if (!text)
    return text.takeError();
  auto module = Module::parse(std::move(*text), displayName(options.input));
  if (!module)
    return module.takeError();
  llvm::Expected<std::string> output = std::string();
  if (options.view == View::Print) {
    output = std::string((*module)->text());
  } else if (options.view == View::RoundTrip) {
    // Any code will do, a kernel is not needed.
    output = isaparse::roundTrip(**module);
  } else {
    auto kernels = selectKernels(**module, options.kernel);
    if (!kernels)
      return kernels.takeError();
    if (options.view == View::Lint)
      return runLint(tool, **module, options, *kernels);
    output = viewText(**module, options, std::move(*kernels));
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
  addOptions(tool, options);
  return tool.run(argc, argv, [&] { return runTool(tool, options); });
}
