//===- LaunchValues.h - the numbers that a launch passes --------------------===//
#pragma once

#include "Object/CodeObject.h"
#include "Run/LaunchDescription.h"

#include <map>
#include <string>
#include <vector>

namespace rdna::run {

/// The dwords of the kernarg segment that hold no address, by offset: numbers, hidden arguments and
/// what is between them. Errors are those of packKernarg().
llvm::Expected<std::map<uint32_t, uint32_t>> kernargNumbers(const object::Kernel &kernel,
                                                            const ResolvedLaunch &launch);

/// What the launch passes outside of the ranges that the kernel's rewrite was proven for, in words.
llvm::Expected<std::vector<std::string>> outsideGiven(const object::Kernel &kernel,
                                                      const ResolvedLaunch &launch);

} // namespace rdna::run
