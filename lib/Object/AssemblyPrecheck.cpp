#include "Object/AssemblyPrecheck.h"

#include "Isa/Processor.h"
#include "Support/AsmText.h"
#include "Support/Diagnostic.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

#include <fmt/format.h>

#include <functional>

namespace rdna::object {

using llvm::StringRef;

namespace {

struct Line {
  StringRef text;
  unsigned number = 0;
};

/// `line` without a comment, as the AMDGPU lexer sees it (";" and "//" outside double quotes).
StringRef withoutComment(StringRef line) {
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && quoted)
      ++i;
    else if (line[i] == '"')
      quoted = !quoted;
    else if (!quoted && (line[i] == ';' || line.substr(i).starts_with("//")))
      return line.take_front(i);
  }
  return line;
}

class Precheck {
public:
  Precheck(StringRef text, std::string_view file) : text_(text), file_(file) {}
  llvm::Expected<AssemblyFacts> run();

private:
  llvm::Error fail(const Line &line, size_t column, std::string_view message) const;
  llvm::Error checkVersion(const Line &line, StringRef statement);
  llvm::Error checkTarget(const Line &line, StringRef statement);
  llvm::Error checkMetadata(const std::string &yaml, const Line &first);
  llvm::Error checkNode(llvm::yaml::Node *node, unsigned depth,
                        const std::function<llvm::Error(llvm::SMRange, StringRef)> &failAt);

  StringRef text_;
  std::string_view file_;
  bool hasVersion_ = false;
  std::optional<unsigned> metadataMinor_;
};

llvm::Error Precheck::fail(const Line &line, size_t column, std::string_view message) const {
  Diagnostic diagnostic;
  diagnostic.file = std::string(file_);
  diagnostic.line = line.number;
  diagnostic.column = static_cast<unsigned>(column + 1);
  diagnostic.message = std::string(message);
  diagnostic.sourceLine = line.text.str();
  return makeError(Failure::BadInput, std::move(diagnostic));
}

llvm::Error Precheck::checkVersion(const Line &line, StringRef statement) {
  hasVersion_ = true;
  unsigned version = 0;
  if (!statement.trim().getAsInteger(0, version) && version >= 4 && version <= 6)
    return llvm::Error::success();
  return fail(line, static_cast<size_t>(statement.data() - line.text.data()),
              "the code object version must be 4, 5 or 6");
}

/// MC would report every instruction that differs and never say why.
llvm::Error Precheck::checkTarget(const Line &line, StringRef statement) {
  const size_t column = static_cast<size_t>(statement.data() - line.text.data());
  if (statement.consume_front(".amdgcn_target")) {
    // "amdgcn-amd-amdhsa--gfx1100:sramecc+"
    const StringRef processor =
        statement.trim(" \t\"").rsplit('-').second.take_until([](char c) { return c == ':'; });
    if (!processorByName(std::string_view(processor)))
      return fail(line, column, whyNotHandled(std::string_view(processor)));
  }
  unsigned wave32 = 1;
  if (statement.consume_front(".amdhsa_wavefront_size32") &&
      !statement.trim().getAsInteger(0, wave32) && wave32 == 0)
    return fail(line, column,
                "wave64 code; this toolchain handles wave32 (compile without -mwavefrontsize64)");
  return llvm::Error::success();
}

/// YAML nodes in the shape that msgpack's reader takes: anything else it reports on stderr.
llvm::Error
Precheck::checkNode(llvm::yaml::Node *node, unsigned depth,
                    const std::function<llvm::Error(llvm::SMRange, StringRef)> &failAt) {
  using namespace llvm::yaml;
  if (node == nullptr)
    return llvm::Error::success(); // The stream has failed; its message was kept.
  if (depth > 32)
    return failAt(node->getSourceRange(), "metadata is nested too deeply");
  if (!node->getRawTag().empty() && node->getRawTag() != "!str")
    return failAt(node->getSourceRange(), "metadata with YAML tags is not supported");
  if (auto *sequence = llvm::dyn_cast<SequenceNode>(node)) {
    for (Node &entry : *sequence)
      if (llvm::Error error = checkNode(&entry, depth + 1, failAt))
        return error;
  } else if (auto *mapping = llvm::dyn_cast<MappingNode>(node)) {
    llvm::StringSet<> keys;
    for (KeyValueNode &entry : *mapping) {
      auto *key = llvm::dyn_cast_or_null<ScalarNode>(entry.getKey());
      if (key == nullptr)
        return failAt(mapping->getSourceRange(), "metadata keys must be plain words");
      llvm::SmallString<32> storage;
      if (!keys.insert(key->getValue(storage)).second)
        return failAt(key->getSourceRange(), "metadata key appears twice");
      if (llvm::Error error = checkNode(entry.getValue(), depth + 1, failAt))
        return error;
    }
  } else if (llvm::isa<AliasNode>(node)) {
    return failAt(node->getSourceRange(), "metadata with YAML aliases is not supported");
  }
  return llvm::Error::success();
}

