//===- RewriteReport.h - what rewriting tools say of their work ------------===//
#pragma once

#include "Pipeline/Pipeline.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace rdna::tool {

nlohmann::ordered_json toJson(const ReportValue &value);
/// Function and name, the fields of the report, proof and assumptions.
nlohmann::ordered_json toJson(const StepReport &step);
nlohmann::ordered_json toJson(const std::vector<KernelChange> &kernels);
nlohmann::ordered_json toJson(const std::vector<Diagnostic> &remarks);
/// One line a step: what it was and what it is.
std::string scoreLines(const std::vector<StepReport> &steps);
/// The changed lines, `-` old and `+` new, with the line numbers of both.
std::string diffText(std::string_view before, std::string_view after);

} // namespace rdna::tool
