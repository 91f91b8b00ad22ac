#include "Asm/CollectingStreamer.h"
#include "Asm/Encode.h"
#include "Support/AsmText.h"
#include "Support/FileKind.h"

#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <tuple>

namespace rdna {

namespace {

/// What LLVM says, but for what cannot be mended as it says it: no other file is ever read.
std::string messageOf(const llvm::SMDiagnostic &diag) {
  const llvm::StringRef message = diag.getMessage();
  if (message == "expected absolute expression" &&
      diag.getLineContents().ltrim().starts_with(".if"))
    return message.str() + ": the distance between labels is none here, because a rewrite changes "
                           "it; put what the condition is in its place";
  for (const auto &[said, directive, instead] :
       {std::tuple("Could not find include file ", ".include", "put its text in its place"),
        std::tuple("Could not find incbin file ", ".incbin",
                   "put its bytes in its place, by .byte")})
    if (message.starts_with(said))
      return fmt::format("{} is not followed: the tools read this one file and none beside it; {} "
                         "(the file is {})",
                         directive, instead, message.drop_front(std::strlen(said)).str());
  return message.str();
}

/// Turns MC's diagnostics into ours; an error on an appended query line is not the user's.
struct DiagnosticCollector {
  static constexpr size_t kMaxErrors = 50; // A binary file is one error per line.
  std::string file;
  uint32_t lastLine = 0;
  std::vector<Diagnostic> errors;

  /// While set, a note is the answer to MacroPlaces::find() and not for the user.
  const char **invocation = nullptr;

  void add(const llvm::SMDiagnostic &diag) {
    if (invocation) {
      *invocation = diag.getLoc().getPointer();
      return;
    }
    if (diag.getKind() != llvm::SourceMgr::DK_Error && diag.getKind() != llvm::SourceMgr::DK_Note)
      return;
    if (diag.getKind() == llvm::SourceMgr::DK_Note && errors.empty())
      return;
    Diagnostic own;
    own.severity = diag.getKind() == llvm::SourceMgr::DK_Note ? Severity::Note : Severity::Error;
    own.file = file;
    own.line = diag.getLineNo() > 0 ? static_cast<unsigned>(diag.getLineNo()) : 0;
    own.column = diag.getColumnNo() >= 0 ? static_cast<unsigned>(diag.getColumnNo()) + 1 : 0;
    own.message = messageOf(diag);
    own.sourceLine = diag.getLineContents().str();
    if (!own.sourceLine.empty() && own.sourceLine.back() == '\r')
      own.sourceLine.pop_back();
    if (own.line > lastLine) {
      if (own.sourceLine.find(kQueryPrefix) != std::string::npos)
        return;
      own.line = lastLine; // something that the end of the file leaves open
      own.column = 1;
      own.sourceLine.clear();
    }
    if (errors.size() < kMaxErrors)
      errors.push_back(std::move(own));
    else if (errors.size() == kMaxErrors)
      errors.push_back({Severity::Note, file, 0, 0, "too many errors; the rest is not shown", ""});
  }
  static void handle(const llvm::SMDiagnostic &diag, void *context) {
    static_cast<DiagnosticCollector *>(context)->add(diag);
  }
};

/// Finds the invocation in the main file that a macro's instruction comes from. LLVM instantiates a
/// macro into a buffer of its own and keeps the way back to itself, but tells it in the notes that
/// follow a diagnostic: the last one is about the outermost invocation.
struct MacroPlaces {
  llvm::MCAsmParser &parser;
  DiagnosticCollector &collector;
  const llvm::SourceMgr &sources;
  size_t userBytes;
  unsigned lastBuffer = 0; ///< All instructions of one instantiation have one invocation.
  uint32_t lastOffset = 0;

