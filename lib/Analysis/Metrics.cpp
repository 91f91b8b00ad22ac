#include "Analysis/Metrics.h"

#include <algorithm>

namespace rdna {

VopdReads vopdReads(const VopdHalf &x, const VopdHalf &y) {
  return {source0Port(x), source1Port(x), source0Port(y), source1Port(y)};
}

static unsigned countSame(std::optional<Vgpr> now, std::optional<Vgpr> before) {
  return now && now == before ? 1 : 0;
}

namespace {
/// What the metrics of one VOPD need of the one before it.
struct PreviousVopd {
  bool known = false;
  VopdReads reads;
  Bank dstX{}, dstY{};
};
} // namespace

static void addVopd(const Instruction &inst, PreviousVopd &previous, LoopMetrics &metrics) {
  ++metrics.vopd;
  metrics.dualFmac += isVopdFma(inst.op) && isVopdFma(inst.opY) ? 1 : 0;
  metrics.singleFmac += isVopdFma(inst.op) != isVopdFma(inst.opY) ? 1 : 0;
  const auto halves = vopdHalves(inst);
  if (!halves) {
    previous = {}; // A symbol as operand: what it reads is not known before linking.
    return;
  }
  const auto &[x, y] = *halves;
  metrics.sourceBankConflicts += sourceBankConflicts(x, y);
  metrics.parityHazards += hasParityHazard(x, y) ? 1 : 0;
  const PreviousVopd now{true, vopdReads(x, y), bankOf(x.dst), bankOf(y.dst)};
  if (previous.known) {
    metrics.src0Reuse +=
        countSame(now.reads.x0, previous.reads.x0) + countSame(now.reads.y0, previous.reads.y0);
    metrics.src1Reuse +=
        countSame(now.reads.x1, previous.reads.x1) + countSame(now.reads.y1, previous.reads.y1);
    const auto isNew = [&](Bank bank) { return bank != previous.dstX && bank != previous.dstY; };
    metrics.destinationRotation += isNew(now.dstX) && isNew(now.dstY) ? 1 : 0;
  }
  previous = now;
}

static bool isHint(Op op) {
  return op == Op::s_clause || op == Op::s_delay_alu || op == Op::s_setprio;
}

LoopMetrics measure(const Module &module, llvm::ArrayRef<uint32_t> instructions) {
  LoopMetrics metrics;
  PreviousVopd previous;
  for (const uint32_t index : instructions) {
    const Instruction &inst = module.instructions()[index];
    ++metrics.instructions;
    metrics.hints += isHint(inst.op) ? 1 : 0;
    metrics.firstLine = metrics.firstLine == 0 ? inst.line : std::min(metrics.firstLine, inst.line);
    metrics.lastLine = std::max(metrics.lastLine, inst.line);
    metrics.valu += inst.isValu() ? 1 : 0;
    if (inst.isVopd())
      addVopd(inst, previous, metrics);
    else
      metrics.singleFmac += isFmaFamily(inst) ? 1 : 0;
    if (inst.memory == MemoryEffect::Load) {
      metrics.dsLoads += inst.unit == Unit::Lds ? 1 : 0;
      metrics.globalLoads += inst.unit == Unit::Global || inst.unit == Unit::Buffer ? 1 : 0;
    }
  }
  return metrics;
}

LoopMetrics measureLoop(const Module &module, const Cfg &cfg, const Loop &loop) {
  LoopMetrics metrics = measure(module, loopInstructions(cfg, loop));
  metrics.header = loop.label;
  metrics.depth = loop.depth;
  return metrics;
}

std::optional<unsigned> workgroupSize(const Function &kernel, std::optional<unsigned> block) {
  if (kernel.requiredWorkgroupSize) {
    const auto &[x, y, z] = *kernel.requiredWorkgroupSize;
    return x * y * z;
  }
  const auto it = kernel.metadata.find(".max_flat_workgroup_size");
  if (it != kernel.metadata.end() && it->second.value > 0)
    return static_cast<unsigned>(it->second.value);
  return block;
}

OccupancyQuery occupancyQuery(const Function &kernel, std::optional<unsigned> block) {
  OccupancyQuery query;
  query.processor = kernel.processor;
  query.vgprs = static_cast<unsigned>(kernel.descriptorValue(".amdhsa_next_free_vgpr", 0));
  query.ldsBytes =
      static_cast<uint32_t>(kernel.descriptorValue(".amdhsa_group_segment_fixed_size", 0));
  query.workgroupSize = workgroupSize(kernel, block).value_or(0);
  // LLVM's default for gfx10 and later when the directive is missing: WGP mode.
  query.mode = kernel.descriptorValue(".amdhsa_workgroup_processor_mode", 1) != 0
                   ? WorkgroupMode::Wgp
                   : WorkgroupMode::Cu;
  return query;
}

KernelMetrics measureKernel(const Module &module, uint32_t functionIndex,
                            std::optional<unsigned> block) {
  const Function &function = module.functions()[functionIndex];
  const OccupancyQuery query = occupancyQuery(function, block);
  KernelMetrics metrics;
  metrics.name = function.name;
  metrics.vgprs = query.vgprs;
  metrics.ldsBytes = query.ldsBytes;
  metrics.mode = query.mode;
  metrics.workgroupSize = workgroupSize(function, block);
  metrics.scratchBytes =
      static_cast<uint32_t>(function.descriptorValue(".amdhsa_private_segment_fixed_size", 0));
  metrics.occupancy = occupancy(query);
  metrics.instructions = function.last - function.first;
  for (uint32_t i = function.first; i < function.last; ++i) {
    const Instruction &inst = module.instructions()[i];
    metrics.codeBytes += inst.sizeBytes;
    for (const RegAccess &access : inst.accesses) {
      const unsigned end = access.reg.first.number() + access.reg.dwords;
      if (access.reg.first.isVgpr())
        metrics.vgprsUsed = std::max(metrics.vgprsUsed, end);
      else if (access.reg.first.isSgpr())
        metrics.sgprs = std::max(metrics.sgprs, end);
    }
  }
  const Cfg cfg = buildCfg(module, functionIndex);
  metrics.calls = static_cast<unsigned>(cfg.calls.size());
  for (const Loop &loop : cfg.loops)
    metrics.loops.push_back(measureLoop(module, cfg, loop));
  std::stable_sort(
      metrics.loops.begin(), metrics.loops.end(), [](const LoopMetrics &a, const LoopMetrics &b) {
        return a.firstLine != b.firstLine ? a.firstLine < b.firstLine : a.depth < b.depth;
      });
  return metrics;
}

} // namespace rdna
