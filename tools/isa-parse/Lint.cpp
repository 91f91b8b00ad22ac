// isa-parse --lint: what the assembler does not tell.

#include "Options.h"

#include "Support/File.h"

#ifdef RDNA_HAS_VERIFY
#include "Verify/Verify.h"
#endif

#include "common/Tool.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace rdna::isaparse {

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

/// Messages end with their rule in brackets.
static tool::ListedFinding listed(const Module &module, Diagnostic diagnostic) {
  tool::ListedFinding finding;
  const std::string &message = diagnostic.message;
  const size_t open = message.rfind('[');
  finding.rule = open != std::string::npos && message.ends_with(']')
                     ? message.substr(open + 1, message.size() - open - 2)
                     : "structure";
  if (diagnostic.line != 0) {
    const uint32_t begin = module.lineBegin(diagnostic.line);
    const llvm::StringRef line =
        llvm::StringRef(module.text()).substr(begin, module.lineBegin(diagnostic.line + 1) - begin);
    finding.instruction = line.split(';').first.trim().str();
  }
  finding.place = std::move(diagnostic);
  return finding;
}

/// In front of the rule: what the instruction was compiled from.
static void addSourcePlaces(const Module &module, std::vector<Diagnostic> &findings) {
  const SourcePlaces sources = allSources(module);
  std::map<uint32_t, std::string> names;
  for (const Instruction &inst : module.instructions())
    names.try_emplace(inst.line, sourceOf(sources, inst.index));
  for (Diagnostic &finding : findings) {
    const auto found = names.find(finding.line);
    const size_t open = finding.message.rfind(" [");
    if (found != names.end() && !found->second.empty() && open != std::string::npos)
      finding.message.insert(open, fmt::format(" (compiled from {})", found->second));
  }
}

std::string lintJson(const std::vector<std::string> &files, const tool::ListedFindings &findings) {
  return tool::jsonText(
      {{"schema", "isa-parse-lint/1"},
       {"files", files},
       {"new", tool::countOf(findings, tool::ListedFinding::State::New)},
       {"known", tool::countOf(findings, tool::ListedFinding::State::Known)},
       {"suppressed", tool::countOf(findings, tool::ListedFinding::State::Suppressed)},
       {"findings", tool::findingsJson(findings)}});
}

tool::ListedFindings lintAll(const Module &module, const std::string &kernel,
                             const std::vector<uint32_t> &kernels) {
#ifdef RDNA_HAS_VERIFY
  std::vector<Diagnostic> findings = checkStructure(module); // lintFunction() included
#else
  std::vector<Diagnostic> findings;
  for (uint32_t i = 0; i < module.functions().size(); ++i)
    for (LintFinding &finding : lintFunction(module, buildCfg(module, i)))
      findings.push_back(std::move(finding.diagnostic));
#endif
  if (!kernel.empty())
    std::erase_if(findings, [&](const Diagnostic &finding) {
      return std::none_of(kernels.begin(), kernels.end(), [&](uint32_t function) {
        return isAbout(module, module.functions()[function], finding.line);
      });
    });
  for (Diagnostic &finding : findings)
    finding.severity = Severity::Warning;
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Diagnostic &a, const Diagnostic &b) { return a.line < b.line; });
  addSourcePlaces(module, findings);
  tool::ListedFindings list;
  for (Diagnostic &finding : findings)
    list.push_back(listed(module, std::move(finding)));
  return list;
}

static llvm::Expected<tool::ListedFindings> lintFile(const std::string &path,
                                                     const std::string &kernel) {
  auto module = readModule(path);
  if (!module)
    return module.takeError();
  auto kernels = selectKernels(**module, kernel);
  if (!kernels)
    return kernels.takeError();
  return lintAll(**module, kernel, *kernels);
}

llvm::Expected<int> runLint(const tool::Tool &tool, const Options &options) {
  tool::Suppressions suppressions;
  for (const std::string &word : options.suppressed)
    if (llvm::Error error = suppressions.add(word))
      return error;
  if (!options.suppressionFile.empty())
    if (llvm::Error error = suppressions.read(options.suppressionFile))
      return error;
  std::vector<std::string> paths{options.input}, names;
  paths.insert(paths.end(), options.more.begin(), options.more.end());
  tool::ListedFindings findings;
  for (const std::string &path : paths) {
    auto found = lintFile(path, options.select.kernel);
    if (!found)
      return found.takeError();
    names.push_back(displayName(path));
    findings.insert(findings.end(), found->begin(), found->end());
  }
  suppressions.apply(findings);
  const auto original = options.against.empty() ? tool::Original::None : tool::Original::Given;
  if (original == tool::Original::Given) {
    auto old = lintFile(options.against, options.select.kernel);
    if (!old)
      return old.takeError();
    tool::markKnown(findings, *old);
  }
  if (!options.sarif.empty())
    if (llvm::Error error =
            writeOutput(options.sarif, tool::sarifText("isa-parse", findings, original)))
      return error;
  std::string text;
  if (options.view == View::Json) {
    text = lintJson(names, findings);
  } else if (options.sarif != "-") {
    const bool isSummarised = original == tool::Original::Given || !findings.empty();
    const bool isFolded = options.shown == Options::Shown::Folded && tool.screenWidth() != 0;
    if (original == tool::Original::Given) // What is new comes first.
      text += tool::findingsSummary(findings, original) + "\n";
    if (isFolded)
      for (const Diagnostic &finding : tool::shownFindings(findings))
        text += tool.rendered(finding);
    else
      for (const tool::ListedFinding &finding : findings)
        if (finding.state == tool::ListedFinding::State::New)
          text += tool.rendered(finding.place);
    if (isSummarised && original == tool::Original::None)
      text += fmt::format("{}: {}\n", fmt::join(names, ", "),
                          tool::findingsSummary(findings, original));
  }
  if (llvm::Error error = tool.print(text))
    return error;
  return tool::countOf(findings, tool::ListedFinding::State::New) == 0
             ? 0
             : static_cast<int>(Failure::Refused);
}

} // namespace rdna::isaparse
