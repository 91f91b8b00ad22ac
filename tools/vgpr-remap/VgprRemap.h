//===- VgprRemap.h - parts of the vgpr-remap tool -------------------------===//
#pragma once

#include "Pipeline/Registry.h"

#include <string>

namespace rdna::vgprremap {

/// `--report`: schema "vgpr-remap/1".
std::string jsonReport(const std::string &file, const PipelineResult &result);
/// `--emit-map`: the mapping as JSON, in the form that `--map` reads.
std::string mapText(const PipelineResult &result);
/// `--map FILE`: `{"mapping": [{"line", "old", "new"}, ...]}`, or just that array.
llvm::Expected<std::vector<FixedMapping>> readMap(const std::string &path);

} // namespace rdna::vgprremap
