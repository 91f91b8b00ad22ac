//===- DeviceCode.h - a compiler's assembly, rewritten --------------------===//
#pragma once

#include "Pipeline/Registry.h"

#include <optional>
#include <string>
#include <string_view>

namespace rdna::hipclang {

/// What the user wants of the rewriter.
struct RewriteRequest {
  PassChoice choice;
  PassRequest request;
  std::optional<std::string> kernels; ///< An expression that finds names.
  std::string folder;                 ///< For reports; empty: none.
  enum class Say : uint8_t { Nothing, Remarks, AllRemarks, Score } say = Say::Remarks;
  /// Whether the compiler's code stays in the binary, to be run beside the rewritten one.
  enum class Originals : uint8_t { Drop, Keep } originals = Originals::Drop;
};

/// The text after all passes: the one that came in if nothing was there to do.
llvm::Expected<PipelineResult> rewriteDeviceCode(const std::string &text, const std::string &file,
                                                 const RewriteRequest &request);

} // namespace rdna::hipclang
