// Interpreter and JIT agree bit for bit: random programs from the op table, with everything that a
// program can leave behind compared. RDNA_SEED and RDNA_PROGRAMS choose others than the default.

#include "RandomCode.h"
#include "Setting.h"

#include "unit/EmuSnippet.h"

#include <fmt/format.h>

namespace rdna::test::engineDiffTest {
namespace {

constexpr unsigned programsPerKernel = 200, bodyLength = 24;
constexpr unsigned inputRows = RegisterWindow::vgprs + 2, outputRows = RegisterWindow::vgprs + 1;
constexpr unsigned rowBytes = sizeof(Row), memoryBytes = 4096;

std::string words(const std::vector<uint32_t> &code) {
  std::string text;
  for (uint32_t w : code)
    text += fmt::format("\t.long {:#x}\n", w);
  return text;
}

/// Called before every program: loads every register of the window from its inputs.
std::string prologue() {
  std::string t = fmt::format(".Lprologue:\n\ts_mov_b32 exec_lo, -1\n\ts_round_mode 0\n"
                              "\ts_denorm_mode 15\n\ts_add_u32 s12, s12, {:#x}\n"
                              "\ts_addc_u32 s13, s13, 0\n",
                              inputRows * rowBytes);
  for (unsigned n = 0; n < 4; ++n)
    t += fmt::format("\ts_load_b512 s[{}:{}], s[12:13], {}\n", 16 + 16 * n, 31 + 16 * n, 64 * n);
  for (unsigned v = 0; v < RegisterWindow::vgprs; ++v)
    t += fmt::format("\tglobal_load_b32 v{}, v25, s[12:13] offset:{}\n", v, rowBytes * (v + 2));
  return t + "\ts_waitcnt vmcnt(0) lgkmcnt(0)\n\tv_and_b32 v24, 0x3fc, v3\n\ts_mov_b32 m0, 1\n"
             "\ts_mov_b32 vcc_lo, s20\n\ts_cmp_lt_i32 s21, 0\n\ts_setpc_b64 s[92:93]\n";
}

/// Called behind every program: stores the VGPRs, and sums of the scalar registers that a change of
/// any of them changes.
std::string epilogue() {
  std::string t = ".Lepilogue:\n\ts_cselect_b32 s80, 1, 0\n\ts_mov_b32 s81, exec_lo\n"
                  "\ts_mov_b32 exec_lo, -1\n\tv_mov_b32 v26, 0\n\tv_writelane_b32 v26, s80, 0\n"
                  "\tv_writelane_b32 v26, s81, 1\n\tv_writelane_b32 v26, vcc_lo, 2\n";
  for (unsigned group = 0; group < 4; ++group) {
    t += "\ts_mov_b32 s82, 0\n";
    for (unsigned n = 0; n < 16; ++n)
      t += fmt::format("\ts_lshl1_add_u32 s82, s82, s{}\n", 16 + 16 * group + n);
    t += fmt::format("\tv_writelane_b32 v26, s82, {}\n", 3 + group);
  }
  t +=
      fmt::format("\ts_add_u32 s14, s14, {:#x}\n\ts_addc_u32 s15, s15, 0\n", outputRows * rowBytes);
  for (unsigned v = 0; v < RegisterWindow::vgprs; ++v)
    t += fmt::format("\tglobal_store_b32 v25, v{}, s[14:15] offset:{}\n", v, rowBytes * v);
  return t + fmt::format("\tglobal_store_b32 v25, v26, s[14:15] offset:{}\n"
                         "\ts_setpc_b64 s[92:93]\n",
                         rowBytes * RegisterWindow::vgprs);
}

std::string programText(RandomCode &random, unsigned number) {
  std::string text = "\ts_call_b64 s[92:93], .Lprologue\n";
  // MODE other than the usual one now and then; with all lanes active most of the time.
  if (random.next(8) == 0)
    text +=
        fmt::format("\ts_round_mode {}\n\ts_denorm_mode {}\n", random.next(16), random.next(16));
  if (random.next(4) == 0)
    text += "\ts_mov_b32 exec_lo, s22\n";
  std::vector<uint32_t> code;
  if (random.next(4) == 0) {
    for (unsigned n = 0; n < 3 * bodyLength / 2; ++n)
      random.append(code, Kind::Loop);
    text += fmt::format("\ts_movk_i32 s84, {}\n.L{}:\n{}\ts_sub_u32 s84, s84, 1\n"
                        "\ts_cmp_lg_u32 s84, 0\n\ts_cbranch_scc1 .L{}\n",
                        1 + random.next(13), number, words(code), number);
  } else {
    for (unsigned n = 0; n < bodyLength; ++n)
      random.append(code, Kind::Any);
    text += words(code);
  }
  return text + "\ts_call_b64 s[92:93], .Lepilogue\n";
}

struct Outcome {
  std::vector<Row> rows;
  std::vector<uint32_t> memory;
  emu::RunResult run;
};

Outcome runWith(const emu::Program &program, emu::Engine engine, std::vector<Row> &inputs) {
  Outcome o;
  o.rows.resize(programsPerKernel * outputRows);
  o.memory.resize(memoryBytes / 4, 0x3f800000u);
  uint64_t arguments[] = {reinterpret_cast<uint64_t>(o.memory.data()), 0,
                          reinterpret_cast<uint64_t>(inputs.data()),
                          reinterpret_cast<uint64_t>(o.rows.data())};
  emu::Launch launch;
  launch.block = {32, 1, 1};
  launch.kernarg = std::as_bytes(std::span(arguments));
  launch.engine = engine;
  launch.threads = 1;
  auto region = [&](const char *name, auto &vector) {
    launch.regions.push_back(
        {name, reinterpret_cast<std::byte *>(vector.data()), vector.size() * sizeof(vector[0])});
  };
  region("memory", o.memory);
  region("inputs", inputs);
  region("rows", o.rows);
  auto result = program.run(launch);
  EXPECT_TRUE(bool(result)) << (result ? "" : llvm::toString(result.takeError()));
  if (result)
    o.run = *result;
  return o;
}

std::string listing(const emu::Program &program, unsigned number) {
  // Every program is preceded by a call and followed by one.
  std::string text;
  unsigned seen = 0;
  const emu::KernelImage &image = program.image();
  for (uint64_t at = image.entryOffset; at + 4 <= image.codeEnd;) {
    emu::Encoding e;
    std::memcpy(e.word.data(), image.image.data() + at,
                std::min<size_t>(sizeof e.word, image.codeEnd - at));
    const emu::Opcode *op = emu::findOpcode(e);
    std::string line = program.instructionAt(at);
    seen += line.starts_with("s_call_b64");
    if (seen == 2 * number + 1)
      text += "  " + line + "\n";
    at += op ? emu::encodedBytes(e, *op) : 4;
  }
  return text;
}

uint64_t loopsAtOnce = 0;

void compareKernel(uint64_t seed) {
  RandomCode random(seed);
  std::string text = "\ts_load_b256 s[4:11], s[0:1], 0x0\n\tv_and_b32 v25, 0x3ff, v0\n"
                     "\tv_lshlrev_b32 v25, 2, v25\n\ts_waitcnt lgkmcnt(0)\n";
  text += fmt::format("\ts_sub_u32 s12, s8, {0}\n\ts_subb_u32 s13, s9, 0\n"
                      "\ts_sub_u32 s14, s10, {1}\n\ts_subb_u32 s15, s11, 0\n",
                      inputRows * rowBytes, outputRows * rowBytes);
  for (unsigned n = 0; n < programsPerKernel; ++n)
    text += programText(random, n);
  auto program = emu::Program::create(
      kernelImage(text + "\ts_endpgm\n" + prologue() + epilogue(),
                  keepDenormals + "\t.amdhsa_group_segment_fixed_size 4096\n"));
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  std::vector<Row> inputs(programsPerKernel * inputRows);
  std::mt19937_64 values(seed ^ 0x9e3779b97f4a7c15u);
  constexpr uint32_t corners[] = {0,          0x80000000, 1,          0x807fffff, 0x7f800000,
                                  0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x3f800000,
                                  0xbf800000, 0x7fffffff, 0xffffffff, 0x3c007c01, 31};
  for (Row &row : inputs)
    for (uint32_t &x : row) {
      auto r = uint32_t(values());
      x = r % 4 == 0   ? corners[r / 4 % std::size(corners)]
          : r % 4 == 1 ? 0x3f000000u + (r >> 8) // Floats near 1.
                       : uint32_t(values());
    }
  Outcome a = runWith(**program, emu::Engine::Interpreter, inputs);
  Outcome b = runWith(**program, emu::Engine::Jit, inputs);
  EXPECT_EQ(a.run.compiledInstructions, 0u);
  EXPECT_GT(b.run.compiledInstructions, b.run.instructions / 4) << "little of it was compiled";
  loopsAtOnce += b.run.loopsAtOnce;
  EXPECT_EQ(a.run.instructions, b.run.instructions) << "seed " << seed;
  EXPECT_EQ(a.memory, b.memory) << "seed " << seed;
  ASSERT_EQ(a.run.outOfBounds.size(), b.run.outOfBounds.size()) << "seed " << seed;
  for (unsigned n = 0; n < programsPerKernel; ++n)
    for (unsigned row = 0; row < outputRows; ++row) {
      const Row &x = a.rows[n * outputRows + row], &y = b.rows[n * outputRows + row];
      for (unsigned l = 0; l < 32; ++l)
        ASSERT_EQ(x[l], y[l]) << fmt::format(
                                     "seed {}, program {}, v{} lane {}: {:#x}, compiled {:#x}\n",
                                     seed, n, row, l, x[l], y[l])
                              << listing(**program, n);
    }
}

/// Four parts, so that they can run side by side.
class EngineDiff : public testing::TestWithParam<unsigned> {};

TEST_P(EngineDiff, RandomPrograms) {
  const uint64_t seed = setting("RDNA_SEED", 1) + 1'000'000 * GetParam();
  const uint64_t programs = setting("RDNA_PROGRAMS", 400) / 4;
  for (uint64_t done = 0; done < programs && !HasFatalFailure(); done += programsPerKernel)
    compareKernel(seed + done);
  // A quarter of the programs are loops, and some of them have no choice but one iteration at a
  // time.
  EXPECT_GT(loopsAtOnce, programs / 16);
  std::printf("%llu programs of %u instructions, seed %llu\n", (unsigned long long)programs,
              bodyLength, (unsigned long long)seed);
}
INSTANTIATE_TEST_SUITE_P(Part, EngineDiff, testing::Range(0u, 4u));

} // namespace
} // namespace rdna::test::engineDiffTest
