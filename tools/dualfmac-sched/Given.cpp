#include "Given.h"

#include "Support/Diagnostic.h"
#include "Support/File.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace rdna::dualfmac {

namespace {

struct Names {
  verify::ArgumentNames of;
  /// Names of numbers that are passed twice, and who they are.
  std::map<std::string, std::pair<unsigned, unsigned>, std::less<>> twice;
};

} // namespace

static bool isNamePart(char c) { return llvm::isAlnum(c) || c == '_'; }

static bool isName(const std::string &text) {
  return !text.empty() && !llvm::isDigit(text[0]) &&
         std::all_of(text.begin(), text.end(), isNamePart);
}

/// The integer arguments of a launch by their own names, `{"name": "lda", ...}`, and where that is
/// nobody's name, by the number that they are: `{"i32": "N"}` calls an argument N.
static llvm::Expected<Names> namesIn(const std::string &path) {
  Names names;
  if (path.empty())
    return names;
  auto text = readInput(path);
  if (!text)
    return text.takeError();
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("args") || !json["args"].is_array())
    return makeError(Failure::BadInput, displayName(path),
                     "is no launch description with \"args\"");
  std::vector<std::pair<std::string, unsigned>> own, values;
  unsigned index = 0;
  for (const auto &argument : json["args"]) {
    for (const char *type : {"i32", "u32", "i64", "u64"})
      if (argument.is_object() && argument.contains(type)) {
        if (argument.contains("name") && argument["name"].is_string())
          own.emplace_back(argument["name"].get<std::string>(), index);
        if (argument[type].is_string())
          values.emplace_back(argument[type].get<std::string>(), index);
      }
    ++index;
  }
  const auto add = [&names](const std::vector<std::pair<std::string, unsigned>> &found) {
    verify::ArgumentNames here;
    for (const auto &[name, argument] : found)
      if (isName(name) && !names.of.contains(name) && !here.try_emplace(name, argument).second)
        names.twice.emplace(name, std::pair(here.at(name), argument));
    names.of.insert(here.begin(), here.end());
  };
  add(own);
  add(values);
  for (const auto &[name, both] : names.twice)
    names.of.erase(name);
  return names;
}

/// A number that is passed twice has no name.
static llvm::Error refuseAmbiguous(const std::vector<std::string> &given, const Names &names,
                                   const std::string &launchFile) {
  for (const std::string &text : given)
    for (auto from = text.begin(); from != text.end();) {
      const auto begin = std::find_if(from, text.end(), isNamePart);
      from = std::find_if_not(begin, text.end(), isNamePart);
      const std::string word(begin, from);
      if (const auto at = names.twice.find(word); at != names.twice.end())
        return makeError(Failure::BadInput, displayName(launchFile),
                         fmt::format("two arguments are '{}'; name them arg{} and arg{}", word,
                                     at->second.first, at->second.second));
    }
  return llvm::Error::success();
}

llvm::Error readGiven(const Module &module, const std::vector<std::string> &given,
                      const std::string &launchFile, PassRequest &request) {
  auto names = namesIn(launchFile);
  if (!names)
    return names.takeError();
  if (llvm::Error error = refuseAmbiguous(given, *names, launchFile))
    return error;
  for (const Function &function : module.functions()) {
    if (!function.isKernel() || (!request.kernel.empty() && function.name != request.kernel))
      continue;
    if (given.empty() && names->of.empty())
      continue;
    auto ranges = verify::parseGiven(function, given, names->of);
    if (!ranges)
      return ranges.takeError();
    request.given[function.name] = std::move(*ranges);
  }
  return llvm::Error::success();
}

} // namespace rdna::dualfmac
