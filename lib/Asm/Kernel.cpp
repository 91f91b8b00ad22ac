// Kernel descriptors, metadata and function extents: the parts of a .s that MC consumes without
// telling a streamer, so they are found in the text and evaluated through MC's symbols.

#include "Asm/Builder.h"

#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace rdna {

static std::string_view trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

/// The statement of a line without its comment.
static std::string_view statementOf(std::string_view line) {
  return trim(line.substr(0, std::min(line.find(';'), line.find("//"))));
}

static std::pair<std::string_view, std::string_view> splitWord(std::string_view statement) {
  const size_t blank = statement.find_first_of(" \t");
  if (blank == std::string_view::npos)
    return {statement, {}};
  return {statement.substr(0, blank), trim(statement.substr(blank))};
}

/// Refuses a `.amdgcn_target` of another family: MC would report every instruction that differs.
static llvm::Error checkTarget(const Module &module, uint32_t line, std::string_view value) {
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
    value = value.substr(1, value.size() - 2);
  const size_t dashes = value.rfind("--");
  if (dashes == std::string_view::npos)
    return llvm::Error::success(); // MC knows better what is wrong with it
  std::string_view processor = value.substr(dashes + 2);
  processor = processor.substr(0, processor.find(':'));
  if (processorByName(processor))
    return llvm::Error::success();
  return makeError(Failure::BadInput,
                   module.atLine(line, whyNotHandled(processor), Severity::Error));
}

static llvm::Error wave64Error(const Module &module, uint32_t line) {
  return makeError(Failure::BadInput,
                   module.atLine(line,
                                 "wave64 code; this toolchain handles wave32 (compile without "
                                 "-mwavefrontsize64)",
                                 Severity::Error));
}

llvm::Error ModuleBuilder::findDescriptors() {
  Function *open = nullptr;
  const Processor processor = processorOf(text());
  std::set<std::string, std::less<>> names;
  for (uint32_t line = 1; line <= module.lineCount(); ++line) {
    const std::string_view statement = statementOf(module.lineText(line));
    if (statement.empty() || statement[0] != '.')
      continue;
    const auto [word, rest] = splitWord(statement);
    if (word == ".amdgcn_target") {
      if (llvm::Error error = checkTarget(module, line, rest))
        return error;
    } else if (word == ".amdhsa_kernel" && rest.find('\\') == std::string_view::npos) {
      if (!names.insert(std::string(rest)).second)
        return makeError(
            Failure::BadInput,
            module.atLine(line, fmt::format("second kernel called '{}'", rest), Severity::Error));
      Function kernel;
      kernel.processor = processor;
      kernel.name = std::string(rest);
      kernel.kind = Function::Kind::Kernel;
      open = &functions().emplace_back(std::move(kernel));
    } else if (word == ".end_amdhsa_kernel") {
      open = nullptr;
    } else if (open && word.starts_with(".amdhsa_")) {
      DescriptorField field;
      field.valueText = rest;
      field.begin = static_cast<uint32_t>(rest.data() - text().data());
      field.end = field.begin + static_cast<uint32_t>(rest.size());
      field.line = line;
      int64_t value = 0;
      if (!llvm::StringRef(rest.data(), rest.size()).getAsInteger(0, value))
        field.value = value;
      else
        field.query = fmt::format("{}{}_{}", kQueryPrefix, functions().size(), word.substr(1));
      if (word == ".amdhsa_wavefront_size32" && field.value == 0)
        return wave64Error(module, line);
      open->descriptor.insert_or_assign(std::string(word), field);
    }
  }
  return llvm::Error::success();
}

std::string ModuleBuilder::descriptorQueries() const {
  std::string queries;
  for (const Function &function : module.functions_)
    for (const auto &[name, field] : function.descriptor)
      if (!field.query.empty())
        queries += fmt::format(".set {}, {}\n", field.query, field.valueText);
  return queries;
}

