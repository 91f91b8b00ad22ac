#include "Analysis/Lint.h"

#include "Analysis/Banks.h"
#include "Asm/Lane.h"
#include "Isa/OpTraits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rdna {

namespace {
/// The findings of one function and the module that they are about.
struct Linter {
  const Module &module;
  const Cfg &cfg;
  std::vector<LintFinding> findings;

  const Instruction &at(uint32_t index) const { return module.instructions()[index]; }
  uint32_t end() const { return cfg.blocks.empty() ? 0 : cfg.blocks.back().last; }
  void say(const char *check, const Instruction &inst, std::string_view message) {
    findings.push_back({check,
                        module.at(inst, fmt::format("{} [{}]", message, check), Severity::Warning),
                        inst.index});
  }
};
} // namespace

static int64_t firstImmediate(const Instruction &inst) {
  for (const Operand &operand : inst.operands)
    if (operand.kind == Operand::Kind::Immediate)
      return operand.imm;
  return 0;
}

static void checkVopdParity(Linter &lint, const Instruction &inst) {
  const auto halves = vopdHalves(inst);
  const auto clash = halves ? parityClash(halves->first, halves->second) : std::nullopt;
  if (clash)
    lint.say("vopd-parity", inst,
             fmt::format("src{} reads v{} and v{}, of the same parity: the hardware can lose an "
                         "interlock and read stale data",
                         clash->slot, clash->x.number, clash->y.number));
}

/// The 12-bit offset follows the resource descriptor and soffset; the operands before it vary.
static void checkBufferOffset(Linter &lint, const Instruction &inst) {
  for (size_t i = 0; i + 2 < inst.operands.size(); ++i) {
    const Operand &resource = inst.operands[i], &offset = inst.operands[i + 2];
    if (!resource.isReg() || resource.reg.dwords != 4 || resource.reg.first.isVgpr())
      continue;
    if (offset.kind == Operand::Kind::Immediate && (offset.imm < 0 || offset.imm > 4095))
      lint.say("buffer-offset", inst,
               fmt::format("offset {} does not fit 12 bits; the assembler encodes {}", offset.imm,
                           offset.imm & 4095));
    return;
  }
}

static void checkClause(Linter &lint, const Instruction &clause) {
  const auto simm = static_cast<unsigned>(firstImmediate(clause));
  const unsigned length = (simm & 63) + 1;
  if (length == 1 || length == 64)
    lint.say("clause-length", clause,
             fmt::format("a clause of {} instructions; legal are 2 to 63", length));
  std::string_view kind;
  for (uint32_t i = clause.index + 1; i <= clause.index + length; ++i) {
    if (i >= lint.end()) {
      lint.say("clause-members", clause, "the clause reaches past the end of the function");
      return;
    }
    const Instruction &member = lint.at(i);
    const bool idle = member.op == Op::s_nop || member.op == Op::s_sleep;
    if (idle && i > clause.index + 1)
      continue;
    const std::string_view here = clauseKind(member);
    if (here.empty()) {
      lint.say("clause-members", member,
               fmt::format("not allowed in the clause of line {}", clause.line));
      return;
    }
    if (kind.empty())
      kind = here;
    if (here != kind) {
      lint.say("clause-members", member,
               fmt::format("a {} in the {} clause of line {}", here, kind, clause.line));
      return;
    }
  }
}

/// gfx1100's multiplier forwards within the instruction (LLVM FeatureMADIntraFwdBug).
static void checkMad64(Linter &lint, const Instruction &inst) {
  const Operand &dst = inst.operands.front();
  for (const Operand &source : inst.operands)
    if (source.cls == Operand::Class::Source && source.isReg() && source.reg.overlaps(dst.reg)) {
      lint.say(
          "mad64-overlap", inst,
          fmt::format(
              "destination {} overlaps source {}: wrong on gfx11 if that part of the source counts",
              toString(dst.reg), toString(source.reg)));
      return;
    }
}

static bool isPermlane(Op op) { return opTraits(op).is(OpFlag::Permlane); }

