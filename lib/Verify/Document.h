//===- Document.h - is the text around the code the same? -----------------===//
#pragma once

#include "Asm/Module.h"

#include <functional>
#include <optional>
#include <set>
#include <string>

namespace rdna::verify {

struct DocumentFault {
  uint32_t line; ///< In the rewritten text.
  std::string message;
};

/// Everything that is no instruction: directives, data, labels and macros must be the same in the
/// same order, except numbers of VGPRs, comments, debug locations and labels that are new, and the
/// size of LDS of the functions that are named.
std::optional<DocumentFault>
compareDocuments(const Module &before, const Module &after,
                 const std::set<std::string, std::less<>> &resized = {});

/// The declared number of VGPRs must still cover the code, and what callees need besides.
std::optional<DocumentFault> compareRegisterCounts(const Module &before, const Module &after,
                                                   uint32_t function);

/// Highest VGPR that a function names, plus one.
unsigned vgprsNamed(const Module &module, const Function &function);

} // namespace rdna::verify
