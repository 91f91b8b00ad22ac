//===- Cleanup.h - what passes leave behind, taken away --------------------===//
#pragma once

#include "Pipeline/Next.h"

#include "llvm/ADT/ArrayRef.h"

#include <map>

namespace rdna {

/// Takes instructions of the given functions away whose results nobody reads. Gives how many, with
/// halves of pairs, of each function that had any.
llvm::Expected<std::map<uint32_t, unsigned>> removeDeadCode(Next &next,
                                                            llvm::ArrayRef<uint32_t> functions);

/// What is left over in functions where code was copied: a counter that is set for nothing once
/// its loop's iterations are written out, a test that only a branch needed, an address that
/// advanced in a copy and does so no more. A function that had dead code of its own keeps all of
/// it. Waits for transcendentals come where too few instructions are left behind them.
llvm::Error cleanUpCopies(const Module &before, Next &next, llvm::ArrayRef<uint32_t> functions);

/// What uses the result of a transcendental too early for the hardware, and did not in `before`,
/// waits.
llvm::Error keepTransGaps(const Module &before, Next &next, std::vector<uint32_t> functions);

/// Sets every s_delay_alu of functions that have some in `before`.
llvm::Error setDelaysAnew(const Module &before, Next &next, std::vector<uint32_t> functions);
/// The text with every s_delay_alu of the named function set; null if they are.
llvm::Expected<std::unique_ptr<Module>> withDelays(const Module &module, std::string_view function);

} // namespace rdna
