//===- Assumptions.h - what a rewrite took for granted, in text and file ---===//
//
// A rewrite that is right only under an assumption says so below its kernel's label:
//
//     ; rdna-assume: no-index-wrap
//
// or no-sync-without-barrier or lds-in-bounds. One that is proven for some launches only says for
// which, a line for each range (of a dword of the kernarg segment, or of workgroup_id_x,
// workitem_id_y and so on):
//
//     ; rdna-given: 1 <= kernarg+24 <= 32768
//
// The assembler makes it a line "no-index-wrap <kernel>" of the section .rdna.assume, which no
// loader looks at, so that the code object tells it as well; "*" stands for every kernel. A range
// becomes "given:1<=kernarg+24<=32768 <kernel>".
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Object/CodeObject.h"

#include <optional>
#include <string>
#include <string_view>

namespace rdna::object {

inline constexpr std::string_view assumptionSection = ".rdna.assume";

/// Directives that make the section from the comments of `text`; empty if there are none. They end
/// with a line break and leave the assembler in the section where it was.
std::string assumptionDirectives(std::string_view text);

/// A range as it is declared, with or without blanks; nothing for other text.
std::optional<GivenRange> givenRange(std::string_view text);

/// Marks the kernels that the contents of the section name. What is not understood is left out.
void readAssumptions(std::string_view contents, std::vector<Kernel> &kernels);

} // namespace rdna::object
