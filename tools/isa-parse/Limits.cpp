// isa-parse --fail-if: figures of a report that must not be so.

#include "Document.h"

#include "Support/Diagnostic.h"
#include "Support/Nearest.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rdna::isaparse {

namespace {

struct Limit {
  std::string text, name, comparison;
  double number = 0;
};

/// Short names for the figures of the tables.
constexpr std::pair<const char *, const char *> kAliases[] = {
    {"conflicts", "source_bank_conflicts"},
    {"hazards", "parity_hazards"},
    {"single", "single_fmac"},
    {"dual", "dual_fmac"},
    {"waves", "waves_per_simd"},
    {"scratch", "scratch_bytes"},
    {"lds", "lds_bytes"},
    {"code", "code_bytes"}};

llvm::Expected<Limit> parseLimit(const std::string &text) {
  const size_t at = text.find_first_of("<>=!");
  Limit limit{text, text.substr(0, at), "", 0};
  if (at != std::string::npos) {
    const size_t end = text.find_first_not_of("<>=!", at);
    limit.comparison = text.substr(at, end == std::string::npos ? end : end - at);
    const llvm::StringRef number =
        end == std::string::npos ? "" : llvm::StringRef(text).substr(end);
    const std::string_view known[] = {"<", ">", "<=", ">=", "==", "!="};
    if (!limit.name.empty() && !number.trim().getAsDouble(limit.number) &&
        std::find(std::begin(known), std::end(known), limit.comparison) != std::end(known)) {
      limit.name = llvm::StringRef(limit.name).trim().str();
      return limit;
    }
  }
  return makeError(
      Failure::BadInput, "",
      fmt::format("--fail-if: '{}' is not of the form NAME>NUMBER (or < >= <= == !=)", text));
}

bool holds(const Limit &limit, double value) {
  if (limit.comparison == "<")
    return value < limit.number;
  if (limit.comparison == ">")
    return value > limit.number;
  if (limit.comparison == "<=")
    return value <= limit.number;
  if (limit.comparison == ">=")
    return value >= limit.number;
  return (value == limit.number) == (limit.comparison == "==");
}

/// "conflicts" of the whole kernel, "hot.conflicts" of its hot loop; null if there is no such
/// number.
Json figureOf(const Json &kernel, std::string name) {
  const bool isHot = name.starts_with("hot.");
  if (isHot)
    name.erase(0, 4);
  for (const auto &[alias, key] : kAliases)
    if (name == alias)
      name = key;
  for (const char *part : {isHot ? "hot" : "", isHot ? "hot" : "totals"}) {
    const Json &from = *part == 0 ? kernel : kernel.at(part);
    if (from.contains(name) && from[name].is_number())
      return from[name];
  }
  return nullptr;
}

std::vector<std::string> namesOf(const Json &kernel) {
  std::vector<std::string> names;
  for (const auto &[alias, key] : kAliases)
    names.emplace_back(alias);
  for (const Json *from : {&kernel, &kernel.at("totals")})
    for (const auto &item : from->items())
      if (item.value().is_number())
        names.push_back(item.key());
  return names;
}

} // namespace

llvm::Expected<std::vector<std::string>> brokenLimits(const Json &document,
                                                      const std::vector<std::string> &limits) {
  std::vector<std::string> broken;
  for (const std::string &text : limits) {
    auto limit = parseLimit(text);
    if (!limit)
      return limit.takeError();
    for (const Json &kernel : document["kernels"]) {
      const Json value = figureOf(kernel, limit->name);
      if (value.is_null())
        return makeError(Failure::BadInput, "",
                         fmt::format("--fail-if: no figure is called '{}'{}", limit->name,
                                     didYouMean(limit->name, namesOf(kernel))));
      if (holds(*limit, value.get<double>()))
        broken.push_back(fmt::format("kernel {}: {} is {}, which --fail-if '{}' forbids",
                                     kernel["name"].get<std::string>(), limit->name, value.dump(),
                                     text));
    }
  }
  return broken;
}

} // namespace rdna::isaparse
