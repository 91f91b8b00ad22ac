// The JIT finds the functions of the handler tables in its bitcode.

#include "Emu/Jit/Semantics.h"
#include "Emu/Opcodes.h"

#include "llvm/IR/LLVMContext.h"

#include <gtest/gtest.h>

namespace emuJitSemanticsTest {

namespace {

using namespace rdna::emu;

TEST(EmuJitSemantics, HasEveryLaneFunction) {
  llvm::LLVMContext context;
  auto semantics = jit::Semantics::load(context);
  ASSERT_TRUE(bool(semantics));
  size_t found = 0;
  for (const Opcode &row : opcodes()) {
    const OpInfo *info = findOp(rdna::opName(row.op));
    if (!info || info->shape == Shape::Raw || row.format == Format::Vopd)
      continue;
    const bool isLane = info->shape <= Shape::Packed;
    const bool isScalar = info->shape == Shape::Salu && row.format == Format::Sopc;
    if (!isLane && !isScalar)
      continue;
    EXPECT_TRUE((*semantics)->has(info->name)) << info->name;
    ++found;
  }
  EXPECT_GT(found, 700u);
}

} // namespace

} // namespace emuJitSemanticsTest
