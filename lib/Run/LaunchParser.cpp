#include "Run/LaunchParser.h"

#include "Run/Npy.h"
#include "Support/Diagnostic.h"
#include "Support/File.h"
#include "Support/Nearest.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace rdna::run {

using Json = nlohmann::ordered_json;

JsonNode JsonNode::member(const std::string &key) const {
  return {json.at(key), fmt::format("\"{}\"{}", key, what.empty() ? "" : " of " + what),
          pointer + "/" + key};
}

JsonNode JsonNode::element(size_t index) const {
  // Of "args" it is args[2], as the documentation calls it.
  const bool quoted = what.size() > 2 && what.front() == '"' && what.back() == '"';
  return {json.at(index),
          fmt::format("{}[{}]", quoted ? what.substr(1, what.size() - 2) : what, index),
          fmt::format("{}/{}", pointer, index)};
}

llvm::Error LaunchParser::bad(const JsonNode &at, std::string_view message) const {
  Place place = places_[at.pointer];
  return makeError(Failure::BadInput,
                   Diagnostic{Severity::Error, file_, place.line, place.column,
                              std::string(message), std::move(place.sourceLine)});
}

llvm::Error LaunchParser::badKey(const JsonNode &object, const std::string &key,
                                 const std::vector<std::string> &known) const {
  Place place = places_.key(object.pointer + "/" + key);
  return makeError(Failure::BadInput,
                   Diagnostic{Severity::Error, file_, place.line, place.column,
                              fmt::format("unknown key \"{}\" in {}{}; known: {}", key, object.what,
                                          didYouMean(key, known), fmt::join(known, ", ")),
                              std::move(place.sourceLine)});
}

llvm::Error LaunchParser::badWord(const JsonNode &node, std::string_view key,
                                  std::string_view parent,
                                  const std::vector<std::string> &known) const {
  return bad(node,
             fmt::format("unknown \"{}\" {} in {}{}; known: {}", key, node.json.dump(), parent,
                         node.json.is_string() ? didYouMean(node.json.get<std::string>(), known)
                                               : std::string(),
                         fmt::join(known, " ")));
}

static llvm::Error syntaxError(const Json::parse_error &error, std::string_view text,
                               std::string_view file) {
  Place place = placeAt(text, error.byte == 0 ? 0 : error.byte - 1);
  // "[json.exception.parse_error.101] parse error at line 1, column 2: the reason"
  std::string_view reason = error.what();
  if (const size_t colon = reason.find(": "); colon != std::string_view::npos)
    reason.remove_prefix(colon + 2);
  return makeError(Failure::BadInput,
                   Diagnostic{Severity::Error, std::string(file), place.line, place.column,
                              fmt::format("not valid JSON: {}", reason),
                              std::move(place.sourceLine)});
}

llvm::Error LaunchParser::checkKeys(const JsonNode &object,
                                    std::initializer_list<std::string_view> known) const {
  if (!object.json.is_object())
    return bad(object, fmt::format("{} must be an object", object.what));
  for (const auto &item : object.json.items())
    if (std::find(known.begin(), known.end(), item.key()) == known.end())
      return badKey(object, item.key(), {known.begin(), known.end()});
  return llvm::Error::success();
}

llvm::Error LaunchParser::readFormula(const JsonNode &node, Formula &out) const {
  if (node.json.is_string())
    out.text = node.json.get<std::string>();
  else if (node.json.is_number_integer())
    out.text = node.json.dump();
  else
    return bad(node, fmt::format("{} must be an integer or an expression in a string", node.what));
  out.place = places_[node.pointer];
  return llvm::Error::success();
}

llvm::Error LaunchParser::readNumber(const JsonNode &node, ElementType type, Number &out) const {
  if (isFloat(type) && node.json.is_number()) {
    out = node.json.get<double>();
    return llvm::Error::success();
  }
  Formula formula;
  if (llvm::Error error = readFormula(node, formula))
    return error;
  out = std::move(formula);
  return llvm::Error::success();
}

llvm::Error LaunchParser::readTriple(const JsonNode &node, std::array<Formula, 3> &out) const {
  if (!node.json.is_array() || node.json.empty() || node.json.size() > 3)
    return bad(node, fmt::format("{} must be a list of one to three sizes", node.what));
  for (size_t i = 0; i < node.json.size(); ++i)
    if (llvm::Error error = readFormula(node.element(i), out[i]))
      return error;
  return llvm::Error::success();
}

llvm::Error LaunchParser::readString(const JsonNode &node, std::string &out) const {
  if (!node.json.is_string())
    return bad(node, fmt::format("{} must be a string", node.what));
  out = node.json.get<std::string>();
  return llvm::Error::success();
}

