//===- Junit.h - the report as CI servers read it -------------------------===//
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace rdna::tool {

/// One test case for each finding, or a passed one, from the runtime's report.
std::string junitText(const nlohmann::ordered_json &report, const std::string &program);

} // namespace rdna::tool
