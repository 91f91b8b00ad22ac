// Reading a file, against what `llvm-mc -filetype=null` does with it, in the same process and run:
// the third counter of BM_Parse is the ratio of the two, which must stay below 1.25.

#include "Asm/Module.h"
#include "Asm/Target.h"
#include "Support/File.h"

#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

using namespace rdna;

namespace {

/// The parse of llvm-mc with its null streamer.
bool parseAsLlvmMc(const std::string &text) {
  const McTarget &target = McTarget::get();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text), {});
  llvm::MCContext context(target.triple(), &target.asmInfo(), &target.registers(),
                          &target.subtarget(), &sources, &target.options());
  llvm::MCObjectFileInfo info;
  info.initMCObjectFileInfo(context, /*PIC=*/true);
  context.setObjectFileInfo(&info);
  const std::unique_ptr<llvm::MCStreamer> streamer(llvm::createNullStreamer(context));
  target.target().createNullTargetStreamer(*streamer);
  const std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, context, *streamer, target.asmInfo()));
  const std::unique_ptr<llvm::MCTargetAsmParser> targetParser(target.target().createMCAsmParser(
      target.subtarget(), *parser, target.instructions(), target.options()));
  parser->setTargetParser(*targetParser);
  return !parser->Run(/*NoInitialTextSection=*/false);
}

std::string kernelHead() {
  return "\t.text\n\t.globl\tk\n\t.p2align\t8\n\t.type\tk,@function\nk:\n";
}

std::string kernelTail() {
  return "\ts_endpgm\n\t.amdhsa_kernel k\n\t.amdhsa_next_free_vgpr 256\n\t.amdhsa_next_free_sgpr "
         "32\n\t.end_amdhsa_kernel\n";
}

/// Straight-line VALU code with addresses and loads between, `count` instructions.
std::string straightLine(int64_t count) {
  std::string text = kernelHead();
  for (int64_t i = 0; i < count / 4; ++i)
    text += fmt::format(
        "\tv_fmac_f32_e32 v{}, v{}, v{}\n\tv_add_nc_u32_e32 v{}, 64, v1\n"
        "\tglobal_load_b32 v{}, v[2:3], off offset:{}\n\ts_add_u32 s4, s4, 0x1000\n",
        8 + i % 64, 80 + i % 50, 140 + i % 50, 200 + i % 20, 220 + i % 20, 4 * (i % 512));
  return text + kernelTail();
}

/// Loops of eight instructions, one after the other: labels and blocks grow with the file.
std::string manyLoops(int64_t count) {
  std::string text = kernelHead();
  for (int64_t i = 0; i < count / 8; ++i)
    text +=
        fmt::format(".LBB0_{0}:\n\tv_fmac_f32_e32 v1, v2, v3\n"
                    "\tv_dual_fmac_f32 v4, v5, v6 :: v_dual_fmac_f32 v7, v8, v9\n"
                    "\ts_add_u32 s0, s0, 1\n\ts_cmp_lg_u32 s0, 4\n\tv_mov_b32_e32 v10, v11\n"
                    "\tds_load_b32 v1, v2\n\ts_waitcnt lgkmcnt(0)\n\ts_cbranch_scc1 .LBB0_{0}\n",
                    i);
  return text + kernelTail();
}

std::string compiledKernel(int64_t) {
  auto text = readInput(RDNA_KERNEL_DIR "/kernel5.clang-22.O3.s");
  if (text)
    return *text;
  llvm::consumeError(text.takeError());
  return {};
}

std::string corpus(int64_t) {
  auto text = readInput(RDNA_DATA_DIR "/roundtrip_corpus.s");
  if (text)
    return *text;
  llvm::consumeError(text.takeError());
  return {};
}

using Source = std::string (*)(int64_t);

/// Processor time of this thread: others on the machine do not count.
double cpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Alternates the two parsers, so that a busy machine slows both down alike.
void BM_Parse(benchmark::State &state, Source source) {
  const std::string text = source(state.range(0));
  if (text.empty()) {
    state.SkipWithError("input not built");
    return;
  }
  double own = 1e300, reference = 1e300;
  size_t instructions = 0;
  for (auto _ : state) {
    const double start = cpuSeconds();
    auto module = Module::parse(text, "bench.s");
    if (!module) {
      llvm::consumeError(module.takeError());
      state.SkipWithError("does not parse");
      return;
    }
    instructions = (*module)->instructions().size();
    module->reset();
    const double middle = cpuSeconds();
    if (!parseAsLlvmMc(text)) {
      state.SkipWithError("llvm-mc does not parse it");
      return;
    }
    own = std::min(own, middle - start);
    reference = std::min(reference, cpuSeconds() - middle);
  }
  state.counters["us_per_inst"] = own * 1e6 / static_cast<double>(instructions);
  state.counters["llvm_mc_us"] = reference * 1e6 / static_cast<double>(instructions);
  state.counters["ratio"] = own / reference;
}

} // namespace

BENCHMARK_CAPTURE(BM_Parse, kernel5, compiledKernel)->Arg(0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Parse, corpus, corpus)->Arg(0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Parse, straight_line, straightLine)
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Unit(benchmark::kMillisecond)
    ->MinTime(1.0);
BENCHMARK_CAPTURE(BM_Parse, loops, manyLoops)
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Unit(benchmark::kMillisecond)
    ->MinTime(1.0);
