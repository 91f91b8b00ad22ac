// Loop after loop; a loop that has two buffers already is left alone.

#include "Analysis/Metrics.h"
#include "Code/Edit.h"
#include "Pipeline/Passes.h"
#include "Transform/SecondBuffer.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace rdna {
namespace {

/// The work-items of a workgroup by dimension, as the file or the user says it.
std::optional<WorkgroupShape> shapeOf(const PassSite &site) {
  const Function &function = site.function();
  if (function.requiredWorkgroupSize)
    return *function.requiredWorkgroupSize;
  const uint32_t size = site.request.workgroupSize;
  const auto launch = verify::launchRegisters(function);
  if (size == 0 || !launch)
    return std::nullopt;
  WorkgroupShape shape{size, 1, 1};
  if (launch->workitemDims == 1)
    return shape;
  // With several dimensions it takes the bounds of each.
  const auto given = site.request.given.find(function.name);
  if (given == site.request.given.end())
    return std::nullopt;
  for (unsigned d = 0; d < 3; ++d) {
    const auto &range = given->second.ranges.workitem[d];
    if (!range && d < launch->workitemDims)
      return std::nullopt;
    shape[d] = range ? static_cast<uint32_t>(range->most + 1) : 1;
  }
  return uint64_t(shape[0]) * shape[1] * shape[2] == size ? std::optional(shape) : std::nullopt;
}

struct Room {
  unsigned before = 0, after = 0; ///< Waves per SIMD.
  std::string limit;
};

Room roomWith(const Function &function, unsigned items, uint32_t ldsBytes) {
  OccupancyQuery query = occupancyQuery(function, items);
  query.workgroupSize = items;
  Room room;
  room.before = occupancy(query).wavesPerSimd;
  query.ldsBytes = ldsBytes;
  const Occupancy after = occupancy(query);
  room.after = after.wavesPerSimd;
  room.limit = toString(after.limit);
  return room;
}

uint32_t ldsOf(const Function &function) {
  return static_cast<uint32_t>(function.descriptorValue(".amdhsa_group_segment_fixed_size", 0));
}

/// The descriptor and the metadata with another size of LDS; false if one has it in no number.
bool resize(const Function &function, uint32_t bytes, std::vector<TextEdit> &edits) {
  const auto field = function.descriptor.find(".amdhsa_group_segment_fixed_size");
  if (field == function.descriptor.end() ||
      field->second.valueText.find_first_not_of("0123456789") != std::string_view::npos)
    return false;
  edits.push_back({field->second.begin, field->second.end, Code::number(bytes)});
  if (const auto number = function.metadata.find(".group_segment_fixed_size");
      number != function.metadata.end())
    edits.push_back({number->second.begin, number->second.end, Code::number(bytes)});
  return true;
}

/// The kernel's metadata with the workgroups that it requires from now on, so that no launch of
/// others goes unnoticed; false if there is no line of metadata to put them behind.
bool require(const Module &module, const Function &function, const WorkgroupShape &shape,
             std::vector<TextEdit> &edits) {
  if (function.requiredWorkgroupSize)
    return true;
  const auto anchor = function.metadata.find(".group_segment_fixed_size");
  if (anchor == function.metadata.end())
    return false;
  uint32_t line = 1;
  while (line < module.lineCount() && module.lineBegin(line + 1) <= anchor->second.begin)
    ++line;
  const std::string_view text = module.lineText(line);
  const size_t key = text.find(anchor->first);
  const auto indent = text.substr(0, key);
  if (key == std::string_view::npos || indent.find_first_not_of(" -") != std::string_view::npos)
    return false; // Between braces.
  const uint32_t next = module.lineBegin(line + 1);
  edits.push_back({next, next,
                   Code::metadata(key, ".reqd_workgroup_size",
                                  fmt::format("[{}, {}, {}]", shape[0], shape[1], shape[2]),
                                  lineEnding(module))});
  return true;
}

class Pipeliner {
public:
  Pipeliner(const PassSite &site, PassState &state) : site_(site), state_(state) {}

  PassResult run() {
    remarkBuffersOutside();
    for (uint32_t l = 0; l < site_.cfg.loops.size(); ++l) {
      const Loop &loop = site_.cfg.loops[l];
      if (!site_.wants(l) || loop.label.empty() || hasTwoBuffers(loop) ||
          !state_.seen.insert(loop.label).second)
        continue;
      const StageOutcome found = findStages(site_.module, site_.cfg, l);
      if (found.left)
        leave(found.left->line, loop, found.left->reason);
      if (!found.staged || hasInner(l))
        continue;
      if (auto proposal = propose(loop, *found.staged))
        return PassResult{std::move(*proposal)};
    }
    return {};
  }

private:
  void leave(uint32_t line, const Loop &loop, const std::string &reason) {
    state_.remarks.push_back(site_.module.atLine(
        line, fmt::format("{} is not pipelined: {}", loop.label, reason), Severity::Remark));
  }

  /// Rule 2, for what is filled in no loop.
  void remarkBuffersOutside() {
    const Function &function = site_.function();
    const Instruction *barrier = nullptr;
    bool isInLoop = false, loads = false, stores = false;
    for (uint32_t i = function.first; i < function.last; ++i) {
      const Instruction &inst = site_.module.instructions()[i];
      if (inst.unit == Unit::Barrier) {
        isInLoop |= site_.cfg.loopOf(site_.cfg.blockOf(i)).has_value();
        barrier = barrier ? barrier : &inst;
      }
      loads |= accessesLds(inst) && inst.memory == MemoryEffect::Load;
      stores |= accessesLds(inst) && inst.memory == MemoryEffect::Store;
    }
    if (barrier && loads && stores && !isInLoop && state_.seen.insert("").second)
      state_.remarks.push_back(site_.module.at(
          *barrier,
          fmt::format("'{}' is not pipelined: rule 2: no loop has the barriers of its LDS buffer",
                      function.name),
          Severity::Remark));
  }

