//===- Segment.h - did two pieces of code do the same to memory? ----------===//
#pragma once

#include "Symbolic/Machine.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>

namespace rdna::verify {

struct SegmentFault {
  uint32_t instruction; ///< In the rewritten text; Module::instructions().size() if there is none.
  std::string message;
};

/// Compares what the original and the rewritten segment did besides computing: no read that the
/// original did not make, and before every fence at least what the original had waited for.
/// `drainsLds`: does the rewritten code wait for all LDS operations before it counts them again?
std::optional<SegmentFault> compareSegments(const ExprPool &pool, const Trace &before,
                                            const Trace &after, uint32_t lastInstruction,
                                            llvm::function_ref<bool()> drainsLds);

} // namespace rdna::verify
