#include "Emu/Disassembler.h"

#include "Support/Diagnostic.h"
#include "Support/DisassemblyInput.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

#include <mutex>
#include <unordered_map>
#include <vector>

// Exported by libLLVM; the header that declares them lists only the host's targets portably.
extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

namespace rdna::emu {

struct Disassembler::State {
  llvm::Triple triple{"amdgcn-amd-amdhsa"};
  llvm::MCTargetOptions options;
  std::unique_ptr<const llvm::MCRegisterInfo> registers;
  std::unique_ptr<const llvm::MCAsmInfo> asmInfo;
  std::unique_ptr<const llvm::MCInstrInfo> instructions;
  std::unique_ptr<const llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<const llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
  std::vector<std::string_view> mnemonics; ///< By LLVM opcode; empty until asked for.

  /// Whether `code` begins with an instruction.
  bool read(std::span<const std::byte> code, llvm::MCInst &inst, uint64_t &size) const {
    const DisassemblyInput input(code);
    return disassembler->getInstruction(inst, size, input.bytes(), 0, llvm::nulls()) ==
               llvm::MCDisassembler::Success &&
           input.holds(size);
  }
};

namespace {

/// LLVM's mnemonic without encoding suffix; what follows a blank is part of the operands.
std::string_view stripped(std::string_view m) {
  m = m.substr(0, m.find_first_of(" \t"));
  for (bool again = true; again;) {
    again = false;
    for (std::string_view suffix : {"_e32", "_e64", "_dpp", "_e64_dpp", "_dpp8"})
      if (m.ends_with(suffix)) {
        m.remove_suffix(suffix.size());
        again = true;
      }
  }
  return m;
}

} // namespace

Disassembler::Disassembler(std::unique_ptr<State> state) : state_(std::move(state)) {}
Disassembler::~Disassembler() = default;

llvm::Expected<std::unique_ptr<Disassembler>> Disassembler::create() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
  auto s = std::make_unique<State>();
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(s->triple, error);
  if (!target)
    return makeError(Failure::NoBackend, "", "LLVM has no AMDGPU target: " + error);
  s->registers.reset(target->createMCRegInfo(s->triple));
  s->asmInfo.reset(target->createMCAsmInfo(*s->registers, s->triple, s->options));
  s->instructions.reset(target->createMCInstrInfo());
  s->subtarget.reset(target->createMCSubtargetInfo(s->triple, "gfx1100", ""));
  s->context = std::make_unique<llvm::MCContext>(s->triple, s->asmInfo.get(), s->registers.get(),
                                                 s->subtarget.get());
  s->disassembler.reset(target->createMCDisassembler(*s->subtarget, *s->context));
  s->printer.reset(
      target->createMCInstPrinter(s->triple, 0, *s->asmInfo, *s->instructions, *s->registers));
  if (!s->disassembler || !s->printer)
    return makeError(Failure::NoBackend, "", "LLVM has no AMDGPU disassembler");
  return std::unique_ptr<Disassembler>(new Disassembler(std::move(s)));
}

Disassembler::Result Disassembler::decode(std::span<const std::byte> code) {
  llvm::MCInst inst;
  uint64_t size = 0;
  if (!state_->read(code, inst, size))
    return {};
  state_->mnemonics.resize(state_->instructions->getNumOpcodes());
  std::string_view &m = state_->mnemonics[inst.getOpcode()];
  if (m.empty())
    if (const char *name = state_->printer->getMnemonic(inst).first)
      m = stripped(name);
  return {m, unsigned(size)};
}

std::string Disassembler::text(std::span<const std::byte> code) {
  llvm::MCInst inst;
  uint64_t size = 0;
  if (!state_->read(code, inst, size))
    return {};
  std::string s;
  llvm::raw_string_ostream os(s);
  state_->printer->printInst(&inst, 0, "", *state_->subtarget, os);
  // LLVM's printer starts with a tab and puts tabs between operands.
  size_t begin = s.find_first_not_of(" \t");
  s = begin == std::string::npos ? "" : s.substr(begin);
  for (char &c : s)
    if (c == '\t')
      c = ' ';
  return s;
}

std::string instructionText(std::span<const std::byte> code) {
  // Its tables take milliseconds to set up, too much for every report of every program. Never
  // destroyed: threads may still ask while the process ends.
  static std::mutex mutex;
  static Disassembler *const disassembler = [] {
    auto created = Disassembler::create();
    if (created)
      return created->release();
    llvm::consumeError(created.takeError());
    return static_cast<Disassembler *>(nullptr);
  }();
  std::lock_guard lock(mutex);
  return disassembler ? disassembler->text(code) : "";
}

} // namespace rdna::emu
