//===- CheckUninit.cpp - definedness of registers -------------------------===//
#include "Emu/CheckUninit.h"

#include "Emu/GroupRunner.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace rdna::emu {
namespace {

using Access = RegisterUse::Access;
using File = RegisterUse::File;

uint32_t spread(uint8_t bytes) {
  return (bytes & 1 ? 0xffu : 0) | (bytes & 2 ? 0xff00u : 0) | (bytes & 4 ? 0xff0000u : 0) |
         (bytes & 8 ? 0xff000000u : 0);
}
uint8_t gather(uint32_t bits) {
  return uint8_t((bits & 0xff ? 1 : 0) | (bits & 0xff00 ? 2 : 0) | (bits & 0xff0000 ? 4 : 0) |
                 (bits & 0xff000000u ? 8 : 0));
}

/// The constant of a source, if it is one (or an SGPR, whose value is as good here).
std::optional<uint32_t> constantOf(const Wave &w, const WaveShadow &shadow, const Source &s) {
  if (s.kind == SourceKind::Constant)
    return uint32_t(s.constant);
  if (s.kind == SourceKind::Scalar && s.index < 256 && s.index != regScc &&
      shadow.scalar(256 + s.index) == 0)
    return w.s[s.index];
  return std::nullopt;
}

/// One 32-bit source of a lane: its value and its undefined bits.
struct Bits {
  uint32_t value = 0, undefined = 0;
};

/// What a lane's operands are, for the operations that are followed exactly.
struct LaneReader {
  Wave &w;
  const WaveShadow &shadow;
  const Inst &op;
  Bits operator()(unsigned k, unsigned lane) const {
    const Source &s = op.src[k];
    if (s.kind == SourceKind::Vgpr && s.index < 256) {
      const LaneShadow *dirty = shadow.vgprIfDirty(s.index);
      return {w.vgpr(s.index).lane[lane], dirty ? spread((*dirty)[lane]) : 0};
    }
    if (s.kind == SourceKind::Scalar && s.index < 128)
      return {w.s[s.index], shadow.scalar(256 + s.index)};
    return {uint32_t(s.constant), 0};
  }
};

Bits bitAnd(Bits a, Bits b) {
  // A defined 0 decides.
  const uint32_t zero = (~a.value & ~a.undefined) | (~b.value & ~b.undefined);
  return {a.value & b.value, (a.undefined | b.undefined) & ~zero};
}
Bits bitOr(Bits a, Bits b) {
  const uint32_t one = (a.value & ~a.undefined) | (b.value & ~b.undefined);
  return {a.value | b.value, (a.undefined | b.undefined) & ~one};
}
Bits bitXor(Bits a, Bits b) { return {a.value ^ b.value, a.undefined | b.undefined}; }
Bits bitNot(Bits a) { return {~a.value, a.undefined}; }
Bits shiftLeft(Bits a, Bits n) {
  if (n.undefined & 31)
    return {0, ~0u};
  return {a.value << (n.value & 31), a.undefined << (n.value & 31)};
}
Bits shiftRight(Bits a, Bits n) {
  if (n.undefined & 31)
    return {0, ~0u};
  return {a.value >> (n.value & 31), a.undefined >> (n.value & 31)};
}
Bits select(Bits mask, Bits a, Bits b) { return bitOr(bitAnd(mask, a), bitAnd(bitNot(mask), b)); }
Bits extract(Bits a, Bits offset, Bits width) {
  if ((offset.undefined | width.undefined) & 31)
    return {0, ~0u};
  const uint32_t mask = (1u << (width.value & 31)) - 1;
  return {a.value >> (offset.value & 31) & mask, a.undefined >> (offset.value & 31) & mask};
}
/// V_PERM_B32: each byte of the selector picks one of {S0, S1}, or a constant.
Bits permute(Bits a, Bits b, Bits selector) {
  Bits r;
  const uint64_t undefined = uint64_t(a.undefined) << 32 | b.undefined;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned pick = selector.value >> 8 * k & 0xff;
    uint32_t byte = 0;
    if (selector.undefined >> 8 * k & 0xff)
      byte = 0xff;
    else if (pick < 8)
      byte = uint32_t(undefined >> 8 * pick) & 0xff;
    else if (pick < 12) // The sign of a half.
      byte = undefined >> (16 * (pick - 8) + 15) & 1 ? 0xff : 0;
    r.undefined |= byte << 8 * k;
  }
  return r;
}