/// LLVM GCNHazardRecognizer::fixVcmpxPermlaneHazards: any VALU in between will do.
static void checkCmpxPermlane(Linter &lint, const Instruction &inst) {
  for (uint32_t i = inst.index; i-- > lint.cfg.blocks[lint.cfg.blockOf(inst.index)].first;) {
    const Instruction &before = lint.at(i);
    if (!before.isValu())
      continue;
    if (isCompareToExec(before.op))
      lint.say("cmpx-permlane", inst,
               fmt::format("depends on the v_cmpx of line {} without a VALU instruction in between",
                           before.line));
    return;
  }
}

static constexpr int64_t kMsgDeallocVgprs = 3;

static void checkDealloc(Linter &lint, const Instruction &inst) {
  const uint32_t first = lint.cfg.blocks.front().first;
  if (inst.index == first || lint.at(inst.index - 1).op != Op::s_nop)
    lint.say("dealloc-vgprs", inst, "gfx11 needs an s_nop 0 before the VGPRs are given back");
  if (inst.index + 1 >= lint.end() || lint.at(inst.index + 1).unit != Unit::End)
    lint.say("dealloc-vgprs", inst, "only s_endpgm may follow: the VGPRs are gone");
}

static void checkInstruction(Linter &lint, const Instruction &inst) {
  if (inst.isVopd())
    return checkVopdParity(lint, inst);
  switch (inst.op) {
  case Op::s_clause:
    return checkClause(lint, inst);
  case Op::s_setprio:
    if (const int64_t level = firstImmediate(inst); level < 0 || level > 3)
      lint.say("setprio-range", inst, fmt::format("priority {}; there are 0 to 3", level));
    return;
  case Op::s_sendmsg:
    if (firstImmediate(inst) == kMsgDeallocVgprs)
      checkDealloc(lint, inst);
    return;
  case Op::v_mad_u64_u32:
  case Op::v_mad_i64_i32:
    return checkMad64(lint, inst);
  default:
    break;
  }
  if (inst.unit == Unit::Buffer)
    checkBufferOffset(lint, inst);
  if (isPermlane(inst.op))
    checkCmpxPermlane(lint, inst);
}

//===----------------------------------------------------------------------===//
// VALU use of a transcendental's result (LLVM GCNHazardRecognizer::fixVALUTransUseHazard)
//===----------------------------------------------------------------------===//

static bool waitsForVdst(const Instruction &inst) {
  // These units wait for all VALU results before they issue.
  if (isVmem(inst.unit) || inst.unit == Unit::Lds)
    return true;
  return inst.op == Op::s_waitcnt_depctr && ((firstImmediate(inst) >> 12) & 15) == 0;
}

static uint16_t oneValuLater(uint16_t distances) {
  return static_cast<uint16_t>((distances << 2) & 0xfff);
}
static uint16_t oneTransLater(uint16_t distances) {
  // t = 0 (even bits) becomes t = 1, t = 1 is cleared; a transcendental is a VALU instruction too.
  return static_cast<uint16_t>((distances & 0x555) << 3 & 0xfff);
}

void EarlyTransResults::step(const Instruction &inst, Distances &distances) {
  if (waitsForVdst(inst)) {
    distances.fill(0);
    return;
  }
  if (!inst.isValu())
    return;
  for (uint16_t &d : distances)
    d = inst.unit == Unit::Trans ? oneTransLater(d) : oneValuLater(d);
  if (inst.unit != Unit::Trans)
    return;
  for (const RegAccess &access : inst.accesses)
    if (access.writes() && access.reg.first.isVgpr())
      for (unsigned i = 0; i < access.reg.dwords; ++i)
        distances[access.reg.first.index + i] |= 1;
}

EarlyTransResults::EarlyTransResults(const Module &module, const Cfg &cfg)
    : module_(module), cfg_(cfg), in_(cfg.blocks.size(), Distances{}) {
  const auto &blocks = cfg.blocks;
  std::vector<uint32_t> work;
  std::vector<uint8_t> queued(blocks.size(), 1);
  for (uint32_t b = static_cast<uint32_t>(blocks.size()); b-- > 0;)
    work.push_back(b);
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    queued[b] = 0;
    Distances out = in_[b];
    for (uint32_t i = blocks[b].first; i < blocks[b].last; ++i)
      step(module.instructions()[i], out);
    for (const uint32_t successor : blocks[b].successors) {
      bool grown = false;
      for (size_t v = 0; v < out.size(); ++v) {
        grown |= (out[v] & ~in_[successor][v]) != 0;
        in_[successor][v] |= out[v];
      }
      if (grown && !queued[successor]) {
        queued[successor] = 1;
        work.push_back(successor);
      }
    }
  }
}

