//===- Frame.h - what stands around the code of a random kernel -------------===//
#pragma once

#include "Body.h"

#include <string>

namespace rdna::fuzz {

/// Of a whole file.
struct Frame {
  Geometry geometry;
  unsigned userSgprs = 2; ///< 2 or 15: the workgroup's number is in the next one.
  unsigned spareVgprs = 0;
  unsigned iterations = 4, ldsBytes = 0, scratchBytes = 0;
  bool flushesDenormals = false, isWgpMode = false;
};

/// Kernel "k" of this code, with functions behind it.
std::string wholeFile(const Frame &frame, const std::string &kernel, const std::string &functions);
std::string launchDescription(const Frame &frame);

/// Does the kernel call functions, which want a stack?
enum class Convention : uint8_t { None, Calls };
void writePrologue(Emitter &e, const Frame &frame, const Registers &r, Convention convention);

/// Bytes of each output for one lane.
inline constexpr unsigned laneBytes = 512;

} // namespace rdna::fuzz
