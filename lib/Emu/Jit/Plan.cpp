#include "Emu/Jit/Plan.h"

#include "Emu/Handlers.h"
#include "Emu/Opcodes.h"
#include "Isa/OpTraits.h"

#include <algorithm>
#include <functional>

namespace rdna::emu::jit {
namespace {

/// Longer blocks are cut: what a block keeps besides the registers lies on the host's stack (512
/// bytes for an LDS load of four dwords), and LLVM's time per function grows faster than its size.
/// Loops of unrolled matrix products stay whole.
constexpr size_t mostOperations = 3000;

bool doesNothing(Op op) {
  switch (op) {
  case Op::s_nop:
  case Op::s_delay_alu:
  case Op::s_waitcnt:
  case Op::s_clause:
  case Op::s_setprio:
  case Op::s_waitcnt_vmcnt:
  case Op::s_waitcnt_vscnt:
  case Op::s_waitcnt_lgkmcnt:
  case Op::s_waitcnt_expcnt:
  case Op::ds_nop:
  case Op::s_waitcnt_depctr:
  case Op::s_icache_inv:
  case Op::buffer_gl0_inv:
  case Op::buffer_gl1_inv:
  case Op::v_nop:
  case Op::s_dcache_inv:
  case Op::s_set_inst_prefetch_distance:
    return true;
  default:
    return false;
  }
}

std::optional<Condition> branchCondition(Op op) {
  switch (op) {
  case Op::s_branch:
    return Condition::Always;
  case Op::s_cbranch_scc0:
    return Condition::Scc0;
  case Op::s_cbranch_scc1:
    return Condition::Scc1;
  case Op::s_cbranch_vccz:
    return Condition::VccZero;
  case Op::s_cbranch_vccnz:
    return Condition::VccNonzero;
  case Op::s_cbranch_execz:
    return Condition::ExecZero;
  case Op::s_cbranch_execnz:
    return Condition::ExecNonzero;
  default:
    return std::nullopt;
  }
}

bool isValu(Shape shape) {
  switch (shape) {
  case Shape::Valu:
  case Shape::ValuAcc:
  case Shape::ValuMulK:
  case Shape::ValuAddK:
  case Shape::ValuCmp:
  case Shape::ValuCmpx:
  case Shape::Packed:
  case Shape::PackedAcc:
    return true;
  default:
    return false;
  }
}

/// Scalar instructions of Control.cpp that only move data.
bool isPlainControl(Op op) {
  const OpTraits &traits = opTraits(op);
  return traits.is(OpFlag::SavesExec) || traits.is(OpFlag::WritesExec) ||
         traits.is(OpFlag::Keeps) || traits.is(OpFlag::Relative);
}

bool touchesExec(const Inst &i) {
  bool wide = i.op->dst == LaneType::U64;
  return i.dst == regExec || i.dst == regExec + 1 || (wide && i.dst + 1 == regExec);
}

/// SMEM's encoding lets a load name EXEC, alone or inside of a tuple.
bool loadsExec(const Inst &i) {
  for (const RegisterUse &use : registersOf(i, 0))
    if (use.file == RegisterUse::File::Scalar && use.access == RegisterUse::Access::Write &&
        use.first <= regExec && regExec < use.first + use.dwords)
      return true;
  return false;
}

/// Mask results: a scalar destination, except that EXEC changes what may follow.
bool maskToExec(const Inst &i) { return i.op->writesMask && i.maskDst == regExec; }

Operation classify(const Inst &i, const std::function<bool(std::string_view)> &isInlined) {
  Operation o;
  o.inst = &i;
  if (i.op && i.run != i.op->run && i.run != handlers().dualFmac)
    return o; // A form without semantics.
  if (!i.op) {
    // Without a row: a jump that the decoder made, or something that stops the wave.
    o.step = i.target && i.count == 0 ? Step::Branch : Step::Stop;
    return o;
  }
  const OpInfo &op = *i.op;
  if (doesNothing(op.op)) {
    o.step = Step::Nothing;
  } else if (auto condition = branchCondition(op.op)) {
    o.step = i.target ? Step::Branch : Step::Stop;
    o.condition = *condition;
  } else if (isValu(op.shape)) {
    // An instruction with modifiers keeps its handler, which applies them.
    bool plain = i.simple && op.shape != Shape::ValuCmpx && !maskToExec(i) &&
                 op.dst != LaneType::U128 && isInlined(op.name);
    o.step = plain ? Step::Vector : Step::Native;
    o.writesExec = op.shape == Shape::ValuCmpx || maskToExec(i);
  } else if (op.shape == Shape::Salu) {
    o.step = isInlined(op.name) ? Step::Scalar : isPlainControl(op.op) ? Step::Native : Step::Stop;
    o.writesExec = o.step == Step::Native || touchesExec(i);
  } else if (op.shape == Shape::Ds && ldsShape(i)) {
    o.step = Step::LdsLoad;
  } else if (op.shape == Shape::Ds || op.shape == Shape::Flat || op.shape == Shape::Smem ||
             op.shape == Shape::Buffer || op.shape == Shape::Matrix ||
             op.shape == Shape::LaneScalar) {
    o.step = Step::Native;
    o.writesExec = (op.shape == Shape::LaneScalar && i.dst == regExec) ||
                   (op.shape == Shape::Smem && loadsExec(i));
  } else if (op.shape == Shape::Raw && rdna::isValu(opUnit(op.op))) {
    o.step = Step::Native;
    o.writesExec = true; // Unknown, so it is looked at again.
  }
  return o;
}

class Planner {
public:
  Planner(std::span<const Inst> code, const std::function<bool(std::string_view)> &isInlined)
      : code_(code), isInlined_(isInlined) {}

