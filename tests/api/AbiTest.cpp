// The interface that programs were compiled against. Within one major version these numbers only
// ever get company: new members behind the last one, new values, new functions (exports.txt).
#include <rdna3emu.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <dlfcn.h>
#include <fstream>
#include <string>

static_assert(sizeof(void *) == 8, "the numbers are those of 64-bit hosts");

TEST(Abi, Version) {
  EXPECT_EQ(RDNA3EMU_VERSION_MAJOR, 1) << "a new major version starts with new numbers here";
  EXPECT_EQ(rdna3emu_version() >> 16, 1U);
}

TEST(Abi, Code) {
  EXPECT_EQ(sizeof(rdna3emu_code), 48U);
  EXPECT_EQ(offsetof(rdna3emu_code, struct_size), 0U);
  EXPECT_EQ(offsetof(rdna3emu_code, rsrc1), 4U);
  EXPECT_EQ(offsetof(rdna3emu_code, code), 8U);
  EXPECT_EQ(offsetof(rdna3emu_code, code_bytes), 16U);
  EXPECT_EQ(offsetof(rdna3emu_code, entry_offset), 24U);
  EXPECT_EQ(offsetof(rdna3emu_code, rsrc2), 32U);
  EXPECT_EQ(offsetof(rdna3emu_code, scratch_bytes), 36U);
  EXPECT_EQ(offsetof(rdna3emu_code, name), 40U);
}

TEST(Abi, KernelInfo) {
  EXPECT_EQ(sizeof(rdna3emu_kernel_info), 40U);
  EXPECT_EQ(offsetof(rdna3emu_kernel_info, struct_size), 0U);
  EXPECT_EQ(offsetof(rdna3emu_kernel_info, lds_bytes), 4U);
  EXPECT_EQ(offsetof(rdna3emu_kernel_info, scratch_bytes), 8U);
  EXPECT_EQ(offsetof(rdna3emu_kernel_info, kernarg_bytes), 12U);
  EXPECT_EQ(offsetof(rdna3emu_kernel_info, entry_offset), 16U);
  EXPECT_EQ(offsetof(rdna3emu_kernel_info, code_begin), 24U);
  EXPECT_EQ(offsetof(rdna3emu_kernel_info, code_end), 32U);
}

TEST(Abi, Region) { // An array element without struct_size: it can never grow.
  EXPECT_EQ(sizeof(rdna3emu_region), 32U);
  EXPECT_EQ(offsetof(rdna3emu_region, name), 0U);
  EXPECT_EQ(offsetof(rdna3emu_region, data), 8U);
  EXPECT_EQ(offsetof(rdna3emu_region, bytes), 16U);
  EXPECT_EQ(offsetof(rdna3emu_region, access), 24U);
  EXPECT_EQ(offsetof(rdna3emu_region, reserved), 28U);
}

TEST(Abi, Launch) {
  EXPECT_EQ(sizeof(rdna3emu_launch), 112U);
  EXPECT_EQ(offsetof(rdna3emu_launch, struct_size), 0U);
  EXPECT_EQ(offsetof(rdna3emu_launch, grid), 4U);
  EXPECT_EQ(offsetof(rdna3emu_launch, block), 16U);
  EXPECT_EQ(offsetof(rdna3emu_launch, dynamic_lds_bytes), 28U);
  EXPECT_EQ(offsetof(rdna3emu_launch, kernarg), 32U);
  EXPECT_EQ(offsetof(rdna3emu_launch, kernarg_bytes), 40U);
  EXPECT_EQ(offsetof(rdna3emu_launch, regions), 48U);
  EXPECT_EQ(offsetof(rdna3emu_launch, region_count), 56U);
  EXPECT_EQ(offsetof(rdna3emu_launch, instruction_budget), 64U);
  EXPECT_EQ(offsetof(rdna3emu_launch, threads), 72U);
  EXPECT_EQ(offsetof(rdna3emu_launch, memory), 76U);
  EXPECT_EQ(offsetof(rdna3emu_launch, engine), 80U);
  EXPECT_EQ(offsetof(rdna3emu_launch, reserved), 84U);
  EXPECT_EQ(offsetof(rdna3emu_launch, checks), 88U);
  EXPECT_EQ(offsetof(rdna3emu_launch, progress), 96U);
  EXPECT_EQ(offsetof(rdna3emu_launch, user), 104U);
}

TEST(Abi, Values) {
  EXPECT_EQ(RDNA3EMU_OK, 0);
  EXPECT_EQ(RDNA3EMU_FINDINGS, 1);
  EXPECT_EQ(RDNA3EMU_INVALID_ARGUMENT, -1);
  EXPECT_EQ(RDNA3EMU_UNIMPLEMENTED, -2);
  EXPECT_EQ(RDNA3EMU_UNDECODABLE, -3);
  EXPECT_EQ(RDNA3EMU_LEFT_CODE, -4);
  EXPECT_EQ(RDNA3EMU_BUDGET, -5);
  EXPECT_EQ(RDNA3EMU_TRAP, -6);
  EXPECT_EQ(RDNA3EMU_OUT_OF_MEMORY, -7);
  EXPECT_EQ(RDNA3EMU_INTERNAL, -8);
  EXPECT_EQ(RDNA3EMU_READ_WRITE, 0);
  EXPECT_EQ(RDNA3EMU_READ_ONLY, 1);
  EXPECT_EQ(RDNA3EMU_MEMORY_REGIONS, 0);
  EXPECT_EQ(RDNA3EMU_MEMORY_HOST, 1);
  EXPECT_EQ(RDNA3EMU_ENGINE_AUTO, 0);
  EXPECT_EQ(RDNA3EMU_ENGINE_INTERPRETER, 1);
  EXPECT_EQ(RDNA3EMU_ENGINE_JIT, 2);
  EXPECT_EQ(RDNA3EMU_WAVE_READY, 0);
  EXPECT_EQ(RDNA3EMU_WAVE_AT_BARRIER, 1);
  EXPECT_EQ(RDNA3EMU_WAVE_ENDED, 2);
  EXPECT_EQ(RDNA3EMU_WAVE_FAILED, 3);
  EXPECT_EQ(RDNA3EMU_PC, 0);
  EXPECT_EQ(RDNA3EMU_EXEC, 1);
  EXPECT_EQ(RDNA3EMU_VCC, 2);
  EXPECT_EQ(RDNA3EMU_SCC, 3);
  EXPECT_EQ(RDNA3EMU_M0, 4);
  EXPECT_EQ(RDNA3EMU_MODE, 5);
  EXPECT_EQ(RDNA3EMU_EXECUTED, 6);
}

/// Nothing that a program may have linked goes away. That there is nothing that the header does not
/// declare is api.exports.
TEST(Abi, Functions) {
  std::ifstream file(RDNA_ABI_EXPORTS);
  std::string name;
  unsigned count = 0;
  for (; file >> name; ++count)
    EXPECT_NE(dlsym(RTLD_DEFAULT, name.c_str()), nullptr) << name;
  EXPECT_GE(count, 28U);
}
