#include "Frame.h"

#include <algorithm>

namespace rdna::fuzz {

static constexpr unsigned kernargBytes = 64;

static std::string metadata(const Frame &frame, unsigned vgprs, unsigned sgprs) {
  std::string text = "\t.amdgpu_metadata\n---\namdhsa.kernels:\n  - .args:\n";
  for (unsigned n = 0; n < 6; ++n)
    text += fmt::format("      - .offset: {}\n        .size: 8\n        .value_kind: "
                        "global_buffer\n        .address_space: global\n",
                        8 * n);
  for (unsigned n = 0; n < 3; ++n)
    text += fmt::format("      - .offset: {}\n        .size: 4\n        .value_kind: by_value\n",
                        48 + 4 * n);
  text += fmt::format("    .group_segment_fixed_size: {}\n    .kernarg_segment_align: 8\n"
                      "    .kernarg_segment_size: {}\n    .max_flat_workgroup_size: {}\n"
                      "    .name: k\n    .private_segment_fixed_size: {}\n    .sgpr_count: {}\n"
                      "    .symbol: k.kd\n    .vgpr_count: {}\n    .wavefront_size: 32\n",
                      frame.ldsBytes, kernargBytes, frame.geometry.block, frame.scratchBytes, sgprs,
                      vgprs);
  return text + "amdhsa.target: amdgcn-amd-amdhsa--gfx1100\namdhsa.version:\n  - 1\n  - 2\n...\n"
                "\t.end_amdgpu_metadata\n";
}

std::string wholeFile(const Frame &frame, const std::string &kernel, const std::string &functions) {
  unsigned vgprs = 1, sgprs = 16;
  for (const std::string *code : {&kernel, &functions})
    for (const unsigned n : registersOf(*code))
      (n < 256 ? vgprs : sgprs) = std::max(n < 256 ? vgprs : sgprs, n % 256 + 1);
  vgprs = std::min(256U, vgprs + frame.spareVgprs);
  std::string text = "\t.text\n\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n\t.globl\tk\n"
                     "\t.p2align\t8\n\t.type\tk,@function\nk:\n" +
                     kernel + "\ts_endpgm\n.Lfunc_end0:\n\t.size\tk, .Lfunc_end0-k\n" + functions +
                     "\t.section\t.rodata,\"a\",@progbits\n\t.p2align\t6, 0x0\n"
                     "\t.amdhsa_kernel k\n";
  const auto field = [&](const char *name, unsigned value) {
    text += fmt::format("\t\t.amdhsa_{} {}\n", name, value);
  };
  field("group_segment_fixed_size", frame.ldsBytes);
  if (frame.scratchBytes) {
    field("private_segment_fixed_size", frame.scratchBytes);
    field("enable_private_segment", 1);
  }
  field("kernarg_size", kernargBytes);
  field("user_sgpr_kernarg_segment_ptr", 1);
  field("user_sgpr_count", frame.userSgprs);
  field("system_sgpr_workgroup_id_x", 1);
  field("wavefront_size32", 1);
  field("next_free_vgpr", vgprs);
  field("next_free_sgpr", sgprs);
  field("float_denorm_mode_32", frame.flushesDenormals ? 0 : 3);
  field("workgroup_processor_mode", frame.isWgpMode);
  text += "\t.end_amdhsa_kernel\n\t.text\n";
  return text + metadata(frame, vgprs, sgprs + 2);
}

std::string launchDescription(const Frame &frame) {
  const unsigned out = frame.geometry.block * frame.geometry.groups * laneBytes;
  return fmt::format(
      R"({{"kernel": "k", "grid": [{}, 1, 1], "block": [{}, 1, 1], "args": [
  {{"buffer": "16384", "type": "f32", "init": "random", "seed": 1}},
  {{"buffer": "16384", "type": "f32", "init": "random", "seed": 2}},
  {{"buffer": "16384", "type": "u32", "init": "random", "seed": 3}},
  {{"buffer": "{}", "type": "f32", "init": "zero", "output": true}},
  {{"buffer": "{}", "type": "u32", "init": "zero", "output": true}},
  {{"buffer": "{}", "type": "u32", "init": "zero", "output": true}},
  {{"i32": "{}"}}, {{"i32": "0"}}, {{"f32": 0.75}}]}}
)",
      frame.geometry.groups, frame.geometry.block, out, out, out, frame.iterations);
}

} // namespace rdna::fuzz
