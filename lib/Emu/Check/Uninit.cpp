//===- Uninit.cpp - definedness of registers -------------------------===//
#include "Emu/Check/Uninit.h"
#include "Emu/Check/Exact.h"

#include "Emu/GroupRunner.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace rdna::emu {
namespace {

using Access = RegisterUse::Access;
using File = RegisterUse::File;

} // namespace

UninitCheck::UninitCheck(CheckContext &context)
    : context_(context), global_(*context.launch.launch) {}

void UninitCheck::groupBegins(const GroupView &group) {
  waves_.resize(group.waves.size());
  scratch_.resize(group.waves.size());
  for (const auto &w : group.waves) {
    waves_[w->number].start(*w);
    scratch_[w->number].assign(size_t(context_.launch.scratchBytes) * laneCount, 1);
  }
  lds_.assign(context_.launch.ldsBytes, 1);
}

void UninitCheck::before(Record &record) {
  Wave &w = record.wave();
  const InstPlan &plan = *record.plan();
  WaveShadow &shadow = waves_[w.number];
  if (record.accesses().count)
    return stepMemory(w, plan, record.accesses());
  if (shadow.clean(plan.reads)) [[likely]]
    return shadow.define(plan.writes, w.exec());
  const Unit unit = plan.facts().unit;
  if (unit == Unit::Salu)
    return stepScalar(w, plan);
  if (unit == Unit::Branch)
    return stepBranch(w, plan);
  if (plan.facts().isValu() || unit == Unit::Lds) {
    // The micro-operations of one instruction follow each other.
    for (const Inst *op = plan.first; op->offset == plan.offset && op->op; ++op)
      stepVector(w, *op);
    return;
  }
  stepGeneric(w, plan);
}

/// Messages, hardware registers and the like: what they return is the machine's.
void UninitCheck::stepGeneric(Wave &w, const InstPlan &plan) {
  WaveShadow &shadow = waves_[w.number];
  shadow.define(plan.writes, w.exec());
}

void UninitCheck::writeLane(const Wave &w, const Inst &op) {
  WaveShadow &shadow = waves_[w.number];
  const unsigned from = 256u + op.src[0].index; // SCC and constants are beyond the scalar file.
  const bool undefined =
      op.src[0].kind == SourceKind::Scalar && op.src[0].index < 128 && shadow.scalar(from);
  const unsigned lane = constantOf(w, shadow, op.src[1]).value_or(0) & 31;
  shadow.setLane(op.dst, lane, 15, undefined ? 15 : 0,
                 undefined ? shadow.origin(from) : WaveShadow::neverWritten);
  if (!shadow.clean(op.dst))
    shadow.settle(op.dst);
}

/// What the sources have that is undefined, each in its own lane.
UninitCheck::Sources UninitCheck::sourcesOf(const Wave &w, const Inst &op,
                                            const RegisterUses &uses) const {
  const WaveShadow &shadow = waves_[w.number];
  Sources result;
  for (const RegisterUse &use : uses) {
    if (use.access != Access::Read)
      continue;
    for (unsigned d = 0; d < use.dwords; ++d) {
      const unsigned unit = unitOf(use, d);
      if (unit >= kRegUnits || shadow.clean(unit))
        continue;
      result.origin = shadow.origin(unit);
      result.culprit = unit;
      if (use.file == File::Vector) {
        const LaneShadow &from = *shadow.vgprIfDirty(unit);
        for (unsigned l = 0; l < laneCount; ++l)
          result.lanes[l] |= from[l] & use.bytes;
        continue;
      }
      const uint32_t undefined = shadow.scalar(unit);
      const bool isMask = op.op->readsMask && use.first == op.maskSrc;
      for (unsigned l = 0; l < laneCount; ++l)
        result.lanes[l] |= (isMask ? undefined >> l & 1 : undefined) ? 15 : 0;
    }
  }
  return result;
}

