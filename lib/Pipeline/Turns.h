//===- Turns.h - passes take turns until nothing changes -------------------===//
#pragma once

#include "Pipeline/Pipeline.h"
#include "Pipeline/Unchanged.h"
#include "Pipeline/UserLines.h"

namespace rdna {

std::vector<std::string_view> namesOf(llvm::ArrayRef<PassInvocation> passes);

/// A text on its way through passes.
struct Passage {
  std::unique_ptr<Module> module;
  UserLines lines;
  RoundWords words = {};
  PipelineResult result = {}; ///< Steps and remarks so far.
};

/// The pipeline's passes in rounds. The module is the result, if the run was not given up.
llvm::Error takeTurns(const Pipeline &pipeline, Passage &passage);

} // namespace rdna
