//===- Findings.h - what --check found, for people and for scripts --------===//
#pragma once

#include "Object/CodeObject.h"
#include "Options.h"
#include "Run/Backend.h"
#include "common/Findings.h"
#include "common/Tool.h"

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

namespace rdna::loader {

/// The findings as every tool lists them, each instruction and other party once.
tool::ListedFindings listedFindings(const object::CodeObject &object,
                                    const std::vector<run::CheckFinding> &findings);

/// Findings of all cases: what is new among them, what is suppressed, and where they go.
class FindingList {
public:
  /// Reads the suppressions that the options name.
  static llvm::Expected<FindingList> create(const Options &options);
  /// `original` may be null: then everything is new.
  void setOriginal(const object::CodeObject *original) { original_ = original; }
  size_t countNew(const object::CodeObject &object, const std::vector<run::CheckFinding> &now,
                  const std::vector<run::CheckFinding> &before) const;
  /// Adds those of one case.
  void add(const object::CodeObject &object, const std::vector<run::CheckFinding> &now,
           const std::vector<run::CheckFinding> &before);
  /// Shows what is new and the summary on standard error, and writes --sarif.
  llvm::Error report(const tool::Tool &tool, const Options &options) const;
  std::string summary() const;
  const tool::ListedFindings &all() const { return findings_; }
  size_t fresh() const { return countOf(findings_, tool::ListedFinding::State::New); }

private:
  tool::ListedFindings judged(const object::CodeObject &object,
                              const std::vector<run::CheckFinding> &now,
                              const std::vector<run::CheckFinding> &before) const;
  tool::Suppressions suppressions_;
  const object::CodeObject *original_ = nullptr;
  tool::ListedFindings findings_;
  std::set<std::string> seen_;
};

nlohmann::ordered_json findingsJson(const std::vector<run::CheckFinding> &findings);

} // namespace rdna::loader
