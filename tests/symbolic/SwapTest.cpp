// The rule behind operations that the proof takes to be commutative: with sources exchanged they
// give the same bits, zeros' signs included, or a NaN both times. Whose NaN it is may differ.

#include "Twin.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace rdna::test::swapTest {
namespace {

bool isNan(uint32_t x) { return (x & 0x7fffffff) > 0x7f800000; }

constexpr uint32_t kFloats[] = {0,          0x80000000, 1,          0x80000001, 0x3f800000,
                                0xbf800000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
                                0x7fc00001, 0xffc00002, 0x7f800001, 0xff800003, 0x00800000};

/// v2 and v3 as they are after the two orders of the operation, with every pair of floats.
template <class Check> void forAllPairs(const char *name, const Check &check) {
  Pool pool({fmt::format("{} v2, v0, v1", name), fmt::format("{} v3, v1, v0", name)});
  ASSERT_EQ(pool.size(), 2U) << name;
  emu::Wave &w = pool.wave();
  w.s[emu::regExec] = emu::fullExec;
  for (const uint32_t mode : {0x0f0U, 0x1f0U, 0x2f0U, 0x3f0U, 0x300U})
    for (const uint32_t a : kFloats) {
      w.setMode(mode);
      for (unsigned l = 0; l < kLanes; ++l) {
        w.v[0].lane[l] = a;
        w.v[1].lane[l] = kFloats[l % std::size(kFloats)];
        w.v[2].lane[l] = w.v[3].lane[l] = 0x40000000;
      }
      ASSERT_TRUE(pool.run(0) && pool.run(1));
      for (unsigned l = 0; l < kLanes; ++l)
        check(a, w.v[1].lane[l], w.v[2].lane[l], w.v[3].lane[l]);
    }
}

TEST(SymbolicSwap, SameBitsOrNan) {
  for (const char *name : {"v_fmac_f32_e32", "v_mul_f32_e32", "v_add_f32_e32", "v_max_f32_e32",
                           "v_min_f32_e32", "v_mul_dx9_zero_f32_e32", "v_dot2acc_f32_f16"})
    forAllPairs(name, [&](uint32_t a, uint32_t b, uint32_t one, uint32_t other) {
      EXPECT_TRUE(one == other || (isNan(one) && isNan(other)))
          << fmt::format("{} of {:#x} and {:#x}: {:#x}, swapped {:#x}", name, a, b, one, other);
    });
}

/// Only where both sources are NaN may it show, and only in V_MIN and V_MAX: the others make the
/// one NaN in the emulator.
TEST(SymbolicSwap, WhoseNanItIs) {
  for (const char *name : {"v_fmac_f32_e32", "v_mul_f32_e32", "v_add_f32_e32", "v_max_f32_e32",
                           "v_min_f32_e32", "v_mul_dx9_zero_f32_e32", "v_dot2acc_f32_f16"}) {
    const bool chooses = std::string_view(name).find("_m") != std::string_view::npos &&
                         std::string_view(name).find("mul") == std::string_view::npos;
    unsigned different = 0;
    forAllPairs(name, [&](uint32_t a, uint32_t b, uint32_t one, uint32_t other) {
      different += one != other;
      EXPECT_TRUE(one == other || (isNan(a) && isNan(b))) << name;
    });
    EXPECT_EQ(different > 0, chooses) << name;
  }
}

} // namespace
} // namespace rdna::test::swapTest
