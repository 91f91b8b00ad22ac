#include "Timing/Calibrate.h"

#include "Run/Bench.h"
#include "Timing/Predict.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace rdna::timing {
namespace {

/// Each: v0 is 16 times the lane's number, s2 counts iterations.
constexpr std::string_view head = R"(	.text
	.globl probe
	.p2align 8
	.type probe,@function
probe:
	v_and_b32_e32 v0, 31, v0
	v_lshlrev_b32_e32 v0, 4, v0
	s_movk_i32 s2, 500
.Lloop:
)";

constexpr std::string_view tail = R"(	s_sub_i32 s2, s2, 1
	s_cmp_lg_u32 s2, 0
	s_cbranch_scc1 .Lloop
	s_endpgm
.Lend:
	.size probe, .Lend-probe
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel probe
	.amdhsa_group_segment_fixed_size 4096
	.amdhsa_user_sgpr_count 2
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_wavefront_size32 1
	.amdhsa_workgroup_processor_mode 0
	.amdhsa_next_free_vgpr 64
	.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx1100
amdhsa.kernels:
  - .name: probe
    .symbol: probe.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 4
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .max_flat_workgroup_size: 256
    .sgpr_count: 16
    .vgpr_count: 64
...
	.end_amdgpu_metadata
)";

/// Small instructions that nothing holds up: one a clock.
constexpr std::string_view clockBody = R"(	.rept 32
	v_xor_b32_e32 v16, v4, v5
	v_xor_b32_e32 v17, v6, v7
	v_xor_b32_e32 v18, v4, v5
	v_xor_b32_e32 v19, v6, v7
	.endr
)";

/// Pairs of 12 bytes without conflicts, more than an instruction buffer holds.
constexpr std::string_view fetchBody = R"(	.rept 512
	v_dual_fmamk_f32 v16, v4, 0x3f800001, v2 :: v_dual_fmamk_f32 v17, v5, 0x3f800001, v3
	.endr
)";

/// Two of the four factors in one bank, and two in another.
constexpr std::string_view bankBody = R"(	.rept 16
	v_dual_fmac_f32 v16, v4, v9 :: v_dual_fmac_f32 v17, v5, v8
	v_dual_fmac_f32 v18, v4, v9 :: v_dual_fmac_f32 v19, v5, v8
	v_dual_fmac_f32 v20, v4, v9 :: v_dual_fmac_f32 v21, v5, v8
	v_dual_fmac_f32 v22, v4, v9 :: v_dual_fmac_f32 v23, v5, v8
	v_dual_fmac_f32 v24, v4, v9 :: v_dual_fmac_f32 v25, v5, v8
	v_dual_fmac_f32 v26, v4, v9 :: v_dual_fmac_f32 v27, v5, v8
	v_dual_fmac_f32 v28, v4, v9 :: v_dual_fmac_f32 v29, v5, v8
	v_dual_fmac_f32 v30, v4, v9 :: v_dual_fmac_f32 v31, v5, v8
	.endr
)";

constexpr std::string_view ldsBody = R"(	.rept 16
	ds_load_b128 v[16:19], v0
	.endr
	s_waitcnt lgkmcnt(0)
)";

struct Probe {
  Constant constant;
  double low, high; ///< Searched.
  std::string_view body;
};

constexpr Probe probes[] = {{Constant::ClockShare, 0.3, 2, clockBody},
                            {Constant::FetchBytes, 4, 32, fetchBody},
                            {Constant::BankPenalty, 0, 4, bankBody},
                            {Constant::LdsWidePass, 0.5, 4, ldsBody}};

/// The value in the probe's range with which `predicted` is `milliseconds`; it rises or falls all
/// the way.
void search(const Probe &probe, const std::function<double(double)> &predicted, Settled &settled) {
  double low = probe.low, high = probe.high;
  const bool rises = predicted(high) > predicted(low);
  const auto tooLow = [&](double value) {
    return (predicted(value) < settled.milliseconds) == rises;
  };
  if (!tooLow(low) || tooLow(high)) {
    settled.found = tooLow(low) ? high : low;
    settled.where = Settled::Where::Beyond;
    return;
  }
  constexpr unsigned halvings = 14;
  for (unsigned n = 0; n < halvings; ++n) {
    const double middle = (low + high) / 2;
    (tooLow(middle) ? low : high) = middle;
  }
  settled.found = (low + high) / 2;
}

run::ResolvedLaunch launchOn(const Machine &machine) {
  run::ResolvedLaunch launch;
  launch.kernel = "probe";
  constexpr unsigned groupsOfUnit = 4; // Of 8 waves each: 16 for each SIMD.
  launch.grid = {machine.device().cus * groupsOfUnit, 1, 1};
  launch.block = {256, 1, 1};
  return launch;
}

llvm::Expected<Settled> settle(const Probe &probe, run::Backend &backend, const Machine &machine,
                               const run::RunOptions &options) {
  const std::string text = std::string(head) + std::string(probe.body) + std::string(tail);
  const std::string name(rowOf(probe.constant).name);
  auto object = object::loadCodeObjectBytes(text, "probe of " + name);
  if (!object)
    return object.takeError();
  auto kernel = object->kernel("probe");
  if (!kernel)
    return kernel.takeError();
  const run::ResolvedLaunch launch = launchOn(machine);
  auto loaded = backend.load(*object, **kernel);
  if (!loaded)
    return loaded.takeError();
  auto buffers = run::BufferSet::allocate(launch);
  if (!buffers)
    return buffers.takeError();
  auto outcome = (*loaded)->run(launch, **buffers, options);
  if (!outcome)
    return outcome.takeError();
  PredictOptions how;
  how.interval = PredictOptions::Interval::No;
  how.steps = 3000;
  auto observed = observe(*object, **kernel, launch, machine, how);
  if (!observed)
    return observed.takeError();
  const auto predicted = [&](double value) {
    return predict(*observed, machine.with(probe.constant, value), how).milliseconds;
  };
  Settled settled{probe.constant, machine[probe.constant]};
  settled.milliseconds = run::summarize(outcome->milliseconds).median;
  settled.predicted = predicted(settled.assumed);
  search(probe, predicted, settled);
  return settled;
}

} // namespace

llvm::Expected<std::vector<Settled>> calibrate(run::Backend &backend, const Machine &machine,
                                               const run::RunOptions &options) {
  std::vector<Settled> all;
  Machine known = machine;
  for (const Probe &probe : probes) {
    auto settled = settle(probe, backend, known, options);
    if (!settled)
      return settled.takeError();
    if (settled->where == Settled::Where::Inside)
      known = known.with(probe.constant, settled->found);
    all.push_back(*settled);
  }
  return all;
}

std::string machineFile(const Machine &machine, const std::vector<Settled> &settled) {
  nlohmann::ordered_json json = {{"base", machine.device().id},
                                 {"title", machine.device().title + ", calibrated"}};
  for (const Settled &constant : settled)
    if (constant.where == Settled::Where::Inside)
      json["constants"][std::string(rowOf(constant.constant).name)] =
          std::round(constant.found * 1000) / 1000;
  return json.dump(2) + "\n";
}

} // namespace rdna::timing
