//===- LoopForms.h - what comments want of --pipeline, loop by loop ---------===//
//
// `; RDNA-PIPELINE lds:2,vgpr:2 order:use,load,store` says it of the innermost loop around the next
// instruction, instead of what the switch says; `; RDNA-PIPELINE none` that the loop stays as it
// is. A comment goes wherever its loop goes: one in the inline assembly of a HIP source, too.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/Pass.h"
#include "Transform/TileStages.h"

#include <optional>

namespace rdna {

/// The line of the first such comment.
std::optional<uint32_t> firstLoopForm(const Module &module);
/// The comments of a text. Failure::BadInput: one cannot be read, or two of one loop differ.
/// `remarks`: of those that speak of no loop.
/// `kernel`: only of this function; empty: of all.
llvm::Expected<LoopForms> readLoopForms(const Module &module, std::string_view kernel,
                                        std::vector<Diagnostic> &remarks);

/// How many LDS buffers, and how many tiles on their way in registers; 0: the user does not say.
struct TileForm {
  unsigned lds = 0, vgpr = 0;
  StepOrder order = StepOrder::LoadUseStore;
  bool saysNothing() const { return lds == 0 && vgpr == 0; }
};
/// Of a loop, or of what a pass made of it: its comment's, else the switch's. Nothing: the loop
/// stays.
std::optional<TileForm> tileFormOf(const PassSite &site, const Loop &loop);

/// Does its comment say so?
bool staysAsItIs(const PassSite &site, const Loop &loop);

/// Comments of the function that speak of a loop that has gone, or has no tiles.
void remarkUnusedForms(const PassSite &site, PassState &state);

} // namespace rdna
