#include "Isa/Occupancy.h"
#include "Run/Backend.h"
#include "Timing/Predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace rdna::timing {
namespace {

using Id = std::array<uint32_t, 3>;

Id groupId(uint64_t number, const Id &grid) {
  return {static_cast<uint32_t>(number % grid[0]),
          static_cast<uint32_t>(number / grid[0] % grid[1]),
          static_cast<uint32_t>(number / grid[0] / grid[1])};
}

llvm::Error refuse(std::string_view why) { return makeError(Failure::Refused, "", why); }

llvm::Expected<Recording> record(const RunWorkgroups &run, const std::vector<Id> &groups,
                                 uint64_t limit,
                                 Recorder::Lengths lengths = Recorder::Lengths::Counted) {
  Recorder recorder(limit, lengths);
  if (llvm::Error error = run(groups, recorder))
    return error;
  return recorder.take();
}

/// The lines that each op touches in a wave's first steps.
std::map<uint32_t, std::set<uint64_t>> linesOf(const Recording &recording, const WaveStream &wave,
                                               size_t steps) {
  std::map<uint32_t, std::set<uint64_t>> out;
  size_t memory = 0;
  for (size_t n = 0; n < std::min(steps, wave.steps.size()); ++n) {
    const uint32_t op = wave.steps[n];
    if (!recording.ops[op].isMemory())
      continue;
    const MemoryStep &step = wave.memory[memory++];
    for (unsigned line = 0; line < step.lines; ++line)
      out[op].insert(wave.lines[step.first + line]);
  }
  return out;
}

/// Most of them: workgroups may go through the same lines in another order, so that they do not ask
/// for one all at once.
bool areTheSame(const std::set<uint64_t> &mine, const std::set<uint64_t> &theirs) {
  size_t common = 0;
  for (const uint64_t line : mine)
    common += theirs.contains(line);
  return 2 * common > mine.size();
}

constexpr size_t probeSteps = 20000;

/// Which ops touch the same lines in a neighbour along `axis` as in the recorded workgroup.
llvm::Expected<std::vector<uint8_t>>
sharedAlong(unsigned axis, const Id &grid, const RunWorkgroups &run, const Recording &recording) {
  std::vector<uint8_t> shared(recording.ops.size());
  Id neighbour = recording.groups[0].id;
  if (grid[axis] < 2)
    return shared;
  neighbour[axis] = neighbour[axis] + 1 < grid[axis] ? neighbour[axis] + 1 : neighbour[axis] - 1;
  auto probe = record(run, {neighbour}, probeSteps);
  if (!probe)
    return probe.takeError();
  if (probe->groups.empty())
    return shared;
  for (size_t n = 0; n < recording.groups[0].waves.size(); ++n) {
    const auto mine = linesOf(recording, recording.groups[0].waves[n], probeSteps);
    const auto theirs = linesOf(*probe, probe->groups[0].waves[n], probeSteps);
    for (const auto &[op, lines] : mine)
      if (const auto found = theirs.find(op);
          found != theirs.end() && areTheSame(lines, found->second))
        shared[op] = 1;
  }
  return shared;
}

size_t stepsOf(const GroupStream &group) {
  size_t steps = 0;
  for (const WaveStream &wave : group.waves)
    steps += std::min(wave.steps.size(), probeSteps);
  return steps;
}

/// Workgroups at edges, or beyond them, may do next to nothing: the first workgroup of another of
/// `units` that are spread over the card, if it does more than twice of what the recorded one does
/// in its first steps; else nothing.
llvm::Expected<std::optional<uint64_t>>
busierUnit(uint64_t units, const Id &grid, const RunWorkgroups &run, const Recording &recording) {
  std::optional<uint64_t> busiest;
  size_t most = recording.groups.empty() ? 0 : 2 * stepsOf(recording.groups[0]);
  for (const uint64_t number : std::set<uint64_t>{0, units / 4, units - units / 4 - 1, units - 1}) {
    auto probe = record(run, {groupId(number, grid)}, probeSteps);
    if (!probe)
      return probe.takeError();
    if (probe->groups.empty() || stepsOf(probe->groups[0]) <= most)
      continue;
    most = stepsOf(probe->groups[0]);
    busiest = number;
  }
  return busiest;
}

llvm::Expected<unsigned> fit(const object::Kernel &kernel, const run::ResolvedLaunch &launch,
                             const Machine &machine, ObservedLaunch &out) {
  const unsigned items = launch.block[0] * launch.block[1] * launch.block[2];
  const unsigned waves = (items + 31) / 32;
  const uint32_t lds = kernel.ldsBytes + launch.dynamicLdsBytes;
  const Occupancy fits =
      occupancy({kernel.vgprs, lds, items, kernel.cuMode ? WorkgroupMode::Cu : WorkgroupMode::Wgp,
                 machine.device().processor});
  out.place = kernel.cuMode ? Residents::Place::Cu : Residents::Place::Wgp;
  out.wavesPerSimd = fits.wavesPerSimd;
  out.occupancyLimit = toString(fits.limit);
  const unsigned simds = kernel.cuMode ? 2 : 4;
  const unsigned groups = waves == 0 ? 0 : fits.wavesPerSimd * simds / waves;
  if (groups == 0)
    return refuse(fmt::format("a workgroup of {} waves with {} VGPRs and {} bytes of LDS does not "
                              "fit on the {}",
                              waves, kernel.vgprs, lds, machine.device().title));
  for (const run::ResolvedBuffer &buffer : launch.buffers)
    out.footprintBytes += static_cast<double>(buffer.bytes);
  if (out.footprintBytes > machine.device().memoryGiB * 1073741824.0)
    return refuse(fmt::format("the buffers take {:.1f} GiB, the {} has {}",
                              out.footprintBytes / 1073741824.0, machine.device().title,
                              machine.device().memoryGiB));
  return groups;
}

/// Does the first recorded workgroup take as long as the longest?
bool isFirstLongest(const Recording &recording) {
  const auto longest = [](const GroupStream &group) {
    uint64_t steps = 0;
    for (const WaveStream &wave : group.waves)
      steps = std::max(steps, wave.executed);
    return steps;
  };
  return std::ranges::all_of(recording.groups, [&](const GroupStream &group) {
    return longest(group) <= longest(recording.groups[0]);
  });
}

/// All workgroups; but if the first one takes longest, as in `like`, the others only as far as they
/// are kept.
llvm::Expected<Recording> recordGroups(const std::vector<Id> &ids, uint64_t limit,
                                       const RunWorkgroups &run, const ObservedLaunch *like) {
  if (!like || !isFirstLongest(like->recording))
    return record(run, ids, limit);
  auto recording = record(run, {ids[0]}, limit);
  for (size_t n = 1; n < ids.size() && recording && !recording->truncated; ++n) {
    auto more = record(run, {ids[n]}, limit, Recorder::Lengths::Recorded);
    if (!more)
      return more.takeError();
    recording->groups.push_back(std::move(more->groups[0]));
    recording->truncated |= more->truncated;
    if (recording->refusal.empty())
      recording->refusal = std::move(more->refusal);
  }
  return recording;
}

/// The workgroups that run together on the unit whose first one is `first`: the dispatcher deals
/// them out to the units in turn.
llvm::Error recordUnit(uint64_t first, uint64_t units, const RunWorkgroups &run,
                       const ObservedLaunch *like, ObservedLaunch &out) {
  out.firstGroup = first;
  const run::ResolvedLaunch &launch = out.launch;
  std::vector<Id> ids;
  for (uint64_t number = first; number < launch.workgroups() && ids.size() < out.groupsPerUnit;
       number += units)
    ids.push_back(groupId(number, launch.grid));
  constexpr uint64_t mostSteps = uint64_t{1} << 27; // Of all waves; 4 bytes each.
  const uint64_t waves = (uint64_t{launch.block[0]} * launch.block[1] * launch.block[2] + 31) / 32;
  const uint64_t limit = mostSteps / (waves * ids.size());
  auto recording = recordGroups(ids, limit, run, like);
  if (!recording)
    return recording.takeError();
  if (recording->truncated)
    return refuse(
        fmt::format("its waves execute more than {} instructions each, or never end; that "
                    "is too long to be modelled, take a smaller launch",
                    limit));
  out.recording = std::move(*recording);
  if (!out.recording.refusal.empty())
    return refuse("no time can be predicted: " + out.recording.refusal);
  return llvm::Error::success();
}

} // namespace

