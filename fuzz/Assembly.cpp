// Anything as a .s: read, expanded, and analysed by all that isa-parse shows.
#include "Analysis/Banks.h"
#include "Analysis/Cfg.h"
#include "Analysis/Lint.h"
#include "Analysis/Liveness.h"
#include "Analysis/Metrics.h"
#include "Analysis/Regions.h"
#include "Analysis/WhySingle.h"
#include "Asm/Expand.h"
#include "Asm/Module.h"
#include "FuzzTarget.h"

using namespace rdna;

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
