//===- BufferPair.h - a kernel with one LDS buffer, and with two -----------===//
#pragma once

#include "VerifySample.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

namespace rdna::test {

/// Of tests/lit/hsaco-loader/Inputs: one-buffer.s, two-buffers.s.
inline std::string readPair(const char *name) {
  std::ifstream file(std::string(RDNA_SOURCE_DIR "/tests/lit/hsaco-loader/Inputs/") + name);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline Correspondence rebuffered(std::string function, WorkgroupShape shape) {
  Correspondence claim;
  claim.function = std::move(function);
  claim.rebuffered = shape;
  return claim;
}

inline std::string refusalOfTexts(const std::string &before, const std::string &after,
                                  const std::vector<Correspondence> &claims = {}) {
  auto was = Module::parse(before, "before.s"), now = Module::parse(after, "after.s");
  if (was && now)
    return refusal(**was, **now, claims);
  ADD_FAILURE() << "not parsed";
  return {};
}

/// For texts that do things earlier than others. Bodies of a kernel of 64 work-items: s[2:3] is a
/// pointer and s4 a number that the launch passes, v1 a multiple of four, v2 the same in the other
/// wave.
inline std::string bodyText(std::string_view body) {
  return kernelText(fmt::format("\ts_load_b64 s[2:3], s[0:1], 0x0\n"
                                "\ts_load_b32 s4, s[0:1], 0x8\n"
                                "\tv_lshlrev_b32_e32 v1, 2, v0\n"
                                "\tv_xor_b32_e32 v2, 0x80, v1\n"
                                "\tv_mov_b32_e32 v3, 0\n"
                                "\ts_waitcnt lgkmcnt(0)\n{}",
                                body),
                    "\t.amdhsa_user_sgpr_count 2\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
                    "\t.amdhsa_kernarg_size 16\n\t.amdhsa_group_segment_fixed_size 512\n"
                    "\t.amdhsa_wavefront_size32 1\n\t.amdhsa_system_vgpr_workitem_id 0\n");
}
inline std::string refusalAhead(std::string_view before, std::string_view after) {
  Correspondence claim = rebuffered("k", {64, 1, 1});
  claim.loads = Correspondence::Loads::Ahead;
  return refusalOfTexts(bodyText(before), bodyText(after), {claim});
}

} // namespace rdna::test