llvm::Error Precheck::checkMetadata(const std::string &yaml, const Line &first) {
  // The first message wins: the later ones are mostly its consequences.
  std::optional<llvm::SMDiagnostic> problem;
  llvm::SourceMgr sources;
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic &diagnostic, void *context) {
        auto &kept = *static_cast<std::optional<llvm::SMDiagnostic> *>(context);
        if (!kept && diagnostic.getKind() == llvm::SourceMgr::DK_Error)
          kept = diagnostic;
      },
      &problem);
  llvm::yaml::Stream stream(yaml, sources, false);
  auto place = [&](llvm::SMLoc where, StringRef message) {
    const auto [line, column] = sources.getLineAndColumn(where);
    llvm::SmallVector<StringRef, 0> lines;
    text_.split(lines, '\n');
    const unsigned number = first.number + line; // `first` is the line of .amdgpu_metadata.
    Line at{number <= lines.size() ? lines[number - 1].rtrim('\r') : StringRef(), number};
    return fail(at, column == 0 ? 0 : column - 1, message);
  };
  for (llvm::yaml::Document &document : stream) {
    llvm::Error error = checkNode(document.getRoot(), 0, [&](llvm::SMRange range, StringRef what) {
      return place(range.Start, what);
    });
    if (error)
      return error;
  }
  if (problem)
    return place(problem->getLoc(), "in .amdgpu_metadata: " + problem->getMessage().str());
  if (stream.failed())
    return fail(first, 0, "malformed .amdgpu_metadata");
  return llvm::Error::success();
}

llvm::Expected<AssemblyFacts> Precheck::run() {
  if (const auto token = unterminatedToken(text_)) {
    const StringRef before = text_.take_front(token->at);
    const size_t begin = before.rfind('\n') + 1; // npos + 1 == 0
    const Line at{text_.substr(begin).take_until([](char c) { return c == '\n' || c == '\r'; }),
                  static_cast<unsigned>(before.count('\n') + 1)};
    return fail(at, token->at - begin, std::string(token->message));
  }
  std::optional<Line> metadata; // The line of an open .amdgpu_metadata.
  std::string body;
  unsigned number = 0;
  for (StringRef rest = text_; !rest.empty();) {
    StringRef raw;
    std::tie(raw, rest) = rest.split('\n');
    const Line line{raw.rtrim('\r'), ++number};
    const StringRef code = withoutComment(line.text);
    StringRef statement = code.ltrim();
    if (metadata) {
      if (statement.starts_with(".end_amdgpu_metadata")) {
        if (llvm::Error error = checkMetadata(body, *metadata))
          return error;
        StringRef version = StringRef(body);
        const size_t at = version.find("amdhsa.version:");
        if (at != StringRef::npos) {
          // "- 1" and "- 2" on lines of their own, or "[1, 2]".
          version = version.substr(at + sizeof("amdhsa.version:") - 1).ltrim(" \t\r\n-[");
          unsigned major = 0, minor = 0;
          if (!version.consumeInteger(10, major) && major == 1 &&
              !(version = version.ltrim(" \t\r\n-,")).consumeInteger(10, minor))
            metadataMinor_ = minor;
        }
        metadata.reset();
      } else {
        body += code.str() + "\n";
      }
      continue;
    }
    if (statement == ".amdgpu_metadata" || statement.rtrim() == ".amdgpu_metadata") {
      metadata = line;
      body.clear();
    } else if (statement.consume_front(".amdhsa_code_object_version")) {
      if (llvm::Error error = checkVersion(line, statement))
        return error;
    } else if (statement.starts_with(".amd")) {
      if (llvm::Error error = checkTarget(line, statement))
        return error;
    }
  }
  AssemblyFacts facts;
  // Compilers before LLVM 17 do not write the directive and LLVM 22 would make version 6 of their
  // files. Metadata 1.1 belongs to version 4; 1.2 to 5 and 6, of which 5 loads everywhere.
  if (!hasVersion_)
    facts.impliedVersion = metadataMinor_ && *metadataMinor_ <= 1 ? 4 : 5;
  return facts;
}

} // namespace

llvm::Expected<AssemblyFacts> precheckAssembly(std::string_view text, std::string_view file) {
  return Precheck(StringRef(text), file).run();
}

} // namespace rdna::object
