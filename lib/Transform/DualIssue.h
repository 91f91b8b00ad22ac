//===- DualIssue.h - every operation that can has a partner ----------------===//
//
// For any code with FMAs: loops of several blocks, straight code, software-pipelined loops. Nothing
// is moved to another register on the way: either every value stays where it is, or it is somewhere
// else in the whole function (BankChoice). Within a block operations go down to their partners
// (Pairing); loads, waits and everything else keep their order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/Pass.h"
#include "Transform/SplitLoads.h"

namespace rdna {

struct DualIssueOptions {
  /// What becomes of LDS tuples: Never leaves every load what it is, Always is Auto, because only
  /// what pairs need is loaded by itself.
  SplitLoads splitLoads = SplitLoads::Auto;
  /// Whether values that are left get other registers one by one (Recolour), which may take as long
  /// as all the rest.
  enum class Recolouring : uint8_t { No, Yes } recolouring = Recolouring::Yes;
};

llvm::Expected<PassResult> issueDual(const PassSite &site, PassState &state);
PassFunction issueDualWith(DualIssueOptions options);

/// Sums in even registers and in odd ones alike (SumParities), for passes behind it: by itself it
/// may cost more than it gains, so it is for ways that are judged at their end (Pipeline/Ways).
llvm::Expected<PassResult> balanceParities(const PassSite &site, PassState &state);

} // namespace rdna
