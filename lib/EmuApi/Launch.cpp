//===- Launch.cpp - launches as C callers describe them -------------------===//
#include "EmuApi/Handles.h"

#include <algorithm>
#include <fmt/format.h>

namespace rdna::api {
namespace {

llvm::Error addRegions(const rdna3emu_launch &given, emu::Launch &launch) {
  if (given.region_count && !given.regions)
    return invalid("regions is a null pointer");
  for (size_t n = 0; n < given.region_count; ++n) {
    const rdna3emu_region &r = given.regions[n];
    if (r.access != RDNA3EMU_READ_WRITE && r.access != RDNA3EMU_READ_ONLY)
      return invalid(fmt::format("region {} has no rdna3emu_access, but {}", n, r.access));
    const auto address = reinterpret_cast<uint64_t>(r.data);
    if ((!r.data && r.bytes) || address + r.bytes < address)
      return invalid(fmt::format("region {} is no memory", n));
    launch.regions.push_back(
        {r.name ? r.name : fmt::format("region {}", n), static_cast<std::byte *>(r.data), r.bytes,
         r.access == RDNA3EMU_READ_WRITE ? emu::MemoryRegion::Access::ReadWrite
                                         : emu::MemoryRegion::Access::ReadOnly});
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<emu::Launch> launchOf(const rdna3emu_launch &given) {
  emu::Launch launch;
  for (unsigned d = 0; d < 3; ++d) {
    launch.grid[d] = given.grid[d];
    launch.block[d] = given.block[d];
  }
  if (!given.grid[0] || !given.grid[1] || !given.grid[2])
    return invalid(fmt::format("a grid of {} x {} x {} workgroups is empty", given.grid[0],
                               given.grid[1], given.grid[2]));
  launch.dynamicLdsBytes = given.dynamic_lds_bytes;
  if (!given.kernarg && given.kernarg_bytes)
    return invalid("kernarg is a null pointer");
  launch.kernarg = {static_cast<const std::byte *>(given.kernarg), given.kernarg_bytes};
  if (llvm::Error error = addRegions(given, launch))
    return error;
  launch.instructionBudget = given.instruction_budget;
  constexpr uint32_t mostThreads = 1024;
  launch.threads = std::min(given.threads, mostThreads);
  if (given.memory != RDNA3EMU_MEMORY_REGIONS && given.memory != RDNA3EMU_MEMORY_HOST)
    return invalid(fmt::format("memory is no rdna3emu_memory, but {}", given.memory));
  if (given.memory == RDNA3EMU_MEMORY_HOST)
    launch.addressing = emu::Addressing::Host;
  switch (given.engine) {
  case RDNA3EMU_ENGINE_AUTO:
    launch.engine = emu::Engine::Auto;
    break;
  case RDNA3EMU_ENGINE_INTERPRETER:
    launch.engine = emu::Engine::Interpreter;
    break;
  case RDNA3EMU_ENGINE_JIT:
    launch.engine = emu::Engine::Jit;
    break;
  default:
    return invalid(fmt::format("engine is no rdna3emu_engine, but {}", given.engine));
  }
  return launch;
}

} // namespace rdna::api
