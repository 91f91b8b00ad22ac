//===- PipelineForms.h - what --pipeline can make, for time to choose from ---===//
//
// How many buffers and how many tiles on their way pay depends on what other waves hide, and on
// the waves that they cost, so no count can say it: each form is a variant, and the predicted time
// of its end decides.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Pipeline/Registry.h"

namespace rdna {

/// The chosen passes with each form of `--pipeline`, if the user names the pass and no form, or no
/// pass. None if the shape of the kernel's workgroups is not known, or no loop fills LDS.
std::vector<Variant> pipelineForms(const PassChoice &choice, const Module &module,
                                   const PassRequest &request, std::string_view kernel);

} // namespace rdna
