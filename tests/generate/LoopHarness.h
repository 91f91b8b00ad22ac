//===- LoopHarness.h - runs what was generated on the emulator --------------===//
#pragma once

#include "Analysis/Banks.h"
#include "Asm/Lane.h"
#include "Generate/LoopText.h"
#include "Support/Random.h"
#include "unit/EmuSnippet.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace rdna::test {

using namespace generate;

/// Buffers of dwords for one run; everything is addressed by one SGPR pair.
struct Harness {
  const LoopSpec &spec;
  const LoopMap &map;
  std::string text;
  void line(const std::string &s) { text += "\t" + s + "\n"; }
};

struct Inputs {
  std::vector<float> a, b, c; ///< A and B as LDS (or memory) has them, or by place and lane; C too.
};

inline unsigned dwordsOf(Source source, unsigned stride, unsigned elements, unsigned lanes,
                         unsigned steps) {
  if (source == Source::Vgpr)
    return elements * steps * 32;
  return stride / 4 * (steps - 1) + elements * (source == Source::Lds ? lanes : 1);
}

/// `count` dwords of a global array into LDS: by one lane each, 32 at a time.
inline void fillLds(Harness &h, unsigned count, unsigned from, unsigned to) {
  for (unsigned i = 0; i < count; i += 32) {
    h.line(fmt::format("v_mov_b32 v254, 0x{:x}", 4 * (from + i)));
    h.line("v_lshl_add_u32 v254, v255, 2, v254");
    h.line("global_load_b32 v253, v254, s[4:5]");
    h.line(fmt::format("v_mov_b32 v254, 0x{:x}", to + 4 * i));
    h.line("v_lshl_add_u32 v254, v255, 2, v254");
    h.line("s_waitcnt vmcnt(0)");
    h.line("ds_store_b32 v254, v253");
  }
  h.line("s_waitcnt lgkmcnt(0)");
}

inline void loadPlaces(Harness &h, const std::vector<ElementPlace> &places, unsigned from) {
  for (size_t i = 0; i < places.size(); ++i)
    for (const RegUnit reg : places[i].registers) {
      h.line(fmt::format("v_mov_b32 v254, 0x{:x}", 4 * (from + 32 * i)));
      h.line("v_lshl_add_u32 v254, v255, 2, v254");
      h.line(fmt::format("global_load_b32 {}, v254, s[4:5]", toString(reg)));
    }
}

/// The lane's row in v251, its column in v252; the addresses from them.
inline void setAddresses(Harness &h, unsigned bBase) {
  const unsigned shift = std::countr_zero(h.spec.laneColumns);
  h.line(fmt::format("v_lshrrev_b32 v251, {}, v255", shift));
  h.line(fmt::format("v_and_b32 v252, {}, v255", h.spec.laneColumns - 1));
  for (const LoopMap::Address &address : h.map.addresses) {
    if (!address.reg.first.isVgpr()) {
      h.line(fmt::format("s_mov_b64 {}, s[4:5]", toString(address.reg)));
      continue;
    }
    unsigned first = 0, lane = 0;
    char name = 0, side[8] = {};
    ASSERT_EQ(std::sscanf(address.what.c_str(), "LDS address of %c + %u + %u * the lane's %3s",
                          &name, &first, &lane, side),
              4);
    const std::string reg = toString(address.reg);
    h.line(fmt::format("v_mul_u32_u24 {}, {}, {}", reg, lane, name == 'A' ? "v251" : "v252"));
    h.line(fmt::format("v_add_nc_u32 {}, 0x{:x}, {}", reg, first + (name == 'B' ? bBase : 0), reg));
  }
}

