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
/// All of it: schema "dualfmac-sched/1".
nlohmann::ordered_json rewriteReport(const std::string &file, const PipelineResult &result);
/// One line a step: what it was and what it is.
std::string scoreLines(const std::vector<StepReport> &steps);
/// What has become of each kernel, as counts before and after.
std::string summaryText(const PipelineResult &result);
/// One remark of each kind, in order, and behind it a note with the lines of the others. Remarks
/// are of one kind if they differ in numbers, labels and quoted names only.
std::vector<Diagnostic> folded(const std::vector<Diagnostic> &remarks);
/// The changed lines, `-` old and `+` new, with the line numbers of both.
std::string diffText(std::string_view before, std::string_view after);

} // namespace rdna::tool
