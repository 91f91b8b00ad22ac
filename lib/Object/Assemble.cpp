#include "Object/Assembly.h"
#include "Object/AssemblyPrecheck.h"
#include "Object/Assumptions.h"
#include "Object/CodeObject.h"
#include "Object/McTables.h"
#include "Support/AsmText.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAssembler.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectStreamer.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCAsmParserExtension.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCSection.h"
#include "llvm/MC/MCSymbolELF.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace rdna::object {

namespace {

/// The text and its places: buffer 1 of `manager` is the file behind `prologueLines` of ours.
struct Sources {
  llvm::SourceMgr manager;
  std::string file;
  unsigned prologueLines = 0;
  std::vector<Diagnostic> messages;
  bool failed = false;

  /// The line of the file for a place, also when that is inside an instantiated macro.
  unsigned lineOf(llvm::SMLoc where);
  void add(const llvm::SMDiagnostic &message);

  /// Buffers of macro instantiations have no way back to the file; only the parser knows it, and
  /// tells it in the notes "while in macro instantiation" behind each message.
  llvm::MCAsmParser *parser = nullptr;

private:
  std::map<unsigned, unsigned> invocations_; ///< Buffer of an instantiation -> line.
  std::optional<unsigned> *probe_ = nullptr; ///< Where the next messages' lines go instead.
};

unsigned Sources::lineOf(llvm::SMLoc where) {
  const unsigned buffer = where.isValid() ? manager.FindBufferContainingLoc(where) : 0;
  if (buffer == 0)
    return 0;
  if (buffer == manager.getMainFileID()) {
    const unsigned line = manager.FindLineNumber(where, buffer);
    return line > prologueLines ? line - prologueLines : 0;
  }
  const auto known = invocations_.find(buffer);
  if (known != invocations_.end() || parser == nullptr)
    return known != invocations_.end() ? known->second : 0;
  std::optional<unsigned> line;
  probe_ = &line;
  parser->Note(where, ""); // The outermost invocation is the last note.
  probe_ = nullptr;
  return invocations_[buffer] = line.value_or(0);
}

void Sources::add(const llvm::SMDiagnostic &message) {
  if (probe_ != nullptr) {
    if (message.getLoc().isValid() &&
        manager.FindBufferContainingLoc(message.getLoc()) == manager.getMainFileID())
      *probe_ = lineOf(message.getLoc());
    return;
  }
  // clang -g writes that itself, where a header has no checksum; nobody can do anything about it.
  if (message.getKind() == llvm::SourceMgr::DK_Warning &&
      message.getMessage() == "inconsistent use of MD5 checksums")
    return;
  Diagnostic diagnostic;
  switch (message.getKind()) {
  case llvm::SourceMgr::DK_Error:
    diagnostic.severity = Severity::Error;
    failed = true;
    break;
  case llvm::SourceMgr::DK_Warning:
    diagnostic.severity = Severity::Warning;
    break;
  case llvm::SourceMgr::DK_Remark:
    diagnostic.severity = Severity::Remark;
    break;
  case llvm::SourceMgr::DK_Note:
    diagnostic.severity = Severity::Note;
    break;
  }
  diagnostic.message = message.getMessage().str();
  diagnostic.file = file;
  // The message's own file and line follow "# 1 file" markers of preprocessed text; a user wants
  // the line of the .s, so it is taken from the location instead.
  const unsigned buffer =
      message.getLoc().isValid() ? manager.FindBufferContainingLoc(message.getLoc()) : 0;
  if (buffer != 0) {
    diagnostic.sourceLine = llvm::StringRef(message.getLineContents()).rtrim("\r\n").str();
    diagnostic.column = static_cast<unsigned>(std::max(message.getColumnNo(), 0)) + 1;
    if (buffer == manager.getMainFileID()) {
      diagnostic.line = lineOf(message.getLoc());
    } else {
      diagnostic.file = manager.getBufferInfo(buffer).Buffer->getBufferIdentifier().str();
      diagnostic.line = manager.FindLineNumber(message.getLoc(), buffer);
    }
  }
  messages.push_back(std::move(diagnostic));
}

/// Records where each instruction goes on its way to the real emitter. This is the one call that
/// happens exactly once per instruction and in order; wrapping the streamer or the target parser
/// would mean forwarding some thirty functions.
class RecordingEmitter : public llvm::MCCodeEmitter {
public:
  struct Place {
    const llvm::MCFragment *fragment = nullptr;
    uint64_t offset = 0; ///< In the fragment; exact even when the bytes open a new one after it.
    unsigned line = 0;
  };
  explicit RecordingEmitter(llvm::MCCodeEmitter *inner) : inner_(inner) {}
  void reset() override { inner_->reset(); }
  void encodeInstruction(const llvm::MCInst &inst, llvm::SmallVectorImpl<char> &bytes,
                         llvm::SmallVectorImpl<llvm::MCFixup> &fixups,
                         const llvm::MCSubtargetInfo &subtarget) const override {
    if (streamer != nullptr && streamer->getCurrentFragment() != nullptr)
      places.push_back({streamer->getCurrentFragment(), streamer->getCurFragSize(),
                        sources->lineOf(inst.getLoc())});
    inner_->encodeInstruction(inst, bytes, fixups, subtarget);
  }