inline std::string kernelText(const LoopSpec &spec, const LoopText &loop, const Inputs &in) {
  Harness h{spec, loop.map, {}};
  h.line("s_load_b64 s[4:5], s[0:1], 0x0");
  h.line("v_and_b32 v255, 31, v0");
  h.line("s_waitcnt lgkmcnt(0)");
  const unsigned bFrom = in.a.size(), cFrom = bFrom + in.b.size();
  const unsigned bBase = spec.tile.a == Source::Lds ? 4 * ((bFrom + 31) / 32 * 32) : 0;
  if (spec.tile.a == Source::Lds)
    fillLds(h, in.a.size(), 0, 0);
  if (spec.tile.b == Source::Lds)
    fillLds(h, in.b.size(), bFrom, bBase);
  if (spec.tile.a == Source::Vgpr)
    loadPlaces(h, loop.map.a, 0);
  if (spec.tile.b == Source::Vgpr)
    loadPlaces(h, loop.map.b, bFrom);
  loadPlaces(h, loop.map.before, cFrom);
  setAddresses(h, bBase);
  h.line("s_waitcnt vmcnt(0)");
  h.text += loop.text;
  for (size_t i = 0; i < loop.map.behind.size(); ++i) {
    h.line(fmt::format("v_mov_b32 v254, 0x{:x}", 4 * (cFrom + 32 * i)));
    h.line("v_lshl_add_u32 v254, v255, 2, v254");
    h.line(fmt::format("global_store_b32 v254, {}, s[4:5]",
                       toString(loop.map.behind[i].registers.front())));
  }
  h.line("s_endpgm");
  return h.text;
}

/// Element `index` of a side for a lane in a step.
inline size_t placeOf(Source source, unsigned stride, Interleave side, unsigned step,
                      unsigned index, unsigned sideLane, unsigned lane) {
  if (source == Source::Vgpr)
    return (size_t{step} * side.elements + index) * 32 + lane;
  if (source == Source::Scalar)
    return size_t{step} * stride / 4 + index;
  return size_t{step} * stride / 4 + side.position(index, sideLane);
}

inline std::vector<float> expected(const LoopSpec &spec, const Inputs &in) {
  std::vector<float> c = in.c;
  const Interleave rows{spec.tile.rows, spec.laneRows},
      columns{spec.tile.columns, spec.laneColumns};
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < spec.tile.rows; ++i)
      for (unsigned j = 0; j < spec.tile.columns; ++j)
        for (unsigned k = 0; k < spec.tile.steps; ++k) {
          float &sum = c[(size_t{i} * spec.tile.columns + j) * 32 + lane];
          sum = std::fma(in.a[placeOf(spec.tile.a, spec.aStride.value_or(0), rows, k, i,
                                      lane / spec.laneColumns, lane)],
                         in.b[placeOf(spec.tile.b, spec.bStride.value_or(0), columns, k, j,
                                      lane % spec.laneColumns, lane)],
                         sum);
        }
  return c;
}

/// Are all FMACs in pairs, without conflict and hazard, and are there no more instructions than
/// there have to be?
inline void checkCounts(const LoopSpec &spec, const LoopText &loop) {
  const LoopMap &m = loop.map;
  EXPECT_EQ(2 * m.pairs + m.singles, m.fmacs);
  EXPECT_EQ(m.singles, m.fmacs % 2);
  const unsigned waits =
      spec.tile.a == Source::Vgpr && spec.tile.b == Source::Vgpr ? 0 : spec.tile.steps;
  EXPECT_EQ(m.instructions, m.pairs + m.singles + m.loads + m.moves + waits);
  // At most half the FMACs, the loads and one more in a step.
  EXPECT_LE(2 * (m.pairs + m.singles + m.moves), m.fmacs + 2 * spec.tile.steps);
  auto module = Module::parse(loop.text, "loop.s");
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  unsigned lds = 0;
  for (const Instruction &inst : (*module)->instructions()) {
    lds += inst.unit == Unit::Lds;
    const auto halves = vopdHalves(inst);
    if (!halves)
      continue;
    EXPECT_EQ(sourceBankConflicts(halves->first, halves->second), 0u);
    EXPECT_FALSE(hasParityHazard(halves->first, halves->second));
  }
  const auto most = [&](Source source, unsigned elements) {
    return source == Source::Lds ? (elements + 1) / 2 : 0;
  };
  EXPECT_LE(lds, spec.tile.steps *
                     (most(spec.tile.a, spec.tile.rows) + most(spec.tile.b, spec.tile.columns)));
}

