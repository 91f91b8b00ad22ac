//===- Expect.h - buffers against what a reference says -------------------===//
#pragma once

#include "corpus/Reference.h"

#include "Run/Buffers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace rdna::corpus {

inline std::vector<double> values(const run::Buffer &buffer) {
  const unsigned size = run::bytesOf(buffer.facts.type);
  std::vector<double> result(buffer.bytes.size() / size);
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = run::loadElement(buffer.bytes.data() + i * size, buffer.facts.type);
  return result;
}

inline Arguments argumentsOf(const run::ResolvedLaunch &launch, const run::BufferSet &buffers) {
  Arguments result;
  for (const run::Buffer &buffer : buffers.buffers())
    result.buffers.push_back(values(buffer));
  for (const run::ResolvedArgument &argument : launch.arguments)
    if (argument.type == run::ElementType::F32)
      result.floats.push_back(*argument.number());
  for (const auto &[name, value] : launch.parameters)
    result.parameters[name] = static_cast<long>(value);
  return result;
}

/// The expected contents of every buffer: inputs as they were, outputs as the reference has them.
inline void expectContents(const run::BufferSet &got, const Arguments &wanted, double tolerance) {
  for (size_t b = 0; b < got.buffers().size(); ++b) {
    const std::vector<double> have = values(got.buffers()[b]), &want = wanted.buffers[b];
    const bool output = got.buffers()[b].facts.role == run::BufferArgument::Role::Output;
    double largest = 0;
    for (const double value : want)
      largest = std::max(largest, std::abs(value));
    const double allowed = output ? tolerance * largest : 0;
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < want.size(); ++i)
      if (!(std::abs(have[i] - want[i]) <= allowed) && wrong++ == 0) // Also counts a NaN.
        first = i;
    EXPECT_EQ(wrong, 0U) << "of " << want.size() << " elements of buffer " << b << "; element "
                         << first << " is " << have[first] << ", should be " << want[first];
  }
}

} // namespace rdna::corpus