/// The undefined bits of a lane's result where they follow bit by bit; nothing for other
/// operations.
std::optional<uint32_t> exactly(const LaneReader &read, std::string_view name, unsigned l) {
  if (name == "v_mov_b32")
    return read(0, l).undefined;
  if (name == "v_not_b32")
    return read(0, l).undefined;
  if (name == "v_and_b32")
    return bitAnd(read(0, l), read(1, l)).undefined;
  if (name == "v_or_b32")
    return bitOr(read(0, l), read(1, l)).undefined;
  if (name == "v_xor_b32" || name == "v_xnor_b32")
    return bitXor(read(0, l), read(1, l)).undefined;
  if (name == "v_and_or_b32")
    return bitOr(bitAnd(read(0, l), read(1, l)), read(2, l)).undefined;
  if (name == "v_or3_b32")
    return bitOr(bitOr(read(0, l), read(1, l)), read(2, l)).undefined;
  if (name == "v_lshlrev_b32")
    return shiftLeft(read(1, l), read(0, l)).undefined;
  if (name == "v_lshrrev_b32")
    return shiftRight(read(1, l), read(0, l)).undefined;
  if (name == "v_lshl_or_b32")
    return bitOr(shiftLeft(read(0, l), read(1, l)), read(2, l)).undefined;
  if (name == "v_bfi_b32")
    return select(read(0, l), read(1, l), read(2, l)).undefined;
  if (name == "v_bfe_u32")
    return extract(read(0, l), read(1, l), read(2, l)).undefined;
  if (name == "v_perm_b32")
    return permute(read(0, l), read(1, l), read(2, l)).undefined;
  return std::nullopt;
}