inline constexpr unsigned kLastOfLoop = 250; ///< The harness has the rest.

inline void checkLoop(LoopSpec asked) {
  asked.lastVgpr = kLastOfLoop;
  auto spec = checked(asked);
  if (!spec) { // Not all fit.
    llvm::consumeError(spec.takeError());
    return;
  }
  SCOPED_TRACE(fmt::format("{}x{} steps {} lanes {}x{} a {} b {} fragments {}", spec->tile.rows,
                           spec->tile.columns, spec->tile.steps, spec->laneRows, spec->laneColumns,
                           int(spec->tile.a), int(spec->tile.b), spec->tile.fragments));
  auto loop = generateLoop(asked);
  ASSERT_TRUE(bool(loop)) << llvm::toString(loop.takeError());
  checkCounts(*spec, *loop);
  Random random(spec->tile.rows * 1000 + spec->tile.columns);
  Inputs in;
  const auto fill = [&](std::vector<float> &values, size_t count) {
    values.resize(count);
    for (float &value : values)
      value = static_cast<float>(random.below(1 << 20)) / (1 << 19) - 1;
  };
  fill(in.a, dwordsOf(spec->tile.a, spec->aStride.value_or(0), spec->tile.rows, spec->laneRows,
                      spec->tile.steps));
  fill(in.b, dwordsOf(spec->tile.b, spec->bStride.value_or(0), spec->tile.columns,
                      spec->laneColumns, spec->tile.steps));
  fill(in.c, size_t{spec->tile.rows} * spec->tile.columns * 32);
  std::vector<float> all = in.a;
  all.insert(all.end(), in.b.begin(), in.b.end());
  all.insert(all.end(), in.c.begin(), in.c.end());
  all.resize(all.size() + 64); // fillLds() rounds up.
  auto program = emu::Program::create(kernelImage(
      kernelText(*spec, *loop, in), keepDenormals + "\t.amdhsa_group_segment_fixed_size 65536\n"));
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  uint64_t argument = reinterpret_cast<uint64_t>(all.data());
  emu::Launch launch;
  launch.block = {32, 1, 1};
  launch.kernarg = std::as_bytes(std::span(&argument, 1));
  launch.instructionBudget = 1000000;
  launch.delaySeed = 7;
  launch.regions.push_back(
      {"all", reinterpret_cast<std::byte *>(all.data()), all.size() * sizeof(float)});
  const std::vector<float> wanted = expected(*spec, in);
  auto run = (*program)->run(launch);
  ASSERT_TRUE(bool(run)) << llvm::toString(run.takeError());
  EXPECT_TRUE(run->outOfBounds.empty());
  const float *got = all.data() + in.a.size() + in.b.size();
  for (size_t i = 0; i < wanted.size(); ++i)
    ASSERT_EQ(std::bit_cast<uint32_t>(got[i]), std::bit_cast<uint32_t>(wanted[i]))
        << "element " << i / 32 << " of lane " << i % 32;
}

inline LoopSpec loopOf(unsigned rows, unsigned columns, unsigned steps, Source a, Source b,
                       unsigned laneRows, unsigned fragments) {
  LoopSpec spec;
  spec.tile.rows = rows;
  spec.tile.columns = columns;
  spec.tile.steps = steps;
  spec.tile.a = a;
  spec.tile.b = b;
  spec.tile.fragments = a == Source::Vgpr && b == Source::Vgpr ? 0 : fragments;
  spec.laneRows = laneRows;
  spec.laneColumns = 32 / laneRows;
  return spec;
}

} // namespace rdna::test
