//===- VgprRemap.h - parts of the vgpr-remap tool -------------------------===//
#pragma once

#include "Pipeline/Rewrite.h"

#include <string>

namespace rdna::vgprremap {

/// `--report`: schema "vgpr-remap/1".
std::string jsonReport(const std::string &file, const RewriteResult &result);
/// One line a region: what it was and what it is.
std::string scoreLines(const RewriteResult &result);
/// `--emit-map`: the mapping as JSON, in the form that `--map` reads.
std::string mapText(const RewriteResult &result);
/// `--map FILE`: `{"mapping": [{"line", "old", "new"}, ...]}`, or just that array.
llvm::Expected<std::vector<FixedMapping>> readMap(const std::string &path);

} // namespace rdna::vgprremap
