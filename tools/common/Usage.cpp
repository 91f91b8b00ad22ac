#include "common/Usage.h"

#include "Support/Nearest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

namespace rdna::tool {

static bool isFile(const std::string &word) { return access(word.c_str(), F_OK) == 0; }

static std::vector<std::string> commandsOf(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
    if (!command->get_name().empty()) // Groups of options are nameless subcommands.
      names.push_back(command->get_name());
  return names;
}

static const CLI::App *commandNamed(const CLI::App &app, const std::string &name) {
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
    if (command->get_name() == name && !name.empty())
      return command;
  return nullptr;
}

/// A flag that may have a value behind '='.
static bool mayHaveValue(const CLI::App &app, const std::string &name) {
  const CLI::Option *option = app.get_option_no_throw(name);
  if (option == nullptr || option->get_expected_max() != 0 || option->get_disable_flag_override())
    return false;
  const std::string without = option->get_flag_value(name.substr(2), "");
  return without != "true" && without != "false";
}

std::vector<std::string> withValuesJoined(const CLI::App &app, std::vector<std::string> arguments) {
  std::vector<std::string> out;
  const CLI::App *at = &app;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &word = arguments[i];
    if (const CLI::App *command = commandNamed(*at, word))
      at = command;
    if (i + 1 < arguments.size() && word.starts_with("--") && word.find('=') == std::string::npos &&
        mayHaveValue(*at, word)) {
      const std::string &next = arguments[i + 1];
      if (!next.empty() && llvm::all_of(next, llvm::isDigit) && !isFile(next)) {
        out.push_back(word + "=" + next);
        ++i;
        continue;
      }
    }
    out.push_back(word);
  }
  return out;
}

std::vector<std::string> withCommand(const CLI::App &app, const std::string &command,
                                     std::vector<std::string> arguments) {
  const std::vector<std::string> commands = commandsOf(app);
  for (const std::string &word : arguments) {
    if (llvm::is_contained(commands, word) || word == "-h")
      return arguments;
    // A misspelled command is not a file.
    if (!word.starts_with("-") && !isFile(word) && !nearest(word, commands).empty())
      return arguments;
  }
  const bool hasFile =
      llvm::any_of(arguments, [](const std::string &word) { return !word.starts_with("--"); });
  if (hasFile)
    arguments.insert(arguments.begin(), command);
  return arguments;
}

static void addOptionNames(const CLI::App &app, std::vector<std::string> &names) {
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
}

/// The names of all options that `app` takes, those of the command around it included.
static std::vector<std::string> optionNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::App *at = &app; at != nullptr; at = at->get_parent()) {
    addOptionNames(*at, names);
    for (const CLI::App *inner : at->get_subcommands([](const CLI::App *) { return true; }))
      if (inner->get_name().empty()) // A group of options.
        addOptionNames(*inner, names);
  }
  return names;
}

static std::string aboutWord(const CLI::App &app, const std::string &word) {
  if (!word.starts_with("-") || word == "-")
    return fmt::format("'{}' was not expected: one file is read, and another word was taken for "
                       "its name",
                       word);
  const std::string name = word.substr(0, word.find('='));
  return fmt::format("unknown option '{}'{}", name, didYouMean(name, optionNames(app)));
}

std::string usageMessage(const CLI::App &app, const CLI::ParseError &error) {
  const CLI::App *at = &app;
  while (!at->get_subcommands().empty())
    at = at->get_subcommands().front();
  const std::vector<std::string> commands = commandsOf(*at), left = app.remaining(true);
  if (at->get_require_subcommand_min() > 0 && !commands.empty()) {
    const auto word =
        llvm::find_if(left, [](const std::string &text) { return !text.starts_with("-"); });
    if (word != left.end())
      return fmt::format("unknown command '{}'{}; there are: {}", *word,
                         didYouMean(*word, commands), fmt::join(commands, ", "));
    if (left.empty() || dynamic_cast<const CLI::ExtrasError *>(&error) == nullptr)
      return fmt::format("say what to do: {}", fmt::join(commands, ", "));
  }
  if (dynamic_cast<const CLI::ExtrasError *>(&error) != nullptr && !left.empty())
    return aboutWord(*at, left.front());
  return error.what();
}

} // namespace rdna::tool
