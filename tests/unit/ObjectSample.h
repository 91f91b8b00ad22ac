//===- ObjectSample.h - a small kernel for the tests of lib/Object and lib/Run ===//
#pragma once

#include "Object/CodeObject.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace rdna::test {

/// What varies between the tests; the defaults make a kernel without any lint finding.
struct SampleKernel {
  std::string name = "scale";
  std::string version = "\t.amdhsa_code_object_version 5\n";
  std::string body = "\ts_load_b64 s[2:3], s[0:1], 0x0\n"
                     "\tv_lshlrev_b32_e32 v1, 2, v0\n"
                     "\ts_waitcnt lgkmcnt(0)\n"
                     "\tglobal_store_b32 v1, v0, s[2:3]\n"
                     "\ts_endpgm\n";
  std::string directives = ""; ///< More .amdhsa_ lines.
  unsigned vgprs = 8;
  unsigned lds = 0;
  unsigned metadataVgprs = 2;
  unsigned metadataLds = 0;
  unsigned metadataKernarg = 16;
  unsigned metadataScratch = 0;
  unsigned wavefront = 32;
  std::string metadataVersion = "  - 1\n  - 2\n";
};

inline std::string code(const SampleKernel &k) {
  const std::string n = std::to_string(k.vgprs);
  return "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n" + k.version +
         "\t.text\n\t.protected " + k.name + "\n\t.globl " + k.name + "\n\t.p2align 8\n\t.type " +
         k.name + ",@function\n" + k.name + ":\n" + k.body + ".L" + k.name + "_end:\n\t.size " +
         k.name + ", .L" + k.name + "_end-" + k.name +
         "\n\t.section .rodata,\"a\",@progbits\n\t.p2align 6\n\t.amdhsa_kernel " + k.name +
         "\n\t\t.amdhsa_next_free_vgpr " + n + "\n\t\t.amdhsa_next_free_sgpr 16\n" +
         "\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t\t.amdhsa_kernarg_size 16\n" +
         "\t\t.amdhsa_group_segment_fixed_size " + std::to_string(k.lds) + "\n" + k.directives +
         "\t.end_amdhsa_kernel\n\t.text\n";
}

inline std::string metadata(const SampleKernel &k) {
  return "\t.amdgpu_metadata\n---\namdhsa.kernels:\n  - .args:\n"
         "      - .name: out\n        .offset: 0\n        .size: 8\n"
         "        .value_kind: global_buffer\n        .address_space: global\n"
         "      - .name: n\n        .offset: 8\n        .size: 4\n        .value_kind: by_value\n"
         "    .group_segment_fixed_size: " +
         std::to_string(k.metadataLds) +
         "\n    .kernarg_segment_align: 8\n    .kernarg_segment_size: " +
         std::to_string(k.metadataKernarg) +
         "\n    .max_flat_workgroup_size: 64\n    .name: " + k.name +
         "\n    .private_segment_fixed_size: " + std::to_string(k.metadataScratch) +
         "\n    .sgpr_count: 4\n    .symbol: " + k.name +
         ".kd\n    .vgpr_count: " + std::to_string(k.metadataVgprs) +
         "\n    .wavefront_size: " + std::to_string(k.wavefront) +
         "\namdhsa.target: amdgcn-amd-amdhsa--gfx1100\namdhsa.version:\n" + k.metadataVersion +
         "...\n\t.end_amdgpu_metadata\n";
}

inline std::string sample(const SampleKernel &k = {}) { return code(k) + metadata(k); }

/// The code object of `text`; a test failure (and an empty one) if there is none.
inline object::CodeObject load(std::string_view text) {
  llvm::Expected<object::CodeObject> object = object::loadCodeObjectBytes(text, "test.s");
  if (object)
    return std::move(*object);
  std::string message;
  renderError(object.takeError(), "test", message);
  ADD_FAILURE() << message;
  return {};
}

/// The rendered error, or an empty string (and a test failure) if there is none.
template <typename T> std::string messageOf(llvm::Expected<T> result, Failure kind) {
  if (result) {
    ADD_FAILURE() << "accepted";
    return {};
  }
  std::string message;
  EXPECT_EQ(renderError(result.takeError(), "test", message), static_cast<int>(kind)) << message;
  return message;
}

} // namespace rdna::test
