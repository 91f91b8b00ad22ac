//===- LaunchParser.h - from JSON to a launch description -----------------===//
//
// Private to the library: the parser's parts see each other here.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Run/JsonPlaces.h"
#include "Run/LaunchDescription.h"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <set>

namespace rdna::run {

/// A value of the document: what to call it in errors, and where it stands.
struct JsonNode {
  const nlohmann::ordered_json &json;
  std::string what;    ///< "args[2]", "\"grid\""
  std::string pointer; ///< "/args/2"
  bool has(const char *key) const { return json.contains(key); }
  /// Member `key`, which must be there.
  JsonNode member(const std::string &key) const;
  JsonNode element(size_t index) const;
};

class LaunchParser {
public:
  LaunchParser(std::string_view text, std::string_view file)
      : file_(file), text_(text), places_("") {}
  llvm::Expected<LaunchDescription> run();

private:
  llvm::Error bad(const JsonNode &at, std::string_view message) const;
  llvm::Error badKey(const JsonNode &object, const std::string &key,
                     const std::vector<std::string> &known) const;
  /// A word under `key` that is none of those which are known there.
  llvm::Error badWord(const JsonNode &node, std::string_view key, std::string_view parent,
                      const std::vector<std::string> &known) const;
  llvm::Error checkKeys(const JsonNode &object,
                        std::initializer_list<std::string_view> known) const;
  llvm::Error readFormula(const JsonNode &node, Formula &out) const;
  llvm::Error readNumber(const JsonNode &node, ElementType type, Number &out) const;
  llvm::Error readTriple(const JsonNode &node, std::array<Formula, 3> &out) const;
  llvm::Error readString(const JsonNode &node, std::string &out) const;
  llvm::Error readConstant(const JsonNode &node, double &out) const;
  /// The elements in the file that `node` names, relative to the description; of an .npy file what
  /// is in it, whose type must be `type`.
  llvm::Error readElements(const JsonNode &node, ElementType type, FileContents &out) const;
  llvm::Error readNamedElements(const JsonNode &node, std::string_view name, ElementType type,
                                FileContents &out) const;
  llvm::Error readPath(const JsonNode &node, const std::string &name, FileContents &out) const;
  llvm::Error readParameters(const JsonNode &node, Parameters &out) const;

  // LaunchArguments.cpp
  llvm::Error readArguments(const JsonNode &list, std::vector<Argument> &out);
  llvm::Error readBuffers(const JsonNode &list, std::vector<Argument> &out);
  llvm::Error readArgument(const JsonNode &node, Argument &out);
  llvm::Error readBuffer(const JsonNode &node, BufferArgument &out) const;
  llvm::Error readBufferContents(const JsonNode &node, BufferArgument &out) const;
  llvm::Error readExpectation(const JsonNode &node, BufferArgument &out) const;
  llvm::Error readAddress(const JsonNode &node, AddressArgument &out) const;
  llvm::Error readValue(const JsonNode &node, ValueArgument &out) const;
  llvm::Error readStruct(const JsonNode &node, StructArgument &out);

  // LaunchGemm.cpp
  llvm::Error readReference(const JsonNode &node, LaunchDescription &out) const;
  llvm::Error readGemm(const JsonNode &node, GemmDescription &out) const;
  llvm::Error readMatrix(const JsonNode &node, MatrixDescription &out) const;
  llvm::Error readFactor(const JsonNode &node, std::variant<double, std::string> &out) const;

  std::string file_;
  std::string_view text_;
  JsonPlaces places_;
  std::set<std::string> names_; ///< Of arguments, so that each means one.
};

} // namespace rdna::run
