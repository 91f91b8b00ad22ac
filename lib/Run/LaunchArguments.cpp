// The arguments of a launch description.
#include "Run/LaunchParser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace rdna::run {

llvm::Error LaunchParser::readArguments(const JsonNode &list, std::vector<Argument> &out) {
  if (!list.json.is_array())
    return bad(list, fmt::format("{} must be a list", list.what));
  for (size_t i = 0; i < list.json.size(); ++i)
    if (llvm::Error error = readArgument(list.element(i), out.emplace_back()))
      return error;
  return llvm::Error::success();
}

llvm::Error LaunchParser::readBuffers(const JsonNode &list, std::vector<Argument> &out) {
  if (llvm::Error error = readArguments(list, out))
    return error;
  for (size_t i = 0; i < out.size(); ++i)
    if (!std::holds_alternative<BufferArgument>(out[i].value))
      return bad(list.element(i), fmt::format("{} must be a buffer", list.element(i).what));
  return llvm::Error::success();
}

/// Names are those of files, too.
static bool isName(llvm::StringRef name) {
  return !name.empty() && name[0] != '.' && llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-';
  });
}

llvm::Error LaunchParser::readArgument(const JsonNode &node, Argument &out) {
  if (!node.json.is_object())
    return bad(node, fmt::format("{} must be an object", node.what));
  out.place = places_[node.pointer];
  if (node.has("name")) {
    const JsonNode name = node.member("name");
    if (llvm::Error error = readString(name, out.name))
      return error;
    if (!isName(out.name))
      return bad(name,
                 fmt::format("\"{}\" is no name: letters, digits, _, - and . make one", out.name));
    if (!names_.insert(out.name).second)
      return bad(name, fmt::format("two arguments are called \"{}\"", out.name));
  }
  if (node.has("buffer") || node.has("workspace") || node.has("file"))
    return readBuffer(node, out.value.emplace<BufferArgument>());
  if (node.has("same_as"))
    return readAddress(node, out.value.emplace<AddressArgument>());
  if (node.has("struct"))
    return readStruct(node, out.value.emplace<StructArgument>());
  return readValue(node, out.value.emplace<ValueArgument>());
}

static const std::vector<std::string> kTypes = {"f16", "bf16", "f32", "f64", "i8",  "u8",
                                                "i16", "u16",  "i32", "u32", "i64", "u64"};
static const std::vector<std::string> kInits = {
    "random", "identity", "one-hot", "ramp", "zero", "nan", "undefined", "{\"file\": \"name\"}"};

llvm::Error LaunchParser::readBuffer(const JsonNode &node, BufferArgument &out) const {
  if (llvm::Error error = checkKeys(node, {"buffer", "workspace", "file", "type", "init", "seed",
                                           "output", "expected", "name"}))
    return error;
  if (node.has("type")) {
    const JsonNode type = node.member("type");
    const auto known =
        type.json.is_string() ? elementTypeByName(type.json.get<std::string>()) : std::nullopt;
    if (!known)
      return badWord(type, "type", node.what, kTypes);
    out.type = *known;
  }
  if (node.has("output")) {
    const JsonNode output = node.member("output");
    if (!output.json.is_boolean())
      return bad(output, fmt::format("\"output\" in {} must be true or false", node.what));
    if (output.json.get<bool>())
      out.role = BufferArgument::Role::Output;
  }
  if (node.has("workspace")) {
    if (node.has("buffer") || node.has("output"))
      return bad(node, fmt::format("{} is a workspace; it can be neither \"buffer\" nor \"output\"",
                                   node.what));
    out.role = BufferArgument::Role::Workspace;
    out.init = Init::Undefined;
  }
  if (llvm::Error error = readBufferContents(node, out))
    return error;
  if (node.has("expected"))
    if (llvm::Error error = readExpectation(node.member("expected"), out))
      return error;
  return llvm::Error::success();
}

/// How large the buffer is and what stands in it.
llvm::Error LaunchParser::readBufferContents(const JsonNode &node, BufferArgument &out) const {
  if (node.has("init")) {
    const JsonNode init = node.member("init");
    if (init.json.is_object()) {
      if (llvm::Error error = checkKeys(init, {"file"}))
        return error;
      if (!init.has("file"))
        return bad(init, fmt::format("{} needs \"file\"", init.what));
      if (llvm::Error error = readElements(init.member("file"), out.type, out.contents))
        return error;
    } else if (const std::string word = init.json.is_string() ? init.json.get<std::string>() : "";
               word.starts_with("file:")) {
      if (llvm::Error error =
              readNamedElements(init, std::string_view(word).substr(5), out.type, out.contents))
        return error;
    } else if (const auto known =
                   init.json.is_string() ? initByName(init.json.get<std::string>()) : std::nullopt)
      out.init = *known;
    else
      return badWord(init, "init", node.what, kInits);
    if (out.contents && out.init == Init::Undefined) // A workspace, which is defined then.
      out.init = Init::Zero;
  }
  if (node.has("seed")) {
    const JsonNode seed = node.member("seed");
    if (!seed.json.is_number_unsigned())
      return bad(seed, fmt::format("\"seed\" in {} must be a non-negative integer", node.what));
    out.seed = seed.json.get<uint64_t>();
  }
  if (node.has("file")) { // The whole buffer is what the file holds.
    if (node.has("buffer") || node.has("workspace") || node.has("init"))
      return bad(node, fmt::format("{} has its size and contents from \"file\"; for a size of its "
                                   "own write \"init\": {{\"file\": \"name\"}}",
                                   node.what));
    if (llvm::Error error = readElements(node.member("file"), out.type, out.contents))
      return error;
    out.bytes = Formula(std::to_string(out.contents->size()), places_[node.pointer + "/file"]);
    return llvm::Error::success();
  }
  return readFormula(node.member(node.has("buffer") ? "buffer" : "workspace"), out.bytes);
}