llvm::Expected<ObservedLaunch> observe(const object::Kernel &kernel,
                                       const run::ResolvedLaunch &launch, const Machine &machine,
                                       const RunWorkgroups &run, const ObservedLaunch *like) {
  ObservedLaunch out;
  out.launch = launch;
  llvm::Expected<unsigned> groups = fit(kernel, launch, machine, out);
  if (!groups)
    return groups.takeError();
  out.groupsPerUnit = *groups;
  const uint64_t units = std::min<uint64_t>(
      machine.device().cus / (out.place == Residents::Place::Cu ? 1 : 2), launch.workgroups());
  if (llvm::Error error = recordUnit(like ? like->firstGroup : units / 2, units, run, like, out))
    return error;
  if (!like) {
    auto busier = busierUnit(units, launch.grid, run, out.recording);
    if (!busier)
      return busier.takeError();
    if (*busier)
      if (llvm::Error error = recordUnit(**busier, units, run, nullptr, out))
        return error;
  }
  for (const auto &[axis, shared] : {std::pair{0u, &out.sharedAlongX}, {1u, &out.sharedAlongY}}) {
    auto found = sharedAlong(axis, launch.grid, run, out.recording);
    if (!found)
      return found.takeError();
    *shared = std::move(*found);
  }
  return out;
}

llvm::Expected<ObservedLaunch> observe(const object::CodeObject &object,
                                       const object::Kernel &kernel,
                                       const run::ResolvedLaunch &launch, const Machine &machine,
                                       const PredictOptions &options,
                                       const ObservedBefore &before) {
  if (llvm::Error error = run::checkLaunch(object, kernel, launch))
    return error;
  // What does not fit on the card is not allocated here either.
  ObservedLaunch unused;
  if (llvm::Error error = fit(kernel, launch, machine, unused).takeError())
    return error;
  std::unique_ptr<run::Backend> backend = run::createEmulatorBackend();
  auto loaded = backend->load(object, kernel);
  if (!loaded)
    return loaded.takeError();
  std::unique_ptr<run::BufferSet> own;
  run::BufferSet *buffers = before.buffers;
  if (!buffers) {
    auto made = run::BufferSet::allocate(launch);
    if (!made)
      return made.takeError();
    own = std::move(*made);
    buffers = own.get();
    buffers->fill(options.seed);
  }
  return observe(
      kernel, launch, machine,
      [&](const std::vector<Id> &groups, emu::Observer &observer) {
        run::RunOptions how;
        how.onlyWorkgroups = groups;
        how.threads = options.threads;
        how.instructionBudget = options.budget;
        how.observers = {&observer};
        return (*loaded)->run(launch, *buffers, how).takeError();
      },
      before.like);
}

} // namespace rdna::timing