void UninitCheck::stepVector(Wave &w, const Inst &op) {
  WaveShadow &shadow = waves_[w.number];
  const RegisterUses uses = registersOf(op, w.s[regM0]);
  const Op kind = op.op->op;
  const uint32_t exec = w.exec();
  for (const RegisterUse &use : uses)
    if (use.lanes == RegisterUse::Lanes::Other)
      return stepCrossLane(w, op, uses);
  if (kind == Op::v_writelane_b32)
    return writeLane(w, op);
  if (stepWide(w, op))
    return;

  auto [in, origin, culprit] = sourcesOf(w, op, uses);
  const LaneReader read{w, shadow, op};
  const bool selects = kind == Op::v_cndmask_b32 || kind == Op::v_cndmask_b16;
  const bool exact = op.simple && isExact(kind);
  if (exact)
    for (unsigned l = 0; l < laneCount; ++l)
      in[l] = exec >> l & 1 ? gather(exactly(read, kind, l)) : 0;
  else if (selects && op.simple)
    for (unsigned l = 0; l < laneCount; ++l) {
      const bool unknown = op.maskSrc < 128 && shadow.scalar(256 + op.maskSrc) >> l & 1;
      in[l] = unknown ? 15 : gather(uint32_t(read(w.s[op.maskSrc] >> l & 1, l).undefined));
    }
  if (!exact && !selects)
    for (uint8_t &lane : in)
      lane = lane ? 15 : 0;

  for (const RegisterUse &use : uses) {
    if (use.access != Access::Write)
      continue;
    if (use.file == File::Scalar) { // Of a VALU: a lane mask.
      uint32_t undefined = 0;
      for (unsigned l = 0; l < laneCount; ++l)
        undefined |= in[l] && exec >> l & 1 ? 1u << l : 0;
      if (use.first == regExec)
        setExec(w, op, undefined, culprit);
      else
        for (unsigned d = 0; d < use.dwords; ++d)
          shadow.setScalar(unitOf(use, d), d ? 0 : undefined, origin);
      continue;
    }
    for (unsigned n = use.first; n < use.first + use.dwords && n < 256; ++n) {
      for (unsigned l = 0; l < laneCount; ++l)
        if (exec >> l & 1)
          shadow.setLane(n, l, use.bytes, in[l], origin);
      if (!shadow.clean(n))
        shadow.settle(n);
    }
  }
}

/// Lanes in which a source is undefined that is read in its own lane.
uint32_t UninitCheck::undefinedInOwnLane(const Wave &w, const RegisterUses &uses) const {
  const WaveShadow &shadow = waves_[w.number];
  uint32_t result = 0;
  for (const RegisterUse &use : uses) {
    if (use.access == Access::Write || use.lanes == RegisterUse::Lanes::Other)
      continue;
    for (unsigned d = 0; d < use.dwords; ++d) {
      const unsigned unit = unitOf(use, d);
      if (unit >= kRegUnits || shadow.clean(unit))
        continue;
      if (use.file == File::Scalar) {
        result |= shadow.scalar(unit) ? fullExec : 0;
        continue;
      }
      const LaneShadow &from = *shadow.vgprIfDirty(unit);
      for (unsigned l = 0; l < laneCount; ++l)
        result |= from[l] & use.bytes ? 1u << l : 0;
    }
  }
  return result;
}

/// A move with the lane control of `op`, from one VGPR to another.
static Inst moveLike(const Inst &op, unsigned from, unsigned to) {
  const OpInfo *info = findOp(opName(Op::v_mov_b32));
  Inst move{};
  move.op = info;
  move.run = info->run;
  move.opcode = op.opcode;
  move.sourceCount = 1;
  move.simple = false;
  move.dppKind = op.dppKind;
  move.dpp = op.dpp;
  move.src[0].kind = SourceKind::Vgpr;
  move.src[0].index = uint16_t(from);
  move.src[0].row = vgprRow(from);
  move.dst = to;
  move.dstRow = vgprRow(to);
  return move;
}

