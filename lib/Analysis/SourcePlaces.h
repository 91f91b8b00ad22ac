//===- SourcePlaces.h - which source line an instruction was compiled from --===//
//
// By the file's `.file` and `.loc` directives (`clang -g`). For reports only: no rewrite looks at
// it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"

namespace rdna {

struct SourcePlace {
  uint32_t file = 0; ///< In SourcePlaces::files.
  uint32_t line = 0; ///< 0: none.
};

struct SourcePlaces {
  std::vector<std::string> files;
  std::vector<SourcePlace> of; ///< By instruction, from the first of the range.
  uint32_t first = 0;          ///< Of the range.
};

/// Of the instructions [first, last). `files` is empty if the text has no debug lines there.
SourcePlaces sourcePlaces(const Module &module, uint32_t first, uint32_t last);

/// Of a loop the branch that goes back to its header: compilers give it the line of `for`.
SourcePlace placeOfLoop(const SourcePlaces &places, const Cfg &cfg, const Loop &loop);

/// "kernel.hip:57", without the file's folder; empty if there is no place.
std::string shortName(const SourcePlaces &places, SourcePlace place);

} // namespace rdna