bool isExact(std::string_view name) {
  static constexpr std::string_view names[] = {
      "v_mov_b32",     "v_not_b32",     "v_and_b32",     "v_or_b32",  "v_xor_b32",
      "v_xnor_b32",    "v_and_or_b32",  "v_or3_b32",     "v_bfi_b32", "v_bfe_u32",
      "v_lshlrev_b32", "v_lshrrev_b32", "v_lshl_or_b32", "v_perm_b32"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

} // namespace

void UninitCheck::groupBegins(std::span<const std::unique_ptr<Wave>> waves) {
  waves_.resize(waves.size());
  scratch_.resize(waves.size());
  for (const auto &w : waves) {
    waves_[w->number].start(*w);
    scratch_[w->number].assign(size_t(context_.launch.scratchBytes) * laneCount, 1);
  }
  lds_.assign(context_.launch.ldsBytes, 1);
}

void UninitCheck::step(Wave &w, const InstPlan &plan, const AccessList &accesses) {
  WaveShadow &shadow = waves_[w.number];
  if (accesses.count)
    return stepMemory(w, plan, accesses);
  if (shadow.clean(plan.reads)) [[likely]]
    return shadow.define(plan.writes, w.exec());
  const Unit unit = plan.facts.unit;
  if (unit == Unit::Salu)
    return stepScalar(w, plan);
  if (unit == Unit::Branch)
    return stepBranch(w, plan);
  if (plan.facts.isValu() || unit == Unit::Lds) {
    // The micro-operations of one instruction follow each other.
    for (const Inst *op = plan.first; op->offset == plan.offset && op->op; ++op)
      stepVector(w, *op);
    return;
  }
  stepGeneric(w, plan);
}

/// Any undefined source makes all results undefined.
void UninitCheck::stepGeneric(Wave &w, const InstPlan &plan) {
  WaveShadow &shadow = waves_[w.number];
  shadow.define(plan.writes, w.exec());
}

void UninitCheck::stepVector(Wave &w, const Inst &op) {
  WaveShadow &shadow = waves_[w.number];
  const RegisterUses uses = registersOf(op, w.s[regM0]);
  const std::string_view name = op.op->name;
  const uint32_t exec = w.exec();
  for (const RegisterUse &use : uses)
    if (use.lanes == RegisterUse::Lanes::Other)
      return stepCrossLane(w, op, uses);

  if (stepWide(w, op))
    return;
  LaneShadow in{};
  uint32_t origin = WaveShadow::neverWritten;
  const bool selects = name == "v_cndmask_b32" || name == "v_cndmask_b16";
  for (const RegisterUse &use : uses) {
    if (use.access != Access::Read)
      continue;
    for (unsigned d = 0; d < use.dwords; ++d) {
      const unsigned unit = unitOf(use, d);
      if (unit >= kRegUnits || shadow.clean(unit))
        continue;
      origin = shadow.origin(unit);
      if (use.file == File::Vector) {
        const LaneShadow &from = *shadow.vgprIfDirty(unit);
        for (unsigned l = 0; l < laneCount; ++l)
          in[l] |= from[l] & use.bytes;
      } else {
        const bool mask = op.op->readsMask && use.first == op.maskSrc;
        const uint32_t undefined = shadow.scalar(unit);
        for (unsigned l = 0; l < laneCount; ++l)
          in[l] |= mask ? (undefined >> l & 1 ? 15 : 0) : undefined ? 15 : 0;
      }
    }
  }
  const LaneReader read{w, shadow, op};
  const bool exact = op.simple && isExact(name);
  if (exact)
    for (unsigned l = 0; l < laneCount; ++l)
      in[l] = exec >> l & 1 ? gather(*exactly(read, name, l)) : 0;
  else if (selects && op.simple)
    for (unsigned l = 0; l < laneCount; ++l) {
      const bool unknown = op.maskSrc < 128 && shadow.scalar(256 + op.maskSrc) >> l & 1;
      in[l] = unknown ? 15 : gather(read(w.s[op.maskSrc] >> l & 1, l).undefined);
    }

  for (const RegisterUse &use : uses) {
    if (use.access != Access::Write)
      continue;
    if (use.file == File::Scalar) { // Of a VALU: a lane mask.
      uint32_t undefined = 0;
      for (unsigned l = 0; l < laneCount; ++l)
        undefined |= in[l] && exec >> l & 1 ? 1u << l : 0;
      if (use.first == regExec)
        setExec(w, op, undefined, origin);
      else
        for (unsigned d = 0; d < use.dwords; ++d)
          shadow.setScalar(unitOf(use, d), d ? 0 : undefined, origin);
      continue;
    }
    for (unsigned d = 0; d < use.dwords; ++d) {
      const unsigned n = use.first + d;
      if (n >= 256)
        continue;
      for (unsigned l = 0; l < laneCount; ++l)
        if (exec >> l & 1)
          shadow.setLane(n, l, use.bytes,
                         exact || selects ? in[l]
                         : in[l]          ? uint8_t(15)
                                          : uint8_t(0),
                         origin);
      if (!shadow.clean(n))
        shadow.settle(n);
    }
  }
}

/// Operations on 64 bits whose low dword does not depend on the high ones. Compilers leave those
/// undefined: V_MAD_U64_U32 is their multiply-add for 32 bits. False for other operations.
bool UninitCheck::stepWide(Wave &w, const Inst &op) {
  WaveShadow &shadow = waves_[w.number];
  const std::string_view name = op.op->name;
  const bool mad = name == "v_mad_u64_u32" || name == "v_mad_i64_i32";
  const bool left = name == "v_lshlrev_b64";
  const bool right = name == "v_lshrrev_b64" || name == "v_ashrrev_i64";
  const auto amount = left || right ? constantOf(w, shadow, op.src[0]) : std::nullopt;
  if (op.dppKind != DppKind::None || op.dst > 254 || (!mad && !amount))
    return false;
  // The wide source: the addend of MAD, what is shifted of the others.
  Source low = op.src[mad ? 2 : 1], high = low;
  high.index = uint16_t(low.index + 1);
  high.constant = low.constant >> 32;
  Inst parts = op;
  parts.src[2] = low;
  parts.src[1] = mad ? op.src[1] : high;
  const LaneReader read{w, shadow, parts};
  Inst upper = op;
  upper.src[2] = high;
  const LaneReader readHigh{w, shadow, upper};
  const uint32_t origin = low.kind == SourceKind::Vgpr && low.index < 255
                              ? shadow.origin(shadow.clean(low.index) ? low.index + 1u : low.index)
                              : WaveShadow::neverWritten;
  uint32_t carry = 0;
  for (unsigned l = 0; l < laneCount; ++l) {
    if (!(w.exec() >> l & 1))
      continue;
    uint64_t undefined = read(2, l).undefined | uint64_t(readHigh(2, l).undefined) << 32;
    if (mad) {
      const bool factors =
          read(0, l).undefined || op.src[1].kind == SourceKind::None || read(1, l).undefined;
      const bool first = factors || uint32_t(undefined);
      carry |= undefined || first ? 1u << l : 0;
      undefined = (first ? 0xffffffffu : 0) | (first || undefined ? 0xffffffff00000000u : 0);
    } else {
      const unsigned n = *amount & 63;
      const bool sign = name == "v_ashrrev_i64" && undefined >> 63;
      undefined = left ? undefined << n : undefined >> n;
      if (sign && n)
        undefined |= ~uint64_t(0) << (64 - n);
    }
    shadow.setLane(op.dst, l, 15, gather(uint32_t(undefined)), origin);
    shadow.setLane(op.dst + 1u, l, 15, gather(uint32_t(undefined >> 32)), origin);
  }
  for (unsigned n : {op.dst + 0u, op.dst + 1u})
    if (!shadow.clean(n))
      shadow.settle(n);
  if (mad && op.maskDst < 107)
    shadow.setScalar(256 + op.maskDst, carry, origin);
  return true;
}

/// Instructions that read other lanes: their own handler moves the shadow of the data, in a wave of
/// its own. What the handler leaves alone keeps a mark that no shadow has.
void UninitCheck::stepCrossLane(Wave &w, const Inst &op, const RegisterUses &uses) {
  WaveShadow &shadow = waves_[w.number];
  const std::string_view name = op.op->name;
  constexpr uint32_t untouched = 0x80;
  const RegisterUse *data = nullptr, *result = nullptr;
  uint32_t others = 0; // Undefined lanes by the remaining sources.
  for (const RegisterUse &use : uses) {
    if (use.access == Access::Write) {
      result = &use;
      continue;
    }
    if (use.lanes == RegisterUse::Lanes::Other) {
      data = &use;
      continue;
    }
    for (unsigned d = 0; d < use.dwords; ++d) {
      const unsigned unit = unitOf(use, d);
      if (unit >= kRegUnits || shadow.clean(unit))
        continue;
      if (use.file == File::Scalar) {
        others |= shadow.scalar(unit) ? fullExec : 0;
        continue;
      }
      const LaneShadow &from = *shadow.vgprIfDirty(unit);
      for (unsigned l = 0; l < laneCount; ++l)
        others |= from[l] & use.bytes ? 1u << l : 0;
    }
  }
  if (!result || !data)
    return;
  const auto dataShadow = [&](unsigned d, unsigned l) -> uint32_t {
    const LaneShadow *dirty = shadow.vgprIfDirty(data->first + d);
    return dirty ? (*dirty)[l] & data->bytes : 0;
  };
  const uint32_t origin = shadow.origin(data->first);
  if (result->file == File::Scalar) {
    uint32_t undefined = 0;
    if (op.op->shape == Shape::LaneScalar) {
      unsigned lane = w.exec() ? unsigned(__builtin_ctz(w.exec())) : 0;
      if (name == "v_readlane_b32")
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
  Inst move = op;
  std::memcpy(mirror_.s.data(), w.s.data(), sizeof mirror_.s);
  mirror_.mode = w.mode;
  const unsigned from = op.dppKind != DppKind::None ? 1 : data->first, to = 2;
  if (op.dppKind != DppKind::None) {
    const OpInfo *info = findOp("v_mov_b32");
    move = Inst{};
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
  } else if (op.opcode->format == Format::Ds && op.addr != data->first) {
    mirror_.vgpr(op.addr) = w.vgpr(op.addr);
  }
  const unsigned target = op.dppKind != DppKind::None ? to : result->first;
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
      if (others >> l & 1 || (name != "v_mov_b32" && undefined))
        undefined = 15;
      shadow.setLane(result->first + d, l, result->bytes, undefined, origin);
    }
    if (!shadow.clean(result->first + d))
      shadow.settle(result->first + d);
  }
}

void UninitCheck::report(const Wave &w, uint32_t offset, const char *rule, unsigned unit,
                         std::optional<unsigned> lane, const char *use) {
  Sighting s{};
  s.check = Check::Uninit;
  s.rule = rule;
  s.offset = offset;
  s.wave = w.number;
  s.lane = lane;
  const uint32_t origin = waves_[w.number].origin(unit);
  if (origin != WaveShadow::neverWritten)
    s.otherOffset = origin;
  context_.log.add(std::move(s), [&](Sighting &sighting) {
    const std::string name = toString(RegUnit{uint16_t(unit)});
    sighting.message =
        fmt::format("{}, but {} {}", use, name,
                    origin == WaveShadow::neverWritten ? "was never written"
                                                       : "holds what nothing has written");
    sighting.fix = origin == WaveShadow::neverWritten
                       ? fmt::format("write {} on every path to here", name)
                       : "write the memory before it is loaded";
  });
}

} // namespace rdna::emu
