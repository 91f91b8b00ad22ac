//===- KernelManifest.h - the kernels that this build has compiled --------===//
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace rdna::test {

/// One compiler's output for one kernel source, see cmake/RdnaKernels.cmake.
struct CompiledKernel {
  std::string name;         ///< "kernel5", "sgemm_3x5"
  std::string set;          ///< "" for the templates, "corpus", "held-out", "addressing", "calls"
  std::string compiler;     ///< "clang-16", or "by-hand"
  std::string optimization; ///< "O3"; empty if written by hand
  std::string assembly;     ///< Path of the .s
  std::string launch;       ///< Path of the launch description
};

/// Those of one manifest: "manifest" for the kernels that stand alone, "calls" for the programs of
/// tests/calls.
inline std::vector<CompiledKernel> compiledKernels(const std::string &manifest = "manifest") {
  const std::string path = RDNA_KERNEL_DIR "/" + manifest + ".json";
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  std::vector<CompiledKernel> result;
  for (const nlohmann::json &entry : nlohmann::json::parse(file))
    result.push_back({entry["name"], entry["set"], entry["compiler"], entry["optimization"],
                      entry["assembly"], entry["launch"]});
  return result;
}

} // namespace rdna::test
