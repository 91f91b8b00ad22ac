//===- Tool.h - what the mains of all tools share -------------------------===//
//
//   int main(int argc, char **argv) {
//     rdna::tool::Tool tool("isa-parse", "Reads RDNA3 assembly ...");
//     Options options;
//     tool.addInput(options.input);
//     tool.addOutput();
//     tool.app().add_flag("--lint", options.lint, "...");
//     return tool.run(argc, argv, [&]() -> llvm::Expected<int> {
//       ...
//       if (llvm::Error error = tool.print(text))
//         return error;
//       return 0;
//     });
//   }
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Support/Diagnostic.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rdna::tool {

/// Command line, diagnostics and output of one tool. One object per process: it changes the
/// process's signal handling.
class Tool {
public:
  Tool(std::string name, std::string description);

  /// For the tool's own options and subcommands.
  CLI::App &app() { return app_; }

  /// Positional FILE, "-" (standard input) by default. `app` is a subcommand, if there are any.
  CLI::Option *addInput(std::string &path) { return addInput(path, app_); }
  CLI::Option *addInput(std::string &path, CLI::App &app);
  /// The subcommand that is meant where a command line has a file and none.
  void setDefaultCommand(std::string name) { defaultCommand_ = std::move(name); }
  /// -o FILE, standard output by default.
  void addOutput() { addOutput(app_); }
  void addOutput(CLI::App &app);
  const std::string &outputPath() const { return output_; }

  /// A command line that the manual page shows, and what it is good for.
  void addExample(std::string command, std::string purpose) {
    examples_.emplace_back(std::move(command), std::move(purpose));
  }

  /// Expands @response files, parses, calls `body` and prints its error; returns the exit code:
  /// the body's, or the one of its error. --help and --version end here.
  int run(int argc, char **argv, const std::function<llvm::Expected<int>()> &body);

  /// Writes the result to -o or standard output (once, when everything has succeeded).
  llvm::Error print(std::string_view text) const;
  /// Prints a warning, remark or note on standard error.
  void report(const Diagnostic &diagnostic) const;
  /// Prints an error that does not end the tool; returns the exit code that it stands for.
  int report(llvm::Error error) const;

  /// Whether text for standard output may carry escape sequences (terminal, NO_COLOR, --color, -o).
  bool colorOutput() const;
  /// --wide, for tools with tables.
  void addWide();
  /// Characters of a line on the terminal that the output goes to; 0 where nothing may be cut.
  size_t screenWidth() const;
  /// `text` in a colour where standard output may have one.
  enum class Paint : uint8_t { Good, Bad, Warning, Remark };
  std::string painted(std::string_view text, Paint paint) const;
  /// A diagnostic as `render` has it, painted for standard output.
  std::string rendered(const Diagnostic &diagnostic) const;

private:
  void writeDiagnostic(const Diagnostic &diagnostic) const;
  /// The exit code if the tool ends here (--help, an error), else nothing.
  std::optional<int> parse(int argc, char **argv);

  /// Somebody who only typed the tool's name would look at nothing.
  void sayWhatIsRead() const;

  std::string name_;
  CLI::App app_;
  std::string defaultCommand_;
  std::vector<CLI::Option *> inputs_;
  std::string output_ = "-";
  std::string color_ = "auto";
  std::vector<std::pair<std::string, std::string>> examples_;
  enum class Width : uint8_t { Screen, Whole } width_ = Width::Screen;
};

/// JSON as the tools print it: two blanks of indent, a final line end; bytes that are not UTF-8
/// (symbol names come from files) are replaced, not an exception.
std::string jsonText(const nlohmann::ordered_json &json);

/// A bar on standard error, drawn only on a terminal and once the work has taken a second; erased
/// by the destructor. `update` may be called from any thread.
class Progress {
public:
  explicit Progress(std::string label);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  void update(uint64_t done, uint64_t total);
  /// In place of the bar: what is being done, for work of unknown length. Drawn at once.
  void status(std::string_view text);
  /// Takes the line away, whoever drew it, before something else is printed.
  static void erase();

private:
  void draw(const std::string &line);
  void clear();
  std::string label_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point start_, lastDraw_;
  size_t drawnWidth_ = 0;
  const bool terminal_;
};

/// The exit codes for --help.
inline constexpr std::string_view exitCodeHelp =
    "Exit codes: 0 success; 1 bad input or usage; 2 refused, lint or validation failed; "
    "3 backend not available.";

} // namespace rdna::tool
