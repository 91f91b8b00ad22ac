//===- Stall.h - why a wave did not issue ------------------------------------===//
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace rdna::timing {

enum class Stall : uint8_t {
  None,
  VectorIssue,      ///< The vector ALU, or another unit, was another wave's, or was full.
  VectorDependence, ///< A vector result that is not there yet.
  BankConflicts,
  LdsBandwidth,
  LdsLatency,
  Barrier,
  GlobalLatency,
  GlobalBandwidth,
  Scalar, ///< SALU, scalar memory, s_nop, s_sleep, ...
  Fetch,  ///< Branches and instructions that are not in the cache.
  Occupancy,
  Tail,
};
inline constexpr unsigned stallKinds = 13;

constexpr std::string_view toString(Stall stall) {
  constexpr std::array<std::string_view, stallKinds> names = {"other",
                                                              "VALU issue",
                                                              "VALU dependence",
                                                              "bank conflicts",
                                                              "LDS bandwidth",
                                                              "LDS latency",
                                                              "barrier",
                                                              "global latency",
                                                              "global bandwidth",
                                                              "scalar",
                                                              "fetch",
                                                              "occupancy",
                                                              "tail"};
  return names[static_cast<size_t>(stall)];
}

} // namespace rdna::timing
