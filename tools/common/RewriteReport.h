//===- RewriteReport.h - what rewriting tools say of their work ------------===//
#pragma once

#include "Pipeline/Rewrite.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace rdna::tool {

nlohmann::ordered_json toJson(const Proof &proof);
nlohmann::ordered_json toJson(const RewrittenRegion &region);
nlohmann::ordered_json toJson(const std::vector<KernelChange> &kernels);
nlohmann::ordered_json toJson(const std::vector<Diagnostic> &remarks);
/// "proven", and under which assumptions.
std::string provenText(const Proof &proof);
/// One line: what a region was and what it is.
std::string scoreLine(const RewrittenRegion &region);
/// The changed lines, `-` old and `+` new, with the line numbers of both.
std::string diffText(std::string_view before, std::string_view after);

} // namespace rdna::tool
