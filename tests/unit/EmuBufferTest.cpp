//===- EmuBufferTest.cpp - buffer resources and typed buffers -------------===//
//
// Expected values are worked out by hand from the resource's definition and the meaning of the
// formats.
//
//===----------------------------------------------------------------------===//
#include "EmuSnippet.h"

#include <algorithm>
#include <cmath>

namespace emuBufferTest {

using namespace rdna::test;

namespace {

using Quad = std::array<uint32_t, 4>;

constexpr uint32_t identity = 4 | 5 << 3 | 6 << 6 | 7 << 9; // DST_SEL: X, Y, Z, W.
constexpr uint32_t raw = 3u << 28;                          // OOB_SELECT
constexpr uint32_t one = 0x3f800000;

struct Resource {
  uint32_t stride = 16, records = 32, word3 = identity;
  unsigned elementSize = 0; ///< The field: 1 4 bytes, 2 8 bytes, 3 16 bytes.
};

/// s[12:15] describes the memory behind `base`, s[6:7] the inputs or s[4:5] the outputs.
std::string describe(const Resource &r, unsigned base) {
  auto s = [](uint32_t x) { return std::to_string(x); };
  return "s_mov_b32 s12, s" + s(base) + "\ns_and_b32 s13, s" + s(base + 1) +
         ", 0xffff\ns_or_b32 s13, s13, " + s(r.stride << 16 | r.elementSize << 30) +
         "\ns_mov_b32 s14, " + s(r.records) + "\ns_mov_b32 s15, " + s(r.word3) + "\n";
}

/// Loads with v255 / 4 = lane as index; memory is what `inputs` hold, one row after the other.
Quad load(const std::string &instruction, const Resource &r, Quad memory, unsigned lane = 0) {
  Snippet s;
  s.inputs.resize(4);
  for (unsigned k = 0; k < 4; ++k)
    s.inputs[lane * 4 / 32][(lane * 4 + k) % 32] = memory[k];
  s.outputs = 4;
  s.body = describe(r, 6) + "v_lshrrev_b32 v20, 2, v255\n";
  for (unsigned k = 0; k < 4; ++k)
    s.body += "v_mov_b32 v" + std::to_string(100 + k) + ", 0xdeadbeef\n";
  s.body += instruction;
  SnippetResult x = run(s);
  return {x[0][lane], x[1][lane], x[2][lane], x[3][lane]};
}

Quad loadFormat(const std::string &format, Quad memory) {
  return load("tbuffer_load_format_xyzw v[100:103], v20, s[12:15], 0 format:[BUF_FMT_" + format +
                  "] idxen",
              {}, memory, 3);
}

TEST(EmuTypedBuffer, LoadsConvert) {
  const uint32_t x = 0xdeadbeef; // Behind the element: must not matter.
  EXPECT_EQ(loadFormat("8_UNORM", {0xffffff80, x, x, x}), (Quad{0x3f008081, 0, 0, one}));
  EXPECT_EQ(loadFormat("8_SNORM", {0xffffff80, x, x, x}), (Quad{f32(-1), 0, 0, one}));
  EXPECT_EQ(loadFormat("8_8_SNORM", {0xffff7f81, x, x, x}), (Quad{f32(-1), one, 0, one}));
  EXPECT_EQ(loadFormat("8_8_USCALED", {0xffffff07, x, x, x}), (Quad{f32(7), f32(255), 0, one}));
  EXPECT_EQ(loadFormat("8_SSCALED", {0x00000080, x, x, x}), (Quad{f32(-128), 0, 0, one}));
  EXPECT_EQ(loadFormat("8_8_8_8_UINT", {0x01fe03ff, x, x, x}), (Quad{0xff, 3, 0xfe, 1}));
  EXPECT_EQ(loadFormat("8_8_8_8_SINT", {0x01fe03ff, x, x, x}), (Quad{~0u, 3, ~1u, 1}));
  EXPECT_EQ(loadFormat("16_SINT", {0x12348000, x, x, x}), (Quad{0xffff8000, 0, 0, 1}));
  EXPECT_EQ(loadFormat("16_16_FLOAT", {0xc0003c00, x, x, x}), (Quad{one, f32(-2), 0, one}));
  EXPECT_EQ(loadFormat("16_16_16_16_UNORM", {0x0000ffff, 0xffff8000, x, x}),
            (Quad{one, 0, f32(32768.0f / 65535), one}));
  EXPECT_EQ(loadFormat("32_FLOAT", {0x00000001, x, x, x}), (Quad{1, 0, 0, one}));
  EXPECT_EQ(loadFormat("32_32_UINT", {7, 0xffffffff, x, x}), (Quad{7, 0xffffffff, 0, 1}));
  EXPECT_EQ(loadFormat("32_32_32_SINT", {7, 8, 9, x}), (Quad{7, 8, 9, 1}));
  EXPECT_EQ(loadFormat("32_32_32_32_FLOAT", {7, 8, 9, 10}), (Quad{7, 8, 9, 10}));
}

TEST(EmuTypedBuffer, PackedComponentsCountFromTheLowestBit) {
  // 1023, 0, 512 and 3 in R10G10B10A2.
  EXPECT_EQ(loadFormat("2_10_10_10_UNORM", {0xe00003ff, 0, 0, 0}),
            (Quad{one, 0, f32(512.0f / 1023), one}));
  EXPECT_EQ(loadFormat("2_10_10_10_SINT", {0x80000200, 0, 0, 0}), (Quad{~511u, 0, 0, ~1u}));
  // 2 bits first: 3, 1, 2, 1023.
  EXPECT_EQ(loadFormat("10_10_10_2_UINT", {0xffc00000 | 2 << 12 | 1 << 2 | 3, 0, 0, 0}),
            (Quad{3, 1, 2, 1023}));
  // 1.0 = 15 << 6, 2.0 = 16 << 6 (both 11 bits), 0.5 = 14 << 5 (10 bits).
  EXPECT_EQ(loadFormat("10_11_11_FLOAT", {0x3c0 | 0x400 << 11 | 0x1c0u << 22, 0, 0, 0}),
            (Quad{one, f32(2), f32(0.5f), one}));
  EXPECT_EQ(loadFormat("11_11_10_FLOAT", {0x1c0 | 0x400 << 10 | 0x3c0u << 21, 0, 0, 0}),
            (Quad{f32(0.5f), f32(2), one, one}));
  // The smallest denormal of 11 bits: 2^-14 / 64; infinity; a NaN.
  EXPECT_EQ(loadFormat("10_11_11_FLOAT", {1 | 0x7c0 << 11 | 0x3ffu << 22, 0, 0, 0}),
            (Quad{f32(0x1p-20f), infinity, quietNan, one}));
}

TEST(EmuTypedBuffer, D16) {
  const uint32_t old = 0xdeadbeef;
  auto d16 = [](const std::string &suffix, const std::string &registers, const std::string &format,
                Quad memory) {
    return load("tbuffer_load_d16_format_" + suffix + " " + registers +
                    ", v20, s[12:15], 0 format:[BUF_FMT_" + format + "] idxen",
                {}, memory);
  };
  EXPECT_EQ(d16("x", "v100", "8_UNORM", {0xff}), (Quad{0xdead3c00, old, old, old}));
  EXPECT_EQ(d16("xyz", "v[100:101]", "32_32_32_FLOAT", {one, f32(-2), f32(65536)}),
            (Quad{0xc0003c00, 0xdead7c00, old, old}));
  EXPECT_EQ(d16("xyzw", "v[100:101]", "16_16_SINT", {0x80007fff}),
            (Quad{0x80007fff, 0x00010000, old, old}));
  EXPECT_EQ(load("buffer_load_d16_hi_format_x v100, v20, s[12:15], 0 idxen",
                 {.word3 = identity | 13 << 12}, {0x3c00}),
            (Quad{0x3c00beef, old, old, old}));
}

TEST(EmuTypedBuffer, MubufTakesFormatAndSelectionFromTheResource) {
  Resource r{.word3 = 7 | 1 << 3 | 0 << 6 | 4 << 9 | 46 << 12}; // W, 1, 0, X of 8_8_8_8_UINT
  const std::string all = "buffer_load_format_xyzw v[100:103], v20, s[12:15], 0 idxen";
  EXPECT_EQ(load(all, r, {0x44332211}), (Quad{0x44, 1, 0, 0x11}));
  r.word3 = 7 | 1 << 3 | 0 << 6 | 4 << 9 | 42 << 12; // The same of 8_8_8_8_UNORM
  EXPECT_EQ(load(all, r, {0xff332200}), (Quad{one, one, 0, 0}));
  r.word3 = identity; // BUF_FMT_INVALID
  EXPECT_EQ(load(all, r, {0xff332200}), (Quad{0, 0, 0, 0}));
  // Out of the resource's bounds everything is 0, also W.
  EXPECT_EQ(load(all, {.records = 3, .word3 = identity | 42 << 12}, {0xff332200}, 3), Quad{});
  // TFE: the status behind the components that are loaded.
  EXPECT_EQ(load("buffer_load_format_xy v[100:102], v20, s[12:15], 0 idxen tfe",
                 {.word3 = identity | 48 << 12}, {7, 8}),
            (Quad{7, 8, 0, 0xdeadbeef}));
}

/// Stores v1..v4, which hold `values` in every lane, as element `lane`; what lane 5 left in memory.
Quad store(const std::string &mnemonic, const std::string &format, Quad values) {
  Snippet s;
  for (uint32_t v : values)
    s.inputs.push_back(broadcast(v));
  s.outputs = 4;
  std::string count = mnemonic.ends_with("xyzw") ? "[1:4]"
                      : mnemonic.ends_with("x")  ? "1"
                                                 : "[1:2]";
  // The outputs are the buffer; they are read back before the snippet's end writes them.
  s.body = describe({}, 4) + "v_lshrrev_b32 v20, 2, v255\nv_lshlrev_b32 v21, 4, v20\n";
  s.body +=
      "v_mov_b32 v22, 0x55555555\nv_mov_b32 v23, v22\nv_mov_b32 v24, v22\nv_mov_b32 v25, v22\n";
  s.body += "global_store_b128 v21, v[22:25], s[4:5]\n" + mnemonic + " v" + count +
            ", v20, s[12:15], 0 format:[BUF_FMT_" + format + "] idxen\n";
  s.body += "global_load_b128 v[100:103], v21, s[4:5]";
  SnippetResult x = run(s);
  return {x[0][5], x[1][5], x[2][5], x[3][5]};
}

TEST(EmuTypedBuffer, StoresConvert) {
  const uint32_t kept = 0x55555555;
  const std::string all = "tbuffer_store_format_xyzw";
  // 0.5 * 255 = 127.5 goes to the even 128; beyond the range it saturates, NaN is 0.
  EXPECT_EQ(store(all, "8_8_8_8_UNORM", {f32(0.5f), f32(2), f32(-1), quietNan}),
            (Quad{0x0000ff80, kept, kept, kept}));
  EXPECT_EQ(store(all, "8_8_8_8_SNORM", {f32(1), f32(-1), f32(-7), f32(0.5f)}),
            (Quad{0x4081817f, kept, kept, kept})); // 63.5 goes to 64
  EXPECT_EQ(store(all, "8_8_8_8_UINT", {300, 255, 0, 7}), (Quad{0x0700ffff, kept, kept, kept}));
  EXPECT_EQ(store(all, "8_8_8_8_SINT", {300, ~0u, ~999u, 7}), (Quad{0x0780ff7f, kept, kept, kept}));
  EXPECT_EQ(store(all, "16_16_SSCALED", {f32(-2.5f), f32(1e9f), 0, 0}),
            (Quad{0x7ffffffe, kept, kept, kept}));
  EXPECT_EQ(store(all, "16_FLOAT", {f32(1), 0, 0, 0}), (Quad{0x55553c00, kept, kept, kept}));
  EXPECT_EQ(store(all, "10_11_11_FLOAT", {f32(1), f32(-3), f32(1e9f), 0}),
            (Quad{0x3c0 | 0x3e0u << 22, kept, kept, kept}));
  EXPECT_EQ(store(all, "2_10_10_10_UNORM", {f32(1), 0, 0, f32(1)}),
            (Quad{0xc00003ff, kept, kept, kept}));
  EXPECT_EQ(store(all, "32_32_32_32_UINT", {1, 2, 3, 4}), (Quad{1, 2, 3, 4}));
  // One component: the others of the element stay.
  EXPECT_EQ(store("tbuffer_store_format_x", "8_8_8_8_UINT", {1, 2, 3, 4}),
            (Quad{0x55555501, kept, kept, kept}));
  EXPECT_EQ(store("tbuffer_store_d16_format_xyz", "16_16_16_16_FLOAT", {0x40003c00, 0x77774400}),
            (Quad{0x40003c00, 0x55554400, kept, kept}));
  EXPECT_EQ(store("tbuffer_store_d16_format_x", "8_SINT", {0x1234ff80}),
            (Quad{0x55555580, kept, kept, kept}));
}

const Row memoryRow = byLane([](uint32_t l) { return 0x1000 + l; });

/// One row of what `instruction` loads into v100, from four rows 0x1000, 0x1001, ...
Row loadDwords(const std::string &instruction, const Resource &r, unsigned result = 0) {
  Snippet s;
  for (unsigned k = 0; k < 4; ++k)
    s.inputs.push_back(byLane([k](uint32_t l) { return 0x1000 + 32 * k + l; }));
  s.outputs = 4;
  s.body = describe(r, 6) + "v_lshrrev_b32 v20, 2, v255\nv_mov_b32 v21, 4\n" + instruction;
  return run(s)[result];
}

TEST(EmuBuffer, StructuresAndSwizzling) {
  // Index v20 = lane, offset v21 = 4: stride 16 means dword 4 * lane + 1.
  const std::string both = "buffer_load_b32 v100, v[20:21], s[12:15], 0 idxen offen";
  EXPECT_EQ(loadDwords(both, {}), byLane([](uint32_t l) { return 0x1001 + 4 * l; }));
  // Element size 4, index stride 8: eight structures side by side, dword by dword; index 9, offset
  // 4 is byte ((9 / 8) * 16 + 4) * 8 + 1 * 4 = 164.
  Row swizzled = loadDwords(both, {.word3 = identity, .elementSize = 1});
  EXPECT_EQ(swizzled[9], 0x1000u + 164 / 4);
  EXPECT_EQ(swizzled[0], 0x1000u + 8);
  EXPECT_EQ(swizzled[31], 0x1000u + (3 * 16 + 4) * 8 / 4 + 7);
  // Element size 8, index stride 16: index 17, offset 4 is (16 + 0) * 16 + 1 * 8 + 4.
  Row wider = loadDwords(both, {.word3 = identity | 1 << 21, .elementSize = 2});
  EXPECT_EQ(wider[17], 0x1000u + (16 * 16 + 8 + 4) / 4);
  // Four dwords of a structure with element size 4 lie 32 bytes apart.
  EXPECT_EQ(loadDwords("buffer_load_b128 v[100:103], v20, s[12:15], 0 idxen",
                       {.word3 = identity, .elementSize = 1}, 3)[9],
            0x1000u + ((16 + 12) * 8 + 4) / 4);
}

TEST(EmuBuffer, LaneIdAsIndex) {
  EXPECT_EQ(
      loadDwords("buffer_load_b32 v100, v21, s[12:15], 0 offen", {.word3 = identity | 1 << 23}),
      byLane([](uint32_t l) { return 0x1001 + 4 * l; }));
}

TEST(EmuBuffer, BoundsModes) {
  const std::string both = "buffer_load_b32 v100, v[20:21], s[12:15], 0 idxen offen offset:8";
  auto upTo = [](uint32_t n) {
    return byLane([n](uint32_t l) { return l < n ? 0x1003 + 4 * l : 0; });
  };
  EXPECT_EQ(loadDwords(both, {.records = 5}), upTo(5));
  // Offset 12 of a structure of 12 bytes is outside, unless only the index counts.
  EXPECT_EQ(loadDwords(both, {.stride = 12, .records = 5}), broadcast(0));
  EXPECT_EQ(loadDwords(both, {.stride = 12, .records = 5, .word3 = 1u << 28})[2], 0x1000u + 36 / 4);
  // Mode 2 only asks whether there are records at all, mode 3 counts bytes.
  EXPECT_EQ(loadDwords(both, {.records = 1, .word3 = 2u << 28}), upTo(32));
  EXPECT_EQ(loadDwords(both, {.records = 0, .word3 = 2u << 28}), broadcast(0));
  EXPECT_EQ(
      loadDwords("buffer_load_b32 v100, v255, s[12:15], 0 offen", {.records = 20, .word3 = raw}),
      byLane([](uint32_t l) { return l < 5 ? 0x1000 + l : 0; }));
}

TEST(EmuBuffer, DwordsAreCheckedOneByOne) {
  Resource r{.stride = 0, .records = 20, .word3 = raw};
  const std::string load = "buffer_load_b128 v[100:103], v255, s[12:15], 0 offen";
  EXPECT_EQ(loadDwords(load, r, 0)[4], 0x1004u);
  EXPECT_EQ(loadDwords(load, r, 1)[4], 0u);
  EXPECT_EQ(loadDwords(load, r, 3)[1], 0x1004u);
  // The destination may hold the address.
  EXPECT_EQ(
      loadDwords("v_mov_b32 v100, 8\nbuffer_load_b96 v[100:102], v100, s[12:15], 0 offen", r, 1)[0],
      0x1003u);
}

} // namespace

} // namespace emuBufferTest
