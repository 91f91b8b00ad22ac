// Anything as a .s: read, expanded, and analysed by all that isa-parse shows.
#include "Analysis/Banks.h"
#include "Analysis/Cfg.h"
#include "Analysis/Lint.h"
#include "Analysis/Liveness.h"
#include "Analysis/Metrics.h"
#include "Analysis/Regions.h"
#include "Analysis/WhySingle.h"
#include "Asm/Module.h"
#include "Code/Expand.h"
#include "FuzzTarget.h"

#include "llvm/Support/CommandLine.h"

using namespace rdna;

/// Macros that invoke themselves under .rept grow like 3^20 at LLVM's own limit, in llvm-mc as
/// well: without this the fuzzer finds little else.
[[maybe_unused]] static const bool macrosAreLimited = [] {
  const char *arguments[] = {"fuzz-assembly", "-asm-macro-max-nesting-depth=3"};
  return llvm::cl::ParseCommandLineOptions(2, arguments);
}();

template <class T> static void consume(llvm::Expected<T> value) {
  if (!value)
    llvm::consumeError(value.takeError());
}

static void analyse(const Module &module) {
  for (uint32_t f = 0; f < module.functions().size(); ++f) {
    const Cfg cfg = buildCfg(module, f);
    computeLiveness(module, cfg);
    lintFunction(module, cfg);
    measureKernel(module, f);
    for (const Region &region : defaultRegions(module, f)) {
      measure(module, region.instructions);
      whySingle(module, cfg, region.instructions);
    }
  }
  consume(markedRegions(module));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto module = Module::parse(std::string(reinterpret_cast<const char *>(data), size), "fuzz.s");
  if (!module) {
    llvm::consumeError(module.takeError());
    return 0;
  }
  analyse(**module);
  consume(expandMacros(**module));
  return 0;
}
