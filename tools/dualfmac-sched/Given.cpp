#include "Given.h"

#include "Support/Diagnostic.h"
#include "Support/File.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace rdna::dualfmac {

/// `{"i32": "N"}` calls an argument N, if N is nothing but a name.
static llvm::Expected<verify::ArgumentNames> namesIn(const std::string &path) {
  verify::ArgumentNames names;
  if (path.empty())
    return names;
  auto text = readInput(path);
  if (!text)
    return text.takeError();
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("args") || !json["args"].is_array())
    return makeError(Failure::BadInput, displayName(path),
                     "is no launch description with \"args\"");
  unsigned index = 0;
  for (const auto &argument : json["args"]) {
    for (const char *type : {"i32", "u32", "i64", "u64"})
      if (argument.is_object() && argument.contains(type) && argument[type].is_string()) {
        const auto name = argument[type].get<std::string>();
        const bool isName = !name.empty() && !llvm::isDigit(name[0]) &&
                            std::all_of(name.begin(), name.end(),
                                        [](char c) { return llvm::isAlnum(c) || c == '_'; });
        // A number that is passed twice has no name.
        if (isName && !names.try_emplace(name, index).second)
          return makeError(Failure::BadInput, displayName(path),
                           fmt::format("two arguments are '{}'; name them arg{} and arg{}", name,
                                       names.at(name), index));
      }
    ++index;
  }
  return names;
}

llvm::Error readGiven(const Module &module, const std::vector<std::string> &given,
                      const std::string &launchFile, PassRequest &request) {
  auto names = namesIn(launchFile);
  if (!names)
    return names.takeError();
  for (const Function &function : module.functions()) {
    if (!function.isKernel() || (!request.kernel.empty() && function.name != request.kernel))
      continue;
    if (given.empty() && names->empty())
      continue;
    auto ranges = verify::parseGiven(function, given, *names);
    if (!ranges)
      return ranges.takeError();
    request.given[function.name] = std::move(*ranges);
  }
  return llvm::Error::success();
}

} // namespace rdna::dualfmac
