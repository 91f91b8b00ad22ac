//===- Passes.h - how the passes of lib/Transform are asked ----------------===//
//
// One function for each row of the registry, where a pass has a shape of its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/Pass.h"

namespace rdna {

llvm::Expected<PassResult> remapBlocks(const PassSite &site, PassState &state);
/// The same with options that only vgpr-remap has; occupancy, workgroup size and assumptions are
/// the request's.
PassFunction remapWith(RemapOptions options);

llvm::Expected<PassResult> rebaseAccesses(const PassSite &site, PassState &state);
llvm::Expected<PassResult> unrollLoops(const PassSite &site, PassState &state);
llvm::Expected<PassResult> spreadGlobalLoads(const PassSite &site, PassState &state);
llvm::Expected<PassResult> pipelineLoops(const PassSite &site, PassState &state);
llvm::Expected<PassResult> stageLoops(const PassSite &site, PassState &state);

// Parts of pipelineLoops. Loops that fill a tile are written out; both ways of an `if` that store
// one become one, in one step with what `next` makes of the loop then. LDS buffers, and tiles on
// their way in registers, in loops that load, store and use a tile in one step; tiles in registers,
// in those that load it a step ahead. How many is said for each loop (LoopForms.h).
using NextPass = llvm::function_ref<PassResult(const PassSite &, PassState &)>;
PassResult writeOutFills(const PassSite &site, PassState &state);
PassResult mergeFills(const PassSite &site, PassState &state, NextPass next);
PassResult stageTileLoops(const PassSite &site, PassState &state);
PassResult prefetchTiles(const PassSite &site, PassState &state);

// These change the code of all blocks at once and leave registers where they are.
llvm::Expected<PassResult> mergeLdsStores(const PassSite &site, PassState &state);
llvm::Expected<PassResult> waitForWhatIsNeeded(const PassSite &site, PassState &state);
llvm::Expected<PassResult> insertClauses(const PassSite &site, PassState &state);
llvm::Expected<PassResult> insertPriorities(const PassSite &site, PassState &state);
llvm::Expected<PassResult> insertDelays(const PassSite &site, PassState &state);
/// The same where a function had some before others changed it, and without a word about places.
llvm::Expected<PassResult> renewDelays(const PassSite &site, PassState &state);

} // namespace rdna
