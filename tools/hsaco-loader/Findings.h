//===- Findings.h - what --check found, for people and for scripts --------===//
#pragma once

#include "Object/CodeObject.h"
#include "Run/Backend.h"
#include "common/Tool.h"

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

namespace rdna::loader {

/// One warning with its notes for each finding; `seen` keeps those out that an earlier case showed.
void reportFindings(const tool::Tool &tool, const object::CodeObject &object,
                    const std::vector<run::CheckFinding> &findings, std::set<std::string> &seen);

nlohmann::ordered_json findingsJson(const std::vector<run::CheckFinding> &findings);

} // namespace rdna::loader