  /// A loop of an earlier round.
  bool hasTwoBuffers(const Loop &loop) const {
    const Function &function = site_.function();
    return llvm::any_of(site_.module.labels(), [&](const Label &label) {
      return label.instruction >= function.first && label.instruction < function.last &&
             isBufferLabel(label.name) && loop.contains(site_.cfg.blockOf(label.instruction));
    });
  }

  /// Of nested loops the inner one that has the barriers is the one.
  bool hasInner(uint32_t l) const {
    for (const uint32_t child : site_.cfg.loops[l].children)
      if (findStages(site_.module, site_.cfg, child).staged)
        return true;
    return false;
  }

  std::optional<Proposal> propose(const Loop &loop, const StagedLoop &staged) {
    const Function &function = site_.function();
    const uint32_t line = site_.module.instructions()[staged.barriers.front()].line;
    const auto shape = shapeOf(site_);
    if (!shape) {
      leave(line, loop,
            "the workgroup's shape is not known, from which the addresses in LDS follow "
            "(.reqd_workgroup_size, or --block, and with several dimensions "
            "--given 'workitem_id_x<32' for each)");
      return std::nullopt;
    }
    const uint32_t lds = ldsOf(function);
    SecondBufferOutcome outcome = addBuffer(site_.module, site_.cfg, staged, lds);
    if (outcome.left) {
      leave(outcome.left->line, loop, outcome.left->reason);
      return std::nullopt;
    }
    SecondBuffer &rewrite = *outcome.rewrite;
    const uint32_t needed = rewrite.distance + lds;
    const unsigned items = (*shape)[0] * (*shape)[1] * (*shape)[2];
    const Room room = roomWith(function, items, needed);
    constexpr uint32_t kMostLds = 65536;
    if (needed > kMostLds) {
      leave(line, loop,
            fmt::format("two buffers are {} bytes of LDS, a workgroup can have {}", needed,
                        kMostLds));
      return std::nullopt;
    }
    if (room.after < room.before && site_.request.occupancy == OccupancyLoss::Refuse) {
      leave(line, loop,
            fmt::format("with {} instead of {} bytes of LDS there would be {} instead of {} waves "
                        "per SIMD (--allow-occupancy-loss)",
                        needed, lds, room.after, room.before));
      return std::nullopt;
    }
    const auto mostBytes = site_.values.number("max-code-bytes");
    if (rewrite.bytes * 2 > mostBytes) {
      leave(line, loop,
            fmt::format("with a copy it would be {} bytes of code, more than {} "
                        "(--max-code-bytes)",
                        rewrite.bytes * 2, mostBytes));
      return std::nullopt;
    }
    if (!resize(function, needed, rewrite.edits)) {
      leave(line, loop, "the size of LDS is no number in the descriptor");
      return std::nullopt;
    }
    if (!require(site_.module, function, *shape, rewrite.edits)) {
      leave(line, loop,
            "the kernel's metadata has no line '.group_segment_fixed_size', behind which it could "
            "say which workgroups are required");
      return std::nullopt;
    }
    return proposalOf(loop, staged, rewrite, *shape, room);
  }

  Proposal proposalOf(const Loop &loop, const StagedLoop &staged, SecondBuffer &rewrite,
                      const WorkgroupShape &shape, const Room &room) {
    const uint32_t lds = ldsOf(site_.function());
    Proposal proposal;
    proposal.edits = std::move(rewrite.edits);
    proposal.claim.rebuffered = shape;
    if (!site_.function().requiredWorkgroupSize)
      proposal.claim.given.said.push_back(
          fmt::format("workgroup = {}x{}x{}", shape[0], shape[1], shape[2]));
    proposal.what = fmt::format("pipelining {}", loop.label);
    proposal.line = site_.module.instructions()[staged.barriers.front()].line;
    StepReport &report = *proposal.report;
    report.name = loop.label;
    report.add("buffers", uint64_t(2));
    report.add("lds_bytes_before", lds);
    report.add("lds_bytes_after", rewrite.distance + lds);
    report.add("waves_per_simd_before", room.before);
    report.add("waves_per_simd_after", room.after);
    report.add("instructions_copied", rewrite.instructions);
    report.add("offsets_changed", rewrite.offsets);
    report.add("address_additions", rewrite.additions);
    const auto fewer = static_cast<unsigned>(staged.allBarriers - staged.barriers.size());
    report.add("barriers_before", staged.allBarriers);
    report.add("barriers_after", fewer);
    report.summary =
        fmt::format("two LDS buffers, barriers in the loop {} -> {}, LDS {} -> {} bytes, waves per "
                    "SIMD {} -> {}, {} instructions copied, {} address additions in two steps",
                    staged.allBarriers, fewer, lds, rewrite.distance + lds, room.before, room.after,
                    rewrite.instructions, rewrite.additions);
    return proposal;
  }

  const PassSite &site_;
  PassState &state_;
};

} // namespace

llvm::Expected<PassResult> pipelineLoops(const PassSite &site, PassState &state) {
  if (state.last == PassState::Last::Kept) // A loop with two buffers is another loop.
    return PassResult{};
  return Pipeliner(site, state).run();
}

} // namespace rdna
