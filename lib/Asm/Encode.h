//===- Encode.h - how long instructions are (private to lib/Asm, lib/Code) -===//
#pragma once

#include "Asm/Target.h"

#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCFixup.h"

namespace rdna {

class EncodedSizes {
public:
  explicit EncodedSizes(llvm::MCContext &context)
      : emitter_(McTarget::get().target().createMCCodeEmitter(McTarget::get().instructions(),
                                                              context)) {}
  /// In bytes. What value a symbol has does not matter.
  uint32_t of(const llvm::MCInst &inst) {
    code_.clear();
    fixups_.clear();
    emitter_->encodeInstruction(inst, code_, fixups_, McTarget::get().subtarget());
    return static_cast<uint32_t>(code_.size());
  }

private:
  std::unique_ptr<llvm::MCCodeEmitter> emitter_;
  llvm::SmallVector<char, 16> code_;
  llvm::SmallVector<llvm::MCFixup, 2> fixups_;
};

} // namespace rdna
