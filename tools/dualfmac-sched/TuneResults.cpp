// `tune merge` and `tune report`: what is done with databases that searches have filled.

#include "Tune.h"
#include "TuneReport.h"

#include "Support/File.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rdna::dualfmac {

using namespace tune;

void TuneCommand::addMerge(CLI::App &tune) {
  merge_ = tune.add_subcommand("merge", "Put the results of other databases into one");
  merge_->add_option("INTO", into_, "This one; made if it is not there")->required();
  merge_->add_option("FROM", from_, "Those")->required();
}

void TuneCommand::addReport(CLI::App &tune) {
  report_ = tune.add_subcommand("report", "The best of each size, how far the estimate leads, time "
                                          "against VGPRs and LDS, what limits whom");
  report_->add_option("DATABASE", wanted_.database, "Of `tune run`")->required();
  tool_.addOutput(*report_);
  report_->add_flag_callback(
      "--csv", [this] { wanted_.form = Report::Form::Csv; },
      "A line for each point in place of the tables");
  report_
      ->add_flag_callback(
          "--json", [this] { wanted_.form = Report::Form::Json; }, "The report as JSON")
      ->excludes("--csv");
  report_->add_option("--html", wanted_.html, "Write a page with charts to this file as well");
}

llvm::Expected<int> TuneCommand::runMerge() {
  for (const std::string &from : from_) // Before anything is written.
    if (auto store = Store::open(from, Store::Missing::IsError); !store)
      return store.takeError();
  auto store = Store::open(into_, Store::Missing::IsMade);
  if (!store)
    return store.takeError();
  std::string text;
  size_t different = 0;
  for (const std::string &from : from_) {
    auto merged = (*store)->merge(from);
    if (!merged)
      return merged.takeError();
    text += fmt::format("{}: {} new points, {} new results, {} known", from, merged->points,
                        merged->results, merged->known);
    if (merged->different != 0)
      text += fmt::format(", {} that say something else and were left out", merged->different);
    text += '\n';
    different += merged->different;
  }
  if (llvm::Error error = tool_.print(text))
    return error;
  return different == 0 ? 0 : static_cast<int>(Failure::Refused);
}

llvm::Expected<int> TuneCommand::runReport() {
  auto store = Store::open(wanted_.database, Store::Missing::IsError);
  if (!store)
    return store.takeError();
  auto rows = (*store)->rows();
  if (!rows)
    return rows.takeError();
  auto costs = (*store)->costs();
  if (!costs)
    return costs.takeError();
  std::string csv = wanted_.form == Report::Form::Csv ? csvOf(*rows) : "";
  const std::vector<StudyReport> reports = reportOf(std::move(*rows));
  if (!wanted_.html.empty())
    if (llvm::Error error =
            writeOutput(wanted_.html, reportPage(reportJson(wanted_.database, reports))))
      return error;
  if (llvm::Error error = tool_.print(wanted_.form == Report::Form::Csv ? csv
                                      : wanted_.form == Report::Form::Json
                                          ? tool::jsonText(reportJson(wanted_.database, reports))
                                          : reportText(reports, *costs)))
    return error;
  return 0;
}

} // namespace rdna::dualfmac
