//===- SearchMemory.h - what searches for orders have found ----------------===//
//
// Passes take turns until nothing changes, and go several ways; most blocks are each time what they
// were before, and a search takes longer than all else.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/Search.h"

#include "llvm/ADT/StringMap.h"

namespace rdna {

/// Of one pipeline, for all its rounds and ways.
class SearchMemory {
public:
  /// What Search::run() finds, or has found for a block that is the same in all that it looks at.
  std::optional<Solution> search(const FunctionContext &context, const RegionModel &region,
                                 const RegisterSpace &space, const FixedRegisters &fixed,
                                 const RemapOptions &options, const ScheduleCost &old,
                                 Search::Waiting waiting = Search::Waiting::NoLonger);
  /// Different blocks that were searched.
  size_t size() const { return found_.size(); }

private:
  llvm::StringMap<std::optional<Solution>> found_;
};

} // namespace rdna
