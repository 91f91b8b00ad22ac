//===- Indices.h - what a launch's own values say of indices ---------------===//
#pragma once

#include "Object/CodeObject.h"
#include "Run/LaunchDescription.h"

#include <functional>
#include <string>

namespace rdna::loader {

/// For a kernel whose assembly is in `file`: do a launch's arguments, grid and workgroup show that
/// no index of its global accesses wraps that a proof takes for whole? What bounds do not decide,
/// or is no assembly, is a no: then somebody has to look at each index.
std::function<bool(const run::ResolvedLaunch &)> indexBounds(const std::string &file,
                                                             const object::Kernel &kernel);

} // namespace rdna::loader
