//===- Report.h - what hsaco-loader prints --------------------------------===//
#pragma once

#include "Options.h"
#include "Run/Bench.h"
#include "Run/Verify.h"
#include "common/Findings.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace rdna::loader {

/// The kernels of a code object with occupancy, and what a loader would reject.
llvm::Expected<std::string> inspectText(const object::CodeObject &object,
                                        const std::vector<std::string> &findings,
                                        const Options &options);

struct ReportHead {
  std::string kernel, backend, device;
  std::vector<std::string> refusals; ///< Findings of lint that make verify fail.
  std::string findings;              ///< Of --check, in one line; empty if nothing was checked.
  tool::ListedFindings listed;       ///< The same one by one.
  const tool::Tool *tool = nullptr;  ///< Whose colours; none for plain text.
};

std::string verifyText(const ReportHead &head, const std::vector<run::VerifyCase> &cases,
                       Format format);
std::string benchText(const ReportHead &head, const std::vector<run::BenchCase> &cases,
                      Format format);
std::string runText(const ReportHead &head, const run::ResolvedLaunch &launch,
                    const run::RunOutcome &outcome, const run::BufferSet &buffers, Format format);

} // namespace rdna::loader
