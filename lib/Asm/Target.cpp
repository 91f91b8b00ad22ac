#include "Asm/Target.h"

#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

namespace rdna {

static uint32_t rangeKey(RegRange range) {
  return range.first.index | (uint32_t{range.dwords} << 16) |
         (static_cast<uint32_t>(range.half) << 24);
}

/// LLVM spells registers as VGPR4, VGPR4_VGPR5, VGPR4_LO16, SGPR2_SGPR3, VCC_LO, M0_gfx11plus ...;
/// pseudo and real twins (M0 and M0_gfx11plus) do not alias for LLVM, so we compare names.
static std::optional<RegRange> rangeByName(llvm::StringRef name) {
  RegRange range;
  if (name.consume_back("_LO16"))
    range.half = Half::Low;
  else if (name.consume_back("_HI16"))
    range.half = Half::High;
  if (!name.consume_back("_gfx11plus"))
    name.consume_back("_gfx9plus"); // the trap registers
  static const std::pair<llvm::StringRef, RegRange> kSpecial[] = {
      {"VCC", {kVccLo, 2}},
      {"VCC_LO", {kVccLo, 1}},
      {"VCC_HI", {kVccHi, 1}},
      {"EXEC", {kExecLo, 2}},
      {"EXEC_LO", {kExecLo, 1}},
      {"EXEC_HI", {kExecHi, 1}},
      {"M0", {kM0, 1}},
      {"SCC", {kScc, 1}},
      {"SRC_SCC", {kScc, 1}},
      {"MODE", {kMode, 1}},
      {"FLAT_SCR", {kFlatScratch, 1}},
      {"SRC_VCCZ", {kVccLo, 2}},
      {"SRC_EXECZ", {kExecLo, 2}},
      {"SRC_SHARED_BASE", {kSharedBase, 1}},
      {"SRC_SHARED_BASE_LO", {kSharedBase, 1}},
      {"SRC_SHARED_LIMIT", {kSharedLimit, 1}},
      {"SRC_SHARED_LIMIT_LO", {kSharedLimit, 1}},
      {"SRC_PRIVATE_BASE", {kPrivateBase, 1}},
      {"SRC_PRIVATE_BASE_LO", {kPrivateBase, 1}},
      {"SRC_PRIVATE_LIMIT", {kPrivateLimit, 1}},
      {"SRC_PRIVATE_LIMIT_LO", {kPrivateLimit, 1}},
      {"SRC_POPS_EXITING_WAVE_ID", {kPopsExitingWave, 1}},
      {"SGPR_NULL", {RegUnit::scalar(124), 1}},
      {"SGPR_NULL64", {RegUnit::scalar(124), 1}},
  };
  for (const auto &[special, value] : kSpecial)
    if (name == special) {
      range.first = value.first;
      range.dwords = value.dwords;
      return range;
    }
  const auto parse = [&](llvm::StringRef prefix, unsigned limit,
                         auto make) -> std::optional<RegRange> {
    llvm::SmallVector<llvm::StringRef, 32> parts;
    name.split(parts, '_');
    unsigned first = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
      unsigned number = 0;
      if (!parts[i].consume_front(prefix) || parts[i].getAsInteger(10, number) || number >= limit)
        return std::nullopt;
      if (i == 0)
        first = number;
      else if (number != first + i)
        return std::nullopt;
    }
    range.first = make(first);
    range.dwords = static_cast<uint8_t>(parts.size());
    return range;
  };
  if (name.starts_with("VGPR"))
    return parse("VGPR", 256, [](unsigned n) { return RegUnit::vgpr(n); });
  if (name.starts_with("SGPR"))
    return parse("SGPR", 106, [](unsigned n) { return RegUnit::scalar(n); });
  if (name.starts_with("TTMP"))
    return parse("TTMP", 16, [](unsigned n) { return RegUnit::scalar(108 + n); });
  return std::nullopt;
}

/// Registers that instructions of gfx1100 name otherwise: M0, the null register and the traps' have
/// twins for other machines, and some names are of parts that no operand takes.
static bool isTwin(llvm::StringRef name) {
  return name == "M0" || name == "SGPR_NULL" || name == "SGPR_NULL64" || name == "SCC" ||
         name.contains("VCCZ") || name.contains("EXECZ") ||
         (name.starts_with("TTMP") && !name.ends_with("_gfx11plus") && name.contains('_'));
}

