//===- EmuBench.cpp - speed of the emulator on one core -------------------===//
//
// Loops of one kind of instruction, 1024 iterations of 64, with all lanes active: what an
// instruction costs interpreted and compiled, side by side. SgemmBench.cpp has whole kernels.
//
//===----------------------------------------------------------------------===//
#include "HostPeak.h"

#include "Emu/Emulator.h"
#include "Object/CodeObject.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

using namespace rdna;

namespace {

constexpr unsigned iterations = 1024, unroll = 64;

std::unique_ptr<emu::Program> loopOf(const std::string &setup, std::string line(unsigned)) {
  std::string text = "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n"
                     "\t.amdhsa_code_object_version 5\n\t.text\n\t.protected k\n\t.globl k\n"
                     "\t.p2align 8\n\t.type k,@function\nk:\n\ts_load_b64 s[4:5], s[0:1], 0x0\n" +
                     setup + "\n\ts_movk_i32 s10, " + std::to_string(iterations) + "\n.Lloop:\n";
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

/// The fastest of several runs: other work on the machine only ever makes it slower.
double nanosecondsPerInstruction(const emu::Program &program, emu::Engine engine) {
  std::vector<std::byte> memory(1 << 16);
  uint64_t argument = reinterpret_cast<uint64_t>(memory.data());
  emu::Launch launch;
  launch.block = {32, 1, 1};
  launch.threads = 1;
  launch.engine = engine;
  launch.kernarg = std::as_bytes(std::span(&argument, 1));
  launch.regions.push_back({"memory", memory.data(), memory.size()});
  double best = 1e30;
  for (unsigned n = 0; n < 5; ++n) {
    auto result = program.run(launch);
    if (!result) {
      llvm::consumeError(result.takeError());
      return 0;
    }
    best = std::min(best, result->seconds);
  }
  return best * 1e9 / (iterations * unroll);
}

/// `flops`: of one instruction over the wave; 0 leaves the share of the host's peak out.
void measure(benchmark::State &state, const std::string &setup, std::string line(unsigned),
             double flops) {
  auto program = loopOf(setup, line);
  if (!program)
    return state.SkipWithError("the loop does not assemble");
  for (auto _ : state) {
    double interpreted = nanosecondsPerInstruction(*program, emu::Engine::Interpreter);
    double compiled = nanosecondsPerInstruction(*program, emu::Engine::Jit);
    if (interpreted == 0 || compiled == 0)
      return state.SkipWithError("the loop does not run");
    state.counters["interpreter_ns"] = interpreted;
    state.counters["jit_ns"] = compiled;
    state.counters["faster"] = interpreted / compiled;
    state.counters["jit_Mlane/s"] = 32e3 / compiled;
    if (flops > 0)
      state.counters["jit_of_peak"] = flops / compiled / bench::hostPeakGflops();
  }
}

std::string dualFmac(unsigned n) {
  unsigned d = 32 + 2 * n;
  auto v = [](unsigned r) { return "v" + std::to_string(r); };
  return "v_dual_fmac_f32 " + v(d) + ", " + v(4 + n % 8) + ", " + v(16 + n % 8) +
         " :: v_dual_fmac_f32 " + v(d + 1) + ", " + v(5 + n % 8) + ", " + v(17 + n % 8);
}
std::string fmaWithScalar(unsigned n) {
  return "v_fma_f32 v" + std::to_string(32 + n) + ", s4, v5, v" + std::to_string(32 + n);
}
std::string addInteger(unsigned n) {
  return "v_add_nc_u32 v" + std::to_string(32 + n) + ", v5, v" + std::to_string(32 + n);
}
std::string reciprocal(unsigned n) {
  return "v_rcp_f32 v" + std::to_string(32 + n) + ", v" + std::to_string(32 + n);
}
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

/// "v_op v32.., v5" and the like: one text with the destination's number for '@'.
template <const char *const &text> std::string same(unsigned n) {
  std::string line = text;
  for (size_t at; (at = line.find('@')) != std::string::npos;)
    line.replace(at, 1, std::to_string(32 + 2 * (n % 32)));
  return line;
}

const std::string ids = "\tv_lshrrev_b32 v1, 2, v0\n\tv_lshlrev_b32 v1, 3, v1\n"
                        "\tv_and_b32 v2, 7, v0\n\tv_lshlrev_b32 v2, 4, v2\n"
                        "\tv_lshlrev_b32 v3, 2, v0\n\tv_lshlrev_b32 v4, 4, v0\n"
                        "\tv_mov_b32 v5, 1.0\n\tv_mov_b32 v6, 0.5\n\tv_mov_b32 v7, 0\n"
                        "\tv_mov_b32 v8, 0\n\tv_mov_b32 v9, 0x3ff80000\n\tv_mov_b32 v10, s4\n"
                        "\tv_mov_b32 v11, s5\n\ts_waitcnt lgkmcnt(0)\n\tv_mov_b32 v10, s4\n"
                        "\tv_mov_b32 v11, s5\n\ts_mov_b32 s8, s4\n\ts_mov_b32 s9, s5\n"
                        "\ts_mov_b32 s10, 0x10000\n\ts_mov_b32 s11, 0x31016000\n";

BENCHMARK_CAPTURE(measure, dual_fmac_f32, ids, dualFmac, 128.0)->Iterations(1);
BENCHMARK_CAPTURE(measure, fma_f32_scalar_source, ids, fmaWithScalar, 64.0)->Iterations(1);
BENCHMARK_CAPTURE(measure, add_nc_u32, ids, addInteger, 0.0)->Iterations(1);
BENCHMARK_CAPTURE(measure, rcp_f32, ids, reciprocal, 0.0)->Iterations(1);
BENCHMARK_CAPTURE(measure, s_add_u32, ids, scalarAdd, 0.0)->Iterations(1);
BENCHMARK_CAPTURE(measure, ds_load_b64_broadcast, ids, ldsLoad64, 0.0)->Iterations(1);
BENCHMARK_CAPTURE(measure, ds_load_b128, ids, ldsLoad128, 0.0)->Iterations(1);
BENCHMARK_CAPTURE(measure, global_load_b32_contiguous, ids, globalLoad, 0.0)->Iterations(1);
BENCHMARK_CAPTURE(measure, global_load_b128_contiguous, ids, globalLoad128, 0.0)->Iterations(1);

// One of every class of instruction, the dear ones of each: none may be slower than 50 million lane
// operations per second. Results are operands of the next iteration, so that none is dead.
#define CLASS(name, text)                                                                          \
  constexpr const char *name##_text = text;                                                        \
  const char *const name##_line = name##_text;                                                     \
  BENCHMARK_CAPTURE(measure, name, ids, same<name##_line>, 0.0)->Iterations(1)
CLASS(mul_f32_neg_abs, "v_mul_f32 v@, -|v@|, v6");
CLASS(fma_f32_clamp, "v_fma_f32 v@, v@, v6, v7 clamp");
CLASS(mov_b32_dpp16, "v_mov_b32_dpp v@, v@ row_shr:1 row_mask:0xf bank_mask:0xf");
CLASS(mov_b32_dpp8, "v_mov_b32_dpp v@, v@ dpp8:[7,6,5,4,3,2,1,0]");
CLASS(fma_f64, "v_fma_f64 v[@:@+1], v[8:9], v[8:9], v[@:@+1]");
CLASS(rcp_f64, "v_rcp_f64 v[@:@+1], v[@:@+1]");
CLASS(sqrt_f64, "v_sqrt_f64 v[@:@+1], v[@:@+1]");
CLASS(div_scale_f64, "v_div_scale_f64 v[@:@+1], vcc_lo, v[@:@+1], v[@:@+1], v[8:9]");
CLASS(div_fixup_f64, "v_div_fixup_f64 v[@:@+1], v[8:9], v[8:9], v[@:@+1]");
CLASS(trig_preop_f64, "v_trig_preop_f64 v[@:@+1], v[@:@+1], v7");
CLASS(ldexp_f64, "v_ldexp_f64 v[@:@+1], v[@:@+1], v7");
CLASS(exp_f32, "v_exp_f32 v@, v@");
CLASS(log_f32, "v_log_f32 v@, v@");
CLASS(sin_f32, "v_sin_f32 v@, v@");
CLASS(sin_f16, "v_sin_f16 v@.l, v@.l");
CLASS(fma_f16, "v_fma_f16 v@.l, v@.l, v6.l, v7.l");
CLASS(pk_fma_f16, "v_pk_fma_f16 v@, v@, v6, v7");
CLASS(fma_mix_f32, "v_fma_mix_f32 v@, v@, v6, v7 op_sel_hi:[1,0,0]");
CLASS(dot4_i32_iu8, "v_dot4_i32_iu8 v@, v5, v6, v@");
CLASS(wmma_f32_f16, "v_wmma_f32_16x16x16_f16 v[@:@+7], v[16:23], v[16:23], v[24:31]");
CLASS(wmma_i32_iu4, "v_wmma_i32_16x16x16_iu4 v[@:@+7], v[16:17], v[16:17], v[24:31]");
CLASS(mul_lo_u32, "v_mul_lo_u32 v@, v@, v6");
CLASS(mad_u64_u32, "v_mad_u64_u32 v[@:@+1], vcc_lo, v5, v6, v[@:@+1]");
CLASS(mqsad_u32_u8, "v_mqsad_u32_u8 v[@:@+3], v[8:9], v5, v[16:19]");
CLASS(cmp_lt_f32, "v_cmp_lt_f32 s12, v@, v6");
CLASS(cmpx_eq_u32, "v_cmpx_eq_u32 v5, v5");
CLASS(readlane, "v_readlane_b32 s12, v5, 3");
CLASS(permlane16, "v_permlane16_b32 v@, v5, s12, s13");
CLASS(saveexec, "s_or_saveexec_b32 s12, exec_lo");
CLASS(s_mul_hi, "s_mul_hi_u32 s12, s12, s14");
CLASS(s_load_b128, "s_load_b128 s[12:15], s[4:5], 0x0");
CLASS(ds_store_b32, "ds_store_b32 v3, v5");
CLASS(ds_add_rtn_u32, "ds_add_rtn_u32 v@, v3, v5");
CLASS(ds_bpermute, "ds_bpermute_b32 v@, v3, v5");
CLASS(ds_load_u8_d16, "ds_load_u8_d16 v@, v3");
CLASS(global_load_strided, "global_load_b32 v@, v4, s[4:5]");
CLASS(global_store_b128, "global_store_b128 v4, v[16:19], s[4:5]");
CLASS(global_atomic_add, "global_atomic_add_u32 v@, v3, v5, s[4:5] glc");
CLASS(flat_load_b32, "flat_load_b32 v@, v[10:11]");
CLASS(buffer_load_b32, "buffer_load_b32 v@, v3, s[8:11], 0 offen");
CLASS(buffer_load_format, "buffer_load_format_xyzw v[@:@+3], v3, s[8:11], 0 idxen");
#undef CLASS

} // namespace