/// Instructions that read other lanes: their own handler moves the shadow of the data, in a wave of
/// its own. What the handler leaves alone keeps a mark that no shadow has.
void UninitCheck::stepCrossLane(Wave &w, const Inst &op, const RegisterUses &uses) {
  WaveShadow &shadow = waves_[w.number];
  const Op kind = op.op->op;
  constexpr uint32_t untouched = 0x80;
  const RegisterUse *data = nullptr, *result = nullptr;
  for (const RegisterUse &use : uses)
    if (use.access == Access::Write)
      result = &use;
    else if (use.lanes == RegisterUse::Lanes::Other)
      data = &use;
  if (!result || !data)
    return;
  const uint32_t others = undefinedInOwnLane(w, uses);
  const auto dataShadow = [&](unsigned d, unsigned l) -> uint32_t {
    const LaneShadow *dirty = shadow.vgprIfDirty(data->first + d);
    return dirty ? (*dirty)[l] & data->bytes : 0;
  };
  const uint32_t origin = shadow.origin(data->first);
  if (result->file == File::Scalar) {
    uint32_t undefined = 0;
    if (op.op->shape == Shape::LaneScalar) {
      unsigned lane = w.exec() ? unsigned(__builtin_ctz(w.exec())) : 0;
      if (kind == Op::v_readlane_b32)
        lane = constantOf(w, shadow, op.src[1]).value_or(0) & 31;
      undefined = (others || dataShadow(0, lane)) ? ~0u : 0;
    } else { // A compare with DPP.
      for (unsigned l = 0; l < laneCount; ++l)
        undefined |= dataShadow(0, l) || others >> l & 1 ? 1u << l : 0;
      undefined &= w.exec();
    }
    shadow.setScalar(unitOf(*result, 0), undefined, origin);
    return;
  }
  // For DPP, a move with the same lane control; the others as they are.
  std::memcpy(mirror_.s.data(), w.s.data(), sizeof mirror_.s);
  mirror_.mode = w.mode;
  const bool isDpp = op.dppKind != DppKind::None;
  const unsigned from = isDpp ? 1 : data->first, target = isDpp ? 2 : result->first;
  const Inst move = isDpp ? moveLike(op, from, target) : op;
  if (!isDpp && op.opcode->format == Format::Ds && op.addr != data->first)
    mirror_.vgpr(op.addr) = w.vgpr(op.addr);
  for (unsigned l = 0; l < laneCount; ++l)
    mirror_.vgpr(target).lane[l] = untouched;
  for (unsigned l = 0; l < laneCount; ++l)
    mirror_.vgpr(from).lane[l] = dataShadow(0, l) | (target == from ? untouched << 1 : 0);
  move.run(mirror_, move);
  for (unsigned d = 0; d < result->dwords && result->first + d < 256; ++d) {
    for (unsigned l = 0; l < laneCount; ++l) {
      const uint32_t moved = mirror_.vgpr(target).lane[l];
      if (!(w.exec() >> l & 1) || moved == untouched)
        continue;
      uint8_t undefined = uint8_t(moved & 15);
      if (others >> l & 1 || (kind != Op::v_mov_b32 && undefined))
        undefined = 15;
      shadow.setLane(result->first + d, l, result->bytes, undefined, origin);
    }
    if (!shadow.clean(result->first + d))
      shadow.settle(result->first + d);
  }
}

void UninitCheck::report(const Wave &w, uint32_t offset, const char *rule, unsigned unit,
                         std::optional<unsigned> lane, const char *use) {
  Occurrence s{};
  s.check = Check::Uninit;
  s.rule = rule;
  s.offset = offset;
  s.wave = w.number;
  s.lane = lane;
  const uint32_t origin = waves_[w.number].origin(unit);
  if (origin != WaveShadow::neverWritten)
    s.otherOffset = origin;
  context_.log.add(std::move(s), [&](Occurrence &occurrence) {
    const std::string name = toString(RegUnit{uint16_t(unit)});
    occurrence.message =
        fmt::format("{}, but {} {}", use, name,
                    origin == WaveShadow::neverWritten ? "was never written"
                                                       : "holds what nothing has written");
    occurrence.fix = origin == WaveShadow::neverWritten
                         ? fmt::format("write {} on every path to here", name)
                         : "write the memory before it is loaded";
  });
}

std::unique_ptr<Listener> createUninitCheck(CheckContext &context) {
  return std::make_unique<UninitCheck>(context);
}

} // namespace rdna::emu
