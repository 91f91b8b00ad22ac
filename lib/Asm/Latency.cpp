#include "Asm/Latency.h"

#include "Asm/ParsedModule.h"

namespace rdna {

unsigned modelLatency(const Module &module, const Instruction &inst, unsigned destination) {
  const McTarget &target = McTarget::get();
  const llvm::MCSubtargetInfo &subtarget = target.subtarget();
  const unsigned opcode = module.parsed().insts[inst.index].getOpcode();
  const llvm::MCSchedClassDesc *latencies = subtarget.getSchedModel().getSchedClassDesc(
      target.instructions().get(opcode).getSchedClass());
  if (!latencies->isValid() || latencies->isVariant() ||
      destination >= latencies->NumWriteLatencyEntries)
    return 1; // What LLVM's passes take where the model says nothing.
  return static_cast<unsigned>(
      std::max<int>(0, subtarget.getWriteLatencyEntry(latencies, destination)->Cycles));
}

} // namespace rdna
