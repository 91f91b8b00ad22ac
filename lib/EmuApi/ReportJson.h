//===- ReportJson.h - what a launch came to, for C callers ----------------===//
#pragma once

#include "Emu/Check.h"
#include "Emu/Emulator.h"

namespace rdna::api {

/// The object that rdna3emu_report_json() documents.
std::string reportJson(const emu::RunResult &result, const std::vector<emu::Finding> &findings);

} // namespace rdna::api