  Plan run(const std::vector<const Inst *> &roots) {
    findLeaders(roots);
    Plan plan;
    plan.blockOf.assign(code_.size(), -1);
    for (size_t n = 0; n < code_.size(); ++n)
      if (leader_[n]) {
        plan.blockOf[n] = int32_t(plan.blocks.size());
        plan.blocks.push_back(blockFrom(n));
        // The rest of a block that was too long is the next one.
        if (const Inst *follow = plan.blocks.back().follow)
          leader_[index(follow)] = true;
      }
    for (Block &b : plan.blocks) {
      const Operation &last = b.operations.back();
      if (last.step == Step::Branch)
        b.taken = plan.blockOf[index(last.inst->target)];
      if (b.follow)
        b.next = plan.blockOf[index(b.follow)];
    }
    return plan;
  }

private:
  size_t index(const Inst *i) const { return size_t(i - code_.data()); }

  void findLeaders(const std::vector<const Inst *> &roots) {
    leader_.assign(code_.size(), false);
    std::vector<bool> seen(code_.size());
    std::vector<size_t> work;
    auto lead = [&](const Inst *i) {
      leader_[index(i)] = true;
      if (!seen[index(i)]) {
        seen[index(i)] = true;
        work.push_back(index(i));
      }
    };
    for (const Inst *root : roots)
      if (root)
        lead(root);
    while (!work.empty()) {
      size_t n = work.back();
      work.pop_back();
      Operation o = classify(code_[n], isInlined_);
      if (o.step == Step::Branch)
        lead(code_[n].target);
      bool ends = o.step == Step::Stop && isEnd(code_[n]);
      bool jumps = o.step == Step::Branch && o.condition == Condition::Always;
      if (ends || jumps || n + 1 >= code_.size())
        continue;
      if (o.step == Step::Stop || o.step == Step::Branch || o.writesExec) {
        lead(&code_[n + 1]);
      } else if (!seen[n + 1]) {
        seen[n + 1] = true;
        work.push_back(n + 1);
      }
    }
  }

  static bool isEnd(const Inst &i) {
    return !i.op || i.op->op == Op::s_endpgm || i.op->op == Op::s_setpc_b64;
  }

  Block blockFrom(size_t n) const {
    Block b;
    for (;; ++n) {
      Operation o = classify(code_[n], isInlined_);
      b.operations.push_back(o);
      if (o.step != Step::Stop)
        b.instructions += code_[n].count;
      bool last = n + 1 >= code_.size();
      if (!last && o.step != Step::Stop &&
          !(o.step == Step::Branch && o.condition == Condition::Always))
        b.follow = &code_[n + 1];
      else
        b.follow = nullptr;
      if (last || o.step == Step::Stop || o.step == Step::Branch || o.writesExec ||
          leader_[n + 1] || b.operations.size() == mostOperations)
        return b;
    }
  }

  std::span<const Inst> code_;
  const std::function<bool(std::string_view)> &isInlined_;
  std::vector<bool> leader_;
};

} // namespace

Plan makePlan(std::span<const Inst> code, const std::vector<const Inst *> &roots,
              const std::function<bool(std::string_view)> &isInlined) {
  return Planner(code, isInlined).run(roots);
}

std::optional<NativeAccess> nativeAccess(const Inst &i) {
  if (opTraits(i.op->op).is(OpFlag::Relative))
    return std::nullopt; // M0 chooses the registers.
  NativeAccess a;
  a.scalars = NativeAccess::Scalars::Kept;
  for (const RegisterUse &use : registersOf(i, 0)) {
    bool read = use.access == RegisterUse::Access::Read;
    if (use.file == RegisterUse::File::Vector)
      (read ? a.reads : a.writes).push_back({use.first, use.dwords});
    else if (!read)
      a.scalars = NativeAccess::Scalars::Written;
  }
  return a;
}

std::optional<LdsShape> ldsShape(const Inst &i) {
  const MemoryTraits &memory = opTraits(i.op->op).memory;
  const unsigned dwords = memory.bytes / 4;
  if (opUnit(i.op->op) != rdna::Unit::Lds || memory.kind != MemoryKind::Load || dwords == 0)
    return std::nullopt;
  switch (memory.address) {
  case AddressForm::Plain:
    return LdsShape{dwords, 1, 1};
  case AddressForm::Pair:
    return LdsShape{dwords, 2, memory.bytes};
  case AddressForm::PairStride64:
    return LdsShape{dwords, 2, 64U * memory.bytes};
  default:
    return std::nullopt;
  }
}

} // namespace rdna::emu::jit
