#include "Given.h"

#include "Support/Diagnostic.h"
#include "Support/File.h"

#include "llvm/ADT/STLExtras.h"
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
static Names namesIn(const nlohmann::json &launch) {
  Names names;
  std::vector<std::pair<std::string, unsigned>> own, values;
  unsigned index = 0;
  for (const auto &argument : launch["args"]) {
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

/// Nothing: no launch is described.
static llvm::Expected<nlohmann::json> readLaunch(const std::string &path) {
  if (path.empty())
    return nlohmann::json({{"args", nlohmann::json::array()}});
  auto text = readInput(path);
  if (!text)
    return text.takeError();
  auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("args") || !json["args"].is_array())
    return makeError(Failure::BadInput, displayName(path),
                     "is no launch description with \"args\"");
  return json;
}

/// If its sizes are numbers. One that parameters decide is not the shape of all launches.
static std::optional<WorkgroupShape> blockIn(const nlohmann::json &launch) {
  const auto block = launch.find("block");
  if (block == launch.end() || !block->is_array() || block->size() > 3)
    return std::nullopt;
  WorkgroupShape shape{1, 1, 1};
  for (size_t d = 0; d < block->size(); ++d) {
    const auto &size = (*block)[d];
    if (!size.is_number_unsigned() || size.get<uint64_t>() == 0 || size.get<uint64_t>() > 1024)
      return std::nullopt;
    shape[d] = size.get<uint32_t>();
  }
  return shape;
}

/// The kernel that a launch is of: the one that it names, or the only one.
static bool isLaunched(const Module &module, const Function &function,
                       const nlohmann::json &launch) {
  if (const auto name = launch.find("kernel"); name != launch.end() && name->is_string())
    return name->get<std::string>() == function.name;
  return llvm::count_if(module.functions(), [](const Function &f) { return f.isKernel(); }) == 1;
}

llvm::Error readGiven(const Module &module, const Given &given, PassRequest &request) {
  auto launch = readLaunch(given.launchFile);
  if (!launch)
    return launch.takeError();
  const Names names = namesIn(*launch);
  if (llvm::Error error = refuseAmbiguous(given.ranges, names, given.launchFile))
    return error;
  auto launched = blockIn(*launch);
  if (launched && request.workgroupSize != 0 &&
      uint64_t((*launched)[0]) * (*launched)[1] * (*launched)[2] != request.workgroupSize)
    launched.reset();
  for (const Function &function : module.functions()) {
    if (!function.isKernel() || (!request.kernel.empty() && function.name != request.kernel))
      continue;
    if (given.block)
      request.shapes[function.name] = *given.block;
    else if (launched && isLaunched(module, function, *launch))
      request.shapes[function.name] = *launched;
    if (given.ranges.empty() && names.of.empty())
      continue;
    auto ranges = verify::parseGiven(function, given.ranges, names.of);
    if (!ranges)
      return ranges.takeError();
    request.given[function.name] = std::move(*ranges);
  }
  return llvm::Error::success();
}

} // namespace rdna::dualfmac
