//===- Program.h - a decoded kernel ---------------------------------------===//
#pragma once

#include "Emu/Disassembler.h"
#include "Emu/Emulator.h"
#include "Emu/Fields.h"

#include <atomic>
#include <future>
#include <mutex>
#include <sys/types.h>

namespace rdna::emu {

namespace jit {
class CompiledKernel;
}
class ProgramPlans;

class DecodedProgram final : public Program, public CodeMap {
public:
  explicit DecodedProgram(KernelImage image);
  ~DecodedProgram() override;
  llvm::Error decode();

  llvm::Expected<RunResult> run(const Launch &launch) const override;
  llvm::Expected<std::unique_ptr<Session>>
  debug(const Launch &launch, const std::array<uint32_t, 3> &workgroup) const override;
  const KernelImage &image() const override { return image_; }
  const Inst *at(uint64_t imageOffset) const override;
  std::string instructionAt(uint64_t imageOffset) const override;

  const Inst *entry() const { return at(image_.entryOffset); }
  /// Native code of the kernel; null as long as there is none.
  const jit::CompiledKernel *compiled() const { return compiled_.load(std::memory_order_acquire); }
  /// Compiles, or waits for the compilation that is in flight.
  llvm::Error compileNow() const;
  /// Compiles on a thread of its own, once; a failure leaves the kernel to the interpreter.
  void compileInBackground() const;
  /// Registers, counters and memory of every instruction; made when first asked for.
  const ProgramPlans &plans() const;
  /// Whether workgroups must run in order for the result to be the same every time.
  bool needsGroupOrder() const { return needsGroupOrder_; }

private:
  void decodeReachable(std::vector<uint32_t> work, KernelImage::Sweep sweep);
  void decodeFrom(uint32_t offset, KernelImage::Sweep sweep, std::vector<uint32_t> &targets);
  void resolveTargets();
  void findGroupOrder();

  KernelImage image_;
  std::vector<Inst> code_;
  std::vector<int32_t> index_; ///< Of the first operation at codeBegin + 4 * i, or -1.
  bool computesJump_ = false;  ///< Some decoded instruction jumps to an address in registers.
  bool needsGroupOrder_ = false;

  mutable std::once_flag planning_;
  mutable std::unique_ptr<ProgramPlans> plans_;
  mutable std::once_flag background_;
  mutable std::mutex compiling_;
  mutable std::unique_ptr<jit::CompiledKernel> native_;
  mutable std::atomic<const jit::CompiledKernel *> compiled_{nullptr};
  mutable std::future<void> backgroundDone_; ///< Its destructor waits.
  mutable pid_t backgroundOf_ = 0;           ///< The process that it belongs to.
};

} // namespace rdna::emu
