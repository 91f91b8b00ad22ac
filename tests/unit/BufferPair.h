//===- BufferPair.h - a kernel with one LDS buffer, and with two -----------===//
#pragma once

#include "VerifySample.h"

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

} // namespace rdna::test