  llvm::MCObjectStreamer *streamer = nullptr;
  Sources *sources = nullptr;
  mutable std::vector<Place> places;

private:
  std::unique_ptr<llvm::MCCodeEmitter> inner_;
};

/// Takes `.print`, which LLVM would answer on standard output, in the middle of a tool's result.
class SilentDirectives : public llvm::MCAsmParserExtension {
public:
  void Initialize(llvm::MCAsmParser &parser) override {
    MCAsmParserExtension::Initialize(parser);
    parser.addDirectiveHandler(".print",
                               {this, HandleDirective<SilentDirectives, &SilentDirectives::skip>});
  }

private:
  bool skip(llvm::StringRef, llvm::SMLoc) {
    getParser().eatToEndOfStatement();
    return false;
  }
};

std::vector<PlacedInstruction> placeInstructions(const llvm::MCAssembler &assembler,
                                                 const RecordingEmitter &emitter) {
  struct Anchor {
    llvm::StringRef name;
    uint64_t offset = 0;
  };
  llvm::DenseMap<const llvm::MCSection *, Anchor> anchors;
  for (const llvm::MCSymbol &symbol : assembler.symbols()) {
    // Section symbols are not in the linked file.
    if (symbol.isTemporary() || symbol.isVariable() || !symbol.isInSection() ||
        static_cast<const llvm::MCSymbolELF &>(symbol).getType() == llvm::ELF::STT_SECTION)
      continue;
    uint64_t offset = 0;
    if (assembler.getSymbolOffset(symbol, offset))
      anchors.try_emplace(&symbol.getSection(), Anchor{symbol.getName(), offset});
  }
  std::vector<PlacedInstruction> placed;
  placed.reserve(emitter.places.size());
  for (const RecordingEmitter::Place &place : emitter.places) {
    const auto anchor = anchors.find(place.fragment->getParent());
    if (anchor == anchors.end())
      continue;
    const uint64_t offset = assembler.getFragmentOffset(*place.fragment) + place.offset;
    placed.push_back({anchor->second.name.str(),
                      static_cast<int64_t>(offset - anchor->second.offset), place.line});
  }
  return placed;
}

void addMessage(const llvm::SMDiagnostic &message, void *sources) {
  static_cast<Sources *>(sources)->add(message);
}

} // namespace

llvm::Expected<Assembly> assembleWithLines(std::string_view text, std::string_view file) {
  llvm::Expected<AssemblyFacts> facts = precheckAssembly(text, file);
  if (!facts)
    return facts.takeError();
  llvm::Expected<McTables> tables = createMcTables(processorOf(text));
  if (!tables)
    return tables.takeError();

  Sources sources;
  sources.file = std::string(file);
  std::string input;
  if (facts->impliedVersion) {
    input = fmt::format(".amdhsa_code_object_version {}\n", *facts->impliedVersion);
    sources.prologueLines = 1;
  }
  // In front, because the text may say `.end`.
  const std::string assumptions = assumptionDirectives(text);
  input += assumptions;
  sources.prologueLines += unsigned(std::count(assumptions.begin(), assumptions.end(), '\n'));
  input += text;
  input += textEpilogue;
  sources.manager.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(input, sources.file), {});
  // A .s must not read other files of the machine: .include and .incbin find nothing.
  sources.manager.setVirtualFileSystem(llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>());
  sources.manager.setDiagHandler(addMessage, &sources); // Before the parser, which keeps it.

  llvm::MCContext context(tables->triple, tables->asmInfo.get(), tables->registers.get(),
                          tables->subtarget.get(), &sources.manager, &tables->options);
  context.setDiagnosticHandler([&](const llvm::SMDiagnostic &message, bool, const llvm::SourceMgr &,
                                   std::vector<const llvm::MDNode *> &) { sources.add(message); });
  std::unique_ptr<llvm::MCObjectFileInfo> fileInfo(
      tables->target->createMCObjectFileInfo(context, false));
  context.setObjectFileInfo(fileInfo.get());

  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  std::unique_ptr<llvm::MCAsmBackend> backend(
      tables->target->createMCAsmBackend(*tables->subtarget, *tables->registers, tables->options));
  std::unique_ptr<llvm::MCObjectWriter> writer = backend->createObjectWriter(stream);
  auto emitter = std::make_unique<RecordingEmitter>(
      tables->target->createMCCodeEmitter(*tables->instructions, context));
  RecordingEmitter &recorder = *emitter;
  std::unique_ptr<llvm::MCStreamer> streamer(tables->target->createMCObjectStreamer(
      tables->triple, context, std::move(backend), std::move(writer), std::move(emitter),
      *tables->subtarget));
  auto &objectStreamer = static_cast<llvm::MCObjectStreamer &>(*streamer);
  recorder.streamer = &objectStreamer;
  recorder.sources = &sources;

  SilentDirectives silent;
  std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources.manager, context, *streamer, *tables->asmInfo));
  silent.Initialize(*parser);
  sources.parser = parser.get();
  std::unique_ptr<llvm::MCTargetAsmParser> targetParser(tables->target->createMCAsmParser(
      *tables->subtarget, *parser, *tables->instructions, tables->options));
  parser->setTargetParser(*targetParser);
  if (parser->Run(false) || context.hadError() || sources.failed) {
    if (!sources.failed)
      sources.messages.push_back({Severity::Error, sources.file, 0, 0, "cannot be assembled", ""});
    return llvm::make_error<InputError>(Failure::BadInput, std::move(sources.messages));
  }

  Assembly assembly;
  const auto *begin = reinterpret_cast<const std::byte *>(bytes.data());
  assembly.object.assign(begin, begin + bytes.size());
  assembly.instructions = placeInstructions(objectStreamer.getAssembler(), recorder);
  assembly.warnings = std::move(sources.messages);
  return assembly;
}

llvm::Expected<std::vector<std::byte>> assemble(std::string_view text, std::string_view file) {
  llvm::Expected<Assembly> assembly = assembleWithLines(text, file);
  if (!assembly)
    return assembly.takeError();
  return std::move(assembly->object);
}

} // namespace rdna::object