void ModuleBuilder::readDescriptorQueries() {
  for (Function &function : functions())
    for (auto &[name, field] : function.descriptor) {
      const llvm::MCSymbol *symbol =
          field.query.empty() ? nullptr : parsed().state->context->lookupSymbol(field.query);
      int64_t value = 0;
      if (symbol && symbol->isVariable() && symbol->getVariableValue()->evaluateAsAbsolute(value))
        field.value = value;
    }
}

void ModuleBuilder::sortFunctions() {
  std::sort(functions().begin(), functions().end(),
            [](const Function &a, const Function &b) { return a.first < b.first; });
}

void ModuleBuilder::addFunctions(const std::vector<std::string> &functionSymbols) {
  std::set<std::string, std::less<>> typed(functionSymbols.begin(), functionSymbols.end());
  for (Function &kernel : functions())
    typed.erase(kernel.name);
  for (const std::string &name : typed)
    functions().emplace_back().name = name;
}

void ModuleBuilder::layOutFunctions() {
  std::unordered_map<std::string_view, const Label *> byName;
  std::vector<uint32_t> borders; // where a function begins or a compiler says that one ends
  for (const Label &label : labels()) {
    byName.emplace(label.name, &label);
    if (label.name.starts_with(".Lfunc_end"))
      borders.push_back(label.instruction);
  }
  for (Function &function : functions())
    if (const auto it = byName.find(function.name); it != byName.end()) {
      function.first = it->second->instruction;
      function.line = it->second->line;
      borders.push_back(function.first);
    }
  std::sort(borders.begin(), borders.end());
  const auto total = static_cast<uint32_t>(instructions().size());
  for (Function &function : functions()) {
    function.last = function.first;
    if (function.line == 0)
      continue; // no label: a declaration, or code in another file
    const auto next = std::upper_bound(borders.begin(), borders.end(), function.first);
    function.last = next == borders.end() ? total : *next;
    // Padding behind the code is not part of the function.
    while (function.last > function.first && instructions()[function.last - 1].op == Op::s_code_end)
      --function.last;
  }
}

//===----------------------------------------------------------------------===//
// Metadata
//===----------------------------------------------------------------------===//

static std::string scalarText(llvm::yaml::Node *node) {
  auto *scalar = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(node);
  if (!scalar)
    return {};
  llvm::SmallString<32> storage;
  return scalar->getValue(storage).str();
}

static ArgumentField readArgument(llvm::yaml::MappingNode &map) {
  ArgumentField argument;
  for (llvm::yaml::KeyValueNode &entry : map) {
    const std::string key = scalarText(entry.getKey()), text = scalarText(entry.getValue());
    if (key == ".name")
      argument.name = text;
    else if (key == ".value_kind")
      argument.valueKind = text;
    else if (key == ".offset")
      llvm::StringRef(text).getAsInteger(0, argument.offset);
    else if (key == ".size")
      llvm::StringRef(text).getAsInteger(0, argument.size);
    else if (entry.getValue())
      entry.getValue()->skip();
  }
  return argument;
}

static void readKernelMap(llvm::yaml::MappingNode &map, const char *base, uint32_t bodyOffset,
                          std::string &name, Function &into) {
  for (llvm::yaml::KeyValueNode &entry : map) {
    const std::string key = scalarText(entry.getKey());
    llvm::yaml::Node *value = entry.getValue();
    if (key == ".reqd_workgroup_size") {
      std::array<uint32_t, 3> size{1, 1, 1};
      size_t i = 0;
      if (auto *list = llvm::dyn_cast_or_null<llvm::yaml::SequenceNode>(value))
        for (llvm::yaml::Node &item : *list) {
          uint32_t number = 0;
          if (i < 3 && !llvm::StringRef(scalarText(&item)).getAsInteger(0, number))
            size[i++] = number;
        }
      if (i == 3)
        into.requiredWorkgroupSize = size;
      continue;
    }
    if (key == ".args") {
      if (auto *list = llvm::dyn_cast_or_null<llvm::yaml::SequenceNode>(value))
        for (llvm::yaml::Node &item : *list)
          if (auto *fields = llvm::dyn_cast<llvm::yaml::MappingNode>(&item))
            into.arguments.push_back(readArgument(*fields));
      continue;
    }
    const std::string text = scalarText(value);
    if (key == ".name")
      name = text;
    int64_t number = 0;
    if (value && !text.empty() && !llvm::StringRef(text).getAsInteger(0, number)) {
      const llvm::SMRange range = value->getSourceRange();
      const auto begin = static_cast<uint32_t>(range.Start.getPointer() - base) + bodyOffset;
      into.metadata[key] = {number, begin, begin + static_cast<uint32_t>(text.size())};
    } else if (value) {
      value->skip();
    }
  }
}

