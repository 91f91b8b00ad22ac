#include "Transform/CompactVgprs.h"

#include "Analysis/Metrics.h"
#include "Code/Change.h"
#include "Transform/Descriptor.h"
#include "Transform/TightRegisters.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {
namespace {

class Compaction {
public:
  explicit Compaction(const PassSite &site)
      : site_(site), module_(site.module), cfg_(site.cfg),
        query_(occupancyQuery(site.function(), site.request.workgroupSize == 0
                                                   ? std::nullopt
                                                   : std::optional(site.request.workgroupSize))),
        liveness_(computeLiveness(site.module, site.cfg)) {}

  PassResult run(PassState &state) {
    const unsigned now = wavesWith(query_.vgprs);
    const MostLive most = mostLive(module_, cfg_, liveness_);
    const unsigned best = wavesWith(std::max(1U, most.count));
    if (now >= wavesWith(1))
      return {};
    if (best <= now) {
      say(state, most,
          fmt::format("{} are in use at once here, and no more than {} would give another wave",
                      most.count, limitOf(now + 1)));
      return {};
    }
    const FunctionWebs webs = findWebs(module_, cfg_, liveness_);
    const TightRegisters tight(module_, cfg_, liveness_, webs);
    for (unsigned waves = best; waves > now; waves = wavesBelow(waves, now))
      if (const auto registers = tight.below(limitOf(waves)))
        if (auto proposal = propose(webs, *registers, now, most.count))
          return {std::move(proposal), PassResult::Next::Done};
    say(state, most,
        fmt::format("only {} are in use at once, but none were found for {}, which would give "
                    "another wave, with banks and tuples as they are",
                    most.count, limitOf(now + 1)));
    return {};
  }

private:
  unsigned wavesWith(unsigned vgprs) const {
    OccupancyQuery query = query_;
    query.vgprs = vgprs;
    return occupancy(query).wavesPerSimd;
  }
  /// Most VGPRs with which there are at least so many waves.
  unsigned limitOf(unsigned waves) const {
    unsigned vgprs = query_.vgprs;
    while (vgprs > 1 && wavesWith(vgprs) < waves)
      --vgprs;
    return vgprs;
  }
  /// The next number of waves below that some count of VGPRs gives; `now` if none does.
  unsigned wavesBelow(unsigned waves, unsigned now) const {
    return std::max(now, wavesWith(limitOf(waves) + 1));
  }

  void say(PassState &state, const MostLive &most, const std::string &why) const {
    state.remarks.push_back(module_.atLine(module_.instructions()[most.instruction].line,
                                           fmt::format("'{}' keeps its {} VGPRs and {} waves: {}",
                                                       site_.function().name, query_.vgprs,
                                                       wavesWith(query_.vgprs), why),
                                           Severity::Remark));
  }

  /// Nothing if an instruction cannot be written with its new registers.
  std::optional<std::vector<TextEdit>> edits(const FunctionWebs &webs,
                                             const Registers &registers) const {
    std::vector<TextEdit> edits;
    for (const Block &block : cfg_.blocks)
      for (uint32_t i = block.first; block.reachable && i < block.last; ++i) {
        const Instruction &inst = module_.instructions()[i];
        bool isMoved = false;
        const auto code = renamed(module_, inst, [&](const Operand &operand, int index, Vgpr old) {
          const WebId web =
              webs.webAt(i, static_cast<unsigned>(index), old.number - operand.reg.first.index);
          const Vgpr now = web == kNoWeb ? old : registers.of[web];
          isMoved |= now != old;
          return now;
        });
        if (!code)
          return std::nullopt;
        if (isMoved)
          edits.push_back(replacement(inst, *code));
      }
    return edits;
  }

  /// Registers that the code names, in places that nobody reaches, too.
  unsigned named(const FunctionWebs &webs, const Registers &registers) const {
    unsigned count = 1;
    for (const Block &block : cfg_.blocks)
      for (uint32_t i = block.first; !block.reachable && i < block.last; ++i)
        for (const RegAccess &access : module_.instructions()[i].accesses)
          if (access.reg.first.isVgpr())
            count = std::max<unsigned>(count, access.reg.first.index + access.reg.dwords);
    for (WebId w = 0; w < webs.home.size(); ++w)
      count = std::max(count, registers.of[w].number + 1U);
    return count;
  }

  std::optional<Proposal> propose(const FunctionWebs &webs, const Registers &registers,
                                  unsigned wavesNow, unsigned live) const {
    const unsigned count = named(webs, registers);
    if (wavesWith(count) <= wavesNow)
      return std::nullopt;
    auto changes = edits(webs, registers);
    if (!changes)
      return std::nullopt;
    Proposal proposal;
    proposal.edits = std::move(*changes);
    lowerVgprCount(module_, site_.function(), count, proposal.edits);
    unsigned moved = 0;
    for (WebId w = 0; w < webs.home.size(); ++w)
      moved += !registers.isHome(webs, w);
    claimRegisters(cfg_, webs, registers, proposal.claim);
    StepReport &report = *proposal.report;
    report.summary = fmt::format("{} VGPRs -> {}, waves per SIMD {} -> {}, {} values in other "
                                 "registers, {} VGPRs in use at once",
                                 query_.vgprs, count, wavesNow, wavesWith(count), moved, live);
    report.add("vgprs_before", query_.vgprs);
    report.add("vgprs_after", count);
    report.add("waves_before", wavesNow);
    report.add("waves_after", wavesWith(count));
    report.add("values_moved", moved);
    report.add("vgprs_live", live);
    return proposal;
  }

  const PassSite &site_;
  const Module &module_;
  const Cfg &cfg_;
  const OccupancyQuery query_;
  const Liveness liveness_;
};

} // namespace

llvm::Expected<PassResult> compactVgprs(const PassSite &site, PassState &state) {
  if (!site.request.region.empty() || state.last != PassState::Last::None)
    return PassResult{};
  if (whereUnnamedRegisters(site.module, site.function()))
    return PassResult{};
  return Compaction(site).run(state);
}

} // namespace rdna
