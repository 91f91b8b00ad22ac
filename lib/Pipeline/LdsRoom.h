//===- LdsRoom.h - what passes that give a kernel more LDS have in common ---===//
#pragma once

#include "Transform/Pass.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rdna {

inline constexpr uint32_t kMostLds = 65536; ///< Of a workgroup.

/// The work-items of a workgroup by dimension, as the file or the user says it.
std::optional<WorkgroupShape> shapeOf(const PassSite &site);

/// Why not, where shapeOf() has none, and where requireShape() cannot.
inline constexpr std::string_view kNoShape =
    "the workgroup's shape is not known, from which the addresses in LDS follow "
    "(.reqd_workgroup_size, --block 256 or --block 16x16, or a --launch whose block is numbers)";
inline constexpr std::string_view kNoMetadata =
    "the kernel's metadata has no line '.group_segment_fixed_size', behind which it could say "
    "which workgroups are required";
/// ... and where the user says in which order a step does what.
inline constexpr std::string_view kOrderStays =
    "--order is for loops that load, store and use a tile in one step, which --stages or "
    "--pipeline=lds:N,vgpr:M make in stages";

/// Behind all that the kernel names.
unsigned firstFreeVgpr(const PassSite &site);

struct Room {
  unsigned before = 0, after = 0; ///< Waves per SIMD.
  std::string limit;
};
/// Why waves would be lost that may not: `with` says what the kernel would have then.
std::optional<std::string> whyTooFewWaves(const PassSite &site, const Room &room,
                                          const std::string &with);
/// Why copies of so many bytes are too many (--max-code-bytes).
std::optional<std::string> whyTooLong(const PassSite &site, uint64_t bytes);
/// That LDS is arranged anew, for workgroups of this shape: what the proof goes by. The copies of
/// code have no delays, so these come anew.
void claimRebuffered(const PassSite &site, const WorkgroupShape &shape, Proposal &proposal);

/// With so much LDS, and at least so many VGPRs.
Room roomWith(const Function &function, unsigned items, uint32_t ldsBytes, unsigned vgprs);

uint32_t ldsBytesOf(const Function &function);
/// The descriptor and the metadata with another size of LDS; false if one has it in no number.
bool resizeLds(const Function &function, uint32_t bytes, std::vector<TextEdit> &edits);
/// The kernel's metadata with the workgroups that it requires from now on, so that no launch of
/// others goes unnoticed; false if there is no line of metadata to put them behind.
bool requireShape(const Module &module, const Function &function, const WorkgroupShape &shape,
                  std::vector<TextEdit> &edits);

} // namespace rdna