llvm::Error ModuleBuilder::findMetadata() {
  const std::string_view all = text();
  size_t begin = 0;
  while ((begin = all.find(".amdgpu_metadata", begin)) != std::string_view::npos) {
    const size_t bodyBegin = all.find('\n', begin);
    const size_t bodyEnd = all.find(".end_amdgpu_metadata", begin);
    if (bodyBegin == std::string_view::npos || bodyEnd == std::string_view::npos ||
        bodyEnd < bodyBegin)
      return llvm::Error::success();
    begin = bodyEnd;
    // The last line holds the blanks before the closing directive.
    const size_t bodyStop = all.rfind('\n', bodyEnd) + 1;
    const std::string body(all.substr(bodyBegin + 1, bodyStop - bodyBegin - 1));
    llvm::SourceMgr sources;
    std::optional<llvm::SMDiagnostic> problem; // the first message; later ones follow from it
    sources.setDiagHandler(
        [](const llvm::SMDiagnostic &diag, void *context) {
          auto &first = *static_cast<std::optional<llvm::SMDiagnostic> *>(context);
          if (!first && diag.getKind() == llvm::SourceMgr::DK_Error)
            first = diag;
        },
        &problem);
    llvm::yaml::Stream stream(body, sources);
    for (llvm::yaml::Document &document : stream) {
      auto *root = llvm::dyn_cast_or_null<llvm::yaml::MappingNode>(document.getRoot());
      if (!root)
        break;
      for (llvm::yaml::KeyValueNode &entry : *root) {
        const std::string key = scalarText(entry.getKey());
        auto *list = llvm::dyn_cast_or_null<llvm::yaml::SequenceNode>(entry.getValue());
        if (key != "amdhsa.kernels" || !list) {
          if (entry.getValue())
            entry.getValue()->skip();
          continue;
        }
        for (llvm::yaml::Node &item : *list) {
          auto *map = llvm::dyn_cast<llvm::yaml::MappingNode>(&item);
          if (!map)
            continue;
          std::string name;
          Function found;
          // The stream may own a copy of the text: offsets are taken from its own start.
          readKernelMap(*map, body.data(), static_cast<uint32_t>(bodyBegin + 1), name, found);
          if (const auto size = found.metadata.find(".wavefront_size");
              size != found.metadata.end() && size->second.value == 64)
            return wave64Error(module, lineAt(size->second.begin));
          for (Function &function : functions())
            if (function.isKernel() && function.name == name) {
              function.metadata = std::move(found.metadata);
              function.requiredWorkgroupSize = found.requiredWorkgroupSize;
              function.arguments = std::move(found.arguments);
              break;
            }
        }
      }
      if (stream.failed())
        break;
    }
    if (problem) { // MC would write about it to standard error
      const uint32_t first = lineAt(static_cast<uint32_t>(bodyBegin + 1));
      const auto line = first + static_cast<uint32_t>(std::max(problem->getLineNo(), 1)) - 1;
      Diagnostic error =
          module.atLine(line, fmt::format("in .amdgpu_metadata: {}", problem->getMessage().str()),
                        Severity::Error);
      error.column = static_cast<unsigned>(std::max(problem->getColumnNo(), 0)) + 1;
      return makeError(Failure::BadInput, std::move(error));
    }
  }
  return llvm::Error::success();
}

} // namespace rdna
