#include "common/Tool.h"

#include "common/Completion.h"
#include "common/Man.h"
#include "common/Usage.h"

#include "Support/File.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace rdna::tool {

/// A standard stream that the caller closed would be handed out by the next open(), and messages
/// would land in the user's file. Occupy the numbers so that using them fails instead.
static void occupyStandardStreams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(fd, F_GETFD) < 0)
      static_cast<void>(open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

namespace {
struct CallForMan {};
struct CallForCompletion {
  std::string shell;
};
} // namespace

Tool::Tool(std::string name, std::string description)
    : name_(std::move(name)), app_(std::move(description), name_) {
  // A reader that stops early (`| head`) is then an EPIPE from write(), reported like any other
  // failed write, and not a silent death.
  std::signal(SIGPIPE, SIG_IGN);
  occupyStandardStreams();
  app_.set_version_flag("--version", fmt::format("{} (rdnakit {}, LLVM {})", name_, RDNA_VERSION,
                                                 LLVM_VERSION_STRING));
  app_.add_flag_callback(
          "--man", [] { throw CallForMan(); }, "Print the manual page (man format)")
      ->group(""); // Hidden: the build calls it.
  app_.add_option_function<std::string>(
          "--completion", [](const std::string &shell) { throw CallForCompletion{shell}; },
          "Print the completion script for bash, zsh or fish")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->group("");
  app_.add_option("--color", color_, "Colour: auto (only on a terminal), always, never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app_.footer(std::string(exitCodeHelp));
  app_.option_defaults()->always_capture_default(false);
  app_.fallthrough(); // --color may stand after a subcommand's name.
}

CLI::Option *Tool::addInput(std::string &path, CLI::App &app) {
  path = "-";
  inputs_.push_back(app.add_option("file", path, "Input file, - for standard input (the default)"));
  return inputs_.back();
}

void Tool::addOutput(CLI::App &app) {
  app.add_option("-o,--output", output_, "Output file, - for standard output (the default)");
}

static bool allowsColor(const std::string &mode, int fd) {
  if (mode != "auto")
    return mode == "always";
  const char *noColor = std::getenv("NO_COLOR"); // https://no-color.org: set and not empty.
  return (noColor == nullptr || *noColor == 0) && isatty(fd) != 0;
}

bool Tool::colorOutput() const {
  return allowsColor(color_, STDOUT_FILENO) && (output_ == "-" || color_ == "always");
}

void Tool::addWide() {
  app_.add_flag_callback(
      "--wide", [this] { width_ = Width::Whole; },
      "Show all columns of a table, whatever fits the screen");
}

size_t Tool::screenWidth() const {
  winsize size{};
  if (width_ == Width::Whole || output_ != "-" || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
    return 0;
  return size.ws_col;
}

std::string Tool::painted(std::string_view text, Paint paint) const {
  static constexpr const char *escapes[] = {"\033[1;32m", "\033[1;31m", "\033[1;35m", "\033[1;34m"};
  if (!colorOutput())
    return std::string(text);
  return fmt::format("{}{}\033[0m", escapes[static_cast<size_t>(paint)], text);
}

static std::string_view escapeFor(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "\033[1;31m";
  case Severity::Warning:
    return "\033[1;35m";
  case Severity::Remark:
    return "\033[1;34m";
  case Severity::Note:
    return "\033[1;36m";
  }
  return "";
}

static std::string_view wordFor(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error: ";
  case Severity::Warning:
    return "warning: ";
  case Severity::Remark:
    return "remark: ";
  case Severity::Note:
    return "note: ";
  }
  return "";
}

static void paintSeverity(Severity severity, std::string &text) {
  const std::string_view word = wordFor(severity);
  const size_t at = text.find(word);
  if (at == std::string::npos)
    return;
  text.insert(at + word.size() - 1, "\033[0m");
  text.insert(at, escapeFor(severity));
}

std::string Tool::rendered(const Diagnostic &diagnostic) const {
  std::string text = render(diagnostic);
  if (colorOutput())
    paintSeverity(diagnostic.severity, text);
  return text;
}

void Tool::writeDiagnostic(const Diagnostic &diagnostic) const {
  Progress::erase();
  std::string text = diagnostic.file.empty() ? name_ + ": " : "";
  text += render(diagnostic);
  if (allowsColor(color_, STDERR_FILENO))
    paintSeverity(diagnostic.severity, text);
  // Nothing can be said about a standard error that cannot be written.
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

void Tool::report(const Diagnostic &diagnostic) const { writeDiagnostic(diagnostic); }

int Tool::report(llvm::Error error) const {
  int exitCode = 0;
  llvm::handleAllErrors(
      std::move(error),
      [&](const InputError &input) {
        for (const Diagnostic &diagnostic : input.diagnostics())
          writeDiagnostic(diagnostic);
        exitCode = std::max(exitCode, static_cast<int>(input.failure()));
      },
      [&](const llvm::ErrorInfoBase &other) {
        Diagnostic diagnostic;
        diagnostic.message = other.message();
        writeDiagnostic(diagnostic);
        exitCode = std::max(exitCode, static_cast<int>(Failure::BadInput));
      });
  return exitCode;
}

llvm::Error Tool::print(std::string_view text) const {
  Progress::erase();
  return writeOutput(output_, text);
}

/// Replaces @file by the file's words (GNU quoting).
static llvm::Expected<std::vector<std::string>> expandArguments(int argc, char **argv) {
  llvm::BumpPtrAllocator allocator;
  llvm::SmallVector<const char *, 32> words(argv + std::min(argc, 1), argv + argc);
  llvm::cl::ExpansionContext expansion(allocator, llvm::cl::TokenizeGNUCommandLine);
  if (llvm::Error error = expansion.expandResponseFiles(words))
    return error;
  std::vector<std::string> arguments(words.begin(), words.end());
  for (const std::string &argument : arguments)
    if (argument.size() > 1 && argument[0] == '@') // LLVM leaves it when the file is not there.
      return makeError(Failure::BadInput, argument.substr(1), "cannot read the response file");
  return arguments;
}

std::optional<int> Tool::parse(int argc, char **argv) {
  llvm::Expected<std::vector<std::string>> arguments = expandArguments(argc, argv);
  if (!arguments)
    return report(arguments.takeError());
  try {
    std::vector<std::string> words = std::move(*arguments);
    if (!defaultCommand_.empty())
      words = withCommand(app_, defaultCommand_, std::move(words));
    words = withValuesJoined(app_, std::move(words));
    std::vector<std::string> reversed(words.rbegin(), words.rend()); // As CLI11 wants it.
    app_.parse(std::move(reversed));
    return std::nullopt;
  } catch (const CallForMan &) {
    return report(writeOutput("-", manPage(app_, name_, RDNA_VERSION, examples_)));
  } catch (const CallForCompletion &call) {
    return report(writeOutput("-", completionScript(app_, name_, call.shell)));
  } catch (const CLI::CallForVersion &version) {
    return report(writeOutput("-", std::string(version.what()) + "\n"));
  } catch (const CLI::CallForAllHelp &) {
    return report(writeOutput("-", app_.help("", CLI::AppFormatMode::All)));
  } catch (const CLI::CallForHelp &) {
    return report(writeOutput("-", app_.help()));
  } catch (const CLI::ParseError &error) {
    return report(makeError(Failure::BadInput, "",
                            fmt::format("{} (see {} --{})", usageMessage(app_, error), name_,
                                        app_.get_help_ptr()->get_lnames().front())));
  }
}

void Tool::sayWhatIsRead() const {
  if (isatty(STDIN_FILENO) == 0)
    return;
  const CLI::App *app = &app_;
  while (!app->get_subcommands().empty())
    app = app->get_subcommands().front();
  const CLI::Option *file = app->get_option_no_throw("file");
  if (file == nullptr || std::find(inputs_.begin(), inputs_.end(), file) == inputs_.end() ||
      file->count() != 0)
    return;
  Diagnostic note;
  note.severity = Severity::Note;
  note.message = fmt::format("no file named, so standard input is read: type, paste, or end it by "
                             "Ctrl-D ({} --help says more)",
                             name_);
  writeDiagnostic(note);
}

int Tool::run(int argc, char **argv, const std::function<llvm::Expected<int>()> &body) {
  if (const std::optional<int> exitCode = parse(argc, argv))
    return *exitCode;
  sayWhatIsRead();
  try {
    llvm::Expected<int> exitCode = body();
    return exitCode ? *exitCode : report(exitCode.takeError());
  } catch (const std::bad_alloc &) {
    return report(makeError(Failure::BadInput, "", "not enough memory for this input"));
  } catch (const std::exception &exception) {
    return report(makeError(Failure::BadInput, "", exception.what()));
  }
}

std::string jsonText(const nlohmann::ordered_json &json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace rdna::tool
