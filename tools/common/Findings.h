//===- Findings.h - lists of findings for people, scripts and CI ------------===//
#pragma once

#include "Support/Diagnostic.h"

#include <nlohmann/json_fwd.hpp>

#include <set>
#include <string>
#include <vector>

namespace rdna::tool {

/// What a check or a lint rule says about one place.
struct ListedFinding {
  std::string rule; ///< "vopd-parity"
  Diagnostic place; ///< File, line, message.
  std::string instruction;
  std::vector<Diagnostic> notes;
  uint64_t count = 1; ///< Occurrences.
  /// Known: the original has it, too, of the same rule and with the same instruction.
  enum class State : uint8_t { New, Known, Suppressed } state = State::New;
};

using ListedFindings = std::vector<ListedFinding>;

/// Which findings are of no interest: rules, or rules at a line of a file.
class Suppressions {
public:
  /// RULE, RULE:LINE or RULE:FILE:LINE; FILE is the last part of a path.
  llvm::Error add(const std::string &text);
  /// A file with one of these in each line; # begins a comment.
  llvm::Error read(const std::string &path);
  void apply(ListedFindings &findings) const;

private:
  std::set<std::string> words_;
};

/// Findings that the original has as well become known, each for one of its; of rules of which
/// copies of an instruction have what it has, all of them, if they occur no more often than there.
void markKnown(ListedFindings &findings, const ListedFindings &original);

size_t countOf(const ListedFindings &findings, ListedFinding::State state);

/// "0 new findings; 46 known from the original: vopd-parity 45, mad64-overlap 1; 2 suppressed";
/// where there is no original, "3 findings: vopd-parity 3".
enum class Original : uint8_t { None, Given };
std::string findingsSummary(const ListedFindings &findings, Original original);

/// What is to be shown: new findings, the first ones of each rule, and a note for the others.
std::vector<Diagnostic> shownFindings(const ListedFindings &findings);

/// SARIF 2.1.0, for code hosts. Known and suppressed findings are marked as SARIF has it.
std::string sarifText(std::string_view tool, const ListedFindings &findings, Original original);
nlohmann::ordered_json findingsJson(const ListedFindings &findings);
/// "new", "known", "suppressed".
std::string_view toString(ListedFinding::State state);

} // namespace rdna::tool
