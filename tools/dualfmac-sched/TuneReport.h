// `dualfmac-sched tune report`: text, CSV, JSON or a page.
#pragma once

#include "Tune/Report.h"

#include <nlohmann/json_fwd.hpp>

namespace rdna::dualfmac {

std::string reportText(const std::vector<tune::StudyReport> &reports,
                       const std::map<tune::Stage, tune::Store::Cost> &costs);
/// Schema "dualfmac-sched-tune/1".
nlohmann::ordered_json reportJson(const std::string &file,
                                  const std::vector<tune::StudyReport> &reports);
std::string reportPage(const nlohmann::ordered_json &report);

} // namespace rdna::dualfmac
