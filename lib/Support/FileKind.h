//===- FileKind.h - what a file is that was taken for assembly --------------===//
#pragma once

#include <string>
#include <string_view>

namespace rdna {

/// Who wants to read the contents: assembly alone, or code objects, too.
enum class Wanted { Assembly, AssemblyOrCodeObject };

/// What `contents` are instead of AMDGPU assembly, and what to do ("this is HIP or C++ source;
/// compile it first: ..."); empty if nothing is recognised. It guesses from how files begin, so it
/// is asked only about what the assembler has refused. `file` goes into the command.
std::string notAssembly(std::string_view contents, std::string_view file, Wanted wanted);

/// For assembly without a kernel: what `contents` are, or that there is none.
std::string noKernelIn(std::string_view contents, std::string_view file);

} // namespace rdna
