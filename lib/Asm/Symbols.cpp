// What symbols are worth in a text that was edited: kernel descriptors of clang 22 are sums and
// maxima of them.

#include "Asm/Builder.h"

#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/Support/MemoryBuffer.h"

namespace rdna {

static bool setsSymbol(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos)
    return false;
  line.remove_prefix(first);
  return line.starts_with(".set") || line.starts_with(".equ");
}

void ModuleBuilder::evaluateDescriptor() {
  const std::string queries = descriptorQueries();
  if (queries.empty())
    return;
  std::string buffer;
  for (uint32_t line = 1; line <= module.lineCount(); ++line)
    if (const std::string_view text = module.lineText(line); setsSymbol(text))
      (buffer += text) += '\n';
  buffer += queries;

  const McTarget &target = McTarget::get();
  ParseState scratch;
  scratch.sources.setDiagHandler([](const llvm::SMDiagnostic &, void *) {});
  scratch.sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(buffer), {});
  scratch.context =
      std::make_unique<llvm::MCContext>(target.triple(), &target.asmInfo(), &target.registers(),
                                        &target.subtarget(), &scratch.sources, &target.options());
  llvm::MCObjectFileInfo objectInfo;
  objectInfo.initMCObjectFileInfo(*scratch.context, /*PIC=*/true);
  scratch.context->setObjectFileInfo(&objectInfo);
  const std::unique_ptr<llvm::MCStreamer> streamer(llvm::createNullStreamer(*scratch.context));
  target.target().createNullTargetStreamer(*streamer);
  const std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(scratch.sources, *scratch.context, *streamer, target.asmInfo()));
  const std::unique_ptr<llvm::MCTargetAsmParser> targetParser(target.target().createMCAsmParser(
      target.subtarget(), *parser, target.instructions(), target.options()));
  parser->setTargetParser(*targetParser);
  parser->Run(/*NoInitialTextSection=*/false);
  for (Function &function : functions())
    for (auto &[name, field] : function.descriptor)
      if (!field.query.empty()) {
        const llvm::MCSymbol *symbol = scratch.context->lookupSymbol(field.query);
        int64_t value = 0;
        const bool isKnown =
            symbol && symbol->isVariable() && symbol->getVariableValue()->evaluateAsAbsolute(value);
        field.value = isKnown ? std::optional(value) : std::nullopt;
      }
  scratch.context->setObjectFileInfo(nullptr);
}

} // namespace rdna
