#include "Isa/Op.h"
#include "Isa/Register.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace isaOpTest {

using namespace rdna;

namespace {

struct Row {
  Op op;
  std::string_view name;
  Unit unit;
};

const Row kRows[] = {
#define RDNA_OP(name, unit, x, y, ...) {Op::name, #name, Unit::unit},
#include "Isa/Ops.def"
#undef RDNA_OP
};

TEST(IsaOp, NamesAreUniqueAndFoundAgain) {
  std::set<std::string_view> names;
  for (const Row &row : kRows) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(opByName(row.name), row.op) << row.name;
    EXPECT_EQ(opName(row.op), row.name);
    EXPECT_EQ(opUnit(row.op), row.unit) << row.name;
  }
  EXPECT_GT(names.size(), 1000u);
  EXPECT_EQ(opByName("v_no_such_thing"), Op::unknown);
  EXPECT_EQ(opByName(""), Op::unknown);
}

TEST(IsaOp, VopdOpcodesAreTheEncodings) {
  // ISA guide 7.6.
  EXPECT_EQ(vopdOpcodeX(Op::v_fmac_f32), 0);
  EXPECT_EQ(vopdOpcodeX(Op::v_mov_b32), 8);
  EXPECT_EQ(vopdOpcodeX(Op::v_dot2acc_f32_bf16), 13);
  EXPECT_EQ(vopdOpcodeX(Op::v_add_nc_u32), -1);
  EXPECT_EQ(vopdOpcodeY(Op::v_add_nc_u32), 16);
  EXPECT_EQ(vopdOpcodeY(Op::v_and_b32), 18);
  EXPECT_EQ(vopdOpcodeY(Op::v_fma_f32), -1);
}

TEST(IsaRegister, Names) {
  EXPECT_EQ(toString(RegRange{RegUnit::vgpr(5), 1}), "v5");
  EXPECT_EQ(toString(RegRange{RegUnit::vgpr(4), 4}), "v[4:7]");
  EXPECT_EQ(toString(RegRange{RegUnit::scalar(2), 2}), "s[2:3]");
  EXPECT_EQ(toString(RegRange{RegUnit::vgpr(3), 1, Half::High}), "v3.h");
  EXPECT_EQ(toString(RegRange{kVccLo, 1}), "vcc_lo");
  EXPECT_EQ(toString(RegRange{kVccLo, 2}), "vcc");
  EXPECT_EQ(toString(RegRange{kExecLo, 2}), "exec");
  EXPECT_EQ(toString(kScc), "scc");
  EXPECT_EQ(toString(RegUnit::scalar(109)), "ttmp1");
}

TEST(IsaRegister, RangesOverlapByUnit) {
  const RegRange four{RegUnit::vgpr(4), 4}, seven{RegUnit::vgpr(7), 1}, eight{RegUnit::vgpr(8), 1};
  EXPECT_TRUE(four.overlaps(seven));
  EXPECT_FALSE(four.overlaps(eight));
  EXPECT_TRUE(four.contains(RegUnit::vgpr(4)));
  EXPECT_FALSE(four.contains(RegUnit::scalar(4)));
}

} // namespace

} // namespace isaOpTest
