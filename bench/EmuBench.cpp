//===- EmuBench.cpp - speed of the emulator on one core -------------------===//
//
// Loops of one kind of instruction, 1024 trips of 64: what an instruction costs with all lanes
// active. The kernels of templates/ are measured with `hsaco-loader bench`.
//
//===----------------------------------------------------------------------===//
#include "Emu/Emulator.h"
#include "Object/CodeObject.h"

#include <benchmark/benchmark.h>

#include <string>

using namespace rdna;

namespace {

constexpr unsigned trips = 1024, unroll = 64;

std::unique_ptr<emu::Program> loopOf(const std::string &setup, std::string line(unsigned)) {
  std::string text = "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n"
                     "\t.amdhsa_code_object_version 5\n\t.text\n\t.protected k\n\t.globl k\n"
                     "\t.p2align 8\n\t.type k,@function\nk:\n\ts_load_b64 s[4:5], s[0:1], 0x0\n" +
                     setup + "\n\ts_movk_i32 s10, " + std::to_string(trips) + "\n.Lloop:\n";
  for (unsigned n = 0; n < unroll; ++n)
    text += "\t" + line(n) + "\n";
  text += "\ts_sub_u32 s10, s10, 1\n\ts_cmp_lg_u32 s10, 0\n\ts_cbranch_scc1 .Lloop\n\ts_endpgm\n"
          "\t.section .rodata,\"a\",@progbits\n\t.p2align 6\n\t.amdhsa_kernel k\n"
          "\t.amdhsa_next_free_vgpr 256\n\t.amdhsa_next_free_sgpr 32\n"
          "\t.amdhsa_group_segment_fixed_size 16384\n"
          "\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.amdhsa_kernarg_size 8\n"
          "\t.amdhsa_float_denorm_mode_32 3\n\t.end_amdhsa_kernel\n";
  auto object = object::loadCodeObjectBytes(text, "loop.s");
  if (!object)
    return llvm::consumeError(object.takeError()), nullptr;
  const object::Kernel &k = object->kernels.front();
  emu::KernelImage image;
  image.name = k.name;
  image.image = object->image;
  image.entryOffset = k.entryAddress;
  for (const auto &s : object->segments)
    if (s.kind == object::CodeObject::Segment::Kind::Code) {
      image.codeBegin = s.address;
      image.codeEnd = s.address + s.bytes;
    }
  image.rsrc1 = k.rsrc1;
  image.rsrc2 = k.rsrc2;
  image.codeProperties = k.codeProperties;
  image.ldsBytes = k.ldsBytes;
  auto program = emu::Program::create(std::move(image));
  if (!program)
    return llvm::consumeError(program.takeError()), nullptr;
  return std::move(*program);
}

/// `flops`: of one instruction over the wave; 0 leaves the rate out.
void measure(benchmark::State &state, const std::string &setup, std::string line(unsigned),
             double flops) {
  auto program = loopOf(setup, line);
  if (!program)
    return state.SkipWithError("the loop does not assemble");
  std::vector<std::byte> memory(1 << 16);
  uint64_t argument = reinterpret_cast<uint64_t>(memory.data());
  emu::Launch launch;
  launch.block = {32, 1, 1};
  launch.threads = 1;
  launch.kernarg = std::as_bytes(std::span(&argument, 1));
  launch.regions.push_back({"memory", memory.data(), memory.size()});
  for (auto _ : state) {
    auto result = program->run(launch);
    if (!result) {
      state.SkipWithError(llvm::toString(result.takeError()).c_str());
      return;
    }
    benchmark::DoNotOptimize(result->instructions);
  }
  double instructions = double(trips) * unroll * double(state.iterations());
  state.counters["ns/instruction"] = benchmark::Counter(
      instructions * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  if (flops > 0)
    state.counters["FLOP/s"] =
        benchmark::Counter(flops * instructions, benchmark::Counter::kIsRate);
}

std::string dualFmac(unsigned n) {
  unsigned d = 32 + 2 * n;
  auto v = [](unsigned r) { return "v" + std::to_string(r); };
  return "v_dual_fmac_f32 " + v(d) + ", " + v(4 + n % 8) + ", " + v(16 + n % 8) +
         " :: v_dual_fmac_f32 " + v(d + 1) + ", " + v(5 + n % 8) + ", " + v(17 + n % 8);
}
std::string fmaWithScalar(unsigned n) {
  return "v_fma_f32 v" + std::to_string(32 + n) + ", s4, v5, v6";
}
std::string addInteger(unsigned n) {
  return "v_add_nc_u32 v" + std::to_string(32 + n) + ", v5, v6";
}
std::string reciprocal(unsigned n) { return "v_rcp_f32 v" + std::to_string(32 + n) + ", v5"; }
std::string scalarAdd(unsigned) { return "s_add_u32 s12, s12, s13"; }
std::string ldsLoad64(unsigned n) {
  return "ds_load_b64 v[32:33], v1 offset:" + std::to_string(8 * n);
}
std::string ldsLoad128(unsigned n) {
  return "ds_load_b128 v[32:35], v2 offset:" + std::to_string(16 * n);
}
std::string globalLoad(unsigned n) {
  return "global_load_b32 v32, v3, s[4:5] offset:" + std::to_string(4 * n);
}
std::string globalLoad128(unsigned n) {
  return "global_load_b128 v[32:35], v4, s[4:5] offset:" + std::to_string(16 * n);
}

const std::string ids = "\tv_lshrrev_b32 v1, 2, v0\n\tv_lshlrev_b32 v1, 3, v1\n"
                        "\tv_and_b32 v2, 7, v0\n\tv_lshlrev_b32 v2, 4, v2\n"
                        "\tv_lshlrev_b32 v3, 2, v0\n\tv_lshlrev_b32 v4, 4, v0\n"
                        "\tv_mov_b32 v5, 1.0\n\tv_mov_b32 v6, 0.5\n";

BENCHMARK_CAPTURE(measure, dual_fmac_f32, ids, dualFmac, 128.0);
BENCHMARK_CAPTURE(measure, fma_f32_scalar_source, ids, fmaWithScalar, 64.0);
BENCHMARK_CAPTURE(measure, add_nc_u32, ids, addInteger, 0.0);
BENCHMARK_CAPTURE(measure, rcp_f32, ids, reciprocal, 0.0);
BENCHMARK_CAPTURE(measure, s_add_u32, ids, scalarAdd, 0.0);
BENCHMARK_CAPTURE(measure, ds_load_b64_broadcast, ids, ldsLoad64, 0.0);
BENCHMARK_CAPTURE(measure, ds_load_b128, ids, ldsLoad128, 0.0);
BENCHMARK_CAPTURE(measure, global_load_b32_contiguous, ids, globalLoad, 0.0);
BENCHMARK_CAPTURE(measure, global_load_b128_contiguous, ids, globalLoad128, 0.0);

} // namespace