/// {"file": NAME, "abs": 1e-6, "rel": 1e-6}, or the file's name alone: bit for bit.
llvm::Error LaunchParser::readExpectation(const JsonNode &node, BufferArgument &out) const {
  if (node.json.is_string()) {
    if (out.role != BufferArgument::Role::Output)
      return bad(node, "only an output can be expected to be something; write \"output\": true");
    Expectation expected;
    expected.file = node.json.get<std::string>();
    if (llvm::Error error = readElements(node, out.type, expected.contents))
      return error;
    out.expected = std::move(expected);
    return llvm::Error::success();
  }
  if (llvm::Error error = checkKeys(node, {"file", "abs", "rel"}))
    return error;
  if (out.role != BufferArgument::Role::Output)
    return bad(node, fmt::format("{}: only an output can be expected to be something; write "
                                 "\"output\": true",
                                 node.what));
  if (!node.has("file"))
    return bad(node, fmt::format("{} needs \"file\"", node.what));
  Expectation expected;
  if (llvm::Error error = readString(node.member("file"), expected.file))
    return error;
  if (llvm::Error error = readElements(node.member("file"), out.type, expected.contents))
    return error;
  for (const auto &[key, bound] :
       {std::pair("abs", &expected.absolute), std::pair("rel", &expected.relative)})
    if (node.has(key)) {
      if (llvm::Error error = readConstant(node.member(key), *bound))
        return error;
      if (*bound < 0)
        return bad(node.member(key), fmt::format("\"{}\" must not be negative", key));
    }
  out.expected = std::move(expected);
  return llvm::Error::success();
}

llvm::Error LaunchParser::readAddress(const JsonNode &node, AddressArgument &out) const {
  if (llvm::Error error = checkKeys(node, {"same_as", "offset", "name"}))
    return error;
  if (llvm::Error error = readString(node.member("same_as"), out.buffer))
    return error;
  return node.has("offset") ? readFormula(node.member("offset"), out.offset)
                            : llvm::Error::success();
}

llvm::Error LaunchParser::readStruct(const JsonNode &node, StructArgument &out) {
  if (llvm::Error error = checkKeys(node, {"struct", "packed", "name"}))
    return error;
  if (node.has("packed")) {
    const JsonNode packed = node.member("packed");
    if (!packed.json.is_boolean())
      return bad(packed, fmt::format("\"packed\" in {} must be true or false", node.what));
    if (packed.json.get<bool>())
      out.layout = StructArgument::Layout::Packed;
  }
  // "struct": [[[...]]] would only be a way to run out of stack.
  if (std::count(node.pointer.begin(), node.pointer.end(), '/') > 32)
    return bad(node, "structs nested too deeply");
  return readArguments(node.member("struct"), out.fields);
}

/// "i32": one of a type, "i32x3": three in a row, "bytes": as many as the list has.
llvm::Error LaunchParser::readValue(const JsonNode &node, ValueArgument &out) const {
  if (node.json.size() != (node.has("name") ? 2u : 1u))
    return bad(node, fmt::format("{} must have one of buffer, workspace, file, same_as, struct, "
                                 "bytes, or exactly one of i32, u32, f32, i32x3, ...",
                                 node.what));
  std::string key;
  for (const auto &item : node.json.items())
    if (item.key() != "name")
      key = item.key();
  const JsonNode value = node.member(key);
  const auto [typeName, countText] = llvm::StringRef(key).split('x');
  const auto type = key == "bytes" ? std::optional(ElementType::U8)
                                   : elementTypeByName(std::string_view(typeName));
  constexpr unsigned most = 4096; // Bytes of a kernarg segment, more or less.
  unsigned count = 0;
  const bool isList = key == "bytes" || typeName.size() != key.size();
  if (!type || (isList && key != "bytes" &&
                (countText.getAsInteger(10, count) || count == 0 || count > most)))
    return badKey(node, key,
                  {"buffer", "workspace", "file", "same_as", "struct", "bytes", "i32", "u32", "i64",
                   "u64", "f32", "f64", "f16", "i32x3"});
  out.type = *type;
  if (!isList)
    return readNumber(value, out.type, out.values.emplace_back());
  if (key == "bytes")
    count = static_cast<unsigned>(std::min<size_t>(value.json.size(), most + 1));
  if (!value.json.is_array() || value.json.size() != count || count == 0 || count > most)
    return bad(value, key == "bytes"
                          ? fmt::format("{} must be a list of 1 to {} bytes", value.what, most)
                          : fmt::format("{} must be a list of {} numbers", value.what, count));
  for (size_t i = 0; i < value.json.size(); ++i)
    if (llvm::Error error = readNumber(value.element(i), out.type, out.values.emplace_back()))
      return error;
  return llvm::Error::success();
}

} // namespace rdna::run
