#include "Pipeline/FilesFirst.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace rdna {

/// Not `.file "name"`, which makes a symbol.
static bool declaresNumber(llvm::StringRef statement) {
  return statement.consume_front(".file") && !statement.ltrim().empty() &&
         llvm::isDigit(statement.ltrim().front());
}

/// What a line does to the number of open conditions, repetitions and macros.
static int opens(llvm::StringRef statement) {
  if (statement.starts_with(".if"))
    return 1;
  return llvm::StringSwitch<int>(statement.take_until([](char c) { return llvm::isSpace(c); }))
      .Cases({".rept", ".rep", ".irp", ".irpc", ".macro"}, 1)
      .Cases({".endif", ".endr", ".endm", ".endmacro"}, -1)
      .Default(0);
}

/// Of one function; nothing where the text is not read line by line.
static std::vector<TextEdit> editsOf(const Module &module, const Function &function) {
  const uint32_t from = module.instructions()[function.first].line + 1;
  const uint32_t to = module.instructions()[function.last - 1].line;
  std::vector<TextEdit> edits;
  Code front;
  int depth = 0;
  for (uint32_t line = from; line < to; ++line) {
    const llvm::StringRef statement = llvm::StringRef(module.lineText(line)).ltrim();
    if (statement.contains("/*"))
      return {};
    depth += opens(statement);
    if (depth != 0 || !declaresNumber(statement))
      continue;
    const uint32_t begin = module.lineBegin(line), end = module.lineBegin(line + 1);
    front += Code::original(begin, end);
    edits.push_back({begin, end, {}});
  }
  if (!edits.empty()) {
    const uint32_t at = module.lineBegin(function.line);
    edits.push_back({at, at, std::move(front)});
  }
  return edits;
}

std::vector<TextEdit> filesFirst(const Module &module) {
  std::vector<TextEdit> all;
  for (const Function &function : module.functions())
    if (function.first < function.last)
      for (TextEdit &edit : editsOf(module, function))
        all.push_back(std::move(edit));
  return all;
}

} // namespace rdna
