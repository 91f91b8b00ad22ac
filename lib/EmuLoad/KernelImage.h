//===- KernelImage.h - from a code object to what the emulator runs -------===//
#pragma once

#include "Emu/Emulator.h"
#include "Object/CodeObject.h"

namespace rdna {

/// The kernel with the code object's whole image around it, as a loader places it.
emu::KernelImage kernelImage(const object::CodeObject &object, const object::Kernel &kernel);

} // namespace rdna
