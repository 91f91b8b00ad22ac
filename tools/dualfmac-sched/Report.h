//===- Report.h - what dualfmac-sched says of its work ---------------------===//
#pragma once

#include "Pipeline/Ladder.h"

#include <string>

namespace rdna::dualfmac {

/// `--report`: schema "dualfmac-sched/1".
std::string jsonReport(const std::string &file, const LadderResult &result);
/// One line a step: what it was and what it is.
std::string scoreLines(const LadderResult &result);

} // namespace rdna::dualfmac
