#include "Transform/CopyCode.h"

#include "Code/Build.h"
#include "Code/Edit.h"
#include "Transform/Lines.h"

#include <fmt/format.h>

namespace rdna {

static bool isAlignment(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  return begin != std::string_view::npos && line.substr(begin).starts_with(".p2align");
}

std::optional<CopyObstacle> obstacleToCopy(const Module &module, const Block &block,
                                           Alignment alignment) {
  const auto inst = [&](uint32_t i) -> const Instruction & { return module.instructions()[i]; };
  for (uint32_t i = block.first; i < block.last; ++i) {
    const Instruction &instruction = inst(i);
    if (instruction.origin == Instruction::Origin::Macro)
      return CopyObstacle{instruction.line, "the loop has instructions of a macro "
                                            "(--expand-macros)"};
    if (instruction.op == Op::s_swappc_b64 || instruction.op == Op::s_getpc_b64 ||
        instruction.op == Op::unknown)
      return CopyObstacle{instruction.line, "the loop has a call or an instruction that is not "
                                            "known"};
    const uint32_t start = module.lineBegin(instruction.line);
    const std::string_view before = module.text().substr(start, instruction.begin - start);
    if (i > block.first && before.find_first_not_of(" \t") != std::string_view::npos)
      return CopyObstacle{instruction.line, "text stands before an instruction on its line"};
    for (uint32_t l = i == block.first ? instruction.line : nextLine(module, inst(i - 1).line);
         l < instruction.line; l = nextLine(module, l))
      if (lineKind(wholeLine(module, l)) == LineKind::Directive &&
          !(alignment == Alignment::MayGo && isAlignment(module.lineText(l))))
        return CopyObstacle{l, "a directive stands inside the loop"};
  }
  return std::nullopt;
}

bool hasHazard(const Instruction &inst) {
  const auto halves = vopdHalves(inst);
  return halves && hasParityHazard(halves->first, halves->second);
}

std::optional<CopyObstacle> hazardToCopy(const Module &module, const Block &block,
                                         const FaultFinder &findFaults) {
  for (uint32_t i = block.first; i < block.last; ++i) {
    const Instruction &inst = module.instructions()[i];
    if (hasHazard(inst))
      return CopyObstacle{inst.line, "it would copy a VOPD parity hazard (--vgpr-remap or "
                                     "vgpr-remap --repair-hazards first)"};
  }
  if (!findFaults)
    return std::nullopt;
  const uint32_t begin = module.instructions()[block.first].line;
  const uint32_t end = module.instructions()[block.last - 1].line;
  for (const Diagnostic &fault : findFaults(module))
    if (fault.line >= begin && fault.line <= end)
      return CopyObstacle{fault.line, fmt::format("it would copy a fault: {}", fault.message)};
  return std::nullopt;
}

std::optional<Halves> inOrder(Halves halves) {
  const auto reads = [](const LaneOp &lane, Vgpr vgpr) {
    const auto is = [&](const VopdSource &source) {
      return source.kind == VopdSource::Kind::Vgpr && source.value == vgpr.number;
    };
    return is(lane.src0) || is(lane.src1) || lane.addend == vgpr;
  };
  if (halves.size() != 2)
    return std::nullopt;
  if (reads(halves[1], halves[0].dst))
    std::swap(halves[0], halves[1]);
  return reads(halves[1], halves[0].dst) ? std::nullopt : std::optional(std::move(halves));
}

std::optional<Code> copyWithoutHazard(const Module &module, const Instruction &inst) {
  if (!hasHazard(inst))
    return Code::copyOf(inst);
  const auto halves = inOrder(laneOps(inst));
  if (!halves)
    return std::nullopt;
  Code code(buildLane((*halves)[0]));
  code += std::string(lineEnding(module)) + "\t";
  return code += Code(buildLane((*halves)[1]));
}

std::optional<std::string> labelOf(const Module &module, const Block &block) {
  std::optional<std::string> name;
  for (const Label &label : module.labels())
    if (label.instruction == block.first)
      name = label.name; // The last, because a function's own name would be a relocation.
  return name;
}

} // namespace rdna
