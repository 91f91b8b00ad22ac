//===- Next.h - the next module -------------------------------------------===//
//
// The only place in the pipeline where a module comes of another one.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Code/Edit.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <vector>

namespace rdna {

/// Where offsets of one text are in another that came of it by edits, one set after the other: what
/// lies in replaced text is at the start of the replacement.
class OffsetMap {
public:
  void add(const Module &module, std::vector<TextEdit> edits);
  uint32_t operator()(uint32_t offset) const;

private:
  struct Step {
    uint32_t begin, end;
    int64_t shift; ///< Of what stands behind it.
  };
  std::vector<std::vector<Step>> sets_; ///< Each in text order.
};

/// A module that came of another one, and where its places went.
struct Next {
  std::unique_ptr<Module> module;
  OffsetMap places;
};

/// Applies edits. The places are those of `module`.
llvm::Expected<Next> nextOf(const Module &module, std::vector<TextEdit> edits);
/// The same once more, for edits of `next.module`.
llvm::Error advance(Next &next, std::vector<TextEdit> edits);

} // namespace rdna