  CollectingStreamer::Place placeOf(llvm::SMLoc loc) {
    const llvm::MemoryBuffer *main = sources.getMemoryBuffer(sources.getMainFileID());
    const auto offset = [&](const char *at) {
      return static_cast<uint32_t>(std::min<size_t>(at - main->getBufferStart(), userBytes));
    };
    const char *at = loc.getPointer();
    if (at >= main->getBufferStart() && at <= main->getBufferEnd())
      return {offset(at), Instruction::Origin::Text};
    // The newest buffer is the likely one; the search would go through all of them.
    const auto inside = [&](unsigned id) {
      const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(id);
      return at >= buffer->getBufferStart() && at <= buffer->getBufferEnd();
    };
    unsigned buffer = sources.getNumBuffers();
    if (lastBuffer != 0 && inside(lastBuffer))
      buffer = lastBuffer;
    else if (!inside(buffer))
      buffer = sources.FindBufferContainingLoc(loc);
    if (buffer != lastBuffer) {
      const char *invocation = main->getBufferStart();
      collector.invocation = &invocation;
      // The note is put where LLVM finds it at once: a search through all buffers for each
      // instantiation is quadratic.
      parser.Note(llvm::SMLoc::getFromPointer(main->getBufferStart()), "");
      collector.invocation = nullptr;
      const bool found = invocation >= main->getBufferStart() && invocation <= main->getBufferEnd();
      lastBuffer = buffer;
      lastOffset = found ? offset(invocation) : 0;
    }
    return {lastOffset, Instruction::Origin::Macro};
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

void ModuleBuilder::indexLines() {
  lines().clear();
  lines().push_back(0);
  for (size_t i = 0; i < text().size(); ++i)
    if (text()[i] == '\n' && i + 1 < text().size())
      lines().push_back(static_cast<uint32_t>(i + 1));
}

uint32_t ModuleBuilder::lineAt(uint32_t offset) const {
  const auto &starts = module.lines_;
  return static_cast<uint32_t>(std::upper_bound(starts.begin(), starts.end(), offset) -
                               starts.begin());
}

/// End of `mnemonic operands` that starts at `begin`: the line's end or its first comment. The
/// statement separator of this target is the newline, and operands hold no string literals.
static uint32_t statementEnd(std::string_view text, uint32_t begin) {
  uint32_t end = begin, i = begin;
  while (i < text.size() && text[i] != '\n' && text[i] != ';') {
    if (text[i] == '/' && i + 1 < text.size() && text[i + 1] == '/')
      break;
    if (text[i] == '/' && i + 1 < text.size() && text[i + 1] == '*') {
      const size_t close = text.find("*/", i + 2);
      i = close == std::string_view::npos ? static_cast<uint32_t>(text.size())
                                          : static_cast<uint32_t>(close + 2);
      continue;
    }
    if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r')
      end = i + 1;
    ++i;
  }
  return end;
}

/// What MC gets to see: same bytes at the same places, except `.print`, which would write to
/// standard output in the middle of a filter's result.
static std::string sanitised(std::string_view text) {
  std::string copy(text);
  for (size_t at = copy.find(".print"); at != std::string::npos; at = copy.find(".print", at + 1)) {
    const size_t lineStart = copy.rfind('\n', at) + 1; // npos + 1 == 0
    const bool first = copy.find_first_not_of(" \t", lineStart) == at;
    const char after = at + 6 < copy.size() ? copy[at + 6] : '\n';
    if (first && (after == ' ' || after == '\t' || after == '"'))
      for (size_t i = at; i < copy.size() && copy[i] != '\n'; ++i)
        copy[i] = ' ';
  }
  return copy;
}

llvm::Error ModuleBuilder::runParser() {
  const McTarget &target = McTarget::get();
  const llvm::MCSubtargetInfo &subtarget = target.subtarget(processorOf(text()));
  ParseState &state = *parsed().state;
  DiagnosticCollector collector{file(), static_cast<uint32_t>(lines().size()), {}};
  std::string buffer = sanitised(text());
  const size_t userBytes = buffer.size();
  const std::string queries = descriptorQueries();
  buffer += textEpilogue;
  buffer += queries;

  state.sources.setDiagHandler(DiagnosticCollector::handle, &collector);
  // .include and .incbin must not read the host's files.
  state.sources.setVirtualFileSystem(llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>());
  state.sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(buffer, file()), {});
  state.context =
      std::make_unique<llvm::MCContext>(target.triple(), &target.asmInfo(), &target.registers(),
                                        &subtarget, &state.sources, &target.options());
  state.context->setDiagnosticHandler(
      [&](const llvm::SMDiagnostic &diag, bool, const llvm::SourceMgr &,
          std::vector<const llvm::MDNode *> &) { collector.add(diag); });
  llvm::MCObjectFileInfo objectInfo;
  objectInfo.initMCObjectFileInfo(*state.context, /*PIC=*/true);
  state.context->setObjectFileInfo(&objectInfo);
  CollectingStreamer streamer(*state.context);
  streamer.reserve(std::min<size_t>(lines().size(), 1u << 20));
  target.target().createNullTargetStreamer(streamer);
  {
    const std::unique_ptr<llvm::MCAsmParser> parser(
        llvm::createMCAsmParser(state.sources, *state.context, streamer, target.asmInfo()));
    const std::unique_ptr<llvm::MCTargetAsmParser> targetParser(target.target().createMCAsmParser(
        subtarget, *parser, target.instructions(), target.options()));
    parser->setTargetParser(*targetParser);
    MacroPlaces macros{*parser, collector, state.sources, userBytes};
    streamer.placeOf = [&](llvm::SMLoc loc) { return macros.placeOf(loc); };
    parser->Run(/*NoInitialTextSection=*/false);
  }
  state.context->setObjectFileInfo(nullptr);
  state.context->setDiagnosticHandler([](const llvm::SMDiagnostic &, bool, const llvm::SourceMgr &,
                                         std::vector<const llvm::MDNode *> &) {});
  state.sources.setDiagHandler([](const llvm::SMDiagnostic &, void *) {});
  if (!collector.errors.empty())
    return llvm::make_error<InputError>(Failure::BadInput, std::move(collector.errors));

  instructions().resize(streamer.insts.size());
  EncodedSizes sizes(*state.context);
  for (uint32_t i = 0; i < streamer.insts.size(); ++i) {
    Instruction &inst = instructions()[i];
    describeInstruction(streamer.insts[i], state, inst);
    inst.index = i;
    inst.begin = streamer.places[i].offset;
    inst.origin = streamer.places[i].origin;
    inst.end = statementEnd(text(), inst.begin);
    inst.line = lineAt(inst.begin);
    inst.column = inst.begin - lines()[inst.line - 1] + 1;
    inst.section = streamer.sections[i];
    inst.sizeBytes = sizes.of(streamer.insts[i]);
  }
  EntryFacts &entries = parsed().entries;
  for (const CollectingStreamer::RawLabel &raw : streamer.labels) {
    const uint32_t line = lineAt(raw.place.offset);
    labelIndex().emplace(raw.name, raw.instruction);
    labels().push_back({raw.name, raw.instruction, line, false, raw.place.offset});
    entries.labelSections.push_back(raw.section);
  }
  entries.uses = streamer.entryUses(streamer.insts);
  parsed().insts = std::move(streamer.insts);
  parsed().gaps = std::move(streamer.gaps);
  parsed().assignments = std::move(streamer.assignments);
  addFunctions(streamer.functionSymbols);
  layOutFunctions();
  findLongBranches();
  findEntries();
  return llvm::Error::success();
}

/// A local label in `expr` that is defined nowhere.
static const llvm::MCSymbol *undefinedLabel(const llvm::MCExpr &expr) {
  switch (expr.getKind()) {
  case llvm::MCExpr::SymbolRef: {
    const llvm::MCSymbol &symbol = llvm::cast<llvm::MCSymbolRefExpr>(expr).getSymbol();
    return symbol.isTemporary() && symbol.isUndefined() ? &symbol : nullptr;
  }
  case llvm::MCExpr::Unary:
    return undefinedLabel(*llvm::cast<llvm::MCUnaryExpr>(expr).getSubExpr());
  case llvm::MCExpr::Binary: {
    const auto &binary = llvm::cast<llvm::MCBinaryExpr>(expr);
    const llvm::MCSymbol *left = undefinedLabel(*binary.getLHS());
    return left ? left : undefinedLabel(*binary.getRHS());
  }
  default:
    return nullptr;
  }
}

llvm::Error ModuleBuilder::checkLabels() {
  std::vector<Diagnostic> errors;
  for (uint32_t i = 0; i < parsed().insts.size(); ++i)
    for (const llvm::MCOperand &operand : parsed().insts[i])
      if (operand.isExpr())
        if (const llvm::MCSymbol *symbol = undefinedLabel(*operand.getExpr()))
          errors.push_back(module.at(instructions()[i],
                                     fmt::format("undefined label '{}'", symbol->getName().str())));
  if (errors.empty())
    return llvm::Error::success();
  return llvm::make_error<InputError>(Failure::BadInput, std::move(errors));
}

/// What the file is instead, if that can be seen: fifty errors about C++ say nothing.
static llvm::Error explained(llvm::Error error, std::string_view text, const std::string &file) {
  if (!error)
    return error;
  const std::string what = notAssembly(text, file, Wanted::Assembly);
  if (what.empty())
    return error;
  llvm::consumeError(std::move(error));
  return makeError(Failure::BadInput, file, what);
}

llvm::Expected<std::unique_ptr<Module>> Module::parse(std::string text, std::string file) {
  std::unique_ptr<Module> module = ModuleBuilder::makeModule();
  ModuleBuilder builder{*module};
  builder.create();
  builder.text() = std::move(text);
  builder.file() = std::move(file);
  if (builder.text().size() >= (uint64_t{1} << 31))
    return makeError(Failure::BadInput, builder.file(), "file is larger than 2 GiB");
  if (const size_t nul = builder.text().find('\0'); nul != std::string::npos)
    return explained(
        makeError(Failure::BadInput, builder.file(), "not an assembly text (it holds a NUL byte)"),
        builder.text(), builder.file());
  if (builder.text().find('\n') == std::string::npos &&
      builder.text().find('\r') != std::string::npos)
    return makeError(Failure::BadInput, builder.file(),
                     "its lines end with carriage returns alone; make newlines of them: tr '\\r' "
                     "'\\n' <old.s >new.s");
  builder.indexLines();
  if (const auto token = unterminatedToken(builder.text())) {
    const uint32_t line = builder.lineAt(static_cast<uint32_t>(token->at));
    Diagnostic error = module->atLine(line, token->message, Severity::Error);
    error.column = static_cast<unsigned>(token->at) - module->lineBegin(line) + 1;
    return explained(makeError(Failure::BadInput, std::move(error)), builder.text(),
                     builder.file());
  }
  if (llvm::Error error = builder.findDescriptors())
    return explained(std::move(error), builder.text(), builder.file());
  if (llvm::Error error = builder.findMetadata())
    return explained(std::move(error), builder.text(), builder.file());
  if (llvm::Error error = builder.runParser())
    return explained(std::move(error), builder.text(), builder.file());
  if (llvm::Error error = builder.checkLabels())
    return error;
  builder.readDescriptorQueries();
  builder.sortFunctions();
  return module;
}

} // namespace rdna
