//===- Snippet.h - machine code for the C interface's tests ---------------===//
#pragma once

#include "Object/CodeObject.h"

#include "llvm/Support/Error.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rdna::test {

inline std::string kernelSource(const std::string &text) {
  return "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n"
         "\t.amdhsa_code_object_version 5\n\t.text\n\t.protected k\n\t.globl k\n"
         "\t.p2align 8\n\t.type k,@function\nk:\n" +
         text +
         "\n\t.section .rodata,\"a\",@progbits\n\t.p2align 6\n\t.amdhsa_kernel k\n"
         "\t.amdhsa_next_free_vgpr 64\n\t.amdhsa_next_free_sgpr 32\n"
         "\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.end_amdhsa_kernel\n";
}

inline object::CodeObject codeObject(const std::string &text) {
  auto object = object::loadCodeObjectBytes(kernelSource(text), "snippet.s");
  if (object)
    return std::move(*object);
  ADD_FAILURE() << llvm::toString(object.takeError()) << text;
  return {};
}

/// The bytes of `text`, without anything around them.
inline std::vector<uint32_t> machineCode(const std::string &text) {
  const object::CodeObject object = codeObject(text);
  std::vector<uint32_t> words;
  for (const auto &segment : object.segments)
    if (segment.kind == object::CodeObject::Segment::Kind::Code) {
      words.resize(segment.bytes / 4);
      std::memcpy(words.data(), object.image.data() + segment.address, words.size() * 4);
    }
  // The linker's padding would hide whatever runs past the end.
  while (!words.empty() && (words.back() == 0 || words.back() == 0xbf9f0000u))
    words.pop_back();
  return words;
}

} // namespace rdna::test