McTarget::McTarget() : triple_("amdgcn-amd-amdhsa") {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmParser();
  LLVMInitializeAMDGPUDisassembler();
  std::string error;
  target_ = llvm::TargetRegistry::lookupTarget(triple_, error);
  registers_.reset(target_->createMCRegInfo(triple_));
  asmInfo_.reset(target_->createMCAsmInfo(*registers_, triple_, options_));
  instructions_.reset(target_->createMCInstrInfo());
  for (const Processor processor : allProcessors)
    subtargets_[static_cast<size_t>(processor)].reset(
        target_->createMCSubtargetInfo(triple_, toString(processor), ""));
  printer_.reset(target_->createMCInstPrinter(triple_, asmInfo_->getAssemblerDialect(), *asmInfo_,
                                              *instructions_, *registers_));
  ranges_.resize(registers_->getNumRegs());
  for (unsigned reg = 1; reg < registers_->getNumRegs(); ++reg) {
    ranges_[reg] = rangeByName(registers_->getName(reg));
    if (ranges_[reg] && !isTwin(registers_->getName(reg)))
      byRange_.emplace(rangeKey(*ranges_[reg]), reg);
  }
  for (unsigned opcode = 0; opcode < instructions_->getNumOpcodes(); ++opcode) {
    const llvm::StringRef name = instructions_->getName(opcode);
    if (name.ends_with("_gfx11"))
      opcodes_.emplace(std::string_view(name.data(), name.size()), opcode);
  }
  facts_.resize(instructions_->getNumOpcodes());
}

const McTarget &McTarget::get() {
  static const McTarget target;
  return target;
}

std::optional<RegRange> McTarget::range(unsigned llvmRegister) const {
  return llvmRegister < ranges_.size() ? ranges_[llvmRegister] : std::nullopt;
}

SpecialSource McTarget::special(unsigned llvmRegister) const {
  if (llvmRegister == 0)
    return SpecialSource::Off;
  const SpecialSource source = specialSource(registers_->getName(llvmRegister));
  return source == SpecialSource::None && !range(llvmRegister) ? SpecialSource::Other : source;
}

unsigned McTarget::registerOf(RegRange range) const {
  const auto it = byRange_.find(rangeKey(range));
  return it == byRange_.end() ? 0 : it->second;
}

std::optional<unsigned> McTarget::opcodeByName(std::string_view name) const {
  const auto it = opcodes_.find(name);
  return it == opcodes_.end() ? std::nullopt : std::optional(it->second);
}

/// LLVM's internal spelling of a VOPD half, cut from the opcode's name.
static Op vopdHalfByName(llvm::StringRef name) {
  name.consume_back("_e32");
  static const std::pair<llvm::StringRef, Op> kOld[] = {
      {"ADD_U32", Op::v_add_nc_u32},
      {"DOT2C_F32_F16", Op::v_dot2acc_f32_f16},
      {"DOT2C_F32_BF16", Op::v_dot2acc_f32_bf16},
      {"MUL_LEGACY_F32", Op::v_mul_dx9_zero_f32},
  };
  for (const auto &[old, op] : kOld)
    if (name == old)
      return op;
  return opByName("v_" + name.lower());
}

static OpcodeFacts computeFacts(llvm::StringRef name, llvm::StringRef mnemonic) {
  OpcodeFacts facts;
  if (name.consume_front("V_DUAL_")) {
    name.consume_back("_gfx11");
    const auto [x, y] = name.split("_X_");
    facts.op = vopdHalfByName(x);
    facts.opY = vopdHalfByName(y);
    return facts;
  }
  // The printer's mnemonic ends at the first blank and keeps the encoding suffix inconsistently.
  mnemonic = mnemonic.take_until([](char c) { return c == ' ' || c == '\t'; });
  llvm::StringRef bare = mnemonic;
  for (const llvm::StringRef suffix : {"_e64_dpp", "_e32", "_e64", "_dpp"})
    if (bare.consume_back(suffix))
      break;
  facts.op = opByName(std::string_view(bare.data(), bare.size()));
  return facts;
}

const OpcodeFacts &McTarget::facts(const llvm::MCInst &inst) const {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::unique_ptr<const OpcodeFacts> &known = facts_[inst.getOpcode()];
  if (!known) {
    const llvm::StringRef name = instructions_->getName(inst.getOpcode());
    OpcodeFacts facts = computeFacts(name, printer_->getMnemonic(inst).first);
    if (opUnit(facts.op) == Unit::Buffer)
      facts.bufferAddress = bufferAddress(name);
    facts.names = operandNames(*this, inst, facts.op);
    known = std::make_unique<const OpcodeFacts>(std::move(facts));
  }
  return *known;
}

std::string McTarget::print(const llvm::MCInst &inst) const {
  static std::mutex mutex; // MCInstPrinter keeps state while it prints
  const std::lock_guard lock(mutex);
  std::string text;
  llvm::raw_string_ostream os(text);
  printer_->printInst(&inst, 0, "", subtarget(), os);
  return text.substr(text.find_first_not_of('\t'));
}

} // namespace rdna
