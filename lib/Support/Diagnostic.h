//===- Diagnostic.h - errors that carry a place in the user's file --------===//
//
// The library never prints: it returns llvm::Error / llvm::Expected whose payload is an InputError,
// and a tool turns that into LLVM-style text and an exit code.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Support/Error.h"

#include <string>
#include <string_view>
#include <vector>

namespace rdna {

enum class Severity { Error, Warning, Remark, Note };

/// One message about one place. `line` and `column` are 1-based; 0 means "the whole file".
struct Diagnostic {
  Severity severity = Severity::Error;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::string message;
  std::string sourceLine; ///< The text of the line, without its line end; may be empty.
};

/// What went wrong, in the terms of the tools' documented exit codes.
enum class Failure {
  BadInput = 1,  ///< Input or usage is wrong.
  Refused = 2,   ///< A rewrite was refused, or lint or validation failed.
  NoBackend = 3, ///< The asked-for backend is not available here.
};

/// The one error type of the library: one or more diagnostics and how to classify them.
class InputError : public llvm::ErrorInfo<InputError> {
public:
  static char ID;
  InputError(Failure failure, std::vector<Diagnostic> diagnostics)
      : failure_(failure), diagnostics_(std::move(diagnostics)) {}

  Failure failure() const { return failure_; }
  const std::vector<Diagnostic> &diagnostics() const { return diagnostics_; }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  Failure failure_;
  std::vector<Diagnostic> diagnostics_;
};

/// An error about no particular line ("cannot open", "no kernel in the input").
llvm::Error makeError(Failure failure, std::string_view file, std::string_view message);

/// An error about one place.
llvm::Error makeError(Failure failure, Diagnostic diagnostic);

/// `file:line:col: error: text`, the source line and a caret, in LLVM's layout.
std::string render(const Diagnostic &diagnostic);

/// Renders every diagnostic of `error` to `out` and returns the exit code that it stands for.
/// An error of a foreign type (LLVM's own) counts as bad input.
int renderError(llvm::Error error, std::string_view tool, std::string &out);

} // namespace rdna
