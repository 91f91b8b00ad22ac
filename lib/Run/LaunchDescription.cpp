#include "Run/LaunchDescription.h"

#include "Support/Diagnostic.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>

namespace rdna::run {

using Json = nlohmann::ordered_json;

namespace {

class Parser {
public:
  Parser(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  llvm::Expected<LaunchDescription> run();

private:
  llvm::Error bad(std::string_view message) const {
    return makeError(Failure::BadInput, file_, message);
  }
  llvm::Error syntaxError(const Json::parse_error &error) const;
  llvm::Error checkKeys(const Json &object, std::string_view what,
                        std::initializer_list<std::string_view> known) const;
  llvm::Error readExpression(const Json &json, std::string_view what, std::string &out) const;
  llvm::Error readTriple(const Json &json, std::string_view what,
                         std::array<std::string, 3> &out) const;
  llvm::Error readBuffer(const Json &json, std::string_view what, BufferArgument &out) const;
  llvm::Error readScalar(const Json &json, std::string_view what, ScalarArgument &out) const;
  llvm::Error readArguments(const Json &json, LaunchDescription &out) const;

  std::string_view text_;
  std::string_view file_;
};

llvm::Error Parser::syntaxError(const Json::parse_error &error) const {
  Diagnostic diagnostic;
  diagnostic.file = std::string(file_);
  const size_t at = std::min(error.byte == 0 ? 0 : error.byte - 1, text_.size());
  const std::string_view before = text_.substr(0, at);
  const size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  diagnostic.line = static_cast<unsigned>(std::count(before.begin(), before.end(), '\n')) + 1;
  diagnostic.column = static_cast<unsigned>(at - start) + 1;
  diagnostic.sourceLine = std::string(text_.substr(start, text_.find('\n', start) - start));
  // "[json.exception.parse_error.101] parse error at line 1, column 2: the reason"
  std::string_view reason = error.what();
  if (const size_t colon = reason.find(": "); colon != std::string_view::npos)
    reason.remove_prefix(colon + 2);
  diagnostic.message = fmt::format("not valid JSON: {}", reason);
  return makeError(Failure::BadInput, std::move(diagnostic));
}

llvm::Error Parser::checkKeys(const Json &object, std::string_view what,
                              std::initializer_list<std::string_view> known) const {
  if (!object.is_object())
    return bad(fmt::format("{} must be an object", what));
  for (const auto &item : object.items())
    if (std::find(known.begin(), known.end(), item.key()) == known.end())
      return bad(fmt::format("unknown key \"{}\" in {}; known: {}", item.key(), what,
                             fmt::join(known, ", ")));
  return llvm::Error::success();
}

llvm::Error Parser::readExpression(const Json &json, std::string_view what,
                                   std::string &out) const {
  if (json.is_string())
    out = json.get<std::string>();
  else if (json.is_number_integer())
    out = json.dump();
  else
    return bad(fmt::format("{} must be an integer or an expression in a string", what));
  return llvm::Error::success();
}

llvm::Error Parser::readTriple(const Json &json, std::string_view what,
                               std::array<std::string, 3> &out) const {
  if (!json.is_array() || json.empty() || json.size() > 3)
    return bad(fmt::format("{} must be a list of one to three sizes", what));
  for (size_t i = 0; i < json.size(); ++i)
    if (llvm::Error error = readExpression(json[i], what, out[i]))
      return error;
  return llvm::Error::success();
}

llvm::Error Parser::readBuffer(const Json &json, std::string_view what, BufferArgument &out) const {
  if (llvm::Error error = checkKeys(json, what, {"buffer", "type", "init", "seed", "output"}))
    return error;
  if (llvm::Error error = readExpression(json.at("buffer"), what, out.bytes))
    return error;
  if (json.contains("type")) {
    const auto type = json["type"].is_string() ? elementTypeByName(json["type"].get<std::string>())
                                               : std::nullopt;
    if (!type)
      return bad(fmt::format("unknown \"type\" in {}; known: f16 bf16 f32 f64 i8 u8 i16 u16 i32 "
                             "u32 i64 u64",
                             what));
    out.type = *type;
  }
  if (json.contains("init")) {
    const auto init =
        json["init"].is_string() ? initByName(json["init"].get<std::string>()) : std::nullopt;
    if (!init)
      return bad(fmt::format("unknown \"init\" in {}; known: random identity one-hot ramp zero nan "
                             "undefined",
                             what));
    out.init = *init;
  }
  if (json.contains("seed")) {
    if (!json["seed"].is_number_unsigned())
      return bad(fmt::format("\"seed\" in {} must be a non-negative integer", what));
    out.seed = json["seed"].get<uint64_t>();
  }
  if (json.contains("output")) {
    if (!json["output"].is_boolean())
      return bad(fmt::format("\"output\" in {} must be true or false", what));
    if (json["output"].get<bool>())
      out.role = BufferArgument::Role::Output;
  }
  return llvm::Error::success();
}

llvm::Error Parser::readScalar(const Json &json, std::string_view what, ScalarArgument &out) const {
  if (!json.is_object() || json.size() != 1)
    return bad(fmt::format("{} must have \"buffer\" or exactly one of i32, u32, f32, ...", what));
  const std::string name = json.begin().key();
  const Json &value = json.begin().value();
  const auto type = elementTypeByName(name);
  if (!type)
    return bad(fmt::format("unknown key \"{}\" in {}", name, what));
  out.type = *type;
  if (isFloat(*type) && value.is_number()) {
    out.value = value.get<double>();
    return llvm::Error::success();
  }
  std::string expression;
  if (llvm::Error error = readExpression(value, what, expression))
    return error;
  out.value = std::move(expression);
  return llvm::Error::success();
}

llvm::Error Parser::readArguments(const Json &json, LaunchDescription &out) const {
  if (!json.is_array())
    return bad("\"args\" must be a list");
  for (size_t i = 0; i < json.size(); ++i) {
    const std::string what = fmt::format("args[{}]", i);
    if (json[i].is_object() && json[i].contains("buffer")) {
      BufferArgument buffer;
      if (llvm::Error error = readBuffer(json[i], what, buffer))
        return error;
      out.arguments.emplace_back(std::move(buffer));
    } else {
      ScalarArgument scalar;
      if (llvm::Error error = readScalar(json[i], what, scalar))
        return error;
      out.arguments.emplace_back(std::move(scalar));
    }
  }
  return llvm::Error::success();
}

llvm::Expected<LaunchDescription> Parser::run() {
  Json json;
  try {
    json = Json::parse(text_);
  } catch (const Json::parse_error &error) {
    return syntaxError(error);
  }
  if (llvm::Error error = checkKeys(json, "the launch description",
                                    {"kernel", "grid", "block", "lds", "args", "params"}))
    return error;
  LaunchDescription out;
  for (const char *required : {"grid", "block", "args"})
    if (!json.contains(required))
      return bad(fmt::format("\"{}\" is missing", required));
  if (json.contains("kernel")) {
    if (!json["kernel"].is_string())
      return bad("\"kernel\" must be a string");
    out.kernel = json["kernel"].get<std::string>();
  }
  if (llvm::Error error = readTriple(json["grid"], "\"grid\"", out.grid))
    return error;
  if (llvm::Error error = readTriple(json["block"], "\"block\"", out.block))
    return error;
  if (json.contains("lds"))
    if (llvm::Error error = readExpression(json["lds"], "\"lds\"", out.lds))
      return error;
  if (json.contains("params")) {
    if (!json["params"].is_object())
      return bad("\"params\" must be an object");
    for (const auto &item : json["params"].items()) {
      if (!item.value().is_number_integer())
        return bad(fmt::format("parameter \"{}\" must be an integer", item.key()));
      out.parameters[item.key()] = item.value().get<int64_t>();
    }
  }
  if (llvm::Error error = readArguments(json["args"], out))
    return error;
  return out;
}

/// Evaluates and checks the range.
llvm::Expected<uint64_t> size(std::string_view what, const std::string &expression,
                              const Parameters &parameters, uint64_t least, uint64_t most) {
  llvm::Expected<int64_t> value = evaluate(expression, parameters);
  if (!value)
    return value.takeError();
  if (*value < static_cast<int64_t>(least) || *value > static_cast<int64_t>(most))
    return makeError(Failure::BadInput, "",
                     fmt::format("{} is {}; it must lie in {}..{}", what, *value, least, most));
  return static_cast<uint64_t>(*value);
}

llvm::Expected<ResolvedArgument> resolveArgument(const Argument &argument, size_t index,
                                                 const Parameters &parameters) {
  if (const auto *buffer = std::get_if<BufferArgument>(&argument)) {
    ResolvedBuffer out{fmt::format("arg{}", index),      0,           buffer->type, buffer->init,
                       buffer->seed.value_or(index + 1), buffer->role};
    llvm::Expected<uint64_t> bytes =
        size("the size of " + out.name, buffer->bytes, parameters, 0, uint64_t{1} << 40);
    if (!bytes)
      return bytes.takeError();
    if (*bytes % bytesOf(buffer->type) != 0)
      return makeError(Failure::BadInput, "",
                       fmt::format("the size of {} ({} bytes) is no multiple of its elements'",
                                   out.name, *bytes));
    out.bytes = *bytes;
    return out;
  }
  const auto &scalar = std::get<ScalarArgument>(argument);
  ResolvedScalar out;
  out.type = scalar.type;
  if (const auto *number = std::get_if<double>(&scalar.value)) {
    storeElement(out.bits.data(), scalar.type, *number);
    return out;
  }
  llvm::Expected<int64_t> value = evaluate(std::get<std::string>(scalar.value), parameters);
  if (!value)
    return value.takeError();
  if (isFloat(scalar.type)) {
    storeElement(out.bits.data(), scalar.type, static_cast<double>(*value));
    return out;
  }
  // The value must survive the round trip through the type, by either signedness: -1 for u32 is as
  // common as 0xffffffff for i32.
  const unsigned bits = bytesOf(scalar.type) * 8;
  if (bits < 64 && (*value >= int64_t{1} << bits || *value < -(int64_t{1} << (bits - 1))))
    return makeError(
        Failure::BadInput, "",
        fmt::format("arg{} is {}, which {} does not hold", index, *value, toString(scalar.type)));
  std::memcpy(out.bits.data(), &*value, bytesOf(scalar.type));
  return out;
}

} // namespace

llvm::Expected<LaunchDescription> parseLaunchDescription(std::string_view text,
                                                         std::string_view file) {
  return Parser(text, file).run();
}

LaunchDescription sgemmDescription(const SgemmOptions &options) {
  LaunchDescription description;
  description.grid = {fmt::format("(N+{})/{}", options.tile[0] - 1, options.tile[0]),
                      fmt::format("(N+{})/{}", options.tile[1] - 1, options.tile[1]), "1"};
  for (size_t i = 0; i < 3; ++i)
    description.block[i] = fmt::format("{}", options.block[i]);
  using Role = BufferArgument::Role;
  for (const Role role : {Role::Input, Role::Input, Role::Output}) {
    BufferArgument matrix;
    matrix.bytes = "4*N*N";
    matrix.role = role;
    description.arguments.emplace_back(std::move(matrix));
  }
  description.arguments.emplace_back(ScalarArgument{ElementType::I32, "N"});
  description.arguments.emplace_back(ScalarArgument{ElementType::F32, 1.25});
  description.arguments.emplace_back(ScalarArgument{ElementType::F32, 0.5});
  description.parameters["N"] = 256;
  return description;
}

llvm::Expected<ResolvedLaunch> resolve(const LaunchDescription &description,
                                       const Parameters &overrides) {
  ResolvedLaunch out;
  out.kernel = description.kernel;
  out.parameters = description.parameters;
  for (const auto &[name, value] : overrides) {
    const auto known = out.parameters.find(name);
    if (known == out.parameters.end())
      return makeError(Failure::BadInput, "",
                       fmt::format("the launch description has no parameter '{}'", name));
    known->second = value;
  }
  for (size_t i = 0; i < 3; ++i) {
    llvm::Expected<uint64_t> grid =
        size("the grid", description.grid[i], out.parameters, 1, INT32_MAX);
    if (!grid)
      return grid.takeError();
    llvm::Expected<uint64_t> block =
        size("the block", description.block[i], out.parameters, 1, 1024);
    if (!block)
      return block.takeError();
    out.grid[i] = static_cast<uint32_t>(*grid);
    out.block[i] = static_cast<uint32_t>(*block);
  }
  if (uint64_t{out.block[0]} * out.block[1] * out.block[2] > 1024)
    return makeError(Failure::BadInput, "", "a workgroup has at most 1024 work-items");
  llvm::Expected<uint64_t> lds = size("lds", description.lds, out.parameters, 0, 65536);
  if (!lds)
    return lds.takeError();
  out.dynamicLdsBytes = static_cast<uint32_t>(*lds);
  for (size_t i = 0; i < description.arguments.size(); ++i) {
    llvm::Expected<ResolvedArgument> argument =
        resolveArgument(description.arguments[i], i, out.parameters);
    if (!argument)
      return argument.takeError();
    out.arguments.push_back(std::move(*argument));
  }
  return out;
}

std::optional<GemmShape> gemmShape(const ResolvedLaunch &launch) {
  const auto &arguments = launch.arguments;
  if (arguments.size() != 6)
    return std::nullopt;
  const auto *n = std::get_if<ResolvedScalar>(&arguments[3]);
  const auto *alpha = std::get_if<ResolvedScalar>(&arguments[4]);
  const auto *beta = std::get_if<ResolvedScalar>(&arguments[5]);
  if (n == nullptr || alpha == nullptr || beta == nullptr || isFloat(n->type) ||
      bytesOf(n->type) != 4 || alpha->type != ElementType::F32 || beta->type != ElementType::F32)
    return std::nullopt;
  GemmShape shape;
  if (n->asDouble() < 1)
    return std::nullopt;
  shape.n = static_cast<uint64_t>(n->asDouble());
  shape.alpha = static_cast<float>(alpha->asDouble());
  shape.beta = static_cast<float>(beta->asDouble());
  for (size_t i = 0; i < 3; ++i) {
    const auto *matrix = std::get_if<ResolvedBuffer>(&arguments[i]);
    if (matrix == nullptr || matrix->type != ElementType::F32 ||
        matrix->bytes != 4 * shape.n * shape.n ||
        (matrix->role == BufferArgument::Role::Output) != (i == 2))
      return std::nullopt;
  }
  return shape;
}

} // namespace rdna::run