std::bitset<256> EarlyTransResults::at(uint32_t instruction) const {
  const uint32_t block = cfg_.blockOf(instruction);
  Distances distances = in_[block];
  for (uint32_t i = cfg_.blocks[block].first; i < instruction; ++i)
    step(module_.instructions()[i], distances);
  std::bitset<256> early;
  for (size_t v = 0; v < distances.size(); ++v)
    early.set(v, distances[v] != 0);
  return early;
}

static void checkTransUse(Linter &lint) {
  const auto &blocks = lint.cfg.blocks;
  const bool any = std::any_of(blocks.begin(), blocks.end(), [&](const Block &block) {
    for (uint32_t i = block.first; i < block.last; ++i)
      if (lint.at(i).unit == Unit::Trans)
        return true;
    return false;
  });
  if (!any)
    return;
  const EarlyTransResults early(lint.module, lint.cfg);
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    EarlyTransResults::Distances state = early.atStart(b);
    for (uint32_t i = blocks[b].first; i < blocks[b].last; ++i) {
      const Instruction &inst = lint.at(i);
      if (inst.isValu())
        for (const RegAccess &access : inst.accesses)
          if (access.reads() && access.operand >= 0 && access.reg.first.isVgpr() &&
              std::any_of(state.begin() + access.reg.first.index,
                          state.begin() + access.reg.first.index + access.reg.dwords,
                          [](uint16_t d) { return d != 0; })) {
            lint.say("trans-use", inst,
                     fmt::format("reads {} too soon after a transcendental wrote it; "
                                 "s_waitcnt_depctr 0xf9f must stand in between",
                                 toString(access.reg)));
            break;
          }
      EarlyTransResults::step(inst, state);
    }
  }
}

//===----------------------------------------------------------------------===//
// Descriptor
//===----------------------------------------------------------------------===//

static void checkVgprCount(Linter &lint) {
  const Function &function = lint.module.functions()[lint.cfg.functionIndex];
  const auto field = function.descriptor.find(".amdhsa_next_free_vgpr");
  if (field == function.descriptor.end() || !field->second.value)
    return;
  const int64_t declared = *field->second.value;
  const auto say = [&](const std::string &message) {
    lint.findings.push_back(
        {"vgpr-count",
         lint.module.atLine(field->second.line, message + " [vgpr-count]", Severity::Warning),
         std::nullopt});
  };
  if (declared > 256)
    say(fmt::format("{} VGPRs declared; a wave can have 256", declared));
  const Instruction *highest = nullptr;
  unsigned used = 0;
  for (uint32_t i = function.first; i < function.last; ++i)
    for (const RegAccess &access : lint.at(i).accesses)
      if (const unsigned end = access.reg.first.number() + access.reg.dwords;
          access.reg.first.isVgpr() && end > used) {
        used = end;
        highest = &lint.at(i);
      }
  if (highest && declared < used)
    say(fmt::format("{} VGPRs declared, but line {} uses v{}", declared, highest->line, used - 1));
}

std::vector<LintFinding> lintFunction(const Module &module, const Cfg &cfg) {
  Linter lint{module, cfg, {}};
  for (const Block &block : cfg.blocks)
    for (uint32_t i = block.first; i < block.last; ++i)
      checkInstruction(lint, module.instructions()[i]);
  checkTransUse(lint);
  if (module.functions()[cfg.functionIndex].isKernel())
    checkVgprCount(lint);
  std::stable_sort(lint.findings.begin(), lint.findings.end(),
                   [](const LintFinding &a, const LintFinding &b) {
                     return a.diagnostic.line < b.diagnostic.line;
                   });
  return std::move(lint.findings);
}

} // namespace rdna
