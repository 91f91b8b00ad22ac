#include "Support/Diagnostic.h"

#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

namespace rdna {

char InputError::ID = 0;

static std::string_view severityName(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Remark:
    return "remark";
  case Severity::Note:
    return "note";
  }
  return "error";
}

std::string render(const Diagnostic &diagnostic) {
  std::string text;
  if (!diagnostic.file.empty())
    text += diagnostic.file + ":";
  if (diagnostic.line != 0)
    text += fmt::format("{}:{}:", diagnostic.line, diagnostic.column);
  if (!text.empty())
    text += " ";
  text += fmt::format("{}: {}\n", severityName(diagnostic.severity), diagnostic.message);
  if (!diagnostic.sourceLine.empty() && diagnostic.column != 0) {
    // Tabs are kept in the line above the caret so that both lines indent alike.
    std::string indent;
    for (size_t i = 0; i + 1 < diagnostic.column && i < diagnostic.sourceLine.size(); ++i)
      indent += diagnostic.sourceLine[i] == '\t' ? '\t' : ' ';
    text += diagnostic.sourceLine + "\n" + indent + "^\n";
  }
  return text;
}

void InputError::log(llvm::raw_ostream &os) const {
  for (const Diagnostic &diagnostic : diagnostics_)
    os << render(diagnostic);
}

llvm::Error makeError(Failure failure, Diagnostic diagnostic) {
  std::vector<Diagnostic> all;
  all.push_back(std::move(diagnostic));
  return llvm::make_error<InputError>(failure, std::move(all));
}

llvm::Error makeError(Failure failure, std::string_view file, std::string_view message) {
  Diagnostic diagnostic;
  diagnostic.file = std::string(file);
  diagnostic.message = std::string(message);
  return makeError(failure, std::move(diagnostic));
}

int renderError(llvm::Error error, std::string_view tool, std::string &out) {
  int exitCode = 0;
  llvm::handleAllErrors(
      std::move(error),
      [&](const InputError &input) {
        for (const Diagnostic &diagnostic : input.diagnostics()) {
          if (diagnostic.file.empty())
            out += fmt::format("{}: ", tool);
          out += render(diagnostic);
        }
        exitCode = std::max(exitCode, static_cast<int>(input.failure()));
      },
      [&](const llvm::ErrorInfoBase &other) {
        out += fmt::format("{}: error: {}\n", tool, other.message());
        exitCode = std::max(exitCode, static_cast<int>(Failure::BadInput));
      });
  return exitCode;
}

} // namespace rdna