llvm::Error LaunchParser::readConstant(const JsonNode &node, double &out) const {
  if (!node.json.is_number())
    return bad(node, fmt::format("{} must be a number", node.what));
  out = node.json.get<double>();
  return llvm::Error::success();
}

llvm::Error LaunchParser::readElements(const JsonNode &node, ElementType type,
                                       FileContents &out) const {
  std::string name;
  if (llvm::Error error = readString(node, name))
    return error;
  return readNamedElements(node, name, type, out);
}

llvm::Error LaunchParser::readNamedElements(const JsonNode &node, std::string_view name,
                                            ElementType type, FileContents &out) const {
  if (llvm::Error error = readPath(node, std::string(name), out))
    return error;
  if (!isNpy(*out))
    return llvm::Error::success();
  auto array = readNpy(*out);
  if (!array) {
    std::string reason;
    llvm::handleAllErrors(array.takeError(), [&](const InputError &error) {
      reason = error.diagnostics().at(0).message;
    });
    return bad(node, fmt::format("{}: {}: {}", node.what, name, reason));
  }
  // The bits of a bfloat16 are 16-bit numbers to numpy.
  if (array->type != type && !(type == ElementType::BF16 && array->type == ElementType::U16))
    return bad(node,
               fmt::format("{}: {} holds {}, the buffer is {} (\"type\": \"{}\")", node.what, name,
                           toString(array->type), toString(type), toString(array->type)));
  out = std::make_shared<const std::string>(std::move(array->data));
  return llvm::Error::success();
}

llvm::Error LaunchParser::readPath(const JsonNode &node, const std::string &name,
                                   FileContents &out) const {
  llvm::SmallString<128> path(llvm::sys::path::parent_path(file_));
  if (llvm::sys::path::is_absolute(name))
    path = name;
  else
    llvm::sys::path::append(path, name);
  if (name == "-") // That is the kernel's or the description's.
    return bad(node, fmt::format("{} cannot be standard input", node.what));
  llvm::Expected<std::string> contents = readInput(std::string(path));
  if (!contents) {
    std::string reason;
    llvm::handleAllErrors(contents.takeError(), [&](const InputError &error) {
      reason = error.diagnostics().at(0).message;
    });
    return bad(node, fmt::format("{}: {}: {}", node.what, path.str().str(), reason));
  }
  out = std::make_shared<const std::string>(std::move(*contents));
  return llvm::Error::success();
}

llvm::Error LaunchParser::readParameters(const JsonNode &node, Parameters &out) const {
  if (!node.json.is_object())
    return bad(node, "\"params\" must be an object");
  for (const auto &item : node.json.items()) {
    if (!item.value().is_number_integer())
      return bad(node.member(item.key()),
                 fmt::format("parameter \"{}\" must be an integer", item.key()));
    out[item.key()] = item.value().get<int64_t>();
  }
  return llvm::Error::success();
}

llvm::Expected<LaunchDescription> LaunchParser::run() {
  Json json;
  try {
    json = Json::parse(text_);
  } catch (const Json::parse_error &error) {
    return syntaxError(error, text_, file_);
  }
  places_ = JsonPlaces(text_);
  const JsonNode root{json, "", ""};
  if (llvm::Error error =
          checkKeys(JsonNode{json, "the launch description", ""},
                    {"kernel", "grid", "block", "lds", "args", "buffers", "params", "reference"}))
    return error;
  LaunchDescription out;
  out.file = file_;
  for (const char *required : {"grid", "block", "args"})
    if (!root.has(required))
      return bad(root, fmt::format("\"{}\" is missing", required));
  if (root.has("kernel"))
    if (llvm::Error error = readString(root.member("kernel"), out.kernel))
      return error;
  if (llvm::Error error = readTriple(root.member("grid"), out.grid))
    return error;
  if (llvm::Error error = readTriple(root.member("block"), out.block))
    return error;
  if (root.has("lds"))
    if (llvm::Error error = readFormula(root.member("lds"), out.lds))
      return error;
  if (root.has("params"))
    if (llvm::Error error = readParameters(root.member("params"), out.parameters))
      return error;
  if (llvm::Error error = readArguments(root.member("args"), out.arguments))
    return error;
  if (root.has("buffers"))
    if (llvm::Error error = readBuffers(root.member("buffers"), out.buffers))
      return error;
  if (root.has("reference"))
    if (llvm::Error error = readReference(root.member("reference"), out))
      return error;
  return out;
}

llvm::Expected<LaunchDescription> parseLaunchDescription(std::string_view text,
                                                         std::string_view file) {
  return LaunchParser(text, file).run();
}

} // namespace rdna::run
