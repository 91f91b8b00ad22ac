// What is asked of two texts that arrange LDS differently, before they are executed.

#include "Verify/BufferProof.h"

#include "Asm/Effects.h"
#include "Isa/OpTraits.h"
#include "Verify/Opaque.h"
#include "Verify/SymbolAddress.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace rdna::verify {

uint32_t declaredLds(const Function &function) {
  return static_cast<uint32_t>(function.descriptorValue(".amdhsa_group_segment_fixed_size", 0));
}

int64_t kernargBytes(const Function &function) {
  const int64_t bytes = function.descriptorValue(".amdhsa_kernarg_size", 0);
  const auto metadata = function.metadata.find(".kernarg_segment_size");
  // rocBLAS's kernels have it in the metadata alone, which runtimes go by.
  return bytes == 0 && metadata != function.metadata.end() ? metadata->second.value : bytes;
}

BufferProof::Fault BufferProof::checkShape() const {
  const uint64_t items = uint64_t(shape_[0]) * shape_[1] * shape_[2];
  if (items == 0 || items > 1024 || shape_[0] > 1024 || shape_[1] > 1024 || shape_[2] > 1024)
    return BufferFault{std::nullopt, "the claim is about a workgroup that there is not"};
  if (items % KnownValues::kLanes != 0)
    return BufferFault{std::nullopt,
                       fmt::format("a workgroup of {} work-items has a wave with lanes that are "
                                   "switched off",
                                   items)};
  if (oldFunction_.requiredWorkgroupSize && *oldFunction_.requiredWorkgroupSize != shape_)
    return BufferFault{std::nullopt, "the claim is about other workgroups than the kernel's"};
  // Without metadata there are no launches.
  if (newFunction_.requiredWorkgroupSize != shape_ && !newFunction_.metadata.empty())
    return BufferFault{std::nullopt,
                       fmt::format("it does not require workgroups of {}, which the claim is about "
                                   "(.reqd_workgroup_size)",
                                   fmt::join(shape_, "x"))};
  if (const auto most = oldFunction_.metadata.find(".max_flat_workgroup_size");
      most != oldFunction_.metadata.end() && static_cast<int64_t>(items) > most->second.value)
    return BufferFault{std::nullopt, "the claim is about larger workgroups than the kernel's"};
  for (const Function *function : {&oldFunction_, &newFunction_}) {
    if (!function->isKernel() || function->entry != Function::Entry::Launch ||
        function->enteredAt || !launchRegisters(*function))
      return BufferFault{std::nullopt, "it is no kernel that only launches enter"};
    if (function->descriptorValue(".amdhsa_wavefront_size32", 1) != 1)
      return BufferFault{std::nullopt, "its waves have 64 lanes"};
    if (function->descriptorValue(".amdhsa_user_sgpr_dispatch_ptr", 0) != 0)
      return BufferFault{std::nullopt,
                         "it is given the dispatch packet, which says how large LDS is"};
    const auto metadata = function->metadata.find(".group_segment_fixed_size");
    if (metadata != function->metadata.end() &&
        metadata->second.value != int64_t(declaredLds(*function)))
      return BufferFault{std::nullopt,
                         "descriptor and metadata do not declare the same bytes of LDS"};
  }
  constexpr uint32_t kMostLds = 65536;
  for (const uint32_t bytes : {oldLds_, newLds_})
    if (bytes > kMostLds)
      return BufferFault{std::nullopt, fmt::format("{} bytes of LDS are declared, more than there "
                                                   "are for a workgroup ({})",
                                                   bytes, kMostLds)};
  return std::nullopt;
}

/// A label outside of code; not an alias, which may stand for anything, nor an expression.
static bool isData(const Module &module, std::string_view name) {
  return llvm::any_of(module.labels(),
                      [&](const Label &label) { return !label.isInCode && label.name == name; });
}

/// Instructions that make a symbol's address, but where a branch comes to them.
static std::set<uint32_t> enteredInTheMiddle(const Module &module, const Function &function) {
  std::set<uint32_t> result;
  const auto &all = module.instructions();
  for (uint32_t i = function.first; i < function.last; ++i) {
    const auto target = all[i].unit == Unit::Branch || all[i].longBranch != 0
                            ? module.labelTarget(module.branchTarget(all[i]))
                            : std::nullopt;
    const auto address =
        target && *target < all.size() ? symbolAddressAt(module, all[*target]) : std::nullopt;
    if (address && address->place != 0)
      result.insert(*target);
  }
  return result;
}

/// What the execution below does not follow, wherever it stands.
BufferProof::Fault BufferProof::checkTexts() const {
  for (const bool isOld : {true, false}) {
    const Module &module = isOld ? before_ : after_;
    const Function &function = isOld ? oldFunction_ : newFunction_;
    const std::set<uint32_t> entered = enteredInTheMiddle(module, function);
    for (uint32_t i = function.first; i < function.last; ++i) {
      const Instruction &inst = module.instructions()[i];
      const auto refuse = [&](std::string_view what) {
        return BufferFault{isOld ? std::nullopt : std::optional(i),
                           fmt::format("line {} {}", inst.line, what)};
      };
      const bool hasSymbol =
          inst.unit != Unit::Branch && llvm::any_of(inst.operands, [](const Operand &operand) {
            return operand.kind == Operand::Kind::Expression;
          });
      // A long branch goes to a place that is known, and nothing is known of what it leaves in
      // registers: distances of one text.
      const bool isBranching = inst.longBranch != 0 || isInLongBranch(module, inst);
      const auto address = isBranching ? std::nullopt : symbolAddressAt(module, inst);
      if (address && (!isData(module, address->name) || entered.contains(i)))
        return refuse("makes an address of code, or of what this file does not define");
      if (hasSymbol && !isBranching && !address)
        return refuse("has a symbol as an operand");
      if (!isBranching && ((inst.op == Op::s_getpc_b64 && !address) || inst.op == Op::s_call_b64 ||
                           inst.op == Op::s_swappc_b64 || inst.op == Op::s_setpc_b64))
        return refuse("makes an address of code");
      if ((inst.unit == Unit::Branch || inst.longBranch != 0) && entersLongBranch(module, inst))
        return refuse("goes on in the middle of a long branch");
      if (inst.op == Op::s_getreg_b32)
        return refuse("reads a register of the machine, which may tell where LDS is");
      if (inst.op == Op::s_setreg_b32 || inst.op == Op::s_setreg_imm32_b32 ||
          inst.op == Op::s_round_mode || inst.op == Op::s_denorm_mode)
        return refuse("sets a register of the machine, which is not followed");
      if (inst.unit == Unit::Flat)
        return refuse("may access any memory (FLAT)");
      // An atomic that returns nothing is a store to who makes it: nobody can wait by it.
      const bool isStore =
          inst.memory == MemoryEffect::Atomic && inst.value(OperandName::CachePolicy) == 0;
      if (inst.memory != MemoryEffect::None && isSynchronising(inst) && !isStore)
        return refuse(
            "synchronises with other workgroups, which may count on how many run at once");
      if (opTraits(inst.op).memory.kind == MemoryKind::LoadToLds)
        return refuse("loads to LDS");
      if (inst.unit == Unit::Other || inst.unit == Unit::Message) {
        const bool isLast = inst.op == Op::s_sendmsg && i + 1 < function.last &&
                            module.instructions()[i + 1].unit == Unit::End;
        if (!isLast)
          return refuse("sends a message, or is not known");
      }
    }
  }
  return std::nullopt;
}

} // namespace rdna::verify
