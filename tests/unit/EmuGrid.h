//===- EmuGrid.h - runs a grid of workgroups on the emulator --------------===//
#pragma once

#include "EmuSnippet.h"

namespace rdna::test {

/// One dword per work-item of the whole launch, as the body puts it into v2; v3 must hold the byte
/// offset. s[4:5] points to the output.
struct Grid {
  std::string body;
  std::string directives;
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  unsigned threads = 1;
  size_t items = 0;
  std::vector<std::array<uint32_t, 3>> only;
  uint32_t dynamicLds = 0;
};

inline std::vector<uint32_t> runGrid(const Grid &g, uint64_t *instructions = nullptr) {
  std::vector<uint32_t> out(g.items, 0xeeeeeeeeu);
  auto image = kernelImage("\ts_load_b64 s[4:5], s[0:1], 0x0\n" + g.body +
                               "\n\tglobal_store_b32 v3, v2, s[4:5]\n\ts_endpgm\n",
                           g.directives);
  auto program = emu::Program::create(std::move(image));
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return out;
  }
  uint64_t argument = reinterpret_cast<uint64_t>(out.data());
  emu::Launch launch;
  launch.grid = g.grid;
  launch.block = g.block;
  launch.threads = g.threads;
  launch.onlyWorkgroups = g.only;
  launch.dynamicLdsBytes = g.dynamicLds;
  launch.kernarg = std::as_bytes(std::span(&argument, 1));
  launch.regions.push_back({"out", reinterpret_cast<std::byte *>(out.data()), out.size() * 4});
  auto result = (*program)->run(launch);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return out;
  }
  EXPECT_TRUE(result->outOfBounds.empty());
  if (instructions)
    *instructions = result->instructions;
  return out;
}

/// 13 user SGPRs declared, as compilers do for gfx1100: the ids are in s13, s14, s15.
inline const std::string allIds = "\t.amdhsa_user_sgpr_count 13\n"
                                  "\t.amdhsa_system_sgpr_workgroup_id_x 1\n"
                                  "\t.amdhsa_system_sgpr_workgroup_id_y 1\n"
                                  "\t.amdhsa_system_sgpr_workgroup_id_z 1\n"
                                  "\t.amdhsa_system_vgpr_workitem_id 2\n";

} // namespace rdna::test
