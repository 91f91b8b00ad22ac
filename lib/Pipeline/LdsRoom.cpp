#include "Pipeline/LdsRoom.h"

#include "Analysis/Metrics.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {

/// The work-items of a workgroup by dimension, as the file or the user says it.
std::optional<WorkgroupShape> shapeOf(const PassSite &site) {
  const Function &function = site.function();
  if (function.requiredWorkgroupSize)
    return *function.requiredWorkgroupSize;
  if (const auto said = site.request.shapes.find(function.name); said != site.request.shapes.end())
    return said->second;
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

unsigned firstFreeVgpr(const PassSite &site) {
  const Function &function = site.function();
  unsigned free = 0;
  for (uint32_t i = function.first; i < function.last; ++i)
    for (const RegAccess &access : site.module.instructions()[i].accesses)
      if (access.reg.first.isVgpr())
        free = std::max<unsigned>(free, access.reg.first.number() + access.reg.dwords);
  return free;
}

Room roomWith(const Function &function, unsigned items, uint32_t ldsBytes, unsigned vgprs) {
  OccupancyQuery query = occupancyQuery(function, items);
  query.workgroupSize = items;
  Room room;
  room.before = occupancy(query).wavesPerSimd;
  query.ldsBytes = ldsBytes;
  query.vgprs = std::max(query.vgprs, vgprs);
  const Occupancy after = occupancy(query);
  room.after = after.wavesPerSimd;
  room.limit = toString(after.limit);
  return room;
}

std::optional<std::string> whyTooFewWaves(const PassSite &site, const Room &room,
                                          const std::string &with) {
  if (room.after >= room.before || site.request.occupancy != OccupancyLoss::Refuse ||
      site.judgedBy == PassSite::JudgedBy::Time)
    return std::nullopt;
  return fmt::format("with {} there would be {} instead of {} waves per SIMD "
                     "(--allow-occupancy-loss)",
                     with, room.after, room.before);
}

std::optional<std::string> whyTooLong(const PassSite &site, uint64_t bytes) {
  const auto most = site.values.number("max-code-bytes");
  if (bytes <= most)
    return std::nullopt;
  return fmt::format("the copies would be {} bytes of code, more than {} (--max-code-bytes)", bytes,
                     most);
}

void claimRebuffered(const PassSite &site, const WorkgroupShape &shape, Proposal &proposal) {
  proposal.claim.rebuffered = shape;
  if (site.request.region.empty())
    proposal.cleanup = Cleanup::Delays;
  if (!site.function().requiredWorkgroupSize)
    proposal.claim.given.said.push_back(
        fmt::format("workgroup = {}x{}x{}", shape[0], shape[1], shape[2]));
}

uint32_t ldsBytesOf(const Function &function) {
  return static_cast<uint32_t>(function.descriptorValue(".amdhsa_group_segment_fixed_size", 0));
}

/// The descriptor and the metadata with another size of LDS; false if one has it in no number.
bool resizeLds(const Function &function, uint32_t bytes, std::vector<TextEdit> &edits) {
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
bool requireShape(const Module &module, const Function &function, const WorkgroupShape &shape,
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

} // namespace rdna
