#include "HipRuntime/Settings.h"

#include "Support/Diagnostic.h"
#include "Support/File.h"

#include <fmt/format.h>

#include <charconv>

namespace rdna::hip {

namespace {

llvm::Error bad(std::string_view variable, std::string_view why) {
  return makeError(Failure::BadInput, "", fmt::format("{}: {}", variable, why));
}

llvm::Expected<std::regex> pattern(std::string_view what, const std::string &text) {
  try {
    return std::regex(text);
  } catch (const std::regex_error &e) {
    return bad(what, fmt::format("'{}' is no regular expression: {}", text, e.what()));
  }
}

llvm::Error number(const char *variable, const char *text, uint64_t &value) {
  const std::string_view digits(text);
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), value);
  if (error != std::errc() || end != digits.end())
    return bad(variable, fmt::format("'{}' is no number", text));
  return llvm::Error::success();
}

/// What "all" means for programs: what their authors get wrong. What compilers get wrong is
/// checked when it is asked for by name.
constexpr std::string_view checksOfAll = "source";

/// "all", "leaks" or names of the emulator's checks, separated by commas.
llvm::Error readChecks(std::string_view list, Settings &settings) {
  std::string emulators;
  settings.check = true;
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), name.size() + 1));
    if (name == "leaks" || name == "all")
      settings.leaks = true;
    if (name != "leaks")
      emulators += (emulators.empty() ? "" : ",") + std::string(name == "all" ? checksOfAll : name);
  }
  if (emulators.empty())
    return llvm::Error::success();
  auto checks = emu::parseChecks(emulators);
  if (!checks)
    return checks.takeError();
  settings.checks = *checks;
  return llvm::Error::success();
}

} // namespace

llvm::Expected<std::vector<Suppression>> parseSuppressions(std::string_view text,
                                                           std::string_view file) {
  std::vector<Suppression> list;
  for (unsigned line = 1; !text.empty(); ++line) {
    std::string_view rest = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), rest.size() + 1));
    rest = rest.substr(0, rest.find('#'));
    Suppression suppression;
    bool any = false;
    for (;;) {
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r"), rest.size()));
      if (rest.empty())
        break;
      const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r"));
      rest.remove_prefix(word.size());
      const size_t equals = word.find('=');
      const std::string_view key = word.substr(0, equals);
      std::optional<std::regex> *part = key == "rule"     ? &suppression.rule
                                        : key == "kernel" ? &suppression.kernel
                                        : key == "source" ? &suppression.source
                                                          : nullptr;
      if (equals == std::string_view::npos || !part)
        return makeError(
            Failure::BadInput,
            Diagnostic{Severity::Error, std::string(file), line, 0,
                       fmt::format("'{}' is no rule=..., kernel=... or source=...", word), ""});
      auto made = pattern(fmt::format("{}:{}", file, line), std::string(word.substr(equals + 1)));
      if (!made)
        return made.takeError();
      *part = std::move(*made);
      any = true;
    }
    if (any)
      list.push_back(std::move(suppression));
  }
  return list;
}

llvm::Expected<Settings> readSettings(const std::function<const char *(const char *)> &variable) {
  Settings settings;
  if (const char *list = variable("RDNA_RUN_CHECK"))
    if (llvm::Error error = readChecks(list, settings))
      return error;
  if (const char *text = variable("RDNA_RUN_KERNEL")) {
    auto made = pattern("RDNA_RUN_KERNEL", text);
    if (!made)
      return made.takeError();
    settings.kernels = std::move(*made);
  }
  if (const char *path = variable("RDNA_RUN_SUPPRESS")) {
    auto text = readInput(path);
    if (!text)
      return text.takeError();
    auto list = parseSuppressions(*text, path);
    if (!list)
      return list.takeError();
    settings.suppressions = std::move(*list);
  }
  uint64_t threads = 0;
  const std::pair<const char *, uint64_t *> numbers[] = {
      {"RDNA_RUN_SKIP", &settings.launchSkip}, {"RDNA_RUN_COUNT", &settings.launchCount},
      {"RDNA_RUN_THREADS", &threads},          {"RDNA_RUN_MEMORY", &settings.memoryBytes},
      {"RDNA_RUN_BUDGET", &settings.budget},
  };
  for (const auto &[name, value] : numbers)
    if (const char *text = variable(name))
      if (llvm::Error error = number(name, text, *value))
        return error;
  settings.threads = unsigned(std::min<uint64_t>(threads, 1024));
  if (const char *path = variable("RDNA_RUN_REPORT"))
    settings.reportFile = path;
  if (const char *text = variable("RDNA_RUN_TIME")) {
    const std::string_view times(text);
    if (times != "emulator" && times != "predicted")
      return bad("RDNA_RUN_TIME", fmt::format("'{}' is neither emulator nor predicted", times));
    settings.times = times == "predicted" ? Times::Predicted : Times::Emulator;
  }
  settings.quiet = variable("RDNA_RUN_QUIET") != nullptr;
  return settings;
}

} // namespace rdna::hip
